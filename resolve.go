package locator

import (
	"bytes"
	"slices"
	"strings"
)

// Resolve parses a reference in a document whose URL is u (RFC 3986 5.2, strict), with [Current]. It removes dot segments. The
// fragment of u is ignored.
//
// A relative reference needs a hierarchical base: a URL of ftp, ftps, http, https or file, or of another scheme without a view of its own whose part
// begins with "/" (RFC 1738 2.3). With any other base only a whole URL, a fragment and the empty reference resolve. The typecode of
// an ftp URL is part of the name and is replaced with it. Path and query are those of RFC 3986 in every scheme, so a "?" ends a name
// in ftp and file.
//
// The error is a *[SyntaxError]. Its Offset counts in the text that the reference resolves to, or in the reference if there is no
// such text.
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

// splitReference splits a reference (RFC 3986 appendix B). It validates only the scheme: a name that can be one, before a colon that no
// "/", "?" or "#" precedes.
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

// guarded prevents that a path is parsed as an authority: without an authority it cannot begin with "//" (RFC 3986 3.3).
func (r reference) guarded() reference {
	if !r.authority.set && strings.HasPrefix(r.path, "//") {
		r.path = "/." + r.path
	}
	return r
}

// merge appends a relative path to the directory of the base (RFC 3986 5.2.3, without erratum 4789: a base that ends in "/.." loses
// the ".." like any last segment).
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

// Relativize is the inverse of [URL.Resolve]. It returns the shortest reference that resolves against u to the exact text of to. ok
// is false if there is none: no reference leads to a path with dot segments, nor to a text that Current refuses.
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

// JoinPath returns the URL of what lies at the decoded segments under u, a directory of a hierarchical scheme (RFC 1738 2.3).
// An empty last segment names a directory. A name at the end of u counts as a directory, and a search or typecode of u is
// dropped. JoinPath escapes each segment, so that the result always lies under u: a "/" in a name is no delimiter, and the segments "."
// and "..", which no escape makes names, are errors. The error is a *[SyntaxError], also if the scheme is not hierarchical.
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

// joinSegments appends segments to those of a directory, whose empty last segment is no name.
func joinSegments(dir, segments []string) []string {
	if n := len(dir); n > 0 && dir[n-1] == "" {
		dir = dir[:n-1]
	}
	return append(slices.Clone(dir), segments...)
}
