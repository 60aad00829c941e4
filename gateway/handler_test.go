package gateway

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func TestHandler(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{Version: "v1"})
	r := s.get("/-/handler")
	for _, want := range []string{`data-scheme="ftp"`, `data-scheme="gopher"`, `data-open="/-/go?url="`, "locator handler install", "contrib/webextension"} {
		if !strings.Contains(r.body, want) {
			t.Errorf("no %q in the page", want)
		}
	}
	if p := r.header.Get("Content-Security-Policy"); r.status != 200 || strings.Contains(p, "unsafe") || strings.Contains(p, "nonce") {
		t.Errorf("status %d, policy %q", r.status, p)
	}
	var got handled
	r = s.get("/-/handler", "Accept: application/json")
	if err := json.Unmarshal([]byte(r.body), &got); err != nil || got.Gateway != "locator" || got.Version != "v1" {
		t.Errorf("%q: %v", r.body, err)
	}
	if len(got.Schemes) < 10 || got.Schemes[0] != "ftp" || !slices.Contains(got.Schemes, "prospero") || slices.Contains(got.Schemes, "tn3270") {
		t.Errorf("schemes %q", got.Schemes)
	}
	if to := s.get(got.Open + "ftp%3A%2F%2Fhost.dom%2Fa%2520b"); to.header.Get("Location") != "/ftp://host.dom/a%20b" {
		t.Errorf("a URL is opened at %q", to.header.Get("Location"))
	}
}
