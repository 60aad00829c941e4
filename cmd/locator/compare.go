package main

import (
	"fmt"
	"strings"

	"locator"
	"locator/explain"
	"locator/internal/jsontext"
	"locator/internal/present"
	"locator/internal/readers"
	"locator/vet"
	"locator/wire"
)

// compareReaders parses the text of an explanation with several parsers, and adds their differences
// to the findings. Passwords in the readings that it returns are masked, unless passwords is set.
func compareReaders(x *explain.Explanation, passwords bool) []readers.Reading {
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
	for _, d := range differences {
		var values []string
		for _, same := range d.Values {
			var names []string
			for _, r := range same {
				names = append(names, r.Reader)
			}
			value, ok := same[0].Parts[d.Part]
			switch {
			case !ok:
				value = "none"
			case len(value) > 80:
				value = `"` + value[:80] + `..."`
			default:
				value = `"` + value + `"`
			}
			values = append(values, value+" ("+strings.Join(names, ", ")+")")
		}
		x.Findings = append(x.Findings, vet.Finding{
			Code: "readers-differ", Severity: vet.SeverityDanger, Section: "RFC 3986 7.6",
			Message: "parsers read a different " + d.Part + ": " + strings.Join(values, ", "),
		})
	}
	return list
}

// maskParts masks passwords in a reading of a text. A parser that splits the text in other places
// may take the password for a port or a path. Unless its password is the one that is masked in the
// text, only those parts are shown that the masked text contains.
func maskParts(r *readers.Reading, text, masked string) {
	plain := func(s string) string { return strings.ToLower(locator.Decode(s)) }
	same := strings.Replace(plain(text), ":"+plain(r.Parts["password"])+"@", ":****@", 1) == plain(masked)
	for name, s := range r.Parts {
		if s != "" && (name == "password" || text != masked && !same && !strings.Contains(plain(masked), plain(s))) {
			r.Parts[name] = "****"
		}
	}
}

// appendReaders adds the field "readers" of explain --json --compare to an object.
func appendReaders(b []byte, list []readers.Reading) []byte {
	if list == nil {
		return b
	}
	b = append(jsontext.AppendKey(b[:len(b)-1], "readers"), '[')
	for _, r := range list {
		b = jsontext.AppendText(append(jsontext.AppendComma(b), '{'), "name", r.Reader)
		b = jsontext.AppendKey(jsontext.AppendBool(b, "ok", r.Err == nil), "error")
		if e := r.Err; e == nil {
			b = append(b, "null"...)
		} else {
			b = jsontext.AppendNumber(append(b, '{'), "offset", e.Offset, e.Offset >= 0)
			b = append(jsontext.AppendText(jsontext.AppendFilled(b, "rule", e.Rule), "message", e.Msg), '}')
		}
		for _, name := range readers.PartNames() {
			b = jsontext.AppendKey(b, name)
			switch s, ok := r.Parts[name]; {
			case !ok:
				b = append(b, "null"...)
			case s != "" && name == "port":
				b = present.AppendPort(b, s)
			default:
				b = jsontext.AppendString(b, s)
			}
		}
		b = append(b, '}')
	}
	return append(b, ']', '}')
}

// appendTable appends a table with a line for each parser, and a column for each part that one of
// them found.
func appendTable(b []byte, list []readers.Reading) []byte {
	if list == nil {
		return b
	}
	lines := []string{"          "} // the head, and one line per parser
	for _, r := range list {
		line := fmt.Sprintf("  %-8s", r.Reader)
		if r.Err != nil {
			line += "  " + refusal(r.Err)
		}
		lines = append(lines, line)
	}
	for _, name := range readers.PartNames() {
		cells, width := []string{name}, 0 // 0 if no parser has the part
		for _, r := range list {
			cell := "-"
			if s, ok := r.Parts[name]; ok {
				cell = present.Visible(s)
				width = max(width, len(name), len(cell))
			}
			cells = append(cells, cell)
		}
		for i := range lines {
			if width > 0 && (i == 0 || list[i-1].Err == nil) {
				lines[i] += fmt.Sprintf("  %-*s", width, cells[i])
			}
		}
	}
	b = append(b, "readers\n"...)
	for _, line := range lines {
		if line = strings.TrimRight(line, " "); line != "" { // no parser found a part
			b = append(append(b, line...), '\n')
		}
	}
	return b
}

// refusal says why a parser rejects the text.
func refusal(e *locator.SyntaxError) string {
	s := "rejects it"
	if e.Offset >= 0 {
		s += fmt.Sprintf(" at byte %d", e.Offset)
	}
	if e.Rule != "" {
		s += " (" + e.Rule + ")"
	}
	return s + ": " + wire.Escape(e.Msg)
}
