package wire

import (
	"fmt"
	"strings"
)

// A Line is one line that may be sent, or several that one of our own serialisers joined. Its text holds no CR, LF or
// NUL but its own line ends. The zero Line is an empty line; so is every Line that comes with an error.
type Line struct {
	text   string // without the last CR LF
	masked string // what a trace may show
	secret bool
}

// UnsafeError says that a text cannot be a part of a command line (P2).
type UnsafeError struct {
	What  string // the part: "name", "selector"
	Octet byte
}

// Error names the part and the octet, never the text.
func (e *UnsafeError) Error() string {
	return fmt.Sprintf("the %s holds the octet %%%02X, which would end or split a command line; it is never sent", e.What, e.Octet)
}

// Check refuses CR, LF and NUL, and the further octets given, in a text that what names. The error is an
// *[UnsafeError].
func Check(what, text, further string) error {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\r', c == '\n', c == 0, strings.IndexByte(further, c) >= 0:
			return &UnsafeError{What: what, Octet: c}
		}
	}
	return nil
}

// Command makes the line "verb arg". The blank before an empty argument is sent too, as in "CWD " (RFC 1738 3.2.2).
// what names the argument in an error.
func Command(verb, what, arg string) (Line, error) {
	if err := Check("verb", verb, ""); err != nil {
		return Line{}, err
	}
	if err := Check(what, arg, ""); err != nil {
		return Line{}, err
	}
	return Line{text: verb + " " + arg}, nil
}

// Bare makes a line of words that the program knows, such as "PASV".
func Bare(verb string) (Line, error) {
	if err := Check("verb", verb, ""); err != nil {
		return Line{}, err
	}
	return Line{text: verb}, nil
}

// Secret makes the line "verb arg" of which a trace shows only "verb ****".
func Secret(verb, what, arg string) (Line, error) {
	l, err := Command(verb, what, arg)
	if err != nil {
		return Line{}, err
	}
	return l.Masked(verb + " ****"), nil
}

// Fields makes a line of fields with TABs between them (gopher). A field may hold no TAB. what names the fields in an
// error.
func Fields(what []string, fields ...string) (Line, error) {
	for i, f := range fields {
		name := "field"
		if i < len(what) {
			name = what[i]
		}
		if err := Check(name, f, "\t"); err != nil {
			return Line{}, err
		}
	}
	return Line{text: strings.Join(fields, "\t")}, nil
}

// Lines joins lines with CR LF, each of which was checked by itself (RFC 1738 3.4.9). It is for serialisers that
// write a form they have parsed; never for text that came decoded from a URL.
func Lines(lines ...Line) Line {
	var text, masked strings.Builder
	secret := false
	for i, l := range lines {
		if i > 0 {
			text.WriteString("\r\n")
			masked.WriteString("\r\n")
		}
		text.WriteString(l.text)
		masked.WriteString(l.shown())
		secret = secret || l.secret
	}
	if !secret {
		return Line{text: text.String()}
	}
	return Line{text: text.String(), masked: masked.String(), secret: true}
}

// Masked returns the line with another face for the trace.
func (l Line) Masked(shown string) Line {
	l.secret, l.masked = true, shown
	return l
}

func (l Line) shown() string {
	if l.secret {
		return l.masked
	}
	return l.text
}

// String is what a trace may show: secrets masked, escaped.
func (l Line) String() string { return Escape(l.shown()) }

// GoString is String in quotes, so that "%#v" shows no secret either.
func (l Line) GoString() string { return "wire.Line(" + l.String() + ")" }
