package client_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"locator/internal/proxies"
)

// An http.Client over the transport uses the proxy, for every method, and a tunnel for https.
//
// Covers: A14
func TestTransportThroughProxy(t *testing.T) {
	t.Parallel()
	s := start(t)
	via, err := proxies.HTTP(nil, s.hosts())
	if err != nil {
		t.Fatal(err)
	}
	defer via.Close()
	c, _ := s.through(t, "http://"+via.Addr)
	over := &http.Client{Transport: c.Transport()}
	for _, tt := range []struct{ method, url, want string }{
		{"GET", "http://web.example/etc/motd", "200 " + motd},
		{"GET", "https://secure.example/etc/motd", "200 " + motd},
		{"PUT", "http://web.example/new", "201 "},
		{"DELETE", "http://web.example/new", "204 "},
		{"GET", "http://web.example/new", "404 "},
	} {
		var text io.Reader
		if tt.method == "PUT" {
			text = strings.NewReader("new")
		}
		req, err := http.NewRequestWithContext(t.Context(), tt.method, tt.url, text)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := over.Do(req)
		if err != nil {
			t.Errorf("%s %s: %v", tt.method, tt.url, err)
			continue
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if got := fmt.Sprint(resp.StatusCode, " ", string(body)); !strings.HasPrefix(got, tt.want) || err != nil {
			t.Errorf("%s %s: %q, %v; want %q", tt.method, tt.url, got, err, tt.want)
		}
	}
	want := []string{"GET http://web.example/etc/motd", "CONNECT secure.example:443", "PUT http://web.example/new", "DELETE http://web.example/new", "GET http://web.example/new"}
	if got := via.Asked(); !slices.Equal(got, want) {
		t.Errorf("asked %q, want %q", got, want)
	}
}
