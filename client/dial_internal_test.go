package client_test

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"

	"locator"
	"locator/client"
	"locator/internal/proxies"
	"locator/scheme"
	"locator/scheme/all"
)

// A data connection goes to the server of its control connection only: not to another host, and not
// without a control connection.
//
// Covers: P5, T1
func TestDataNeedsControl(t *testing.T) {
	t.Parallel()
	s := start(t)
	p, err := proxies.SOCKS(s.hosts())
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	port := strings.TrimPrefix(s.ftp.Addr(), "127.0.0.1")
	for _, tt := range []struct {
		name    string
		purpose scheme.Purpose // of the first connection
		addr    string         // of the data connection
		control func(net.Conn) net.Conn
		says    string // expected in the error; "" is success
	}{
		{"to the port of the same name", scheme.ForControl, port, itself, ""},
		{"to another name", scheme.ForControl, "web.example" + port, itself, "names a host"},
		{"to the same name", scheme.ForControl, "ftp.example" + port, itself, "names a host"},
		{"to an address", scheme.ForControl, s.web.Addr(), itself, "names a host"},
		{"to no port", scheme.ForControl, ":0", itself, "port 0"},
		{"without a control connection", scheme.ForControl, port, func(net.Conn) net.Conn { return nil }, "unknown control connection"},
		{"with another's", scheme.ForControl, port, func(c net.Conn) net.Conn { return tls.Client(c, nil) }, "unknown control connection"},
		{"with one that is none", scheme.ForHop, port, itself, "unknown control connection"},
	} {
		var failed error
		probe := probe{do: func(ctx context.Context, env *scheme.Env) {
			first, err := env.Dial(ctx, scheme.Dial{Purpose: tt.purpose, Addr: "ftp.example:21"})
			if err != nil {
				t.Fatal(err)
			}
			defer first.Close()
			second, err := env.Dial(ctx, scheme.Dial{Purpose: scheme.ForData, Control: tt.control(first), Addr: tt.addr})
			if failed = err; err == nil {
				second.Close()
			}
		}}
		c := client.New(client.Options{Registry: scheme.NewRegistry(probe), Proxy: always(t, "socks5h://"+p.Addr)})
		defer c.Close()
		if _, err := c.Access(t.Context(), scheme.Request{URL: locator.MustParse("ftp://ftp.example/")}, nil); err != nil {
			t.Fatal(err)
		}
		if tt.says != "" {
			wantCode(t, tt.name, failed, scheme.CodeRefused, tt.says)
		} else if failed != nil {
			t.Errorf("%s: %v", tt.name, failed)
		}
	}
}

func itself(c net.Conn) net.Conn { return c }

// probe is a scheme whose Access is a function of its Env.
type probe struct {
	do func(context.Context, *scheme.Env)
}

func (probe) Syntax() *locator.Syntax { return locator.SyntaxOf("ftp") }

func (p probe) Access(ctx context.Context, env *scheme.Env, r scheme.Request, _ scheme.AccessOptions) (*scheme.Resource, error) {
	p.do(ctx, env)
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindListing, Entries: func(func(scheme.Entry, error) bool) {}}, nil
}

// A data connection uses the proxy of its control connection, even if ProxyFunc would choose
// another for its address.
//
// Covers: P5, A14, T187
func TestDataByTheSameProxy(t *testing.T) {
	t.Parallel()
	s := start(t)
	p, err := proxies.SOCKS(s.hosts())
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for host, kind := range map[string]string{s.ftp.Addr(): "socks5", "ftp.example:21": "socks5h"} {
		before := len(p.Asked())
		c, _ := s.through(t, "socks5://"+p.Addr, func(o *client.Options) {
			o.Proxy = func(_, addr string) (*scheme.Proxy, error) {
				if addr != host {
					return nil, nil
				}
				return &scheme.Proxy{Kind: kind, Addr: p.Addr}, nil
			}
		})
		if got, err := get(t, c, "ftp://"+host+"/etc/motd"); err != nil || got != motd {
			t.Errorf("%s: %q, %v", kind, got, err)
		}
		if asked := p.Asked()[before:]; len(asked) != 2 {
			t.Errorf("%s: the proxy was asked for %q, want a control and a data connection", kind, asked)
		}
	}
}

// If two control connections to one server use different proxies, their data connections use the
// same ones.
//
// Covers: P5, A14, T187
func TestDataByTheWayOfItsControl(t *testing.T) {
	t.Parallel()
	s := start(t)
	for name, second := range map[string]bool{"two proxies": true, "a proxy and none": false} {
		var via [2]*proxies.Proxy
		for i := range via {
			var err error
			if via[i], err = proxies.SOCKS(nil); err != nil {
				t.Fatal(err)
			}
			defer via[i].Close()
		}
		var turn atomic.Int32 // one call per control connection
		c, _ := s.through(t, "socks5://"+via[0].Addr, func(o *client.Options) {
			o.Proxy = func(_, addr string) (*scheme.Proxy, error) {
				i := turn.Load()
				if i == 1 && !second {
					return nil, nil
				}
				return &scheme.Proxy{Kind: "socks5", Addr: via[i].Addr}, nil
			}
		})
		open := func() *scheme.Resource {
			res, err := c.Access(t.Context(), scheme.Request{URL: parse(t, "ftp://"+s.ftp.Addr()+"/etc/motd")}, nil)
			if err != nil {
				t.Fatal(err)
			}
			return res
		}
		finish := func(res *scheme.Resource) {
			if got, err := io.ReadAll(res.Body); err != nil || string(got) != motd {
				t.Errorf("%s: %q, %v", name, got, err)
			}
			res.Close()
		}
		one := open()
		turn.Store(1)
		two := open()
		finish(one)
		finish(two)
		one, two = open(), open() // over the pooled connections
		finish(one)
		finish(two)
		want := [2]int{3, 3}
		if !second {
			want[1] = 0
		}
		if got := [2]int{len(via[0].Asked()), len(via[1].Asked())}; got != want {
			t.Errorf("%s: asked for %d connections, want %d", name, got, want)
		}
	}
}

// An ftps or gophers URL in RFC 1738 syntax, which has no rules for its parts and port, uses the
// proxy, too.
//
// Covers: S21b, P5
func TestExtraSchemesThroughProxy(t *testing.T) {
	t.Parallel()
	nobody := errors.New("nobody is there")
	for _, parser := range []*locator.Parser{locator.RFC1738, locator.Current} {
		for _, text := range []string{"ftps://192.0.2.1/a", "gophers://192.0.2.1/0a", "ftp://192.0.2.1/a", "gopher://192.0.2.1:7070/0a"} {
			u, err := parser.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			var dialled []string
			c := client.New(client.Options{
				Registry: all.Registry(),
				Proxy:    always(t, "http://127.0.0.9:3128"),
				Dial: func(_ context.Context, _, addr string) (net.Conn, error) {
					dialled = append(dialled, addr)
					return nil, nobody
				},
			})
			_, err = c.Access(t.Context(), scheme.Request{URL: u}, nil)
			if !errors.Is(err, nobody) || len(dialled) == 0 || dialled[0] != "127.0.0.9:3128" {
				t.Errorf("%s: dialled %q, %v", text, dialled, err)
			}
			c.Close()
		}
	}
}
