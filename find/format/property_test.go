package format_test

import (
	"encoding/json"
	"fmt"
	"html"
	"io"
	"math/rand/v2"
	"mime/quotedprintable"
	"strings"
	"testing"

	"locator/find/format"
)

// A URL that is written in a format with all kinds of escapes is found, and the bytes that it stands in decode to it.
//
// Covers: F5
func TestEscapes(t *testing.T) {
	random := rand.New(rand.NewPCG(17, 38))
	maybe := func(c rune, escapes ...string) string {
		if i := random.IntN(len(escapes) + 3); i < len(escapes) {
			return escapes[i]
		}
		return string(c)
	}
	formats := []struct {
		name   string
		escape func(c rune) string
		wrap   string
		decode func(form string) (string, error)
	}{
		{"json", func(c rune) string {
			return maybe(c, fmt.Sprintf(`\u%04x`, c), strings.ReplaceAll(string(c), "/", `\/`))
		}, `{"a": "%s"}`,
			func(form string) (s string, err error) { err = json.Unmarshal([]byte(`"`+form+`"`), &s); return s, err }},
		{"html", func(c rune) string {
			return maybe(c, fmt.Sprintf("&#%d;", c), fmt.Sprintf("&#x%X;", c), html.EscapeString(string(c)))
		}, "<p title='x'>%s</p>",
			func(form string) (string, error) { return html.UnescapeString(form), nil }},
		{"html", func(c rune) string {
			return maybe(c, fmt.Sprintf("&#%d;", c), fmt.Sprintf("&#x%X;", c), html.EscapeString(string(c)))
		}, `<a class=x href="%s">`,
			func(form string) (string, error) { return html.UnescapeString(form), nil }},
		{"markdown", func(c rune) string { return maybe(c, fmt.Sprintf("&#%d;", c), fmt.Sprintf("&#x%X;", c)) }, "> x [y](%s)\n",
			func(form string) (string, error) { return html.UnescapeString(form), nil }},
		{"mail", func(c rune) string { return maybe(c, fmt.Sprintf("=%02X", c), fmt.Sprintf("=\r\n%c", c)) }, "Content-Transfer-Encoding: quoted-printable\r\n\r\nx %s\r\n",
			func(form string) (string, error) {
				b, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(form)))
				return string(b), err
			}},
	}
	for name, escapes := range map[string]map[rune]string{
		"roff": {'-': `\-`, '~': `\(ti`, '.': `\.`, '/': `\:/`, 'a': `\fBa`}, "tex": {'_': `{\_}`, '&': `\&`, '~': `\~{}`, 'a': `\-a`},
		"calendar": {';': `\;`, ':': `\:`, 'a': "\r\n a", 'b': "\n\tb"}, "properties": {':': `\:`, '=': `\=`, 'a': `\u0061`, 'b': "\\\n  b"},
	} {
		var plain []string
		for c, escape := range escapes {
			plain = append(plain, escape, string(c))
		}
		formats = append(formats, struct {
			name   string
			escape func(c rune) string
			wrap   string
			decode func(form string) (string, error)
		}{name, func(c rune) string {
			if escape, ok := escapes[c]; ok {
				return maybe(c, escape)
			}
			return string(c)
		}, "x %s\n", func(form string) (string, error) { return strings.NewReplacer(plain...).Replace(form), nil }})
	}
	const letters = "abcXYZ019-_~/?&;+."
	for range 2000 {
		f := formats[random.IntN(len(formats))]
		url := "http://host/"
		for range random.IntN(20) {
			url += string(letters[random.IntN(len(letters))])
		}
		url = strings.ReplaceAll(url, "&", "&y") + "z" // two "&" would end it
		var b strings.Builder
		for _, c := range strings.ReplaceAll(url, "=", "") {
			b.WriteString(f.escape(c))
		}
		source := fmt.Sprintf(f.wrap, b.String())
		n := 0
		for u, err := range format.Lookup(f.name).Read(t.Context(), strings.NewReader(source), format.Options{}) {
			if err != nil {
				t.Fatal(err)
			}
			form := source[u.Offset : u.Offset+u.Length]
			if decoded, err := f.decode(form); u.URL != url || decoded != url || err != nil || u.Position != format.Exact {
				t.Fatalf("%s: %q has %q at %q (%v, %v), want %q", f.name, source, u.URL, form, u.Position, err, url)
			}
			n++
		}
		if n != 1 {
			t.Fatalf("%s: %q has %d URLs", f.name, source, n)
		}
	}
}
