package client

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/netip"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"locator"
	"locator/policy"
	"locator/scheme"
)

// plain is a policy whose errors have no code.
type plain struct {
	policy.Policy
	url, addr error
}

func (p plain) URL(locator.URL, scheme.Hop) error      { return p.url }
func (p plain) Addr(scheme.Dial, netip.AddrPort) error { return p.addr }

// Errors of a policy and of a Dial function that have no code are not blamed on the server.
func TestPlainErrors(t *testing.T) {
	t.Parallel()
	own, any := errors.New("own words"), policy.New(policy.Options{})
	for name, tt := range map[string]struct {
		policy plain
		dial   error
		code   scheme.Code
	}{
		"URL":  {plain{any, own, nil}, nil, scheme.CodeRefused},
		"Addr": {plain{any, nil, own}, nil, scheme.CodeRefused},
		"Dial": {plain{any, nil, nil}, own, scheme.CodeUnreachable},
	} {
		for _, replaced := range []bool{true, false} { // the network
			if !replaced && tt.dial != nil {
				continue
			}
			o := Options{Policy: tt.policy, Registry: scheme.NewRegistry(&pages{name: "http", next: func(string) string { return "" }})}
			if replaced {
				o.Dial = func(context.Context, string, string) (net.Conn, error) { return nil, tt.dial }
			}
			_, err := get(t, New(o), "http://127.0.0.1:9/")
			wantCode(t, err, tt.code, "own words")
			if !errors.Is(err, own) {
				t.Errorf("%s: the cause is lost: %v", name, err)
			}
		}
	}
}

// A Read after Close, and one during which the body is closed, match fs.ErrClosed, whatever the
// scheme's body returns.
func TestReadAfterClose(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	defer w.Close()
	c := New(Options{Policy: &asked{}, Registry: scheme.NewRegistry(fake{"http", func(ctx context.Context, _ *scheme.Env, _ scheme.Request) (*scheme.Resource, error) {
		context.AfterFunc(ctx, func() { r.Close() })
		return &scheme.Resource{Kind: scheme.KindObject, Body: r}, nil
	}})})
	res, err := c.Access(t.Context(), scheme.Request{URL: parse("http://h/"), Limits: scheme.Limits{Time: 1e12}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	during := make(chan error)
	go func() {
		_, err := res.Body.Read(make([]byte, 1))
		during <- err
	}()
	res.Body.Close()
	_, after := res.Body.Read(make([]byte, 1))
	_, copied := io.Copy(io.Discard, res.Body)
	for _, err := range []error{<-during, after, copied} {
		if !errors.Is(err, fs.ErrClosed) {
			t.Errorf("%v", err)
		}
	}
}

func TestUnconfigured(t *testing.T) {
	t.Parallel()
	missing, there := filepath.Join(t.TempDir(), "resolv.conf"), t.TempDir()
	for _, c := range []struct {
		server, file string
		want         bool
	}{
		{"127.0.0.1:53", missing, true}, {"[::1]:53", missing, true}, {"127.0.0.1:53", there, false}, {"192.0.2.1:53", missing, false}, {"", missing, false},
	} {
		if got := unconfigured(&net.DNSError{Server: c.server}, c.file); got != c.want {
			t.Errorf("%s: %v, want %v", c.server, got, c.want)
		}
	}
}

// An error of the client has the hint of the error that it wraps. The hint to trust an issuer is
// given only if the issuer is what is wrong.
//
// Covers: A6
func TestHint(t *testing.T) {
	t.Parallel()
	refused := scheme.Fail(scheme.CodeRefused, "port 25 is refused")
	refused.Hint = "AllowPorts=25"
	for _, tt := range []struct {
		err  error
		want string
	}{
		{refused, "AllowPorts=25"},
		{fmt.Errorf("reused connection: %w", refused), "AllowPorts=25"},
		{scheme.Fail(scheme.CodeProtocol, "the server led there: %w", refused), "AllowPorts=25"},
		{scheme.Replied(scheme.CodeProtocol, "no", "the server led there: %w", errors.Join(errors.New("first"), refused)), "AllowPorts=25"},
		{&scheme.Error{Code: scheme.CodeBroken, Err: refused}, "AllowPorts=25"},
		{scheme.Fail(scheme.CodeRefused, "no"), ""},
		{errors.New("no"), ""},
		{&tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}, "TLS.RootCAs"},
		{scheme.Fail(scheme.CodeRefused, "not trusted: %w", x509.UnknownAuthorityError{}), "TLS.RootCAs"},
		{x509.SystemRootsError{}, "TLS.RootCAs"},
		{x509.CertificateInvalidError{Reason: x509.Expired}, ""},
		{x509.CertificateInvalidError{Reason: x509.IncompatibleUsage}, ""},
		{x509.HostnameError{Certificate: &x509.Certificate{}, Host: "h.example"}, ""},
	} {
		c := New(Options{Registry: scheme.NewRegistry(fake{name: "x-a", access: func(context.Context, *scheme.Env, scheme.Request) (*scheme.Resource, error) {
			return nil, tt.err
		}})})
		_, err := c.Access(t.Context(), scheme.Request{URL: locator.Current.MustParse("x-a:b")}, nil)
		if e, ok := errors.AsType[*scheme.Error](err); !ok || e.Hint != tt.want {
			t.Errorf("%v: hint %q, want %q", tt.err, e.Hint, tt.want)
		}
		c.Close()
	}
}

// What Public says of each kind of failure, and nothing else: no address, no path, no other URL, no
// words of a server.
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

// An error whose code nobody has set is never a success.
func TestErrorWithoutCode(t *testing.T) {
	t.Parallel()
	c := New(Options{Policy: &asked{}, Registry: scheme.NewRegistry(fake{name: "x-a", access: func(context.Context, *scheme.Env, scheme.Request) (*scheme.Resource, error) {
		return nil, &scheme.Error{}
	}})})
	defer c.Close()
	_, err := get(t, c, "x-a:b")
	wantCode(t, err, scheme.CodeProtocol, "protocol error")
	text, _ := json.Marshal(&scheme.Error{})
	if code := CodeOf(&scheme.Error{}); code != scheme.CodeProtocol || (&scheme.Error{}).Error() != "protocol error" || !bytes.Contains(text, []byte(`"code":"protocol error"`)) {
		t.Errorf("code %v, text %q, JSON %s", code, &scheme.Error{}, text)
	}
}
