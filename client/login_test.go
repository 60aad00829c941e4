package client

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"locator"
	"locator/policy"
	"locator/scheme"
	"locator/scheme/form"
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

// TestSamePort checks that a login for a host is not used for another protocol on the port of the
// URL that the user named.
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

// A mirror on the server of an entry that another server named is as foreign as the entry itself.
//
// Covers: P3, T68
func TestMirrorLogin(t *testing.T) {
	t.Parallel()
	s := &pages{name: "http"}
	s.next = func(string) string { return "" }
	c := New(Options{Registry: scheme.NewRegistry(s), Logins: []scheme.LoginFunc{FixedLogin("bob", "b")},
		Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
			if len(s.seen) == 1 {
				return nil, &net.OpError{Op: "dial", Err: fmt.Errorf("down")}
			}
			return nobody(ctx, network, addr)
		}})
	menu := scheme.Hop{Kind: scheme.HopMenuItem, From: parse("http://" + public + "/menu"), N: 1, FromPublic: true}
	res, err := c.Access(t.Context(), scheme.Request{URL: parse("http://192.88.98.2/x"), From: &menu, Mirrors: []locator.URL{parse("http://192.88.98.2/y")}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	res.Close()
	if got := strings.Join(s.logins, " "); got != "false" {
		t.Errorf("logins %q at %q", got, s.seen)
	}
}

// A login for another host than that of the URL is for a host that a server named.
//
// Covers: P3, T68
func TestLoginOtherHost(t *testing.T) {
	t.Parallel()
	got := map[string]string{}
	c := New(Options{Dial: nobody, Policy: policy.New(policy.Options{}), Logins: []scheme.LoginFunc{FixedLogin("bob", "b")},
		Registry: scheme.NewRegistry(fake{name: "ftp", access: func(ctx context.Context, env *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
			for host, port := range map[string]uint16{"a.example": 21, "A.example": 21, "b.example": 21} {
				user, _, ok, err := env.Login(ctx, scheme.LoginRequest{Host: host, Port: port})
				if err != nil {
					return nil, err
				}
				got[host] = fmt.Sprint(user, ok)
			}
			return text(""), nil
		}})})
	if _, err := get(t, c, "ftp://a.example/x"); err != nil {
		t.Fatal(err)
	}
	if got["a.example"] != "bobtrue" || got["A.example"] != "bobtrue" || got["b.example"] != "false" {
		t.Errorf("%v", got)
	}
}

// The login in the URL that the user named is for that server alone, and not for a configured
// server that a listing of it leads to.
//
// Covers: P3, T68
func TestLoginConfigured(t *testing.T) {
	t.Parallel()
	got := map[string]string{}
	login := func(ctx context.Context, env *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
		user, password, ok, err := env.Login(ctx, scheme.LoginRequest{Host: r.URL.Host(), Port: portOf(r.URL)})
		got[r.URL.Text()] = fmt.Sprint(user, ":", password, " ", ok)
		return text(""), err
	}
	c := New(Options{Dial: nobody, Policy: policy.New(policy.Options{}),
		Servers:  map[string][]locator.URL{"nntp": {parse("nntp://news.example/x")}, "ftp": {parse("ftp://other.example/")}},
		Registry: scheme.NewRegistry(fake{"nntp", login}, fake{"ftp", login})})
	for url, want := range map[string]string{
		"nntp://news.example/comp.x": ": false",
		"ftp://other.example/x":      ": false",
		"ftp://files.example/x":      "alice:secret true",
	} {
		hop := scheme.Hop{Kind: scheme.HopMenuItem, From: parse("ftp://alice:secret@files.example/dir/"), N: 1, FromPublic: true}
		if _, err := read(t, c, scheme.Request{URL: parse(url), From: &hop}); err != nil || got[url] != want {
			t.Errorf("%s: login %q, %v; want %q", url, got[url], err, want)
		}
	}
}

// move is a scheme whose Replace is redirected.
type move struct{ fake }

func (move) Replace(_ context.Context, _ *scheme.Env, r scheme.Request, b scheme.Body, _ scheme.WriteOptions) (*scheme.Resource, error) {
	io.Copy(io.Discard, b)
	res := refer("x-move:a")
	res.Status = "307"
	return res, nil
}

// lists is a scheme whose List returns no listing.
type lists struct{ fake }

func (lists) List(context.Context, *scheme.Env, scheme.Request, scheme.ListOptions) (*scheme.Resource, error) {
	return &scheme.Resource{Kind: scheme.KindQuery, Form: &form.Form{}}, nil
}

// An address is judged as one however it is written, also where a proxy connects.
//
// Covers: P5, T182
func TestProxiedAddress(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"http", "socks5h"} {
		for _, host := range []string{"127.0.0.1", "127.0.0.1.", "10.0.0.1.", "0177.0.0.1", "012.0.0.1"} {
			var dialled []string
			c := New(Options{Dial: func(_ context.Context, _, addr string) (net.Conn, error) {
				dialled = append(dialled, addr)
				return nil, &net.OpError{Op: "dial", Err: fmt.Errorf("down")}
			}, Proxy: func(string, string) (*scheme.Proxy, error) {
				return &scheme.Proxy{Kind: kind, Addr: "192.88.98.7:1080"}, nil
			}, Registry: scheme.NewRegistry(speaker{fake{name: "http", access: func(ctx context.Context, env *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
				p := scheme.Dial{Addr: r.URL.Host() + ":80"}
				if env.Proxy != nil {
					p = scheme.Dial{Purpose: scheme.ForProxy, Addr: env.Proxy.Addr}
				}
				conn, err := env.Dial(ctx, p)
				if err != nil {
					return nil, err
				}
				conn.Close()
				return text(""), nil
			}}})})
			hop := scheme.Hop{Kind: scheme.HopRedirect, From: parse("http://" + public + "/"), N: 1, FromPublic: true}
			_, err := read(t, c, scheme.Request{URL: parse("http://" + host + "/"), From: &hop})
			if want := host == "012.0.0.1" || host == "0177.0.0.1"; len(dialled) > 0 != want || !want && CodeOf(err) != scheme.CodeRefused {
				t.Errorf("%s through %s: %v, dialled %q", host, kind, err, dialled)
			}
		}
	}
}

// speaker is a scheme that can talk to HTTP proxies.
type speaker struct{ fake }

func (speaker) SpeaksTo(string) bool { return true }

// A server that leads to another host cannot choose the service to which the password of that host
// is sent: it takes TLS, or the scheme and port of the URL that the user named.
//
// Covers: P3, T67
func TestNetrcAcrossHops(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "netrc")
	if err := os.WriteFile(file, []byte("machine 192.88.98.2 login alice password a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const evil = "192.88.98.9"
	for _, test := range []struct {
		chain []string
		want  bool
	}{
		{[]string{"http://192.88.98.2/"}, true},
		{[]string{"http://192.88.98.2:8080/"}, true},
		{[]string{"http://" + public + "/", "http://192.88.98.2/"}, true},
		{[]string{"http://" + public + "/", "http://192.88.98.2:80/"}, true},
		{[]string{"http://" + public + "/", "http://192.88.98.2:8080/"}, false},
		{[]string{"http://" + public + ":8080/", "http://192.88.98.2:8080/"}, true},
		{[]string{"http://" + public + "/", "https://192.88.98.2:8443/"}, true},
		{[]string{"https://" + public + "/", "http://192.88.98.2/"}, false},
		{[]string{"https://" + public + "/", "https://192.88.98.2/"}, true},
		{[]string{"https://" + public + "/", "http://" + evil + ":8080/", "http://192.88.98.2:8080/"}, false},
		{[]string{"http://" + public + "/", "http://" + evil + ":8080/", "http://192.88.98.2/"}, true},
	} {
		got := false
		serve := func(ctx context.Context, env *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
			for i, u := range test.chain[:len(test.chain)-1] {
				if r.URL.Text() == u {
					return refer(test.chain[i+1]), nil
				}
			}
			_, _, ok, err := env.Login(ctx, scheme.LoginRequest{Host: r.URL.Host(), Secure: r.URL.Scheme() == "https"})
			got = ok
			return text(""), err
		}
		c := New(Options{Policy: &asked{}, Logins: []scheme.LoginFunc{Netrc(file, false)}, Registry: scheme.NewRegistry(fake{"http", serve}, fake{"https", serve})})
		if _, err := get(t, c, test.chain[0]); err != nil || got != test.want {
			t.Errorf("%s: login %v, %v; want %v", strings.Join(test.chain, " "), got, err, test.want)
		}
		if len(test.chain) < 3 {
			continue
		}
		// A caller that follows the hops itself has the last one only.
		hop := scheme.Hop{Kind: scheme.HopRedirect, From: parse(test.chain[1]), N: 2, Foreign: true}
		if _, err := read(t, c, scheme.Request{URL: parse(test.chain[2]), From: &hop}); err != nil || got {
			t.Errorf("%s: login %v, %v", strings.Join(test.chain[1:], " "), got, err)
		}
	}
}

// Under a policy without logins, no source of logins is asked, and header lines of the client that
// may be meant for one server are not sent. What a request brings along is.
//
// Covers: P3
func TestNoLogins(t *testing.T) {
	t.Parallel()
	asked := false
	source := func(context.Context, scheme.LoginRequest) (string, string, bool, error) {
		asked = true
		return "u", "p", true, nil
	}
	var header []string
	c := New(Options{Policy: policy.New(policy.Options{NoLogins: true}), Logins: []scheme.LoginFunc{source},
		Header: []string{"X-Key: k", "Accept: text/*"}, HeaderAll: []string{"X-All: a"},
		Registry: scheme.NewRegistry(fake{name: "http", access: func(ctx context.Context, env *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
			header = r.Header
			user, _, ok, err := env.Login(ctx, scheme.LoginRequest{Host: r.URL.Host()})
			return text(fmt.Sprint(user, ok)), err
		}})})
	for _, p := range []*scheme.Principal{nil, {ID: "me", Logins: []scheme.LoginFunc{source}}} {
		body, err := read(t, c, scheme.Request{URL: parse("http://h/"), Principal: p, Header: []string{"X-Own: o"}})
		if err != nil || body != "false" || asked {
			t.Errorf("login %q, asked %v, %v", body, asked, err)
		}
		if got := strings.Join(header, "|"); got != "X-Own: o|Accept: text/*|X-All: a" {
			t.Errorf("header %q", got)
		}
	}
}
