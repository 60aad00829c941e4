//go:build !race

package mailto_test

import (
	"strings"
	"testing"

	"locator"
	"locator/scheme"
	"locator/scheme/mailto"
)

// A URL of a megabyte makes a draft in less than a second, whatever it repeats, and one note. It
// took minutes when each field was looked for in all before it.
//
// Covers: S10, P6, T134
func TestManyFields(t *testing.T) {
	t.Parallel()
	const n = 150_000
	var names strings.Builder
	for i := range n {
		names.WriteString("&x" + strings.Repeat("y", i%7) + list(1)[:1] + string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + string(rune('a'+i/676%26)) + string(rune('a'+i/17576)) + "=1")
	}
	for _, tt := range []struct{ text, field, end string }{
		{"a@b?" + names.String()[1:], "", ""},
		{"a@b?" + strings.Repeat("cc=c@d&", n) + "cc=e@f", "Cc", ", e@f"},
		{"a@b?" + strings.Repeat("cc=N%20%3Cc@d%3E&", n/2) + "cc=e@f", "Cc", ", e@f"},
		{"a@b?" + strings.Repeat("keywords=k&", n) + "keywords=last", "Keywords", ", last"},
	} {
		u, err := locator.Current.Parse("mailto:" + tt.text)
		if err != nil {
			t.Fatal(err)
		}
		d, err := mailto.New().Draft(t.Context(), nil, scheme.Request{URL: u})
		if err != nil {
			t.Fatal(err)
		}
		if tt.field != "" && (len(d.Header) != 1 || d.Header[0].Name != tt.field || !strings.HasSuffix(d.Header[0].Value, tt.end)) {
			t.Errorf("%s: %d fields", tt.field, len(d.Header))
		}
		if len(d.Notes) > 1 || tt.field == "" && len(d.Notes) != 1 {
			t.Errorf("%s: %d notes", tt.field, len(d.Notes))
		}
	}
}
