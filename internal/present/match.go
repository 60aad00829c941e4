package main

import (
	"strconv"

	"locator"
	"locator/find/search"
	"locator/internal/jsontext"
	"locator/internal/present"
	"locator/internal/units"
)

// findPrinter says how the URLs of all texts are printed.
type findPrinter struct {
	search *search.Search
	json   bool
	places bool // file, line and column before each URL
	shown  bool // the output is a terminal
}

// text is a search.Printer.
func (p *findPrinter) text(t *search.Text) func(b []byte, m *search.Match) []byte {
	var begin []byte // of each object or line: all that is the same for the whole text
	switch {
	case p.json:
		begin = append(jsontext.AppendText([]byte{'{'}, "source", t.Name), `,"offset":`...)
		return func(b []byte, m *search.Match) []byte { return p.appendObject(append(b, begin...), m) }
	case p.places && p.shown:
		begin = append([]byte(safe(t.Name)), ':')
	case p.places:
		begin = append([]byte(t.Name), ':')
	}
	return func(b []byte, m *search.Match) []byte { return p.appendLine(append(b, begin...), m) }
}

// appendObject appends the object of a URL after its source.
func (p *findPrinter) appendObject(b []byte, m *search.Match) []byte {
	_, bad := m.Parse()
	b = strconv.AppendInt(b, m.Offset, 10)
	b = strconv.AppendInt(append(b, `,"length":`...), m.Length, 10)
	b = strconv.AppendInt(append(b, `,"line":`...), int64(m.Line), 10)
	b = strconv.AppendInt(append(b, `,"column":`...), int64(m.Column), 10)
	b = append(append(append(b, `,"form":"`...), m.Form.String()...), '"')
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
		b = strconv.AppendInt(append(b, `,"page":`...), int64(m.Page), 10)
	}
	if p.search.Lines {
		b = jsontext.AppendList(b, "context", m.Lines)
	}
	if m.TooLong {
		bad = &locator.SyntaxError{Offset: len(m.URL), Msg: "it is longer than " + units.Size(int64(p.search.Finder.MaxWrapper)) + "; only its beginning is here"}
	}
	if bad != nil {
		b = present.AppendSyntaxError(jsontext.AppendKey(b, "error"), bad)
	}
	return append(b, '}', '\n')
}

// appendLine appends the line of a URL after the name of its file, and the lines around it.
func (p *findPrinter) appendLine(b []byte, m *search.Match) []byte {
	if p.places {
		b = append(strconv.AppendInt(b, int64(m.Line), 10), ':')
		b = append(strconv.AppendInt(b, int64(m.Column), 10), ':')
	}
	if p.shown {
		b = append(b, safe(m.Find.Text())...)
	} else {
		b = append(b, m.URL...)
		if fragment, ok := m.Fragment.Get(); ok {
			b = append(append(b, '#'), fragment...)
		}
	}
	b = append(b, '\n')
	for _, line := range m.Lines {
		if p.shown {
			line = safe(line)
		}
		b = append(append(append(b, "    "...), line...), '\n')
	}
	return b
}
