package mailto_test

import (
	"testing"

	"locator"
	"locator/client"
	"locator/scheme"
)

// A check asks nobody about an address, unless it is told to; then it asks for mail exchangers.
func TestCheck(t *testing.T) {
	t.Parallel()
	c := names(zone{"null.example.": {"0 ."}, "good.example.": {"10 mx.good.example."}})
	defer c.Close()
	for _, tt := range []struct {
		url    string
		verify bool
		code   scheme.Code
	}{
		{"mailto:a@null.example", false, scheme.CodeOK},
		{"mailto:a@missing.example", false, scheme.CodeOK},
		{"mailto:a@null.example", true, scheme.CodeNotFound},
		{"mailto:a@missing.example", true, scheme.CodeUnreachable},
		{"mailto:a@good.example", true, scheme.CodeOK},
		{"mailto:%22@", false, scheme.CodeMalformed},
	} {
		u, err := locator.Current.Parse(tt.url)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Check(t.Context(), scheme.Request{URL: u}, &scheme.CheckOptions{Verify: tt.verify}); client.CodeOf(err) != tt.code {
			t.Errorf("%s, verify %v: %v (code %v), want code %v", tt.url, tt.verify, err, client.CodeOf(err), tt.code)
		}
	}
}
