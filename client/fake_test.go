package client

import (
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"locator"
	"locator/policy"
	"locator/scheme"
)

// fake is a scheme whose access is a function.
type fake struct {
	name   string
	access func(ctx context.Context, env *scheme.Env, r scheme.Request) (*scheme.Resource, error)
}

func (f fake) Syntax() *locator.Syntax {
	if s := locator.SyntaxOf(f.name); s != nil {
		return s
	}
	return &locator.Syntax{Name: f.name}
}

func (f fake) Access(ctx context.Context, env *scheme.Env, r scheme.Request, _ scheme.AccessOptions) (*scheme.Resource, error) {
	return f.access(ctx, env, r)
}

// asked is a policy that allows what its functions allow and records its calls.
type asked struct {
	policy.Standard
	mu    sync.Mutex
	urls  []string
	addrs []string
	url   func(locator.URL, scheme.Hop) error
	addr  func(scheme.Dial, netip.AddrPort) error
}

func (p *asked) URL(u locator.URL, h scheme.Hop) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.urls = append(p.urls, u.Redacted())
	if p.url != nil {
		return p.url(u, h)
	}
	return nil
}

func (p *asked) Addr(d scheme.Dial, a netip.AddrPort) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.addrs = append(p.addrs, a.String())
	if p.addr != nil {
		return p.addr(d, a)
	}
	return nil
}

func text(s string) *scheme.Resource {
	return &scheme.Resource{Kind: scheme.KindObject, Body: io.NopCloser(strings.NewReader(s))}
}

func refer(urls ...string) *scheme.Resource {
	r := &scheme.Resource{Kind: scheme.KindReferral, Hop: scheme.HopRedirect}
	for _, u := range urls {
		r.Next = append(r.Next, scheme.Entry{URL: parse(u)})
	}
	return r
}

func parse(s string) locator.URL {
	u, err := locator.Current.Parse(s)
	if err != nil {
		panic(err)
	}
	return u
}

// pipeDial returns a dial function whose connections are pipes with the dialled address as their
// remote address.
func pipeDial(peer func(addr string, c net.Conn)) func(context.Context, string, string) (net.Conn, error) {
	return func(_ context.Context, _, addr string) (net.Conn, error) {
		here, there := net.Pipe()
		go peer(addr, there)
		a, err := netip.ParseAddrPort(addr)
		return named{here, net.TCPAddrFromAddrPort(a)}, err
	}
}

// tcp is an address.
func tcp(addr string) net.Addr { return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(addr)) }

type named struct {
	net.Conn
	addr net.Addr
}

func (n named) RemoteAddr() net.Addr { return n.addr }

func get(t *testing.T, c *Client, url string) (string, error) {
	t.Helper()
	return read(t, c, scheme.Request{URL: parse(url)})
}

func read(t *testing.T, c *Client, r scheme.Request) (string, error) {
	t.Helper()
	res, err := c.Access(t.Context(), r, nil)
	if err != nil {
		return "", err
	}
	defer res.Close()
	b, err := io.ReadAll(res.Body)
	return string(b), err
}

func wantCode(t *testing.T, err error, code scheme.Code, words ...string) {
	t.Helper()
	var e *scheme.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Errorf("error %v (code %v), want code %v", err, CodeOf(err), code)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q does not contain %q", err, w)
		}
	}
}
