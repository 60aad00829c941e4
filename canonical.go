package locator

// This file has other forms of a URL (canonical, ASCII, readable) and references (RFC 3986 5).

import (
	"bytes"
	"net/netip"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"locator/internal/hostname"
	"locator/internal/octet"
)

// Canonical returns the canonical form of the URL, which serves as a key: two URLs have the same
// canonical text if RFC 1738 and the RFCs after it say that they locate the same, byte by byte and
// on the same server. It contains ASCII only, and is its own canonical form. It is the URL that
// [Current] parses, or [RFC1738] if only that accepts it, so that equal texts are equal values
// (==), whichever syntax parsed u.
//
//   - Scheme and host are in lower case; the host is that of [URL.ASCIIHost], an IPv6 address as RFC 5952 writes it. A default
//     port, an empty port and leading zeros of a port are removed.
//   - Hexadecimal digits of escapes are in upper case. Escapes are decoded of characters that are unreserved everywhere: letters,
//     digits and "$-_.+!*'(),", except "," in mailto; in newsgroups only those of groups, and in http, https
//     and unknown schemes only letters, digits and "-._". "~" becomes "%7E", and characters beyond ASCII become escapes.
//   - ftp: the typecode is in lower case. gopher: "/1" becomes no path. http, https, telnet: no path becomes "/". file: "//"
//     is always present, and localhost is removed. news: nothing becomes "*". Message-ids and mail addresses keep their case, also
//     in the host.
//   - The fragment, which is not part of the URL, is removed.
//
// Nothing else changes; in particular, dot segments and double slashes stay (RFC 1738 2.2).
func (u URL) Canonical() URL {
	if u.IsZero() {
		return u
	}
	// Most results fit into a buffer on the stack, and many are the text itself.
	const short, long = 256, 4096
	switch n := len(u.text); {
	case n < short:
		var b [short]byte
		return u.canonical(b[:0])
	case n < long:
		var b [long]byte
		return u.canonical(b[:0])
	default:
		return u.canonical(make([]byte, 0, n+8))
	}
}

// canonical appends the canonical form to b and parses it.
func (u URL) canonical(b []byte) URL {
	later, ok := u.readLater()
	if ok {
		u = later
	}
	b = u.appendCanonical(b)
	if ok && string(b) == u.text {
		return u
	}
	return reread(string(b))
}

// readLater parses a URL again with Current if RFC 1738 may have parsed it in another way, since
// the canonical form is that of Current. ok is false if Current refuses it.
func (u URL) readLater() (later URL, ok bool) {
	again := u.scheme == otherScheme
	switch u.grammar() {
	case newsGrammar:
		again = strings.HasPrefix(u.text[u.colon+1:], "//")
	case mailtoGrammar, nntpGrammar:
		again = u.has&isLater == 0
	}
	if !again {
		return u, true
	}
	later, err := Current.Parse(u.text)
	return later, err == nil
}

// appendCanonical appends the canonical form.
func (u URL) appendCanonical(b []byte) []byte {
	b = octet.AppendLower(b, u.text[:u.colon+1])
	return u.grammar().canonical(u, b)
}

// reread parses a text that was made from a URL: by Current, or by RFC1738 if only that accepts it.
// It panics if neither does, which no such text causes.
func reread(text string) URL {
	if u, err := Current.Parse(text); err == nil {
		return u
	}
	return RFC1738.MustParse(text)
}

// Equal reports whether a and b are the same locator: their canonical texts are the same.
func Equal(a, b URL) bool { return a.Canonical().text == b.Canonical().text }

// undoUnreserved reports whether RFC 1738 reserves c nowhere, so that its escape can be decoded.
func undoUnreserved(c byte) bool { return strictTable[c]&ucharClass != 0 }

// undoMailto is undoUnreserved for mailto: "," separates addresses in RFC 6068.
func undoMailto(c byte) bool { return c != ',' && undoUnreserved(c) }

// undoHTTP is undoUnreserved for http: RFC 3986 does not reserve c either. Web servers distinguish
// other characters from their escapes.
func undoHTTP(c byte) bool {
	return strictTable[c]&(alphaClass|digitClass) != 0 || c == '-' || c == '.' || c == '_'
}

func undoNothing(byte) bool { return false }

// appendUndone appends s. It decodes the escapes that undo allows, writes the others in upper case,
// and escapes "~" and all beyond ASCII.
func appendUndone(b []byte, s string, undo func(byte) bool) []byte {
	for {
		i := strings.IndexByte(s, '%')
		if i < 0 {
			return appendPlain(b, s)
		}
		b = appendPlain(b, s[:i])
		switch c, escaped := octet.At(s, i); {
		case !escaped:
			b = append(b, '%')
			i -= 2
		case undo(c):
			b = append(b, c)
		default:
			b = octet.AppendEscape(b, c)
		}
		s = s[i+3:]
	}
}

// appendPlain appends s, which has no escapes, and escapes "~" and all beyond ASCII.
func appendPlain(b []byte, s string) []byte {
	for {
		i := strictSets.of(xcharClass).Length(s)
		b = append(b, s[:i]...)
		if i == len(s) {
			return b
		}
		if c := s[i]; c == '~' || c >= utf8.RuneSelf {
			b = octet.AppendEscape(b, c)
		} else {
			b = append(b, c)
		}
		s = s[i+1:]
	}
}

// appendLogin appends "//", user, password, host and port.
func (u URL) appendLogin(b []byte, undo func(byte) bool) []byte {
	b = append(b, "//"...)
	if user, ok := u.User(); ok {
		b = appendUndone(b, user, undo)
		if password, ok := u.Password(); ok {
			b = appendUndone(append(b, ':'), password, undo)
		}
		b = append(b, '@')
	}
	return u.appendHostport(b)
}

// pathCanonical appends the login, a "/" and the path: the canonical form in several schemes.
func (u URL) pathCanonical(b []byte, undo func(byte) bool) []byte {
	path, _ := u.Path()
	return appendUndone(append(u.appendLogin(b, undoUnreserved), '/'), path, undo)
}

// appendHost appends a host in lower case, with the hexadecimal digits of its escapes in upper
// case, and an IPv6 address as RFC 5952 writes it: one key for all notations of one address.
func appendHost(b []byte, host string) []byte {
	if strings.HasPrefix(host, "[") && host[1]|0x20 != 'v' { // no IPvFuture
		return append(netip.MustParseAddr(host[1:len(host)-1]).AppendTo(append(b, '[')), ']')
	}
	for {
		i := strings.IndexByte(host, '%')
		if i < 0 {
			return octet.AppendLower(b, host)
		}
		b = append(octet.AppendLower(b, host[:i]), host[i:i+3]...) // ASCIIHost has them so
		host = host[i+3:]
	}
}

// appendHostport appends the host in lower case, and the port unless it is the default.
func (u URL) appendHostport(b []byte) []byte {
	b = appendHost(b, u.ASCIIHost())
	port := u.Port()
	for len(port) > 1 && port[0] == '0' {
		port = port[1:]
	}
	if n, ok := u.PortNumber(); port == "" || ok && n == u.row().Port {
		return b
	}
	return append(append(b, ':'), port...)
}

// ASCII returns the URL in ASCII (RFC 3987 3.1), for programs that do not decode a host: the host
// without escapes as in [URL.ASCIIHost], and every other character beyond ASCII as the escapes of
// its bytes in UTF-8. Only the escapes of bytes that host names cannot contain stay. A URL in ASCII
// without escapes in its host is returned unchanged.
func (u URL) ASCII() URL {
	if strings.IndexByte(u.text, '%') < 0 && octet.IsASCII(u.text) {
		return u
	}
	later, ok := u.readLater()
	if !ok { // parsed by RFC 1738, so it is ASCII and no host in it has an escape
		return u
	}
	host := later.Host()
	escaped := strings.IndexByte(host, '%') >= 0 || !octet.IsASCII(host)
	if !escaped && octet.IsASCII(u.text) {
		return u
	}
	if escaped {
		host = strings.ReplaceAll(later.ASCIIHost(), "%7E", "~") // ASCIIHost escapes "~", which needs no escape
	}
	b := octet.AppendASCII(nil, u.text[:later.host])
	return reread(string(octet.AppendASCII(append(b, host...), u.text[later.hostEnd:])))
}

// Readable returns the URL for people to read (RFC 3987 3.2), redacted: it shows the characters
// beyond ASCII that escapes and the ASCII form of a host stand for. It keeps escapes of what cannot
// be seen or can be mistaken: controls and blanks, marks without a letter, characters that change
// the direction of the text, and labels of hosts that mix scripts or are not valid IDNA names.
// Parsed by Current, the result is the same locator, except for the password.
func (u URL) Readable() string {
	text := u.Redacted()
	begin, end := 0, 0 // of the host
	if u.HasHost() {
		begin = int(u.host)
		if pw, _ := u.Password(); pw != "" {
			begin += len(mask) - len(pw)
		}
		end = begin + int(u.hostEnd-u.host)
	}
	b := appendReadable(nil, text[:begin])
	if u.HasHost() {
		b = append(b, readableHost(u.Host())...)
	}
	return string(appendReadable(b, text[end:]))
}

// appendReadable appends s and decodes the escapes of characters that can be seen.
func appendReadable(b []byte, s string) []byte {
	for i := 0; i < len(s); {
		c, octets := octet.Rune(s[i:])
		if octets == 0 || !isReadable(c, len(b) > 0 && b[len(b)-1] >= utf8.RuneSelf) {
			b = append(b, s[i])
			i++
			continue
		}
		b = utf8.AppendRune(b, c)
		i += 3 * octets
	}
	return b
}

// isReadable reports whether a character can be seen in its place. A mark needs a letter before it.
func isReadable(c rune, letter bool) bool {
	if !octet.IsUCS(c, false) || hostname.Invisible(c) {
		return false
	}
	return unicode.IsPrint(c) && (letter || !unicode.IsMark(c))
}

// readableHost returns a host with its labels as people read them.
func readableHost(host string) string {
	ascii := hostname.ASCII(host)
	if !strings.Contains(octet.Lower(ascii), hostname.Prefix) || len(ascii) > hostname.MaxLength {
		return ascii
	}
	labels := strings.Split(ascii, ".")
	for i, label := range labels {
		if text, ok := hostname.Unicode(label); ok && hostname.Scripts(text) == "" && !strings.ContainsFunc(text, hostname.Invisible) {
			labels[i] = text
		}
	}
	readable := strings.Join(labels, ".")
	if again, err := hostname.ToASCII(readable); err != nil || again != octet.Lower(ascii) {
		return ascii
	}
	return readable
}

// Resolve parses a reference in a document whose URL is u (RFC 3986 5.2, strict), with [Current].
// It removes dot segments. The fragment of u is ignored.
//
// A relative reference needs a hierarchical base: a URL of ftp, ftps, http, https or file, or of
// another scheme without a view of its own whose part begins with "/" (RFC 1738 2.3). With any
// other base only a whole URL, a fragment and the empty reference resolve. The typecode of an ftp
// URL is part of the name and is replaced with it. Path and query are those of RFC 3986 in every
// scheme, so a "?" ends a name in ftp and file.
//
// The error is a *[SyntaxError]. Its Offset counts in the text that the reference resolves to, or
// in the reference if there is no such text.
func (u URL) Resolve(ref string) (URL, error) {
	base, r := splitReference(u.WithoutFragment().text), splitReference(ref)
	if u.IsZero() || !r.scheme.set && (r.authority.set || r.path != "" || r.query.set) && !base.hierarchical(u.row()) {
		return URL{}, &SyntaxError{
			Scheme: u.Scheme(), Rule: "relative-ref", Section: "2.3",
			Msg:  "the base has no hierarchy that a relative reference could go by",
			Hint: "write the whole URL",
		}
	}
	return Current.Parse(base.resolve(r).String())
}

// reference holds the components of RFC 3986 3, without their delimiters.
type reference struct {
	scheme, authority, query, fragment Optional
	path                               string
}

// splitReference splits a reference (RFC 3986 appendix B). It validates only the scheme: a name
// that can be one, before a colon that no "/", "?" or "#" precedes.
func splitReference(s string) (r reference) {
	s, r.fragment = cutOptional(s, "#")
	s, r.query = cutOptional(s, "?")
	if i := strings.IndexAny(s, ":/"); i > 0 && s[i] == ':' && isScheme(s[:i]) && strictTable[s[0]]&alphaClass != 0 {
		r.scheme, s = Some(s[:i]), s[i+1:]
	}
	if rest, ok := strings.CutPrefix(s, "//"); ok {
		authority, _, _ := strings.Cut(rest, "/")
		r.authority, s = Some(authority), rest[len(authority):]
	}
	r.path = s
	return r
}

// hierarchical reports whether relative references resolve against a base of that scheme.
func (r reference) hierarchical(base *row) bool {
	switch {
	case base.Hierarchical:
		return true
	case base.grammar == otherGrammar:
		return r.authority.set || strings.HasPrefix(r.path, "/")
	}
	return false
}

// resolve returns the target of a reference (RFC 3986 5.2.2).
func (r reference) resolve(ref reference) reference {
	target := ref
	switch {
	case ref.scheme.set:
		target.path = removeDots(ref.path)
		return target.guarded()
	case ref.authority.set:
		target.path = removeDots(ref.path)
	case ref.path == "":
		target.path = r.path
		if !ref.query.set {
			target.query = r.query
		}
	case ref.path[0] == '/':
		target.path = removeDots(ref.path)
	default:
		target.path = removeDots(r.merge(ref.path))
	}
	if !ref.authority.set {
		target.authority = r.authority
	}
	target.scheme = r.scheme
	return target.guarded()
}

// guarded prevents that a path is parsed as an authority: without an authority it cannot begin with
// "//" (RFC 3986 3.3).
func (r reference) guarded() reference {
	if !r.authority.set && strings.HasPrefix(r.path, "//") {
		r.path = "/." + r.path
	}
	return r
}

// merge appends a relative path to the directory of the base (RFC 3986 5.2.3, without erratum 4789:
// a base that ends in "/.." loses the ".." like any last segment).
func (r reference) merge(path string) string {
	if r.authority.set && r.path == "" {
		return "/" + path
	}
	return r.path[:strings.LastIndexByte(r.path, '/')+1] + path
}

// removeDots removes the segments "." and "..", step by step as in RFC 3986 5.2.4.
func removeDots(in string) string {
	if !strings.Contains(in, ".") {
		return in
	}
	out := make([]byte, 0, len(in))
	for in != "" {
		switch {
		case strings.HasPrefix(in, "../"): // A
			in = in[3:]
		case strings.HasPrefix(in, "./"):
			in = in[2:]
		case strings.HasPrefix(in, "/./"): // B
			in = in[2:]
		case in == "/.":
			in = "/"
		case strings.HasPrefix(in, "/../"): // C
			in = in[3:]
			out = out[:max(bytes.LastIndexByte(out, '/'), 0)]
		case in == "/..":
			in = "/"
			out = out[:max(bytes.LastIndexByte(out, '/'), 0)]
		case in == ".", in == "..": // D
			in = ""
		default: // E
			i := strings.IndexByte(in[1:], '/') + 1
			if i == 0 {
				i = len(in)
			}
			out = append(out, in[:i]...)
			in = in[i:]
		}
	}
	return string(out)
}

// String joins the components (RFC 3986 5.3).
func (r reference) String() string {
	var b strings.Builder
	part := func(before string, o Optional, after string) {
		if o.set {
			b.WriteString(before)
			b.WriteString(o.text)
			b.WriteString(after)
		}
	}
	part("", r.scheme, ":")
	part("//", r.authority, "")
	b.WriteString(r.path)
	part("?", r.query, "")
	part("#", r.fragment, "")
	return b.String()
}

// Relativize is the inverse of [URL.Resolve]. It returns the shortest reference that resolves
// against u to the exact text of to. ok is false if there is none: no reference leads to a path
// with dot segments, nor to a text that Current refuses.
func (u URL) Relativize(to URL) (ref string, ok bool) {
	base, target := splitReference(u.WithoutFragment().text), splitReference(to.text)
	for _, candidate := range base.candidates(target) {
		if ok && len(candidate) >= len(ref) {
			continue
		}
		if back, err := u.Resolve(candidate); err == nil && back.text == to.text {
			ref, ok = candidate, true
		}
	}
	return ref, ok
}

// candidates returns references that may lead to the target.
func (r reference) candidates(target reference) []string {
	whole := target.String()
	list := []string{whole}
	if target.scheme != r.scheme || !r.scheme.set {
		return list
	}
	target.scheme = Optional{}
	if target.authority.set {
		list = append(list, target.String()) // "//host/path"
	}
	if target.authority != r.authority {
		return list
	}
	target.authority = Optional{}
	path := target.path
	if strings.HasPrefix(path, "/") {
		list = append(list, target.String())
	}
	target.path = r.relative(path)
	list = append(list, target.String())
	if path == r.path {
		target.path = ""
		list = append(list, target.String()) // "?query#fragment"
		if target.query == r.query {
			target.query = Optional{}
			list = append(list, target.String()) // "#fragment", or nothing
		}
	}
	return list
}

// relative returns a path from the directory of the base to another path.
func (r reference) relative(path string) string {
	from := r.path[:strings.LastIndexByte(r.path, '/')+1]
	if r.authority.set && r.path == "" {
		from = "/"
	}
	common := 0 // after the last "/" up to which both are equal
	for i := 0; i < len(from) && i < len(path) && from[i] == path[i]; i++ {
		if from[i] == '/' {
			common = i + 1
		}
	}
	up := strings.Count(from[common:], "/")
	rest := path[common:]
	first, _, _ := strings.Cut(rest, "/")
	switch {
	case up > 0:
		return strings.Repeat("../", up) + rest
	case first == "" || strings.Contains(first, ":"): // would be an absolute path, nothing, or a scheme
		return "./" + rest
	}
	return rest
}

// JoinPath returns the URL of what lies at the decoded segments under u, a directory of a
// hierarchical scheme (RFC 1738 2.3). An empty last segment names a directory. A name at the end of
// u counts as a directory, and a search or typecode of u is dropped. JoinPath escapes each segment,
// so that the result always lies under u: a "/" in a name is not a delimiter, and the segments "."
// and "..", which no escape makes names, are errors. The error is a *[SyntaxError], also if the
// scheme is not hierarchical.
func (u URL) JoinPath(segments ...string) (URL, error) {
	if len(segments) == 0 {
		return u, nil
	}
	for _, s := range segments {
		if s == "." || s == ".." {
			return URL{}, u.cannot("path", "RFC 3986 3.3", `"`+s+`" names no entry of a directory`, "use Resolve for a relative reference")
		}
	}
	switch v := u.View().(type) {
	case *FTP:
		all := joinSegments(v.segments(), segments)
		last := len(all) - 1
		return Build(&FTP{Secure: v.Secure, Login: v.Login, Dirs: all[:last], Name: Some(all[last])})
	case *HTTP:
		return Build(&HTTP{Secure: v.Secure, Login: v.Login, Segments: joinSegments(v.Segments, segments)})
	case *File:
		return Build(&File{Host: v.Host, Segments: joinSegments(v.Segments, segments)})
	}
	return URL{}, &SyntaxError{
		Scheme: u.Scheme(), Rule: "schemepart", Section: "2.3",
		Msg:  "the scheme is not hierarchical: nothing lies below a URL of it",
		Hint: "use a URL of ftp, http or file",
	}
}

// joinSegments appends segments to those of a directory, whose empty last segment is not a name.
func joinSegments(dir, segments []string) []string {
	if n := len(dir); n > 0 && dir[n-1] == "" {
		dir = dir[:n-1]
	}
	return append(slices.Clone(dir), segments...)
}
