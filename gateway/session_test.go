package gateway

import (
	"net/url"
	"strings"
	"testing"

	"locator"
)

// The page of a session connects to nothing, and shows what its URL suggests.
func TestSessionPage(t *testing.T) {
	t.Parallel()
	srv := startTelnet(t)
	s := serve(t, Options{}, srv.URL())
	u := locator.MustParse(strings.Replace(srv.URL().Text(), "//", "//guest%3Cb%3E@", 1))
	r := s.page(u)
	addr, _ := u.Addr()
	for _, want := range []string{"guest&lt;b&gt;", "data-socket=\"/-/session/" + u.Text() + "\"", "<code>telnet " + strings.Replace(addr, ":", " ", 1) + "</code>"} {
		if !strings.Contains(r.body, want) {
			t.Errorf("no %q in the page", want)
		}
	}
	nonce := between(r.body, `nonce="`, `"`)
	policy := r.header.Get("Content-Security-Policy")
	if r.status != 200 || len(nonce) < 20 || !strings.Contains(policy, "style-src 'self' 'nonce-"+nonce+"';") || strings.Contains(policy, "unsafe") {
		t.Errorf("status %d, nonce %q, policy %q", r.status, nonce, policy)
	}
	if again := between(s.page(u).body, `nonce="`, `"`); again == nonce {
		t.Error("two pages have the same nonce")
	}
	if len(r.body) > 40<<10 {
		t.Errorf("the page has %d bytes", len(r.body))
	}
	if len(srv.Received()) > 0 || len(srv.Events()) > 0 {
		t.Error("the page was connected to the server")
	}
}

// A password is in no address, page, log or cookie, until the user of this browser asks to see it.
//
// Covers: GW66
func TestSessionSecret(t *testing.T) {
	t.Parallel()
	srv := startTelnet(t)
	s := serve(t, Options{}, srv.URL())
	const password = "s3cr<t"
	r := s.get("/" + srv.LoginURL("guest", password).Text())
	to := r.header.Get("Location")
	if r.status != 303 || strings.Contains(to, "s3cr") {
		t.Fatalf("status %d to %q", r.status, to)
	}
	page := s.get(to)
	if strings.Contains(page.body, "s3cr") || !strings.Contains(page.body, "Show the password") {
		t.Error("the page has the password, or does not offer it")
	}
	if r := s.post(to, url.Values{}); !strings.Contains(r.body, "<code>s3cr&lt;t</code>") {
		t.Errorf("the password is not shown: status %d", r.status)
	}
	if r := s.post(to, url.Values{"token": {"x"}}); r.status != 403 || strings.Contains(r.body, "s3cr") {
		t.Errorf("without a token: status %d", r.status)
	}
	other := &site{t: t, addr: s.addr, g: s.g, cookies: map[string]string{}}
	if body := other.get(to).body + other.post(to, url.Values{}).body; strings.Contains(body, "s3cr") || strings.Contains(body, "Show the password") {
		t.Error("another browser gets the password")
	}
	for _, c := range s.cookies {
		if strings.Contains(c, "s3cr") {
			t.Errorf("cookie %q", c)
		}
	}
	if strings.Contains(s.log.String(), "s3cr") {
		t.Error("the log has the password")
	}
}

func TestSecretsLimit(t *testing.T) {
	t.Parallel()
	var all secrets
	for i := range maxSecrets * 3 {
		all.put(strings.Repeat("k", i), "x")
	}
	all.put("long", strings.Repeat("x", maxSecretSize+1))
	if _, ok := all.get("long"); ok || len(all.all) > maxSecrets {
		t.Errorf("%d secrets are kept", len(all.all))
	}
}

// between returns the part of a text after one and before another.
func between(text, before, after string) string {
	_, text, _ = strings.Cut(text, before)
	text, _, _ = strings.Cut(text, after)
	return text
}
