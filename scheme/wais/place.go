package wais

import (
	"strconv"
	"strings"

	"locator"
	"locator/internal/z3950"
	"locator/scheme"
)

// A place is what a URL names.
type place struct {
	url  locator.URL
	addr string // host:port
	host locator.Hostport
	kind locator.WAISKind

	database string
	words    string // of a search

	typ  string // format of a document, in upper case
	id   string // document-id
	size int64  // bytes of a document, from the URL; 0 means unknown
}

// newPlace returns the place of a URL. A search without words is the database. Its errors have the
// code CodeMalformed or CodeRefused.
func newPlace(u locator.URL) (*place, error) {
	v, ok := locator.As[*locator.WAIS](u)
	if !ok {
		return nil, scheme.Fail(scheme.CodeUnsupported, "not a wais URL")
	}
	addr, err := scheme.Addr(u)
	if err != nil {
		return nil, err
	}
	p := &place{url: u, addr: addr, host: v.Hostport, kind: v.Kind, database: v.Database, words: v.Search}
	if p.kind == locator.WAISSearch && p.words == "" {
		p.kind = locator.WAISDatabase
	}
	if p.kind != locator.WAISDocument {
		return p, nil
	}
	// QUIRK: early browsers wrote a list of formats into the URL, as in "TEXT,PS".
	first, _, _ := strings.Cut(v.Type, ",")
	if p.typ = strings.ToUpper(first); p.typ == "" {
		p.typ = typeText
	}
	if p.id = v.Path; v.ID != nil {
		if p.id, err = idOf(v.ID); err != nil {
			return nil, err
		}
		if p.size, err = strconv.ParseInt(v.Size.Or("0"), 10, 64); err != nil {
			return nil, scheme.Fail(scheme.CodeMalformed, "the length of the document is too large: %s", v.Size.Or(""))
		}
	}
	if p.id == "" {
		return nil, scheme.Fail(scheme.CodeMalformed, "the document-id is empty")
	}
	return p, nil
}

// idOf returns the document-id of the fields in a URL: the name of each is its tag.
func idOf(fields []locator.Pair) (string, error) {
	var id z3950.DocumentID
	for _, f := range fields {
		tag, err := strconv.ParseUint(f.Name, 10, 28)
		if err != nil {
			return "", scheme.Fail(scheme.CodeMalformed, "the field number %.40s of the document-id is too large", f.Name)
		}
		id = append(id, z3950.Element{Tag: z3950.Tag(tag), Value: []byte(f.Value)})
	}
	return id.String(), nil
}

// documentURL returns the URL of a document in the form of RFC 1738.
func (p *place) documentURL(typ, id string) (locator.URL, error) {
	return locator.Build(&locator.WAIS{Hostport: p.host, Kind: locator.WAISDocument, Database: p.database, Type: typ, Path: id})
}

// plainURL returns the URL of a document in the form of older clients, which need its size. It is
// zero if there is none.
func (p *place) plainURL(typ, id string, size int64) locator.URL {
	fields, ok := z3950.ParseDocumentID(id)
	if !ok || size <= 0 {
		return locator.URL{}
	}
	v := &locator.WAIS{Hostport: p.host, Kind: locator.WAISDocument, Database: p.database, Type: typ, Size: locator.Some(strconv.FormatInt(size, 10))}
	for _, f := range fields {
		v.ID = append(v.ID, locator.Pair{Name: strconv.Itoa(int(f.Tag)), Value: string(f.Value)})
	}
	u, err := locator.Build(v)
	if err != nil {
		return locator.URL{}
	}
	return u
}

// searchURL returns the URL of a search of the database.
func (p *place) searchURL(words string) (locator.URL, error) {
	return locator.Build(&locator.WAIS{Hostport: p.host, Kind: locator.WAISSearch, Database: p.database, Search: words})
}

// fileName returns the last part of the path in a document-id, which ends with the name of a file
// on known servers: "0 40 /db/a.txt".
func (p *place) fileName() string {
	if p.kind != locator.WAISDocument {
		return p.database
	}
	id, _ := z3950.ParseDocumentID(p.id)
	local, ok := id.Get(z3950.IDLocal)
	if !ok {
		return p.database + "." + strings.ToLower(p.typ)
	}
	if _, after, ok := strings.Cut(local, " "); ok {
		if _, name, ok := strings.Cut(after, " "); ok {
			local = name
		}
	}
	local = strings.TrimRight(local, "/")
	return local[strings.LastIndexByte(local, '/')+1:]
}
