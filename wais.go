package locator

import "strings"

const waisProductions = `
waisurl        = waisdatabase | waisindex | waisdoc
waisdatabase   = "wais://" hostport "/" database
waisindex      = "wais://" hostport "/" database "?" search
waisdoc        = "wais://" hostport "/" database "/" wtype "/" wpath
database       = *uchar
wtype          = *uchar
wpath          = *uchar
` + searchProduction

const waisPort = 210

func waisSyntax() *Syntax {
	return &Syntax{
		Name: "wais", Port: waisPort, Ports: []uint16{210},
		Rule: "waisurl", Section: "3.9", Productions: waisProductions,
	}
}

// wais reads what follows "wais:".
func (r *reader) wais(i int) int {
	if i = r.slashes(i, "waisurl"); i < 0 {
		return -1
	}
	if i = r.hostport(i); i < 0 {
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
		if i = r.span(i+1, ucharClass); i < 0 {
			return -1
		}
		if i == len(r.s) {
			return r.fail(i, "waisdoc", `"/" and a document-id`, "write database/type/document-id")
		}
		if r.s[i] != '/' {
			return r.fail(i, "wtype", "", "")
		}
		i = r.whole(i+1, ucharClass, "wpath")
	case i < len(r.s):
		return r.fail(i, "database", "", "")
	}
	if i < 0 {
		return -1
	}
	return r.path(i)
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

func (u URL) waisView() *WAIS {
	kind, database, search, wtype, wpath := u.waisPath()
	return &WAIS{
		Hostport: u.hostport(), Kind: kind, Database: Decode(database),
		Search: Decode(search.text), Type: Decode(wtype.text), Path: Decode(wpath.text),
	}
}

func (u URL) waisParts() []Part {
	kind, database, search, wtype, wpath := u.waisPath()
	return []Part{
		textPart("kind", Some(kind.String())), textPart("database", Some(database)),
		textPart("search", search), textPart("wtype", wtype), textPart("wpath", wpath),
	}
}

// String is "database", "search" or "document".
func (k WAISKind) String() string {
	return [...]string{"database", "search", "document"}[min(k, WAISDocument)]
}

// Scheme is "wais".
func (v *WAIS) Scheme() string { return "wais" }

func (v *WAIS) build(b *builder) {
	switch {
	case v.Kind > WAISDocument:
		b.fail(0, "waisurl", "3.9", "the kind is none of the three", "use WAISDatabase, WAISSearch or WAISDocument")
	case v.Search != "" && v.Kind != WAISSearch:
		b.fail(0, "search", "3.9", "a search is set, but the kind is "+v.Kind.String(), "use WAISSearch")
	case (v.Type != "" || v.Path != "") && v.Kind != WAISDocument:
		b.fail(0, "waisdoc", "3.9", "a document is set, but the kind is "+v.Kind.String(), "use WAISDocument")
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
		b.escaped(v.Path, ucharClass)
	}
}

func (u URL) waisCanonical(b []byte) []byte {
	path, _ := u.Path()
	return appendUndone(append(u.appendHostport(append(b, "//"...)), '/'), path, undoUnreserved)
}
