package http

import (
	"strings"

	"locator"
)

// follow reads a reference as servers write it, relative to base.
func follow(base locator.URL, ref string) (locator.URL, error) {
	r := split(mend(ref))
	r.path, r.query, r.fragment = noBrackets(r.path), noBrackets(r.query), noBrackets(r.fragment)
	return locator.Current.Parse(resolve(base.WithoutFragment().Text(), r.String()))
}

// reference holds the parts of RFC 3986 3, the delimiters left out.
type reference struct {
	scheme, authority, path, query, fragment       string
	hasScheme, hasAuthority, hasQuery, hasFragment bool
}

// split takes a reference apart (RFC 3986 appendix B).
func split(s string) (r reference) {
	s, r.fragment, r.hasFragment = strings.Cut(s, "#")
	s, r.query, r.hasQuery = strings.Cut(s, "?")
	if i := strings.IndexAny(s, ":/"); i > 0 && s[i] == ':' && schemeName(s[:i]) {
		r.scheme, r.hasScheme, s = s[:i], true, s[i+1:]
	}
	if rest, ok := strings.CutPrefix(s, "//"); ok {
		r.hasAuthority = true
		i := strings.IndexByte(rest, '/')
		if i < 0 {
			i = len(rest)
		}
		r.authority, s = rest[:i], rest[i:]
	}
	r.path = s
	return r
}

// schemeName reports whether s is a scheme (RFC 3986 3.1).
func schemeName(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i] | 0x20
		letter := 'a' <= c && c <= 'z'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789+-.", rune(s[i]))) {
			return false
		}
	}
	return s != ""
}

// String puts the parts together (RFC 3986 5.3).
func (r reference) String() string {
	var b strings.Builder
	if r.hasScheme {
		b.WriteString(r.scheme + ":")
	}
	if r.hasAuthority {
		b.WriteString("//" + r.authority)
	}
	b.WriteString(r.path)
	if r.hasQuery {
		b.WriteString("?" + r.query)
	}
	if r.hasFragment {
		b.WriteString("#" + r.fragment)
	}
	return b.String()
}

// resolve finds the target of a reference (RFC 3986 5.2.2, strict). It is the only place where dot segments go.
func resolve(base, ref string) string {
	b, r := split(base), split(ref)
	switch {
	case r.hasScheme:
		r.path = removeDots(r.path)
		return r.String()
	case r.hasAuthority:
		r.path = removeDots(r.path)
	case r.path == "":
		r.path = b.path
		if !r.hasQuery {
			r.query, r.hasQuery = b.query, b.hasQuery
		}
	case strings.HasPrefix(r.path, "/"):
		r.path = removeDots(r.path)
	default:
		r.path = removeDots(merge(b, r.path))
	}
	if !r.hasAuthority {
		r.authority, r.hasAuthority = b.authority, b.hasAuthority
	}
	r.scheme, r.hasScheme = b.scheme, b.hasScheme
	return r.String()
}

// merge puts a relative path behind the base's folder (RFC 3986 5.2.3).
func merge(b reference, path string) string {
	if b.hasAuthority && b.path == "" {
		return "/" + path
	}
	return b.path[:strings.LastIndexByte(b.path, '/')+1] + path
}

// removeDots removes the segments "." and ".." (RFC 3986 5.2.4).
func removeDots(path string) string {
	if path == "" {
		return ""
	}
	var out []string
	segments := strings.Split(path, "/")
	rooted := segments[0] == ""
	if rooted {
		segments = segments[1:]
	}
	for i, s := range segments {
		last := i == len(segments)-1
		switch s {
		case ".", "..":
			if s == ".." && len(out) > 0 {
				out = out[:len(out)-1]
			}
			if last {
				out = append(out, "")
			}
		default:
			out = append(out, s)
		}
	}
	clean := strings.Join(out, "/")
	if rooted {
		clean = "/" + clean
	}
	return clean
}

const upperHex = "0123456789ABCDEF"

// mend escapes what may not stand in a URL.
//
// QUIRK: servers write blanks, UTF-8 and bare "%" into Location, and so do authors into links; every browser escapes
// them (URL Standard, "percent-encode after encoding").
func mend(ref string) string {
	ref = strings.Trim(ref, " \t\r\n\f")
	var b strings.Builder
	for i := 0; i < len(ref); i++ {
		c := ref[i]
		bad := c <= ' ' || c >= 0x7F || strings.IndexByte("\"<>\\^`{|}", c) >= 0
		if c == '%' {
			bad = i+2 >= len(ref) || !isHex(ref[i+1]) || !isHex(ref[i+2])
		}
		if bad {
			b.Write([]byte{'%', upperHex[c>>4], upperHex[c&15]})
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// noBrackets escapes brackets where no host stands.
func noBrackets(s string) string { return strings.NewReplacer("[", "%5B", "]", "%5D").Replace(s) }

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }
