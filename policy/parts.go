package policy

import (
	"locator"
	"locator/internal/hint"
	"locator/scheme"
	"locator/wire"
)

// parts refuses encoded delimiters in the parts of a URL that are sent in a command line (P2,
// RFC 1738 6), and a filled form that a server led to or that [Options].NoForms forbids. No option
// allows them.
func (s *Standard) parts(u locator.URL, h scheme.Hop) error {
	if !u.MayBeUnsafe() { // most URLs are decoded by their scheme alone
		return nil
	}
	name := u.Scheme()
	v := u.View()
	for part, octet := range locator.UnsafeOctets(v) {
		if name == "file" {
			return scheme.Fail(scheme.CodeRefused, "the %s contains the byte %%%02X, which no file name can contain", part, octet)
		}
		return scheme.Fail(scheme.CodeRefused, "%w", &wire.UnsafeError{What: part, Octet: octet})
	}
	// A filled form may change something at the server, and the author of its URL chooses its lines
	// (RFC 1738 3.4.9, 6).
	if g, ok := v.(*locator.Gopher); ok && (h.Kind != scheme.HopDirect || s.opt.NoForms) {
		if _, filled := g.Form(); filled && s.opt.NoForms {
			return scheme.Fail(scheme.CodeRefused, "the URL contains a filled form, and forms are not allowed")
		} else if filled {
			return hint.Fail(hint.Direct, scheme.CodeRefused, "a server led to a filled form, which is not sent")
		}
	}
	return nil
}
