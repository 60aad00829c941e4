package present

import (
	"fmt"
	"strings"

	"locator"
	"locator/explain"
	"locator/internal/jsontext"
	"locator/internal/readers"
	"locator/wire"
)

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
				b = AppendPort(b, s)
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
				cell = Visible(s)
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

// AppendComparison appends an explanation with the readings of several parsers, as an object or as
// lines.
func AppendComparison(b []byte, x *explain.Explanation, list []readers.Reading, o Options, asJSON bool) []byte {
	if asJSON {
		return appendReaders(AppendExplanation(b, x, o), list)
	}
	b = AppendExplanationText(b, x, o)
	return AppendFindings(appendTable(b, list), x.Findings)
}
