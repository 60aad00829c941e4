package policy

import (
	"locator"
	"locator/scheme"
	"locator/wire"
)

// parts refuses encoded delimiters in what becomes a command (P2, RFC 1738 6). Nothing allows them; a filled form, which
// needs them, is judged by itself.
func (s *Standard) parts(u locator.URL, h scheme.Hop) error {
	name := u.Scheme()
	for part, octet := range u.UnsafeOctets() {
		if name == "file" {
			return scheme.Fail(scheme.CodeRefused, "the %s holds the octet %%%02X, which no system can store; it is never used", part, octet)
		}
		return scheme.Fail(scheme.CodeRefused, "%w (RFC 1738 6)", &wire.UnsafeError{What: part, Octet: octet})
	}
	if v, ok := locator.As[*locator.Gopher](u); ok {
		if _, filled := v.Form(); filled {
			return s.form(h)
		}
	}
	return nil
}

// form judges a filled form by how it was come by: submitting one may change something at the server, and which lines
// it holds is the choice of whoever wrote the URL (RFC 1738 6).
func (s *Standard) form(h scheme.Hop) error {
	switch {
	case h.Kind != scheme.HopDirect:
		return scheme.Fail(scheme.CodeRefused, "a peer led to a filled form, which is not sent (RFC 1738 3.4.9, 6); access its URL itself if it is meant")
	case s.opt.RefuseForms:
		return scheme.Fail(scheme.CodeRefused, "the URL holds a filled form, which is not sent from here (RFC 1738 3.4.9, 6)")
	}
	return nil
}
