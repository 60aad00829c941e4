package locator

import (
	"locator/internal/octet"
	"strings"
)

// Decode undoes the escapes of s (RFC 1738 2.2). A "%" without two hexadecimal digits stays as it is; a part of a URL
// holds none.
func Decode(s string) string {
	i := strings.IndexByte(s, '%')
	if i < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	decodeTo(&b, s, i)
	return b.String()
}

// decodeTo writes s, whose first "%" is at i, without its escapes.
func decodeTo(b *strings.Builder, s string, i int) {
	for i >= 0 {
		c, ok := octet.At(s, i)
		if !ok {
			b.WriteString(s[:i+1])
			s = s[i+1:]
		} else {
			b.WriteString(s[:i])
			b.WriteByte(c)
			s = s[i+3:]
		}
		i = strings.IndexByte(s, '%')
	}
	b.WriteString(s)
}

// decoder decodes the parts of one URL, each once, into one block of memory.
type decoder struct {
	room int // what all of them need at most
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
	decodeTo(&d.b, s, i)
	return d.b.String()[begin:]
}

// all decodes each string in place.
func (d *decoder) all(list []string) []string {
	for i, s := range list {
		list[i] = d.text(s)
	}
	return list
}

// fields decodes each field in place.
func (d *decoder) fields(list []Pair) []Pair {
	for i, f := range list {
		list[i] = Pair{Name: d.text(f.Name), Value: d.text(f.Value)}
	}
	return list
}

// optional decodes a part, if it is there.
func (d *decoder) optional(o Optional) Optional {
	o.text = d.text(o.text)
	return o
}

// optional makes an Optional of a part and whether it is there.
func optional(s string, set bool) Optional { return Optional{text: s, set: set} }

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
	if s == "" || s[0] != '<' && s[0]|0x20 != 'u' { // as good as always
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
