package nntp

import (
	"slices"
	"strings"

	"locator"
	"locator/internal/hint"
	"locator/scheme"
	"locator/scheme/message"
	"locator/wire"
)

// kind is what a URL names.
type kind uint8

const (
	article kind = iota // by message-id, or by number in a group
	group               // or a range of its articles
	groups              // the groups that match a pattern
)

// A place is what a URL names, and the commands for it. They are made before any connection, so
// that a part that cannot be sent is refused without one.
type place struct {
	url     locator.URL
	news    bool // entries of listings are news URLs
	secure  bool // TLS from the first byte
	kind    kind
	group   string
	number  int64  // of the article; 0 for one by message-id
	id      string // the message-id without its angle brackets
	pattern string // wildmat for groups; "" means all
	span    span   // of the articles of a group; that of a whole group is everySpan

	have   []message.Have   // what the caller has of the group
	before message.Position // of ListOptions
	own    server           // of the URL; its addr is "" if the URL names none
	lines  struct {
		group   wire.Line // GROUP name
		article wire.Line // ARTICLE, with a number or message-id
		head    wire.Line // HEAD likewise
		stat    wire.Line // STAT likewise
	}
}

// span is a range of article numbers. It is empty if last is less than first.
type span struct{ first, last int64 }

// everySpan is the range of all numbers.
var everySpan = span{0, maxNumber}

// A server is a news server and the login for it.
type server struct {
	addr     string // host:port
	host     string // without the brackets of an IPv6 literal
	port     uint16
	tls      bool // from the first byte
	purpose  scheme.Purpose
	user     locator.Optional
	password locator.Optional
}

// newPlace returns the place of a URL. Its errors have the code CodeRefused or CodeMalformed.
func newPlace(u locator.URL) (*place, error) {
	p := &place{url: u, span: everySpan}
	var err error
	if view, ok := locator.As[*locator.NNTP](u); ok {
		err = p.readNNTP(view)
	} else if view, ok := locator.As[*locator.News](u); ok {
		err = p.readNews(view)
	} else {
		err = scheme.Fail(scheme.CodeUnsupported, "not a news or nntp URL")
	}
	if err == nil {
		err = p.makeLines()
	}
	return p, err
}

func (p *place) readNNTP(v *locator.NNTP) error {
	p.secure, p.group, p.kind = v.Secure, v.Group, group
	var err error
	if p.own, err = newServer(p.url, v.Secure, scheme.ForControl, v.User, v.Password); err != nil {
		return err
	}
	if strings.Trim(p.group, "0123456789") == "" { // RFC 5536 3.1.4: no name of a group is all digits
		return scheme.Fail(scheme.CodeMalformed, "a number alone names no article, since each group counts its own: write nntp://host/group/number, or news: and the message-id")
	}
	if text, ok := v.Article.Get(); ok {
		p.kind = article
		if p.number, ok = parseNumber(text); !ok || p.number == 0 {
			return scheme.Fail(scheme.CodeMalformed, "the article number %s is not in the range that servers use", wire.Excerpt(text, 40))
		}
	}
	text, ok := v.Range.Get()
	if !ok {
		return nil
	}
	first, last, _ := strings.Cut(text, "-")
	var known bool
	if p.span.first, known = parseNumber(first); known && last == "" {
		p.span.last = maxNumber
	} else if known {
		p.span.last, known = parseNumber(last)
	}
	if !known {
		return scheme.Fail(scheme.CodeMalformed, "the range %s has a number that servers do not use", wire.Excerpt(text, 40))
	}
	return nil
}

func (p *place) readNews(v *locator.News) error {
	p.news, p.secure = true, v.Secure
	if p.url.HasHost() {
		var err error
		if p.own, err = newServer(p.url, v.Secure, scheme.ForControl, v.Server.User, v.Server.Password); err != nil {
			return err
		}
	}
	switch v.Kind {
	case locator.NewsAll:
		p.kind = groups
	case locator.NewsArticle:
		p.kind, p.id = article, v.Article
	case locator.NewsGroup:
		p.kind, p.group = group, v.Group
		if !strings.ContainsAny(p.group, "*?,!") { // in the names of groups, RFC 5536 3.1.4 allows none of them
			return nil
		}
		p.kind, p.pattern, p.group = groups, v.Group, ""
		if i := strings.IndexAny(p.pattern, `\[]`); i >= 0 { // RFC 3977 4.1
			return scheme.Fail(scheme.CodeRefused, "a pattern for groups cannot contain %q", p.pattern[i])
		}
	}
	return nil
}

// newServer returns the server in a URL.
func newServer(u locator.URL, tls bool, purpose scheme.Purpose, user, password locator.Optional) (server, error) {
	addr, err := scheme.Addr(u)
	if err != nil {
		return server{}, err
	}
	port, _ := u.PortNumber()
	return server{addr: addr, host: strings.Trim(u.ASCIIHost(), "[]"), port: port, tls: tls, purpose: purpose, user: user, password: password}, nil
}

// maxArgument is the most bytes that an argument of a command may have (RFC 3977 3.1).
const maxArgument = 497

// makeLines makes the commands. A blank or tab would begin another argument (RFC 3977 3.1), and an
// angle bracket end the message-id.
func (p *place) makeLines() error {
	if len(p.group+p.pattern+p.id) > maxArgument {
		return scheme.Fail(scheme.CodeRefused, "the name of a group and a message-id have at most %d bytes", maxArgument)
	}
	if err := wire.Check("group", p.group+p.pattern, " \t"); err != nil {
		return refused(err)
	}
	var err error
	if p.group != "" {
		if p.lines.group, err = wire.Command("GROUP", "group", p.group); err != nil {
			return refused(err)
		}
	}
	if p.kind != article {
		return nil
	}
	name := digits(p.number)
	if p.number == 0 {
		name = "<" + p.id + ">"
	}
	if err = wire.Check("message-id", p.id, " \t<>"); err != nil {
		return refused(err)
	}
	if p.lines.article, err = wire.Command("ARTICLE", "message-id", name); err == nil {
		p.lines.head, err = wire.Command("HEAD", "message-id", name)
	}
	if err == nil {
		p.lines.stat, err = wire.Command("STAT", "message-id", name)
	}
	return refused(err)
}

// refused returns an error of wire with its code.
func refused(err error) error {
	if err == nil {
		return nil
	}
	return scheme.Fail(scheme.CodeRefused, "%w", err)
}

// servers returns the servers to ask, in order.
func (p *place) servers(env *scheme.Env) ([]server, error) {
	if p.own.addr != "" {
		return []server{p.own}, nil
	}
	var list []server
	for _, u := range env.Servers {
		v, ok := locator.As[*locator.News](u)
		if !ok || p.secure && !v.Secure {
			continue
		}
		s, err := newServer(u, v.Secure, scheme.ForServer, v.Server.User, v.Server.Password)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	if had := slices.DeleteFunc(slices.Clone(list), func(s server) bool {
		list := listName(s, p.group)
		_, ok := haveOf(list, p.have)
		return !ok && p.before.List != list
	}); len(had) > 0 { // the numbers of other servers say nothing about what the caller has
		list = had
	}
	switch {
	case len(list) == 0 && p.secure:
		return nil, hint.Fail(hint.NewsTLS, scheme.CodeLocal, "no news server with TLS is known")
	case len(list) == 0:
		return nil, hint.Fail(hint.NewsServer, scheme.CodeLocal, "no news server is known")
	}
	return list, nil
}

// articleURL returns the URL of an article in the group: by message-id for news URLs, which hold at
// every server, else by number.
func (p *place) articleURL(number int64, id string) (locator.URL, error) {
	if p.news {
		v := &locator.News{Secure: p.secure, Kind: locator.NewsArticle, Article: id}
		p.withServer(v)
		return locator.Build(v)
	}
	v, _ := locator.As[*locator.NNTP](p.url)
	return locator.Build(&locator.NNTP{Secure: v.Secure, User: v.User, Password: v.Password, Hostport: v.Hostport, Group: p.group,
		Article: locator.Some(digits(number))})
}

// groupURL returns the URL of a group that a listing of groups names.
func (p *place) groupURL(name string) (locator.URL, error) {
	v := &locator.News{Secure: p.secure, Kind: locator.NewsGroup, Group: name}
	p.withServer(v)
	return locator.Build(v)
}

// withServer sets the server of the place's URL, if it names one.
func (p *place) withServer(v *locator.News) {
	if own, ok := locator.As[*locator.News](p.url); ok {
		v.Server = own.Server
	}
}
