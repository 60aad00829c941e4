package gopher_test

import (
	"crypto/tls"
	"strings"
	"testing"

	"locator"
	"locator/client"
	"locator/scheme/gopher"
	"locator/scheme/gopher/gophertest"
	"locator/schemetest"
)

// TestConformance runs the suite against our own server with and without Gopher+. Plain gopher
// cannot say "try later".
//
// Covers: S9, A7, A15, P2, P5, P6
func TestConformance(t *testing.T) {
	faults := []schemetest.Fault{
		schemetest.Stall, schemetest.StallBody, schemetest.Torn, schemetest.EndlessLine, schemetest.EndlessList,
		schemetest.Nonsense, schemetest.WrongCode, schemetest.Drip,
	}
	t.Run("plus", func(t *testing.T) {
		schemetest.Run(t, harness(gophertest.Strict(), append(faults, schemetest.Unavailable)...))
	})
	t.Run("plain", func(t *testing.T) { schemetest.Run(t, harness(gophertest.Plain(), faults...)) })
}

// TestConformanceBehaviors runs the suite with the behaviour of each captured server.
//
// Covers: S9, A7
func TestConformanceBehaviors(t *testing.T) {
	for _, m := range gophertest.AllBehaviors() {
		t.Run(m.String(), func(t *testing.T) { schemetest.Run(t, harness(m)) })
	}
}

// TestConformanceTLS runs the suite over TLS.
//
// Covers: A7, P5, T22
func TestConformanceTLS(t *testing.T) {
	h := harness(gophertest.Strict(), schemetest.Stall, schemetest.StallBody, schemetest.Torn, schemetest.EndlessList, schemetest.Unavailable)
	h.Scheme = gopher.NewTLS()
	h.Start = func(t *testing.T) schemetest.Server {
		s, err := gophertest.Start(schemetest.Tree(), gophertest.TLS())
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	h.Options = func(s schemetest.Server, o *client.Options) {
		o.TLS = &tls.Config{RootCAs: s.(*gophertest.Server).Roots()}
	}
	for i := range h.Hostile {
		h.Hostile[i] = strings.Replace(h.Hostile[i], "gopher:", "gophers:", 1)
	}
	schemetest.Run(t, h)
}

func harness(m gophertest.Behavior, faults ...schemetest.Fault) schemetest.Harness {
	return schemetest.Harness{
		Scheme: gopher.New(),
		Start: func(t *testing.T) schemetest.Server {
			s, err := gophertest.Start(schemetest.Tree(), gophertest.Behave(m))
			if err != nil {
				t.Fatal(err)
			}
			return s
		},
		Faults: faults,
		Hostile: []string{
			"gopher://HOST/0a%0D%0Ab", "gopher://HOST/1%0Ab", "gopher://HOST/0a%00", "gopher://HOST/7s%09a%0D%0Ab",
			"gopher://HOST/0f%09%09+%0D%0AHELO%20x", "gopher://HOST/0f%09%09!%0A", "gopher://HOST/1%09%09$%0D%0Ax",
			"gopher://HOST/0f%09%09+%091%0D%0A+-1%0D%0Ax%0D%0A.%0D%0AHELO%20x%0D%0A", "gopher://HOST/0f%09%09+%091%0D%0A+2%0D%0Ax%0D%0A",
			"gopher://127.0.0.1:25/1", "gopher://127.0.0.1:0/1",
		},
		Referral: func(s schemetest.Server) locator.URL { // an item of type 8 is a telnet session
			file := s.URL("text.txt").Text()
			return locator.MustParse(strings.Replace(file, "/0", "/8", 1))
		},
		Text: true,
	}
}
