package check

import (
	"testing"

	"locator"
)

// A fragment makes another URL only if it is asked for, and never another request for the host.
func TestLinkKey(t *testing.T) {
	t.Parallel()
	c := fake(nil).client(t)
	for _, tt := range []struct {
		url  string
		keep bool
		key  string
		host string
	}{
		{"http://a.example/x#y", false, "http://a.example/x", "a.example"},
		{"http://a.example/x#y", true, "http://a.example/x#y", "a.example"},
		{"HTTP://A.Example:80/x", true, "http://a.example/x", "a.example"},
		{"http://u:secret@a.example/", true, "http://u:****@a.example/", "a.example"},
	} {
		l := NewLink(c, locator.Current.Parse, tt.url, Place{}, tt.keep)
		if l.Key != tt.key || l.Host != tt.host || l.URL != tt.url || l.Done != nil {
			t.Errorf("%s: %+v, want key %s, host %s", tt.url, l, tt.key, tt.host)
		}
	}
}

// Only what stands nowhere, which the user named, is followed.
func TestInputDepth(t *testing.T) {
	t.Parallel()
	in := &Input{Checker: &Checker{Client: fake(nil).client(t)}, Depth: 3}
	for at, want := range map[Place]int{{}: 3, {File: "list", Line: 1}: 0} {
		in.links = nil
		if err := in.Add(t.Context(), "http://a.example/", at); err != nil {
			t.Fatal(err)
		}
		if got := in.links[0].Depth; got != want {
			t.Errorf("at %+v: depth %d, want %d", at, got, want)
		}
	}
}
