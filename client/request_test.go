package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/scheme"
	"locator/scheme/form"
)

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

// The size of the cache is limited.
//
// Covers: P6
func TestCacheBound(t *testing.T) {
	t.Parallel()
	c := New(Options{Policy: &asked{}, Registry: scheme.NewRegistry(fake{name: "http"})})
	err := c.Do(t.Context(), scheme.Request{URL: parse("http://h/")}, func(_ context.Context, env *scheme.Env, _ scheme.Scheme) error {
		for i := range maxCached + 100 {
			env.Cache.Put(fmt.Sprint(i), i, time.Hour)
		}
		if v, ok := env.Cache.Get(fmt.Sprint(maxCached + 99)); !ok || v != maxCached+99 {
			t.Errorf("the last fact is %v, %v", v, ok)
		}
		return nil
	})
	if err != nil || len(c.cache.m) > maxCached {
		t.Errorf("%v; %d facts", err, len(c.cache.m))
	}
}

// handClock is a clock that a test sets.
type handClock struct {
	scheme.SystemClock
	now time.Time
}

func (c *handClock) Now() time.Time { return c.now }

// Trace, header, limits, notes and progress of a request are used in addition to those of the client, or override them.
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
			return text(fmt.Sprint(strings.Join(env.Header, ","), " ", env.Limits.Line, " ", env.Limits.Entries)), nil
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
	if o.Raw {
		return refer("http://h/result"), nil
	}
	return text("thanks for " + o.Answers[0].Value), nil
}

func (f *forms) Fill(r scheme.Request, _ *form.Form, answers []form.Answer) (locator.URL, bool) {
	return parse(r.URL.Text() + "?" + answers[0].Value), answers[0].Value != "secret"
}

// Submit checks the URL and that of the filled form against the policy, applies the limits, and follows a referral without
// the answers.
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
	if got, res, err = submit("y", scheme.SubmitOptions{Form: blank, Raw: true}); got != "the result" || err != nil || len(s.submitted) != 1 || len(res.Via) != 1 {
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
