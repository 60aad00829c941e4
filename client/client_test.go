package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"locator"
	"locator/client"
	"locator/internal/proxies"
	"locator/policy"
	"locator/scheme"
	"locator/scheme/all"
	webtest "locator/scheme/http/httptest"
	"locator/schemetest/peer"
)

// finger is a scheme that package locator does not know. Its port belongs to another protocol than
// any that it knows.
type finger struct{}

func (finger) Syntax() *locator.Syntax {
	return &locator.Syntax{Name: "finger", Port: 79, Ports: []uint16{79}}
}

func (finger) Access(ctx context.Context, env *scheme.Env, r scheme.Request, _ scheme.AccessOptions) (*scheme.Resource, error) {
	addr, ok := r.URL.Addr()
	if !ok {
		addr = net.JoinHostPort(r.URL.Host(), "79")
	}
	conn, err := env.Dial(ctx, scheme.Dial{Purpose: scheme.ForControl, Addr: addr})
	if err != nil {
		return nil, err
	}
	return nil, conn.Close()
}

// dials records the addresses that a client connects to, and refuses each connection.
type dials struct {
	mu    sync.Mutex
	addrs []string
}

func (d *dials) dial(_ context.Context, network, addr string) (net.Conn, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.addrs = append(d.addrs, network+" "+addr)
	return nil, &net.OpError{Op: "dial", Err: errors.New("no network")}
}

func (d *dials) take() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	addrs := d.addrs
	d.addrs = nil
	return addrs
}

// A registered scheme may use the ports of its Syntax, and no other below 1024.
//
// Covers: P1
func TestRegisteredPorts(t *testing.T) {
	t.Parallel()
	o := policy.Strangers().Options()
	o.Schemes = append(o.Schemes, "finger")
	for name, p := range map[string]policy.Policy{"standard": nil, "strangers": policy.New(o), "wrapped": &logging{Policy: policy.New(o)}} {
		d := &dials{}
		c := client.New(client.Options{Registry: scheme.NewRegistry(append(all.Schemes(), finger{})...), Policy: p, Dial: d.dial})
		defer c.Close()
		for text, want := range map[string]string{
			"finger://8.8.8.8/": "tcp 8.8.8.8:79", "finger://8.8.8.8:79/": "tcp 8.8.8.8:79", "finger://8.8.8.8:25/": "", "finger://8.8.8.8:80/": "",
			"gopher://8.8.8.8:79/": "",
		} {
			_, err := c.Access(t.Context(), scheme.Request{URL: parse(t, text)}, nil)
			got := d.take()
			switch {
			case want == "" && (len(got) > 0 || client.CodeOf(err) != scheme.CodeRefused):
				t.Errorf("%s: %s: dialled %q, %v", name, text, got, err)
			case want != "" && !slices.Equal(got, []string{want}):
				t.Errorf("%s: %s: dialled %q, want %s; %v", name, text, got, want, err)
			}
		}
	}
}

// Under Strangers, what a URL sends to the port of another protocol is never sent, neither directly
// nor by a hop or a gateway.
//
// Covers: P1, T179
func TestStrangersPorts(t *testing.T) {
	t.Parallel()
	gateway, err := client.ParseVia("http://8.8.4.4/{url}")
	if err != nil {
		t.Fatal(err)
	}
	d := &dials{}
	plain := client.New(client.Options{Registry: all.Registry(), Policy: policy.Strangers(), Dial: d.dial})
	defer plain.Close()
	through := client.New(client.Options{Registry: all.Registry(), Policy: policy.Strangers(), Dial: d.dial,
		Via: map[string]client.Via{"gopher": gateway, "prospero": gateway, "nntp": gateway}})
	defer through.Close()
	o := policy.Strangers().Options()
	o.AllowPorts = []uint16{6379}
	allowing := client.New(client.Options{Registry: all.Registry(), Policy: policy.New(o), Dial: d.dial})
	defer allowing.Close()
	for _, text := range []string{
		"gopher://8.8.8.8:6379/1FLUSHALL", "gopher://8.8.8.8:6379/_CONFIG%20SET%20dir%20/tmp", "gopher://8.8.8.8:11211/1flush_all", "gophers://8.8.8.8:105/1x", "ftp://8.8.8.8:6379/x",
		"nntp://8.8.8.8:6379/comp.x", "wais://8.8.8.8:6379/x", "prospero://8.8.8.8:1900/x", "prospero://8.8.8.8:11211/x",
	} {
		for name, c := range map[string]*client.Client{"direct": plain, "by a gateway": through} {
			for _, from := range []*scheme.Hop{nil, {Kind: scheme.HopRedirect, From: parse(t, "gopher://8.8.8.8/"), N: 1}, {Kind: scheme.HopMenuItem, From: parse(t, "gopher://8.8.8.8/"), N: 1}} {
				_, err := c.Access(t.Context(), scheme.Request{URL: parse(t, text), From: from}, nil)
				wantCode(t, text+" "+name, err, scheme.CodeRefused)
			}
			for _, err := range client.Entries(c.List(t.Context(), scheme.Request{URL: parse(t, text)}, nil)) {
				wantCode(t, "list "+text+" "+name, err, scheme.CodeRefused)
			}
		}
	}
	if got := d.take(); len(got) > 0 {
		t.Errorf("dialled %q", got)
	}
	for text, want := range map[string]string{"gopher://8.8.8.8:6379/1x": "tcp 8.8.8.8:6379", "gopher://8.8.8.8/1x": "tcp 8.8.8.8:70", "prospero://8.8.8.8/x": "udp 8.8.8.8:1525"} {
		allowing.Access(t.Context(), scheme.Request{URL: parse(t, text)}, nil)
		if got := d.take(); len(got) == 0 || got[0] != want {
			t.Errorf("%s: dialled %q, want %s", text, got, want)
		}
	}
}

// logging is a policy around another one, as programs write it to log or to check more.
type logging struct {
	policy.Policy
	urls atomic.Int32
}

func (l *logging) URL(u locator.URL, h scheme.Hop) error {
	l.urls.Add(1)
	return l.Policy.URL(u, h)
}

// A policy that embeds that of Strangers has its limits and its ban on logins.
//
// Covers: P6, T181
func TestWrappedPolicy(t *testing.T) {
	t.Parallel()
	var login atomic.Bool
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, _, ok := r.BasicAuth(); ok {
			login.Store(true)
		}
		if r.URL.Path == "/login" {
			w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		for chunk, left := make([]byte, 1<<20), 100; left > 0; left-- {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	}))
	defer s.Close()
	for name, p := range map[string]policy.Policy{
		"wrapped": &logging{Policy: policy.Strangers()}, "wrapped twice": &logging{Policy: struct{ policy.Policy }{policy.Strangers()}},
	} {
		c := client.New(client.Options{Registry: all.Registry(), Policy: p, Logins: []scheme.LoginFunc{client.FixedLogin("me", "secret")},
			Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
				return (&net.Dialer{}).DialContext(ctx, network, s.Listener.Addr().String())
			}})
		defer c.Close()
		_, err := c.Access(t.Context(), scheme.Request{URL: parse(t, "http://8.8.8.8/login")}, nil)
		wantCode(t, name+": login", err, scheme.CodeLoginNeeded, "")
		res, err := c.Access(t.Context(), scheme.Request{URL: parse(t, "http://8.8.8.8/")}, nil)
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, res.Body)
		res.Close()
		if n != 64<<20 || client.CodeOf(err) != scheme.CodeBroken {
			t.Errorf("%s: %d bytes were read, %v", name, n, err)
		}
		if l := p.(*logging); l.urls.Load() != 2 {
			t.Errorf("%s: it was asked about %d URLs", name, l.urls.Load())
		}
	}
	if login.Load() {
		t.Error("a login was sent")
	}
}

// judge is a standard policy that records what it was asked about: addresses and names of servers,
// as host:port.
type judge struct {
	*policy.Standard
	asked []string
}

func (j *judge) Addr(d scheme.Dial, a netip.AddrPort) error {
	if d.Purpose != scheme.ForProxy {
		j.asked = append(j.asked, netip.AddrPortFrom(a.Addr().Unmap(), a.Port()).String())
	}
	return j.Standard.Addr(d, a)
}

func (j *judge) Proxied(d scheme.Dial) error {
	j.asked = append(j.asked, d.Addr)
	return j.Standard.Proxied(d)
}

// What a proxy is asked for is what the policy was asked about, in the same spelling. A host that a
// proxy may read as another one is refused.
//
// Covers: P5, A14, S4, T182
func TestProxySpelling(t *testing.T) {
	t.Parallel()
	const refused = ""
	hosts := []struct{ written, sent string }{
		{"12.0.0.1", "12.0.0.1"},
		{"012.0.0.1", "12.0.0.1"}, // octal to some: 10.0.0.1
		{"0177.0.0.1", "177.0.0.1"},
		{"08.8.8.08", "8.8.8.8"},
		{"8.8.8.8.", "8.8.8.8"},
		{"8.8.8.8..", refused},
		{"0x7f.0.0.1", refused}, // hexadecimal to some
		{"0x7f000001", refused},
		{"2130706433", refused}, // one decimal number
		{"017700000001", refused},
		{"127.1", refused}, // fewer groups
		{"127.0.1", refused},
		{"1.2.3.4.5", refused},
		{"1.2.3.256", refused},
		{"0300.0250.0.1", refused}, // 300 decimal
		{"%38.8.8.8", "8.8.8.8"},
		{"8%2e8.8.8", "8.8.8.8"},
		{"8.8.8.8%2E", "8.8.8.8"},
		{"８.8.8.8", "8.8.8.8"}, // full width
		{"⑧.⑧.⑧.⑧", "8.8.8.8"},
		{"8。8。8。8", "8.8.8.8"}, // ideographic full stop
		{"127.0.0.1%00", refused},
		{"127.0.0.1%0a", refused},
		{"127.0.0.1%09", refused},
		{"127.0.0.1%20", refused},
		{"127.0.0.1%23", refused},
		{"127.0.0.1%3a80", refused},
		{"127.0.0.1%2f.example.com", refused},
		{"127.0.0.1%5c.example.com", refused},
		{"127.0.0.1%3f.example.com", refused},
		{"user%40127.0.0.1", refused},
		{"example.com%2540x", refused},
		{"a!b", refused},
		{"~x", refused},
		{"a..example", refused},
		{"%2e", refused},
		{"[::1]", "[::1]"},
		{"[0:0:0:0:0:0:0:1]", "[::1]"},
		{"[2606:4700:0::1111]", "[2606:4700::1111]"},
		{"[2606:4700::ABCD]", "[2606:4700::abcd]"},
		{"[::ffff:8.8.8.8]", "8.8.8.8"},
		{"[::FFFF:808:808]", "8.8.8.8"},
		{"[64:ff9b::8.8.8.8]", "[64:ff9b::808:808]"},
		{"[::8.8.8.8]", "[::808:808]"},
		{"[fe80::1%25eth0]", refused}, // a zone
		{"[fe80::1%eth0]", refused},
		{"[v1.x]", refused},
		{"h.example", "h.example"},
		{"h.example.", "h.example."},
		{"H.Example", "H.Example"},
		{"a_b.example", "a_b.example"},
		{"%68.example", "h.example"},
		{"h%2eexample%2e", "h.example."},
		{"b%C3%BCcher.example", "xn--bcher-kva.example"},
		{"bücher.example", "xn--bcher-kva.example"},
		{"ｈ.example", "h.example"},
	}
	none := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("no network") }}
	secure, err := webtest.Start(peer.Tree(), webtest.TLS())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(secure.Close)
	for _, kind := range []string{"http", "https", "socks5", "socks5h"} {
		start := proxies.SOCKS
		if kind == "http" || kind == "https" {
			start = func(hosts map[string]string, o ...proxies.Option) (*proxies.Proxy, error) {
				if kind == "http" {
					return proxies.HTTP(nil, hosts, o...)
				}
				return proxies.HTTP(secure.TLSConfig(), hosts, o...)
			}
		}
		p, err := start(nil, proxies.Only())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Close)
		for _, host := range hosts {
			name := strings.Trim(host.sent, "0123456789.") != "" && host.sent[0] != '['
			if kind == "socks5" && name { // it is resolved here
				continue
			}
			for form, want := range map[string]string{"http://%s/": "GET http://%s/", "https://%s/": "CONNECT %s:443", "http://%s:8080/?x": "GET http://%s:8080/?x",
				"ftp://%s/x": "GET ftp://%s/x"} {
				text := strings.ReplaceAll(form, "%s", host.written)
				u, err := locator.Current.Parse(text)
				if err != nil && host.sent != refused {
					t.Errorf("%s: %v", text, err)
				}
				if err != nil {
					continue
				}
				if kind == "socks5" || kind == "socks5h" {
					addr, _ := u.Addr()
					want = "%s" + addr[strings.LastIndexByte(addr, ':'):]
				}
				j := &judge{Standard: policy.New(policy.Options{})}
				c, _ := servers{secure: secure}.through(t, kind+"://"+p.Addr, func(o *client.Options) { o.Policy, o.Resolver = j, none })
				before := len(p.Asked())
				res, err := c.Access(t.Context(), scheme.Request{URL: u}, nil)
				if err == nil {
					res.Close()
				}
				c.Close()
				asked := p.Asked()[before:]
				if host.sent == refused {
					if len(asked) > 0 || err == nil || client.CodeOf(err) != scheme.CodeRefused && kind != "socks5" {
						t.Errorf("%s: %s: asked %q, %v", kind, text, asked, err)
					}
					continue
				}
				if len(asked) != 1 || strings.TrimSuffix(asked[0], ";type=i") != strings.ReplaceAll(want, "%s", host.sent) {
					t.Errorf("%s: %s: asked %q, %v, want %q", kind, text, asked, err, strings.ReplaceAll(want, "%s", host.sent))
				}
				if len(j.asked) == 0 || !strings.HasPrefix(j.asked[len(j.asked)-1], host.sent+":") {
					t.Errorf("%s: %s: the policy was asked about %q", kind, text, j.asked)
				}
			}
		}
	}
}

// An http.Client over the transport uses the proxy, for every method, and a tunnel for https.
//
// Covers: A14
func TestTransportThroughProxy(t *testing.T) {
	t.Parallel()
	s := start(t)
	via, err := proxies.HTTP(nil, s.hosts())
	if err != nil {
		t.Fatal(err)
	}
	defer via.Close()
	c, _ := s.through(t, "http://"+via.Addr)
	over := &http.Client{Transport: c.Transport()}
	for _, tt := range []struct{ method, url, want string }{
		{"GET", "http://web.example/etc/motd", "200 " + motd},
		{"GET", "https://secure.example/etc/motd", "200 " + motd},
		{"PUT", "http://web.example/new", "201 "},
		{"DELETE", "http://web.example/new", "204 "},
		{"GET", "http://web.example/new", "404 "},
	} {
		var text io.Reader
		if tt.method == "PUT" {
			text = strings.NewReader("new")
		}
		req, err := http.NewRequestWithContext(t.Context(), tt.method, tt.url, text)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := over.Do(req)
		if err != nil {
			t.Errorf("%s %s: %v", tt.method, tt.url, err)
			continue
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if got := fmt.Sprint(resp.StatusCode, " ", string(body)); !strings.HasPrefix(got, tt.want) || err != nil {
			t.Errorf("%s %s: %q, %v; want %q", tt.method, tt.url, got, err, tt.want)
		}
	}
	want := []string{"GET http://web.example/etc/motd", "CONNECT secure.example:443", "PUT http://web.example/new", "DELETE http://web.example/new", "GET http://web.example/new"}
	if got := via.Asked(); !slices.Equal(got, want) {
		t.Errorf("asked %q, want %q", got, want)
	}
}
