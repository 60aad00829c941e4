package client

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"locator"
	"locator/internal/leaks"
	"locator/scheme"
)

// A client with the RFC 1738 syntax also parses the parts of ftps and gophers URLs.
//
// Covers: S21b
func TestParseExtra(t *testing.T) {
	t.Parallel()
	c := New(Options{Registry: scheme.NewRegistry(fake{name: "ftps"}), Syntax: locator.RFC1738})
	u, err := c.Parse("ftps://h/a;type=i")
	if v, ok := locator.As[*locator.FTP](u); err != nil || !ok || v.Name.Or("") != "a" || u.Host() != "h" {
		t.Errorf("%v, %v", u, err)
	}
	_, err = c.Parse("ftps://h/;x")
	wantCode(t, err, scheme.CodeMalformed, "ftps")
}

func TestUnknownScheme(t *testing.T) {
	t.Parallel()
	c := New(Options{Registry: scheme.NewRegistry(fake{name: "x-a"}), Policy: &asked{}})
	_, err := get(t, c, "wais://h/db")
	wantCode(t, err, scheme.CodeUnsupported, `"wais"`, "x-a")
	if !errors.Is(err, errors.ErrUnsupported) {
		t.Error("errors.ErrUnsupported is not found in it")
	}
}

// sender is a fake that can replace.
type sender struct{ fake }

func (s sender) Replace(ctx context.Context, env *scheme.Env, r scheme.Request, _ scheme.Body, _ scheme.WriteOptions) (*scheme.Resource, error) {
	return s.access(ctx, env, r)
}

// renamer is a fake that counts its renames.
type renamer struct {
	fake
	n *int
}

func (s renamer) Rename(context.Context, *scheme.Env, scheme.Request, locator.URL) error {
	*s.n++
	return nil
}

// TestRename asks policy about both URLs of a rename, and refuses another server.
//
// Covers: A15, P1
func TestRename(t *testing.T) {
	t.Parallel()
	n := 0
	c := New(Options{Registry: scheme.NewRegistry(renamer{fake{name: "ftp"}, &n}), Policy: &asked{url: func(u locator.URL, h scheme.Hop) error {
		if strings.Contains(u.Text(), "forbidden") || h.Kind != scheme.HopDirect {
			return scheme.Fail(scheme.CodeRefused, "no")
		}
		return nil
	}}})
	hop := &scheme.Hop{Kind: scheme.HopRedirect, From: parse("http://h/"), N: 1}
	for _, test := range []struct {
		from, to string
		hop      *scheme.Hop
		code     scheme.Code
	}{
		{"ftp://h/a", "ftp://H:21/b", nil, scheme.CodeOK},
		{"ftp://h/a", "ftp://h/forbidden", nil, scheme.CodeRefused},
		{"ftp://h/forbidden", "ftp://h/a", nil, scheme.CodeRefused},
		{"ftp://h/a", "ftp://h/b", hop, scheme.CodeRefused},
		{"ftp://h/a", "ftp://other/b", nil, scheme.CodeUsage},
		{"ftp://h/a", "ftp://h:2121/b", nil, scheme.CodeUsage},
		{"ftp://h/a", "http://h/b", nil, scheme.CodeUnsupported},
		{"ftp://h/a", "", nil, scheme.CodeMalformed},
	} {
		var to locator.URL
		if test.to != "" {
			to = parse(test.to)
		}
		before := n
		err := c.Rename(t.Context(), scheme.Request{URL: parse(test.from), From: test.hop}, to)
		if CodeOf(err) != test.code || (n > before) != (test.code == scheme.CodeOK) {
			t.Errorf("%s to %s: %v, want code %v; %d calls", test.from, test.to, err, test.code, n-before)
		}
	}
}

// TestReplaceReferral sends no body to where a server refers it, and closes what came with the referral.
//
// Covers: A15
func TestReplaceReferral(t *testing.T) {
	t.Parallel()
	l := leaks.Watch(t)
	c := New(Options{Registry: scheme.NewRegistry(sender{fake{name: "x-a", access: func(context.Context, *scheme.Env, scheme.Request) (*scheme.Resource, error) {
		res := refer("x-a:c")
		res.Closer = l.Closer(nil)
		return res, nil
	}}}), Policy: &asked{}})
	l.Ends(c)
	_, err := c.Replace(t.Context(), scheme.Request{URL: parse("x-a:b")}, scheme.Body{Reader: strings.NewReader("")}, nil)
	wantCode(t, err, scheme.CodeUnsupported, "redirects", "x-a:c")
}

// Covers: A15
func TestUnsupportedAbility(t *testing.T) {
	t.Parallel()
	c := New(Options{Registry: scheme.NewRegistry(fake{name: "x-a", access: func(context.Context, *scheme.Env, scheme.Request) (*scheme.Resource, error) {
		return text("no listing"), nil
	}}), Policy: &asked{}})
	r := scheme.Request{URL: parse("x-a:b")}
	_, err := c.Attributes(t.Context(), r, nil)
	wantCode(t, err, scheme.CodeUnsupported, "find attributes", "it can: access")
	_, err = c.Replace(t.Context(), r, scheme.Body{Reader: strings.NewReader("")}, nil)
	wantCode(t, err, scheme.CodeUnsupported, "replace")
	_, err = c.Update(t.Context(), r, scheme.Body{Reader: strings.NewReader("")}, nil)
	wantCode(t, err, scheme.CodeUnsupported, "update")
	for _, err := range c.List(t.Context(), r, nil) {
		wantCode(t, err, scheme.CodeUnsupported, "cannot be listed")
	}
}

// The policy checks the first URL and each hop before the scheme is called.
func TestReferral(t *testing.T) {
	t.Parallel()
	p := &asked{}
	c := New(Options{Policy: p, Registry: scheme.NewRegistry(fake{name: "http", access: func(_ context.Context, _ *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
		switch r.URL.Text() {
		case "http://a/":
			return refer("http://b/x"), nil
		case "http://b/x":
			if r.From == nil || r.From.N != 1 || r.From.Kind != scheme.HopRedirect || r.From.From.Text() != "http://a/" {
				return nil, fmt.Errorf("hop %+v", r.From)
			}
			return text("there"), nil
		case "http://many/":
			return refer("http://gone/", "http://b/x", "http://never/"), nil
		}
		return nil, scheme.Fail(scheme.CodeUnreachable, "no such host")
	}})})
	got, err := get(t, c, "http://a/")
	if got != "there" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if want := []string{"http://a/", "http://b/x"}; !slices.Equal(p.urls, want) {
		t.Errorf("policy was asked about %q, want %q", p.urls, want)
	}
	p.urls = nil
	p.url = func(u locator.URL, h scheme.Hop) error {
		if h.Kind != scheme.HopDirect {
			return scheme.Fail(scheme.CodeRefused, "no hops today")
		}
		return nil
	}
	_, err = get(t, c, "http://a/")
	wantCode(t, err, scheme.CodeRefused, "http://b/x", "no hops")
}

// The targets of a referral are tried in order; if none works, the first error is returned.
func TestReferralToMany(t *testing.T) {
	t.Parallel()
	c := New(Options{Policy: &asked{}, Registry: scheme.NewRegistry(fake{name: "http", access: func(_ context.Context, _ *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
		switch r.URL.Host() {
		case "many":
			return refer("http://gone/", "http://b/", "http://never/"), nil
		case "none":
			return refer("http://gone/", "http://never/"), nil
		case "b":
			return text("mirror"), nil
		}
		return nil, scheme.Fail(scheme.CodeUnreachable, "no host %s", r.URL.Host())
	}})})
	if got, err := get(t, c, "http://many/"); got != "mirror" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	_, err := get(t, c, "http://none/")
	wantCode(t, err, scheme.CodeUnreachable, "no host gone")
}

func TestReferralLoop(t *testing.T) {
	t.Parallel()
	n := 0
	c := New(Options{Policy: &asked{}, Limits: scheme.Limits{Hops: 3}, Registry: scheme.NewRegistry(fake{name: "http", access: func(_ context.Context, _ *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
		n++
		return refer(r.URL.Text()), nil
	}})})
	_, err := get(t, c, "http://a/")
	wantCode(t, err, scheme.CodeProtocol, "loop")
	if n != 4 {
		t.Errorf("%d accesses, want 4", n)
	}
}

// Covers: P3
// Credentials are dropped on a redirect to another host, and used again on the original host.
func TestCredentialsOnHops(t *testing.T) {
	t.Parallel()
	type seen struct {
		header   []string
		user, pw string
		ok       bool
	}
	var got []seen
	target := ""
	c := New(Options{
		Policy: &asked{}, Header: []string{"Authorization: Bearer t", "X-A: 1", "cookie: c"},
		Logins: []scheme.LoginFunc{FixedLogin("bob", "b")},
		Registry: scheme.NewRegistry(fake{name: "ftp", access: func(ctx context.Context, env *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
			u, p, ok, err := env.Login(ctx, scheme.LoginRequest{Host: r.URL.Host()})
			got = append(got, seen{env.Header, u, p, ok})
			if r.From == nil {
				return refer(target), err
			}
			return text(""), err
		}}),
	})
	for _, test := range []struct {
		first, then string
		header      int
		user        string
		ok          bool
	}{
		{"ftp://alice:a%20a@one/", "ftp://one/x", 3, "alice", true},
		{"ftp://one/", "ftp://one:21/x", 3, "bob", true},
		{"ftp://alice:a@one/", "ftp://two/x", 1, "", false},
		{"ftp://one/", "ftp://one:8080/x", 1, "", false},
		{"ftp://one/", "ftp://ONE/x", 3, "bob", true},
	} {
		got, target = nil, test.then
		if _, err := get(t, c, test.first); err != nil {
			t.Fatal(err)
		}
		last := got[len(got)-1]
		if len(last.header) != test.header || last.user != test.user || last.ok != test.ok {
			t.Errorf("%s to %s: %+v", test.first, test.then, last)
		}
	}
}

// Covers: P3
// A login for the server of a menu is not sent to the servers of its items.
func TestCredentialsOnItems(t *testing.T) {
	t.Parallel()
	known := false
	c := New(Options{Policy: &asked{}, Logins: []scheme.LoginFunc{FixedLogin("bob", "b")},
		Registry: scheme.NewRegistry(fake{name: "ftp", access: func(ctx context.Context, env *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
			var err error
			_, _, known, err = env.Login(ctx, scheme.LoginRequest{Host: r.URL.Host()})
			return text(""), err
		}})})
	for _, test := range []struct {
		from scheme.Hop
		to   string
		want bool
	}{
		{scheme.Hop{Kind: scheme.HopMenuItem, From: parse("ftp://one/"), N: 1}, "ftp://one/x", true},
		{scheme.Hop{Kind: scheme.HopMenuItem, From: parse("ftp://one/"), N: 1}, "ftp://two/x", false},
		{scheme.Hop{Kind: scheme.HopMenuItem, From: parse("ftp://two/"), N: 2, Foreign: true}, "ftp://two/x", false},
	} {
		if _, err := c.Access(t.Context(), scheme.Request{URL: parse(test.to), From: &test.from}, nil); err != nil {
			t.Fatal(err)
		}
		if known != test.want {
			t.Errorf("%+v to %s: login known %v", test.from, test.to, known)
		}
	}
}

// Covers: P3
func TestErrorParts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		err  error
		code scheme.Code
		is   error
		say  string
	}{
		{scheme.Replied(scheme.CodeNotFound, "550 no", "no such file"), scheme.CodeNotFound, fs.ErrNotExist, "server: 550 no"},
		{fmt.Errorf("in between: %w", scheme.Replied(scheme.CodeNotFound, "550 no", "no such file")), scheme.CodeNotFound, fs.ErrNotExist, "in between"},
		{io.ErrUnexpectedEOF, scheme.CodeBroken, io.ErrUnexpectedEOF, "too early"},
		{&net.OpError{Op: "dial", Err: errors.New("refused")}, scheme.CodeUnreachable, nil, "refused"},
		{&net.DNSError{Err: "no such host", Name: "h"}, scheme.CodeUnreachable, nil, "no such host"},
		{&net.DNSError{Err: "no such host", Name: "h", IsNotFound: true}, scheme.CodeUnreachable, nil, "check the spelling"},
		{&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, scheme.CodeUnreachable, syscall.ECONNREFUSED, "no server is listening"},
		{&net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded}, scheme.CodeUnreachable, nil, "before the timeout"},
		{errors.New("a name \x1b]0;x\a"), scheme.CodeProtocol, nil, `a name \x1b]0;x\x07`},
		{scheme.Fail(scheme.CodeRefused, "%w", x509.HostnameError{Certificate: &x509.Certificate{DNSNames: []string{"\x1b[2J"}}, Host: "h"}),
			scheme.CodeRefused, nil, `\x1b[2J`},
		{fmt.Errorf("around \n: %w", scheme.Fail(scheme.CodeNotFound, "no such file")), scheme.CodeNotFound, fs.ErrNotExist, `around \x0a: no such file`},
		{&net.OpError{Op: "read", Err: context.DeadlineExceeded}, scheme.CodeBroken, nil, ""},
		{errors.New("strange"), scheme.CodeProtocol, nil, "strange"},
		{&fs.PathError{Op: "open", Path: "x", Err: fs.ErrPermission}, scheme.CodeLocal, fs.ErrPermission, "open x"},
	} {
		c := New(Options{Policy: &asked{}, Registry: scheme.NewRegistry(fake{name: "ftp", access: func(context.Context, *scheme.Env, scheme.Request) (*scheme.Resource, error) {
			return nil, test.err
		}})})
		_, err := get(t, c, "ftp://u:hunter2@h/x")
		wantCode(t, err, test.code, "access ftp://u:****@h/x: ", test.say)
		if test.is != nil && !errors.Is(err, test.is) {
			t.Errorf("%v is not %v", err, test.is)
		}
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	c := New(Options{Policy: &asked{}, Registry: scheme.NewRegistry(fake{name: "x-a", access: func(ctx context.Context, _ *scheme.Env, _ scheme.Request) (*scheme.Resource, error) {
		<-ctx.Done()
		return nil, net.ErrClosed
	}})})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := c.Access(ctx, scheme.Request{URL: parse("x-a:b")}, nil)
	wantCode(t, err, scheme.CodeInterrupted)
	ctx, cancel = context.WithTimeout(t.Context(), 1)
	defer cancel()
	_, err = c.Access(ctx, scheme.Request{URL: parse("x-a:b")}, nil)
	wantCode(t, err, scheme.CodeBroken)
}

// Covers: P5
// A hop from a resource on a public address has FromPublic set, also over a pooled connection.
func TestFromPublic(t *testing.T) {
	t.Parallel()
	p := &asked{addr: func(d scheme.Dial, a netip.AddrPort) error {
		if d.FromPublic && a.Addr().IsPrivate() {
			return scheme.Fail(scheme.CodeRefused, "from public to private")
		}
		return nil
	}}
	dials := 0
	c := New(Options{
		Policy: p, Dial: pipeDial(func(string, net.Conn) {}),
		Registry: scheme.NewRegistry(fake{name: "http", access: func(ctx context.Context, env *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
			_, _, release, err := env.Keep(ctx, r.URL.Host(), func(ctx context.Context) (scheme.Kept, error) {
				dials++
				return env.Dial(ctx, scheme.Dial{Addr: r.URL.Host() + ":80"})
			})
			if err != nil {
				return nil, err
			}
			release(true)
			if r.URL.Host() == "192.88.98.1" {
				return refer("http://10.0.0.1/"), nil
			}
			return text("private"), nil
		}}),
	})
	for range 2 {
		_, err := get(t, c, "http://192.88.98.1/")
		wantCode(t, err, scheme.CodeRefused, "http://10.0.0.1/")
	}
	if dials != 3 { // one to the public server, two failed ones to the private server
		t.Errorf("%d connections: none was pooled", dials)
	}
	if got, err := get(t, c, "http://10.0.0.1/"); got != "private" || err != nil {
		t.Errorf("direct: %q, %v", got, err)
	}
}

// Max limits the entries of every scheme. A scheme that is no Lister cannot copy the bytes of a listing, and says so.
//
// Covers: A15
func TestListOptionsWithoutLister(t *testing.T) {
	t.Parallel()
	c := New(Options{Policy: &asked{}, Registry: scheme.NewRegistry(fake{"x-a", func(context.Context, *scheme.Env, scheme.Request) (*scheme.Resource, error) {
		return &scheme.Resource{Kind: scheme.KindListing, Entries: func(yield func(scheme.Entry, error) bool) {
			for range 5 {
				if !yield(scheme.Entry{Name: "a"}, nil) {
					return
				}
			}
		}}, nil
	}})})
	for most, want := range []int{5, 1, 2} {
		n := 0
		for _, err := range c.List(t.Context(), scheme.Request{URL: parse("x-a:b")}, &scheme.ListOptions{Max: most}) {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		if n != want {
			t.Errorf("Max %d: %d entries, want %d", most, n, want)
		}
	}
	for _, err := range c.List(t.Context(), scheme.Request{URL: parse("x-a:b")}, &scheme.ListOptions{Copy: io.Discard}) {
		wantCode(t, err, scheme.CodeUnsupported)
	}
}

// digests is a scheme whose server fails to compute a checksum.
type digests struct{ fake }

func (digests) Digest(context.Context, *scheme.Env, scheme.Request) (algorithm, value string, err error) {
	return "", "", scheme.Fail(scheme.CodeUnavailable, "not now")
}

// An error of Digest names this operation.
func TestDigestError(t *testing.T) {
	t.Parallel()
	c := New(Options{Policy: &asked{}, Registry: scheme.NewRegistry(digests{fake{name: "x-a"}})})
	_, _, err := c.Digest(t.Context(), scheme.Request{URL: parse("x-a:b")})
	if e, ok := errors.AsType[*scheme.Error](err); !ok || e.Op != scheme.OpDigest {
		t.Errorf("%v", err)
	}
}
