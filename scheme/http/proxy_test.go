package http_test

import (
	"crypto/tls"
	nethttp "net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/internal/hang"
	"locator/internal/leaks"
	"locator/internal/proxies"
	"locator/scheme"
	"locator/scheme/http"
	"locator/scheme/http/httptest"
)

// https uses CONNECT through a proxy. The proxy's response is traced, and a status other than 2xx
// is an error.
//
// Covers: A6, P6
func TestTunnel(t *testing.T) {
	t.Parallel()
	s := start(t, httptest.TLS())
	for _, tt := range []struct {
		name  string
		proxy []proxies.Option
		host  string
		code  scheme.Code
	}{
		{name: "through", host: s.Addr()},
		{name: "it wants a login", host: s.Addr(), proxy: []proxies.Option{proxies.Login("bob", "b")}, code: scheme.CodeLoginNeeded},
		{name: "it does not connect", host: "nowhere.example:443", code: scheme.CodeUnreachable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			hang.Within(t, 20*time.Second)
			p, err := proxies.HTTP(nil, nil, tt.proxy...)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(p.Close)
			var mu sync.Mutex
			var trace []string
			say := func(line string) {
				mu.Lock()
				defer mu.Unlock()
				trace = append(trace, line)
			}
			c := web(t, secure(s), func(o *client.Options) {
				o.Proxy = func(string, string) (*scheme.Proxy, error) { return &scheme.Proxy{Kind: "http", Addr: p.Addr}, nil }
				o.Trace = &scheme.Trace{Sent: say, Received: say}
			})
			u := locator.MustParse(strings.Replace(s.URL("text.txt").Text(), s.Addr(), tt.host, 1))
			res, err := c.Access(t.Context(), scheme.Request{URL: u}, nil)
			if err == nil {
				res.Close()
			}
			if client.CodeOf(err) != tt.code {
				t.Errorf("%v: %v, want %v", client.CodeOf(err), err, tt.code)
			}
			mu.Lock()
			defer mu.Unlock()
			answered := slices.ContainsFunc(trace, func(line string) bool { return strings.HasPrefix(line, "HTTP/1.1 ") })
			if !slices.Contains(trace, "CONNECT "+tt.host+" HTTP/1.1") || !answered {
				t.Errorf("the trace holds %q", trace)
			}
		})
	}
}

// Request.Host is sent to the server through a tunnel. A proxy for http does not get it, since it
// would connect to that host.
//
// Covers: A6, P6
func TestProxyHost(t *testing.T) {
	t.Parallel()
	for _, s := range []*httptest.Server{start(t), start(t, httptest.TLS())} {
		p, err := proxies.HTTP(nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Close)
		var mu sync.Mutex
		var trace []string
		c := web(t, secure(s), func(o *client.Options) {
			o.Proxy = func(string, string) (*scheme.Proxy, error) { return &scheme.Proxy{Kind: "http", Addr: p.Addr}, nil }
			o.Trace = &scheme.Trace{Sent: func(line string) {
				mu.Lock()
				defer mu.Unlock()
				trace = append(trace, line)
			}}
		})
		u := s.URL("text.txt")
		req, err := nethttp.NewRequestWithContext(t.Context(), "GET", u.Text(), nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Host = "virtual.example"
		resp, err := (&nethttp.Client{Transport: c.Transport()}).Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		want := "Host: " + s.Addr()
		if u.Scheme() == "https" {
			want = "host: virtual.example" // of HTTP/2
		}
		mu.Lock()
		if !slices.Contains(trace, want) || u.Scheme() == "http" && slices.Contains(trace, "Host: virtual.example") {
			t.Errorf("%s: sent %q, want %s", u.Scheme(), trace, want)
		}
		mu.Unlock()
	}
}

// A proxy that does not respond, and one whose response has no end, fail the tunnel.
//
// Covers: P6, T184
func TestTunnelBadAnswer(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, reply string
		code        scheme.Code
	}{
		{"silence", stall, scheme.CodeBroken},
		{"nothing", hangUp, scheme.CodeBroken},
		{"half a head", "HTTP/1.1 200 OK\r\nVia" + hangUp, scheme.CodeBroken},
		{"a head without an end", "HTTP/1.1 200 OK\r\n" + strings.Repeat("A: b\r\n", 5000), scheme.CodeBroken},
		{"another protocol", "220 ready\r\n" + hangUp, scheme.CodeBroken},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			hang.Within(t, 20*time.Second)
			s := newScript(t, tt.reply)
			c := web(t, func(o *client.Options) {
				o.Limits.Idle, o.Limits.Header = 500*time.Millisecond, 16<<10
				o.TLS = &tls.Config{}
				o.Proxy = func(string, string) (*scheme.Proxy, error) { return &scheme.Proxy{Kind: "http", Addr: s.addr}, nil }
			})
			_, err := c.Access(t.Context(), scheme.Request{URL: parse(t, "https://h.example/")}, nil)
			wantCode(t, err, tt.code)
		})
	}
}

// A connection whose TLS handshake fails is closed, to the proxy as to the server behind it.
//
// Covers: P6, T23
func TestFailedHandshakeIsClosed(t *testing.T) {
	t.Parallel()
	s := start(t, httptest.TLS()) // of a certificate that nobody trusts
	p, err := proxies.HTTP(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	for _, tt := range []struct {
		name, url string
		proxy     *scheme.Proxy
	}{
		{"server", "https://" + s.Addr(), nil},
		{"https proxy", "http://h.example", &scheme.Proxy{Kind: "https", Addr: s.Addr()}},
		{"server through an https proxy", "https://h.example", &scheme.Proxy{Kind: "https", Addr: s.Addr()}},
		{"server through a proxy", "https://" + s.Addr(), &scheme.Proxy{Kind: "http", Addr: p.Addr}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l, env, u := leaks.Watch(t), testEnv(t), parse(t, tt.url)
			env.Dial, env.Proxy = l.DialFor(env.Dial), tt.proxy
			l.Ends(nil)
			_, err := http.New(u.Scheme()).Access(t.Context(), env, scheme.Request{URL: u}, scheme.AccessOptions{})
			wantCode(t, err, scheme.CodeUntrusted)
		})
	}
}

// A proxy gets an address in its usual form, which means the same to everybody: policy has judged
// decimal groups.
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
