package client

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"locator"
	"locator/scheme"
)

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

// Covers: T55
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

// Credentials are dropped on a redirect to another host, and used again on the original host.
//
// Covers: P3, T65
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
		Policy: &asked{}, Header: []string{"Authorization: Bearer t", "Accept: text/*", "cookie: c"},
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

// Covers: P3, T65
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
