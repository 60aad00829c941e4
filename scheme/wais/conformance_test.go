package wais_test

import (
	"testing"

	"locator/scheme/wais"
	"locator/scheme/wais/waistest"
	"locator/schemetest"
)

// TestConformance runs the suite.
//
// Covers: S14, A11, A15, P2, P5, P6, T109, W8
func TestConformance(t *testing.T) {
	schemetest.Run(t, harness("",
		schemetest.Stall, schemetest.StallBody, schemetest.Torn, schemetest.EndlessLine, schemetest.EndlessList,
		schemetest.Nonsense, schemetest.WrongCode, schemetest.Unavailable, schemetest.Drip))
}

func harness(twist waistest.Twist, faults ...schemetest.Fault) schemetest.Harness {
	return schemetest.Harness{
		Scheme: wais.New(),
		Start: func(t *testing.T) schemetest.Server {
			s, err := waistest.Start(schemetest.Tree(), waistest.Twisted(twist))
			if err != nil {
				t.Fatal(err)
			}
			return s
		},
		Faults: faults,
		// A message counts its bytes, so CR, LF and NUL are no delimiters, and document-ids have
		// them.
		Hostile: []string{"wais://127.0.0.1:25/db", "wais://127.0.0.1:0/db?x", "wais://127.0.0.1:6000/db"},
		Flat:    true,
		Titles:  true,
	}
}
