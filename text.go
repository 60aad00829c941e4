package locator

import (
	"strings"

	"locator/internal/octet"
)

// Encode escapes every byte of s except letters, digits, "-", "." and "_" (RFC 1738 2.2). The result stands for s in every part
// of every scheme that may have escapes: nothing in it is a delimiter. [Decode] returns s again. [Build] escapes less.
func Encode(s string) string {
	b := make([]byte, 0, len(s)+len(s)/2)
	for i := range len(s) {
		if undoHTTP(s[i]) {
			b = append(b, s[i])
		} else {
			b = octet.AppendEscape(b, s[i])
		}
	}
	return string(b)
}

// DecodeStrict is [Decode] for text that may be no part of a URL. A "%" without two hexadecimal digits is an error, a *[SyntaxError]
// whose Offset is that of the "%".
func DecodeStrict(s string) (string, error) {
	for i := range len(s) {
		if s[i] != '%' {
			continue
		}
		if _, ok := octet.At(s, i); !ok {
			return "", &SyntaxError{Offset: i, Rule: ruleEscape, Section: "2.2", Msg: `"%" is not followed by two hexadecimal digits`, Hint: hintPercent}
		}
	}
	return Decode(s), nil
}

// Decode decodes the escapes of s (RFC 1738 2.2). A "%" without two hexadecimal digits stays; no part of a URL contains one. For other
// text, use [DecodeStrict].
func Decode(s string) string {
	d := decoder{room: len(s)}
	return d.text(s)
}

// decoder decodes the parts of one URL into one block of memory.
type decoder struct {
	room int // upper bound of what all parts need
	b    strings.Builder
}

func (u URL) decoder() decoder { return decoder{room: len(u.text)} }

// text is Decode.
func (d *decoder) text(s string) string {
	i := strings.IndexByte(s, '%')
	if i < 0 {
		return s
	}
	if d.b.Cap() == 0 {
		d.b.Grow(d.room)
	}
	begin := d.b.Len()
	for ; i >= 0; i = strings.IndexByte(s, '%') {
		d.b.WriteString(s[:i])
		if c, ok := octet.At(s, i); ok {
			d.b.WriteByte(c)
			i += 2
		} else {
			d.b.WriteByte('%')
		}
		s = s[i+1:]
	}
	d.b.WriteString(s)
	return d.b.String()[begin:]
}

// all decodes each string in place.
func (d *decoder) all(list []string) []string {
	for i, s := range list {
		list[i] = d.text(s)
	}
	return list
}

// fields decodes each pair in place.
func (d *decoder) fields(list []Pair) []Pair {
	for i, f := range list {
		list[i] = Pair{Name: d.text(f.Name), Value: d.text(f.Value)}
	}
	return list
}

// optional decodes a part if it is present.
func (d *decoder) optional(o Optional) Optional {
	o.text = d.text(o.text)
	return o
}

// optional returns an Optional of a part that is present if set is true.
func optional(s string, set bool) Optional { return Optional{text: s, set: set} }

// Unwrap removes the prefix "URL:" or the wrapper "<URL:...>" (RFC 1738 appendix), in either case. cut is the number of bytes removed
// in front, to convert offsets. Any other text is returned unchanged. Unwrap keeps white space inside a wrapper: it does not join
// broken lines.
func Unwrap(s string) (url string, cut int) {
	const prefix = "URL:"
	if s == "" || s[0] != '<' && s[0]|0x20 != 'u' { // the common case
		return s, 0
	}
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
