package locator

import (
	"fmt"
	"log/slog"
	"strconv"
	"strings"
)

const gopherProductions = `
gopherurl      = "gopher://" hostport [ "/" [ gtype [ selector
                 [ "%09" search [ "%09" gopher+_string ] ] ] ] ]
gtype          = xchar
selector       = *xchar
gopher+_string = *xchar
` + searchProduction

// gopherCurrent is RFC 4266 2.1 with the characters of RFC 3986. The encoded tabs end the parts.
const gopherCurrent = `
gopherurl      = "gopher://" hostport [ "/" *xchar ]
`

const gopherTab = "%09"

// Gopher is the view of a gopher or gophers URL (RFC 1738 3.4). All parts are absent in
// "gopher://h" and "gopher://h/".
type Gopher struct {
	Secure bool // gophers: gopher over TLS (an extension)
	Hostport
	Type     Optional // one byte; absent means "1"
	Selector Optional
	Search   Optional
	Plus     Optional // the Gopher+ string (RFC 1738 3.4.3)
}

// String returns the redacted URL that Build writes, or its error.
func (v Gopher) String() string { return viewString(&v) }

// Format prints String for every verb, so that a password is never shown.
func (v Gopher) Format(f fmt.State, verb rune) { formatView(f, verb, &v) }

// MarshalText returns the whole URL that [Build] writes, with the password; nothing for the zero
// view. JSON uses it. The error is that of Build.
func (v Gopher) MarshalText() ([]byte, error) { return viewText(&v) }

// UnmarshalText reads what MarshalText writes. It fails like [URL.UnmarshalText], or if the URL has
// another view.
func (v *Gopher) UnmarshalText(text []byte) error { return unmarshalView(v, text) }

// LogValue returns the redacted URL for package slog.
func (v Gopher) LogValue() slog.Value { return logView(&v) }

// gopher parses what follows the colon of gopher or gophers. A selector may contain "%09" like any
// other escape, so the grammar does not say where it ends; the view does.
func (r *reader) gopher(i int) int {
	if i = r.server(i, "gopherurl"); i < 0 || i == len(r.s) {
		return r.noPath(i)
	}
	begin := i + 1
	if i = r.span(begin, xcharClass); i < 0 {
		return -1
	}
	rule := "selector"
	if i == begin {
		rule = "gtype"
	}
	if r.end(i, rule) < 0 {
		return -1
	}
	return r.path(i)
}

// gopherPath splits the gopher-path at its first two encoded tabs (RFC 1738 3.4.1). All parts are
// absent if it is empty.
func (u URL) gopherPath() (gtype, selector, search, plus Optional) {
	path, _ := u.Path()
	if path == "" {
		return
	}
	n := 1
	if path[0] == '%' {
		n = len(gopherTab)
	}
	gtype = Some(path[:n])
	rest, tail := cutOptional(path[n:], gopherTab)
	selector = Some(rest)
	if s, ok := tail.Get(); ok {
		s, plus = cutOptional(s, gopherTab)
		search = Some(s)
	}
	return
}

func (*Gopher) of(u URL) View {
	d := u.decoder()
	gtype, selector, search, plus := u.gopherPath()
	return &Gopher{
		Secure: u.row().TLS, Hostport: u.hostport(), Type: d.optional(gtype), Selector: d.optional(selector),
		Search: d.optional(search), Plus: d.optional(plus),
	}
}

func (*Gopher) parts(u URL) []Part {
	gtype, selector, search, plus := u.gopherPath()
	return []Part{textPart("type", gtype), textPart("selector", selector), textPart("search", search), textPart("plus", plus)}
}

// Scheme returns "gopher", or "gophers" if Secure is set.
func (v *Gopher) Scheme() string { return schemes.name(gopherGrammar, v.Secure) }

func (v *Gopher) build(b *builder) {
	gtype, hasType := v.Type.Get()
	selector, hasSelector := v.Selector.Get()
	search, hasSearch := v.Search.Get()
	plus, hasPlus := v.Plus.Get()
	switch {
	case hasPlus && !hasSearch:
		b.fail(0, "gopher+_string", "3.4.3", "there is a Gopher+ string but no search before it", "set Search; it may be empty")
	case hasSearch && !hasSelector:
		b.fail(0, "search", "3.4.2", "there is a search but no selector before it", "set Selector; it may be empty")
	case hasType != hasSelector:
		b.fail(0, "selector", "3.4.1", "type and selector must both be set, or neither", "set both, or none; a selector may be empty")
	case hasType && len(gtype) != 1:
		b.fail(min(1, len(gtype)), "gtype", "3.4.1", "a type is one byte", `use one, such as "1"`)
	}
	b.noTab(selector, "selector")
	b.noTab(search, "search")
	b.text("//")
	b.hostport(v.Hostport)
	b.text("/")
	b.escaped(gtype, xcharClass)
	b.escaped(selector, xcharClass)
	if hasSearch {
		b.text(gopherTab)
		b.escaped(search, xcharClass)
	}
	if hasPlus {
		b.text(gopherTab)
		b.escaped(plus, xcharClass)
	}
}

// noTab refuses a tab, which would end the part (RFC 1738 3.4.1).
func (b *builder) noTab(s, rule string) {
	if i := strings.IndexByte(s, '\t'); i >= 0 {
		b.fail(i, rule, "3.4.1", "a tab (0x09) ends this part, so the part cannot contain one", "leave the tab out")
	}
}

// commandParts: the tabs before the Gopher+ string separate parts and are not in the view. The
// sender of a filled form writes it anew.
func (v *Gopher) commandParts(look lookFunc) {
	look("type", v.Type.Or(""), lineEnds+"\t")
	look("selector", v.Selector.Or(""), lineEnds)
	look("search", v.Search.Or(""), lineEnds)
	if _, filled := v.Form(); !filled {
		look("Gopher+ string", v.Plus.Or(""), lineEnds+"\t")
	}
}

// GopherForm is a filled Gopher+ form (RFC 1738 3.4.9).
type GopherForm struct {
	View    string   // the view that is requested, with its language; "" for none
	Counted bool     // a count comes before the answers ("+N"); otherwise a line with a dot ends them ("+-1")
	Answers []string // one or more lines per question; none holds CR, LF or NUL
}

// Form returns the filled form in the Gopher+ string: "+", a view or nothing, TAB "1" CR LF and a
// data block. The data block is either "+-1" CR LF, lines, and a line with a dot, or "+", a count,
// CR LF, and lines of so many bytes. ok is false unless the string is one whole form.
//
// The Gopher+ document has a third block, "+-2", whose data ends when the client closes. RFC 1738
// does not have it, and UMN gopherd 3.0.5 then passes bytes of its memory to the form.
func (v *Gopher) Form() (f GopherForm, ok bool) {
	head, block, _ := strings.Cut(v.Plus.Or(""), "\r\n")
	first, flag, _ := strings.Cut(head, "\t")
	view, ok := strings.CutPrefix(first, "+")
	if !ok || flag != "1" || strings.ContainsAny(view, lineEnds) {
		return GopherForm{}, false
	}
	size, data, ok := strings.Cut(block, "\r\n")
	if !ok {
		return GopherForm{}, false
	}
	f = GopherForm{View: view, Counted: size != "+-1"}
	if f.Counted {
		count, plus := strings.CutPrefix(size, "+")
		n, err := strconv.ParseUint(count, 10, 31)
		ok = plus && err == nil && n == uint64(len(data))
	} else {
		data, ok = strings.CutSuffix(data, gopherEnd+"\r\n")
	}
	if !ok || data != "" && !strings.HasSuffix(data, "\r\n") {
		return GopherForm{}, false
	}
	for data != "" {
		var line string
		line, data, _ = strings.Cut(data, "\r\n")
		if strings.ContainsAny(line, lineEnds) || !f.Counted && line == gopherEnd {
			return GopherForm{}, false
		}
		f.Answers = append(f.Answers, line)
	}
	return f, true
}

// gopherEnd is the line that ends a text (RFC 1436 3.2).
const gopherEnd = "."

func (u URL) gopherCanonical(b []byte) []byte {
	b = append(u.appendHostport(append(b, "//"...)), '/')
	path, _ := u.Path()
	begin := len(b)
	b = appendUndone(b, path, undoUnreserved)
	if string(b[begin:]) == "1" {
		b = b[:begin] // an empty path means type 1 with an empty selector
	}
	return b
}
