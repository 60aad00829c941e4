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
	"strings"
	"syscall"
	"testing"
	"time"

	"locator"
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
		{&net.OpError{Op: "read", Err: syscall.ECONNREFUSED}, scheme.CodeUnreachable, syscall.ECONNREFUSED, "no server is listening"}, // over UDP
		{&net.OpError{Op: "read", Err: syscall.ECONNRESET}, scheme.CodeBroken, syscall.ECONNRESET, "the server broke the connection off"},
		{fmt.Errorf("%w: %w", io.ErrUnexpectedEOF, &net.OpError{Op: "read", Err: syscall.ECONNRESET}), scheme.CodeBroken, io.ErrUnexpectedEOF, "the server broke the connection off"},
		{&net.OpError{Op: "read", Err: syscall.ETIMEDOUT}, scheme.CodeBroken, syscall.ETIMEDOUT, ""},
		{&net.OpError{Op: "read", Err: syscall.EHOSTUNREACH}, scheme.CodeBroken, syscall.EHOSTUNREACH, ""},
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

type closing func()

func (f closing) Close() error { f(); return nil }

// A resource that is not newer than the caller's copy is not modified, even if the scheme does not look at the condition.
//
// Covers: A6
func TestModifiedSince(t *testing.T) {
	t.Parallel()
	since := time.Date(2026, 1, 2, 3, 4, 5, 500, time.UTC)
	for _, tt := range []struct {
		name string
		attr scheme.Attr
		cond scheme.Conditions
		want bool
	}{
		{"older", scheme.Attr{Modified: since.Add(-time.Hour)}, scheme.Conditions{ModifiedSince: since}, true},
		{"equal", scheme.Attr{Modified: since}, scheme.Conditions{ModifiedSince: since}, true},
		{"newer", scheme.Attr{Modified: since.Add(time.Second)}, scheme.Conditions{ModifiedSince: since}, false},
		{"time unknown", scheme.Attr{}, scheme.Conditions{ModifiedSince: since}, false},
		{"time of the day only", scheme.Attr{Modified: since.Truncate(24 * time.Hour), Precision: scheme.PrecisionDay}, scheme.Conditions{ModifiedSince: since}, false},
		{"no condition", scheme.Attr{Modified: since.Add(-time.Hour)}, scheme.Conditions{}, false},
		{"an entity tag goes first", scheme.Attr{Modified: since.Add(-time.Hour)}, scheme.Conditions{ModifiedSince: since, NoneMatch: `"1"`}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			closed := false
			c := New(Options{Policy: &asked{}, Registry: scheme.NewRegistry(fake{name: "x-a", access: func(context.Context, *scheme.Env, scheme.Request) (*scheme.Resource, error) {
				res := text("body")
				res.Attr, res.Status, res.Closer = tt.attr, "200", closing(func() { closed = true })
				return res, nil
			}})})
			res, err := c.Access(t.Context(), scheme.Request{URL: parse("x-a:b")}, &scheme.AccessOptions{If: tt.cond})
			if err != nil {
				t.Fatal(err)
			}
			defer res.Close()
			if res.NotModified != tt.want || noContent(res) != tt.want || closed != tt.want || res.Status != "200" || !res.Attr.Modified.Equal(tt.attr.Modified) {
				t.Errorf("closed %v: %+v", closed, res)
			}
		})
	}
}

// noContent reports whether the Body of a resource returns an error at once.
func noContent(res *scheme.Resource) bool {
	_, err := res.Body.Read(make([]byte, 1))
	return err != nil && err != io.EOF
}

// Covers: P5, T172
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
