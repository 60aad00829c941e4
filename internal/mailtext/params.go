package mailtext

import (
	"fmt"
	"strings"

	"locator/internal/octet"
)

// Parameters are those of a field such as Content-Type, by name in lower case, as they are written.
type Parameters map[string]string

// ParseParameters parses a value and its parameters (RFC 2045 5.1). The value is in lower case. Of
// several parameters of a name, the first counts.
//
// QUIRK: programs write name=my file.gif and boundary=----=_b without quotes, though RFC 2045
// requires them. mime.ParseMediaType then returns no parameter at all.
func ParseParameters(field string) (string, Parameters) {
	value, rest := cutParameter(field)
	p := make(Parameters)
	for rest != "" {
		var param string
		param, rest = cutParameter(rest)
		name, text, ok := strings.Cut(param, "=")
		if name = strings.ToLower(strings.TrimSpace(name)); ok && !p.has(name) {
			p[name] = unquote(strings.TrimSpace(text))
		}
	}
	value, _, _ = strings.Cut(value, "(") // a comment
	return strings.ToLower(strings.TrimSpace(value)), p
}

// cutParameter cuts at a semicolon that is not in quotes.
func cutParameter(s string) (before, after string) {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			quoted = !quoted
		case '\\':
			if quoted {
				i++
			}
		case ';':
			if !quoted {
				return s[:i], s[i+1:]
			}
		}
	}
	return s, ""
}

// unquote returns the text of a quoted string (RFC 5322 3.2.4), or of a value without its comment.
//
// QUIRK: a backslash stays if it is before neither a quote nor a backslash: programs write the
// paths of Windows as file names.
func unquote(s string) string {
	if !strings.HasPrefix(s, `"`) {
		s, _, _ = strings.Cut(s, " (")
		return strings.TrimSpace(s)
	}
	var b strings.Builder
	for i := 1; i < len(s) && s[i] != '"'; i++ {
		if s[i] == '\\' && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\\') {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func (p Parameters) has(name string) bool { _, ok := p[name]; return ok }

// Get returns a parameter; "" if there is none. It decodes a character set and joins the pieces of
// RFC 2231.
func (p Parameters) Get(name string) string {
	if p.has(name + "*") {
		charset, text := cutCharset(p[name+"*"])
		return inCharset(unescape(text), charset)
	}
	var b strings.Builder
	charset := ""
	for i := 0; ; i++ {
		piece := fmt.Sprintf("%s*%d", name, i)
		switch text, extended := p[piece+"*"]; {
		case extended && i == 0:
			charset, text = cutCharset(text)
			b.WriteString(unescape(text))
		case extended:
			b.WriteString(unescape(text))
		case p.has(piece):
			b.WriteString(p[piece])
		case i > 0:
			return inCharset(b.String(), charset)
		default:
			return p[name]
		}
	}
}

// cutCharset cuts the character set and the language off an extended value.
func cutCharset(s string) (charset, text string) {
	if parts := strings.SplitN(s, "'", 3); len(parts) == 3 {
		return parts[0], parts[2]
	}
	return "", s
}

// unescape decodes the escapes of an extended value.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c, ok := octet.At(s, i)
		if ok {
			i += 2
		} else {
			c = s[i]
		}
		b.WriteByte(c)
	}
	return b.String()
}

// inCharset decodes text if a character set is known; else Header does.
func inCharset(text, charset string) string {
	if Encoding(charset) == nil {
		return text
	}
	return decode(text, charset)
}
