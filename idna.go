package locator

import (
	"errors"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// profile maps names as for a lookup (RFC 5891 5, UTS 46, nontransitional). Which characters a name may hold in ASCII is
// not its matter, so that "_" stays; that is checked behind it.
var profile = sync.OnceValue(func() *idna.Profile {
	return idna.New(idna.MapForLookup(), idna.Transitional(false), idna.BidiRule(), idna.CheckJoiners(true),
		idna.StrictDomainName(false), idna.CheckHyphens(false), idna.VerifyDNSLength(false))
})

// maxIDN is the length beyond which no name is converted: in ASCII it would have more than the 253 octets of RFC 1035.
const maxIDN = 4 * maxName

var errNoName = errors.New("it is no domain name in ASCII")

// toASCII is the name that the domain name system has for one beyond ASCII.
func toASCII(name string) (string, error) {
	if len(name) > maxIDN || !utf8.ValidString(name) {
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
		if c := ascii[i]; strictTable[c]&labelClass == 0 && c != '.' && c != '_' {
			return "", errNoName
		}
	}
	return ascii, nil
}

// ASCIIHost is the host in the form that is looked up: without escapes, and in ASCII (RFC 3986 3.2.2, RFC 3987 3.1, RFC
// 5891). A host in plain ASCII stays as it is written, brackets and case included. What is no name in the domain name
// system keeps the escapes of the octets that cannot stand in one; it is found nowhere.
func (u URL) ASCIIHost() string { return asciiHost(u.Host()) }

func asciiHost(host string) string {
	if strings.HasPrefix(host, "[") || !strings.ContainsAny(host, "%~") && isASCII(host) {
		return host
	}
	// Escapes are undone of what needs none in a name.
	plain := make([]byte, 0, len(host))
	for i := 0; i < len(host); i++ {
		c, escaped := octetAt(host, i)
		switch {
		case !escaped && host[i] == '~':
			plain = append(plain, "%7E"...) // as everywhere in a key
			continue
		case !escaped:
			plain = append(plain, host[i])
			continue
		case currentTable[c]&labelClass != 0, c == '.', c == '_', c >= utf8.RuneSelf:
			plain = append(plain, c)
		default:
			plain = appendEscape(plain, c)
		}
		i += 2
	}
	if isASCII(string(plain)) {
		return string(plain)
	}
	if name, err := toASCII(string(plain)); err == nil {
		return name
	}
	var b []byte
	for _, c := range plain {
		if c < utf8.RuneSelf {
			b = append(b, c)
		} else {
			b = appendEscape(b, c)
		}
	}
	return string(b)
}

// acePrefix begins a label in the ASCII form of IDNA (RFC 5890 2.3.2.5).
const acePrefix = "xn--"

// unicodeLabel is the label that one in the ASCII form of IDNA stands for. ok is false where it is none, or a bad one.
func unicodeLabel(label string) (text string, ok bool) {
	folded := lower(label)
	if !strings.HasPrefix(folded, acePrefix) || len(folded) > maxLabel {
		return "", false
	}
	text, err := profile().ToUnicode(folded)
	if err != nil || isASCII(text) {
		return "", false
	}
	again, err := toASCII(text)
	return text, err == nil && again == folded
}
