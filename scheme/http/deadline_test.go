package http_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	nethttp "net/http"
	nethttptest "net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/schemetest/peer"
)

// deaf is a connection whose Write fails from the second on. Then reply arrives, and the end of the
// connection.
type deaf struct {
	net.Conn
	reply  *strings.Reader
	writes int
	once   sync.Once
	failed chan struct{}
}

func (d *deaf) Write(p []byte) (int, error) {
	if d.writes++; d.writes == 1 {
		return len(p), nil
	}
	d.once.Do(func() { close(d.failed) })
	return 0, syscall.EPIPE
}

func (d *deaf) Read(p []byte) (int, error) {
	<-d.failed
	return d.reply.Read(p)
}

func (d *deaf) Close() error {
	d.once.Do(func() { close(d.failed) })
	return d.Conn.Close()
}

// If a Write fails, the response that the server sent before is returned, and the connection is not
// used again. Without a response, the error is returned.
//
// Covers: A15, P6, T176
func TestFailedWrite(t *testing.T) {
	t.Parallel()
	const keep = "Content-Length: 2\r\n\r\nno"
	for _, tt := range []struct {
		name, reply  string
		passed, sent string // what the http.Client and Update get
	}{
		{"refused", "HTTP/1.1 413 Too Big\r\n" + keep, "413 no", scheme.CodeUnsupported.String()},
		{"done", "HTTP/1.1 201 Created\r\n" + keep, "201 no", scheme.CodeOK.String()},
		{"nothing", "", scheme.CodeBroken.String(), scheme.CodeBroken.String()},
		{"half a header", "HTTP/1.1 201 Cre", scheme.CodeBroken.String(), scheme.CodeBroken.String()},
	} {
		dials := 0
		change := func(o *client.Options) {
			o.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
				dials++
				conn, err := new(net.Dialer).DialContext(ctx, network, addr)
				return &deaf{Conn: conn, reply: strings.NewReader(tt.reply), failed: make(chan struct{})}, err
			}
		}
		at := "http://" + newScript(t).addr + "/"
		long := strings.Repeat("x", 200<<10)
		web, got := web(t, change), ""
		for range 2 {
			resp, err := (&nethttp.Client{Transport: web.Transport()}).Post(at, "text/plain", strings.NewReader(long))
			if got = client.CodeOf(err).String(); err == nil {
				text, _ := io.ReadAll(resp.Body)
				resp.Body.Close()
				got = fmt.Sprint(resp.StatusCode, " ", string(text))
			}
		}
		if got != tt.passed || dials != 2 {
			t.Errorf("%s: an http.Client gets %q after %d dials, want %q after 2", tt.name, got, dials, tt.passed)
		}
		res, err := web.Update(t.Context(), scheme.Request{URL: parse(t, at)}, body(long), nil)
		if err == nil {
			res.Close()
		}
		if got := client.CodeOf(err).String(); got != tt.sent {
			t.Errorf("%s: Update: %q (%v), want %q", tt.name, got, err, tt.sent)
		}
	}
}

// The deadline of the caller's context is a timeout, before the response and in its body.
//
// Covers: P6
func TestOwnDeadlineIsTimeout(t *testing.T) {
	t.Parallel()
	half := "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf" + stall
	s := newScript(t, stall, half, stall, half)
	web := overTransport(t, &nethttptest.Server{})
	for _, when := range []string{"before the response", "in the body", "Timeout before the response", "Timeout in the body"} {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		if strings.HasPrefix(when, "Timeout") { // of the http.Client, which closes a channel of the request
			ctx, web.Timeout = t.Context(), 300*time.Millisecond
		}
		req, err := nethttp.NewRequestWithContext(ctx, "GET", "http://"+s.addr+"/", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := web.Do(req)
		if err == nil {
			_, err = io.ReadAll(resp.Body)
			resp.Body.Close()
		} else if _, ok := errors.AsType[*url.Error](err); !ok {
			t.Errorf("%s: %T", when, err)
		}
		late, ok := err.(interface{ Timeout() bool })
		if !ok || !late.Timeout() || !errors.Is(err, context.DeadlineExceeded) || strings.Contains(err.Error(), "malformed") {
			t.Errorf("%s: %T %v is not a timeout", when, err, err)
		}
	}
}

// A response header may take only so long, as one line, as many, or as informational responses
// without end. A body is exempt.
//
// Covers: A6, P6, T59
func TestSlowHeader(t *testing.T) {
	t.Parallel()
	const idle = time.Second
	var longest atomic.Int64 // pause of the server, which a busy machine makes longer
	h := peer.ListenFor(t)
	h.Serve(func(c net.Conn) {
		req, err := nethttp.ReadRequest(bufio.NewReader(c))
		if err != nil {
			return
		}
		send := func(pieces ...string) {
			for _, piece := range pieces {
				if _, err := io.WriteString(c, piece); err != nil {
					return
				}
				began := time.Now()
				time.Sleep(20 * time.Millisecond)
				longest.Store(max(longest.Load(), int64(time.Since(began))))
			}
		}
		switch req.URL.Path {
		case "/line":
			send(strings.Split("HTTP/1.1 200 OK\r\nX: "+strings.Repeat("x", 100)+"\r\n\r\n", "")...)
		case "/lines":
			send("HTTP/1.1 200 OK\r\n")
			for range 100 {
				send("X: y\r\n")
			}
		case "/processing":
			for range 100 {
				send("HTTP/1.1 102 Processing\r\n\r\n")
			}
		case "/body":
			send("HTTP/1.1 200 OK\r\nContent-Length: 80\r\n\r\n")
			send(strings.Split(strings.Repeat("x", 80), "")...)
		}
	})
	c := web(t, func(o *client.Options) {
		o.Limits = scheme.Limits{Idle: idle, LineTime: idle, ReplyTime: idle * 6 / 5}
	})
	for path, want := range map[string]scheme.Code{"line": scheme.CodeBroken, "lines": scheme.CodeBroken, "processing": scheme.CodeBroken, "body": scheme.CodeOK} {
		var err error
		began := time.Now()
		for range 3 {
			longest.Store(0)
			var res *scheme.Resource
			if res, err = c.Access(t.Context(), scheme.Request{URL: locator.MustParse("http://" + h.Addr() + "/" + path)}, nil); err == nil {
				_, err = io.ReadAll(res.Body)
				res.Close()
			}
			if longest.Load() < int64(idle/2) {
				break
			}
		}
		if client.CodeOf(err) != want {
			t.Errorf("%s: %v after %v, want %v", path, err, time.Since(began), want)
		}
		if err != nil && !strings.Contains(err.Error(), "limit of") {
			t.Errorf("%s: %v", path, err)
		}
	}
}
