package wire

const hexDigits = "0123456789abcdef"

// Escape returns s with bytes outside printable ASCII written as \xNN, and backslashes as \\. The result is safe in traces,
// errors and on terminals: it contains no control characters.
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
