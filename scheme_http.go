package locator

import (
	"fmt"
	"log/slog"
	"strings"
)

const httpProductions = `
httpurl        = "http://" hostport [ "/" hpath [ "?" search ]]
` + hpathProductions

// httpsProductions are the rules of http under another name (RFC 2818 2.4).
const httpsProductions = `
httpsurl       = "https://" hostport [ "/" hpath [ "?" search ]]
` + hpathProductions

const hpathProductions = `
hpath          = hsegment *[ "/" hsegment ]
hsegment       = *[ uchar | ";" | ":" | "@" | "&" | "=" ]
` + searchProduction

// searchProduction also serves gopher and wais.
const searchProduction = `
search         = *[ uchar | ";" | ":" | "@" | "&" | "=" ]
`

// httpCurrent is RFC 9110 4.2 with the userinfo of RFC 3986 3.2.1, which package vet reports as
// 9110 4.2.4 demands.
const httpCurrent = `
httpurl        = "http://" authority *( "/" hsegment ) [ "?" search ]
` + hsegmentCurrent

const httpsCurrent = `
httpsurl       = "https://" authority *( "/" hsegment ) [ "?" search ]
` + hsegmentCurrent

const hsegmentCurrent = `
hsegment       = *pchar
search         = query
`

// HTTP is the view of an http or https URL (RFC 1738 3.3). Only the server knows what the bytes of
// Search mean and whether a reserved character differs from its escape: to send a request, use
// [URL.Path] and [URL.Search], which are as written.
type HTTP struct {
	Secure bool // https
	Login       // a user only in Current (RFC 3986 3.2.1); package vet reports it
	// Segments is the path, split at "/" before decoding; nil for no path, {""} for "/".
	Segments []string
	Search   Optional // in Current also without a path
}

// String returns the redacted URL that Build writes, or its error.
func (v HTTP) String() string { return viewString(&v) }

// Format prints String for every verb, so that a password is never shown.
func (v HTTP) Format(f fmt.State, verb rune) { formatView(f, verb, &v) }

// MarshalText returns the whole URL that [Build] writes, with the password; nothing for the zero
// view. JSON uses it. The error is that of Build.
func (v HTTP) MarshalText() ([]byte, error) { return viewText(&v) }

// UnmarshalText reads what MarshalText writes. It fails like [URL.UnmarshalText], or if the URL has
// another view.
func (v *HTTP) UnmarshalText(text []byte) error { return unmarshalView(v, text) }

// LogValue returns the redacted URL for package slog.
func (v HTTP) LogValue() slog.Value { return logView(&v) }

// http parses what follows the colon of http or https.
func (r *reader) http(i int) int {
	if i = r.slashes(i, "httpurl"); i < 0 {
		return -1
	}
	if r.current {
		i = r.authority(i, mayLogin|beforeQuery)
	} else {
		i = r.hostport(i)
	}
	if i < 0 || i == len(r.s) {
		return r.noPath(i)
	}
	if r.at(i, '/') {
		if i = r.span(i+1, hpathClass); i < 0 {
			return -1
		}
		r.u.has |= hasPath
	}
	pathEnd := i
	switch {
	case r.at(i, '?'):
		if i = r.whole(i+1, searchClass, "search"); i < 0 {
			return -1
		}
		r.u.has |= hasSearch
	case r.end(i, "hsegment") < 0:
		return -1
	}
	r.noPath(i)
	r.u.pathEnd = uint32(pathEnd)
	return i
}

func (*HTTP) of(u URL) View {
	d := u.decoder()
	v := &HTTP{Secure: u.row().TLS, Login: u.login(&d)}
	if path, ok := u.Path(); ok {
		v.Segments = d.all(strings.Split(path, "/"))
	}
	v.Search = d.optional(optional(u.Search()))
	return v
}

func (*HTTP) parts(u URL) []Part {
	return []Part{textPart("path", optional(u.Path())), textPart("search", optional(u.Search()))}
}

// Scheme returns "http", or "https" if Secure is set.
func (v *HTTP) Scheme() string { return schemes.name(httpGrammar, v.Secure) }

func (v *HTTP) build(b *builder) {
	search, ok := v.Search.Get()
	if v.Segments != nil && len(v.Segments) == 0 {
		b.fail(0, "hpath", "3.3", "a path has at least one segment", `use nil for no path, and one empty segment for "/"`)
	}
	b.login(v.Login)
	b.segments(v.Segments, hpathClass)
	if ok {
		b.text("?")
		b.escaped(search, searchClass)
	}
}

// commandParts: http sends path and search as written.
func (v *HTTP) commandParts(lookFunc) {}

func (u URL) httpCanonical(b []byte) []byte {
	b = u.appendLogin(b, undoHTTP)
	path, _ := u.Path()
	b = appendUndone(append(b, '/'), path, undoHTTP)
	if search, ok := u.Search(); ok {
		b = appendUndone(append(b, '?'), search, undoHTTP)
	}
	return b
}
