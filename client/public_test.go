package client

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/netip"
	"strings"
	"syscall"
	"testing"
	"time"

	"locator"
	"locator/policy"
	"locator/scheme"
)

// What Public says of each kind of failure, and nothing else: no address, no path, no other URL, no words of a server.
//
// Covers: P5, T180
func TestPublic(t *testing.T) {
	t.Parallel()
	const inside = "10.0.0.1 /srv/secret intranet.corp db7.internal"
	failing := func(err error) func(context.Context, *scheme.Env, scheme.Request) (*scheme.Resource, error) {
		return func(context.Context, *scheme.Env, scheme.Request) (*scheme.Resource, error) { return nil, err }
	}
	dial := func(d scheme.Dial) func(context.Context, *scheme.Env, scheme.Request) (*scheme.Resource, error) {
		return func(ctx context.Context, env *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
			if d.Addr == "" {
				d.Addr, _ = r.URL.Addr()
			}
			_, err := env.Dial(ctx, d)
			return nil, err
		}
	}
	private := func(string) []netip.Addr { return []netip.Addr{netip.MustParseAddr("10.0.0.1")} }
	nobody := func(string) []netip.Addr { return nil }
	moved := locator.Current.MustParse("http://intranet.corp/secret")
	denied := policy.Strangers().Options()
	denied.DenyNets = []netip.Prefix{netip.MustParsePrefix("8.8.8.0/24")}
	const refused = ": not allowed, or unreachable"
	for _, tt := range []struct {
		url    string
		access func(context.Context, *scheme.Env, scheme.Request) (*scheme.Resource, error)
		dns    func(string) []netip.Addr
		policy policy.Policy
		from   *scheme.Hop
		want   string // after the operation
	}{
		{"http://priv.test/", dial(scheme.Dial{}), private, nil, nil, "http://priv.test/" + refused},
		{"http://none.test/", dial(scheme.Dial{}), nobody, nil, nil, "http://none.test/" + refused},
		{"http://u:pw@priv.test/", dial(scheme.Dial{}), private, nil, nil, "http://u:****@priv.test/" + refused},
		{"http://10.0.0.1/", dial(scheme.Dial{}), nil, nil, nil, "http://10.0.0.1/" + refused},
		{"http://8.8.8.8/", dial(scheme.Dial{}), nil, policy.New(denied), nil, "http://8.8.8.8/" + refused},
		{"http://8.8.8.8/", dial(scheme.Dial{Addr: "10.0.0.1:80"}), nil, nil, nil, "http://8.8.8.8/" + refused},
		{"http://8.8.8.8/", dial(scheme.Dial{Addr: "intranet.corp:80"}), private, nil, nil, "http://8.8.8.8/" + refused},
		{"http://8.8.8.8/", dial(scheme.Dial{Purpose: scheme.ForServer, Addr: "intranet.corp:80"}), private, nil, nil, "http://8.8.8.8/" + refused},
		{"http://8.8.8.8/", dial(scheme.Dial{Purpose: scheme.ForProxy, Addr: "10.0.0.1:3128"}), nil, nil, nil, "http://8.8.8.8/" + refused},
		{"http://8.8.8.8/", dial(scheme.Dial{}), nil, nil, nil, "http://8.8.8.8/" + refused}, // the network below says where it is
		{"http://8.8.8.8:25/", nil, nil, nil, nil, "http://8.8.8.8:25/" + refused},
		{"http://2130706433/", nil, nil, nil, nil, "http://2130706433/" + refused},
		{"file:///etc/passwd", nil, nil, nil, nil, "file:///etc/passwd" + refused},
		{"x-none://h/", nil, nil, nil, nil, "x-none://h/: unsupported"},
		{"http://intranet.corp/secret", dial(scheme.Dial{}), private, nil, &scheme.Hop{Kind: scheme.HopRedirect, From: locator.Current.MustParse("http://pub.test/"), N: 1}, "http://pub.test/" + refused},
		{"http://8.8.8.8/", func(context.Context, *scheme.Env, scheme.Request) (*scheme.Resource, error) {
			return &scheme.Resource{Kind: scheme.KindReferral, Hop: scheme.HopRedirect, Next: []scheme.Entry{{URL: locator.Current.MustParse("ftp://intranet.corp/secret")}}}, nil
		}, nil, nil, nil, "http://8.8.8.8/" + refused},
		{"http://8.8.8.8/", func(_ context.Context, _ *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
			if r.URL == moved {
				return nil, scheme.Replied(scheme.CodeNotFound, inside, "not found in %s", inside)
			}
			return &scheme.Resource{Kind: scheme.KindReferral, Hop: scheme.HopRedirect, Next: []scheme.Entry{{URL: moved}}}, nil
		}, nil, nil, nil, "http://8.8.8.8/: not found"},
		{"http://8.8.8.8/", failing(scheme.Replied(scheme.CodeLoginNeeded, inside, "login for %s", inside)), nil, nil, nil, "http://8.8.8.8/: login needed or refused"},
		{"http://8.8.8.8/", failing(scheme.Fail(scheme.CodeProtocol, "%s", inside)), nil, nil, nil, "http://8.8.8.8/: protocol error"},
		{"http://8.8.8.8/", failing(scheme.Fail(scheme.CodeLocal, "netrc: %w", &fs.PathError{Op: "open", Path: "/srv/secret", Err: syscall.ENOENT})), nil, nil, nil, "http://8.8.8.8/: internal error"},
		{"http://8.8.8.8/", failing(&fs.PathError{Op: "open", Path: "/srv/secret", Err: syscall.EACCES}), nil, nil, nil, "http://8.8.8.8/: internal error"},
		{"http://8.8.8.8/", failing(&net.OpError{Op: "read", Addr: &net.TCPAddr{IP: net.IPv4(10, 0, 0, 1)}, Err: syscall.ECONNRESET}), nil, nil, nil, "http://8.8.8.8/: broken off"},
		{"http://8.8.8.8/", failing(io.ErrUnexpectedEOF), nil, nil, nil, "http://8.8.8.8/: broken off"},
		{"http://8.8.8.8/", failing(scheme.Fail(scheme.CodeGone, inside)), nil, nil, nil, "http://8.8.8.8/: gone"},
		{"http://8.8.8.8/", failing(scheme.Fail(scheme.CodeUnavailable, inside)), nil, nil, nil, "http://8.8.8.8/: unavailable now"},
		{"http://8.8.8.8/", failing(scheme.Fail(scheme.CodeInDoubt, inside)), nil, nil, nil, "http://8.8.8.8/: in doubt: sent, but no response"},
		{"http://8.8.8.8/", failing(scheme.Fail(scheme.CodeUsage, inside)), nil, nil, nil, "http://8.8.8.8/: wrong usage"},
	} {
		p := tt.policy
		if p == nil {
			p = policy.Strangers()
		}
		o := Options{Policy: p, Limits: scheme.Limits{Idle: 5 * time.Second}, Registry: scheme.NewRegistry(fake{name: "http", access: tt.access}, fake{name: "ftp", access: tt.access}, fake{name: "file"}),
			Dial: func(context.Context, string, string) (net.Conn, error) {
				return nil, &net.OpError{Op: "dial", Err: errors.New(inside)}
			}}
		if tt.dns != nil {
			o.Resolver = dns(tt.dns)
		}
		c := New(o)
		_, err := c.Access(t.Context(), scheme.Request{URL: locator.Current.MustParse(tt.url), From: tt.from}, nil)
		c.Close()
		e, ok := errors.AsType[*scheme.Error](err)
		if !ok {
			t.Errorf("%s: %v", tt.url, err)
			continue
		}
		if got := strings.TrimPrefix(e.Public(), "access "); got != tt.want {
			t.Errorf("%s: Public is %q, want %q; the error is %v", tt.url, got, tt.want, err)
		}
	}
	for code, want := range map[scheme.Code]string{scheme.CodeBroken: "broken off", scheme.CodeOK: "protocol error"} {
		e := &scheme.Error{Code: code, Err: errors.New(inside)}
		if got := e.Public(); got != want {
			t.Errorf("an error of code %d without a URL: %q, want %q", code, got, want)
		}
	}
}
