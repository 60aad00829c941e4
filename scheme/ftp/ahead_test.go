package ftp_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"locator/client"
	"locator/scheme"
)

// TestTimeWithoutRoundTrip reads two files with all attributes from a server that answers TYPE only after it has received
// MDTM and SIZE, and MDTM of the second file only after EPSV: the client does not wait for a reply in between.
//
// Covers: A4, A5
func TestTimeWithoutRoundTrip(t *testing.T) {
	t.Parallel()
	for _, mdtm := range []string{"213 19941201160000", "550 no", "500 unknown"} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		received, ended := []string(nil), make(chan struct{})
		go func() {
			defer close(ended)
			c, err := l.Accept()
			if err != nil {
				return
			}
			defer c.Close()
			received = mdtmServer(c, mdtm)
		}()
		cl := newClient(t, func(o *client.Options) { o.Limits.Idle = 5 * time.Second })
		want := time.Date(1994, 12, 1, 16, 0, 0, 0, time.UTC)
		if !strings.HasPrefix(mdtm, "213") {
			want = time.Time{}
		}
		for _, name := range []string{"a", "b"} {
			res, err := cl.Access(t.Context(), scheme.Request{URL: parse(t, "ftp://"+l.Addr().String()+"/"+name)}, &scheme.AccessOptions{Detail: true})
			if err != nil {
				t.Fatalf("%s, %s: %v", mdtm, name, err)
			}
			if got := drain(t, res); got != name || !res.Attr.Modified.Equal(want) {
				t.Errorf("%s: %q of %v, want %q of %v", mdtm, got, res.Attr.Modified, name, want)
			}
		}
		cl.Close()
		<-ended
		if want := []string{"USER", "PASS", "TYPE", "MDTM", "SIZE", "EPSV", "RETR", "MDTM", "EPSV", "RETR", "QUIT"}; !slices.Equal(received, want) {
			t.Errorf("%s: received %q, want %q", mdtm, received, want)
		}
	}
}

// mdtmServer serves one control connection, and returns the verbs that it received.
func mdtmServer(c net.Conn, mdtm string) (verbs []string) {
	in := bufio.NewReader(c)
	next := func() (verb, arg string) {
		line, _ := in.ReadString('\n')
		verb, arg, _ = strings.Cut(strings.TrimSpace(line), " ")
		verbs = append(verbs, verb)
		return verb, arg
	}
	var data net.Listener
	passive := func() string {
		data, _ = net.Listen("tcp", "127.0.0.1:0")
		return fmt.Sprintf("229 ok (|||%d|)", data.Addr().(*net.TCPAddr).Port)
	}
	say := func(replies ...string) { io.WriteString(c, strings.Join(replies, "\r\n")+"\r\n") }
	say("220 ready")
	for {
		switch verb, arg := next(); verb {
		case "USER":
			say("331 password")
		case "PASS":
			say("230 welcome")
		case "TYPE":
			next() // MDTM
			next() // SIZE
			say("200 ok", mdtm, "213 1")
		case "MDTM":
			next() // EPSV
			say(mdtm, passive())
		case "EPSV":
			say(passive())
		case "RETR":
			d, err := data.Accept()
			if err != nil {
				return verbs
			}
			data.Close()
			say("150 Opening BINARY mode data connection (1 bytes)")
			io.WriteString(d, arg)
			d.Close()
			say("226 done")
		default:
			return verbs
		}
	}
}
