package gateway

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"locator"
)

// scripted is a server that a function plays on each connection.
func scripted(t *testing.T, play func(in *bufio.Reader, c net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() {
				defer c.Close()
				c.SetDeadline(time.Now().Add(30 * time.Second))
				play(bufio.NewReader(c), c)
			})
		}
	})
	t.Cleanup(func() { l.Close(); all.Wait() })
	return l.Addr().String()
}

var plantedPattern = regexp.MustCompile(`planted[0-9a-f]{12}`)

// garble returns a text that is cut or damaged anywhere.
func garble(r *rand.Rand, text string) string {
	b := []byte(text)
	for range r.IntN(4) {
		if len(b) == 0 {
			break
		}
		at := r.IntN(len(b))
		switch r.IntN(6) {
		case 0:
			b = b[:at]
		case 1:
			b[at] = byte(r.IntN(256))
		case 2:
			b = bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
		case 3:
			b = append(b[:at:at], append(bytes.Repeat([]byte{0}, r.IntN(9)), b[at:]...)...)
		case 4:
			b = append(b[:at:at], append(bytes.Repeat([]byte("\t "), r.IntN(300)), b[at:]...)...)
		case 5:
			b = append(b[:at:at], b[min(len(b), at+r.IntN(40)):]...)
		}
	}
	return string(b)
}

// leakServers are servers whose listings have a secret for each path, cut and damaged at random.
func leakServers(t *testing.T) (urls []func(secret string) string, servers []locator.URL) {
	seed := func(secret string) *rand.Rand { return rand.New(rand.NewPCG(1, uint64(len(secret))+hashOf(secret))) }
	gopherAt := scripted(t, func(in *bufio.Reader, c net.Conn) {
		line, _ := in.ReadString('\n')
		s := plantedPattern.FindString(line)
		io.WriteString(c, garble(seed(s), "i"+s+"\tfake\t(NULL)\t0\r\n0"+s+" a\t/"+s+"\thost.dom\t70\r\n1"+s+" b\t/"+s+"/b\thost.dom\t70\r\n.\r\n"))
	})
	httpAt := scripted(t, func(in *bufio.Reader, c net.Conn) {
		for {
			r, err := http.ReadRequest(in)
			if err != nil {
				return
			}
			s := plantedPattern.FindString(r.RequestURI)
			body := `<html><a href="/` + s + `/x">` + s + ` x</a><a href="` + s + `">` + s + `</a></html>`
			text := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Secret: " + s + "\r\nContent-Length: " + fmt.Sprint(len(body)) + "\r\n\r\n" + body
			if bad := garble(seed(s), text); bad != text {
				io.WriteString(c, bad)
				return
			}
			io.WriteString(c, text)
		}
	})
	ftpAt := scripted(t, func(in *bufio.Reader, c net.Conn) {
		io.WriteString(c, "220 ready\r\n")
		s := ""
		var data net.Listener
		defer func() {
			if data != nil {
				data.Close()
			}
		}()
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				return
			}
			if x := plantedPattern.FindString(line); x != "" {
				s = x
			}
			verb, _, _ := strings.Cut(strings.ToUpper(strings.TrimSpace(line)), " ")
			switch verb {
			case "USER":
				io.WriteString(c, "230 welcome\r\n")
			case "PWD":
				io.WriteString(c, "257 \"/\"\r\n")
			case "CWD": // it says what it is asked, and not what it was asked before on the same connection
				io.WriteString(c, "250 done "+plantedPattern.FindString(line)+"\r\n")
			case "TYPE", "OPTS":
				io.WriteString(c, "250 done\r\n")
			case "EPSV":
				if data != nil {
					data.Close()
				}
				if data, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
					return
				}
				fmt.Fprintf(c, "229 open (|||%d|)\r\n", data.Addr().(*net.TCPAddr).Port)
			case "LIST", "MLSD", "NLST", "RETR":
				if data == nil {
					return
				}
				io.WriteString(c, "150 here\r\n")
				if d, err := data.Accept(); err == nil {
					io.WriteString(d, garble(seed(s), "drwxr-xr-x 2 u g 4096 Jan  1 2020 "+s+"\r\n-rw-r--r-- 1 u g 12 Jan  1 2020 "+s+".txt\r\nlrwxrwxrwx 1 u g 3 Jan  1 2020 l -> "+s+"\r\n"))
					d.Close()
				}
				if bad := garble(seed(s), "226 done\r\n"); bad != "226 done\r\n" {
					io.WriteString(c, bad)
					return
				}
				io.WriteString(c, "226 done "+s+"\r\n")
			case "QUIT":
				return
			default:
				io.WriteString(c, "502 no\r\n")
			}
		}
	})
	nntpAt := scripted(t, func(in *bufio.Reader, c net.Conn) {
		io.WriteString(c, "200 ready\r\n")
		s := ""
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				return
			}
			if x := plantedPattern.FindString(line); x != "" {
				s = x
			}
			verb, _, _ := strings.Cut(strings.ToUpper(strings.TrimSpace(line)), " ")
			switch verb {
			case "GROUP":
				io.WriteString(c, "211 2 1 2 "+s+"\r\n")
			case "XOVER", "OVER":
				text := "224 follows\r\n1\t" + s + " subject\t" + s + " <a@b>\t1 Jan 2020 00:00:00 +0000\t<" + s + "@h>\t\t10\t1\r\n2\tRe: " + s + "\tb\tx\t<2" + s + "@h>\t<" + s + "@h>\t10\t1\r\n.\r\n"
				if bad := garble(seed(s), text); bad != text {
					io.WriteString(c, bad)
					return
				}
				io.WriteString(c, text)
			case "QUIT":
				return
			default:
				io.WriteString(c, "500 no\r\n")
			}
		}
	})
	for _, x := range [][2]string{{"gopher", gopherAt}, {"http", httpAt}, {"ftp", ftpAt}, {"nntp", nntpAt}} {
		base := x[0] + "://" + x[1] + "/"
		before, after := "", "/"
		switch x[0] {
		case "gopher":
			before, after = "1/", ""
		case "nntp":
			before, after = "group.", ""
		}
		servers = append(servers, locator.MustParse(base+before+"x"+after))
		urls = append(urls, func(secret string) string { return base + before + secret + after })
	}
	return urls, servers
}

func hashOf(s string) (n uint64) {
	for _, c := range []byte(s) {
		n = n*31 + uint64(c)
	}
	return n
}

// secretOf returns the secret of a request. One that is damaged is not that of another request.
func secretOf(i int64) string {
	sum := sha256.Sum256([]byte(strconv.FormatInt(i, 10)))
	return "planted" + hex.EncodeToString(sum[:6])
}
