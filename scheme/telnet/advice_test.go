package telnet_test

import (
	"slices"
	"testing"

	"locator/client"
	"locator/scheme/telnet/telnettest"
)

// What the URL suggests is shown without control characters, and a password alone is none.
//
// Covers: S13, A10, P3, T33, T34
func TestAdvice(t *testing.T) {
	t.Parallel()
	s, err := telnettest.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	for _, tt := range []struct {
		user, password string
		secret         string
		advice         []string
	}{
		{"alice", "s3cret", "s3cret", []string{"the URL suggests the user name alice"}},
		{"\u00e9va", "", "", []string{"the URL suggests the user name \u00e9va"}},
		{"a\x1b]0;x\x07b\u202e\u009bc\xff", "p\x1b[w", "p[w", []string{"control characters were removed from the user of the URL", "control characters were removed from the password of the URL",
			"the URL suggests the user name a]0;xbc"}},
		{"\x01", "", "", []string{"control characters were removed from the user of the URL"}},
	} {
		x := open(t, s.LoginURL(tt.user, tt.password), client.Options{})
		secret, ok := x.Secret()
		if got := x.Advice(); !slices.Equal(got, tt.advice) || secret != tt.secret || ok != (secret != "") {
			t.Errorf("%q, %q: %q, %q", tt.user, tt.password, got, secret)
		}
		x.Close()
	}
	if x := open(t, s.URL(), client.Options{}); len(x.Advice()) > 0 {
		t.Errorf("without a login: %q", x.Advice())
	}
	if got := s.Received(); len(got) > 0 {
		t.Errorf("%q was sent", got)
	}
}
