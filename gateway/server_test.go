package gateway

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"
)

// dialSite opens a connection to a gateway and sends a text.
func dialSite(t *testing.T, s *site, text string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", s.addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(20 * time.Second))
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	return conn
}

// A client that sends a part of a body, and then nothing, is cut.
//
// Covers: GWS6
func TestSlowBody(t *testing.T) {
	s := serve(t, Options{Service: Service{ReadTime: 200 * time.Millisecond}})
	start := time.Now()
	conn := dialSite(t, s, "POST /-/settings HTTP/1.1\r\nHost: "+s.addr+"\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\nback=")
	b, _ := io.ReadAll(conn)
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("after %v: %s", d, b)
	}
	// One that sends slowly, but does send, is served.
	conn = dialSite(t, s, "POST /-/settings HTTP/1.1\r\nHost: "+s.addr+"\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 10\r\n\r\n")
	for _, c := range "back=%2Fab" {
		time.Sleep(50 * time.Millisecond)
		io.WriteString(conn, string(c))
	}
	if b, err := io.ReadAll(conn); err != nil || !strings.HasPrefix(string(b), "HTTP/1.1 303") {
		t.Errorf("%v %.200s", err, b)
	}
}

// A client that does not read the response is cut, and the access upstream with it.
//
// Covers: GWS6
func TestSlowReader(t *testing.T) {
	ended := make(chan bool, 1)
	u := menu(t, func(_ string, w io.Writer) {
		out := bufio.NewWriter(w)
		for {
			if _, err := out.WriteString(item('0', strings.Repeat("long ", 100), "/1")); err != nil {
				ended <- true
				return
			}
		}
	})
	s := serve(t, Options{Service: Service{WriteTime: 300 * time.Millisecond}}, u)
	conn := dialSite(t, s, fmt.Sprintf("GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", pathOf(viewPage, u), s.addr))
	if err := conn.(*net.TCPConn).SetReadBuffer(4096); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Error("the access goes on for a client that does not read")
	}
}

// A response that takes longer than the limit of one write is not cut, and the connection serves the next request.
func TestSlowServer(t *testing.T) {
	u := menu(t, func(_ string, w io.Writer) {
		for i := range 6 {
			time.Sleep(100 * time.Millisecond)
			io.WriteString(w, item('0', fmt.Sprint("item ", i), "/1"))
		}
		io.WriteString(w, ".\r\n")
	})
	s := serve(t, Options{Service: Service{WriteTime: 200 * time.Millisecond, ReadTime: 200 * time.Millisecond}}, u)
	c := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	defer c.CloseIdleConnections()
	for _, path := range []string{string(pathOf(viewPage, u)), "/-/go?url=" + url.QueryEscape(u.Text()), "/", "/"} {
		res, err := c.Get("http://" + s.addr + path)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || res.StatusCode >= 400 || res.StatusCode == 200 && !strings.Contains(string(b), "</html>") {
			t.Errorf("%s: %d %v", path, res.StatusCode, err)
		}
		time.Sleep(300 * time.Millisecond)
	}
}

// Requests that are sent without waiting for responses each count, and are served in order.
//
// Covers: GWS7
func TestPipelining(t *testing.T) {
	s := serve(t, Options{Service: Service{Clients: Share{PerSecond: 0.01, Burst: 10}}})
	conn := dialSite(t, s, strings.Repeat("GET /robots.txt HTTP/1.1\r\nHost: "+s.addr+"\r\n\r\n", 200)+"GET /robots.txt HTTP/1.1\r\nHost: "+s.addr+"\r\nConnection: close\r\n\r\n")
	in := bufio.NewReader(conn)
	count := make(map[int]int)
	for range 201 {
		res, err := http.ReadResponse(in, nil)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, res.Body)
		res.Body.Close()
		count[res.StatusCode]++
	}
	if count[200] != 10 || count[429] != 191 {
		t.Errorf("%v", count)
	}
	wantRefused(t, s.g, "client", 191)
}

// Requests that could be read in two ways are refused or end the connection.
//
// Covers: GWS7
func TestSmuggling(t *testing.T) {
	s := serve(t, Options{})
	for _, head := range []string{
		"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcde", "Content-Length: +5\r\n\r\nabcde",
		"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n", " Content-Length: 5\r\n\r\nabcde", "Host: other\r\n\r\n", "X: " + strings.Repeat("a", 100<<10) + "\r\n\r\n",
	} {
		conn := dialSite(t, s, "POST /-/settings HTTP/1.1\r\nHost: "+s.addr+"\r\n"+head+"GET /robots.txt HTTP/1.1\r\nHost: "+s.addr+"\r\nConnection: close\r\n\r\n")
		b, _ := io.ReadAll(conn)
		if strings.Contains(string(b), "Disallow") {
			t.Errorf("%.60q: the next request was served: %.300s", head, b)
		}
	}
}

// Only so many connections are open at once, and others wait.
//
// Covers: GWS6
func TestMaxConns(t *testing.T) {
	s := serve(t, Options{Service: Service{MaxConns: 2}})
	one, two := dialSite(t, s, ""), dialSite(t, s, "")
	conn := dialSite(t, s, "GET /-/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
	conn.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
	if n, err := conn.Read(make([]byte, 1)); err == nil {
		t.Errorf("%d bytes", n)
	}
	one.Close()
	two.Close()
	conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	if b, err := io.ReadAll(conn); err != nil || !strings.Contains(string(b), "ok") {
		t.Errorf("%v: %s", err, b)
	}
}

// One client has only so many connections: a further one is closed. A trusted proxy has those of all its clients.
//
// Covers: GWS6
func TestClientConns(t *testing.T) {
	get := "GET /-/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
	read := func(c net.Conn) string {
		b, _ := io.ReadAll(c) // a connection that is closed at once may be reset
		return string(b)
	}
	s := serve(t, Options{Service: Service{ClientConns: 2}})
	one := dialSite(t, s, "")
	dialSite(t, s, "")
	third := dialSite(t, s, "")
	if text := read(third); text != "" {
		t.Errorf("%q", text)
	}
	wantRefused(t, s.g, "connection", 1)
	one.Close()
	served := false
	for range 100 {
		if served = strings.Contains(read(dialSite(t, s, get)), "ok"); served {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if !served {
		t.Error("a connection that was closed still counts")
	}
	proxied := serve(t, Options{Service: Service{ClientConns: 1, Proxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}})
	dialSite(t, proxied, "")
	if text := read(dialSite(t, proxied, get)); !strings.Contains(text, "ok") {
		t.Errorf("a second connection of a proxy: %q", text)
	}
	l := &clientListener{g: s.g, open: make(map[string]int)}
	for i, x := range []string{"2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8:0:1::1"} {
		if got := l.enter(addrName(netip.MustParseAddr(x))); got != (i != 2) {
			t.Errorf("%s: %v", x, got)
		}
	}
	l.leave("2001:db8:0:1::/64")
	if len(l.open) != 1 {
		t.Errorf("%v", l.open)
	}
	l = &clientListener{Listener: &mappedListener{}, g: s.g, open: make(map[string]int)}
	var first net.Conn
	for i := range 4 { // of two clients of IPv4, on a socket for IPv6
		c, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = c
		}
	}
	if len(l.open) != 2 || l.open["192.0.2.1"] != 2 {
		t.Errorf("%v", l.open)
	}
	first.Close()
	first.Close() // as net/http may
	if l.open["192.0.2.2"] != 1 {
		t.Errorf("after a connection was closed: %v", l.open)
	}
}

// mappedListener accepts connections from addresses of IPv4 in the form of IPv6.
type mappedListener struct {
	net.Listener
	n int
}

func (l *mappedListener) Accept() (net.Conn, error) {
	l.n++
	c, other := net.Pipe()
	other.Close()
	return mappedConn{c, net.IPv4(192, 0, 2, byte(1+l.n%2))}, nil
}

type mappedConn struct {
	net.Conn
	ip net.IP
}

func (c mappedConn) RemoteAddr() net.Addr { return mappedAddr("[::ffff:" + c.ip.String() + "]:5") }

type mappedAddr string

func (mappedAddr) Network() string  { return "tcp" }
func (a mappedAddr) String() string { return string(a) }

// Requests that run are served to their end when the gateway stops, and no others are accepted.
func TestStop(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	began, more := make(chan bool), make(chan bool)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- Serve(ctx, l, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			close(began)
			<-more
			io.WriteString(w, "whole")
		}))
	}()
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	io.WriteString(conn, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
	<-began
	cancel()
	for range 200 {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			break
		}
		c.Close()
		time.Sleep(10 * time.Millisecond)
	}
	if c, err := net.Dial("tcp", l.Addr().String()); err == nil {
		c.Close()
		t.Error("it still accepts connections")
	}
	close(more)
	if b, err := io.ReadAll(conn); err != nil || !strings.HasSuffix(string(b), "whole") {
		t.Errorf("%v: %s", err, b)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}
