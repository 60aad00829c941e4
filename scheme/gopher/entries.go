package gopher

import (
	"strconv"
	"strings"

	"locator"
	"locator/scheme"
)

// reader makes entries of items.
type reader struct {
	here  server // the server that sent them
	chars charset
}

// entry returns the entry of an item. An item without a link, or whose link is not allowed, is a
// Note.
func (r reader) entry(it item) scheme.Entry {
	e := scheme.Entry{Name: r.chars.text(it.display), Kind: scheme.KindNote}
	e.Attr.More = []scheme.Attribute{{Name: "type", Value: string(rune(it.typ))}}
	// QUIRK: gophernicus marks a page's title by this selector (gophernicus, 14).
	if it.typ == 'i' && it.selector == "TITLE" {
		e.Attr.More = append(e.Attr.More, scheme.Attribute{Name: "title", Value: e.Name})
	}
	if it.isNote() {
		return e
	}
	if u, ok := it.external(r.here); ok {
		if !u.IsZero() {
			e.URL, e.Kind = u, kindOfURL(u)
		}
		return e
	}
	at, ok := it.where(r.here)
	if !ok {
		return e
	}
	q := place{server: at, typ: it.typ, selector: it.selector, plus: command{verb: it.plus}}
	kind := typeOf(it.typ).kind
	if kind == scheme.KindSession {
		if to, ok := q.session(); ok {
			e.URL, e.Kind = to.URL, to.Kind
		}
		return e
	}
	u, err := q.url()
	if err != nil {
		return e // the host is not valid
	}
	e.URL, e.Kind = u, kind
	switch {
	case it.plus == '?':
		e.Kind = scheme.KindForm
	case kind == scheme.KindObject || kind == scheme.KindListing:
		e.Attr.Type = mediaOf(it.typ, it.selector, nil)
	}
	return e
}

// session returns the entry of an item of type 8 or T, whose selector is the login name (RFC 1436
// 3.8).
func (q place) session() (scheme.Entry, bool) {
	e := scheme.Entry{Name: typeOf(q.typ).name, Kind: scheme.KindSession}
	login := locator.Login{Hostport: locator.Hostport{Host: q.host}}
	if q.port != 23 {
		login.Port = strconv.Itoa(int(q.port))
	}
	if q.selector != "" {
		login.User = locator.Some(q.selector)
	}
	u, err := locator.Build(&locator.Telnet{Login: login})
	if err == nil && q.typ == 'T' {
		// A tn3270 URL has the syntax of a telnet URL (RFC 6270).
		u, err = locator.Current.Parse("tn3270:" + strings.TrimPrefix(u.Text(), "telnet:"))
	}
	e.URL = u
	return e, err == nil
}
