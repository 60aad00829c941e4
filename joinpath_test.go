package locator

import (
	"slices"
	"testing"
)

// Covers: S19
func TestJoinPath(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		base     string
		segments []string
		want     string // "" for an error
	}{
		{"ftp://u@h/a;type=a", []string{"b"}, "ftp://u@h/a/b"},
		{"ftps://h", []string{"b", ""}, "ftps://h/b/"},
		{"http://h/a/?x#y", []string{"b/c"}, "http://h/a/b%2Fc"},
		{"http://h/a/", []string{"../c", "%2e%2e", "..."}, "http://h/a/..%2Fc/%252e%252e/..."},
		{"http://h/pub/", []string{"..", "etc"}, ""},
		{"ftp://h/pub/", []string{"a", ".."}, ""},
		{"file:///pub/", []string{"."}, ""},
		{"https://[::1]", []string{"b"}, "https://[::1]/b"},
		{"file:///a", []string{"b"}, "file:///a/b"},
		{"gopher://h/1a", []string{"b"}, ""},
		{"nfs://h/a/", []string{"b"}, ""},
		{"mailto:a@b", []string{"c"}, ""},
		{"gopher://h/1a", nil, "gopher://h/1a"},
	} {
		base, err := Current.Parse(c.base)
		if err != nil {
			t.Fatal(err)
		}
		got, err := base.JoinPath(c.segments...)
		if got.Text() != c.want || (err == nil) != (c.want != "") {
			t.Errorf("JoinPath(%q) of %s is %q, %v, want %q", c.segments, c.base, got.Text(), err, c.want)
		}
		if segments, ok := base.Segments(); ok != base.Hierarchical() {
			t.Errorf("Segments of %s: %q, %v", c.base, segments, ok)
		}
		if segments, _ := got.Segments(); err == nil && base.Hierarchical() && !slices.Equal(segments[max(0, len(segments)-len(c.segments)):], c.segments) {
			t.Errorf("Segments of %s are %q, and do not end in %q", got.Text(), segments, c.segments)
		}
		if _, ok := err.(*SyntaxError); err != nil && !ok {
			t.Errorf("%q below %s: %v", c.segments, c.base, err)
		}
	}
}
