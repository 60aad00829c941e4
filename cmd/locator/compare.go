package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"locator"
	"locator/internal/jsontext"
	"locator/internal/present"
	"locator/internal/readers"
	"locator/vet"
	"locator/wire"
)

// comparison holds how several parsers read one text. The zero value is empty.
type comparison struct {
	readings []maskedReading
	findings []vet.Finding // the differences
}

// maskedReading has its parts with passwords masked.
type maskedReading struct {
	readers.Reading
	parts []readers.Part
}

// compare reads the text with the other parsers, for explain --compare.
func (x *explanation) compare(passwords bool) {
	inner, _ := locator.Unwrap(x.Text)
	list := readers.Read(inner)
	m := masker{off: passwords, text: x.Text, masked: x.Shown(passwords)}
	for _, d := range readers.Differences(list) {
		severity := vet.SeverityDanger
		if d.Part == "scheme" {
			severity = vet.SeverityWarning
		}
		values := make([]string, len(d.Values))
		for i, v := range d.Values {
			values[i] = "none"
			if s, ok := v.Text.Get(); ok {
				first := slices.IndexFunc(list, func(r readers.Reading) bool { return r.Reader == v.Readers[0] })
				values[i] = `"` + cutTo(m.shown(&list[first], s), 80) + `"`
			}
			values[i] += " (" + strings.Join(v.Readers, ", ") + ")"
		}
		x.compared.findings = append(x.compared.findings, vet.Finding{
			Code: "readers-differ", Severity: severity, Section: "RFC 3986 7.6",
			Message: "parsers read a different " + d.Part + ": " + strings.Join(values, ", "),
		})
	}
	for _, r := range list {
		parts := m.parts(&r)
		if r.Err != nil && r.Err.Offset >= 0 {
			moved := *r.Err
			moved.Offset += x.Cut
			r.Err = &moved
		}
		x.compared.readings = append(x.compared.readings, maskedReading{r, parts})
	}
}

// cutTo shortens a text for a message.
func cutTo(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[:n] + "..."
}

// masker masks passwords in readings. A parser that splits a URL in other places may take the password for a port or a path. If
// a parser does not find the password where it was masked in the input, masker shows only parts that the masked input
// contains.
type masker struct {
	off          bool   // show passwords
	text, masked string // the input, and the input with its password masked
}

// parts returns the parts of r with passwords masked.
func (m *masker) parts(r *readers.Reading) []readers.Part {
	parts := r.Parts()
	for i, p := range parts {
		s, ok := p.Text.Get()
		switch {
		case !ok || m.off:
		case p.Name == "password" && s != "":
			parts[i].Text = locator.Some("****")
		default:
			parts[i].Text = locator.Some(m.shown(r, s))
		}
	}
	return parts
}

// shown returns a part of r, or **** if it may contain the password.
func (m *masker) shown(r *readers.Reading, part string) string {
	if m.off || m.text == m.masked || m.agrees(r) || strings.Contains(plainText(m.masked), plainText(part)) {
		return part
	}
	return "****"
}

// agrees reports whether the password of r is exactly what is masked in the input.
func (m *masker) agrees(r *readers.Reading) bool {
	begin := 0
	for begin < min(len(m.text), len(m.masked)) && m.text[begin] == m.masked[begin] {
		begin++
	}
	end := 0
	for end < min(len(m.text), len(m.masked))-begin && m.text[len(m.text)-1-end] == m.masked[len(m.masked)-1-end] {
		end++
	}
	secret := plainText(m.text[begin : len(m.text)-end])
	password := r.Password.Or("")
	return password != "" && plainText(password) == secret
}

// plainText decodes the escapes of a text and returns it in lower case.
func plainText(s string) string { return strings.ToLower(locator.Decode(s)) }

// appendReaders appends the field "readers" of explain --json --compare.
func (c *comparison) appendReaders(b []byte) []byte {
	if c.readings == nil {
		return b
	}
	b = append(jsontext.AppendKey(b, "readers"), '[')
	for i := range c.readings {
		r := &c.readings[i]
		if i > 0 {
			b = append(b, ',')
		}
		b = jsontext.AppendText(append(b, '{'), "name", r.Reader)
		b = jsontext.AppendBool(b, "ok", r.Err == nil)
		b = appendRefusal(jsontext.AppendKey(b, "error"), r.Err)
		for _, p := range r.parts {
			if digits := p.Text.Or(""); p.Name == "port" && digits != "" && strings.Trim(digits, "0123456789") == "" {
				b = present.AppendPort(jsontext.AppendKey(b, p.Name), digits)
			} else {
				b = jsontext.AppendOptional(b, p.Name, p.Text)
			}
		}
		b = append(b, '}')
	}
	return append(b, ']')
}

// appendRefusal appends the error of a parser, or null.
func appendRefusal(b []byte, e *readers.Refusal) []byte {
	if e == nil {
		return append(b, "null"...)
	}
	b = jsontext.AppendKey(append(b, '{'), "offset")
	if e.Offset < 0 {
		b = append(b, "null"...)
	} else {
		b = strconv.AppendInt(b, int64(e.Offset), 10)
	}
	b = jsontext.AppendFilled(b, "rule", e.Rule)
	return append(jsontext.AppendText(b, "message", e.Msg), '}')
}

// appendTable appends a table with one line per parser, and a column for each part that one of them found.
func (c *comparison) appendTable(b []byte) []byte {
	if c.readings == nil {
		return b
	}
	lines := make([]string, 1+len(c.readings)) // the head, and one line per parser
	column := func(cells []string, split bool) {
		width := 0
		for _, cell := range cells {
			width = max(width, len(cell))
		}
		for i, cell := range cells {
			if i == 0 || !split || c.readings[i-1].Split {
				lines[i] += fmt.Sprintf("  %-*s", width, cell)
			}
		}
	}
	names := []string{""}
	for _, r := range c.readings {
		names = append(names, r.Reader)
	}
	column(names, false)
	for n, part := range c.readings[0].parts {
		cells, any := []string{part.Name}, false
		for i := range c.readings {
			cell := "-"
			if s, ok := c.readings[i].parts[n].Text.Get(); ok {
				cell, any = present.Visible(s), true
			} else if !c.readings[i].Split {
				cell = ""
			}
			cells = append(cells, cell)
		}
		if any {
			column(cells, true)
		}
	}
	b = append(b, "readers\n"...)
	for i, line := range lines {
		if i > 0 && c.readings[i-1].Err != nil {
			line += "  " + refusal(c.readings[i-1].Err)
		}
		b = append(append(b, strings.TrimRight(line, " ")...), '\n')
	}
	return b
}

// refusal says why a parser rejects the text.
func refusal(e *readers.Refusal) string {
	s := "rejects it"
	if e.Offset >= 0 {
		s += fmt.Sprintf(" at byte %d", e.Offset)
	}
	if e.Rule != "" {
		s += " (" + e.Rule + ")"
	}
	return s + ": " + wire.Escape(e.Msg)
}
