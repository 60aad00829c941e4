package readers

import (
	"fmt"
	"strings"

	"locator"
)

// Names of the readers, in the order of [Read].
const (
	RFC1738 = "RFC 1738"
	Current = "current"
	RFC3986 = "RFC 3986"
	NetURL  = "net/url"
	WHATWG  = "WHATWG"
)

// Reading is what one reader makes of a text. Parts are as the reader gives them, most still escaped; they may hold a
// password.
type Reading struct {
	Reader string
	Err    *Refusal // why the reader refuses the text, nil if it takes it

	// Split says whether there are parts. There are none in a text that was refused, except by RFC 3986: what its appendix
	// B makes of any text is what the many programs see that split by it and do not check.
	Split bool

	Scheme         string // "" if there is none
	User, Password locator.Optional
	Host, Port     locator.Optional
	Path           string // with the "/" that begins it
	Query          locator.Optional
	Fragment       locator.Optional
}

// Refusal is why a reader refuses a text. It holds nothing of the text.
type Refusal struct {
	Offset int    // the first octet that is wrong; -1 if the reader does not say
	Rule   string // that was being read there; "" if the reader does not say
	Msg    string
}

// Read asks every reader, in the order of the names above.
func Read(text string) []Reading {
	return []Reading{
		ours(RFC1738, locator.RFC1738, text), ours(Current, locator.Current, text), readRFC3986(text), readNetURL(text), readWHATWG(text),
	}
}

// tooLong is a text that is not read, since the reader needs too much time or memory for it.
func tooLong(reader string, limit int) Reading {
	return Reading{Reader: reader, Err: &Refusal{Offset: -1, Msg: fmt.Sprintf("not read: longer than %d octets", limit)}}
}

// Parts gives the parts in order with their names, the absent ones too.
func (r *Reading) Parts() []Part {
	present := locator.Optional{}
	if r.Split {
		present = locator.Some(r.Path)
	}
	scheme := locator.Optional{}
	if r.Scheme != "" {
		scheme = locator.Some(r.Scheme)
	}
	return []Part{
		{"scheme", scheme}, {"user", r.User}, {"password", r.Password}, {"host", r.Host}, {"port", r.Port}, {"path", present},
		{"query", r.Query}, {"fragment", r.Fragment},
	}
}

// Part is a part and its name.
type Part struct {
	Name string
	Text locator.Optional
}

// ours reads by package locator.
func ours(name string, p *locator.Parser, text string) Reading {
	r := Reading{Reader: name}
	u, err := p.Parse(text)
	if err != nil {
		r.Err = &Refusal{Offset: -1, Msg: err.Error()}
		if e, ok := err.(*locator.SyntaxError); ok {
			r.Err = &Refusal{Offset: e.Offset, Rule: e.Rule, Msg: e.Msg}
		}
		return r
	}
	r.Split = true
	r.Scheme = u.Scheme()
	r.User, r.Password = optional(u.User()), optional(u.Password())
	r.Host = optional(u.Host(), u.HasHost())
	r.Port = optional(u.Port(), u.Port() != "")
	r.Query, r.Fragment = optional(u.Search()), optional(u.Fragment())
	if u.HasHost() {
		if path, ok := u.Path(); ok {
			r.Path = "/" + path
		}
		return r
	}
	r.Path = u.SchemePart()
	if query, ok := r.Query.Get(); ok {
		r.Path = strings.TrimSuffix(r.Path, "?"+query)
	}
	return r
}

// authorityEnd is where the authority at the beginning of s ends (RFC 3986 3.2).
func authorityEnd(s string) int {
	if i := strings.IndexAny(s, "/?#"); i >= 0 {
		return i
	}
	return len(s)
}

func optional(s string, ok bool) locator.Optional {
	if !ok {
		return locator.Optional{}
	}
	return locator.Some(s)
}
