package http_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"locator/client"
	"locator/scheme"
)

// A Commit that fails stops the body for good: also where the server asks for a login meanwhile.
//
// Covers: A15
func TestCommitRefusedThenLogin(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var stored atomic.Value
	stored.Store("")
	asked := make(chan struct{})
	go func() {
		for n := 0; ; n++ {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				r := bufio.NewReader(c)
				req, err := http.ReadRequest(r)
				if err != nil {
					return
				}
				io.WriteString(c, "HTTP/1.1 100 Continue\r\n\r\n")
				if n == 0 {
					io.CopyN(io.Discard, req.Body, 7)
					<-asked
					io.WriteString(c, "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n")
					time.Sleep(2 * time.Second)
					return
				}
				b, err := io.ReadAll(req.Body)
				if err != nil { // a body that is cut off is not stored
					return
				}
				if req.Header.Get("Authorization") != "" {
					stored.Store(string(b))
				}
				io.WriteString(c, "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
			}()
		}
	}()
	c := web(t, func(o *client.Options) { o.Logins = []scheme.LoginFunc{client.FixedLogin("u", "p")} })
	b := body("new text")
	b.Commit = func() error { close(asked); time.Sleep(50 * time.Millisecond); return errors.New("vetoed") }
	res, err := c.Replace(t.Context(), scheme.Request{URL: parse(t, "http://"+l.Addr().String()+"/a")}, b, nil)
	if err == nil {
		res.Close()
	}
	if err == nil || stored.Load() != "" {
		t.Errorf("stored %q, %v", stored.Load(), err)
	}
}

// A part has the size that its Content-Range announces.
//
// Covers: A6, T62
func TestPartShort(t *testing.T) {
	t.Parallel()
	for _, reply := range []string{
		"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-9/20\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n0\r\n\r\n",
		"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-9/20\r\nTransfer-Encoding: chunked\r\n\r\nf\r\n0123456789abcde\r\n0\r\n\r\n",
		"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-9/20\r\nConnection: close\r\n\r\n01234" + hangUp,
	} {
		s := newScript(t, reply)
		res, err := web(t).Access(t.Context(), scheme.Request{URL: parse(t, "http://"+s.addr+"/a")}, &scheme.AccessOptions{Range: scheme.Range{Length: 10}})
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(res.Body)
		res.Close()
		if err == nil {
			t.Errorf("%q without an error: %q", reply, got)
		}
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

// A proxy gets an address in its usual form, which means the same to everybody: policy has judged decimal groups.
//
// Covers: P5
func TestProxyAddress(t *testing.T) {
	t.Parallel()
	s := newScript(t, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
	c := web(t, func(o *client.Options) {
		o.Proxy = func(string, string) (*scheme.Proxy, error) { return &scheme.Proxy{Kind: "http", Addr: s.addr}, nil }
	})
	if _, _, err := get(t, c, scheme.Request{URL: parse(t, "http://012.0.0.1:8080/a")}); err != nil {
		t.Fatal(err)
	}
	if got := s.requests(); len(got) != 1 || !strings.HasPrefix(got[0], "GET http://12.0.0.1:8080/a HTTP/1.1\r\nHost: 12.0.0.1:8080\r\n") {
		t.Errorf("sent %q", got)
	}
}
