package http_test

import (
	"context"
	"crypto/tls"
	"net"
	"testing"

	"locator/scheme"
)

// testEnv returns an Env for testing the scheme without a client.
func testEnv(t *testing.T) *scheme.Env {
	t.Helper()
	return &scheme.Env{
		Dial: func(ctx context.Context, d scheme.Dial) (net.Conn, error) {
			if d.Over != nil {
				c := tls.Client(d.Over, &tls.Config{ServerName: d.TLS})
				if err := c.HandshakeContext(ctx); err != nil {
					return nil, scheme.Fail(scheme.CodeUntrusted, "%w", err)
				}
				return c, nil
			}
			var n net.Dialer
			return n.DialContext(ctx, "tcp", d.Addr)
		},
		Keep: func(ctx context.Context, _ string, open func(context.Context) (scheme.Kept, error)) (scheme.Kept, bool, func(bool), error) {
			c, err := open(ctx)
			if err != nil {
				return nil, false, nil, err
			}
			return c, false, func(bool) { c.Close() }, nil
		},
		Login:  func(context.Context, scheme.LoginRequest) (string, string, bool, error) { return "", "", false, nil },
		Trace:  &scheme.Trace{},
		Limits: scheme.Limits{}.WithDefaults(),
	}
}
