package locator

import (
	"fmt"
	"log/slog"
	"strings"
)

// z3950Current is the BNF of RFC 2056. A "+" separates databases and record syntaxes; a docid needs a database (RFC 2056 3).
const z3950Current = `
z3950url       = ( "z39.50r://" / "z39.50s://" ) hostport [ "/" [ databases [ "?" docid ] ] [ esn ] [ rs ] ]
databases      = 1*uchar
docid          = 1*uchar
esn            = %s";esn=" 1*uchar
rs             = %s";rs=" 1*uchar
`

const (
	z3950ElementMark = ";esn="
	z3950SyntaxMark  = ";rs="
)

// Z3950 is the view of a z39.50r or z39.50s URL (RFC 2056).
type Z3950 struct {
	Hostport
	Session      bool     // z39.50s
	Databases    []string // nil if there is no path
	DocID        Optional
	ElementSet   Optional
	RecordSyntax []string // nil if there is none
}

// String returns the redacted URL that Build writes, or its error.
func (v Z3950) String() string { return viewString(&v) }

// Format prints String for every verb, as the other views do.
func (v Z3950) Format(f fmt.State, verb rune) { formatView(f, verb, &v) }

// MarshalText returns the whole URL that [Build] writes, with the password; nothing for the zero view. JSON uses it. The error is that of Build.
func (v Z3950) MarshalText() ([]byte, error) { return viewText(&v) }

// UnmarshalText reads what MarshalText writes. It fails like [URL.UnmarshalText], or if the URL has another view.
func (v *Z3950) UnmarshalText(text []byte) error { return unmarshalView(v, text) }

// LogValue returns the redacted URL for package slog.
func (v Z3950) LogValue() slog.Value { return logView(&v) }

// z3950 parses what follows "z39.50r:" or "z39.50s:".
func (r *reader) z3950(i int) int {
	if i = r.server(i, "z3950url"); i < 0 || i == len(r.s) {
		return r.noPath(i)
	}
	begin := i + 1
	if i = r.span(begin, ucharClass); i < 0 {
		return -1
	}
	if r.at(i, '?') {
		if i == begin {
			return r.fail(i, "databases", "a database", "write the name of the database of a document before the \"?\"")
		}
		if i = r.z3950Name(i, i+1, "docid"); i < 0 {
			return -1
		}
	}
	if strings.HasPrefix(r.s[i:], ";e") {
		if i = r.z3950Mark(i, z3950ElementMark); i < 0 {
			return -1
		}
	}
	if r.at(i, ';') {
		if i = r.z3950Mark(i, z3950SyntaxMark); i < 0 {
			return -1
		}
	}
	if i < len(r.s) {
		return r.fail(i, "z3950url", "", "")
	}
	return r.path(i)
}

// z3950Name parses a name that must not be empty. What introduces it is at mark.
func (r *reader) z3950Name(mark, i int, rule string) int {
	begin := i
	if i = r.span(i, ucharClass); i == begin {
		return r.failFrom(mark, i, rule, "a character of a name", "leave out the empty part and the character before it")
	}
	return i
}

// z3950Mark parses a mark and the name after it.
func (r *reader) z3950Mark(i int, mark string) int {
	begin := i
	for j := range len(mark) {
		if !r.at(i, mark[j]) {
			return r.failFrom(begin, i, "z3950url", `";esn=" or ";rs="`, `a ";" in a name is written %3B`)
		}
		i++
	}
	return r.z3950Name(begin, i, strings.Trim(mark, ";="))
}

// z3950Path splits the url-path.
func (u URL) z3950Path() (databases, docID, elements, syntax Optional) {
	path, ok := u.Path()
	path, syntax = cutOptional(path, z3950SyntaxMark)
	path, elements = cutOptional(path, z3950ElementMark)
	path, docID = cutOptional(path, "?")
	return optional(path, ok), docID, elements, syntax
}

// plusList returns the parts between "+", nil if the text is absent.
func plusList(o Optional) []string {
	if !o.set {
		return nil
	}
	return strings.Split(o.text, "+")
}

func (*Z3950) of(u URL) View {
	databases, docID, elements, syntax := u.z3950Path()
	d := u.decoder()
	return &Z3950{
		Hostport: u.hostport(), Session: u.Scheme() == "z39.50s", Databases: d.all(plusList(databases)),
		DocID: d.optional(docID), ElementSet: d.optional(elements), RecordSyntax: d.all(plusList(syntax)),
	}
}

func (*Z3950) parts(u URL) []Part {
	databases, docID, elements, syntax := u.z3950Path()
	return []Part{
		textPart("part", Some(u.SchemePart())), listPart("databases", plusList(databases)), textPart("docid", docID),
		textPart("elements", elements), listPart("syntax", plusList(syntax)),
	}
}

// Scheme returns "z39.50r" or "z39.50s".
func (v *Z3950) Scheme() string {
	if v.Session {
		return "z39.50s"
	}
	return "z39.50r"
}

func (v *Z3950) build(b *builder) {
	b.text("//")
	b.hostport(v.Hostport)
	if v.Databases == nil {
		if v.DocID.IsSet() || v.ElementSet.IsSet() || v.RecordSyntax != nil {
			b.fail(0, "databases", "RFC 2056", "there is no path for what is set", "use one empty database for none")
		}
		return
	}
	b.text("/")
	b.plusList(v.Databases, "databases")
	if id, ok := v.DocID.Get(); ok {
		b.text("?")
		b.escaped(id, ucharClass)
	}
	if set, ok := v.ElementSet.Get(); ok {
		b.text(z3950ElementMark)
		b.escaped(set, ucharClass)
	}
	if v.RecordSyntax != nil {
		b.text(z3950SyntaxMark)
		b.plusList(v.RecordSyntax, "rs")
	}
}

// plusList writes names with "+" between them.
func (b *builder) plusList(list []string, rule string) {
	if len(list) == 0 {
		b.fail(0, rule, "RFC 2056", "the list is there but empty", "use nil for none")
	}
	for i, s := range list {
		if i > 0 {
			b.text("+")
		}
		b.item(s, ucharClass, '+')
	}
}

func (v *Z3950) commandParts(lookFunc) {}

// undoZ3950 is undoUnreserved for z39.50: a "+" separates, its escape does not.
func undoZ3950(c byte) bool { return c != '+' && undoUnreserved(c) }

func (u URL) z3950Canonical(b []byte) []byte {
	b = u.appendHostport(append(b, "//"...))
	if path, ok := u.Path(); ok {
		b = appendUndone(append(b, '/'), path, undoZ3950)
	}
	return b
}
