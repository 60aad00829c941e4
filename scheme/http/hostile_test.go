package http_test

import (
	"bufio"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/schemetest/peer"
	"locator/wire"
)

// at is a connection that seems to go to another address.
type at struct {
	net.Conn
	remote net.Addr
}

func (c at) RemoteAddr() net.Addr { return c.remote }

// TestHostileAnswers is a table of malformed and deceptive responses, each behind a good one on the
// same connection. Where one is taken, it ends where its own framing says.
//
// Covers: P6, T56, T57, T58
func TestHostileAnswers(t *testing.T) {
	t.Parallel()
	const head = "HTTP/1.1 200 OK\r\n"
	const chunked = head + "Transfer-Encoding: chunked\r\n\r\n"
	for _, tt := range []struct {
		name, reply string
		body        string
		code        scheme.Code
	}{
		{"negative length", head + "Content-Length: -1\r\n\r\nbody" + hangUp, "", scheme.CodeProtocol},
		{"length with a sign", head + "Content-Length: +4\r\n\r\nbody" + hangUp, "", scheme.CodeProtocol},
		{"hexadecimal length", head + "Content-Length: 0x4\r\n\r\nbody" + hangUp, "", scheme.CodeProtocol},
		{"huge length", head + "Content-Length: 99999999999999999999\r\n\r\nbody" + hangUp, "", scheme.CodeProtocol},
		{"length of 9e18", head + "Content-Length: 9000000000000000000\r\n\r\nbody" + hangUp, "body", scheme.CodeBroken},
		{"lengths that differ", head + "Content-Length: 4, 5\r\n\r\nbody" + hangUp, "", scheme.CodeProtocol},
		{"length and chunks", head + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n", "body", scheme.CodeOK},
		{"unknown coding", head + "Transfer-Encoding: gzip, chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n", "", scheme.CodeProtocol},
		{"two codings", head + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\nbody" + hangUp, "", scheme.CodeProtocol},
		{"vertical tab in a coding", head + "Transfer-Encoding: \x0bchunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n" + hangUp, "", scheme.CodeProtocol},
		{"NUL in a field", head + "X: a\x00b\r\nContent-Length: 4\r\n\r\nbody", "", scheme.CodeProtocol},
		{"no name", head + ": x\r\nContent-Length: 4\r\n\r\nbody", "", scheme.CodeProtocol},
		{"blank before the colon", head + "Content-Length : 2\r\n\r\nbody" + hangUp, "body", scheme.CodeOK}, // no length
		{"folded first field", head + " Content-Length: 4\r\n\r\nbody" + hangUp, "", scheme.CodeProtocol},
		{"status of four digits", "HTTP/1.1 2000 OK\r\n\r\nbody" + hangUp, "", scheme.CodeProtocol},
		{"status of letters", "HTTP/1.1 abc OK\r\n\r\nbody" + hangUp, "", scheme.CodeProtocol},
		{"negative status", "HTTP/1.1 -20 OK\r\n\r\nbody" + hangUp, "", scheme.CodeProtocol},
		{"HTTP/9.9", "HTTP/9.9 200 OK\r\nContent-Length: 4\r\n\r\nbody" + hangUp, "body", scheme.CodeOK},
		{"HTTP/x", "HTTP/x 200 OK\r\nContent-Length: 4\r\n\r\nbody" + hangUp, "", scheme.CodeProtocol},
		{"HTTP/0.9 page", "<html><title>x</title>" + hangUp, "", scheme.CodeProtocol},
		{"101 unasked", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody", "", scheme.CodeProtocol},
		{"102 for ever", strings.Repeat("HTTP/1.1 102 Processing\r\n\r\n", 20000), "", scheme.CodeBroken},
		{"100 for ever", strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 20000), "", scheme.CodeBroken},
		{"a huge field", head + "X: " + strings.Repeat("a", 10<<20) + "\r\n\r\nbody", "", scheme.CodeBroken},
		{"a huge status line", "HTTP/1.1 200 " + strings.Repeat("a", 10<<20) + "\r\n\r\nbody", "", scheme.CodeBroken},

		{"chunk of 2^64", chunked + "10000000000000000\r\nbody\r\n0\r\n\r\n" + hangUp, "", scheme.CodeProtocol},
		{"chunk of 9e18", chunked + "7CE66C50E2840000\r\nbody\r\n0\r\n\r\n" + hangUp, "", scheme.CodeProtocol},
		{"chunk of 4 GB", chunked + "ffffffff\r\nbody" + hangUp, "body", scheme.CodeBroken},
		{"negative chunk", chunked + "-4\r\nbody\r\n0\r\n\r\n" + hangUp, "", scheme.CodeProtocol},
		{"chunk with a sign", chunked + "+4\r\nbody\r\n0\r\n\r\n" + hangUp, "", scheme.CodeProtocol},
		{"chunk in 0x", chunked + "0x4\r\nbody\r\n0\r\n\r\n" + hangUp, "", scheme.CodeProtocol},
		{"chunk longer than its size", chunked + "2\r\nbody\r\n0\r\n\r\n" + hangUp, "bo", scheme.CodeProtocol},
		{"a chunk line without an end", chunked + "4;" + strings.Repeat("x", 1<<20) + hangUp, "", scheme.CodeProtocol},
		{"trailers for ever", chunked + "4\r\nbody\r\n0\r\n" + strings.Repeat("X-A: b\r\n", 200_000) + hangUp, "body", scheme.CodeProtocol},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newScript(t, ok("first"), tt.reply, ok("third"))
			c := web(t, func(o *client.Options) { o.Limits.Header = 16 << 10 })
			r := scheme.Request{URL: parse(t, "http://"+s.addr+"/x")}
			if _, body, err := get(t, c, r); err != nil || body != "first" {
				t.Fatalf("%q, %v", body, err)
			}
			begin := time.Now()
			_, body, err := get(t, c, r)
			if body != tt.body || client.CodeOf(err) != tt.code {
				t.Errorf("%.40q, %v: %.300v; want %q, %v", body, client.CodeOf(err), err, tt.body, tt.code)
			}
			if took := time.Since(begin); took > time.Minute {
				t.Errorf("it took %v", took)
			}
			// Nothing of it is left for the next request.
			if _, body, err := get(t, c, r); err != nil || body != "third" {
				t.Errorf("the next: %q, %v", body, err)
			}
		})
	}
}

// TestNoCookies gets cookies from a server, a redirect and a second server, and sends none back.
//
// Covers: P3, T70
func TestNoCookies(t *testing.T) {
	t.Parallel()
	const set = "Set-Cookie: id=1; Path=/\r\nSet-Cookie2: id=2\r\n"
	other := newScript(t, ok("there"), ok("there"))
	s := newScript(t, ok("one", set[:len(set)-2]), "HTTP/1.1 302 Found\r\n"+set+"Location: /y\r\nContent-Length: 0\r\n\r\n", ok("two"),
		"HTTP/1.1 302 Found\r\n"+set+"Location: http://"+other.addr+"/\r\nContent-Length: 0\r\n\r\n")
	c := web(t)
	for range 3 {
		if _, _, err := get(t, c, scheme.Request{URL: parse(t, "http://"+s.addr+"/x")}); err != nil {
			t.Fatal(err)
		}
	}
	for _, head := range append(s.requests(), other.requests()...) {
		if strings.Contains(strings.ToLower(head), "cookie") {
			t.Errorf("sent %q", head)
		}
	}
	if n := len(s.requests()) + len(other.requests()); n != 5 {
		t.Errorf("%d requests", n)
	}
}

// A body that only the end of the connection ends is complete over TLS only after close_notify.
//
// Covers: A6, P6, T22
func TestNoCloseNotify(t *testing.T) {
	t.Parallel()
	cert, err := peer.Certify()
	if err != nil {
		t.Fatal(err)
	}
	h := peer.ListenFor(t)
	h.Serve(func(below net.Conn) {
		c := tls.Server(below, cert.Config())
		req, err := http.ReadRequest(bufio.NewReader(c))
		if err != nil {
			return
		}
		length := map[string]string{"/length": "Content-Length: 4\r\n"}[req.URL.Path]
		io.WriteString(c, "HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n"+length+"\r\nsome")
		if req.URL.Path == "/notify" {
			c.Close()
		}
	})
	c := web(t, func(o *client.Options) { o.TLS = &tls.Config{RootCAs: cert.Roots()} })
	for path, want := range map[string]error{"notify": nil, "length": nil, "none": wire.ErrNoCloseNotify} {
		u := locator.MustParse("https://" + h.Addr() + "/" + path)
		res, err := c.Access(t.Context(), scheme.Request{URL: u}, nil)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		b, err := io.ReadAll(res.Body)
		if string(b) != "some" || !errors.Is(err, want) || want != nil && client.CodeOf(err) != scheme.CodeBroken {
			t.Errorf("%s: %q, %v; want %v", path, b, err, want)
		}
		res.Close()
	}
}
