package locator

// This file has what all views share, the view of an unknown scheme, and Build, which writes a view
// as a URL.

import (
	"encoding"
	"encoding/json"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"unicode/utf8"

	"locator/internal/hostname"
	"locator/internal/octet"
)

// View holds the decoded parts of a URL of one scheme: *FTP, *HTTP, *Gopher, *Mailto, *News, *NNTP,
// *Telnet, *WAIS, *File, *Prospero, or *Other for every other scheme. Parts are split before they
// are decoded (RFC 1738 3.2.2), so an encoded delimiter stays inside its part. Strings hold bytes,
// in no particular character set.
type View interface {
	// Scheme returns the name of the scheme in lower case.
	Scheme() string

	// MarshalText returns the whole URL that Build writes, with the password, so that JSON loses
	// nothing. UnmarshalText reads it with Current, which sets To of a Mailto as well. Package fmt
	// and package slog show the redacted URL.
	encoding.TextMarshaler
	fmt.Stringer
	slog.LogValuer

	of(u URL) View         // the view of a URL of that scheme; the receiver is not used
	parts(u URL) []Part    // its parts as written; the receiver is not used
	build(b *builder)      // writes what follows the colon of the scheme
	commandParts(lookFunc) // calls it with every part that is sent decoded
}

// As returns the view of the URL as a V, such as *FTP. ok is false if the URL is of another scheme.
func As[V View](u URL) (v V, ok bool) {
	v, ok = u.View().(V)
	return v, ok
}

// Hostport is a host and port (RFC 1738 5).
type Hostport struct {
	// Host is a name, four digit groups, or in Current an IP literal in brackets, in the form of
	// [URL.ASCIIHost].
	Host string
	Port string // digits as written, "" if absent; may exceed 65535 (RFC 1738 3.1)
}

// hostport returns the view of host and port.
func (u URL) hostport() Hostport { return Hostport{Host: u.ASCIIHost(), Port: u.Port()} }

// Login is the common Internet scheme syntax (RFC 1738 3.1).
type Login struct {
	User, Password Optional // a password requires a user
	Hostport
}

// String returns "user:****@host:port".
func (l Login) String() string {
	if password, ok := l.Password.Get(); ok && password != "" {
		l.Password = Some(mask)
	}
	b := builder{}
	b.login(l)
	if b.err != nil {
		return "(no login: " + b.err.Msg + ")"
	}
	return string(b.buf[len("//"):])
}

// Format prints String for every verb, so that a password is never shown.
func (l Login) Format(f fmt.State, verb rune) {
	formatRedacted(f, verb, l.String(), fmt.Sprintf("locator.Login{%q}", l.String()))
}

// login returns the view of user, password, host and port.
func (u URL) login(d *decoder) Login {
	return Login{
		User: d.optional(optional(u.User())), Password: d.optional(optional(u.Password())), Hostport: u.hostport(),
	}
}

// LogValue returns String for package slog.
func (l Login) LogValue() slog.Value { return slog.StringValue(l.String()) }

// Pair is a name and its value: a field of a prospero URL (RFC 1738 3.11), a header field of a
// mailto URL (RFC 6068 2), or a field of a WAIS document-id.
type Pair struct {
	Name, Value string
}

// viewString returns the redacted URL of a view.
func viewString(v View) string {
	u, err := Build(v)
	if err != nil {
		return "(" + err.Error() + ")"
	}
	return u.Redacted()
}

// formatView prints a view.
func formatView(f fmt.State, verb rune, v View) {
	s := viewString(v)
	formatRedacted(f, verb, s, fmt.Sprintf("%s view {%q}", v.Scheme(), s))
}

// viewText returns the whole URL of a view, nothing for the zero view.
func viewText(v View) ([]byte, error) {
	if reflect.ValueOf(v).Elem().IsZero() {
		return []byte{}, nil
	}
	u, err := Build(v)
	if err != nil {
		return nil, err
	}
	return u.MarshalText()
}

// unmarshalView sets v, with the grammar of Current, to the view of the URL text, and to the zero
// view if text is empty.
func unmarshalView[T any](v *T, text []byte) error {
	var u URL
	if err := u.UnmarshalText(text); err != nil {
		return err
	}
	if u.IsZero() {
		*v = *new(T)
		return nil
	}
	read, ok := any(u.View()).(*T)
	if !ok {
		return fmt.Errorf("locator: the URL %s is no %T", u, *v)
	}
	*v = *read
	return nil
}

// logView returns the redacted URL of a view.
func logView(v View) slog.Value { return slog.StringValue(viewString(v)) }

// PartKind says which field of a [Part] holds its value.
type PartKind uint8

// The kinds of parts.
const (
	PartText  PartKind = iota // Text, which may be absent
	PartList                  // List
	PartPairs                 // Pairs
)

// Part is one part of a URL as written: split, but still escaped.
type Part struct {
	Name  string
	Kind  PartKind
	Text  Optional // of PartText
	List  []string // of PartList, never nil
	Pairs []Pair   // of PartPairs, never nil
}

// textPart returns a part of one text.
func textPart(name string, text Optional) Part { return Part{Name: name, Text: text} }

// listPart returns a part of several texts of one kind.
func listPart(name string, list []string) Part {
	return Part{Name: name, Kind: PartList, List: append([]string{}, list...)}
}

// pairsPart returns a part of names and values.
func pairsPart(name string, pairs []Pair) Part {
	return Part{Name: name, Kind: PartPairs, Pairs: append([]Pair{}, pairs...)}
}

// cutOptional cuts s at the first sep. after is absent if there is no sep.
func cutOptional(s, sep string) (before string, after Optional) {
	before, rest, ok := strings.Cut(s, sep)
	return before, optional(rest, ok)
}

// splitPairs splits "name=value" fields that sep separates.
func splitPairs(s, sep string) []Pair {
	pairs := make([]Pair, 0, strings.Count(s, sep)+1)
	for field := range strings.SplitSeq(s, sep) {
		name, value, _ := strings.Cut(field, "=")
		pairs = append(pairs, Pair{Name: name, Value: value})
	}
	return pairs
}

// Optional is a part that may be absent. RFC 1738 3.1 distinguishes absent from empty:
// "ftp://@host/" has an empty user, "ftp://host/" has none. The zero value is absent. Optionals can
// be compared with ==.
type Optional struct {
	text string
	set  bool
}

// Some returns a part that is present, even if it is empty.
func Some(s string) Optional { return Optional{text: s, set: true} }

// Get returns the part and whether it is present.
func (o Optional) Get() (string, bool) { return o.text, o.set }

// IsSet reports whether the part is present.
func (o Optional) IsSet() bool { return o.set }

// MarshalJSON writes the part as a string, or null if it is absent. It fails if the part is not
// UTF-8, which a string in JSON cannot hold; a URL or its [View] can be marshalled then.
func (o Optional) MarshalJSON() ([]byte, error) {
	if !o.set {
		return []byte("null"), nil
	}
	if !utf8.ValidString(o.text) {
		return nil, fmt.Errorf("locator: the part %q is not UTF-8: marshal the URL or its view", o.text)
	}
	return json.Marshal(o.text)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (o *Optional) UnmarshalJSON(text []byte) error {
	var s *string
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	*o = Optional{}
	if s != nil {
		*o = Some(*s)
	}
	return nil
}

// Or returns the part, or s if it is absent.
func (o Optional) Or(s string) string {
	if o.set {
		return o.text
	}
	return s
}

// Build writes a view as a URL. It checks the parts and escapes exactly what must be escaped
// (RFC 1738 2.2). Parsing the result yields an equal view. The error is a *[SyntaxError] that names
// the part that cannot be written.
//
// The result is a URL of RFC 1738 that [RFC1738] and [Current] parse in the same way: bytes with a
// meaning in Current only, such as "?" in a mail address, are escaped too. Only what RFC 1738
// cannot express (https, a user in http, an IPv6 host, several mail addresses, the schemes that
// came later) needs Current.
func Build(v View) (URL, error) {
	if v == nil {
		return URL{}, &SyntaxError{Rule: "url", Msg: "there is no view", Hint: "pass a view, such as *FTP", build: true}
	}
	b := builder{scheme: v.Scheme()}
	if id := schemes.find(b.scheme); id >= firstScheme {
		_, other := v.(*Other)
		b.later = !other && !schemes.rows[id].strict
	} else if _, other := v.(*Other); !other {
		b.fail(0, "scheme", "2.1", "no scheme has this grammar over TLS", "leave Secure unset")
		return URL{}, b.err
	}
	b.text(b.scheme + ":")
	v.build(&b)
	if b.err != nil {
		return URL{}, b.err
	}
	text := string(b.buf)
	if !b.later {
		if u, err := RFC1738.Parse(text); err == nil {
			return u, nil
		}
	}
	u, err := Current.Parse(text)
	if other, ok := v.(*Other); ok && (err != nil || u.grammar() != otherGrammar || u.SchemePart() != other.Part) {
		_, err = RFC1738.Parse(text) // a scheme with its own rule, or a fragment: Current has no such view
	}
	if err != nil {
		e := *err.(*SyntaxError)
		e.build, e.Offset = true, e.Offset-len(b.scheme)-1
		return URL{}, &e
	}
	return u, nil
}

// builder writes one URL and keeps the first error.
type builder struct {
	buf    []byte
	scheme string
	later  bool // only Current accepts it, or reads it with this meaning
	err    *SyntaxError
}

// fail records that a part cannot be written, from its byte off on.
func (b *builder) fail(off int, rule, section, msg, hint string) {
	if b.err == nil {
		b.err = &SyntaxError{Offset: off, Scheme: b.scheme, Rule: rule, Section: section, Msg: msg, Hint: hint, build: true}
	}
}

// text writes s as it is.
func (b *builder) text(s string) { b.buf = append(b.buf, s...) }

// escaped writes the characters of the class as they are and all other bytes as escapes.
func (b *builder) escaped(s string, c class) { b.item(s, c, 0) }

// item is escaped for an item of a list. The class contains the delimiter of the list, which is
// escaped here.
func (b *builder) item(s string, c class, delimiter byte) {
	for i := range len(s) {
		if strictTable[s[i]]&c != 0 && s[i] != delimiter {
			b.buf = append(b.buf, s[i])
		} else {
			b.buf = octet.AppendEscape(b.buf, s[i])
		}
	}
}

// segments writes the segments of a path, each after a "/".
func (b *builder) segments(list []string, c class) {
	for _, s := range list {
		b.text("/")
		b.item(s, c, '/')
	}
}

// digits writes a number of the given rule.
func (b *builder) digits(s, rule, section, msg string) {
	for i := range len(s) {
		if strictTable[s[i]]&digitClass == 0 {
			b.fail(i, rule, section, msg, "use 0 to 9 only")
		}
	}
	if s == "" {
		b.fail(0, rule, section, msg, "use 0 to 9, once at least")
	}
	b.text(s)
}

// login writes "//", user, password, host and port (RFC 1738 3.1).
func (b *builder) login(l Login) {
	b.text("//")
	user, hasUser := l.User.Get()
	password, hasPassword := l.Password.Get()
	if hasPassword && !hasUser {
		b.fail(0, "password", "3.1", "there is a password but no user", "set User; it may be empty")
	}
	if hasUser {
		b.escaped(user, hostClass) // userClass, but a "?" ends the authority in RFC 3986
		if hasPassword {
			b.text(":")
			b.escaped(password, hostClass)
		}
		b.text("@")
	}
	b.hostport(l.Hostport)
}

// hostport writes host and port.
func (b *builder) hostport(h Hostport) {
	b.host(h.Host)
	if h.Port != "" {
		b.text(":")
		b.digits(h.Port, "port", "3.1", "a port is digits")
	}
}

// host writes a host or an IP literal in its brackets. Of the hosts that only Current parses it
// writes those that can be names: letters, digits, "-", "." and "_" in any order. No resolver finds
// what else RFC 3986 3.2.2 allows.
func (b *builder) host(s string) {
	end, ok := scanWholeHost(s)
	switch {
	case ok || s == "":
	case s[0] == '[':
		r := reader{s: s, t: currentTable, current: true, fault: new(fault)}
		end = r.literal(0)
		if ok = end == len(s); end < 0 {
			end = r.fault.off
		}
	case !octet.IsASCII(s):
		b.fail(0, "host", "RFC 3987 3.1", "the host is not in ASCII", "write it as "+hostname.ASCII(s))
	default:
		for end = 0; end < len(s) && (strictTable[s[end]]&labelClass != 0 || s[end] == '.' || s[end] == '_'); end++ {
		}
		ok = end == len(s)
	}
	if !ok {
		b.failHost(end, "host", s)
	}
	b.text(s)
}

// failHost records what is wrong with a host, at byte off of s.
func (b *builder) failHost(off int, rule, s string) {
	msg := "the host ends too early"
	if off < len(s) {
		msg = octet.Quote(s[off]) + " is not allowed in a host"
	}
	b.fail(off, rule, "3.1", msg, hintHost)
}

// scanWholeHost checks that s is a host and nothing else. If ok is false, end is the first wrong
// byte.
func scanWholeHost(s string) (end int, ok bool) {
	r := reader{s: s, t: strictTable}
	end, ok = r.scanHost(0)
	return end, ok && end == len(s)
}

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

// Other is the view of a URL of any other scheme. The part stays as written, since the meaning of
// its escapes is unknown (RFC 1738 2.1).
type Other struct {
	Name string // the scheme
	Part string // all after the colon, still escaped
}

// String returns the redacted URL that Build writes, or its error.
func (v Other) String() string { return viewString(&v) }

// Format prints String for every verb, so that a password is never shown.
func (v Other) Format(f fmt.State, verb rune) { formatView(f, verb, &v) }

// MarshalText returns the whole URL that [Build] writes, with the password; nothing for the zero
// view. JSON uses it. The error is that of Build.
func (v Other) MarshalText() ([]byte, error) { return viewText(&v) }

// UnmarshalText reads what MarshalText writes. It fails like [URL.UnmarshalText], or if the URL has
// another view.
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

// otherLater is other by RFC 3986. A "?" after a path stays part of the path, as in RFC 1738: the
// scheme need not have queries.
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

// otherLogin records the login at i if there is one (RFC 1738 3.1). Any text of xchar is valid
// there.
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

// otherCanonical applies what RFC 1738 2.2 and 3.1 define for all schemes and no more: only the
// scheme knows what an escape means, except of letters, digits and "-._".
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
