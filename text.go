package locator

import "strings"

// Decode undoes the escapes of s (RFC 1738 2.2). A "%" without two hexadecimal digits stays as it is; a part of a URL
// holds none.
func Decode(s string) string {
	i := strings.IndexByte(s, '%')
	if i < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	b.WriteString(s[:i])
	for i < len(s) {
		if c, ok := octetAt(s, i); ok {
			b.WriteByte(c)
			i += 3
			continue
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

// octetAt is the octet that the escape at i stands for; ok is false if there is none.
func octetAt(s string, i int) (c byte, ok bool) {
	if s[i] != '%' || i+2 >= len(s) || strictTable[s[i+1]]&strictTable[s[i+2]]&hexClass == 0 {
		return 0, false
	}
	return hexDigit(s[i+1])<<4 | hexDigit(s[i+2]), true
}

// hexDigit is the value of a hexadecimal digit.
func hexDigit(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c&^0x20 - 'A' + 10
}

// decodeAll decodes each string in place.
func decodeAll(list []string) []string {
	for i, s := range list {
		list[i] = Decode(s)
	}
	return list
}

// decodeFields decodes each field in place.
func decodeFields(list []Field) []Field {
	for i, f := range list {
		list[i] = Field{Name: Decode(f.Name), Value: Decode(f.Value)}
	}
	return list
}

// decoded is an Optional that is decoded, if it is there.
func (o Optional) decoded() Optional {
	o.text = Decode(o.text)
	return o
}

// optional makes an Optional of a part and whether it is there.
func optional(s string, set bool) Optional { return Optional{text: s, set: set} }

// lower folds the letters A to Z, and gives s itself where there are none.
func lower(s string) string {
	for i := range len(s) {
		if 'A' <= s[i] && s[i] <= 'Z' {
			return string(appendLower(nil, s))
		}
	}
	return s
}

// appendLower appends s with the letters A to Z folded.
func appendLower(b []byte, s string) []byte {
	for i := range len(s) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		b = append(b, c)
	}
	return b
}

// SplitFragment cuts a reference at its first "#" in a URL and a fragment (RFC 1738 2.2 and appendix): "#" is no URL
// character. ok reports whether there was one; a fragment may be empty.
func SplitFragment(ref string) (url, fragment string, ok bool) {
	return strings.Cut(ref, "#")
}

// Unwrap takes the prefix "URL:" or the wrapper "<URL:...>" off (RFC 1738 appendix), in either case, and says how many
// bytes it cut in front, so that offsets can be told in the text as given. Any other text stays as it is. White space
// inside a wrapper is left alone: putting broken lines together is not the work of this package.
func Unwrap(s string) (url string, cut int) {
	const prefix = "URL:"
	inner, angled := strings.CutPrefix(s, "<")
	if len(inner) < len(prefix) || !strings.EqualFold(inner[:len(prefix)], prefix) {
		return s, 0
	}
	if !angled {
		return s[len(prefix):], len(prefix)
	}
	if inner, angled = strings.CutSuffix(inner, ">"); !angled {
		return s, 0
	}
	return inner[len(prefix):], 1 + len(prefix)
}
