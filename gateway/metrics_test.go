package gateway

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Metrics have labels of the gateway's own, and nothing that a client chose.
//
// Covers: GWS14
func TestMetrics(t *testing.T) {
	s := serve(t, Options{})
	for _, target := range []string{"/", "/ftp://user:secret@10.0.0.1/", "/secret://host.dom/", "/-/raw/gopher://10.0.0.1/", "/-/secret", "ftp://10.0.0.1/secret", "/secret"} {
		s.get(target)
	}
	s.send("SECRET", "/", "")
	w := httptest.NewRecorder()
	s.g.Metrics().ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	text := w.Body.String()
	for _, want := range []string{
		`locator_requests_total{view="own",status="200"} 1`, `locator_requests_total{view="page",status="303"} 1`, `locator_requests_total{view="raw",status="403"} 1`, `locator_requests_total{view="proxy",status="403"} 1`,
		`locator_accesses_total{scheme="ftp"} 2`, `locator_accesses_total{scheme="gopher"} 1`, `locator_request_seconds_count{view="own"}`, "locator_requests_running 0", "process_",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing", want)
		}
	}
	if strings.Contains(strings.ToLower(text), "secret") {
		t.Error("a text of a client is in the metrics")
	}
	if res := s.get("/-/metrics"); res.status != http.StatusNotFound {
		t.Errorf("a page of the gateway has the metrics: %d", res.status)
	}
}

// Health and readiness need neither a Host nor a share.
func TestHealth(t *testing.T) {
	s := serve(t, Options{Service: Service{Clients: Share{PerSecond: 0.001, Burst: 1}}})
	for range 3 {
		for _, path := range []string{"/-/health", "/-/ready"} {
			if res := s.get(path, "Host: probe"); res.status != http.StatusOK || res.body != "ok\n" {
				t.Errorf("%s: %d %q", path, res.status, res.body)
			}
		}
	}
	s.g.stopping.Store(true)
	if res := s.get("/-/ready"); res.status != http.StatusServiceUnavailable {
		t.Errorf("while it stops: %d", res.status)
	}
	if res := s.get("/-/health"); res.status != http.StatusOK {
		t.Errorf("while it stops: %d", res.status)
	}
}
