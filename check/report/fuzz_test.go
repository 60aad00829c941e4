package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"

	"locator/check"
)

// Whatever strangers write, each format stays in its syntax, and has no more lines, rows or elements
// than it has for a harmless text.
func FuzzFormats(f *testing.F) {
	f.Add(hostile, "a.md", "Not Found")
	f.Add("http://a.example/", hostile, hostile)
	f.Add("javascript:alert(1)", "-", "\x9b2J")
	f.Fuzz(func(t *testing.T, url, file, reply string) {
		if len(url)+len(file)+len(reply) > 4096 {
			return
		}
		r := &check.Result{URL: url, Verdict: check.Broken, Why: check.WhyGone, Scheme: reply, Status: reply, Reply: reply, Note: file, Final: url, To: reply,
			Sources: []check.Place{{File: file, Line: 1, Column: 2}}}
		for _, format := range Formats() {
			var b bytes.Buffer
			if err := format.Write(&b, Report{Results: seq(r)}); err != nil {
				t.Fatal(err)
			}
			out := b.String()
			if !utf8.ValidString(out) || strings.ContainsFunc(out, func(c rune) bool { return c < ' ' && c != '\n' || c >= 0x7F && c < 0xA0 || c >= 0x202a && c <= 0x202e }) {
				t.Errorf("%s: control characters: %q", format.Name, out)
			}
			lines := strings.Count(out, "\n")
			switch format.Name {
			case "json", "sarif", "gitlab":
				if !json.Valid(b.Bytes()) || lines != 1 {
					t.Errorf("%s: %q", format.Name, out)
				}
			case "csv":
				rows, err := csv.NewReader(&b).ReadAll()
				if err != nil || len(rows) != 2 {
					t.Errorf("%v, %v", rows, err)
				}
				for _, field := range rows[1] {
					if field != "" && strings.Contains("=+-@", field[:1]) {
						t.Errorf("a formula: %q", field)
					}
				}
			case "junit":
				var suites junitSuites
				if err := xml.Unmarshal(b.Bytes(), &suites); err != nil || len(suites.Suite.Cases) != 2 {
					t.Errorf("%v: %q", err, out)
				}
			case "github":
				if lines != 1 || !strings.HasPrefix(out, "::error title=Link is broken") {
					t.Errorf("%q", out)
				}
			case "text":
				if most := 4; lines > most || !strings.HasPrefix(out, "broken: ") {
					t.Errorf("%q", out)
				}
			case "html":
				checkPage(t, out)
			}
		}
	})
}

// checkPage reports elements and attributes that the template does not have.
func checkPage(t *testing.T, page string) {
	elements := strings.Fields("html head meta title style body header h1 p nav a main section h2 table thead tbody tr th td span svg rect div ul li footer")
	attributes := strings.Fields("lang charset http-equiv content name class href id scope rel viewbox preserveaspectratio aria-hidden x y width height")
	for z := html.NewTokenizer(strings.NewReader(page)); ; {
		kind := z.Next()
		if kind == html.ErrorToken {
			return
		}
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		token := z.Token()
		if !slices.Contains(elements, token.Data) {
			t.Errorf("element %s", token.Data)
		}
		for _, a := range token.Attr {
			if !slices.Contains(attributes, strings.ToLower(a.Key)) {
				t.Errorf("attribute %s of %s", a.Key, token.Data)
			}
			if colon := strings.IndexByte(a.Val, ':'); a.Key == "href" && colon > 0 && strings.Contains(strings.ToLower(a.Val[:colon]), "script") {
				t.Errorf("a link to %q", a.Val)
			}
		}
	}
}
