package policy

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"locator"
	"locator/internal/hint"
	"locator/scheme"
)

// hop checks the hop that led to u.
func (s *Standard) hop(u locator.URL, h scheme.Hop) error {
	if h.Kind == scheme.HopDirect {
		return nil
	}
	if u.Scheme() == "file" && !belowDirectory(u, h) {
		return hint.Fail(hint.Direct, scheme.CodeRefused, "a server led to a local file, which is refused")
	}
	if h.Kind != scheme.HopRedirect {
		return nil
	}
	from, to := h.From.Scheme(), u.Scheme()
	if family(from) != family(to) {
		return hint.Fail(hint.Direct, scheme.CodeRefused, "a redirect from %s to %s changes the protocol", cmp.Or(from, "an unknown scheme"), to)
	}
	if isSecure(from) && !isSecure(to) && !s.opt.AllowDowngrade {
		return hint.Fail(hint.Direct, scheme.CodeRefused, "a redirect from %s to %s gives up TLS", from, to)
	}
	return nil
}

// family returns the name of the scheme whose protocol the named scheme speaks: its own if locator
// does not know it.
func family(name string) string {
	if s := locator.SyntaxOf(name); s != nil {
		return s.Family
	}
	return name
}

// isSecure reports whether connections of a scheme start with TLS.
func isSecure(name string) bool {
	s := locator.SyntaxOf(name)
	return s != nil && s.TLS
}

// belowDirectory reports whether u is an entry in the listing of a local directory. This is the
// only hop to a file URL that is allowed.
func belowDirectory(u locator.URL, h scheme.Hop) bool {
	if h.Kind != scheme.HopMenuItem || h.From.IsZero() {
		return false
	}
	dir, ok := locator.As[*locator.File](h.From)
	entry, isFile := locator.As[*locator.File](u)
	if !ok || !isFile || !sameMachine(dir.Host, entry.Host) {
		return false
	}
	above := dir.Segments
	if n := len(above); n > 0 && above[n-1] == "" {
		above = above[:n-1]
	}
	if len(entry.Segments) <= len(above) || !slices.Equal(entry.Segments[:len(above)], above) {
		return false
	}
	below := entry.Segments[len(above):]
	if n := len(below); below[n-1] == "" { // a directory
		below = below[:n-1]
	}
	return !slices.ContainsFunc(below, func(segment string) bool {
		return segment == "." || !filepath.IsLocal(segment) || strings.ContainsAny(segment, "/\x00"+string(filepath.Separator))
	})
}

// sameMachine compares the hosts of file URLs: the empty one is localhost (RFC 1738 3.10).
func sameMachine(a, b string) bool {
	return strings.EqualFold(cmp.Or(a, "localhost"), cmp.Or(b, "localhost"))
}
