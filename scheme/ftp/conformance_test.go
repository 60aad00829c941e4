package ftp_test

import (
	"testing"

	"locator"
	"locator/scheme/ftp"
	"locator/scheme/ftp/ftptest"
	"locator/schemetest"
)

// hostile has URLs that would end or split a command line, in each part that is sent in one.
var hostile = []string{
	"ftp://HOST/a%0D%0ADELE%20b", "ftp://HOST/%0A/b", "ftp://HOST/a%00", "ftp://u%0D%0Ax@HOST/a",
	"ftp://u:p%0D%0AQUIT@HOST/a", "ftp://HOST/%0D/", "ftp://HOST/%0A;type=d",
}

// Covers: A1, A2, A4, A5, A15, P2, P3, P5, P6, T5, T77, T87, T171
func TestConformance(t *testing.T) {
	schemetest.Run(t, schemetest.Harness{
		Scheme: ftp.New(),
		Start: func(t *testing.T) schemetest.Server {
			s, err := ftptest.Start(schemetest.Tree())
			if err != nil {
				t.Fatal(err)
			}
			return s
		},
		Faults: []schemetest.Fault{
			schemetest.Stall, schemetest.StallBody, schemetest.Torn, schemetest.EndlessLine, schemetest.EndlessList,
			schemetest.Nonsense, schemetest.WrongCode, schemetest.Unavailable, schemetest.Drip, schemetest.Short,
		},
		Hostile: hostile,
		Login: func(s schemetest.Server) locator.URL {
			return s.(*ftptest.Server).LoginURL(ftptest.Alice, ftptest.Password, "text.txt")
		},
		Writable: []string{"new file.txt"},
		Text:     true,
	})
}
