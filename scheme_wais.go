package locator

import (
	"fmt"
	"log/slog"
	"strings"
)

const waisProductions = `
waisurl        = waisdatabase | waisindex | waisdoc
waisdatabase   = "wais://" hostport "/" database
waisindex      = "wais://" hostport "/" database "?" search
waisdoc        = "wais://" hostport "/" database "/" wtype "/" wpath
database       = *uchar
wtype          = *uchar
wpath          = *uchar
` + searchProduction

// waisCurrent is RFC 4156 2 with the characters of RFC 3986, and the document-ids that libwww
// writes.
//
// QUIRK: w3c libwww, and after it lynx, Mosaic and Emacs, write a document-id as LENGTH "/"
// 1=host;2=database;3=name;..., with unescaped "/" in the values. Existing links look like this,
// some with an unescaped ":" between host and port.
const waisCurrent = `
waisurl        = "wais://" hostport "/" database [ "?" search / "/" wtype "/" ( wpath / length "/" wfields ) ]
database       = *uchar
wtype          = *uchar
wpath          = *uchar
search         = query
length         = 1*DIGIT
wfields        = wfield *( ";" wfield ) [ ";" ]
wfield         = 1*DIGIT "=" *( uchar / "/" / ":" )
`

// WAIS is the view of a wais URL (RFC 1738 3.9).
type WAIS struct {
	Hostport
	Kind     WAISKind
	Database string
	Search   string // for WAISSearch
	Type     string // for WAISDocument: <wtype>
	Path     string // for WAISDocument: <wpath>, the document-id

	// In Current, for the document-ids of libwww: the size of the document in bytes, as digits, and
	// the fields of the id, whose names are digits. Path is empty then.
	Size Optional
	ID   []Pair
}

// String returns the redacted URL that Build writes, or its error.
func (v WAIS) String() string { return viewString(&v) }

// Format prints String for every verb, so that a password is never shown.
func (v WAIS) Format(f fmt.State, verb rune) { formatView(f, verb, &v) }

// MarshalText returns the whole URL that [Build] writes, with the password; nothing for the zero
// view. JSON uses it. The error is that of Build.
func (v WAIS) MarshalText() ([]byte, error) { return viewText(&v) }

// UnmarshalText reads what MarshalText writes. It fails like [URL.UnmarshalText], or if the URL has
// another view.
func (v *WAIS) UnmarshalText(text []byte) error { return unmarshalView(v, text) }

// LogValue returns the redacted URL for package slog.
func (v WAIS) LogValue() slog.Value { return logView(&v) }

// WAISKind says what a wais URL names.
type WAISKind uint8

// The kinds of RFC 1738 3.9.
const (
	WAISDatabase WAISKind = iota
	WAISSearch
	WAISDocument
)

// String returns "database", "search" or "document".
func (k WAISKind) String() string {
	return [...]string{"database", "search", "document"}[min(k, WAISDocument)]
}

// wais parses what follows "wais:".
func (r *reader) wais(i int) int {
	if i = r.server(i, "waisurl"); i < 0 {
		return -1
	}
	if i == len(r.s) {
		return r.fail(i, "waisurl", `"/" and a database`, "")
	}
	if i = r.span(i+1, ucharClass); i < 0 {
		return -1
	}
	switch {
	case r.at(i, '?'):
		i = r.whole(i+1, searchClass, "search")
	case r.at(i, '/'):
		begin := i
		if i = r.span(i+1, ucharClass); i < 0 {
			return -1
		}
		if i == len(r.s) {
			return r.failFrom(begin, i, "waisdoc", `"/" and a document-id`, "write database/type/document-id")
		}
		if r.s[i] != '/' {
			return r.fail(i, "wtype", "", "")
		}
		i = r.wpath(i + 1)
	case i < len(r.s):
		return r.fail(i, "database", "", "")
	}
	if i < 0 {
		return -1
	}
	return r.path(i)
}

// wpath parses a document-id, in Current also one of libwww.
func (r *reader) wpath(i int) int {
	begin := i
	if i = r.span(i, ucharClass); i < 0 {
		return -1
	}
	if !r.current || i == begin || !r.at(i, '/') || r.anyDigits(begin) < i {
		if i < len(r.s) {
			return r.fail(i, "wpath", "", "")
		}
		return i
	}
	for first := true; ; first = false { // at the delimiter before a field
		cut := i
		i++
		if !first {
			if i == len(r.s) {
				return i
			}
			cut = i // the ";" may end the last field
		}
		if i = r.digits(i, "wfield", "the number of a field", `a field is "number=value;"`); i < 0 {
			r.fault.cut = cut
			return -1
		}
		if !r.at(i, '=') {
			return r.failFrom(cut, i, "wfield", `a digit, or "=" and a value`, `a field is "number=value;"`)
		}
		if i = r.span(i+1, wfieldClass); i < 0 || i == len(r.s) {
			return i
		}
		if r.s[i] != ';' {
			return r.fail(i, "wfield", "", "")
		}
	}
}

// waisPath splits the url-path.
func (u URL) waisPath() (kind WAISKind, database string, search, wtype, wpath Optional) {
	path, _ := u.Path()
	i := strings.IndexAny(path, "?/")
	switch {
	case i < 0:
		return WAISDatabase, path, search, wtype, wpath
	case path[i] == '?':
		return WAISSearch, path[:i], Some(path[i+1:]), wtype, wpath
	}
	before, after, _ := strings.Cut(path[i+1:], "/")
	return WAISDocument, path[:i], search, Some(before), Some(after)
}

func (*WAIS) of(u URL) View {
	kind, database, search, wtype, wpath := u.waisPath()
	d := u.decoder()
	v := &WAIS{
		Hostport: u.hostport(), Kind: kind, Database: d.text(database), Search: d.text(search.text), Type: d.text(wtype.text),
	}
	if size, fields := waisFields(wpath); size.IsSet() {
		v.Size, v.ID = size, d.fields(fields)
	} else {
		v.Path = d.text(wpath.text)
	}
	return v
}

// waisFields splits a document-id of libwww. size is absent for one of RFC 1738, which contains no
// "/".
func waisFields(wpath Optional) (size Optional, fields []Pair) {
	before, after, libwww := strings.Cut(wpath.text, "/")
	if !libwww {
		return size, nil
	}
	return Some(before), splitPairs(strings.TrimSuffix(after, ";"), ";")
}

func (*WAIS) parts(u URL) []Part {
	kind, database, search, wtype, wpath := u.waisPath()
	parts := []Part{
		textPart("kind", Some(kind.String())), textPart("database", Some(database)),
		textPart("search", search), textPart("wtype", wtype), textPart("wpath", wpath),
	}
	if size, fields := waisFields(wpath); size.IsSet() {
		parts = append(parts, textPart("size", size), pairsPart("fields", fields))
	}
	return parts
}

// Scheme returns "wais".
func (v *WAIS) Scheme() string { return "wais" }

func (v *WAIS) build(b *builder) {
	switch {
	case v.Kind > WAISDocument:
		b.fail(0, "waisurl", "3.9", "the kind is none of the three", "use WAISDatabase, WAISSearch or WAISDocument")
	case v.Search != "" && v.Kind != WAISSearch:
		b.fail(0, "search", "3.9", "a search is set, but the kind is "+v.Kind.String(), "use WAISSearch")
	case (v.Type != "" || v.Path != "" || v.ID != nil) && v.Kind != WAISDocument:
		b.fail(0, "waisdoc", "3.9", "a document is set, but the kind is "+v.Kind.String(), "use WAISDocument")
	case v.ID != nil && v.Path != "":
		b.fail(0, "wpath", "3.9", "the document-id is set twice", "set Path or ID")
	case v.Size.IsSet() != (len(v.ID) > 0):
		b.fail(0, "length", "3.9", "a document-id needs both its fields and its size", "set both Size and ID, or none")
	}
	b.text("//")
	b.hostport(v.Hostport)
	b.text("/")
	b.escaped(v.Database, ucharClass)
	switch v.Kind {
	case WAISSearch:
		b.text("?")
		b.escaped(v.Search, searchClass)
	case WAISDocument:
		b.text("/")
		b.escaped(v.Type, ucharClass)
		b.text("/")
		if v.ID == nil {
			b.escaped(v.Path, ucharClass)
			return
		}
		b.later = true
		b.digits(v.Size.Or(""), "length", "3.9", "a size is digits")
		for i, f := range v.ID {
			b.text([]string{"/", ";"}[min(i, 1)])
			b.digits(f.Name, "wfield", "3.9", "the number of a field is digits")
			b.text("=")
			b.escaped(f.Value, wfieldClass)
		}
		b.text(";")
	}
}

// commandParts: a WAIS message counts its bytes.
func (v *WAIS) commandParts(lookFunc) {}
