package http

import (
	"slices"
	"testing"

	"locator"
	"locator/scheme"
)

// Covers: A6, S8
func TestSteps(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		url  string
		want []string
	}{
		{"http://host.dom", []string{"CONNECT host.dom:80", "GET / HTTP/1.1", "Host: host.dom"}},
		{"http://host.dom/", []string{"CONNECT host.dom:80", "GET / HTTP/1.1", "Host: host.dom"}},
		{"http://host.dom:8080/a%2Fb//..?q=%20&;", []string{"CONNECT host.dom:8080", "GET /a%2Fb//..?q=%20&; HTTP/1.1", "Host: host.dom:8080"}},
		{"http://host.dom/?", []string{"CONNECT host.dom:80", "GET /? HTTP/1.1", "Host: host.dom"}},
		{"https://[::1]/x", []string{"CONNECT [::1]:443", "GET /x HTTP/1.1", "Host: [::1]"}},
		{"http://host.dom/a%0D%0Ab", []string{"CONNECT host.dom:80", "GET /a%0D%0Ab HTTP/1.1", "Host: host.dom"}},
	} {
		u, err := locator.Current.Parse(c.url)
		if err != nil {
			t.Fatal(err)
		}
		var s scheme.Explainer = New(u.Scheme())
		got, err := s.Steps(u)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, %v, want %q", c.url, got, err, c.want)
		}
	}
	u, err := locator.Parse("http://host.dom:65536/")
	if err != nil {
		t.Fatal(err)
	}
	if steps, err := New("http").Steps(u); err == nil || steps != nil {
		t.Errorf("no port: %q, %v", steps, err)
	}
}
