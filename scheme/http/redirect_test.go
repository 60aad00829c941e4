package http_test

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"testing"

	"locator/client"
	"locator/scheme"
	"locator/scheme/all"
)

// TestRedirectTargets redirects to what a web page must not lead to: from a server on this machine,
// and from a public one. Nothing is dialled but the first server.
//
// Covers: P1, P2, P5, T52, T53, T152
func TestRedirectTargets(t *testing.T) {
	t.Parallel()
	const form = "gopher://192.88.98.2/0f%09%09+%091%0D%0A+-1%0D%0Ax%0D%0A.%0D%0A"
	for location, fromPublic := range map[string]bool{ // whether only a redirect by a public server is refused
		"file:///etc/passwd":                       false,
		"FILE://LOCALHOST/etc/passwd":              false,
		"file:/etc/passwd":                         false,
		"\tfile:///etc/passwd":                     false,
		"javascript:alert(1)":                      false,
		"data:text/html,x":                         false,
		"mailto:a@h.example":                       false,
		"telnet://192.88.98.2/":                    false,
		"gopher://192.88.98.2/0x":                  false,
		"gopher://192.88.98.2:25/0HELO%20x":        false,
		"gopher://192.88.98.2/0x%0D%0AFLUSHALL":    false,
		form:                                       false,
		"ftp://192.88.98.2/a%0D%0ADELE%20b":        false,
		"http://192.88.98.2:25/":                   false,
		"http://192.88.98.2:0/":                    false,
		"http://192.88.98.2:99999/":                false,
		"http://0.0.0.0/":                          false,
		"http://[::]/":                             false,
		"http://224.0.0.1/":                        false,
		"http://255.255.255.255/":                  false,
		"http://300.1.1.1/":                        false,
		"http://192.88.98.2%0d%0aHost:%20x/":       false,
		"x-unknown://192.88.98.2/":                 false,
		"http://127.0.0.1:7/":                      false,
		"http://127.0.0.1:8080/":                   true,
		"//127.0.0.1:8080/":                        true,
		"http://10.0.0.1/":                         true,
		"http://169.254.169.254/latest/meta-data/": true,
		"http://[::1]/":                            true,
		"http://[::ffff:10.0.0.1]/":                true,
		"http://[64:ff9b::10.0.0.1]/":              true,
		"http://localhost/":                        true,
		"http://0177.0.0.1%2f@127.0.0.1/":          true,
		"ftp://10.0.0.1/x":                         true,
	} {
		for _, first := range []string{"127.0.0.1:8000", "8.8.8.8:8000"} {
			if fromPublic && first != "8.8.8.8:8000" {
				continue
			}
			t.Run(first+" to "+location, func(t *testing.T) {
				t.Parallel()
				s := newScript(t, "HTTP/1.1 302 Found\r\nLocation: "+location+"\r\nContent-Length: 4\r\n\r\npage")
				var mu sync.Mutex
				var dialled []string
				c := web(t, func(o *client.Options) {
					o.Registry = all.Registry()
					o.Dial = func(ctx context.Context, network, to string) (net.Conn, error) {
						if to == first {
							conn, err := new(net.Dialer).DialContext(ctx, network, s.addr)
							return at{conn, net.TCPAddrFromAddrPort(netip.MustParseAddrPort(first))}, err
						}
						mu.Lock()
						defer mu.Unlock()
						dialled = append(dialled, to)
						return nil, &net.OpError{Op: "dial", Net: network, Err: fmt.Errorf("nobody is there")}
					}
				})
				_, body, err := get(t, c, scheme.Request{URL: parse(t, "http://"+first+"/x")})
				if err == nil {
					t.Errorf("got %q", body)
				}
				if code := client.CodeOf(err); code != scheme.CodeRefused && code != scheme.CodeUnsupported && code != scheme.CodeProtocol {
					t.Errorf("code %v: %v", code, err)
				}
				if len(dialled) > 0 || len(s.requests()) != 1 {
					t.Errorf("dialled %q, %d requests", dialled, len(s.requests()))
				}
			})
		}
	}
}
