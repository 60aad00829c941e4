package wire

import (
	"fmt"
	"strings"
)

// A Line is a command line, or several lines joined by [Lines]. It contains no CR, LF or NUL except
// the line ends that Lines inserts. The zero Line is an empty line. Functions that return an error
// return the zero Line with it.
type Line struct {
	text  string // without the last CR LF
	shown string // text for traces
}

// open returns a line without a secret.
func open(text string) Line { return Line{text, text} }

// UnsafeError is the error for text that must not be part of a command line.
type UnsafeError struct {
	What  string // the part: "name", "selector"
	Octet byte
}

// Error returns a message with the part and the byte, without the text.
func (e *UnsafeError) Error() string {
	return fmt.Sprintf("the %s contains the byte %%%02X, which would end or split a command line; it is not sent", e.What, e.Octet)
}

// Check returns an *[UnsafeError] if text contains CR, LF, NUL or a byte of further. what names the
// text in the error.
func Check(what, text, further string) error {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\r', c == '\n', c == 0, strings.IndexByte(further, c) >= 0:
			return &UnsafeError{What: what, Octet: c}
		}
	}
	return nil
}

// Command returns the line "verb arg". If arg is empty, the line still has the blank, as in "CWD "
// (RFC 1738 3.2.2). what names the argument in an error.
func Command(verb, what, arg string) (Line, error) {
	if err := Check("verb", verb, ""); err != nil {
		return Line{}, err
	}
	if err := Check(what, arg, ""); err != nil {
		return Line{}, err
	}
	return open(verb + " " + arg), nil
}

// Bare returns a line without an argument, such as "PASV".
func Bare(verb string) (Line, error) {
	if err := Check("verb", verb, ""); err != nil {
		return Line{}, err
	}
	return open(verb), nil
}

// Secret returns the line "verb arg", which traces show as "verb ****".
func Secret(verb, what, arg string) (Line, error) {
	l, err := Command(verb, what, arg)
	if err != nil {
		return Line{}, err
	}
	return l.Masked(verb + " ****"), nil
}

// Fields returns a line of fields separated by TABs (gopher). A field must not contain a TAB. what
// names the fields in an error.
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
	return open(strings.Join(fields, "\t")), nil
}

// Lines joins lines with CR LF (RFC 1738 3.4.9). It is for forms whose lines were parsed and
// checked one by one. Do not use it for text decoded from a URL.
func Lines(lines ...Line) Line {
	var text, shown []string
	for _, l := range lines {
		text, shown = append(text, l.text), append(shown, l.shown)
	}
	return Line{strings.Join(text, "\r\n"), strings.Join(shown, "\r\n")}
}

// Masked returns l with another text for traces.
func (l Line) Masked(shown string) Line { return Line{l.text, shown} }

// String returns the line for traces: escaped, with secrets masked.
func (l Line) String() string { return Escape(l.shown) }

// GoString returns String in a form for "%#v", so that it does not reveal secrets.
func (l Line) GoString() string { return "wire.Line(" + l.String() + ")" }
