package locator

// This file has the type URL, its parts as written, and the methods that replace one of them.

import (
	"slices"
	"strconv"
	"strings"

	"locator/internal/hostname"
	"locator/internal/octet"
)

// URL is a parsed URL: the text as it was read and the offsets of its parts. It is small, immutable
// and comparable, and parsing copies nothing. The zero value is not a URL.
//
// Two URLs are == if they have the same text, fragment included, and were parsed in the same way.
// [Equal] compares what they locate.
type URL struct {
	text   string
	scheme schemeID
	has    parts

	// Offsets into text: scheme ":" "//" user ":" password "@" host ":" port "/" path "?" search
	// "#" fragment. Only colon and end are set for every URL.
	colon   uint32 // the ":" after the scheme
	userEnd uint32
	host    uint32 // where it begins
	hostEnd uint32
	portEnd uint32
	pathEnd uint32
	end     uint32 // of the URL proper
}

// parts is the set of parts that a URL has.
type parts uint8

const (
	hasUser parts = 1 << iota
	hasPassword
	hasHost // an authority follows "//"; its host may be empty
	hasPort
	hasPath
	hasSearch
	isLater // parsed by a later RFC, which the text alone does not show: mailto and nntp in Current
)

// IsZero reports whether u is the zero value.
func (u URL) IsZero() bool { return u.scheme == noScheme }

// Scheme returns the name of the scheme in lower case (RFC 1738 2.1); "" for the zero URL.
func (u URL) Scheme() string {
	if u.scheme == otherScheme {
		return octet.Lower(u.text[:u.colon])
	}
	return u.row().Name
}

// SchemePart returns the scheme-specific part as written (RFC 1738 2.1): everything after the colon
// except the fragment. It includes the password.
func (u URL) SchemePart() string {
	if u.IsZero() {
		return ""
	}
	return u.text[u.colon+1 : u.end]
}

// User returns the user name as written (RFC 1738 3.1). An empty user is present; ok is false if
// there is none.
func (u URL) User() (user string, ok bool) {
	if u.has&hasUser == 0 {
		return "", false
	}
	return u.text[u.colon+3 : u.userEnd], true
}

// Password returns the password as written (RFC 1738 3.1). An empty password is present; ok is
// false if there is none.
func (u URL) Password() (password string, ok bool) {
	if u.has&hasPassword == 0 {
		return "", false
	}
	return u.text[u.userEnd+1 : u.host-1], true
}

// HasHost reports whether u has the common Internet scheme syntax (RFC 1738 3.1) and so a host,
// which may be empty as in "file:///x". Mailto URLs never have one, news URLs only in Current
// (RFC 5538), and those of an unknown scheme if "//" and a login follow the colon.
func (u URL) HasHost() bool { return u.has&hasHost != 0 }

// Host returns the host as written, "" if there is none: a name, four digit groups, or in Current
// an IP literal in brackets or any other name that RFC 3986 3.2.2 allows, with its escapes and
// characters beyond ASCII. Use [URL.ASCIIHost] to look it up.
func (u URL) Host() string { return u.text[u.host:u.hostEnd] }

// ASCIIHost returns the host in the form to look up: without escapes and in ASCII (RFC 3986 3.2.2,
// RFC 3987 3.1, RFC 5891). A host in plain ASCII is returned as written, with brackets and case. A
// host that is not a domain name keeps the escapes of the bytes that domain names cannot contain;
// no resolver finds it.
func (u URL) ASCIIHost() string { return hostname.ASCII(u.Host()) }

// Port returns the digits of the port as written; "" if it is absent or, in Current, empty
// (RFC 3986 3.2.3). It may have leading zeros and exceed 65535.
func (u URL) Port() string {
	if u.has&hasPort == 0 {
		return ""
	}
	return u.text[u.hostEnd+1 : u.portEnd]
}

// PortNumber returns the port as a number: that of the URL, else the default of the scheme
// ([DefaultPort]) if the URL has a host. ok is false if there is neither, or if the port is 0 or
// over 65535, which the grammar allows (RFC 1738 3.1).
func (u URL) PortNumber() (port uint16, ok bool) {
	digits := u.Port()
	if digits == "" {
		if port = u.row().Port; !u.HasHost() { // a news URL names its server or none
			port = 0
		}
		return port, port != 0
	}
	n := 0
	for i := range len(digits) {
		if n = 10*n + int(digits[i]-'0'); n > 65535 {
			return 0, false
		}
	}
	return uint16(n), n != 0
}

// Addr returns the host and port to connect to, in the form that net.Dial expects: [URL.ASCIIHost]
// and [URL.PortNumber]. ok is false if the URL has no host or no valid port.
func (u URL) Addr() (addr string, ok bool) {
	host := u.ASCIIHost()
	port, ok := u.PortNumber()
	if host == "" || !ok {
		return "", false
	}
	return host + ":" + strconv.Itoa(int(port)), true
}

// Path returns the url-path as written, without the "/" before it (RFC 1738 3.1). An empty path is
// present; ok is false if there is none. In http and https the path ends before "?". Mailto URLs
// have no path, news URLs have one only after a server. In Current, a file URL without a host has a
// path too.
func (u URL) Path() (path string, ok bool) {
	if u.has&hasPath == 0 {
		return "", false
	}
	return u.text[u.portEnd+1 : u.pathEnd], true
}

// Search returns what follows the "?" as written: of an http or https URL (RFC 1738 3.3), in
// Current also of a mailto URL, where it holds the header fields (RFC 6068 2), and of a URL of an
// unknown scheme that has no path before it.
func (u URL) Search() (search string, ok bool) {
	if u.has&hasSearch == 0 {
		return "", false
	}
	return u.text[u.pathEnd+1 : u.end], true
}

// Fragment returns what follows the "#" of a reference that [Current] parsed, as written. It is
// kept beside the URL and is not part of it (RFC 1738 appendix, RFC 3986 3.5).
func (u URL) Fragment() (fragment string, ok bool) {
	if int(u.end) == len(u.text) {
		return "", false
	}
	return u.text[u.end+1:], true
}

// WithoutFragment returns the URL without its fragment.
func (u URL) WithoutFragment() URL {
	u.text = u.text[:u.end]
	return u
}

// Text returns the whole text as it was parsed, with password and fragment. To show a URL, use
// [URL.Redacted].
func (u URL) Text() string { return u.text }

// Hierarchical reports whether "/" in the path separates the levels of a hierarchy, so that
// relative references can be resolved: in ftp, http, https and file URLs (RFC 1738 2.3), also in
// those of ftps.
func (u URL) Hierarchical() bool { return u.row().Hierarchical }

// Segments returns the decoded segments of the path of a hierarchical URL (RFC 1738 2.3). The last
// one is empty if the path ends in a slash. ok is false if the scheme has no such path.
func (u URL) Segments() (segments []string, ok bool) {
	v, ok := u.View().(interface{ segments() []string })
	if !ok {
		return nil, false
	}
	return v.segments(), true
}

func (v *FTP) segments() []string {
	if name, ok := v.Name.Get(); ok {
		return append(slices.Clone(v.Dirs), name)
	}
	return v.Dirs
}

func (v *HTTP) segments() []string { return v.Segments }

func (v *File) segments() []string { return v.Segments }

// Query returns the parameters in the search of an http or https URL (RFC 1738 3.3), in their
// order. It reads them as web forms write them (application/x-www-form-urlencoded): "&" separates
// parameters, "=" ends a name, "+" is a space, and escapes are decoded last. Empty parameters are
// left out. It returns nil for a URL without a search, and of another scheme.
//
// Only the server knows whether its search has this form; see [URL.Search] for the text.
func (u URL) Query() []Pair {
	search, ok := u.Search()
	if !ok || u.grammar() != httpGrammar {
		return nil
	}
	var list []Pair
	d := u.decoder()
	for field := range strings.SplitSeq(strings.ReplaceAll(search, "+", " "), "&") {
		if field == "" {
			continue
		}
		name, value, _ := strings.Cut(field, "=")
		list = append(list, Pair{Name: d.text(name), Value: d.text(value)})
	}
	return list
}

// QueryValue returns the value of the first parameter with that name in [URL.Query]. ok is false if
// there is none.
func (u URL) QueryValue(name string) (value string, ok bool) {
	for _, p := range u.Query() {
		if p.Name == name {
			return p.Value, true
		}
	}
	return "", false
}

// WithQuery returns the URL with a search that has exactly these parameters, in the form that
// [URL.Query] reads. [Encode] escapes names and values. Without parameters the search is removed.
// See [URL.WithSearch] for the errors.
func (u URL) WithQuery(params ...Pair) (URL, error) {
	if len(params) == 0 {
		return u.WithSearch(Optional{})
	}
	var b strings.Builder
	for i, p := range params {
		if i > 0 {
			b.WriteByte('&')
		}
		b.WriteString(Encode(p.Name) + "=" + Encode(p.Value))
	}
	return u.WithSearch(Some(b.String()))
}

// WithSearch returns the URL with another search (RFC 1738 3.3), or without one if search is
// absent. The search is given as written, for example by [net/url.Values.Encode]. Only http and
// https URLs have a search to replace.
//
// The methods With... replace one part and keep every other byte, escapes included. (A view that is
// built again may lose escapes of reserved bytes, such as "%26" in a search.) They parse the result
// with [Current], or with [RFC1738] if only that accepts it. A part that would change another part,
// such as a search with a "#", is an error. The error is a *[SyntaxError]; its Offset counts in the
// text with the new part.
func (u URL) WithSearch(search Optional) (URL, error) {
	if u.grammar() != httpGrammar {
		return URL{}, u.cannot("search", "3.3", "the scheme has no search", "use an http or https URL")
	}
	want := u.written()
	want.search = search
	return u.with("search", u.text[:u.pathEnd]+after("?", search)+u.text[u.end:], want)
}

// WithFragment returns the URL with another fragment (RFC 3986 3.5), given as written, or without
// one if fragment is absent. See [URL.WithSearch] for the errors; [URL.WithoutFragment] never
// fails.
func (u URL) WithFragment(fragment Optional) (URL, error) {
	want := u.written()
	want.fragment = fragment
	return u.with(ruleFragment, u.text[:u.end]+after("#", fragment), want)
}

// WithPath returns the URL with another path (RFC 1738 3.1), or without one if path is absent. The
// path is given in the form of
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

// WithUser returns the URL with another user and password (RFC 1738 3.1), each as written, or
// without one that is absent. See [URL.WithSearch] for the errors.
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

// WithHost returns the URL with another host and port (RFC 1738 3.1); a login stays. The host is
// given in the form of [URL.Host], an IPv6 literal in its brackets. An empty port counts as absent.
// See [URL.WithSearch] for the errors.
func (u URL) WithHost(host, port string) (URL, error) { return u.withHost("host", host, port) }

// WithPort returns the URL with another port (RFC 1738 3.1), or without one if port is empty. See
// [URL.WithSearch] for the errors.
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

// WithScheme returns the URL with another scheme (RFC 1738 2.1) and the same text after the colon,
// which the rule of the new scheme must allow. The default port of the old scheme is removed if the
// new one has another default: "http://h:80/" becomes "https://h/". See [URL.WithSearch] for the
// errors.
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

// WithoutDefaults returns the URL without what its scheme implies: the default port or an empty
// one, the host localhost of a file URL (RFC 1738 3.10), and the path "/1" of gopher (RFC 1738
// 3.4.1). The result is [Equal] to u. Unlike [URL.Canonical] it changes nothing else.
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

// WithoutPlus returns a gopher URL of a Gopher+ item (RFC 1738 3.4.6) without its empty search and
// the Gopher+ string "+", and any other URL as it is. The result locates the same item for clients
// that do not speak Gopher+; they would send the string as a part of the selector.
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

// Encode escapes every byte of s except letters, digits, "-", "." and "_" (RFC 1738 2.2). The
// result represents s in every part of every scheme that may have escapes: nothing in it is a
// delimiter. [Decode] returns s again. [Build] escapes less.
func Encode(s string) string {
	b := make([]byte, 0, len(s)+len(s)/2)
	for i := range len(s) {
		if undoHTTP(s[i]) {
			b = append(b, s[i])
		} else {
			b = octet.AppendEscape(b, s[i])
		}
	}
	return string(b)
}

// DecodeStrict is [Decode] for text that need not be part of a URL. A "%" without two hexadecimal
// digits is an error, a *[SyntaxError] whose Offset is that of the "%".
func DecodeStrict(s string) (string, error) {
	for i := range len(s) {
		if s[i] != '%' {
			continue
		}
		if _, ok := octet.At(s, i); !ok {
			return "", &SyntaxError{Offset: i, Rule: ruleEscape, Section: "2.2", Msg: `"%" is not followed by two hexadecimal digits`, Hint: hintPercent}
		}
	}
	return Decode(s), nil
}

// Decode decodes the escapes of s (RFC 1738 2.2). A "%" without two hexadecimal digits stays; no
// part of a URL contains one. For other text, use [DecodeStrict].
func Decode(s string) string {
	d := decoder{room: len(s)}
	return d.text(s)
}

// decoder decodes the parts of one URL into one block of memory.
type decoder struct {
	room int // upper bound of what all parts need
	b    strings.Builder
}

func (u URL) decoder() decoder { return decoder{room: len(u.text)} }

// text is Decode.
func (d *decoder) text(s string) string {
	i := strings.IndexByte(s, '%')
	if i < 0 {
		return s
	}
	if d.b.Cap() == 0 {
		d.b.Grow(d.room)
	}
	begin := d.b.Len()
	for ; i >= 0; i = strings.IndexByte(s, '%') {
		d.b.WriteString(s[:i])
		if c, ok := octet.At(s, i); ok {
			d.b.WriteByte(c)
			i += 2
		} else {
			d.b.WriteByte('%')
		}
		s = s[i+1:]
	}
	d.b.WriteString(s)
	return d.b.String()[begin:]
}

// all decodes each string in place.
func (d *decoder) all(list []string) []string {
	for i, s := range list {
		list[i] = d.text(s)
	}
	return list
}

// fields decodes each pair in place.
func (d *decoder) fields(list []Pair) []Pair {
	for i, f := range list {
		list[i] = Pair{Name: d.text(f.Name), Value: d.text(f.Value)}
	}
	return list
}

// optional decodes a part if it is present.
func (d *decoder) optional(o Optional) Optional {
	o.text = d.text(o.text)
	return o
}

// optional returns an Optional of a part that is present if set is true.
func optional(s string, set bool) Optional { return Optional{text: s, set: set} }

// Unwrap removes the prefix "URL:" or the wrapper "<URL:...>" (RFC 1738 appendix), in either case.
// cut is the number of bytes removed in front, to convert offsets. Any other text is returned
// unchanged. Unwrap keeps white space inside a wrapper: it does not join broken lines.
func Unwrap(s string) (url string, cut int) {
	const prefix = "URL:"
	if s == "" || s[0] != '<' && s[0]|0x20 != 'u' { // the common case
		return s, 0
	}
	inner, angled := strings.CutPrefix(s, "<")
	if len(inner) < len(prefix) || !strings.EqualFold(inner[:len(prefix)], prefix) {
		return s, 0
	}
	if !angled {
		return s[len(prefix):], len(prefix)
	}
	if inner, angled = strings.CutSuffix(inner, ">"); !angled {
		return s, 0
	}
	return inner[len(prefix):], 1 + len(prefix)
}
