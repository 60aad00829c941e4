package wire

const hexDigits = "0123456789abcdef"

// Escape is the one escape for traces, steps, errors and terminals: octets outside printable ASCII as \xNN, a
// backslash as \\. Nothing that it returns can move a cursor or end a line.
func Escape(s string) string {
	n := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			n++
		case c < 0x20 || c > 0x7E:
			n += 3
		}
	}
	if n == 0 {
		return s
	}
	b := make([]byte, 0, len(s)+n)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			b = append(b, '\\', '\\')
		case c < 0x20 || c > 0x7E:
			b = append(b, '\\', 'x', hexDigits[c>>4], hexDigits[c&15])
		default:
			b = append(b, c)
		}
	}
	return string(b)
}
