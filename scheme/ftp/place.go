package ftp

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"locator"
	"locator/internal/mediatype"
	"locator/scheme"
	"locator/wire"
)

// A place is the dialogue that RFC 1738 3.2 defines for a URL. Its lines are made before any
// connection, so that a part which cannot be sent is refused without one.
type place struct {
	url   locator.URL
	login locator.Login // of the URL
	credentials
	addr     string // host and port to connect to
	host     string // without the brackets of an IPv6 literal
	port     uint16
	implicit bool     // ftps: over TLS from the first byte on
	typeCode byte     // the type of the URL, 0 if it has none
	dirs     []string // arguments of the CWDs
	name     string
	inTree   bool     // the caller reads a tree
	options  *options // nil unless the place is for an access
	op       operation
	typ      byte // ascii or image; for retrieve
	commands []wire.Line
}

// newPlace makes the place of a request. Its errors have code CodeRefused.
func newPlace(r scheme.Request, o options) (*place, error) {
	view, ok := locator.As[*locator.FTP](r.URL)
	if !ok {
		return nil, scheme.Fail(scheme.CodeUnsupported, "not an ftp URL")
	}
	addr, err := scheme.Addr(r.URL)
	if err != nil {
		return nil, err
	}
	port, _ := r.URL.PortNumber()
	p := &place{url: r.URL, login: view.Login, addr: addr, host: strings.Trim(view.Host, "[]"), port: port, implicit: view.Secure,
		dirs: view.Dirs, name: view.Name.Or(""), typeCode: view.Type, inTree: !r.Within.IsZero()}
	if user, ok := p.login.User.Get(); ok {
		if p.credentials, err = newCredentials(user, p.login.Password); err != nil {
			return nil, err
		}
	}
	for _, dir := range p.dirs {
		if _, err = argument("CWD", "directory", dir); err != nil {
			return nil, err
		}
	}
	switch {
	case view.Type == 'd':
		p.op = names
	case p.name == "":
		p.op = list
	}
	p.chooseType(view.Type, o)
	p.commands, err = p.op.lines(p.name)
	return p, err
}

// chooseType takes the type of the URL, else that of the caller, else guesses it from the name
// (RFC 1738 3.2.3). A part of a file is counted in bytes, which only TYPE I preserves.
func (p *place) chooseType(typ byte, o options) {
	switch {
	case typ == ascii || typ == image:
		p.typ = typ
	case o.Type == ascii || o.Type == image:
		p.typ = o.Type
	case !o.Range.IsZero():
		p.typ = image
	default:
		p.typ = guessType(p.name)
	}
}

// guessType deduces the transfer type from the suffix of the name (RFC 1738 3.2.3): TYPE A for
// text, so that its lines end as they do here; TYPE I, which is exact, for everything else.
func guessType(name string) byte {
	if mediatype.Lines(name) {
		return ascii
	}
	return image
}

// asDirectory returns the place for a name that is a directory.
func (p *place) asDirectory() (*place, error) {
	q := *p
	q.dirs = append(slices.Clone(p.dirs), p.name)
	q.name, q.op = "", list
	var err error
	if q.commands, err = q.op.lines(""); err == nil {
		q.url, err = q.urlOf(q.dirs, "")
	}
	return &q, err
}

// urlOf returns the URL of a name with the scheme and login of the place.
func (p *place) urlOf(dirs []string, name string) (locator.URL, error) {
	return locator.Build(&locator.FTP{Secure: p.implicit, Login: p.login, Dirs: dirs, Name: locator.Some(name)})
}

// key is the pool key of the connections that may serve the place: host, port, login and TLS mode.
// It holds a digest of the password. A password that has to be asked for is not part of it: the
// client separates its callers.
func (p *place) key(mode scheme.TLSMode) string {
	h := sha256.New()
	for _, part := range []locator.Optional{p.user, p.password} {
		text, set := part.Get()
		fmt.Fprintf(h, "%t:%d:%s", set, len(text), text)
	}
	return p.url.Scheme() + " " + strings.ToLower(p.addr) + " login=" + hex.EncodeToString(h.Sum(nil)) +
		" tls=" + strconv.Itoa(int(mode))
}

// wantsUTF8 reports whether a part of the path is UTF-8 beyond ASCII: then FEAT shows whether OPTS
// UTF8 is needed (RFC 2640). Names in other character sets are sent unchanged.
func (p *place) wantsUTF8() bool {
	all := strings.Join(p.dirs, "/") + "/" + p.name
	return utf8.ValidString(all) && strings.ContainsFunc(all, func(r rune) bool { return r >= utf8.RuneSelf })
}
