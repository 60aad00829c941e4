package present

import (
	"strconv"

	"locator"
	"locator/find/search"
	"locator/internal/jsontext"
	"locator/internal/units"
	"locator/wire"
)

// Matches says how the URLs that a search finds are shown.
type Matches struct {
	JSON       bool // objects; otherwise lines
	Places     bool // file, line and column before each URL
	Terminal   bool // for a terminal: control characters are escaped
	Lines      bool // objects have the lines around the URL: see [search.Search]
	MaxWrapper int  // of the search
}

// Text is a [search.Printer].
func (p *Matches) Text(t *search.Text) func(b []byte, m *search.Match) []byte {
	var begin []byte // of each object or line: what is the same for the whole text
	switch {
	case p.JSON:
		begin = append(jsontext.AppendText([]byte{'{'}, "source", t.Name), `,"offset":`...)
		return func(b []byte, m *search.Match) []byte { return p.appendObject(append(b, begin...), m) }
	case p.Places && p.Terminal:
		begin = append([]byte(wire.TextLine(t.Name)), ':')
	case p.Places:
		begin = append([]byte(t.Name), ':')
	}
	return func(b []byte, m *search.Match) []byte { return p.appendLine(append(b, begin...), m) }
}

// appendObject appends the object of a URL after its source.
func (p *Matches) appendObject(b []byte, m *search.Match) []byte {
	bad := m.Suggested()
	b = strconv.AppendInt(b, m.Offset, 10)
	b = jsontext.AppendNumber(b, "length", m.Length, true)
	b = jsontext.AppendNumber(b, "line", m.Line, true)
	b = jsontext.AppendNumber(b, "column", m.Column, true)
	b = jsontext.AppendText(b, "form", m.Form.String())
	b = jsontext.AppendText(b, "url", m.URL)
	b = jsontext.AppendOptional(b, "fragment", m.Fragment)
	b = jsontext.AppendBool(b, "ok", bad == nil && !m.TooLong)
	b = jsontext.AppendList(b, "alternatives", m.Alternatives)
	b = jsontext.AppendText(b, "format", m.Text.Format.Name())
	b = jsontext.AppendText(b, "position", m.Position.String())
	if m.Repaired {
		b = jsontext.AppendBool(b, "repaired", true)
	}
	if m.Reference != "" {
		b = jsontext.AppendText(b, "reference", m.Reference)
	}
	if m.Page > 0 {
		b = jsontext.AppendNumber(b, "page", m.Page, true)
	}
	if p.Lines {
		b = jsontext.AppendList(b, "context", m.Lines)
	}
	if m.TooLong {
		bad = &locator.SyntaxError{Offset: len(m.URL), Msg: "it is longer than " + units.Size(int64(p.MaxWrapper)) + "; only its beginning is here"}
	}
	if bad != nil {
		b = appendSyntaxError(jsontext.AppendKey(b, "error"), bad)
	}
	return append(b, '}', '\n')
}

// appendLine appends the line of a URL after the name of its file, and the lines around it.
func (p *Matches) appendLine(b []byte, m *search.Match) []byte {
	if p.Places {
		b = append(strconv.AppendInt(b, int64(m.Line), 10), ':')
		b = append(strconv.AppendInt(b, int64(m.Column), 10), ':')
	}
	if p.Terminal {
		b = append(b, wire.TextLine(m.Find.Text())...)
	} else {
		b = append(b, m.URL...)
		if fragment, ok := m.Fragment.Get(); ok {
			b = append(append(b, '#'), fragment...)
		}
	}
	b = append(b, '\n')
	for _, line := range m.Lines {
		if p.Terminal {
			line = wire.TextLine(line)
		}
		b = append(append(append(b, "    "...), line...), '\n')
	}
	return b
}
