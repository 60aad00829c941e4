package nntp

import (
	"iter"
	"strings"

	"locator"
	"locator/scheme"
)

// maxRelated bounds how many groups of an article are named.
const maxRelated = 50

// related yields what an article refers to: its groups, the earlier articles of its thread, and a
// mail to its author. What no URL can name is left out.
func (p *place) related(header []byte, attr scheme.Attr) iter.Seq[scheme.Entry] {
	return func(yield func(scheme.Entry) bool) {
		add := func(name string, kind scheme.Kind, u locator.URL, err error) bool {
			return err != nil || yield(scheme.Entry{Name: name, Kind: kind, URL: u})
		}
		h := fieldsOf(header)
		for i, name := range strings.Split(h["newsgroups"], ",") {
			if name = strings.TrimSpace(name); name == "" || i >= maxRelated {
				continue
			}
			if u, err := p.siblingURL(name); !add(name, scheme.KindListing, u, err) {
				return
			}
		}
		for _, id := range attr.References {
			if u, err := p.postedURL(id); !add(id, scheme.KindObject, u, err) {
				return
			}
		}
		if u, address, err := replyURL(h, subjectOf(h["subject"]), attr.ID); address != "" {
			add(address, scheme.KindDraft, u, err)
		}
	}
}

// siblingURL returns the URL of a group at the server of the place's URL, in the scheme of that.
func (p *place) siblingURL(name string) (locator.URL, error) {
	if p.news {
		return p.groupURL(name)
	}
	v, _ := locator.As[*locator.NNTP](p.url)
	return locator.Build(&locator.NNTP{Secure: v.Secure, User: v.User, Password: v.Password, Hostport: v.Hostport, Group: name})
}
