package addrspec

import (
	"strings"
	"testing"
)

// Covers: S10, T128
func TestParseList(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{ // "!" is an error
		"":              "",
		"a@b":           "a@b",
		"a@b,c@d":       "a@b c@d",
		" a@b ,, c@d, ": "a@b c@d",
		"Ann <a@b>, \"B, C\" <c@d>, J. D. Doe <e@f>": "a@b c@d e@f",
		"<a@b>":                        "a@b",
		"< a . b @ c >":                "a.b@c",
		"a (x) . b @ (y (z)) c.d (w)":  "a.b@c.d",
		"<@h1,@h2:a@b>":                "a@b",
		"Friends: a@b, C <c@d>; , e@f": "a@b c@d e@f",
		"undisclosed-recipients:;":     "",
		"a@b,\r\n c@d":                 "a@b c@d",
		"=?utf-8?q?=C3=A9?= <a@b>":     "a@b",
		`"a,b"@c, d@[1.2.3.4]`:         `"a,b"@c d@[1.2.3.4]`,
		"a":                            "!", "a b@c": "!", "a b c": "!", "<a@b": "!", "a@b c@d": "!", "a@b <c@d>": "!", "x:y:a@b;;": "!", "x: a@b": "!", "a@b;": "!", "(a": "!", ":a@b;": "!", "a.@b": "!",
		"a@b>": "!", "<@x a@b>": "!", "<>": "!", "a\x00@b": "!", "a@": "!", "<a@b,c@d>": "!",
	} {
		list, err := ParseList(text)
		var got []string
		for _, a := range list {
			got = append(got, a.String())
		}
		if have := strings.Join(got, " "); want == "!" && err == nil || want != "!" && (err != nil || have != want) {
			t.Errorf("%q is %q, %v; want %q", text, have, err, want)
		}
	}
}
