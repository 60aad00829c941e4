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
	"locator/internal/clock"
	"locator/scheme"
	"locator/scheme/form"
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
	for _, err := range Entries(c.List(t.Context(), r, nil)) {
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

// A resource that is not newer than the caller's copy is not modified, even if the scheme does not
// look at the condition.
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
		{"time of the day only", scheme.Attr{Modified: since.Truncate(24 * time.Hour), Precision: 24 * time.Hour}, scheme.Conditions{ModifiedSince: since}, false},
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

// Max limits the entries of every scheme. A scheme that is no Lister cannot copy the bytes of a
// listing, and says so.
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
		for _, err := range Entries(c.List(t.Context(), scheme.Request{URL: parse("x-a:b")}, &scheme.ListOptions{Max: most})) {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		if n != want {
			t.Errorf("Max %d: %d entries, want %d", most, n, want)
		}
	}
	for _, err := range Entries(c.List(t.Context(), scheme.Request{URL: parse("x-a:b")}, &scheme.ListOptions{Copy: io.Discard})) {
		wantCode(t, err, scheme.CodeUnsupported)
	}
}

// Do calls a function with an Env that is valid until the function returns.
//
// Covers: P1, P5
func TestDo(t *testing.T) {
	t.Parallel()
	s := fake{name: "http"}
	p := &asked{}
	c := New(Options{Policy: p, Registry: scheme.NewRegistry(s), Dial: nobody})
	r := scheme.Request{URL: parse("http://h/")}
	var later *scheme.Env
	var bound context.Context
	err := c.Do(t.Context(), r, func(ctx context.Context, env *scheme.Env, got scheme.Scheme) error {
		if got.Syntax().Name != "http" {
			t.Errorf("another scheme: %v", got)
		}
		later, bound = env, ctx
		conn, err := env.Dial(ctx, scheme.Dial{Addr: "127.0.0.1:80"})
		if err != nil {
			return err
		}
		return conn.Close()
	})
	if err != nil || len(p.urls) != 1 || len(p.addrs) != 1 {
		t.Fatalf("%v; policy was asked about %q, %q", err, p.urls, p.addrs)
	}
	if bound.Err() == nil {
		t.Error("the context goes on after the function")
	}
	if _, err := later.Dial(t.Context(), scheme.Dial{Addr: "127.0.0.1:80"}); err == nil {
		t.Error("Dial works after the function")
	}
	if _, _, _, err := later.Keep(t.Context(), "k", func(context.Context) (scheme.Kept, error) { return &thing{}, nil }); err == nil {
		t.Error("Keep works after the function")
	}
	own := scheme.Fail(scheme.CodeNotFound, "no such thing")
	err = c.Do(t.Context(), r, func(context.Context, *scheme.Env, scheme.Scheme) error { return own })
	wantCode(t, err, scheme.CodeNotFound, "do http://h/: no such thing")
	p.url = func(locator.URL, scheme.Hop) error { return scheme.Fail(scheme.CodeRefused, "not that") }
	err = c.Do(t.Context(), r, func(context.Context, *scheme.Env, scheme.Scheme) error {
		t.Error("called, though policy refuses the URL")
		return nil
	})
	wantCode(t, err, scheme.CodeRefused, "not that")
}

// Principals do not share cache entries and pooled connections.
//
// Covers: P3, T69
func TestPrincipals(t *testing.T) {
	t.Parallel()
	clock := &handClock{now: time.Unix(0, 0)}
	var found string
	s := fake{name: "http", access: func(ctx context.Context, env *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
		v, known := env.Cache.Get("fact")
		_, reused, release, err := env.Keep(ctx, "k", func(context.Context) (scheme.Kept, error) {
			return &thing{addr: tcp("127.0.0.1:80")}, nil
		})
		if err != nil {
			return nil, err
		}
		release(true)
		user, _, _, err := env.Login(ctx, scheme.LoginRequest{})
		found = fmt.Sprint(v, known, reused, user)
		env.Cache.Put("fact", "of "+user, time.Minute)
		return text(""), err
	}}
	c := New(Options{Policy: &asked{}, Clock: clock, Registry: scheme.NewRegistry(s), Logins: []scheme.LoginFunc{FixedLogin("self", "s")}})
	defer c.Close()
	alice := &scheme.Principal{ID: "alice", Logins: []scheme.LoginFunc{FixedLogin("alice", "a")}}
	bob := &scheme.Principal{ID: "bob"}
	for _, step := range []struct {
		who  *scheme.Principal
		want string
	}{
		{alice, "<nil>falsefalsealice"},
		{bob, "<nil>falsefalse"},
		{nil, "<nil>falsefalseself"},
		{alice, "of alicetruetruealice"},
		{bob, "of truetrue"},
		{nil, "of selftruetrueself"},
		{&scheme.Principal{ID: "alice"}, "of alicetruetrue"}, // the ID identifies the principal
	} {
		if _, err := read(t, c, scheme.Request{URL: parse("http://h/"), Principal: step.who}); err != nil {
			t.Fatal(err)
		}
		if got := strings.ReplaceAll(found, " ", ""); got != strings.ReplaceAll(step.want, " ", "") {
			t.Errorf("%+v: %q, want %q", step.who, found, step.want)
		}
	}
	clock.now = clock.now.Add(time.Minute)
	if _, err := get(t, c, "http://h/"); err != nil || strings.Contains(found, "of ") {
		t.Errorf("a fact that has expired: %q, %v", found, err)
	}
	_, err := read(t, c, scheme.Request{URL: parse("http://h/"), Principal: &scheme.Principal{}})
	wantCode(t, err, scheme.CodeUsage, "ID")
}

// handClock is a clock that a test sets.
type handClock struct {
	clock.System
	now time.Time
}

func (c *handClock) Now() time.Time { return c.now }

// Trace, header, limits, notes and progress of a request are used in addition to those of the
// client, or override them.
func TestPerRequest(t *testing.T) {
	t.Parallel()
	var all, own []string
	c := New(Options{
		Policy: &asked{}, Header: []string{"X-A: client", "X-B: client"}, Limits: scheme.Limits{Line: 100, Entries: 7},
		Trace: &scheme.Trace{Note: func(text string) { all = append(all, text) }},
		Note:  func(_ locator.URL, text string) { all = append(all, "late "+text) },
		Registry: scheme.NewRegistry(fake{name: "http", access: func(_ context.Context, env *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
			env.Trace.OnNote("working")
			env.Tell("so it is")
			return text(fmt.Sprint(strings.Join(r.Header, ","), " ", env.Limits.Line, " ", env.Limits.Entries)), nil
		}})})
	if got, err := get(t, c, "http://h/"); got != "X-A: client,X-B: client 100 7" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if got := strings.Join(all, ","); got != "working,so it is,late so it is" {
		t.Errorf("the client was told %q", got)
	}
	all = nil
	n := 0
	r := scheme.Request{URL: parse("http://h/"), Header: []string{"x-a: request", "X-C: request"}, Limits: scheme.Limits{Line: 200},
		Trace:    &scheme.Trace{Note: func(text string) { own = append(own, text) }},
		Note:     func(u locator.URL, text string) { own = append(own, u.Text()+" "+text) },
		Progress: func(_ locator.URL, more int) { n += more },
	}
	const want = "x-a: request,X-C: request,X-B: client 200 7"
	if got, err := read(t, c, r); got != want || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if n != len(want) {
		t.Errorf("progress %d of %d", n, len(want))
	}
	if got := strings.Join(own, ","); got != "working,so it is,http://h/ so it is" || len(all) != 3 {
		t.Errorf("the request was told %q, the client %q", got, all)
	}
	r.Limits.Body = 5
	_, err := read(t, c, r)
	wantCode(t, err, scheme.CodeBroken, "limit of 5")
}

// Preflight reports whether an operation could start, without using the network.
//
// Covers: P1, A15
func TestPreflight(t *testing.T) {
	t.Parallel()
	s := &store{fake: fake{name: "http"}}
	steps := fake{name: "gopher"}
	c := New(Options{Registry: scheme.NewRegistry(s, explaining{steps}), Dial: nobody})
	for _, test := range []struct {
		op   scheme.Op
		r    scheme.Request
		code scheme.Code
	}{
		{scheme.OpAccess, scheme.Request{URL: parse("http://h/")}, scheme.CodeOK},
		{scheme.OpReplace, scheme.Request{URL: parse("http://h/")}, scheme.CodeOK},
		{scheme.OpRemove, scheme.Request{URL: parse("http://h/")}, scheme.CodeUnsupported},
		{scheme.OpAttributes, scheme.Request{URL: parse("gopher://h/")}, scheme.CodeUnsupported},
		{scheme.OpList, scheme.Request{URL: parse("gopher://h/0good")}, scheme.CodeOK}, // List falls back to Access
		{scheme.OpAccess, scheme.Request{URL: parse("wais://h/db")}, scheme.CodeUnsupported},
		{scheme.OpAccess, scheme.Request{URL: parse("http://h:25/")}, scheme.CodeRefused},
		{scheme.OpAccess, scheme.Request{}, scheme.CodeMalformed},
		{scheme.OpAccess, scheme.Request{URL: parse("gopher://h/0bad")}, scheme.CodeRefused},
		{scheme.OpAccess, scheme.Request{URL: parse("gopher://h/0good"), From: &scheme.Hop{Kind: scheme.HopRedirect, From: parse("http://h/"), N: 1}}, scheme.CodeRefused},
	} {
		if err := c.Preflight(test.op, test.r); CodeOf(err) != test.code {
			t.Errorf("%s %s: %v, want code %v", test.op, test.r.URL, err, test.code)
		}
		code := test.code
		if strings.HasSuffix(test.r.URL.Text(), "bad") { // which only Preflight sees
			code = scheme.CodeOK
		}
		if err := c.Supports(test.op, test.r); CodeOf(err) != code {
			t.Errorf("%s %s: Supports says %v, want code %v", test.op, test.r.URL, err, code)
		}
	}
	if s.head != nil {
		t.Error("the scheme was asked for more than its steps")
	}
}

// The error of Preflight is that of the operation.
//
// Covers: A15
func TestPreflightError(t *testing.T) {
	t.Parallel()
	c := New(Options{Policy: &asked{}, Registry: scheme.NewRegistry(fake{name: "x-a"})})
	r := scheme.Request{URL: parse("x-a:b")}
	body := scheme.Body{Reader: strings.NewReader("")}
	second := func(_ *scheme.Resource, err error) error { return err }
	for op, err := range map[scheme.Op]error{
		scheme.OpAttributes: second(c.Attributes(t.Context(), r, nil)),
		scheme.OpUpdate:     second(c.Update(t.Context(), r, body, nil)),
		scheme.OpReplace:    second(c.Replace(t.Context(), r, body, nil)),
		scheme.OpSubmit:     second(c.Submit(t.Context(), r, scheme.SubmitOptions{})),
		scheme.OpRemove:     c.Remove(t.Context(), r),
		scheme.OpRename:     c.Rename(t.Context(), r, r.URL),
		scheme.OpMakeDir:    c.MakeDir(t.Context(), r),
	} {
		before := c.Preflight(op, r)
		wantCode(t, before, scheme.CodeUnsupported, "it can: access")
		if before == nil || err == nil || before.Error() != err.Error() {
			t.Errorf("%s: Preflight says %v, and the operation %v", op, before, err)
		}
	}
}

// explaining is a fake whose Steps returns an error.
type explaining struct{ fake }

func (explaining) Steps(u locator.URL) ([]string, error) {
	if strings.HasSuffix(u.Text(), "bad") {
		return nil, scheme.Fail(scheme.CodeRefused, "cannot be sent")
	}
	return nil, nil
}

// forms is a scheme of one form.
type forms struct {
	fake
	submitted []scheme.SubmitOptions
}

func (f *forms) Submit(_ context.Context, _ *scheme.Env, r scheme.Request, o scheme.SubmitOptions) (*scheme.Resource, error) {
	f.submitted = append(f.submitted, o)
	if o.Raw != 0 {
		return refer("http://h/result"), nil
	}
	return text("thanks for " + o.Answers[0].Value), nil
}

func (f *forms) Fill(r scheme.Request, _ *form.Form, answers []form.Answer) (locator.URL, bool) {
	return parse(r.URL.Text() + "?" + answers[0].Value), answers[0].Value != "secret"
}

// Submit checks the URL and that of the filled form against the policy, applies the limits, and
// follows a referral without the answers.
//
// Covers: P1, P6
func TestSubmit(t *testing.T) {
	t.Parallel()
	s := &forms{fake: fake{name: "http", access: func(context.Context, *scheme.Env, scheme.Request) (*scheme.Resource, error) {
		return text("the result"), nil
	}}}
	p := &asked{}
	c := New(Options{Policy: p, Registry: scheme.NewRegistry(s), Limits: scheme.Limits{Body: 12}})
	r := scheme.Request{URL: parse("http://h/form")}
	blank := &form.Form{Fields: []form.Field{{Name: "Name"}}}
	submit := func(value string, o scheme.SubmitOptions) (string, *scheme.Resource, error) {
		o.Answers = []form.Answer{{Name: "Name", Value: value}}
		res, err := c.Submit(t.Context(), r, o)
		if err != nil {
			return "", nil, err
		}
		defer res.Close()
		b, err := io.ReadAll(res.Body)
		return string(b), res, err
	}
	got, res, err := submit("x", scheme.SubmitOptions{Form: blank})
	if got != "thanks for x" || err != nil || res.URL.Text() != "http://h/form?x" || strings.Join(p.urls, " ") != "http://h/form http://h/form?x" {
		t.Errorf("%q, %+v, %v; policy was asked about %q", got, res, err, p.urls)
	}
	if got, res, err = submit("secret", scheme.SubmitOptions{Form: blank}); CodeOf(err) != scheme.CodeBroken || res.URL.Text() != "http://h/form" {
		t.Errorf("over the limit: %q, %+v, %v", got, res, err)
	}
	s.submitted = nil
	if got, res, err = submit("y", scheme.SubmitOptions{Form: blank, Raw: scheme.RawAll}); got != "the result" || err != nil || len(s.submitted) != 1 || len(res.Via) != 1 {
		t.Errorf("after a referral: %q, %+v, %v; submitted %d times", got, res, err, len(s.submitted))
	}
	p.url = func(u locator.URL, _ scheme.Hop) error {
		if strings.Contains(u.Text(), "?") {
			return scheme.Fail(scheme.CodeRefused, "no filled forms")
		}
		return nil
	}
	s.submitted = nil
	_, _, err = submit("x", scheme.SubmitOptions{Form: blank})
	wantCode(t, err, scheme.CodeRefused, "no filled forms")
	if len(s.submitted) != 0 {
		t.Error("the answers were sent, though policy refuses them")
	}
	_, err = New(Options{Policy: &asked{}, Registry: scheme.NewRegistry(fake{name: "http"})}).Submit(t.Context(), r, scheme.SubmitOptions{Form: blank})
	wantCode(t, err, scheme.CodeUnsupported, "submit a form")
	if !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("%v", err)
	}
}
