package locator

import (
	"fmt"
	"log/slog"
	"strings"
)

const prosperoProductions = `
prosperourl    = "prospero://" hostport "/" ppath *[ fieldspec ]
ppath          = psegment *[ "/" psegment ]
psegment       = *[ uchar | "?" | ":" | "@" | "&" | "=" ]
fieldspec      = ";" fieldname "=" fieldvalue
fieldname      = *[ uchar | "?" | ":" | "@" | "&" ]
fieldvalue     = *[ uchar | "?" | ":" | "@" | "&" ]
`

// prosperoCurrent is RFC 4157 2 with the characters of RFC 3986.
const prosperoCurrent = `
prosperourl    = "prospero://" hostport "/" ppath *fieldspec
ppath          = *( psegment-char / "/" )
psegment-char  = uchar / "?" / ":" / "@" / "&" / "="
fieldspec      = ";" fieldname "=" fieldvalue
fieldname      = *field-char
fieldvalue     = *field-char
field-char     = uchar / "?" / ":" / "@" / "&"
`

// Prospero is the view of a prospero URL (RFC 1738 3.11).
type Prospero struct {
	Hostport
	Name   string // the hsoname; "/" in it has no special meaning here
	Fields []Pair
}

// String returns the redacted URL that Build writes, or its error.
func (v Prospero) String() string { return viewString(&v) }

// Format prints String for every verb, so that a password is never shown.
func (v Prospero) Format(f fmt.State, verb rune) { formatView(f, verb, &v) }

// MarshalText returns the whole URL that [Build] writes, with the password; nothing for the zero
// view. JSON uses it. The error is that of Build.
func (v Prospero) MarshalText() ([]byte, error) { return viewText(&v) }

// UnmarshalText reads what MarshalText writes. It fails like [URL.UnmarshalText], or if the URL has
// another view.
func (v *Prospero) UnmarshalText(text []byte) error { return unmarshalView(v, text) }

// LogValue returns the redacted URL for package slog.
func (v Prospero) LogValue() slog.Value { return logView(&v) }

// prospero parses what follows "prospero:".
func (r *reader) prospero(i int) int {
	if i = r.server(i, "prosperourl"); i < 0 {
		return -1
	}
	if i == len(r.s) {
		return r.fail(i, "prosperourl", `"/" and an hsoname`, "")
	}
	if i = r.span(i+1, fpathClass); i < 0 {
		return -1
	}
	if i < len(r.s) && r.s[i] != ';' {
		return r.fail(i, "psegment", "", "")
	}
	for i < len(r.s) {
		if i = r.fieldspec(i); i < 0 {
			return -1
		}
	}
	return r.path(i)
}

// fieldspec parses one ";field=value".
func (r *reader) fieldspec(i int) int {
	begin := i
	if i = r.span(i+1, fieldClass); i < 0 {
		return -1
	}
	if !r.at(i, '=') {
		if i < len(r.s) && r.s[i] != ';' {
			return r.fail(i, "fieldname", "", "")
		}
		return r.failFrom(begin, i, "fieldspec", `"=" and a value`, `a field is ";name=value"; a ";" in an hsoname is written %3B`)
	}
	if i = r.span(i+1, fieldClass); i < 0 {
		return -1
	}
	if i < len(r.s) && r.s[i] != ';' {
		return r.fail(i, "fieldvalue", "", "")
	}
	return i
}

// prosperoPath splits the url-path into hsoname and fields.
func (u URL) prosperoPath() (name string, fields []Pair) {
	path, _ := u.Path()
	name, rest, more := strings.Cut(path, ";")
	if more {
		fields = splitPairs(rest, ";")
	}
	return name, fields
}

func (*Prospero) of(u URL) View {
	name, fields := u.prosperoPath()
	d := u.decoder()
	return &Prospero{Hostport: u.hostport(), Name: d.text(name), Fields: d.fields(fields)}
}

func (*Prospero) parts(u URL) []Part {
	name, fields := u.prosperoPath()
	return []Part{textPart("name", Some(name)), pairsPart("fields", fields)}
}

// Scheme returns "prospero".
func (v *Prospero) Scheme() string { return "prospero" }

func (v *Prospero) build(b *builder) {
	b.text("//")
	b.hostport(v.Hostport)
	b.text("/")
	b.escaped(v.Name, fpathClass)
	for _, f := range v.Fields {
		b.text(";")
		b.escaped(f.Name, fieldClass)
		b.text("=")
		b.escaped(f.Value, fieldClass)
	}
}

// commandParts: Prospero quotes LF; it has no use for CR and no quote for NUL.
func (v *Prospero) commandParts(look lookFunc) {
	look("name", v.Name, "\r\x00")
	for _, f := range v.Fields {
		look("field name", f.Name, "\r\x00")
		look("field value", f.Value, "\r\x00")
	}
}
