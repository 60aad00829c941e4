package report

import (
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"locator/check"
)

// parsePage returns all elements and the text of each style sheet.
func parsePage(t *testing.T, page string) (elements []*html.Node) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.Type == html.ElementNode {
			elements = append(elements, n)
		}
	}
	return elements
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// The page runs nothing and loads nothing, and its policy allows its own style sheet only.
func TestHTMLIsSelfContained(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]Report{"example": example(), "hostile": hostileReport()} {
		style, policy := "", ""
		for _, n := range parsePage(t, write(t, "html", r)) {
			if slices.Contains([]string{"script", "link", "img", "iframe", "object", "embed", "form", "base", "image", "use", "foreignobject"}, strings.ToLower(n.Data)) {
				t.Errorf("%s: element %s", name, n.Data)
			}
			if n.Data == "style" {
				style = n.FirstChild.Data
			}
			if attribute(n, "http-equiv") != "" {
				policy = attribute(n, "content")
			}
			for _, a := range n.Attr {
				if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "src" {
					t.Errorf("%s: attribute %s", name, a.Key)
				}
				if a.Key == "href" && a.Val[0] != '#' && !strings.Contains(a.Val, ".example/") {
					t.Errorf("%s: link to %q", name, a.Val)
				}
			}
		}
		sum := sha256.Sum256([]byte(style))
		want := "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'"
		if policy != want {
			t.Errorf("%s: policy %q, want %q", name, policy, want)
		}
	}
}

func TestHTML(t *testing.T) {
	t.Parallel()
	page := write(t, "html", example())
	for _, want := range []string{
		"<title>Link check: 10 URLs: 2 ok, 1 moved, 3 broken, 1 failing, 1 blocked, 1 unsure, 1 skipped</title>",
		"<p>4 problems new, 1 URL works again.</p>",
		"<h2>By verdict</h2>", `<h2 id="scheme">By scheme</h2>`, `<h2 id="host">By host</h2>`, `<h2 id="latency">By latency</h2>`, `<h2 id="findings">Findings</h2>`,
		`<a href="http://a.example/gone" rel="noopener noreferrer nofollow">http://a.example/gone</a>`,
		`<a href="gopher://d.example/"`,
		"<li>docs/b.md:9:1</li>",
		`<rect class="broken" x="0.00" y="0" width="1000.00" height="10"><title>3 broken</title></rect>`,
		"<th scope=\"row\">under 50 ms</th>",
		"2026-11-28 08:00 UTC, 1m35s",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("lacks %q", want)
		}
	}
	if strings.Contains(page, "ZgotmplZ") {
		t.Error("the template refused a value")
	}
}

func TestLink(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"http://a.example":                "http://a.example/",
		"gopher://a.example/0x":           "gopher://a.example/0x",
		"http://user:****@a.example/":     "",
		"javascript:alert(1)":             "",
		"JavaScript:alert(1)":             "",
		"data:text/html,x":                "",
		"vbscript:x":                      "",
		" javascript:alert(1)":            "",
		"x-y:z":                           "",
		"not a URL":                       "",
		"http://a.example/\" onclick=\"x": "",
	} {
		if got := string(link(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestHTMLFoldsManyPlaces(t *testing.T) {
	t.Parallel()
	r := &check.Result{URL: "http://a.example/", Verdict: check.Broken}
	for i := range unfolded + 1 {
		r.Sources = append(r.Sources, check.Place{File: "a.md", Line: i + 1})
	}
	if page := write(t, "html", Report{Results: seq(r)}); !strings.Contains(page, "<details><summary>6 places</summary>") {
		t.Error(page)
	}
}
