package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	xhtml "golang.org/x/net/html"
)

func TestMarkdown(t *testing.T) {
	t.Parallel()
	got := write(t, "markdown", example())
	for _, want := range []string{
		"\n4 problems new, 1 URL works again.\n",
		"\n| broken | 3 |\n",
		"\n### Broken\n\n- **new** `host c.example`: `name (no such host)`: `2 URLs, such as http://c.example/1`\n  - `docs/b.md:3:7`\n",
		"\n### Unsure\n\n- **new** `http://a.example/x`: `server (503 Service Unavailable)`\n  - `standard input:4`\n",
	} {
		if !strings.Contains(strings.ReplaceAll(got, "\r", ""), want) {
			t.Errorf("lacks %q:\n%s", want, got)
		}
	}
}

// The elements of the page that Markdown makes are ours.
func TestMarkdownHostile(t *testing.T) {
	t.Parallel()
	md := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	var page bytes.Buffer
	if err := md.Convert([]byte(write(t, "markdown", hostileReport())), &page); err != nil {
		t.Fatal(err)
	}
	for z := xhtml.NewTokenizer(&page); ; {
		switch z.Next() {
		case xhtml.ErrorToken:
			return
		case xhtml.StartTagToken, xhtml.SelfClosingTagToken:
			if name, _ := z.TagName(); !strings.Contains(" h2 h3 p table thead tbody tr th td ul li code strong strong ", " "+string(name)+" ") {
				t.Errorf("element %s", name)
			}
		}
	}
}

func TestCodeSpan(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"a": "`a`", "a`b": "`` a`b ``", "``a`": "``` ``a` ```"} {
		if got := codeSpan(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
