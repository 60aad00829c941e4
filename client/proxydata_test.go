package client_test

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"

	"locator"
	"locator/client"
	"locator/internal/proxies"
	"locator/scheme"
)

// A data connection goes where a proxy has made its control connection to, and nowhere else: not to another name, and
// not by a way that the proxy knows nothing of.
//
// Covers: P5
func TestDataByName(t *testing.T) {
	t.Parallel()
	s := start(t)
	p, err := proxies.SOCKS(s.hosts())
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	dial := func(d scheme.Dial) error {
		var failed error
		probe := probe{do: func(ctx context.Context, env *scheme.Env) {
			for _, d := range []scheme.Dial{{Purpose: scheme.ForControl, Addr: "ftp.example:21"}, d} {
				var conn net.Conn
				if conn, failed = env.Dial(ctx, d); failed != nil {
					return
				}
				conn.Close()
			}
		}}
		via, err := client.ProxyFromEnvironment(func(name string) string {
			return map[string]string{"all_proxy": "socks5h://" + p.Addr}[name]
		})
		if err != nil {
			t.Fatal(err)
		}
		c := client.New(client.Options{Registry: scheme.NewRegistry(probe), Proxy: via})
		defer c.Close()
		res, err := c.Access(t.Context(), scheme.Request{URL: locator.MustParse("ftp://ftp.example/")})
		if err != nil {
			t.Fatal(err)
		}
		res.Close()
		return failed
	}
	port := strings.TrimPrefix(s.ftp.Addr(), "127.0.0.1")
	if err := dial(scheme.Dial{Purpose: scheme.ForData, PeerName: "ftp.example:21", Addr: "ftp.example" + port}); err != nil {
		t.Errorf("to the same name: %v", err)
	}
	for _, d := range []scheme.Dial{
		{PeerName: "ftp.example:21", Addr: "web.example" + port}, {PeerName: "web.example:80", Addr: "web.example" + port},
		{PeerName: "ftp.example:21", Addr: "ftp.example:0"}, {PeerName: "ftp.example:21", Addr: s.web.Addr()},
	} {
		d.Purpose = scheme.ForData
		wantCode(t, fmt.Sprint(d), dial(d), scheme.Refused, "")
	}
}

// probe is a scheme that does something with its world.
type probe struct {
	do func(context.Context, *scheme.Env)
}

func (probe) Syntax() *locator.Syntax { return locator.SyntaxOf("ftp") }

func (p probe) Access(ctx context.Context, env *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
	p.do(ctx, env)
	return &scheme.Resource{URL: r.URL, Kind: scheme.Listing, Entries: func(func(scheme.Entry, error) bool) {}}, nil
}

// A data connection goes through the proxy of its control connection, whatever the choice for its own address would be.
//
// Covers: P5, A14
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
