package span

// Set is a class of octets. It holds ASCII only, the hexadecimal digits always, as every class does that escapes may stand
// between, and never "%", which begins one.
type Set struct {
	bits [16]uint8  // by the low half of an octet, a bit for each high half from 0 to 7; "%" is among them
	in   [256]uint8 // 1 for an octet of the class
}

// NewSet is the set of the octets that has is true for, within what a Set may hold.
func NewSet(has func(c byte) bool) *Set {
	var s Set
	for c := range byte(0x80) {
		if c != '%' && (has(c) || isHex(c)) {
			s.in[c] = 1
		}
		if c == '%' || s.in[c] != 0 {
			s.bits[c&15] |= 1 << (c >> 4)
		}
	}
	return &s
}

// Length is the number of octets that text begins with that are of the set or of escapes, which are "%" and two hexadecimal
// digits. An escape that is none ends it.
func (s *Set) Length(text string) int { return length(text, s) }

// portable is length in plain Go: what it means, and what it is where there is nothing faster.
func portable(text string, s *Set) int {
	i := 0
	for {
		for ; i+8 <= len(text); i += 8 {
			t := text[i : i+8]
			if s.in[t[0]]&s.in[t[1]]&s.in[t[2]]&s.in[t[3]]&s.in[t[4]]&s.in[t[5]]&s.in[t[6]]&s.in[t[7]] == 0 {
				break
			}
		}
		for i < len(text) && s.in[text[i]] != 0 {
			i++
		}
		if i+2 >= len(text) || text[i] != '%' || !isHex(text[i+1]) || !isHex(text[i+2]) {
			return i
		}
		i += 3
	}
}

// isHex reports whether c is a hexadecimal digit.
func isHex(c byte) bool { return '0' <= c && c <= '9' || 'A' <= c && c <= 'F' || 'a' <= c && c <= 'f' }
