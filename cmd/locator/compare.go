package main

import (
	"fmt"
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
	readings []readers.Reading
	findings []vet.Finding // the differences
}

// compare reads the text with the other parsers, for explain --compare.
func (x *explanation) compare(passwords bool) {
	inner, _ := locator.Unwrap(x.Text)
	list := readers.Read(inner)
	differences := readers.Differences(list)
	for i := range list {
		if !passwords {
			maskParts(&list[i], x.Text, x.Shown(false))
		}
		if e := list[i].Err; e != nil && e.Offset >= 0 {
			e.Offset += x.Cut
		}
	}
	x.compared.readings = list
	for _, d := range differences {
		values := make([]string, len(d.Values))
		for i, v := range d.Values {
			values[i] = "none"
			if s, ok := v.First.Part(d.Part).Get(); ok && len(s) > 80 {
				values[i] = `"` + s[:80] + `..."`
			} else if ok {
				values[i] = `"` + s + `"`
			}
			values[i] += " (" + strings.Join(v.Readers, ", ") + ")"
		}
		x.compared.findings = append(x.compared.findings, vet.Finding{
			Code: "readers-differ", Severity: vet.SeverityDanger, Section: "RFC 3986 7.6",
			Message: "parsers read a different " + d.Part + ": " + strings.Join(values, ", "),
		})
	}
}

// maskParts masks passwords in a reading of a text. A parser that splits the text in other places may take
// the password for a port or a path. Unless its password is the one that is masked in the text, only those
// parts are shown that the masked text contains.
func maskParts(r *readers.Reading, text, masked string) {
	plain := func(s string) string { return strings.ToLower(locator.Decode(s)) }
	same := strings.Replace(plain(text), ":"+plain(r.Part("password").Or(""))+"@", ":****@", 1) == plain(masked)
	for i, p := range r.Parts {
		s := p.Text.Or("")
		if s != "" && (p.Name == "password" || text != masked && !same && !strings.Contains(plain(masked), plain(s))) {
			r.Parts[i].Text = locator.Some("****")
		}
	}
}

// appendReaders appends the field "readers" of explain --json --compare.
func (c *comparison) appendReaders(b []byte) []byte {
	if c.readings == nil {
		return b
	}
	b = append(jsontext.AppendKey(b, "readers"), '[')
	for i, r := range c.readings {
		if i > 0 {
			b = append(b, ',')
		}
		b = jsontext.AppendText(append(b, '{'), "name", r.Reader)
		b = jsontext.AppendBool(b, "ok", r.Err == nil)
		if b = jsontext.AppendKey(b, "error"); r.Err == nil {
			b = append(b, "null"...)
		} else {
			offset := "null"
			if r.Err.Offset >= 0 {
				offset = strconv.Itoa(r.Err.Offset)
			}
			b = append(append(b, `{"offset":`...), offset...)
			b = append(jsontext.AppendText(jsontext.AppendFilled(b, "rule", r.Err.Rule), "message", r.Err.Msg), '}')
		}
		for _, p := range r.Parts {
			if digits := p.Text.Or(""); p.Name == "port" && digits != "" {
				b = present.AppendPort(jsontext.AppendKey(b, p.Name), digits)
			} else {
				b = jsontext.AppendOptional(b, p.Name, p.Text)
			}
		}
		b = append(b, '}')
	}
	return append(b, ']')
}

// appendTable appends a table with one line per parser, and a column for each part that one of them found.
func (c *comparison) appendTable(b []byte) []byte {
	if c.readings == nil {
		return b
	}
	lines := []string{"          "} // the head, and one line per parser
	for _, r := range c.readings {
		lines = append(lines, fmt.Sprintf("  %-8s", r.Reader))
	}
	for n, part := range c.readings[0].Parts {
		cells, width := []string{part.Name}, 0 // 0 if no parser has the part
		for _, r := range c.readings {
			cell := "-"
			if s, ok := r.Parts[n].Text.Get(); ok {
				cell = present.Visible(s)
				width = max(width, len(part.Name), len(cell))
			}
			cells = append(cells, cell)
		}
		for i := range lines {
			if width > 0 && (i == 0 || c.readings[i-1].Err == nil) {
				lines[i] += fmt.Sprintf("  %-*s", width, cells[i])
			}
		}
	}
	b = append(b, "readers\n"...)
	for i, line := range lines {
		if i > 0 && c.readings[i-1].Err != nil {
			line += "  " + refusal(c.readings[i-1].Err)
		}
		if line = strings.TrimRight(line, " "); line != "" { // no parser found a part
			b = append(append(b, line...), '\n')
		}
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
