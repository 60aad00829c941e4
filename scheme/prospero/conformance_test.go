package prospero_test

import (
	"testing"

	"locator/scheme/prospero"
	"locator/scheme/prospero/prosperotest"
	"locator/schemetest"
)

// TestConformance runs the suite against our own server.
//
// Covers: S16, A13, A15, P2, P5, P6, PR16
func TestConformance(t *testing.T) {
	schemetest.Run(t, schemetest.Harness{
		Scheme: prospero.New(),
		Start: func(t *testing.T) schemetest.Server {
			s, err := prosperotest.Start(schemetest.Tree())
			if err != nil {
				t.Fatal(err)
			}
			return s
		},
		Faults: []schemetest.Fault{schemetest.Stall, schemetest.StallBody, schemetest.Torn, schemetest.EndlessList, schemetest.Nonsense, schemetest.WrongCode, schemetest.Unavailable},
		Except: map[string]string{"limit line time": "a datagram does not drip"},
		Hostile: []string{
			"prospero://HOST/a%00", "prospero://HOST/a%0D%0Ab", "prospero://HOST/a;v%00=1", "prospero://HOST/a;v=%0Db",
			"prospero://127.0.0.1:25/a", "prospero://127.0.0.1:0/a",
		},
	})
}
