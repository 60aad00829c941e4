package readers

import (
	"fmt"
	"strings"

	"locator"
	"locator/repair"
)

// Names of the parsers, in the order of [Read].
const (
	RFC1738 = "RFC 1738"
	Current = "current"
	RFC3986 = "RFC 3986"
	NetURL  = "net/url"
	WHATWG  = "WHATWG"
)

// Reading is the result of one parser. Most parts are still escaped, and they may contain a password.
type Reading struct {
	Reader string
	Err    *Refusal // why the parser rejects the text; nil if it accepts it

	// Split reports whether there are parts. A rejected text has none, except with RFC 3986: its appendix B splits any
	// text, and many programs split so without validation.
	Split bool

	// Generic reports that the generic rule of RFC 1738 applies (2.1), which has no parts: no program would take its host from it.
	Generic bool

	Scheme         string // "" if there is none
	User, Password locator.Optional
	Host, Port     locator.Optional
	Path           string // with its leading "/"
	Query          locator.Optional
	Fragment       locator.Optional
}

// Refusal describes why a parser rejects a text. It contains no part of the text.
type Refusal struct {
	Offset int    // offset of the first wrong byte; -1 if unknown
	Rule   string // the grammar rule that applies there; "" if unknown
	Msg    string
}

// Read parses a text with every parser, in the order of the names above.
func Read(text string) []Reading {
	return []Reading{
		readLocator(RFC1738, locator.RFC1738, text), readLocator(Current, locator.Current, text), readRFC3986(text), readNetURL(text), readWHATWG(text),
	}
}

// tooLong returns the Reading of a text that the parser would need too much time or memory for.
func tooLong(reader string, limit int) Reading {
	return Reading{Reader: reader, Err: &Refusal{Offset: -1, Msg: fmt.Sprintf("not parsed: longer than %d bytes", limit)}}
}

// Parts returns the parts in order with their names, including the absent ones.
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

// readLocator parses with package locator.
func readLocator(name string, p *locator.Parser, text string) Reading {
	r := Reading{Reader: name}
	u, err := p.Parse(text)
	if err != nil {
		err = repair.Suggest(p, text, err)
		r.Err = &Refusal{Offset: -1, Msg: err.Error()}
		if e, ok := err.(*locator.SyntaxError); ok {
			r.Err = &Refusal{Offset: e.Offset, Rule: e.Rule, Msg: e.Msg}
		}
		return r
	}
	r.Split = true
	_, other := u.View().(*locator.Other)
	r.Generic = other && p == locator.RFC1738
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

// authorityEnd returns where the authority at the beginning of s ends (RFC 3986 3.2).
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
