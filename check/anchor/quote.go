package anchor

import (
	"math"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"locator"
)

// quote looks for a text fragment: [prefix-,]start[,end][,-suffix], each escaped (URL Fragment Text
// Directives). White space, case and accents do not count.
func (d *Document) quote(directive string) Answer {
	var prefix, suffix string
	parts := strings.Split(directive, ",")
	if first, ok := strings.CutSuffix(parts[0], "-"); ok && len(parts) > 1 {
		prefix, parts = folded(locator.Decode(first)), parts[1:]
	}
	if last, ok := strings.CutPrefix(parts[len(parts)-1], "-"); ok && len(parts) > 1 {
		suffix, parts = folded(locator.Decode(last)), parts[:len(parts)-1]
	}
	if len(parts) > 2 || parts[0] == "" {
		return Unknown // browsers ignore it
	}
	p := d.read(math.MaxInt)
	if p == nil {
		return Unknown
	}
	text := folded(string(p.text))
	first := prefix + folded(locator.Decode(parts[0]))
	if len(parts) == 1 {
		return found(strings.Contains(text, first+suffix))
	}
	_, rest, ok := strings.Cut(text, first)
	return found(ok && strings.Contains(rest, folded(locator.Decode(parts[1]))+suffix))
}

func found(ok bool) Answer {
	if ok {
		return Present
	}
	return Absent
}

// folded returns a text without white space, case and accents.
func folded(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < 0x80 && r > ' ':
			return unicode.ToLower(r)
		case unicode.IsSpace(r), unicode.IsMark(r), unicode.Is(unicode.Cf, r), unicode.IsControl(r):
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(text))
}
