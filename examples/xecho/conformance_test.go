package xecho_test

import (
	"testing"

	"locator/schemetest"

	"xecho"
	"xecho/xechotest"
)

// Covers: S20
func TestConformance(t *testing.T) {
	schemetest.Run(t, schemetest.Harness{
		Scheme: xecho.New(),
		Start: func(t *testing.T) schemetest.Server {
			s, err := xechotest.Start(schemetest.Tree())
			if err != nil {
				t.Fatal(err)
			}
			return s
		},
		Faults: []schemetest.Fault{
			schemetest.Stall, schemetest.StallBody, schemetest.Torn, schemetest.EndlessLine, schemetest.EndlessList,
			schemetest.Nonsense, schemetest.WrongCode, schemetest.Unavailable, schemetest.Drip,
		},
		Hostile:  []string{"x-echo://HOST/a%0D%0APUT%20b", "x-echo://HOST/text.txt%00", "x-echo://127.0.0.1:25/x"},
		Writable: []string{"etc", "new"},
	})
}
