package client_test

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"testing"

	"locator"
	"locator/client"
	"locator/internal/proxies"
	"locator/policy"
	"locator/scheme"
	webtest "locator/scheme/http/httptest"
	"locator/schemetest/peer"
)

// judge is a standard policy that records what it was asked about: addresses and names of servers, as host:port.
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

// What a proxy is asked for is what the policy was asked about, in the same spelling. A host that a proxy may read as another one is
// refused.
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
