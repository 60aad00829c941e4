package span

// Set is a set of ASCII bytes. It always contains the hexadecimal digits, as every class in which
// escapes are allowed does, and never "%", which begins an escape.
type Set struct {
	bits [16]uint8  // indexed by the low half of a byte, one bit for each high half from 0 to 7; includes "%"
	in   [256]uint8 // 1 for a byte of the set
}

// NewSet returns the set of the bytes for which has reports true, with the additions and limits of
// a Set.
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

// Length returns the length of the longest prefix of text that consists of bytes of the set and of
// escapes, which are "%" and two hexadecimal digits.
func (s *Set) Length(text string) int { return length(text, s) }

// LengthBytes is Length for bytes.
func (s *Set) LengthBytes(text []byte) int { return lengthBytes(text, s) }

// portable is the implementation of length in plain Go. It is the reference for the faster ones,
// and the fallback.
func portable[T string | []byte](text T, s *Set) int {
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
