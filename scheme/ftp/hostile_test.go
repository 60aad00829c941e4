package ftp_test

import (
	"bufio"
	"context"
	"crypto/tls"
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
	"locator/scheme/ftp/ftptest"
	"locator/schemetest"
	"locator/schemetest/peer"
	"locator/wire"
)

// rawServer starts a server that answers each command line with the result of reply, unchanged; ""
// means no reply. It returns its address and a function that returns the lines received.
func rawServer(t *testing.T, greeting string, reply func(line string) string) (addr string, lines func() []string) {
	t.Helper()
	h := peer.ListenFor(t)
	h.Serve(func(c net.Conn) {
		io.WriteString(c, greeting)
		for in := bufio.NewScanner(c); in.Scan(); {
			line := in.Text()
			h.Seen(line)
			io.WriteString(c, reply(line))
		}
	})
	return h.Addr(), h.Lines
}

// TestTLSInjected checks that the client rejects replies that were sent without TLS after the one
// that starts TLS. Otherwise it would take them for protected replies.
//
// Covers: A1, P2, T15
func TestTLSInjected(t *testing.T) {
	t.Parallel()
	addr, lines := rawServer(t, "220 ready\r\n", func(line string) string {
		if line == "AUTH TLS" {
			return "234 go\r\n331 password\r\n230 welcome\r\n"
		}
		return "530 no\r\n"
	})
	c := newClient(t, func(o *client.Options) { o.TLSMode = scheme.TLSTry })
	_, err := c.Access(t.Context(), scheme.Request{URL: locator.MustParse("ftp://u:p@" + addr + "/x")}, nil)
	if client.CodeOf(err) != scheme.CodeProtocol {
		t.Errorf("%v", err)
	}
	if got := lines(); len(got) != 1 {
		t.Errorf("sent %q", got)
	}
}

// TestUploadCalledOff cancels an upload to a server that no longer replies. That takes seconds and
// does not wait for the idle timeout.
//
// Covers: P6, T6
func TestUploadCalledOff(t *testing.T) {
	t.Parallel()
	data := peer.ListenFor(t)
	data.Serve(func(c net.Conn) { peer.Hang(c) })
	ctx, cancel := context.WithCancel(t.Context())
	addr, _ := rawServer(t, "220 ready\r\n", func(line string) string {
		switch verb, _, _ := strings.Cut(line, " "); verb {
		case "USER":
			return "230 welcome\r\n"
		case "TYPE":
			return "200 ok\r\n"
		case "EPSV":
			return fmt.Sprintf("229 ok (|||%d|)\r\n", data.Port())
		case "STOR":
			time.AfterFunc(100*time.Millisecond, cancel)
			return "150 go\r\n"
		}
		if ctx.Err() != nil {
			return "" // no more replies
		}
		return "502 no\r\n"
	})
	c := newClient(t, func(o *client.Options) { o.Limits.Idle, o.TLSMode = 20*time.Second, scheme.TLSOff })
	source, more := io.Pipe()
	defer more.Close()
	go more.Write([]byte("a beginning"))
	begin := time.Now()
	_, err := c.Replace(ctx, scheme.Request{URL: locator.MustParse("ftp://u:p@" + addr + "/x")}, scheme.Body{Reader: source}, nil)
	if code := client.CodeOf(err); code != scheme.CodeInterrupted && code != scheme.CodeInDoubt {
		t.Errorf("%v", err)
	}
	if took := time.Since(begin); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
}

// TestUnsafeUser checks that a user name that would be two command lines is rejected, before the
// password is asked for.
//
// Covers: P1, P2, T12
func TestUnsafeUser(t *testing.T) {
	t.Parallel()
	addr, lines := rawServer(t, "220 ready\r\n", func(string) string { return "530 no\r\n" })
	c := newClient(t, func(o *client.Options) {
		o.TLSMode = scheme.TLSOff
		o.Logins = []scheme.LoginFunc{func(context.Context, scheme.LoginRequest) (string, string, bool, error) {
			return "a\r\nDELE x", "", false, scheme.ErrNeedPassword
		}}
	})
	_, err := c.Access(t.Context(), scheme.Request{URL: locator.MustParse("ftp://" + addr + "/x")}, nil)
	if client.CodeOf(err) != scheme.CodeRefused {
		t.Errorf("%v: %v", client.CodeOf(err), err)
	}
	if got := lines(); len(got) > 0 {
		t.Errorf("sent %q", got)
	}
}

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

// TestDataPortAttacks names other hosts and special ports in the replies to EPSV and PASV. The
// client dials nothing but the server, and a port that cannot be one is an error.
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

// endless is a server that follows the dialogue of a download up to one command, and then answers
// that one with reply until the client closes the connection, or not at all if reply is empty. It
// returns its address and how many bytes it has sent.
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

// TestEndlessReplies answers each command of a download with a reply that has no end, in four ways,
// and with silence. The access fails soon, after a bounded number of bytes.
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

// TestTLSLies plays servers that promise TLS and do not keep it, or protect the control connection
// alone. The password and the name of the file are sent to none of them.
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

// liar is a server that starts TLS after 234, or goes on in the clear if clear is set. It gives the
// replies of a login and these.
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

// TestListingTornWithinRecord lists a directory of a server that closes its data connection within
// a TLS record. The listing fails at once, in each of its forms: the error of the connection must
// not be taken for a last line without a line end, repeatedly.
//
// Covers: A1, P6, T21
func TestListingTornWithinRecord(t *testing.T) {
	t.Parallel()
	for name, opts := range map[string][]ftptest.Option{
		"MLSD": nil,
		"LIST": {ftptest.NoMLSD()},
		"NLST": {ftptest.NoLIST()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, trusting := startImplicit(t, append(opts, ftptest.TornTLS())...)
			c := newClient(t, trusting, func(o *client.Options) { o.Limits.Entries = 1000 })
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			done := make(chan error, 1)
			entries := 0
			go func() {
				var last error
				for _, err := range client.Entries(c.List(ctx, scheme.Request{URL: s.URL("")}, nil)) {
					if last = err; err == nil {
						entries++
					}
				}
				done <- last
			}()
			select {
			case err := <-done:
				if client.CodeOf(err) != scheme.CodeBroken || !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Errorf("the listing ended with %v", err)
				}
				if most := len(schemetest.Tree()) + 2; entries > most {
					t.Errorf("got %d entries from half a listing, want at most %d", entries, most)
				}
			case <-time.After(15 * time.Second):
				t.Fatal("the listing continues after its context has ended")
			}
		})
	}
}

// TestNoCloseNotify reads from a server that ends TLS over data connections without close_notify.
// The announced size, and that of SIZE, vouch for a body together with the final reply; nothing
// vouches for a listing or a body in TYPE A.
//
// Covers: A1, P6, T22
func TestNoCloseNotify(t *testing.T) {
	t.Parallel()
	for name, opts := range map[string][]ftptest.Option{"announced": nil, "SIZE": {ftptest.Unannounced()}} {
		s, trusting := startImplicit(t, append(opts, ftptest.NoCloseNotify())...)
		c := newClient(t, trusting)
		read := func(typ byte) (string, error) {
			res, err := c.Access(t.Context(), scheme.Request{URL: s.URL("text.txt")}, &scheme.AccessOptions{Type: typ})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			defer res.Close()
			b, err := io.ReadAll(res.Body)
			return string(b), err
		}
		if got, err := read('i'); err != nil || got != "line one\nline two\nline three\n" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if got, err := read('a'); client.CodeOf(err) != scheme.CodeBroken || !errors.Is(err, wire.ErrNoCloseNotify) {
			t.Errorf("%s, TYPE A: %q, %v; want %v", name, got, err, wire.ErrNoCloseNotify)
		}
		var last error
		for _, err := range client.Entries(c.List(t.Context(), scheme.Request{URL: s.URL("")}, nil)) {
			last = err
		}
		if client.CodeOf(last) != scheme.CodeBroken || !errors.Is(last, wire.ErrNoCloseNotify) {
			t.Errorf("%s, listing: %v; want %v", name, last, wire.ErrNoCloseNotify)
		}
	}
}

// TestInjection uses the URLs of known injection attacks on clients.
//
// Covers: P2, T12
func TestInjection(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := newClient(t)
	for _, path := range []string{"/a%0D%0ADELE%20text.txt", "/%0D%0ADELE%20text.txt/b", "/a%0ADELE%20x;type=d", "/a%00", "/%0D/"} {
		u := locator.MustParse("ftp://" + s.Addr() + path)
		for what, err := range map[string]error{
			"access":     fail(c.Access(t.Context(), scheme.Request{URL: u}, nil)),
			"attributes": fail(c.Attributes(t.Context(), scheme.Request{URL: u}, nil)),
			"replace":    fail(c.Replace(t.Context(), scheme.Request{URL: u}, scheme.Body{Reader: strings.NewReader("x"), Size: scheme.Known(1)}, nil)),
		} {
			if client.CodeOf(err) != scheme.CodeRefused {
				t.Errorf("%s %s: %v, want code refused", what, path, err)
			}
		}
	}
	if n := s.Connections(); n != 0 {
		t.Errorf("got %d connections", n)
	}
}
