package client

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"locator/scheme"
)

// A server that leads to another host cannot choose the service to which the password of that host is sent: it takes TLS, or the
// scheme and port of the URL that the user named.
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
