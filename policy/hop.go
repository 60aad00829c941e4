package policy

import (
	"path/filepath"
	"slices"
	"strings"

	"locator"
	"locator/scheme"
)

// hop judges how u was come by.
func (s *Standard) hop(u locator.URL, h scheme.Hop) error {
	if h.Kind == scheme.HopDirect {
		return nil
	}
	// A menu is as deep as it is; a redirect or referral that goes on for ever is a fault of the peers.
	if h.Kind != scheme.HopMenuItem && h.N > s.opt.MaxHops {
		return scheme.Fail(scheme.CodeProtocol, "more than %d redirects or referrals: a loop, or a chain too long", s.opt.MaxHops)
	}
	if u.Scheme() == "file" && !belowDirectory(u, h) {
		return scheme.Fail(scheme.CodeRefused, "a peer led to a file of this machine, which is refused; access the file URL itself if it is meant")
	}
	if h.Kind != scheme.HopRedirect {
		return nil
	}
	from, to := "", u.Scheme()
	if !h.From.IsZero() {
		from = h.From.Scheme()
	}
	if family(from) != family(to) {
		return scheme.Fail(scheme.CodeRefused, "a redirect from %s to %s leads to another family of schemes; access the %s URL itself if it is meant",
			orUnknown(from), to, to)
	}
	if isSecure(from) && !isSecure(to) && !s.opt.AllowDowngrade {
		return scheme.Fail(scheme.CodeRefused, "a redirect from %s to %s gives up TLS; access the %s URL itself if it is meant", from, to, to)
	}
	return nil
}

func orUnknown(name string) string {
	if name == "" {
		return "an unknown scheme"
	}
	return name
}

// family returns the name of the scheme whose protocol the named scheme speaks: its own if locator does not know it.
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

// belowDirectory reports whether u is an entry in the listing of a directory of this machine, which is no step to
// anywhere else: the one way by which a file URL may lead to another.
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
	if a == "" {
		a = "localhost"
	}
	if b == "" {
		b = "localhost"
	}
	return strings.EqualFold(a, b)
}
