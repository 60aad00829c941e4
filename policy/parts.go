package policy

import (
	"locator"
	"locator/scheme"
	"locator/wire"
)

// parts refuses encoded delimiters in the parts of a URL that are sent in a command line (P2, RFC 1738 6). No option allows
// them. A filled form, which needs them, has its own check.
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
		return scheme.Fail(scheme.CodeRefused, "%w (RFC 1738 6)", &wire.UnsafeError{What: part, Octet: octet})
	}
	if g, ok := v.(*locator.Gopher); ok {
		if _, filled := g.Form(); filled {
			return s.form(h)
		}
	}
	return nil
}

// form refuses a filled form that a server led to: submitting a form may change something at the server, and the author of
// the URL chooses its lines (RFC 1738 6).
func (s *Standard) form(h scheme.Hop) error {
	switch {
	case h.Kind != scheme.HopDirect:
		return scheme.Fail(scheme.CodeRefused, "a server led to a filled form, which is not sent (RFC 1738 3.4.9, 6); to send it anyway, use its URL directly")
	case s.opt.RefuseForms:
		return scheme.Fail(scheme.CodeRefused, "the URL contains a filled form, and sending forms is not allowed (RFC 1738 3.4.9, 6)")
	}
	return nil
}
