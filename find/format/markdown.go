package format

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"locator/internal/octet"
)

// readMarkdown finds in Markdown (CommonMark). In the tables and task lists that GitHub adds, the
// same links are read as in paragraphs.
func readMarkdown(s *scanner) error {
	in := bufio.NewReaderSize(s.in, chunkSize)
	source, err := io.ReadAll(io.LimitReader(in, maxMarkdown+1))
	if err != nil {
		return err
	}
	if why := CheckMarkdown(source); why != nil {
		s.note(fmt.Errorf("%w; it is read as plain text", why))
		s.copyTo(s.text(), io.MultiReader(bytes.NewReader(source), in))
		return nil
	}
	m := &markdownReader{source: source, text: s.text()}
	m.html = &htmlReader{from: asIs{}, text: m.text, emit: s.emit, note: s.note, base: s.o.Base, given: !s.o.Base.IsZero()}
	document := goldmark.New().Parser().Parse(text.NewReader(source))
	err = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if s.stopped {
			return ast.WalkStop, nil
		}
		if !entering {
			m.leave(n)
			return ast.WalkContinue, nil
		}
		return m.enter(n), nil
	})
	m.text.close()
	return err
}

// markdownReader finds in a document that was parsed.
type markdownReader struct {
	source []byte
	text   *finder
	html   *htmlReader
}

// enter reads a node before its children.
func (m *markdownReader) enter(n ast.Node) ast.WalkStatus {
	if n.Type() == ast.TypeBlock {
		m.text.close()
	}
	switch n := n.(type) {
	case *ast.Text:
		m.textNode(n)
	case *ast.AutoLink:
		m.autoLink(n)
	case *ast.Link:
		m.text.linkBegins(int64(max(n.Pos(), 0)))
		m.link(n.Destination, n.Title, n.Reference != nil)
	case *ast.Image:
		m.link(n.Destination, n.Title, n.Reference != nil)
	case *ast.LinkReferenceDefinition:
		m.link(n.Destination, n.Title, false)
	case *ast.RawHTML:
		m.rawHTML(n.Segments)
	case *ast.HTMLBlock:
		lines := text.NewSegments()
		lines.AppendAll(n.Lines().Sliced(0, n.Lines().Len()))
		if n.HasClosure() {
			lines.Append(n.ClosureLine)
		}
		m.htmlBlock(lines)
	case *ast.CodeBlock:
		m.lines(m.text, n.Lines())
	case *ast.FencedCodeBlock:
		m.lines(m.text, n.Lines())
	}
	return ast.WalkContinue
}

// leave reads a node after its children.
func (m *markdownReader) leave(n ast.Node) {
	switch {
	case n.Type() == ast.TypeBlock:
		m.text.close()
	case n.Kind() == ast.KindLink:
		m.text.linked = true
	}
}

// write passes on a part of the source as it is.
func (m *markdownReader) write(to sink, start, stop int) {
	if start < stop {
		to.write(m.source[start:stop], int64(start), int64(stop))
	}
}

// lines passes on lines as they are.
func (m *markdownReader) lines(to sink, lines *text.Segments) {
	for i := range lines.Len() {
		m.write(to, lines.At(i).Start, lines.At(i).Stop)
	}
}

// textNode reads text.
func (m *markdownReader) textNode(n *ast.Text) {
	if n.IsRaw() {
		m.write(m.text, n.Segment.Start, n.Segment.Stop)
	} else {
		m.unescape(m.text, n.Segment.Start, n.Segment.Stop)
	}
	if n.SoftLineBreak() || n.HardLineBreak() {
		m.text.write([]byte{'\n'}, int64(n.Segment.Stop), int64(n.Segment.Stop)+1)
	}
}

// unescape decodes backslash escapes and character references (CommonMark 2.4, 2.5).
func (m *markdownReader) unescape(to sink, start, stop int) {
	for start < stop {
		raw := m.source[start:stop]
		i := bytes.IndexAny(raw, `\&`)
		if i < 0 {
			i = len(raw)
		}
		m.write(to, start, start+i)
		if start += i; start == stop {
			return
		}
		raw = raw[i:]
		if raw[0] == '\\' && len(raw) > 1 && isPunctuation(raw[1]) {
			to.write(raw[1:2], int64(start), int64(start)+2)
			start += 2
			continue
		}
		if raw[0] == '&' {
			if decoded, n := characterReference(raw, true); n > 0 && raw[n-1] == ';' {
				to.write([]byte(decoded), int64(start), int64(start+n))
				start += n
				continue
			}
		}
		m.write(to, start, start+1)
		start++
	}
}

// autoLink reads a URL in angle brackets as text, with its brackets.
func (m *markdownReader) autoLink(n *ast.AutoLink) {
	label := n.Label(m.source)
	start, ok := m.offset(label)
	if !ok {
		return
	}
	stop := start + len(label)
	if start > 0 && m.source[start-1] == '<' && stop < len(m.source) && m.source[stop] == '>' {
		start, stop = start-1, stop+1
	}
	m.write(m.text, start, stop)
}

// link finds the destination of a link. That of a reference is found at its definition.
func (m *markdownReader) link(destination, title []byte, reference bool) {
	if reference {
		return
	}
	start, ok := m.offset(destination)
	if !ok {
		return
	}
	stop := start + len(destination)
	v := &value{}
	m.unescape(v, start, stop)
	if f, ok := linkFind(string(v.text), m.html.base, m.html.given); ok {
		f.Length = int64(len(v.text))
		m.html.emit(f, &v.spans)
	}
	if len(title) == 0 {
		return
	}
	// The parser returns a copy of the title. It follows the destination, and a quote.
	v = &value{}
	rest := bytes.TrimLeft(m.source[stop:min(len(m.source), stop+64)], "> \t\r\n")
	quote := min(len(m.source), stop+64) - len(rest)
	if at := quote + 1; at < len(m.source) && bytes.HasPrefix(m.source[at:], title) {
		m.unescape(v, at, at+len(title))
	} else { // it has several lines
		v.write(title, int64(start), int64(stop))
	}
	m.text.all(v.text, &v.spans)
}

// offset returns where a part of the source that the parser returned begins. It reports false for a
// copy.
func (m *markdownReader) offset(part []byte) (int, bool) {
	start := cap(m.source) - cap(part)
	if len(part) == 0 || start < 0 || start >= len(m.source) || &m.source[start] != &part[0] {
		return 0, false
	}
	return start, true
}

// rawHTML reads a tag or a comment in text.
func (m *markdownReader) rawHTML(lines *text.Segments) {
	v := &value{}
	m.lines(v, lines)
	from := m.html.from
	m.html.from = &v.spans
	m.html.element(v.text)
	m.html.from = from
}

// htmlBlock reads lines of HTML.
func (m *markdownReader) htmlBlock(lines *text.Segments) {
	v := &value{}
	m.lines(v, lines)
	from := m.html.from
	m.html.from = &v.spans
	m.html.read(bytes.NewReader(v.text))
	m.html.from = from
}

func isPunctuation(c byte) bool {
	return c > ' ' && c < 0x7F && !octet.IsAlphanumeric(c)
}
