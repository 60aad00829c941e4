package client

import (
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"locator"
	"locator/internal/hang"
	"locator/scheme"
	"locator/schemetest/peer"
)

// dialer returns a scheme that dials its host; the body is what it reads there.
func dialer(name string) scheme.Scheme {
	return fake{name: name, access: func(ctx context.Context, env *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
		conn, err := env.Dial(ctx, scheme.Dial{Addr: net.JoinHostPort(strings.Trim(r.URL.Host(), "[]"), "4242")})
		if err != nil {
			return nil, err
		}
		return &scheme.Resource{Kind: scheme.KindObject, Body: conn}, nil
	}}
}

// Covers: S4, P5, T169
func TestHostNumber(t *testing.T) {
	t.Parallel()
	p := &asked{}
	s := fake{name: "http", access: func(ctx context.Context, env *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
		conn, err := env.Dial(ctx, scheme.Dial{Addr: net.JoinHostPort(strings.Trim(r.URL.Host(), "[]"), "4242")})
		if err != nil {
			return nil, err
		}
		return text(""), conn.Close()
	}}
	c := New(Options{Policy: p, Registry: scheme.NewRegistry(s), Dial: pipeDial(func(_ string, c net.Conn) { c.Close() })})
	for host, want := range map[string]string{
		"127.0.0.1":   "127.0.0.1:4242",
		"010.1.02.3":  "10.1.2.3:4242", // decimal, not octal
		"0000.0.0.09": "0.0.0.9:4242",
		"[::1]":       "[::1]:4242",
	} {
		p.addrs = nil
		if _, err := get(t, c, "http://"+host+"/"); err != nil {
			t.Errorf("%s: %v", host, err)
		}
		if !slices.Equal(p.addrs, []string{want}) {
			t.Errorf("%s: policy was asked about %v, want %s", host, p.addrs, want)
		}
	}
	_, err := get(t, c, "http://1.2.3.256/")
	wantCode(t, err, scheme.CodeRefused, "256")
}

// dns returns a resolver that answers from a function.
func dns(answer func(name string) []netip.Addr) *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		here, there := net.Pipe()
		go func() {
			defer there.Close()
			for { // DNS over a stream: a length of two bytes, then the message
				var head [2]byte
				if _, err := io.ReadFull(there, head[:]); err != nil {
					return
				}
				msg := make([]byte, int(head[0])<<8|int(head[1]))
				if _, err := io.ReadFull(there, msg); err != nil {
					return
				}
				var m dnsmessage.Message
				if m.Unpack(msg) != nil || len(m.Questions) != 1 {
					return
				}
				q := m.Questions[0]
				m.Response, m.Additionals = true, nil
				for _, a := range answer(q.Name.String()) {
					if a.Is4() && q.Type == dnsmessage.TypeA {
						m.Answers = append(m.Answers, dnsmessage.Resource{
							Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class},
							Body:   &dnsmessage.AResource{A: a.As4()},
						})
					}
				}
				out, err := m.Pack()
				if err != nil {
					return
				}
				if _, err := there.Write(append([]byte{byte(len(out) >> 8), byte(len(out))}, out...)); err != nil {
					return
				}
			}
		}()
		return here, nil
	}}
}

// Covers: P5, T170
// A name that resolves to a private address at the second lookup is refused: the policy checks the
// address that is dialled.
func TestRebinding(t *testing.T) {
	t.Parallel()
	now := netip.MustParseAddr("192.88.98.1")
	p := &asked{addr: func(_ scheme.Dial, a netip.AddrPort) error {
		if a.Addr().IsLoopback() {
			return scheme.Fail(scheme.CodeRefused, "%s is not a public address", a.Addr())
		}
		return nil
	}}
	var dialled []string
	c := New(Options{Policy: p, Registry: scheme.NewRegistry(dialer("http")),
		Resolver: dns(func(string) []netip.Addr { return []netip.Addr{now} }),
		Dial: func(_ context.Context, _, addr string) (net.Conn, error) {
			dialled = append(dialled, addr)
			return nil, &net.OpError{Op: "dial", Err: errors.New("unreachable")}
		}})
	_, err := get(t, c, "http://rebind.example/")
	wantCode(t, err, scheme.CodeUnreachable)
	now = netip.MustParseAddr("127.0.0.1")
	_, err = get(t, c, "http://rebind.example/")
	wantCode(t, err, scheme.CodeRefused, "127.0.0.1")
	if !slices.Equal(dialled, []string{"192.88.98.1:4242"}) {
		t.Errorf("dialled %v", dialled)
	}
}

// Covers: P5
// The dialer's Control function checks the address of each attempt before it connects.
func TestControlNet(t *testing.T) {
	t.Parallel()
	accepted := make(chan struct{}, 8)
	h := peer.ListenFor(t)
	h.Serve(func(net.Conn) { accepted <- struct{}{} })
	p := &asked{addr: func(scheme.Dial, netip.AddrPort) error { return scheme.Fail(scheme.CodeRefused, "not this one") }}
	s := fake{name: "http", access: func(ctx context.Context, env *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
		conn, err := env.Dial(ctx, scheme.Dial{Addr: "localhost:" + r.URL.Port()})
		if err != nil {
			return nil, err
		}
		conn.Close()
		return text(""), nil
	}}
	port := strconv.Itoa(int(h.Port()))
	c := New(Options{Policy: p, Registry: scheme.NewRegistry(s), Family: 4,
		Resolver: dns(func(string) []netip.Addr { return []netip.Addr{netip.MustParseAddr("127.0.0.1")} })})
	_, err := get(t, c, "http://h:"+port+"/")
	wantCode(t, err, scheme.CodeRefused, "not this one")
	if len(accepted) != 0 {
		t.Error("a refused address was connected to")
	}
	p.addr = nil
	if _, err = get(t, c, "http://h:"+port+"/"); err != nil {
		t.Error(err)
	}
	<-accepted
}

// A read fails if the server sends nothing for the idle timeout, but not if it sends slowly.
func TestIdle(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		stop := make(chan struct{})
		c := New(Options{Policy: &asked{}, Registry: scheme.NewRegistry(dialer("http")), Limits: scheme.Limits{Idle: 10 * time.Second},
			Dial: pipeDial(func(addr string, c net.Conn) {
				defer c.Close()
				if strings.HasPrefix(addr, "127.0.0.1:") {
					for range 5 {
						time.Sleep(9 * time.Second)
						c.Write([]byte("drip "))
					}
					return
				}
				<-stop
			})})
		if got, err := get(t, c, "http://127.0.0.1/"); got != strings.Repeat("drip ", 5) || err != nil {
			t.Errorf("drip: %q, %v", got, err)
		}
		start := time.Now()
		_, err := get(t, c, "http://127.0.0.2/")
		wantCode(t, err, scheme.CodeBroken, "stalled")
		if waited := time.Since(start); waited != 10*time.Second {
			t.Errorf("waited %v", waited)
		}
		close(stop)
	})
}

// Covers: P6, T85
func TestBodyLimit(t *testing.T) {
	t.Parallel()
	progress := 0
	c := New(Options{Policy: &asked{}, Limits: scheme.Limits{Body: 10},
		Registry: scheme.NewRegistry(fake{name: "x-a", access: func(_ context.Context, _ *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
			return text(r.URL.SchemePart()), nil
		}})})
	count := func(_ locator.URL, n int) { progress += n }
	if got, err := read(t, c, scheme.Request{URL: parse("x-a:0123456789"), Progress: count}); got != "0123456789" || err != nil {
		t.Errorf("at the limit: %q, %v", got, err)
	}
	got, err := read(t, c, scheme.Request{URL: parse("x-a:0123456789a"), Progress: count})
	wantCode(t, err, scheme.CodeBroken, "limit of 10")
	if got != "0123456789" || progress != 20 {
		t.Errorf("over the limit: %q, progress %d", got, progress)
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

// An error of the caller's writer is not wrapped.
func TestBodyWriterFails(t *testing.T) {
	t.Parallel()
	c := New(Options{Policy: &asked{}, Registry: scheme.NewRegistry(fake{name: "x-a", access: func(context.Context, *scheme.Env, scheme.Request) (*scheme.Resource, error) {
		return &scheme.Resource{Kind: scheme.KindObject, Body: writerTo{strings.NewReader("abc")}}, nil
	}})})
	res, err := c.Access(t.Context(), scheme.Request{URL: parse("x-a:b")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = io.Copy(failingWriter{}, res.Body); err == nil || err.Error() != "disk full" {
		t.Errorf("got %v", err)
	}
}

type writerTo struct{ *strings.Reader }

func (writerTo) Close() error { return nil }

// A configured server counts for the scheme that it is configured for: no other may dial it as
// such, and it gets no login that a hop may not have.
//
// Covers: P5, T68
func TestServersOfScheme(t *testing.T) {
	t.Parallel()
	const addr = "127.0.0.1:1119"
	foreign := make(map[string]bool)
	access := func(ctx context.Context, env *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
		if _, _, _, err := env.Login(ctx, scheme.LoginRequest{Host: "127.0.0.1", Port: 1119}); err != nil {
			return nil, err
		}
		conn, err := env.Dial(ctx, scheme.Dial{Purpose: scheme.ForServer, Addr: addr})
		if err != nil {
			return nil, err
		}
		conn.Close()
		return text("x"), nil
	}
	c := New(Options{
		Registry: scheme.NewRegistry(fake{"news", access}, fake{"x-other", access}),
		Servers:  map[string][]locator.URL{"news": {parse("nntp://" + addr + "/g")}},
		Logins: []scheme.LoginFunc{func(_ context.Context, l scheme.LoginRequest) (string, string, bool, error) {
			foreign[l.Scheme] = l.Foreign
			return "", "", false, nil
		}},
		Dial: func(context.Context, string, string) (net.Conn, error) {
			ours, theirs := net.Pipe()
			t.Cleanup(func() { theirs.Close() })
			return ours, nil
		},
	})
	defer c.Close()
	for _, test := range []struct {
		url  string
		code scheme.Code
	}{{"news:a.b", scheme.CodeOK}, {"x-other:a", scheme.CodeRefused}} {
		res, err := c.Access(t.Context(), scheme.Request{URL: parse(test.url)}, nil)
		if CodeOf(err) != test.code {
			t.Errorf("%s: %v, want %v", test.url, err, test.code)
		}
		if err == nil {
			res.Close()
		}
	}
	if foreign["news"] || !foreign["x-other"] {
		t.Errorf("Foreign is %v", foreign)
	}
}

// thing is a pooled connection.
type thing struct {
	addr   net.Addr
	closed int
}

func (t *thing) Close() error         { t.closed++; return nil }
func (t *thing) RemoteAddr() net.Addr { return t.addr }

func keeper(opened *[]*thing, reuse *bool) scheme.Scheme {
	return fake{name: "x-a", access: func(ctx context.Context, env *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
		_, reused, release, err := env.Keep(ctx, r.URL.SchemePart(), func(context.Context) (scheme.Kept, error) {
			x := &thing{addr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 4242}}
			*opened = append(*opened, x)
			return x, nil
		})
		if err != nil {
			return nil, err
		}
		release(*reuse)
		release(false) // only the first call counts
		if reused {
			return text("reused"), nil
		}
		return text("new"), nil
	}}
}

// Covers: P5
func TestKeep(t *testing.T) {
	t.Parallel()
	hang.Within(t, 20*time.Second)
	synctest.Test(t, func(t *testing.T) {
		var opened []*thing
		reuse := true
		p := &asked{}
		c := New(Options{Policy: p, Registry: scheme.NewRegistry(keeper(&opened, &reuse))})
		want := func(url, want string) {
			t.Helper()
			if got, err := get(t, c, url); got != want || err != nil {
				t.Errorf("%s: %q, %v, want %q", url, got, err, want)
			}
		}
		want("x-a:one", "new")
		want("x-a:one", "reused")
		want("x-a:two", "new")
		if len(p.addrs) != 1 {
			t.Errorf("the policy checked pooled connections %d times, want 1", len(p.addrs))
		}
		p.addr = func(scheme.Dial, netip.AddrPort) error { return scheme.Fail(scheme.CodeRefused, "not any more") }
		want("x-a:one", "new") // a scheme that dials is refused there
		if opened[0].closed != 1 {
			t.Error("the refused connection is still open")
		}
		p.addr = nil
		reuse = false
		want("x-a:two", "reused")
		if opened[1].closed != 1 {
			t.Error("a connection released without reuse is still open")
		}
		reuse = true
		want("x-a:two", "new")
		p.url = func(locator.URL, scheme.Hop) error { return c.Close() }
		want("x-a:three", "new") // its connection comes back after Close
		for i, x := range opened {
			if x.closed != 1 {
				t.Errorf("thing %d was closed %d times", i, x.closed)
			}
		}
	})
}

// An entry of a listing on a public server uses the connection that listed it. A URL that another
// server led to does not.
//
// Covers: P5, T172
func TestKeepAcrossHops(t *testing.T) {
	t.Parallel()
	var opened []*thing
	reuse := true
	c := New(Options{Policy: &asked{}, Registry: scheme.NewRegistry(keeper(&opened, &reuse))})
	defer c.Close()
	for _, tt := range []struct {
		from string // the URL whose listing names x-a:one; "" is the user
		want string
	}{{"", "new"}, {"x-a:list", "reused"}, {"x-b:elsewhere", "new"}, {"x-b:elsewhere", "reused"}} {
		r := scheme.Request{URL: parse("x-a:one")}
		if tt.from != "" {
			r.From = &scheme.Hop{Kind: scheme.HopMenuItem, From: parse(tt.from), N: 1, FromPublic: true}
		}
		if got, err := read(t, c, r); got != tt.want || err != nil {
			t.Errorf("from %q: %q, %v, want %q", tt.from, got, err, tt.want)
		}
	}
}
