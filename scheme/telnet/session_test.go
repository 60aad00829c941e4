package telnet_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/session"
	"locator/scheme/telnet"
	"locator/scheme/telnet/telnettest"
	"locator/schemetest/peer"
)

// open opens a session with a server.
func open(t *testing.T, u locator.URL, o client.Options) session.Session {
	t.Helper()
	o.Registry = scheme.NewRegistry(telnet.New(), telnet.NewTLS())
	c := client.New(o)
	res, err := c.Access(t.Context(), scheme.Request{URL: u}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Close(); c.Close() })
	return res.Session
}

// connect returns a session over one end of a pipe, and the other end.
func connect(t *testing.T) (session.Session, net.Conn) {
	t.Helper()
	here, there := net.Pipe()
	t.Cleanup(func() { there.Close() })
	c := client.New(client.Options{Registry: scheme.NewRegistry(telnet.New()), Dial: func(context.Context, string, string) (net.Conn, error) { return tcp{here}, nil }})
	res, err := c.Access(t.Context(), scheme.Request{URL: locator.MustParse("telnet://192.0.2.1/")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Close() })
	return res.Session, there
}

// tcp gives a pipe an address.
type tcp struct{ net.Conn }

func (tcp) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 23} }

// code returns the code of an error.
func code(err error) scheme.Code { return client.CodeOf(err) }

// A server that does not read cannot hold up its own output: replies wait in a queue. Close ends a
// Write that waits.
//
// Covers: A10, P6, T31
func TestServerDoesNotRead(t *testing.T) {
	t.Parallel()
	x, server := connect(t)
	go func() {
		for i := range 20 { // each asks for a reply
			fmt.Fprintf(server, "\xff\xfd%cline %d\r\n", 100+i, i)
		}
	}()
	var got []byte
	b := make([]byte, 100)
	for !strings.Contains(string(got), "line 19\r\n") {
		n, err := x.Read(b)
		if got = append(got, b[:n]...); err != nil {
			t.Fatalf("%q: %v", got, err)
		}
	}
	wrote := make(chan error)
	go func() { _, err := x.Write([]byte("hello\n")); wrote <- err }()
	select {
	case err := <-wrote:
		t.Fatalf("a Write that nobody reads returns %v", err)
	case <-time.After(20 * time.Millisecond):
	}
	began := time.Now()
	x.Close()
	if err := <-wrote; err == nil || time.Since(began) > 20*time.Second {
		t.Errorf("after Close the Write returns %v, after %v", err, time.Since(began))
	}
}

// A server may cause 256 replies at once, then ten per second, and the data before is kept.
//
// Covers: A10, P6, T30
func TestStorm(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		x, server := connect(t)
		go io.Copy(io.Discard, server)
		ask := func(n int, text string) {
			io.WriteString(server, strings.Repeat("\xff\xfd\x63", n)+text)
		}
		read := func() (string, error) {
			b := make([]byte, 100)
			n, err := x.Read(b)
			return string(b[:n]), err
		}
		go func() {
			ask(256, "first")
			time.Sleep(10 * time.Second)
			ask(100, "second")
			ask(1, "third")
			ask(50, "never")
		}()
		for _, want := range []string{"first", "second"} {
			if got, err := read(); got != want || err != nil {
				t.Fatalf("%q, %v; want %q", got, err, want)
			}
		}
		for range 2 {
			if got, err := read(); got != "" || code(err) != scheme.CodeProtocol {
				t.Fatalf("%q, %v", got, err)
			}
		}
		server.Close()
		x.Close()
	})
}

// A window that is resized again and again is no storm.
//
// Covers: A10
func TestResizeOften(t *testing.T) {
	t.Parallel()
	s, err := telnettest.Start(telnettest.Ask(253, 31))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	x := open(t, s.URL(), client.Options{})
	io.WriteString(x, "size\n")
	readTo(t, x, "your window is")
	for i := range 2000 {
		if err := x.Resize(100+i, 50); err != nil {
			t.Fatal(err)
		}
	}
	io.WriteString(x, "size\n")
	readTo(t, x, "your window is 2099 50")
}

// readTo reads until the output contains text.
func readTo(t *testing.T, x io.Reader, text string) string {
	t.Helper()
	var got []byte
	for b := make([]byte, 4<<10); !strings.Contains(string(got), text); {
		n, err := x.Read(b)
		if got = append(got, b[:n]...); err != nil {
			t.Fatalf("%q: %v", got, err)
		}
	}
	return string(got)
}

// Over TLS, only close_notify is the server's end.
//
// Covers: A10, P6, T36
func TestTLSEnd(t *testing.T) {
	t.Parallel()
	cert, err := peer.Certify()
	if err != nil {
		t.Fatal(err)
	}
	s, err := telnettest.Start(telnettest.TLS(cert.Config()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	o := client.Options{TLS: &tls.Config{RootCAs: cert.Roots()}}
	for line, want := range map[string]error{"exit": nil, "reset": io.ErrUnexpectedEOF} {
		x := open(t, s.URL(), o)
		io.WriteString(x, line+"\n")
		_, err := io.Copy(io.Discard, x)
		if want == nil && err != nil || want != nil && code(err) != scheme.CodeBroken {
			t.Errorf("%s: %v", line, err)
		}
	}
	_, err = client.New(client.Options{Registry: scheme.NewRegistry(telnet.NewTLS())}).Access(t.Context(), scheme.Request{URL: s.URL()}, nil)
	if code(err) != scheme.CodeUntrusted || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("an unknown certificate: %v", err)
	}
}

// A session over TLS may be silent for any time. Only the handshake has the idle timeout.
//
// Covers: A10, P6
func TestTLSSilent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		cert, err := peer.Certify()
		if err != nil {
			t.Fatal(err)
		}
		here, there := net.Pipe()
		go func() {
			server := tls.Server(there, cert.Config())
			_ = server.Handshake() // the client reports a failure
			time.AfterFunc(time.Hour, func() { io.WriteString(server, "late"); server.Close() })
		}()
		c := client.New(client.Options{Registry: scheme.NewRegistry(telnet.NewTLS()), TLS: &tls.Config{RootCAs: cert.Roots()},
			Dial: func(context.Context, string, string) (net.Conn, error) { return tcp{here}, nil }})
		defer c.Close()
		res, err := c.Access(t.Context(), scheme.Request{URL: locator.MustParse("telnets://127.0.0.1/")}, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Close()
		if got, err := io.ReadAll(res.Session); string(got) != "late" || err != nil {
			t.Errorf("after an hour: %q, %v", got, err)
		}
	})
}

// The server ends its output, and the client goes on writing; the client ends its input, and the
// server goes on.
//
// Covers: A10
func TestHalfClose(t *testing.T) {
	t.Parallel()
	s, err := telnettest.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	x := open(t, s.URL(), client.Options{})
	io.WriteString(x, "half\n")
	if got, err := io.ReadAll(x); string(got) != telnettest.Welcome || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := io.WriteString(x, "more\n"); err != nil {
		t.Error(err)
	}
	if err := x.CloseWrite(); err != nil {
		t.Error(err)
	}
	for end := time.Now().Add(5 * time.Second); !slices.Contains(s.Lines(), "more"); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the server got %q", s.Lines())
		}
	}
	if _, err := x.Write([]byte("x")); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("Write after CloseWrite: %v", err)
	}
}

// The other ways to a resource refuse a session, and none of them leaves a connection.
//
// Covers: A15
func TestNoFiles(t *testing.T) {
	t.Parallel()
	s, err := telnettest.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	c := client.New(client.Options{Registry: scheme.NewRegistry(telnet.New())})
	defer c.Close()
	r := scheme.Request{URL: s.URL()}
	for _, err := range client.Entries(c.List(t.Context(), r, nil)) {
		if code(err) != scheme.CodeUnsupported {
			t.Errorf("List: %v", err)
		}
	}
	if _, err := c.Attributes(t.Context(), r, nil); code(err) != scheme.CodeUnsupported {
		t.Errorf("Attributes: %v", err)
	}
	if _, err := c.Transport().RoundTrip(newRequest(t, s.URL().Text())); code(err) != scheme.CodeUnsupported {
		t.Errorf("RoundTrip: %v", err)
	}
	if _, err := c.FS(t.Context(), s.URL()).Open("."); err == nil {
		t.Error("FS: a session has no files")
	}
	if res, err := c.Check(t.Context(), r, nil); err != nil || res.Kind != scheme.KindSession || !res.Addr.IsValid() {
		t.Errorf("Check: %v, %v", res, err)
	}
	if _, err := c.Access(t.Context(), r, &scheme.AccessOptions{Accept: scheme.Accept{Charset: "klingon"}}); code(err) != scheme.CodeUsage {
		t.Errorf("an unknown charset: %v", err)
	}
}

func newRequest(t *testing.T, u string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, u, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
