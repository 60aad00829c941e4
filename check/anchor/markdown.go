package anchor

import (
	"bytes"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"locator/find/format"
)

// readMarkdown reads a Markdown document. It returns nil if that would take too long.
func readMarkdown(source []byte) *page {
	if format.CheckMarkdown(source) != nil {
		return nil
	}
	p := &page{}
	var h headings
	document := goldmark.New().Parser().Parse(text.NewReader(source))
	err := ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if n.Type() == ast.TypeBlock {
			p.text = append(p.text, ' ')
		}
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			h.add(p, headingText(n, source))
		case *ast.Text:
			p.text = append(p.text, n.Segment.Value(source)...)
			if n.SoftLineBreak() || n.HardLineBreak() {
				p.text = append(p.text, ' ')
			}
		case *ast.String:
			p.text = append(p.text, n.Value...)
		case *ast.AutoLink:
			p.text = append(p.text, n.Label(source)...)
		case *ast.RawHTML:
			for i := range n.Segments.Len() {
				s := n.Segments.At(i)
				p.html(s.Value(source))
			}
		case *ast.HTMLBlock:
			var block []byte
			for i := range n.Lines().Len() {
				s := n.Lines().At(i)
				block = append(block, s.Value(source)...)
			}
			p.html(block)
		case *ast.CodeBlock, *ast.FencedCodeBlock:
			for i := range n.Lines().Len() {
				s := n.Lines().At(i)
				p.text = append(p.text, s.Value(source)...)
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return nil
	}
	return p
}

// html adds what HTML in Markdown has.
func (p *page) html(source []byte) {
	inner := readHTML(source, math.MaxInt)
	if inner == nil {
		return
	}
	for id := range inner.ids {
		p.add(id)
	}
	p.text = append(p.text, inner.text...)
}

// headingText returns the text of a heading without its markup.
func headingText(n ast.Node, source []byte) string {
	var b bytes.Buffer
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // never fails
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			b.Write(n.Segment.Value(source))
			if n.SoftLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.AutoLink:
			b.Write(n.Label(source))
		case *ast.Image: // its text is no text of the heading
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// headings makes the ids of headings in the ways of GitHub, GitLab and mdBook.
type headings struct{ seen [3]map[string]int }

// explicit is the id that mdBook and others read at the end of a heading: {#name}.
var explicit = regexp.MustCompile(`\s*\{\s*#([^\s{}]+)[^{}]*\}\s*$`)

// add adds the ids of a heading. The second heading of a text has "-1" at its end.
func (h *headings) add(p *page, heading string) {
	if m := explicit.FindStringSubmatch(heading); m != nil {
		p.add(m[1])
		heading = strings.TrimSuffix(heading, m[0])
	}
	heading = strings.TrimSpace(heading)
	for i, id := range [...]string{githubID(heading), gitlabID(heading), mdbookID(heading)} {
		if h.seen[i] == nil {
			h.seen[i] = make(map[string]int)
		}
		seen := h.seen[i]
		n, double := seen[id]
		whole := id
		for double { // another heading may have the text "Name 1"
			n++
			whole = id + "-" + strconv.Itoa(n)
			_, double = seen[whole]
		}
		seen[id] = n
		seen[whole] += 0
		if whole != "" {
			p.add(whole)
		}
	}
}

// githubID returns the id that GitHub gives a heading.
func githubID(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', unicode.IsLetter(r), unicode.IsMark(r), unicode.Is(unicode.Nd, r), unicode.Is(unicode.Nl, r), unicode.Is(unicode.Pc, r):
			return r
		}
		return -1
	}, strings.ToLower(heading))
}

var (
	hyphens = regexp.MustCompile(`-{2,}`)
	digits  = regexp.MustCompile(`^[0-9]+$`)
)

// gitlabID returns the id that GitLab gives a heading: that of GitHub with one hyphen in a row.
func gitlabID(heading string) string {
	id := hyphens.ReplaceAllString(githubID(heading), "-")
	if digits.MatchString(id) {
		return "anchor-" + id
	}
	return id
}

// mdbookID returns the id that mdBook gives a heading.
func mdbookID(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return '-'
		case 'A' <= r && r <= 'Z':
			return r - 'A' + 'a'
		case r == '-', r == '_', unicode.IsLetter(r), unicode.IsNumber(r):
			return r
		}
		return -1
	}, heading)
}
