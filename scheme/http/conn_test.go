package http_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"io/fs"
	"net"
	nethttp "net/http"
	nethttptest "net/http/httptest"
	"net/netip"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/internal/hint"
	"locator/policy"
	"locator/scheme"
	"locator/scheme/http"
	"locator/scheme/http/httptest"
	"locator/schemetest/peer"
)

// Covers: A6
func TestKeepAlive(t *testing.T) {
	t.Parallel()
	s := newScript(t, ok("one"), ok("two"), "HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\nnever", ok("three"),
		"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 4\r\n\r\nfour", ok("five"))
	c := web(t)
	u := parse(t, "http://"+s.addr+"/")
	for i, want := range []string{"one", "two", "", "three", "four", "five"} {
		_, body, err := get(t, c, scheme.Request{URL: u})
		if body != want || (err != nil) != (want == "") {
			t.Errorf("%d: %q, %v", i, body, err)
		}
	}
	if n := s.connections(); n != 2 {
		t.Errorf("%d connections, want one up to \"Connection: close\", and one after", n)
	}
}

// A request is retried if the server has closed the pooled connection; a new connection that closes
// is an error.
//
// Covers: A6
func TestStaleConnection(t *testing.T) {
	t.Parallel()
	s := newScript(t, ok("one"), hangUp, ok("three"), hangUp)
	c := web(t)
	u := parse(t, "http://"+s.addr+"/")
	for i, want := range []string{"one", "three"} {
		if _, body, err := get(t, c, scheme.Request{URL: u}); body != want || err != nil {
			t.Errorf("%d: %q, %v", i, body, err)
		}
	}
	if n := len(s.requests()); n != 3 {
		t.Errorf("%d requests", n)
	}
	_, _, err := get(t, web(t), scheme.Request{URL: u})
	wantCode(t, err, scheme.CodeBroken)
}

// Unsolicited data on an idle connection is not taken as the response to the next request.
//
// Covers: P6, T57
func TestUnsolicited(t *testing.T) {
	t.Parallel()
	s := newScript(t, ok("one")+ok("smuggled"), ok("two"))
	c := web(t)
	u := parse(t, "http://"+s.addr+"/")
	for i, want := range []string{"one", "two"} {
		if _, body, err := get(t, c, scheme.Request{URL: u}); body != want || err != nil {
			t.Errorf("%d: %q, %v", i, body, err)
		}
	}
}

// A server that ends an idle connection may say so with a response that nobody asked for, as
// HAProxy does with 408. The next request goes over a new connection.
//
// Covers: P6
func TestUnsolicitedWhileIdle(t *testing.T) {
	t.Parallel()
	h := peer.ListenFor(t)
	closed := make(chan bool, 2)
	h.Serve(func(c net.Conn) {
		if _, err := nethttp.ReadRequest(bufio.NewReader(c)); err != nil {
			return
		}
		io.WriteString(c, ok("one"))
		time.Sleep(20 * time.Millisecond) // the client has read the response
		io.WriteString(c, "HTTP/1.1 408 Request Time-out\r\nContent-Length: 4\r\n\r\nlate")
		io.Copy(io.Discard, c)
		closed <- true
	})
	c := web(t)
	for range 2 {
		if _, body, err := get(t, c, scheme.Request{URL: parse(t, "http://"+h.Addr()+"/")}); body != "one" || err != nil {
			t.Errorf("%q, %v", body, err)
		}
		<-closed // by the client
	}
	if n := h.Connections(); n != 2 {
		t.Errorf("%d connections", n)
	}
}

// slowReadLoop is a context that delays the goroutine in which net/http reads from a connection,
// after each response.
type slowReadLoop struct{ context.Context }

func (c slowReadLoop) Done() <-chan struct{} {
	buf := make([]byte, 16<<10)
	if strings.Contains(string(buf[:runtime.Stack(buf, false)]), "net/http.(*persistConn).readLoop(") {
		time.Sleep(20 * time.Millisecond)
	}
	return c.Context.Done()
}

// A connection on which more than one response came at once is not kept, even if net/http is slow
// to notice.
//
// Covers: P6, T57
func TestUnsolicitedIsNotKept(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reply string
		kept  bool
	}{
		{ok("one"), true},
		{ok("one") + ok("smuggled"), false},
		{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n0\r\n\r\n", true},
		{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n0\r\n\r\n" + ok("smuggled"), false},
		{"HTTP/1.1 204 No Content\r\n\r\n", true},
		{"HTTP/1.1 204 No Content\r\n\r\n" + ok("smuggled"), false},
		{"HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno", true},
		{"HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno" + ok("smuggled"), false},
	} {
		env, kept := testEnv(t), make(chan bool, 1)
		keep := env.Keep
		env.Keep = func(ctx context.Context, key string, open func(context.Context) (scheme.Kept, error)) (scheme.Kept, bool, func(bool), error) {
			c, _, release, err := keep(ctx, key, open)
			return c, false, func(reuse bool) {
				kept <- reuse
				release(reuse)
			}, err
		}
		res, err := http.New("http").Access(slowReadLoop{t.Context()}, env, scheme.Request{URL: parse(t, "http://"+newScript(t, tt.reply).addr+"/")}, scheme.AccessOptions{})
		if err == nil {
			io.Copy(io.Discard, res.Body)
			res.Close()
		}
		if reuse := <-kept; reuse != tt.kept {
			t.Errorf("%q: kept %v", tt.reply, reuse)
		}
	}
}

// refuser is a policy that can be switched to refuse addresses.
type refuser struct {
	policy.Standard
	mu    sync.Mutex
	addrs int
	no    bool
}

func (p *refuser) URL(locator.URL, scheme.Hop) error { return nil }

func (p *refuser) Addr(scheme.Dial, netip.AddrPort) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.addrs++
	if p.no {
		return scheme.Fail(scheme.CodeRefused, "not any more")
	}
	return nil
}

// The policy checks the address of a pooled connection for each request.
//
// Covers: P5, T171
func TestKeptConnectionAsksPolicy(t *testing.T) {
	t.Parallel()
	s := newScript(t, ok("one"), ok("two"))
	p := &refuser{}
	c := web(t, func(o *client.Options) { o.Policy = p })
	u := parse(t, "http://"+s.addr+"/")
	if _, _, err := get(t, c, scheme.Request{URL: u}); err != nil {
		t.Fatal(err)
	}
	p.mu.Lock()
	p.no = true
	p.mu.Unlock()
	_, _, err := get(t, c, scheme.Request{URL: parse(t, "http://"+s.addr+"/other")})
	wantCode(t, err, scheme.CodeRefused)
	if n := len(s.requests()); n != 1 || p.addrs != 3 { // for the first connection, for the kept one, and for another
		t.Errorf("%d requests, policy was asked %d times", n, p.addrs)
	}
}

// A request on a pooled connection has the whole idle timeout.
//
// Covers: P6
func TestKeptConnectionHasAllItsTime(t *testing.T) {
	t.Parallel()
	const idle = 2 * time.Second
	s := newScript(t, ok("one"), pause+ok("two"))
	c := web(t, func(o *client.Options) { o.Limits.Idle = idle })
	for i, want := range []string{"one", "two"} {
		if i > 0 {
			time.Sleep(idle * 2 / 3)
		}
		if _, body, err := get(t, c, scheme.Request{URL: parse(t, "http://"+s.addr+"/")}); err != nil || body != want {
			t.Fatalf("%q, %v", body, err)
		}
	}
	if n := s.connections(); n != 1 {
		t.Errorf("%d connections: the second request was to go over the first", n)
	}
}

func secure(s *httptest.Server) func(*client.Options) {
	return func(o *client.Options) { o.TLS = &tls.Config{RootCAs: s.Roots()} }
}

// Covers: A6
func TestVersions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		opts []httptest.Option
		want string
	}{
		{"plain", nil, "GET /text.txt HTTP/1.1"},
		{"TLS", []httptest.Option{httptest.TLS(), httptest.HTTP1()}, "GET /text.txt HTTP/1.1"},
		{"HTTP/2", []httptest.Option{httptest.TLS()}, "GET /text.txt HTTP/2.0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := start(t, tt.opts...)
			c := web(t, secure(s))
			for range 3 {
				if _, body, err := get(t, c, scheme.Request{URL: s.URL("text.txt")}); err != nil || len(body) != 29 {
					t.Fatalf("%q, %v", body, err)
				}
			}
			lines := s.Lines()
			if len(lines) != 3 || lines[0] != tt.want || s.Connections() != 1 {
				t.Errorf("%q over %d connections, want 3 times %q over 1", lines, s.Connections(), tt.want)
			}
			for _, path := range []string{"//x", "/a%2Fb/../%2e?q=%0D%0A", "/*", "/?"} {
				u := parse(t, s.URL().Scheme()+"://"+s.Addr()+path)
				get(t, c, scheme.Request{URL: u})
				lines := s.Lines()
				if got, want := lines[len(lines)-1], "GET "+path+" "; !strings.HasPrefix(got, want) {
					t.Errorf("sent %q, want %q", got, want)
				}
			}
		})
	}
}

// Covers: A6, T19
func TestCertificates(t *testing.T) {
	t.Parallel()
	s := start(t, httptest.TLS())
	_, _, err := get(t, web(t), scheme.Request{URL: s.URL("text.txt")})
	wantCode(t, err, scheme.CodeUntrusted)
	if errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "certificate of 127.0.0.1") {
		t.Errorf("the error does not name the host of the certificate: %v", err)
	}
	if !errors.As(err, new(*tls.CertificateVerificationError)) {
		t.Errorf("the cause is lost: %v", err)
	}
	if n := len(s.Lines()); n != 0 {
		t.Errorf("%d requests were sent all the same", n)
	}
	// A server without TLS, and one that closes the connection.
	plain := newScript(t, "never")
	_, _, err = get(t, web(t, func(o *client.Options) { o.Limits.Idle = 200 * time.Millisecond }), scheme.Request{URL: parse(t, "https://"+plain.addr+"/")})
	wantCode(t, err, scheme.CodeBroken)
	talks := start(t)
	_, _, err = get(t, web(t), scheme.Request{URL: parse(t, "https://"+talks.Addr()+"/")})
	wantCode(t, err, scheme.CodeProtocol)
}

// A server that requires a client certificate may say so in a page only.
//
// Covers: A6
func TestClientCertificate(t *testing.T) {
	t.Parallel()
	s, other := start(t, httptest.TLS(), httptest.RequireCertificate()), start(t, httptest.TLS())
	for _, tt := range []struct {
		certs []tls.Certificate
		want  string
	}{
		{nil, "(server: 400 Bad Request) [TLS.Certificates]"},
		{other.TLSConfig().Certificates, "the server does not accept the client certificate"},
		{s.TLSConfig().Certificates, ""},
	} {
		c := web(t, secure(s), func(o *client.Options) { o.TLS.Certificates = tt.certs })
		_, body, err := get(t, c, scheme.Request{URL: s.URL("text.txt")})
		if tt.want == "" {
			if err != nil || len(body) != 29 {
				t.Errorf("%q, %v", body, err)
			}
			continue
		}
		wantCode(t, err, scheme.CodeLoginNeeded)
		if !strings.Contains(err.Error()+" ["+hint.Of(err)+"]", tt.want) {
			t.Errorf("%v, want %q", err, tt.want)
		}
	}
}

// Closing an HTTP/2 body early leaves the connection usable.
//
// Covers: A6
func TestHalfOverHTTP2(t *testing.T) {
	t.Parallel()
	s := start(t, httptest.TLS())
	c := web(t, secure(s))
	for range 3 {
		res, err := c.Access(t.Context(), scheme.Request{URL: s.URL("big.bin")}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(res.Body, make([]byte, 10)); err != nil {
			t.Error(err)
		}
		if err := res.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, body, err := get(t, c, scheme.Request{URL: s.URL("text.txt")}); err != nil || len(body) != 29 {
		t.Errorf("%q, %v", body, err)
	}
	if n := s.Connections(); n != 1 {
		t.Errorf("%d connections", n)
	}
}

// Closing an HTTP/2 body early ends its stream: the server stops sending, though the connection
// stays open.
//
// Covers: A6, P6
func TestHalfOverHTTP2EndsTheStream(t *testing.T) {
	t.Parallel()
	ended := make(chan struct{})
	s := nethttptest.NewUnstartedServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		io.WriteString(w, "the beginning")
		nethttp.NewResponseController(w).Flush()
		<-r.Context().Done()
		close(ended)
	}))
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	c := web(t, func(o *client.Options) { o.TLS = s.Client().Transport.(*nethttp.Transport).TLSClientConfig })
	res, err := c.Access(t.Context(), scheme.Request{URL: parse(t, s.URL)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(res.Body, make([]byte, 3)); err != nil {
		t.Error(err)
	}
	res.Close()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Error("the server still sends the body")
	}
}

// The limits of a request hold on a connection that another one opened.
//
// Covers: P6
func TestKeptLimits(t *testing.T) {
	t.Parallel()
	ok := "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Long: " + strings.Repeat("x", 2000) + "\r\n\r\nok"
	s := newScript(t, ok, ok, ok, stall)
	c := web(t)
	get := func(l scheme.Limits) error {
		res, err := c.Access(t.Context(), scheme.Request{URL: parse(t, "http://"+s.addr+"/a"), Limits: l}, nil)
		if err != nil {
			return err
		}
		defer res.Close()
		_, err = io.ReadAll(res.Body)
		return err
	}
	if err := get(scheme.Limits{}); err != nil {
		t.Fatal(err)
	}
	if err := get(scheme.Limits{Header: 1000}); err == nil {
		t.Error("the header limit does not hold")
	}
	if err := get(scheme.Limits{}); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	wantCode(t, get(scheme.Limits{Idle: 200 * time.Millisecond}), scheme.CodeBroken)
	if d := time.Since(start); d > 10*time.Second {
		t.Errorf("the idle limit of 200 ms ended the request after %v", d)
	}
}
