package main

import (
	"strings"
	"testing"
)

// Shares are of the URLs, each of which counts once, and findings that are too frequent fail.
func TestRun(t *testing.T) {
	t.Parallel()
	few := strings.Repeat("http://host.dom/\n", 9999) + "http://reader@host.dom/\nhttp://%zz/\n"
	for _, c := range []struct {
		in, want string
		ok       bool
	}{
		{few, "10001 URLs, 1 refused by Current\n   0.010 %       1  warning userinfo\n", true},
		{"http://host.dom/\nhttp://reader@host.dom/\n", "2 URLs, 0 refused by Current\n  50.000 %       1  warning userinfo  too many\n", false},
		{"http://host.dom:8080/\n", "1 URLs, 0 refused by Current\n 100.000 %       1  info    other-port  too many\n", false},
	} {
		var out strings.Builder
		if ok, err := run(strings.NewReader(c.in), &out); err != nil || ok != c.ok || out.String() != c.want {
			t.Errorf("%.40q: %v, %v\n%swant %v\n%s", c.in, ok, err, out.String(), c.ok, c.want)
		}
	}
	if _, err := run(strings.NewReader(strings.Repeat("x", 2<<20)), &strings.Builder{}); err == nil {
		t.Error("a line of 2 MiB is no error")
	}
}
