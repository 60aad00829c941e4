package hostname

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"

	"locator/internal/octet"
)

// profile maps names for a lookup (RFC 5891 5, UTS 46, nontransitional). It allows any ASCII, such
// as "_"; ToASCII checks that.
var profile = sync.OnceValue(func() *idna.Profile {
	return idna.New(idna.MapForLookup(), idna.Transitional(false), idna.BidiRule(), idna.CheckJoiners(true),
		idna.StrictDomainName(false), idna.CheckHyphens(false), idna.VerifyDNSLength(false))
})

// MaxLength is the length of the longest name that is converted. A longer one would exceed MaxName
// in ASCII.
const MaxLength = 4 * MaxName

var errNoName = errors.New("it is not a domain name in ASCII")

// ToASCII returns the form that the domain name system has for a name beyond ASCII. It fails if
// there is none.
func ToASCII(name string) (string, error) {
	if len(name) > MaxLength || !utf8.ValidString(name) {
		return "", errNoName
	}
	ascii, err := profile().ToASCII(name)
	if err != nil {
		return "", err
	}
	if ascii == "" { // only invisible characters
		return "", errNoName
	}
	for i := range len(ascii) {
		// The mapping can produce a delimiter, such as "/" for U+2100.
		if c := ascii[i]; !IsLabel(c) && c != '.' && c != '_' {
			return "", errNoName
		}
	}
	return ascii, nil
}

// ASCII returns a host in the form to look up: without escapes and in ASCII (RFC 3986 3.2.2,
// RFC 3987 3.1, RFC 5891). What cannot be in a domain name stays escaped.
func ASCII(host string) string {
	if strings.HasPrefix(host, "[") || !strings.ContainsAny(host, "%~") && octet.IsASCII(host) {
		return host
	}
	// Decode the escapes of characters that names contain.
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
	return string(octet.AppendASCII(nil, string(plain)))
}

// Prefix begins a label in the ASCII form of IDNA (RFC 5890 2.3.2.5).
const Prefix = "xn--"

// Unicode returns the label that one in the ASCII form of IDNA stands for. ok is false if label is
// not in that form, or not valid.
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

// Mapped reports whether IDNA maps a name without escapes to another one (RFC 5895 2, UTS 46 4)
// than its letters in lower case, composed. It is false for a name that IDNA refuses.
func Mapped(name string) bool {
	if octet.IsASCII(name) {
		return false
	}
	if _, err := ToASCII(name); err != nil {
		return false
	}
	mapped, err := profile().ToUnicode(name)
	return err == nil && mapped != norm.NFC.String(strings.ToLower(name))
}

// together are the scripts that one language mixes (UTS 39 5.2, "highly restrictive").
var together = [][]string{
	{"Han", "Hiragana", "Katakana", "Latin"},
	{"Bopomofo", "Han", "Latin"},
	{"Han", "Hangul", "Latin"},
}

// Scripts returns the scripts of a label that no language mixes, as in "Cyrillic, Latin". It
// returns "" for a label of one script, or of scripts that are used together.
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

// scriptOf returns the script of a character; "" if it is used with every script.
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

// Invisible reports whether a character cannot be seen as itself: it changes the direction of text
// (RFC 3987 4.1), joins, separates or fills, or is not assigned to be displayed.
func Invisible(c rune) bool {
	if c < utf8.RuneSelf { // most characters of URLs
		return c < ' ' || c == 0x7F
	}
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
func IsLabel(c byte) bool { return octet.IsAlphanumeric(c) || c == '-' }
