package present

import (
	"fmt"
	"strings"

	"locator"
	"locator/explain"
	"locator/internal/jsontext"
	"locator/repair"
	"locator/vet"
	"locator/wire"
)

// AppendExplanation appends the object of an explanation.
func AppendExplanation(b []byte, x *explain.Explanation, o Options) []byte {
	b = AppendReading(b, &x.Reading, o)
	b = b[:len(b)-1] // without the "}"
	b = append(jsontext.AppendKey(b, "rfc1738"), '{')
	b = jsontext.AppendBool(b, "ok", x.Strict == nil)
	b = append(appendSyntaxError(jsontext.AppendKey(b, "error"), x.Strict), '}')
	b = append(jsontext.AppendKey(b, "clauses"), '[')
	for _, c := range x.Clauses {
		b = jsontext.AppendText(append(jsontext.AppendComma(b), '{'), "section", c.Section)
		b = jsontext.AppendNumber(b, "offset", x.Cut+c.Offset, true)
		b = append(jsontext.AppendText(b, "what", c.What), '}')
	}
	b = append(b, ']')
	b = jsontext.AppendOptional(b, "readable", x.Readable())
	b = jsontext.AppendFilled(b, "hint", repair.Hint(x.URL))
	refused := ""
	if x.Refused != nil {
		refused = o.text(x.Refused)
	}
	b = jsontext.AppendFilled(b, "refused", refused)
	b = jsontext.AppendList(b, "steps", x.Steps)
	b = append(jsontext.AppendKey(b, "findings"), '[')
	for _, f := range x.Findings {
		b = jsontext.AppendText(append(jsontext.AppendComma(b), '{'), "code", f.Code)
		b = jsontext.AppendText(b, "severity", f.Severity.String())
		b = jsontext.AppendText(b, "message", f.Message)
		b = append(jsontext.AppendText(b, "section", f.Section), '}')
	}
	return append(b, ']', '}')
}

// AppendExplanationText appends the lines of an explanation. [AppendFindings] appends its findings.
func AppendExplanationText(b []byte, x *explain.Explanation, o Options) []byte {
	if x.Err != nil {
		return appendMalformed(b, x, o)
	}
	b = AppendReadingText(b, &x.Reading, o)
	b = fmt.Appendf(b, "%-9s  %s (%s)\n", "rule", x.Rule, RFC(x.Section))
	if x.Strict == nil {
		b = fmt.Appendf(b, "%-9s  accepts it\n", "RFC 1738")
	} else {
		b = fmt.Appendf(b, "%-9s  rejects it at byte %d: %s (%s, %s)\n", "RFC 1738", x.Strict.Offset, wire.Escape(x.Strict.Msg), RFC(x.Strict.Section), x.Strict.Rule)
	}
	for _, c := range x.Clauses {
		b = fmt.Appendf(b, "%-9s  by %s at byte %d: %s\n", "allowed", c.Section, x.Cut+c.Offset, c.What)
	}
	b = fmt.Appendf(b, "%-9s  %s\n", "abilities", abilities(x))
	if hint := repair.Hint(x.URL); hint != "" {
		b = fmt.Appendf(b, "%-9s  %s\n", "hint", wire.Escape(hint))
	}
	switch {
	case x.Refused != nil:
		b = fmt.Appendf(b, "%-9s  refuses it: %s\n", "policy", wire.TextLine(o.text(x.Refused)))
	case o.Limited:
		b = fmt.Appendf(b, "%-9s  allows it; the addresses of a name are checked when it is accessed\n", "policy")
	}
	switch {
	case x.Unable != nil:
		b = fmt.Appendf(b, "%-9s  none: %s\n", "steps", wire.TextLine(o.text(x.Unable)))
	case x.SendsNothing:
		b = fmt.Appendf(b, "%-9s  none: an access sends nothing\n", "steps")
	case len(x.Steps) > 0:
		if x.Refused != nil {
			b = append(b, "steps that policy refuses\n"...)
		} else {
			b = append(b, "steps\n"...)
		}
		for _, s := range x.Steps {
			b = fmt.Appendf(b, "  %s\n", s)
		}
	}
	return b
}

// AppendFindings appends a line for each finding.
func AppendFindings(b []byte, list []vet.Finding) []byte {
	if len(list) > 0 {
		b = append(b, "findings\n"...)
	}
	for _, f := range list {
		b = fmt.Appendf(b, "  %-7s  %s: %s (%s)\n", f.Severity, f.Code, wire.Escape(f.Message), RFC(f.Section))
	}
	return b
}

// appendMalformed appends where and why a text is invalid. An arrow points at the position, unless
// a password is masked.
func appendMalformed(b []byte, x *explain.Explanation, o Options) []byte {
	shown := x.Shown(o.Passwords)
	b = appendLine(b, "input", locator.Some(shown))
	if shown == x.Text && len(x.Text) > 0 && x.Err.Offset <= len(x.Text) {
		b = fmt.Appendf(b, "%*s\n", 12+len(wire.Escape(x.Text[:x.Err.Offset])), "^")
	}
	if x.Err.Scheme != "" {
		b = appendLine(b, "scheme", locator.Some(x.Err.Scheme))
	}
	b = fmt.Appendf(b, "%-9s  at byte %d: %s\n", "malformed", x.Err.Offset, wire.Escape(x.Err.Msg))
	if x.Err.Rule != "" {
		b = fmt.Appendf(b, "%-9s  %s (%s)\n", "rule", x.Err.Rule, RFC(x.Err.Section))
	}
	if x.Err.Hint != "" {
		b = fmt.Appendf(b, "%-9s  %s\n", "hint", wire.Escape(x.Err.Hint))
	}
	if x.Current {
		b = fmt.Appendf(b, "%-9s  accepts it%s\n", "current", o.syntax("current"))
	}
	if x.Strict == nil {
		b = fmt.Appendf(b, "%-9s  accepts it%s\n", "RFC 1738", o.syntax("rfc1738"))
	}
	return b
}

// RFC returns a section with the name of its RFC.
func RFC(section string) string {
	if strings.HasPrefix(section, "RFC") {
		return section
	}
	return "RFC 1738 " + section
}

// abilities returns the operations of the scheme, or why there are none.
func abilities(x *explain.Explanation) string {
	switch {
	case x.NoClient != "":
		return "none: " + x.NoClient
	case x.Via != "":
		return strings.Join(x.Abilities, " ") + ", through the gateway " + wire.TextLine(x.Via)
	}
	return strings.Join(x.Abilities, " ")
}
