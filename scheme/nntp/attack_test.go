package nntp_test

import (
	"strconv"
	"strings"
	"testing"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/nntp/nntptest"
)

// No part of a URL becomes a further command or argument: what cannot be sent is refused before anything is dialled.
//
// Covers: P1, P2, T93
func TestInjection(t *testing.T) {
	t.Parallel()
	s := start(t, numbered(1)...)
	c := newClient(t, func(o *client.Options) { o.Servers = map[string][]locator.URL{"news": {s.ServerURL()}} })
	long := strings.Repeat("x", 500)
	refused := 0
	for _, text := range []string{
		"nntp://HOST/g%0D%0AQUIT", "nntp://HOST/g%0AQUIT/1", "nntp://HOST/g%0D", "nntp://HOST/g%00", "nntp://HOST/g%20h", "nntp://HOST/g%09h/1", "nntp://HOST/" + long,
		"news:a%0D%0AQUIT@b.example", "news:a%0A@b.example", "news:a%00@b.example", "news:a%20b@c.example", "news:a%3E%20%3Cb@c.example", "news:a%3E@b.example", "news:%3Ca@b.example",
		"news:a@b.example%0D%0AQUIT", "news:" + long + "@b.example", "news:g%0D%0AQUIT", "news:g.*%0D%0AQUIT", "news:g.*%20h", "news:g.%5Ba%5D*", "news:" + long + "*",
		"news://HOST/g%0D%0AQUIT", "nntp://u%0D%0AQUIT:p@HOST/g", "nntp://u:p%0D%0AQUIT@HOST/g",
	} {
		u, err := locator.Current.Parse(strings.Replace(text, "HOST", s.Addr(), 1))
		if err != nil {
			continue // the parser refuses it
		}
		refused++
		for _, o := range []scheme.AccessOptions{{}, {Raw: scheme.RawAll}, {Decode: true}} {
			if _, err := c.Access(t.Context(), scheme.Request{URL: u}, &o); client.CodeOf(err) != scheme.CodeRefused {
				t.Errorf("%.60s: %v", text, err)
			}
		}
		if _, err := c.Attributes(t.Context(), scheme.Request{URL: u}, nil); client.CodeOf(err) != scheme.CodeRefused {
			t.Errorf("attributes of %.60s: %v", text, err)
		}
	}
	if n := s.Connections(); n != 0 || refused < 8 {
		t.Errorf("%d connections, %d refused: %q", n, refused, s.Lines())
	}
}

// at returns a URL of a server.
func at(t testing.TB, s *nntptest.Server, name, path string) locator.URL {
	t.Helper()
	u, err := locator.Current.Parse(name + "://127.0.0.1:" + strconv.Itoa(int(s.Port())) + "/" + path)
	if err != nil {
		t.Fatal(err)
	}
	return u
}
