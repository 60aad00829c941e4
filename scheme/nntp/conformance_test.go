package nntp_test

import (
	"crypto/tls"
	"testing"

	"locator"
	"locator/client"
	"locator/scheme/nntp"
	"locator/scheme/nntp/nntptest"
	"locator/schemetest"
	"locator/schemetest/peer"
)

// TestConformance runs the suite with each of the four schemes.
//
// Covers: S11, S12, A9, A15, P2, P3, P5, P6, T121, T124
func TestConformance(t *testing.T) {
	cert, err := peer.Certify()
	if err != nil {
		t.Fatal(err)
	}
	starttls, implicit := nntptest.TLS(cert.Config()), nntptest.ImplicitTLS(cert.Config())
	t.Run("nntp", func(t *testing.T) {
		h := harness(nntp.New(), cert, starttls)
		h.Login = func(s schemetest.Server) locator.URL {
			return s.(*nntptest.Server).LoginURL(nntptest.Alice, nntptest.Password, "text.txt")
		}
		h.Hostile = []string{"nntp://HOST/a%0D%0AQUIT/1", "nntp://HOST/a%00", "nntp://HOST/a%20b/1", "nntp://HOST/a%09b", "nntp://u%0D%0Ax@HOST/a/1", "nntp://127.0.0.1:25/a/1"}
		schemetest.Run(t, h)
	})
	t.Run("news", func(t *testing.T) {
		h := harness(nntp.NewNews(), cert, nntptest.News())
		h.Hostile = []string{"news:a%0D%0AQUIT@b.example", "news:a%00@b.example", "news://HOST/a%20b", "news:a%20b@c.example"}
		schemetest.Run(t, h)
	})
	t.Run("nntps", func(t *testing.T) {
		h := harness(nntp.NewTLS(), cert, implicit)
		h.Hostile = []string{"nntps://HOST/a%0D%0AQUIT/1"}
		schemetest.Run(t, h)
	})
	t.Run("snews", func(t *testing.T) {
		h := harness(nntp.NewNewsTLS(), cert, implicit, nntptest.News())
		h.Hostile = []string{"snews:a%0D%0AQUIT@b.example"}
		schemetest.Run(t, h)
	})
}

// TestConformanceBehaviors runs the suite with servers that lack what the client prefers.
//
// Covers: A9
func TestConformanceBehaviors(t *testing.T) {
	for name, options := range map[string][]nntptest.Option{
		"mode reader": {nntptest.ModeReader()}, "rfc 977": {nntptest.Old()},
		"head": {nntptest.Old(), nntptest.Without("XOVER")},
	} {
		t.Run(name, func(t *testing.T) {
			h := harness(nntp.New(), nil, options...)
			h.Faults, h.Hostile = nil, []string{"nntp://HOST/a%0D%0AQUIT/1"}
			schemetest.Run(t, h)
		})
	}
}

func harness(s nntp.Scheme, cert *peer.Certificate, options ...nntptest.Option) schemetest.Harness {
	return schemetest.Harness{
		Scheme: s,
		Start: func(t *testing.T) schemetest.Server {
			s, err := nntptest.Start(schemetest.Tree(), options...)
			if err != nil {
				t.Fatal(err)
			}
			return s
		},
		Faults: []schemetest.Fault{
			schemetest.Stall, schemetest.StallBody, schemetest.Torn, schemetest.EndlessLine, schemetest.EndlessList,
			schemetest.Nonsense, schemetest.WrongCode, schemetest.Unavailable, schemetest.Drip, schemetest.Unanswered,
		},
		Post: func(s schemetest.Server) locator.URL { return s.URL("") },
		Options: func(s schemetest.Server, o *client.Options) {
			server := s.(*nntptest.Server).ServerURL()
			o.TLS = &tls.Config{RootCAs: cert.Roots()}
			o.Servers = map[string][]locator.URL{"news": {server}, "snews": {server}}
		},
		Stored: nntptest.Text,
		Flat:   true,
		Titles: true,
	}
}
