package client

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"locator"
	"locator/scheme"
)

// Covers: A1
func TestNetrc(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "netrc")
	if err := os.WriteFile(file, []byte("machine h login alice password a\ndefault login d password p\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	source := Netrc(file, false)
	for _, test := range []struct {
		l    scheme.LoginRequest
		user string
		ok   bool
	}{
		{scheme.LoginRequest{Host: "H"}, "alice", true},
		{scheme.LoginRequest{Host: "h", User: locator.Some("alice")}, "alice", true},
		{scheme.LoginRequest{Host: "h", User: locator.Some("bob")}, "", false},
		{scheme.LoginRequest{Host: "other"}, "d", true},
		{scheme.LoginRequest{Host: "other", Foreign: true}, "", false},
		{scheme.LoginRequest{Host: "h", Foreign: true}, "", false},
		{scheme.LoginRequest{Host: "h", Foreign: true, Secure: true}, "alice", true},
		{scheme.LoginRequest{Host: "h", Foreign: true, SamePort: true}, "alice", true},
		{scheme.LoginRequest{Host: "other", Foreign: true, Secure: true, SamePort: true}, "", false},
		{scheme.LoginRequest{Host: "h", Attempt: 1}, "", false},
		{scheme.LoginRequest{Host: "h", Account: true}, "alice", false},
	} {
		user, _, ok, err := source(context.Background(), test.l)
		if user != test.user || ok != test.ok || err != nil {
			t.Errorf("%+v: %q %v %v", test.l, user, ok, err)
		}
	}
	missing := filepath.Join(t.TempDir(), "none")
	if _, _, ok, err := Netrc(missing, true)(context.Background(), scheme.LoginRequest{}); ok || err != nil {
		t.Errorf("optional: %v %v", ok, err)
	}
	_, _, _, err := Netrc(missing, false)(context.Background(), scheme.LoginRequest{})
	wantCode(t, err, scheme.CodeLocal, "netrc")
}

// TestSamePort checks that a login for a host is not used for another protocol on the port of the URL that the user named.
func TestSamePort(t *testing.T) {
	t.Parallel()
	parse := func(text string) locator.URL {
		u, err := locator.Current.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	op := &operation{origin: parse("https://a.example:8443/"), r: scheme.Request{URL: parse("http://b.example:8443/")}}
	for _, tt := range []struct {
		l    scheme.LoginRequest
		want bool
	}{
		{scheme.LoginRequest{Scheme: "https", Port: 8443}, true},
		{scheme.LoginRequest{Scheme: "https"}, true},
		{scheme.LoginRequest{Scheme: "http", Port: 8443}, false},
		{scheme.LoginRequest{Scheme: "https", Port: 443}, false},
	} {
		if got := op.samePort(tt.l); got != tt.want {
			t.Errorf("%s, port %d: %v", tt.l.Scheme, tt.l.Port, got)
		}
	}
	op.via = []scheme.Hop{{Foreign: true}}
	if op.samePort(scheme.LoginRequest{Scheme: "https", Port: 8443}) {
		t.Error("the first URL is not known")
	}
}

func TestFixedLogin(t *testing.T) {
	t.Parallel()
	source := FixedLogin("alice", "a")
	for _, test := range []struct {
		l  scheme.LoginRequest
		ok bool
	}{
		{scheme.LoginRequest{}, true},
		{scheme.LoginRequest{User: locator.Some("alice")}, true},
		{scheme.LoginRequest{User: locator.Some("bob")}, false},
		{scheme.LoginRequest{Foreign: true}, false},
		{scheme.LoginRequest{Attempt: 1}, false},
		{scheme.LoginRequest{Account: true}, false},
	} {
		if _, _, ok, _ := source(context.Background(), test.l); ok != test.ok {
			t.Errorf("%+v: %v", test.l, ok)
		}
	}
}
