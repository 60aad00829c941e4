package gopher

import (
	"strings"

	"locator"
	"locator/scheme"
	"locator/wire"
)

// place is the request that a gopher URL stands for (RFC 1738 3.4.1 to 3.4.9).
type place struct {
	server
	addr     string // of the place, as Env.Dial expects it; "" for an item of a menu
	typ      byte
	selector string
	search   locator.Optional
	plus     command
	chars    charset // of the texts of the server
}

// The names of the schemes. gophers is gopher over TLS; no RFC defines it.
const (
	schemeName    = "gopher"
	schemeNameTLS = "gophers"
)

// notGopher returns the error of a URL of another scheme.
func notGopher() error { return scheme.Fail(scheme.CodeUnsupported, "not a gopher URL") }

// newPlace returns the request of a URL. The parts of the URL were split before they were decoded,
// so escapes are data. It fails if the request cannot be sent.
func newPlace(u locator.URL) (place, error) {
	v, ok := locator.As[*locator.Gopher](u)
	if !ok {
		return place{}, notGopher()
	}
	addr, err := scheme.Addr(u)
	if err != nil {
		return place{}, err
	}
	q := place{server: server{host: v.Host, secure: v.Secure}, addr: addr, typ: '1', selector: v.Selector.Or(""), search: v.Search}
	q.port, _ = u.PortNumber()
	// An absent type means "1" (RFC 1738 3.4.1).
	if t := v.Type.Or(""); t != "" {
		q.typ = t[0]
	}
	if q.plus, err = parseCommand(v); err != nil {
		return q, err
	}
	_, err = q.lines()
	return q, err
}

// url returns the URL of the request.
func (q place) url() (locator.URL, error) {
	v := &locator.Gopher{
		Secure: q.secure, Hostport: locator.Hostport{Host: q.host, Port: portText(q.port)},
		Type:     locator.Some(string([]byte{q.typ})),
		Selector: locator.Some(q.selector),
		Search:   q.search,
	}
	if q.plus.set() {
		v.Search, v.Plus = locator.Some(q.search.Or("")), locator.Some(q.plus.text())
	}
	return locator.Build(v)
}

// lines returns what is sent: the request line and the lines of a filled form. The error says which
// part of the URL has a byte that would split a line.
func (q place) lines() ([]wire.Line, error) {
	what, fields := []string{"selector"}, []string{q.selector}
	search, hasSearch := q.search.Get()
	if hasSearch && q.plus.set() && search == "" && !q.needsSearch() {
		// QUIRK: RFC 1738 3.4.3 sends the empty search field, but 3.4.9 and the Gopher+ document do
		// not. UMN gopherd answers "Malformed command" to two TABs if the item is not a search
		// (umn-2.3.0 and umn-3.0.5, 46 to 48).
		hasSearch = false
	}
	if hasSearch {
		what, fields = append(what, "search"), append(fields, search)
	}
	if q.plus.set() {
		for _, f := range q.plus.fields() {
			what, fields = append(what, "Gopher+ string"), append(fields, f)
		}
	}
	line, err := wire.Fields(what, fields...)
	if err != nil {
		return nil, refused(err)
	}
	lines := []wire.Line{line}
	if q.plus.block != nil {
		more, err := q.plus.block.lines()
		if err != nil {
			return nil, refused(err)
		}
		lines = append(lines, more...)
	}
	return lines, nil
}

// needsSearch reports whether a Gopher+ request must have the search field although it is empty.
// Searches need it (the Gopher+ document, appendix II; umn-2.3.0, 41), also those of UMN gopherd
// that only their selector shows.
func (q place) needsSearch() bool {
	return q.typ == '7' || strings.HasPrefix(q.selector, "waissrc:") || strings.HasPrefix(q.selector, "mindex:")
}

// refused returns the error of a URL that cannot be sent.
func refused(err error) error { return scheme.Fail(scheme.CodeRefused, "%w", err) }

// wantsWords reports whether the URL names a search without its words. An empty search field before
// a Gopher+ string does not count as words either (RFC 1738 3.4.3).
func (q place) wantsWords() bool {
	if typeOf(q.typ).kind != scheme.KindQuery {
		return false
	}
	words, given := q.search.Get()
	return !q.plus.set() && !given || q.plus.verb == '+' && q.plus.block == nil && words == ""
}

// withWords returns the request with the words of a search.
func (q place) withWords(words string) place {
	if words == "" && q.plus.verb == '+' {
		q.plus = command{} // otherwise the URL would mean that the words are missing
	}
	q.search = locator.Some(words)
	return q
}

// Steps returns what Access would send for u: "CONNECT host:70", then the request line with a TAB
// as \x09, and the lines of a filled form. Words of a search that u does not have are "?". For a
// session it returns the connection of the referral.
func (Scheme) Steps(u locator.URL) ([]string, error) {
	q, err := newPlace(u)
	if err != nil {
		return nil, err
	}
	steps := []string{"CONNECT " + q.addr}
	switch kind := typeOf(q.typ).kind; {
	case kind == scheme.KindSession:
		_, err := q.refer()
		return steps, err
	case kind == scheme.KindNote, q.typ == typeNameServer:
		return nil, q.unsupported()
	}
	if q.wantsWords() {
		q = q.withWords("?")
	}
	if q.plus.verb == '?' {
		q.plus = command{verb: '!'}
	}
	lines, err := q.lines()
	if err != nil {
		return nil, err
	}
	for _, l := range lines {
		steps = append(steps, l.String())
	}
	return steps, nil
}

// unsupported returns the error of a type that has no gopher request.
func (q place) unsupported() error {
	if q.typ == typeNameServer {
		return scheme.Fail(scheme.CodeUnsupported, "the item is a CSO name server, which is asked with the protocol Ph (RFC 2378) and not by gopher")
	}
	return scheme.Fail(scheme.CodeUnsupported, "an item of type %c (%s) cannot be accessed by gopher", q.typ, typeOf(q.typ).name)
}
