package locator

import (
	"fmt"
	"log/slog"
	"strings"

	"locator/internal/octet"
)

const otherProductions = `
otherurl       = genericurl
schemepart     = *xchar | ip-schemepart
`

// otherCurrent is hier-part and query of RFC 3986 3 and RFC 3987 2.2.
const otherCurrent = `
otherurl       = scheme ":" ( "//" [ userinfo "@" ] [ host ] [ ":" port ] path-abempty / path-local ) [ "?" query ]
path-abempty   = *( "/" *pchar )
path-local     = [ "/" ] [ pchar *( pchar / "/" ) ]
`

// Other is the view of a URL of any other scheme. The part stays as written, since the meaning of its escapes is unknown (RFC 1738
// 2.1).
type Other struct {
	Name string // the scheme
	Part string // all after the colon, still escaped
}

// String returns the redacted URL that Build writes, or its error.
func (v Other) String() string { return viewString(&v) }

// Format prints String for every verb, so that a password is never shown.
func (v Other) Format(f fmt.State, verb rune) { formatView(f, verb, &v) }

// MarshalText returns the whole URL that [Build] writes, with the password; nothing for the zero view. JSON uses it. The error is that of Build.
func (v Other) MarshalText() ([]byte, error) { return viewText(&v) }

// UnmarshalText reads what MarshalText writes. It fails like [URL.UnmarshalText], or if the URL has another view.
func (v *Other) UnmarshalText(text []byte) error { return unmarshalView(v, text) }

// LogValue returns the redacted URL for package slog.
func (v Other) LogValue() slog.Value { return logView(&v) }

// other parses what follows a scheme that has no row in the table.
func (r *reader) other(i int) int {
	slashes := strings.HasPrefix(r.s[i:], "//")
	if r.current {
		return r.otherLater(i, slashes)
	}
	if i = r.whole(i, xcharClass, "schemepart"); i < 0 {
		return -1
	}
	r.noPath(i)
	if slashes {
		r.otherLogin(int(r.u.colon)+3, i)
	}
	return i
}

// otherLater is other by RFC 3986. A "?" after a path stays part of the path, as in RFC 1738: the scheme need not have queries.
func (r *reader) otherLater(i int, slashes bool) int {
	if slashes {
		if i = r.authority(i+2, mayLogin|mayBeEmpty|beforeQuery); i < 0 {
			return -1
		}
		switch {
		case r.at(i, '/'):
			r.u.has |= hasPath
		case r.at(i, '?'):
			r.u.has |= hasSearch
		}
	}
	authorityEnd := i
	if i = r.span(i, hpathClass); i < 0 {
		return -1
	}
	switch {
	case r.at(i, '?'):
		if i = r.whole(i+1, searchClass, "query"); i < 0 {
			return -1
		}
	case r.end(i, "path") < 0:
		return -1
	}
	r.noPath(i)
	if r.u.has&hasSearch != 0 {
		r.u.pathEnd = uint32(authorityEnd)
	}
	return i
}

// otherLogin records the login at i if there is one (RFC 1738 3.1). Any text of xchar is valid there.
func (r *reader) otherLogin(i, end int) {
	saved := *r.u
	if i = r.login(i); i < 0 {
		*r.u = saved
		return
	}
	if i < end {
		r.path(end)
	}
}

func (*Other) of(u URL) View { return &Other{Name: u.Scheme(), Part: u.SchemePart()} }

func (*Other) parts(u URL) []Part { return []Part{textPart("part", Some(u.SchemePart()))} }

// Scheme returns the name, which is in lower case.
func (v *Other) Scheme() string { return v.Name }

func (v *Other) build(b *builder) {
	switch id := schemes.find(v.Name); {
	case id >= firstScheme && schemes.rows[id].strict:
		b.fail(0, "scheme", "5", "a predefined scheme has to meet its own rule", "use the view of that scheme")
	case v.Name == "" || !isScheme(v.Name) || octet.Lower(v.Name) != v.Name:
		b.fail(0, "scheme", "2.1", "this is not a scheme in lower case", `use a to z, 0 to 9, "+", "-" and "."`)
	}
	b.text(v.Part)
}

// isScheme reports whether s contains only characters of a scheme.
func isScheme(s string) bool {
	for i := range len(s) {
		if strictTable[s[i]]&schemeClass == 0 {
			return false
		}
	}
	return true
}

// commandParts: only the scheme knows which part becomes a command.
func (v *Other) commandParts(lookFunc) {}

// otherCanonical applies what RFC 1738 2.2 and 3.1 define for all schemes and no more: only the scheme knows what an escape means, except
// of letters, digits and "-._".
func (u URL) otherCanonical(b []byte) []byte {
	part := u.SchemePart()
	if u.HasHost() {
		b = u.appendLogin(b, undoHTTP)
		return appendUndone(b, u.text[u.portEnd:u.end], undoHTTP)
	}
	if strings.HasPrefix(part, "//") {
		// Read by RFC 1738, which sees no login there: an undone escape must not make one.
		n := len(part)
		if i := strings.IndexByte(part[2:], '/'); i >= 0 {
			n = 2 + i
		}
		b = appendUndone(b, part[:n], undoNothing)
		part = part[n:]
	}
	return appendUndone(b, part, undoHTTP)
}
