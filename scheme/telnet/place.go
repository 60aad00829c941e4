package telnet

import (
	"strings"

	"locator"
	"locator/scheme"
	"locator/wire"
)

// place is what a URL says: where to connect, and what a person needs there.
type place struct {
	addr, host string
	user       string // without control characters; "" means none
	password   string
	cut        []string // parts from which control characters were removed
}

// newPlace reads a URL. CR, LF and NUL in a user or password are an error, although neither is
// sent: a person who copies them into the session would send them.
func newPlace(u locator.URL) (p place, err error) {
	v, ok := locator.As[*locator.Telnet](u)
	if !ok {
		return p, scheme.Fail(scheme.CodeMalformed, "not a telnet URL")
	}
	if p.addr, ok = u.Addr(); !ok {
		return p, scheme.Fail(scheme.CodeRefused, "the URL has no host, or a port that cannot be connected to")
	}
	p.host = strings.Trim(u.ASCIIHost(), "[]")
	user, err := p.suggested("user", v.User)
	if err != nil {
		return p, err
	}
	p.user = user
	p.password, err = p.suggested("password", v.Password)
	return p, err
}

// suggested returns a part of the login without control characters, and notes whether there were
// any.
func (p *place) suggested(name string, part locator.Optional) (string, error) {
	text, err := part.Or(""), error(nil)
	if err = wire.Check(name, text, ""); err != nil {
		return "", err
	}
	clean := printable(text)
	if clean != text {
		p.cut = append(p.cut, name)
	}
	return clean, nil
}
