package present

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"locator"
	"locator/explain"
	"locator/internal/jsontext"
	"locator/wire"
)

// Options say how a reading or an explanation is shown.
type Options struct {
	Passwords bool // show passwords; otherwise they are ****
	Line      int  // of the URL in a list; 0 means none
	Limited   bool // say that the addresses of a name are checked when it is accessed
	// ErrorText returns the text of an error; nil uses Error.
	ErrorText func(error) string
	// Syntax returns how the reader selects a syntax, "rfc1738" or "current"; nil says nothing.
	Syntax func(name string) string
}

// syntax returns how the reader selects a syntax, in parentheses.
func (o *Options) syntax(name string) string {
	if o.Syntax == nil {
		return ""
	}
	return " (" + o.Syntax(name) + ")"
}

// text returns the text of an error.
func (o *Options) text(err error) string {
	if o.ErrorText != nil {
		return o.ErrorText(err)
	}
	return err.Error()
}

// AppendReading appends the object of a reading.
func AppendReading(b []byte, r *explain.Reading, o Options) []byte {
	b = jsontext.AppendText(append(b, '{'), "input", r.Shown(o.Passwords))
	if o.Line > 0 {
		b = jsontext.AppendNumber(b, "line", o.Line, true)
	}
	b = jsontext.AppendBool(b, "ok", r.Err == nil)
	if r.Err != nil {
		b = jsontext.AppendFilled(b, "scheme", r.Err.Scheme)
		b = appendRepair(appendSyntaxError(jsontext.AppendKey(b, "error"), r.Suggested()), r, o)
		return append(b, '}')
	}
	u := r.Masked(o.Passwords)
	b = jsontext.AppendText(b, "scheme", u.Scheme())
	b = jsontext.AppendOptional(b, "user", optionalOf(u.User()))
	b = jsontext.AppendOptional(b, "password", r.Password(o.Passwords))
	b = jsontext.AppendOptional(b, "host", optionalOf(u.Host(), u.HasHost()))
	b = AppendPort(jsontext.AppendKey(b, "port"), u.Port())
	b = jsontext.AppendOptional(b, "fragment", optionalOf(u.Fragment()))
	b = jsontext.AppendText(b, "canonical", r.Canonical(o.Passwords))
	b = append(jsontext.AppendKey(b, "view"), '{')
	for _, p := range u.Parts() {
		b = appendPart(b, p)
	}
	return append(appendRepair(append(b, '}'), r, o), '}')
}

// appendRepair appends the repaired URL and what was changed, as an object, if there is one.
func appendRepair(b []byte, r *explain.Reading, o Options) []byte {
	if r.Changes == nil {
		return b
	}
	b = jsontext.AppendText(append(jsontext.AppendKey(b, "repaired"), '{'), "url", r.RepairedText(o.Passwords))
	b = append(jsontext.AppendKey(b, "changes"), '[')
	for _, c := range r.Changes {
		b = jsontext.AppendNumber(append(jsontext.AppendComma(b), '{'), "offset", c.Offset, true)
		b = append(jsontext.AppendText(jsontext.AppendText(jsontext.AppendText(b, "was", c.Was), "now", c.Now), "why", c.Why), '}')
	}
	return append(b, ']', '}')
}

// AppendPort appends a port up to 65535 as a number, larger ones as a string, and null if there is
// none.
func AppendPort(b []byte, digits string) []byte {
	if digits == "" {
		return append(b, "null"...)
	}
	n, err := strconv.ParseUint(digits, 10, 16)
	if err != nil {
		return jsontext.AppendString(b, digits)
	}
	return strconv.AppendUint(b, n, 10)
}

// appendPart appends a part of the view.
func appendPart(b []byte, p locator.Part) []byte {
	switch p.Kind {
	case locator.PartList:
		return jsontext.AppendList(b, p.Name, p.List)
	case locator.PartPairs:
		b = append(jsontext.AppendKey(b, p.Name), '[')
		for _, f := range p.Pairs {
			b = append(jsontext.AppendText(jsontext.AppendText(append(jsontext.AppendComma(b), '{'), "name", f.Name), "value", f.Value), '}')
		}
		return append(b, ']')
	}
	return jsontext.AppendOptional(b, p.Name, p.Text)
}

// appendSyntaxError appends an error as an object, or null if there is none.
func appendSyntaxError(b []byte, e *locator.SyntaxError) []byte {
	if e == nil {
		return append(b, "null"...)
	}
	b = jsontext.AppendNumber(append(b, '{'), "offset", e.Offset, true)
	b = jsontext.AppendFilled(b, "rule", e.Rule)
	b = jsontext.AppendFilled(b, "section", e.Section)
	b = jsontext.AppendText(b, "message", e.Msg)
	return append(jsontext.AppendFilled(b, "hint", e.Hint), '}')
}

// AppendReadingText appends one line for each part that is present; nothing of an invalid URL. If
// the URL was repaired, it appends only the result and what was changed.
func AppendReadingText(b []byte, r *explain.Reading, o Options) []byte {
	if r.Err != nil && r.Changes == nil {
		return b
	}
	if r.Changes != nil {
		b = appendLine(b, "input", locator.Some(r.Shown(o.Passwords)))
		b = appendLine(b, "repaired", locator.Some(r.RepairedText(o.Passwords)))
		for _, c := range r.Changes {
			b = append(append(appendName(b, "change"), InASCII(wire.TextLine(c.String()))...), '\n') // its quoted parts are escaped already
		}
		return b
	}
	u := r.Masked(o.Passwords)
	b = appendLine(b, "input", locator.Some(r.Shown(o.Passwords)))
	b = appendLine(b, "scheme", locator.Some(u.Scheme()))
	b = appendLine(b, "user", optionalOf(u.User()))
	b = appendLine(b, "password", r.Password(o.Passwords))
	b = appendLine(b, "host", optionalOf(u.Host(), u.HasHost()))
	b = appendLine(b, "port", optionalOf(u.Port(), u.Port() != ""))
	for _, p := range u.Parts() {
		switch p.Kind {
		case locator.PartText:
			b = appendLine(b, p.Name, p.Text)
		case locator.PartList:
			words := make([]string, len(p.List))
			for i, s := range p.List {
				words[i] = Visible(s)
			}
			b = appendWords(b, p.Name, words)
		case locator.PartPairs:
			words := make([]string, len(p.Pairs))
			for i, f := range p.Pairs {
				words[i] = wire.Escape(f.Name) + "=" + wire.Escape(f.Value)
			}
			b = appendWords(b, p.Name, words)
		}
	}
	b = appendLine(b, "fragment", optionalOf(u.Fragment()))
	return appendLine(b, "canonical", locator.Some(r.Canonical(o.Passwords)))
}

// appendLine appends "name  value" unless the value is absent.
func appendLine(b []byte, name string, value locator.Optional) []byte {
	s, ok := value.Get()
	if !ok {
		return b
	}
	return append(append(appendName(b, name), Visible(s)...), '\n')
}

// InASCII returns a line with the bytes beyond ASCII escaped.
func InASCII(line string) string {
	var b strings.Builder
	for _, c := range []byte(line) {
		if c < utf8.RuneSelf {
			b.WriteByte(c)
		} else {
			b.WriteString(wire.Escape(string([]byte{c})))
		}
	}
	return b.String()
}

// appendName appends the name of a line, padded with spaces.
func appendName(b []byte, name string) []byte {
	b = append(b, name...)
	for range max(2, 11-len(name)) {
		b = append(b, ' ')
	}
	return b
}

// appendWords appends "name  word word" unless there are no words. Words contain no spaces.
func appendWords(b []byte, name string, words []string) []byte {
	if len(words) == 0 {
		return b
	}
	return append(append(appendName(b, name), strings.Join(words, " ")...), '\n')
}

// Visible returns a part for a terminal. An empty part becomes "".
func Visible(s string) string {
	if s == "" {
		return `""`
	}
	return wire.Escape(s)
}

func optionalOf(s string, ok bool) locator.Optional {
	if !ok {
		return locator.Optional{}
	}
	return locator.Some(s)
}
