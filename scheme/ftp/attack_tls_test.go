package ftp_test

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/schemetest/peer"
)

// TestTLSLies plays servers that promise TLS and do not keep it, or protect the control connection alone. The password and the name
// of the file are sent to none of them.
//
// Covers: A1, P3, T14, T16, T17
func TestTLSLies(t *testing.T) {
	t.Parallel()
	cert, err := peer.Certify()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		what    string
		replies map[string]string // of the control connection; AUTH is 234 unless it is here
		clear   bool              // the server goes on without TLS after 234
		modes   []scheme.TLSMode
		code    scheme.Code
		last    string // command that the server gets
	}{
		{"clear text after 234", nil, true, []scheme.TLSMode{scheme.TLSTry, scheme.TLSAuto, scheme.TLSRequire}, scheme.CodeProtocol, "AUTH TLS"},
		{"refused by somebody on the path", map[string]string{"AUTH": "502 no"}, false, []scheme.TLSMode{scheme.TLSRequire}, scheme.CodeUnsupported, "AUTH TLS"},
		{"a 200 for AUTH", map[string]string{"AUTH": "200 ok"}, false, []scheme.TLSMode{scheme.TLSRequire}, scheme.CodeUnsupported, "AUTH TLS"},
		{"PROT refused", map[string]string{"PROT": "534 no"}, false, []scheme.TLSMode{scheme.TLSTry, scheme.TLSAuto, scheme.TLSRequire}, scheme.CodeUnsupported, "PROT P"},
		{"PBSZ refused", map[string]string{"PBSZ": "503 no"}, false, []scheme.TLSMode{scheme.TLSTry, scheme.TLSRequire}, scheme.CodeUnsupported, "PBSZ 0"},
	} {
		for _, mode := range test.modes {
			t.Run(fmt.Sprint(test.what, mode), func(t *testing.T) {
				t.Parallel()
				addr, lines := liar(t, cert.Config(), test.replies, test.clear)
				c := newClient(t, func(o *client.Options) {
					o.TLSMode, o.TLS, o.Limits.Idle = mode, &tls.Config{RootCAs: cert.Roots()}, 5*time.Second
				})
				_, err := c.Access(t.Context(), scheme.Request{URL: locator.MustParse("ftp://alice:s3cret-pw@" + addr + "/x")}, nil)
				if code := client.CodeOf(err); code != test.code {
					t.Errorf("code %v, want %v: %v", code, test.code, err)
				}
				got := slices.DeleteFunc(lines(), func(l string) bool { return l == "QUIT" })
				if len(got) == 0 || got[len(got)-1] != test.last {
					t.Errorf("sent %q, want %q as the last", got, test.last)
				}
			})
		}
	}
}

// TestClearData reads from a server that agrees to PROT P and then sends its data in the clear.
//
// Covers: A1, P3, T18
func TestClearData(t *testing.T) {
	t.Parallel()
	cert, err := peer.Certify()
	if err != nil {
		t.Fatal(err)
	}
	data := peer.ListenFor(t)
	data.Serve(func(c net.Conn) { io.WriteString(c, "false content") })
	addr, _ := liar(t, cert.Config(), map[string]string{
		"EPSV": fmt.Sprintf("229 ok (|||%d|)", data.Port()), "RETR": "150 go\r\n226 done", "LIST": "150 go\r\n226 done", "FEAT": "502 no",
	}, false)
	for _, path := range []string{"/x", "/"} {
		c := newClient(t, func(o *client.Options) { o.TLSMode, o.TLS = scheme.TLSRequire, &tls.Config{RootCAs: cert.Roots()} })
		if err := read(c.Access(t.Context(), scheme.Request{URL: locator.MustParse("ftp://alice:s3cret-pw@" + addr + path)}, nil)); err == nil {
			t.Errorf("%s: clear data is taken", path)
		}
	}
}

// liar is a server that starts TLS after 234, or goes on in the clear if clear is set. It gives the replies of a login and these.
func liar(t *testing.T, cfg *tls.Config, replies map[string]string, clear bool) (addr string, lines func() []string) {
	t.Helper()
	good := map[string]string{"AUTH": "234 go", "USER": "331 password", "PASS": "230 welcome"}
	h := peer.ListenFor(t)
	h.Serve(func(conn net.Conn) {
		c := conn
		io.WriteString(c, "220 ready\r\n")
		for in := bufio.NewScanner(c); in.Scan(); {
			line := strings.ToValidUTF8(in.Text(), "?")
			verb, _, _ := strings.Cut(line, " ")
			if !strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r == '?' }) { // no part of a handshake
				h.Seen(line)
			}
			reply := replies[verb]
			if reply == "" {
				reply = good[verb]
			}
			if reply == "" {
				reply = "200 ok"
			}
			io.WriteString(c, reply+"\r\n")
			if verb != "AUTH" || !strings.HasPrefix(reply, "234") {
				continue
			}
			if clear {
				conn.Read(make([]byte, 16<<10)) // the beginning of a handshake
				io.WriteString(c, "331 password\r\n230 welcome\r\n")
				continue
			}
			c = tls.Server(conn, cfg)
			in = bufio.NewScanner(c)
		}
	})
	return h.Addr(), h.Lines
}
