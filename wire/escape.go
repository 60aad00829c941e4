package wire

const hexDigits = "0123456789abcdef"

// Escape returns s with bytes outside printable ASCII written as \xNN, and backslashes as \\. The
// result is safe in traces, errors and on terminals: it contains no control characters.
func Escape(s string) string {
	plain := func(c byte) bool { return ' ' <= c && c <= '~' && c != '\\' }
	i := 0
	for i < len(s) && plain(s[i]) {
		i++
	}
	if i == len(s) {
		return s
	}
	b := append(make([]byte, 0, len(s)+16), s[:i]...)
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case plain(c):
			b = append(b, c)
		case c == '\\':
			b = append(b, c, c)
		default:
			b = append(b, '\\', 'x', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	return string(b)
}

// Excerpt returns the first most bytes of s, escaped, and "..." if there are more. It is for
// quoting a server in an error.
func Excerpt(s string, most int) string {
	if len(s) > most {
		s = s[:most] + "..."
	}
	return Escape(s)
}
