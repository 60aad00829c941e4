package http_test

import (
	"net"
	"testing"

	"locator"
	"locator/internal/peers"
	"locator/scheme"
	"locator/scheme/http"
	"locator/schemetest"
)

// Covers: S8, A6, A15, P3, P5
func TestConformanceNginx(t *testing.T) {
	e := peers.Start(t, "nginx")
	url := func(addr string, path []string) locator.URL {
		host, port, _ := net.SplitHostPort(addr)
		u, err := locator.Build(&locator.HTTP{Segments: path, Login: locator.Login{Hostport: locator.Hostport{Host: host, Port: port}}})
		if err != nil {
			t.Error(err)
		}
		return u
	}
	h := schemetest.Harness{
		Scheme:   http.New("http"),
		Others:   []scheme.Scheme{http.New("https")},
		Start:    func(t *testing.T) schemetest.Server { return e.Serve(t, "nginx", "http", url) },
		Hostile:  harness(http.New("http"), http.New("https")).Hostile,
		Writable: []string{peers.Drop, "new file.txt"},
		Login: func(s schemetest.Server) locator.URL {
			return url(s.(*peers.Served).Addr(), []string{"login", "text.txt"})
		},
		Password: e.Password,
		Except:   map[string]string{"update": "nginx takes no POST for a file"},
	}
	schemetest.Run(t, h)
}
