package telnet_test

import (
	"crypto/tls"
	"strings"
	"testing"

	"locator"
	"locator/client"
	"locator/scheme/telnet"
	"locator/scheme/telnet/telnettest"
	"locator/schemetest"
	"locator/schemetest/peer"
)

// TestConformance runs the suite with each of the two schemes.
//
// Covers: S13, A10, A15, P1, P2, P3, P5, P6, T30, T31, T32, T33, T34
func TestConformance(t *testing.T) {
	cert, err := peer.Certify()
	if err != nil {
		t.Fatal(err)
	}
	t.Run("telnet", func(t *testing.T) { schemetest.Run(t, harness(telnet.New())) })
	t.Run("telnets", func(t *testing.T) {
		h := harness(telnet.NewTLS(), telnettest.TLS(cert.Config()))
		h.Faults = append(h.Faults, schemetest.Stall)
		h.Options = func(_ schemetest.Server, o *client.Options) { o.TLS = &tls.Config{RootCAs: cert.Roots()} }
		for i := range h.Hostile {
			h.Hostile[i] = strings.Replace(h.Hostile[i], "telnet:", "telnets:", 1)
		}
		schemetest.Run(t, h)
	})
}

func harness(s telnet.Scheme, options ...telnettest.Option) schemetest.Harness {
	return schemetest.Harness{
		Scheme: s,
		Start: func(t *testing.T) schemetest.Server {
			s, err := telnettest.Start(options...)
			if err != nil {
				t.Fatal(err)
			}
			return s
		},
		Alone: func(s schemetest.Server) locator.URL { return s.URL("") },
		Session: &schemetest.Session{
			Received: func(s schemetest.Server) []byte { return s.(*telnettest.Server).Received() },
			Login:    func(s schemetest.Server) locator.URL { return s.(*telnettest.Server).LoginURL("alice", "s3cret-pw") },
		},
		Faults: []schemetest.Fault{schemetest.StallBody, schemetest.EndlessLine, schemetest.Drip, schemetest.Storm},
		Hostile: []string{
			"telnet://a%0D%0Ab@HOST/", "telnet://a:b%0Ac@HOST/", "telnet://a%00@HOST/", "telnet://127.0.0.1:25/", "telnet://127.0.0.1:0/",
		},
	}
}
