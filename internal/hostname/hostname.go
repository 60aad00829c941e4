package hostname

import (
	"errors"
	"locator/internal/octet"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// profile maps names as for a lookup (RFC 5891 5, UTS 46, nontransitional). Which characters a name may hold in ASCII is
// not its matter, so that "_" stays; that is checked behind it.
var profile = sync.OnceValue(func() *idna.Profile {
	return idna.New(idna.MapForLookup(), idna.Transitional(false), idna.BidiRule(), idna.CheckJoiners(true),
		idna.StrictDomainName(false), idna.CheckHyphens(false), idna.VerifyDNSLength(false))
})

// MaxLength is the length beyond which no name is converted: in ASCII it would have more than the 253 octets of RFC 1035.
const MaxLength = 4 * MaxName

var errNoName = errors.New("it is no domain name in ASCII")

// toASCII is the name that the domain name system has for one beyond ASCII.
func ToASCII(name string) (string, error) {
	if len(name) > MaxLength || !utf8.ValidString(name) {
		return "", errNoName
	}
	ascii, err := profile().ToASCII(name)
	if err != nil {
		return "", err
	}
	if ascii == "" { // all of it was invisible
		return "", errNoName
	}
	for i := range len(ascii) {
		// A mapping may give what delimits the host, as "/" for U+2100.
		if c := ascii[i]; !IsLabel(c) && c != '.' && c != '_' {
			return "", errNoName
		}
	}
	return ascii, nil
}

func ASCII(host string) string {
	if strings.HasPrefix(host, "[") || !strings.ContainsAny(host, "%~") && octet.IsASCII(host) {
		return host
	}
	// Escapes are undone of what needs none in a name.
	plain := make([]byte, 0, len(host))
	for i := 0; i < len(host); i++ {
		c, escaped := octet.At(host, i)
		switch {
		case !escaped && host[i] == '~':
			plain = append(plain, "%7E"...) // as everywhere in a key
			continue
		case !escaped:
			plain = append(plain, host[i])
			continue
		case IsLabel(c), c == '.', c == '_', c >= utf8.RuneSelf:
			plain = append(plain, c)
		default:
			plain = octet.AppendEscape(plain, c)
		}
		i += 2
	}
	if octet.IsASCII(string(plain)) {
		return string(plain)
	}
	if name, err := ToASCII(string(plain)); err == nil {
		return name
	}
	var b []byte
	for _, c := range plain {
		if c < utf8.RuneSelf {
			b = append(b, c)
		} else {
			b = octet.AppendEscape(b, c)
		}
	}
	return string(b)
}

// Prefix begins a label in the ASCII form of IDNA (RFC 5890 2.3.2.5).
const Prefix = "xn--"

// Unicode is the label that one in the ASCII form of IDNA stands for. ok is false where it is none, or a bad one.
func Unicode(label string) (text string, ok bool) {
	folded := octet.Lower(label)
	if !strings.HasPrefix(folded, Prefix) || len(folded) > MaxLabel {
		return "", false
	}
	text, err := profile().ToUnicode(folded)
	if err != nil || octet.IsASCII(text) {
		return "", false
	}
	again, err := ToASCII(text)
	return text, err == nil && again == folded
}

// together are the scripts that one language writes beside each other (UTS 39 5.2, "highly restrictive"). Latin goes with
// those of the east.
var together = [][]string{
	{"Han", "Hiragana", "Katakana", "Latin"},
	{"Bopomofo", "Han", "Latin"},
	{"Han", "Hangul", "Latin"},
}

// Scripts names the scripts of a label that no language writes together, as in "Cyrillic, Latin". It is "" where there
// is one script, or some that go together.
func Scripts(label string) string {
	var scripts []string
	for i, c := range label {
		if i > MaxLength { // no name is so long
			break
		}
		name := scriptOf(c)
		if name == "" || slices.Contains(scripts, name) {
			continue
		}
		scripts = append(scripts, name)
	}
	if len(scripts) < 2 {
		return ""
	}
	slices.Sort(scripts)
	for _, good := range together {
		if !slices.ContainsFunc(scripts, func(s string) bool { return !slices.Contains(good, s) }) {
			return ""
		}
	}
	return strings.Join(scripts, ", ")
}

// scriptOf is the script of a character; "" of one that goes with every script.
func scriptOf(c rune) string {
	switch {
	case c < utf8.RuneSelf && !unicode.IsLetter(c), unicode.In(c, unicode.Common, unicode.Inherited):
		return ""
	case unicode.Is(unicode.Latin, c):
		return "Latin"
	}
	for name, table := range unicode.Scripts {
		if unicode.Is(table, c) {
			return name
		}
	}
	return "none"
}

// Invisible reports whether a character has no look of its own, or changes the look of others: what turns the direction
// of text (RFC 3987 4.1), joins and separates, fills, or is not assigned to be seen at all.
func Invisible(c rune) bool {
	return unicode.In(c, unicode.Cf, unicode.Cc, unicode.Zs, unicode.Zl, unicode.Zp, unicode.Variation_Selector,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Noncharacter_Code_Point) && c != ' ' ||
		c == 0x115F || c == 0x1160 || c == 0x3164 || c == 0xFFA0 || c == 0x2800 // fillers and a blank pattern
}

// Lengths of domain names in bytes, without the dot of the root (RFC 1035 2.3.4).
const (
	MaxLabel = 63
	MaxName  = 253
)

// IsLabel reports whether c is a letter, a digit or a hyphen.
func IsLabel(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '-'
}
