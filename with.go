package locator

import (
	"strings"

	"locator/internal/octet"
)

// WithSearch returns the URL with another search (RFC 1738 3.3), or without one if search is absent. The search is given as written,
// for example by [net/url.Values.Encode]. Only http and https URLs have a search to replace.
//
// The methods With... replace one part and keep every other byte, escapes included. (A view that is built again may lose escapes of
// reserved bytes, such as "%26" in a search.) They parse the result with [Current], or with [RFC1738] if only that accepts it. A part
// that would change another part, such as a search with a "#", is an error. The error is a *[SyntaxError]; its Offset counts in the
// text with the new part.
func (u URL) WithSearch(search Optional) (URL, error) {
	if u.grammar() != httpGrammar {
		return URL{}, u.cannot("search", "3.3", "the scheme has no search", "use an http or https URL")
	}
	want := u.written()
	want.search = search
	return u.with("search", u.text[:u.pathEnd]+after("?", search)+u.text[u.end:], want)
}

// WithFragment returns the URL with another fragment (RFC 3986 3.5), given as written, or without one if fragment is absent. See
// [URL.WithSearch] for the errors; [URL.WithoutFragment] never fails.
func (u URL) WithFragment(fragment Optional) (URL, error) {
	want := u.written()
	want.fragment = fragment
	return u.with(ruleFragment, u.text[:u.end]+after("#", fragment), want)
}

// WithPath returns the URL with another path (RFC 1738 3.1), or without one if path is absent. The path is given in the form of
// [URL.Path]: as written, without the "/" before it. That of ftp includes the typecode. See [URL.WithSearch] for the errors, and
// [URL.JoinPath] to add names.
func (u URL) WithPath(path Optional) (URL, error) {
	if u.has&(hasHost|hasPath) == 0 {
		return URL{}, u.cannot("path", "3.1", "the URL has no path", "use a URL with //")
	}
	want := u.written()
	want.path = path
	return u.with("path", u.text[:u.portEnd]+after("/", path)+u.text[u.pathEnd:], want)
}

// WithUser returns the URL with another user and password (RFC 1738 3.1), each as written, or without one that is absent. See
// [URL.WithSearch] for the errors.
func (u URL) WithUser(user, password Optional) (URL, error) {
	if !u.HasHost() {
		return URL{}, u.cannot("user", "3.1", "the URL has no host", "use a URL with //")
	}
	login := after(":", password)
	if name, ok := user.Get(); ok {
		login = name + login + "@"
	} else if password.IsSet() {
		return URL{}, u.cannot("password", "3.1", "there is a password but no user", "set the user; it may be empty")
	}
	want := u.written()
	want.user, want.password = user, password
	return u.with("user", u.text[:u.colon]+"://"+login+u.text[u.host:], want)
}

// WithHost returns the URL with another host and port (RFC 1738 3.1); a login stays. The host is given in the form of [URL.Host], an
// IPv6 literal in its brackets. An empty port is none. See [URL.WithSearch] for the errors.
func (u URL) WithHost(host, port string) (URL, error) { return u.withHost("host", host, port) }

// WithPort returns the URL with another port (RFC 1738 3.1), or without one if port is empty. See [URL.WithSearch] for the errors.
func (u URL) WithPort(port string) (URL, error) { return u.withHost("port", u.Host(), port) }

func (u URL) withHost(rule, host, port string) (URL, error) {
	if !u.HasHost() {
		return URL{}, u.cannot(rule, "3.1", "the URL has no host", "use a URL with //")
	}
	text := host
	if port != "" {
		text += ":" + port
	}
	want := u.written()
	want.host, want.port = host, port
	return u.with(rule, u.text[:u.host]+text+u.text[u.portEnd:], want)
}

// WithScheme returns the URL with another scheme (RFC 1738 2.1) and the same text after the colon, which the rule of the new scheme must
// allow. The default port of the old scheme is removed if the new one has another default: "http://h:80/" becomes "https://h/". See
// [URL.WithSearch] for the errors.
func (u URL) WithScheme(name string) (URL, error) {
	part := u.text[u.colon:]
	if s := schemes.named(name); s.Port != 0 && s.Port != u.row().Port && u.hasDefaultPort() {
		part = u.text[u.colon:u.hostEnd] + u.text[u.portEnd:]
	}
	return u.reparsed("scheme", name+part, func(v URL) bool { return v.Scheme() == octet.Lower(name) && v.text[v.colon:] == part })
}

// hasDefaultPort reports whether the port of the scheme is written in the URL.
func (u URL) hasDefaultPort() bool {
	n, ok := u.PortNumber()
	return ok && u.Port() != "" && n == u.row().Port
}

// WithoutDefaults returns the URL without what its scheme implies: the default port or an empty one, the host localhost of a file
// URL (RFC 1738 3.10), and the path "/1" of gopher (RFC 1738 3.4.1). The result is [Equal] to u. Unlike [URL.Canonical] it changes
// nothing else.
func (u URL) WithoutDefaults() URL {
	drop := func(v URL, err error) {
		if err == nil {
			u = v
		}
	}
	if u.HasHost() && u.hostEnd < u.portEnd && (u.Port() == "" || u.hasDefaultPort()) {
		drop(u.WithPort(""))
	}
	switch path, _ := u.Path(); {
	case u.grammar() == fileGrammar && octet.Lower(u.ASCIIHost()) == "localhost":
		drop(u.WithHost("", ""))
	case u.grammar() == gopherGrammar && path == "1":
		drop(u.WithPath(Optional{}))
	}
	return u
}

// WithoutPlus returns a gopher URL of a Gopher+ item (RFC 1738 3.4.6) without its empty search and the Gopher+ string "+", and any
// other URL as it is. The result locates the same item for clients that do not speak Gopher+; they would send the string as a part of
// the selector.
func (u URL) WithoutPlus() URL {
	if u.grammar() != gopherGrammar {
		return u
	}
	_, _, search, plus := u.gopherPath()
	path, _ := u.Path()
	if search != Some("") || plus != Some("+") {
		return u
	}
	if v, err := u.WithPath(Some(strings.TrimSuffix(path, gopherTab+gopherTab+"+"))); err == nil {
		return v
	}
	return u
}

// written is the parts of a URL as written.
type written struct {
	scheme, host, port string
	hasHost            bool

	user, password, path, search, fragment Optional
}

func (u URL) written() written {
	return written{
		scheme: u.Scheme(), host: u.Host(), port: u.Port(), hasHost: u.HasHost(), user: optional(u.User()), password: optional(u.Password()),
		path: optional(u.Path()), search: optional(u.Search()), fragment: optional(u.Fragment()),
	}
}

// after returns a part behind its delimiter, or "" if the part is absent.
func after(delimiter string, part Optional) string {
	if s, ok := part.Get(); ok {
		return delimiter + s
	}
	return ""
}

// with parses a changed text and checks that it has the parts that it should have.
func (u URL) with(rule, text string, want written) (URL, error) {
	return u.reparsed(rule, text, func(v URL) bool { return v.written() == want })
}

// reparsed parses a changed text and checks that it changed as it should.
func (u URL) reparsed(rule, text string, good func(URL) bool) (URL, error) {
	if u.IsZero() {
		return URL{}, u.cannot(rule, "2.1", "there is no URL", "read one first")
	}
	v, err := Current.Parse(text)
	if err != nil {
		strict, strictErr := RFC1738.Parse(text)
		if strictErr != nil {
			return URL{}, err
		}
		v = strict
	}
	if !good(v) {
		return URL{}, u.cannot(rule, "2.2", "the new part holds a delimiter of another", "escape it")
	}
	return v, nil
}

func (u URL) cannot(rule, section, msg, hint string) error {
	return &SyntaxError{Scheme: u.Scheme(), Rule: rule, Section: section, Msg: msg, Hint: hint, build: true}
}
