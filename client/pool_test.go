package client

import (
	"context"
	"net"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"locator"
	"locator/internal/hang"
	"locator/scheme"
)

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

// An entry of a listing on a public server uses the connection that listed it. A URL that another server led to does not.
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
