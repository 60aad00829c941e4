package file

import (
	"runtime"
	"slices"
	"testing"

	"locator"
	"locator/scheme"
)

// Covers: A12, S15
func TestSteps(t *testing.T) {
	t.Parallel()
	root := "/"
	if runtime.GOOS == "windows" {
		root = `\\`
	}
	for _, c := range []struct {
		url  string
		want []string
	}{
		{"file:///motd", []string{"OPEN " + root + "motd"}},
		{"file://localhost/a%20%E9", []string{"OPEN " + root + `a \xe9`}},
		{"file://host.dom/motd", nil},
		{"file:///a%2Fb", nil},
		{"file:///a%00b", nil},
	} {
		u, err := locator.Parse(c.url)
		if err != nil {
			t.Fatal(err)
		}
		var s scheme.Explainer = New()
		got, err := s.Steps(u)
		if !slices.Equal(got, c.want) || (err == nil) != (c.want != nil) {
			t.Errorf("%s: %q, %v, want %q", c.url, got, err, c.want)
		}
	}
}
