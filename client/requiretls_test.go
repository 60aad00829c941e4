package client_test

import (
	"context"
	"net"
	"strings"
	"sync/atomic"
	"testing"

	"locator/client"
	"locator/scheme"
	"locator/scheme/all"
)

// With Options.RequireTLS, nothing is connected to whose protocol, gateway or proxy does not use
// TLS.
//
// Covers: P1
func TestRequireTLS(t *testing.T) {
	t.Parallel()
	clear := "sends everything in clear text"
	for _, tt := range []struct {
		url, gateway, proxy string
		connects            bool
		want                string // in the error
	}{
		{url: "http://192.0.2.1/", want: "use a URL that begins with https:"},
		{url: "https://192.0.2.1/", connects: true},
		{url: "gopher://192.0.2.1/", want: "use a URL that begins with gophers:"},
		{url: "wais://192.0.2.1/a?b", want: "no scheme has it over TLS"},
		{url: "ftp://192.0.2.1/x", connects: true}, // it asks for TLS by AUTH
		{url: "file:///nosuch"},
		{url: "wais://192.0.2.1/a?b", gateway: "http://192.0.2.9/", want: "the proxy or gateway is asked by http, which " + clear},
		{url: "wais://192.0.2.1/a?b", gateway: "http://192.0.2.9", want: "the proxy or gateway is asked by http, which " + clear},
		{url: "wais://192.0.2.1/a?b", gateway: "https://192.0.2.9/", connects: true},
		{url: "ftp://192.0.2.1/", proxy: "http", want: "the proxy or gateway is asked by http, which " + clear},
		{url: "ftp://192.0.2.1/", proxy: "https", connects: true},
		{url: "https://192.0.2.1/", proxy: "http", connects: true}, // a tunnel
	} {
		var dials atomic.Int32
		o := client.Options{Registry: all.Registry(), RequireTLS: true, TLSMode: scheme.TLSRequire,
			Dial: func(context.Context, string, string) (net.Conn, error) {
				dials.Add(1)
				return nil, net.ErrClosed
			}}
		if tt.gateway != "" {
			g, err := client.ParseVia(tt.gateway)
			if err != nil {
				t.Fatal(err)
			}
			o.Via = map[string]client.Via{"wais": g}
		}
		if tt.proxy != "" {
			o.Proxy = func(string, string) (*scheme.Proxy, error) {
				return &scheme.Proxy{Kind: tt.proxy, Addr: "192.0.2.9:3128"}, nil
			}
		}
		c := client.New(o)
		u, err := c.Parse(tt.url)
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Access(t.Context(), scheme.Request{URL: u}, nil)
		refused := err != nil && strings.Contains(err.Error(), "TLS is required")
		if connected := dials.Load() > 0; connected != tt.connects || refused != (tt.want != "") || err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %d connections, %v", tt, dials.Load(), err)
		}
		c.Close()
	}
}
