package nntp

import (
	"context"
	"io"

	"locator"
	"locator/scheme"
	"locator/scheme/bulk"
	"locator/scheme/internal/dialogue"
	"locator/wire"
)

// Settings are the settings of news and nntp. CancelSecret is the secret from which articles get
// the keys that withdraw them (RFC 8315). "" is none: then many servers ignore cancel messages.
type Settings struct{ CancelSecret string }

// Scheme accesses news or nntp URLs. It holds no state: idle connections are in the pool of the
// client (Env.Keep).
type Scheme struct{ news, secure bool }

// New returns the scheme nntp.
func New() Scheme { return Scheme{} }

// NewTLS returns the scheme nntps: nntp over TLS from the first byte on, by default on port 563. No
// RFC defines it (RFC 4642 switches to TLS within nntp); servers and clients implement it.
func NewTLS() Scheme { return Scheme{secure: true} }

// NewNews returns the scheme news.
func NewNews() Scheme { return Scheme{news: true} }

// NewNewsTLS returns the scheme snews: news over TLS, as [NewTLS] is for nntp.
func NewNewsTLS() Scheme { return Scheme{news: true, secure: true} }

var (
	_ scheme.Scheme     = Scheme{}
	_ scheme.Lister     = Scheme{}
	_ bulk.Accesser     = Scheme{}
	_ bulk.Filterer     = Scheme{}
	_ scheme.Attributer = Scheme{}
	_ scheme.Explainer  = Scheme{}
	_ scheme.FileNamer  = Scheme{}
	_ scheme.ServerUser = Scheme{}
	_ bulk.Poster       = Scheme{}
	_ scheme.Remover    = Scheme{}
)

// Syntax returns the syntax of RFC 1738 3.6 or 3.7. Those over TLS have the same parts.
func (s Scheme) Syntax() *locator.Syntax {
	if s.news {
		return locator.SyntaxOf((&locator.News{Secure: s.secure}).Scheme())
	}
	return locator.SyntaxOf((&locator.NNTP{Secure: s.secure}).Scheme())
}

// Options implements [scheme.OptionUser].
func (Scheme) Options() []string {
	return []string{"decode", "tls"}
}

// Access reads an article, with its original bytes, or lists a group or the groups.
func (Scheme) Access(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AccessOptions) (*scheme.Resource, error) {
	p, err := newPlace(r.URL)
	if err != nil {
		return nil, err
	}
	p.before = o.Before
	return withSession(ctx, env, p, func(s *session) (*scheme.Resource, error) {
		switch {
		case p.kind == article:
			return s.open(o)
		case o.Raw != 0:
			return s.openListing()
		}
		list := scheme.ListOptions{Accept: o.Accept, Before: o.Before}
		if p.kind == group { // a list of groups has no order of time
			list.Newest, list.Max = o.Newest > 0, o.Newest
		}
		return s.list(list)
	})
}

// openListing returns the bytes of a listing.
func (s *session) openListing() (*scheme.Resource, error) {
	var lines []wire.Line
	if s.place.kind == groups {
		_, active, err := s.place.listLines()
		if err != nil {
			return nil, err
		}
		lines = []wire.Line{active}
	} else {
		all, _, err := s.selectGroup()
		if err != nil {
			return nil, err
		}
		sp := s.place.span.within(all)
		lines = []wire.Line{dialogue.Bare(byOVER.verb() + " " + sp.String()), dialogue.Bare(byXOVER.verb() + " " + sp.String())}
	}
	var r reply
	for _, l := range lines {
		var err error
		if r, err = s.command(l.String(), l); err != nil {
			return nil, err
		}
		if !r.unknown() {
			break
		}
	}
	t := s.newText()
	switch r.Code {
	case 215, 224:
	case 420, 423: // the group is empty
		t.end(io.EOF)
	default:
		return nil, s.failed(lines[0].String(), r)
	}
	return &scheme.Resource{URL: s.place.url, Kind: scheme.KindObject, Attr: scheme.Attr{Type: "text/plain"}, Body: t, Notes: s.notes,
		Status: digits(int64(r.Code))}, nil
}

// FileName names the file of an article after its message-id, or its group and number. The name of
// a decoded article ends in .txt.
func (Scheme) FileName(u locator.URL, decoded bool) string {
	p, err := newPlace(u)
	if err != nil {
		return ""
	}
	suffix := ".eml"
	if decoded {
		suffix = ".txt"
	}
	switch {
	case p.kind == article && p.number > 0:
		return p.group + "." + digits(p.number) + suffix
	case p.kind == article:
		return p.id + suffix
	case p.kind == group:
		return p.group
	}
	return "groups"
}

// Steps returns the commands for access to a URL: "CONNECT host.dom:119", "GROUP comp.infosystems",
// "ARTICLE 5". The server of a news URL that names none is "CONNECT ?". They are escaped, and
// passwords are masked; "AUTHINFO PASS ?" is a password that would be asked for. Commands that
// depend on the server are omitted: CAPABILITIES, MODE READER, STARTTLS, a login that the URL does
// not name, and OVER, whose range the reply to GROUP gives.
//
// It fails with code CodeRefused if a part of the URL cannot be sent (RFC 1738 section 6); access
// then sends nothing.
func (Scheme) Steps(u locator.URL) ([]string, error) {
	p, err := newPlace(u)
	if err != nil {
		return nil, err
	}
	steps := []string{"CONNECT ?"}
	if p.own.addr != "" {
		steps[0] = "CONNECT " + wire.Escape(p.own.addr)
	}
	show := func(l wire.Line) { steps = append(steps, l.String()) }
	if user, ok := p.own.user.Get(); ok {
		name, err := wire.Command("AUTHINFO USER", "user name", user)
		if err == nil {
			err = wire.Check("password", p.own.password.Or(""), "")
		}
		if err != nil {
			return nil, refused(err)
		}
		show(name)
		if p.own.password.IsSet() {
			steps = append(steps, "AUTHINFO PASS ****")
		} else {
			steps = append(steps, "AUTHINFO PASS ?")
		}
	}
	switch {
	case p.kind == groups:
		about, active, err := p.listLines()
		if err != nil {
			return nil, err
		}
		show(about)
		show(active)
	case p.group != "":
		show(p.lines.group)
	}
	if p.kind == article {
		show(p.lines.article)
	}
	return steps, nil
}
