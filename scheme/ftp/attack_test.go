package ftp_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/schemetest/peer"
)

// read reads a resource to its end and returns the last error.
func read(res *scheme.Resource, err error) error {
	if err != nil {
		return err
	}
	defer res.Close()
	if res.Body != nil && res.Kind == scheme.KindObject {
		_, err = io.Copy(io.Discard, res.Body)
	}
	if res.Entries != nil {
		for _, err = range res.Entries {
		}
	}
	return err
}

// TestDataPortAttacks names other hosts and special ports in the replies to EPSV and PASV. The client dials nothing but the server,
// and a port that cannot be one is an error.
//
// Covers: P5, T1, T2, T3
func TestDataPortAttacks(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		epsv, pasv string // PORT and HI,LO stand for a port at which nobody listens
		port       string // that is dialled at the server; "" is none
	}{
		{"502 no", "227 ok (192,0,2,1,HI,LO)", "PORT"},
		{"502 no", "227 ok (10,0,0,1,HI,LO)", "PORT"},
		{"502 no", "227 ok (169,254,169,254,HI,LO)", "PORT"},
		{"502 no", "227 ok (0,0,0,0,HI,LO)", "PORT"},
		{"502 no", "227 ok (255,255,255,255,HI,LO)", "PORT"},
		{"502 no", "227 ok (127,0,0,2,HI,LO)", "PORT"},
		{"502 no", "227 ok (127,0,0,1,0,0)", ""},
		{"502 no", "227 ok (127,0,0,1,0,25)", "25"},
		{"502 no", "227 ok (127,0,0,1,3,231)", "999"},
		{"502 no", "227 ok (127,0,0,1,390,159)", ""}, // 99999
		{"502 no", "227 ok (127,0,0,256,4,1)", ""},
		{"502 no", "227 ok (127,0,0,1,-4,1)", ""},
		{"502 no", "227 ok 127.0.0.1:1025", ""},
		{"229 ok (|||0|)", "502 no", ""},
		{"229 ok (|||25|)", "502 no", "25"},
		{"229 ok (|||999|)", "502 no", "999"},
		{"229 ok (|||99999|)", "502 no", ""},
		{"229 ok (|||-1|)", "502 no", ""},
		{"229 ok (|||65536|)", "502 no", ""},
		{"229 ok (|1|192.0.2.1|1025|)", "502 no", ""},
		{"229 ok (|2|::1|1025|)", "502 no", ""},
	} {
		t.Run(test.epsv+", "+test.pasv, func(t *testing.T) {
			t.Parallel()
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close() // no other server gets its port
			port := l.Addr().(*net.TCPAddr).Port
			fill := strings.NewReplacer("PORT", fmt.Sprint(port), "HI,LO", fmt.Sprintf("%d,%d", port>>8, port&255))
			addr, lines := rawServer(t, "220 ready\r\n", func(line string) string {
				switch line {
				case "USER anonymous":
					return "230 welcome\r\n"
				case "EPSV":
					return fill.Replace(test.epsv) + "\r\n"
				case "PASV":
					return fill.Replace(test.pasv) + "\r\n"
				}
				return "200 ok\r\n"
			})
			for _, path := range []string{"/x", "/"} {
				var mu sync.Mutex
				var dialled []string
				c := newClient(t, func(o *client.Options) {
					o.Dial = func(ctx context.Context, network, to string) (net.Conn, error) {
						if to == addr {
							return new(net.Dialer).DialContext(ctx, network, to)
						}
						mu.Lock()
						defer mu.Unlock()
						dialled = append(dialled, to)
						return nil, &net.OpError{Op: "dial", Net: network, Err: errors.New("nobody is there")}
					}
				})
				if err := read(c.Access(t.Context(), scheme.Request{URL: locator.MustParse("ftp://" + addr + path)}, nil)); err == nil {
					t.Errorf("%s: no error", path)
				}
				var want []string
				if test.port != "" {
					want = []string{"127.0.0.1:" + fill.Replace(test.port)}
				}
				if got := slices.Compact(dialled); !slices.Equal(got, want) {
					t.Errorf("%s: dialled %q, want %q", path, got, want)
				}
			}
			for _, line := range lines() {
				if strings.HasPrefix(line, "PORT") || strings.HasPrefix(line, "EPRT") {
					t.Errorf("sent %q", line)
				}
			}
		})
	}
}

// endless is a server that follows the dialogue of a download up to one command, and then answers that one with reply until the
// client closes the connection, or not at all if reply is empty. It returns its address and how many bytes it has sent.
func endless(t *testing.T, at, reply string) (addr string, sent *atomic.Int64) {
	t.Helper()
	sent = new(atomic.Int64)
	flood := func(c net.Conn) {
		for reply != "" {
			n, err := io.WriteString(c, reply)
			sent.Add(int64(n))
			if err != nil {
				return
			}
		}
		peer.Hang(c)
	}
	data := peer.ListenFor(t)
	data.Serve(func(c net.Conn) { io.WriteString(c, "abc") })
	good := map[string]string{
		"USER": "331 password", "PASS": "230 welcome", "CWD": "250 ok", "TYPE": "200 ok", "EPSV": fmt.Sprintf("229 ok (|||%d|)", data.Port()),
		"RETR": "150 go", "FEAT": "211 none", "LIST": "150 go",
	}
	h := peer.ListenFor(t)
	h.Serve(func(c net.Conn) {
		if at == "" {
			flood(c)
			return
		}
		io.WriteString(c, "220 ready\r\n")
		for in := bufio.NewScanner(c); in.Scan(); {
			verb, _, _ := strings.Cut(in.Text(), " ")
			after, isEnd := strings.CutSuffix(at, " end")
			switch {
			case verb == after && isEnd:
				io.WriteString(c, "150 go\r\n")
				flood(c)
				return
			case verb == at:
				flood(c)
				return
			case good[verb] == "":
				io.WriteString(c, "502 no\r\n")
			default:
				io.WriteString(c, good[verb]+"\r\n")
			}
		}
	})
	return h.Addr(), sent
}

// TestEndlessReplies answers each command of a download with a reply that has no end, in four ways, and with silence. The access
// fails soon, after a bounded number of bytes.
//
// Covers: P6, T4, T6
func TestEndlessReplies(t *testing.T) {
	t.Parallel()
	for what, reply := range map[string]string{
		"one line":        strings.Repeat("x", 64<<10),
		"lines":           strings.Repeat("220-more\r\n", 5000),
		"numbers":         strings.Repeat("120 soon\r\n", 5000),
		"no line ends":    strings.Repeat("\x00", 64<<10),
		"carriage return": strings.Repeat("\r", 64<<10),
		"silence":         "",
	} {
		for _, at := range []string{"", "USER", "PASS", "CWD", "TYPE", "EPSV", "RETR", "RETR end", "FEAT", "LIST", "LIST end"} {
			t.Run(what+" at "+at, func(t *testing.T) {
				t.Parallel()
				addr, sent := endless(t, at, reply)
				c := newClient(t, func(o *client.Options) { o.Limits.Idle = time.Second })
				url := "ftp://" + addr + "/d/x"
				if at == "FEAT" || strings.HasPrefix(at, "LIST") {
					url = "ftp://" + addr + "/d/"
				}
				begin := time.Now()
				err := read(c.Access(t.Context(), scheme.Request{URL: locator.MustParse(url)}, nil))
				if code := client.CodeOf(err); code != scheme.CodeBroken && code != scheme.CodeProtocol && code != scheme.CodeUnavailable {
					t.Errorf("code %v: %v", code, err)
				}
				if took := time.Since(begin); took > 20*time.Second {
					t.Errorf("it took %v", took)
				}
				if n := sent.Load(); n > 16<<20 { // most of it is in the buffers of the system
					t.Errorf("%d bytes were taken", n)
				}
			})
		}
	}
}
