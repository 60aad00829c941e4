package http_test

import (
	"crypto/tls"
	"testing"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/http"
	"locator/scheme/http/httptest"
	"locator/schemetest"
)

// Covers: S8, A6, A15, T77, T87
func TestConformance(t *testing.T) {
	schemetest.Run(t, harness(http.New("http"), http.New("https")))
}

// Covers: S8, A6, A15
func TestConformanceTLS(t *testing.T) {
	h := harness(http.New("https"), http.New("http"), httptest.TLS(), httptest.HTTP1())
	schemetest.Run(t, h)
}

// The test server has no faults over HTTP/2.
//
// Covers: S8, A6, A15
func TestConformanceHTTP2(t *testing.T) {
	https := http.New("https")
	h := harness(https, http.New("http"), httptest.TLS())
	h.Faults = nil
	// The TLS handshake selects the version of HTTP; [http.Scheme.Steps] reports HTTP/1.1.
	h.Scheme = struct {
		scheme.Scheme
		scheme.Lister
		scheme.Attributer
		scheme.Replacer
		scheme.Updater
		scheme.Remover
	}{h.Scheme, https, https, https, https, https}
	schemetest.Run(t, h)
}

func harness(s, other http.Scheme, opts ...httptest.Option) schemetest.Harness {
	return schemetest.Harness{
		Scheme: s,
		Others: []scheme.Scheme{other},
		Start: func(t *testing.T) schemetest.Server {
			server, err := httptest.Start(schemetest.Tree(), opts...)
			if err != nil {
				t.Fatal(err)
			}
			return server
		},
		Faults: []schemetest.Fault{schemetest.Stall, schemetest.StallBody, schemetest.Torn, schemetest.EndlessLine, schemetest.EndlessList,
			schemetest.Nonsense, schemetest.WrongCode, schemetest.Unavailable, schemetest.Drip},
		Hostile:  []string{s.Syntax().Name + "://127.0.0.1:0/", s.Syntax().Name + "://127.0.0.1:65536/", s.Syntax().Name + "://256.0.0.1/", s.Syntax().Name + "://127.0.0.1:25/"},
		Writable: []string{"incoming", "new file.txt"},
		Login: func(s schemetest.Server) locator.URL {
			return s.URL("login", "text.txt") // the suite adds the login
		},
		Referral: func(s schemetest.Server) locator.URL { return s.URL("redirect") },
		Options: func(s schemetest.Server, o *client.Options) {
			if roots := s.(*httptest.Server).Roots(); roots != nil {
				o.TLS = &tls.Config{RootCAs: roots}
			}
		},
	}
}
