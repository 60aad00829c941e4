package client_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"locator"
	"locator/client"
	"locator/policy"
	"locator/scheme"
	"locator/scheme/all"
)

// logging is a policy around another one, as programs write it to log or to check more.
type logging struct {
	policy.Policy
	urls atomic.Int32
}

func (l *logging) URL(u locator.URL, h scheme.Hop) error {
	l.urls.Add(1)
	return l.Policy.URL(u, h)
}

// A policy that embeds that of Strangers has its limits and its ban on logins.
//
// Covers: P6, T181
func TestWrappedPolicy(t *testing.T) {
	t.Parallel()
	var login atomic.Bool
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, _, ok := r.BasicAuth(); ok {
			login.Store(true)
		}
		if r.URL.Path == "/login" {
			w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		for chunk, left := make([]byte, 1<<20), 100; left > 0; left-- {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	}))
	defer s.Close()
	for name, p := range map[string]policy.Policy{
		"wrapped": &logging{Policy: policy.Strangers()}, "wrapped twice": &logging{Policy: struct{ policy.Policy }{policy.Strangers()}},
	} {
		c := client.New(client.Options{Registry: all.Registry(), Policy: p, Logins: []scheme.LoginFunc{client.FixedLogin("me", "secret")},
			Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
				return (&net.Dialer{}).DialContext(ctx, network, s.Listener.Addr().String())
			}})
		defer c.Close()
		_, err := c.Access(t.Context(), scheme.Request{URL: parse(t, "http://8.8.8.8/login")}, nil)
		wantCode(t, name+": login", err, scheme.CodeLoginNeeded, "")
		res, err := c.Access(t.Context(), scheme.Request{URL: parse(t, "http://8.8.8.8/")}, nil)
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, res.Body)
		res.Close()
		if n != 64<<20 || client.CodeOf(err) != scheme.CodeBroken {
			t.Errorf("%s: %d bytes were read, %v", name, n, err)
		}
		if l := p.(*logging); l.urls.Load() != 2 {
			t.Errorf("%s: it was asked about %d URLs", name, l.urls.Load())
		}
	}
	if login.Load() {
		t.Error("a login was sent")
	}
}
