package find

import "unicode"

// endsIRI reports whether a character beyond ASCII ends a bare IRI wherever it is: brackets and
// quotes, and the punctuation of scripts that write no blanks after it. So do characters that
// format text and cannot be seen (RFC 3987 4.1), except joiners.
func endsIRI(r rune) bool {
	switch {
	case 0x3000 <= r && r <= 0x3003, 0x3008 <= r && r <= 0x301F, r == 0x30FB: // CJK
		return true
	case 0xFF01 <= r && r <= 0xFF0F, 0xFF1A <= r && r <= 0xFF20, 0xFF3B <= r && r <= 0xFF40, 0xFF5B <= r && r <= 0xFF65: // full width
		return true
	}
	return unicode.In(r, unicode.Ps, unicode.Pe, unicode.Pi, unicode.Pf, unicode.Z) || unicode.Is(unicode.Cf, r) && !isJoiner(r)
}

// isJoiner reports whether r joins or parts the letters around it, which some languages spell with
// it.
func isJoiner(r rune) bool { return r == '\u200C' || r == '\u200D' }

// isPunct reports whether a character beyond ASCII is punctuation, or a joiner, that ends an IRI
// only if nothing follows.
func isPunct(r rune) bool { return unicode.In(r, unicode.Po, unicode.Pd) || isJoiner(r) }
