package gopher

import (
	"strings"

	"locator"
)

// site is a server that items name. A menu names few, so each is looked at once.
type site struct {
	host, port string // as the items have them
	at         place
	ok         bool // it has a port that can be connected to
	dummy      bool
	failed     bool                 // it is the host of errors
	items      *locator.GopherItems // writes the URLs of its items; nil where a URL of gopher cannot
}

// manySites is how many are remembered.
const manySites = 4

// site finds the server of an item.
func (r *reader) site(it *item) *site {
	for i := range r.sites {
		s := r.sites[i]
		if s == nil {
			break
		}
		if s.host == it.host && s.port == it.port {
			if i > 0 {
				r.sites[0], r.sites[i] = s, r.sites[0] // the next item is likely of the same
			}
			return s
		}
	}
	s := &site{host: strings.Clone(it.host), port: strings.Clone(it.port), dummy: it.dummy(), failed: isErrorHost(it.host)}
	if s.at, s.ok = it.where(r.here); s.ok && !s.at.secure && !s.dummy {
		s.items, _ = locator.NewGopherItems(locator.Hostport{Host: s.at.host, Port: portText(s.at.port)})
	}
	copy(r.sites[1:], r.sites[:])
	r.sites[0] = s
	return s
}

// url makes the URL of an item of the site; that of a Gopher+ item says so (RFC 1738 3.4.4, 3.4.5).
func (s *site) url(it *item, u *locator.URL) (ok bool) {
	if s.items != nil {
		plus := ""
		switch it.plus {
		case '+':
			plus = "+"
		case '?':
			plus = "?"
		}
		*u, ok = s.items.URL(it.typ, it.selector, plus)
		return ok
	}
	x, err := request{place: s.at, typ: it.typ, selector: it.selector, plus: command{verb: it.plus}}.url()
	*u = x
	return err == nil
}
