package locator

import "strings"

const otherProductions = `
otherurl       = genericurl
schemepart     = *xchar | ip-schemepart
`

// other reads what follows the scheme where it is not predefined.
func (r *reader) other(i int) int {
	end := r.span(i, xcharClass)
	if end < 0 {
		return -1
	}
	slashes := strings.HasPrefix(r.s[i:], "//")
	switch {
	case end == len(r.s):
		r.noPath(end)
		if slashes {
			r.otherLogin(i+2, end)
		}
		return end
	case slashes && r.current && r.s[end] == '[':
		return r.otherIPv6(i+2, end)
	}
	return r.fail(end, "schemepart", "", "")
}

// otherLogin notes the login at i if there is one (RFC 1738 3.1); it need not be, for any text of xchar will do.
func (r *reader) otherLogin(i, end int) {
	saved := r.u
	if i = r.login(i); i < 0 {
		r.u = saved
		return
	}
	if i < end {
		r.path(end)
	}
}

// otherIPv6 reads ip-schemepart, the only place for the "[" at bracket.
func (r *reader) otherIPv6(i, bracket int) int {
	if i = r.login(i); i < 0 {
		if r.fault.off <= bracket { // the text before it was good as *xchar
			return r.fail(bracket, "schemepart", "", "")
		}
		return -1
	}
	if i == len(r.s) {
		return r.noPath(i)
	}
	if i = r.whole(i+1, xcharClass, "urlpath"); i < 0 {
		return -1
	}
	return r.path(i)
}

func (u URL) otherView() *Other { return &Other{Name: u.Scheme(), Part: u.Part()} }

func (u URL) otherParts() []Part { return []Part{textPart("part", Some(u.Part()))} }

// Scheme is the name, which is in lower case.
func (v *Other) Scheme() string { return v.Name }

func (v *Other) build(b *builder) {
	switch k := kindOf(v.Name); {
	case k != kindOther && k != kindHTTPS && k != kindNone:
		b.fail(0, "scheme", "5", "a predefined scheme has to meet its own rule", "use the view of that scheme")
	case v.Name == "" || !isScheme(v.Name) || lower(v.Name) != v.Name:
		b.fail(0, "scheme", "2.1", "this is no scheme in lower case", `use a to z, 0 to 9, "+", "-" and "."`)
	}
	b.text(v.Part)
}

// isScheme reports whether s holds but characters of a scheme.
func isScheme(s string) bool {
	for i := range len(s) {
		if strictTable[s[i]]&schemeClass == 0 {
			return false
		}
	}
	return true
}

// otherCanonical takes the part as RFC 1738 2.2 and 3.1 define it for all schemes, and no more: what an escape other
// than of letters, digits and "-._" means is known to the scheme alone.
func (u URL) otherCanonical(b []byte) []byte {
	part := u.Part()
	if u.HasHost() {
		b = u.appendLogin(b, undoHTTP)
		return appendUndone(b, u.text[u.portEnd:u.end], undoHTTP)
	}
	if strings.HasPrefix(part, "//") {
		// An undone escape must not make a login of what is none.
		n := len(part)
		if i := strings.IndexByte(part[2:], '/'); i >= 0 {
			n = 2 + i
		}
		b = appendUndone(b, part[:n], undoNothing)
		part = part[n:]
	}
	return appendUndone(b, part, undoHTTP)
}
