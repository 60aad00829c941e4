package format

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// FuzzTokens compares how attributes and character references are read with golang.org/x/net/html.
func FuzzTokens(f *testing.F) {
	for _, seed := range []string{
		`<a b=c d='e&amp;f' g = "h&copy=i&notit;j&#x26;&#0;k" L/M=n/ o>p&amp;q&notin;&notit;&gtx`, "<a/b=c=d =e ='f'>", "<a b=\"", "<A\tB\nC=D\f>&#;&#x;&;&CounterClockwiseContourIntegral;&fjlig;", "<br/><br / x=y/>", "<a \u212A=1 K=2>",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		if strings.ContainsAny(source, "\r\x00") { // the tokenizer replaces them
			return
		}
		h := &htmlReader{from: asIs{}}
		for z := html.NewTokenizer(strings.NewReader(source)); ; {
			kind := z.Next()
			raw := bytes.Clone(z.Raw())
			switch kind {
			case html.ErrorToken:
				return
			case html.TextToken:
				v := &value{}
				h.unescape(v, raw, 0, false)
				if got, want := string(v.text), string(z.Text()); got != want {
					t.Fatalf("text %q is %q, want %q", raw, got, want)
				}
			case html.StartTagToken, html.SelfClosingTagToken:
				name, _ := z.TagName()
				z.NextIsNotRawText()
				if got := tagName(raw); got != string(name) {
					t.Fatalf("tag %q is %q, want %q", raw, got, name)
				}
				seen := make(map[string]bool)
				for i := 1 + len(name); i < len(raw); {
					var a attribute
					if a, i, _ = cutAttribute(raw, i); a.name == "" {
						break
					}
					if seen[a.name] {
						continue
					}
					seen[a.name] = true
					v := &value{}
					h.unescape(v, raw[a.start:a.end], 0, true)
					key, val, _ := z.TagAttr()
					if a.name != string(key) || string(v.text) != string(val) {
						t.Fatalf("%q has %q=%q, want %q=%q", raw, a.name, v.text, key, val)
					}
				}
				if key, val, _ := z.TagAttr(); key != nil {
					t.Fatalf("%q also has %q=%q", raw, key, val)
				}
			}
		}
	})
}
