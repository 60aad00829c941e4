package gateway

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"locator"
	"locator/scheme/all"
)

// site is a gateway that is served on loopback, and a browser that keeps its cookies and follows no redirect.
type site struct {
	t       *testing.T
	addr    string
	log     *logBuffer
	g       *Gateway
	cookies map[string]string
}

// serve serves a gateway that may connect to the servers of those URLs, for a test.
func serve(t *testing.T, opt Options, servers ...locator.URL) *site {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &site{t: t, addr: l.Addr().String(), log: new(logBuffer), cookies: make(map[string]string)}
	opt.Client.Registry = all.Registry()
	opt.Own = []netip.AddrPort{netip.MustParseAddrPort(s.addr)}
	opt.Log = slog.New(slog.NewTextHandler(s.log, nil))
	for _, u := range servers {
		if addr, ok := u.Addr(); ok {
			opt.Also = append(opt.Also, netip.MustParseAddrPort(addr))
		}
	}
	if s.g, err = New(opt); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- Serve(ctx, l, s.g) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		s.g.Close()
	})
	return s
}

// logBuffer keeps what is logged. A request may be logged after its response was read.
type logBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func (b *logBuffer) Reset() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.buf.Reset()
}

// reply is a response of the gateway.
type reply struct {
	status int
	header http.Header
	body   string
	err    error // of reading the body
}

// send sends a request as it is, target included.
func (s *site) send(method, target, body string, header ...string) reply {
	s.t.Helper()
	conn, err := net.Dial("tcp", s.addr)
	if err != nil {
		s.t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(20 * time.Second))
	host := "Host: " + s.addr
	text := ""
	for _, h := range header {
		if strings.HasPrefix(h, "Host:") {
			host = h
			continue
		}
		text += h + "\r\n"
	}
	for name, value := range s.cookies {
		text += "Cookie: " + name + "=" + value + "\r\n"
	}
	if body != "" {
		text += "Content-Length: " + strconv.Itoa(len(body)) + "\r\n"
	}
	io.WriteString(conn, method+" "+target+" HTTP/1.1\r\n"+host+"\r\nConnection: close\r\n"+text+"\r\n"+body)
	res, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		s.t.Fatalf("%s %s: %v", method, target, err)
	}
	defer res.Body.Close()
	for _, c := range res.Cookies() {
		s.cookies[c.Name] = c.Value
	}
	b, err := io.ReadAll(res.Body)
	return reply{res.StatusCode, res.Header, string(b), err}
}

// get requests a page.
func (s *site) get(path string, header ...string) reply {
	s.t.Helper()
	return s.send(http.MethodGet, path, "", header...)
}

// page requests the page of a URL.
func (s *site) page(u locator.URL, header ...string) reply {
	s.t.Helper()
	return s.get(string(pathOf(viewPage, u)), header...)
}

// post sends a form as a page of the gateway does, with the token of this browser.
func (s *site) post(path string, form url.Values) reply {
	s.t.Helper()
	if form.Get("token") == "" {
		form.Set("token", s.g.sign("form", s.cookies[sessionCookie]))
	}
	return s.send(http.MethodPost, path, form.Encode(), "Content-Type: application/x-www-form-urlencoded", "Origin: http://"+s.addr)
}

// noLog logs nothing.
func noLog() *slog.Logger { return slog.New(slog.DiscardHandler) }
