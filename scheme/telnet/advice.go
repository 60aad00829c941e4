package telnet

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Advice returns what the URL says about the login, for the user (RFC 1738 3.8). The password is
// that of Secret.
func (s *nvt) Advice() []string {
	var advice []string
	for _, part := range s.place.cut {
		advice = append(advice, "control characters were removed from the "+part+" of the URL")
	}
	if s.place.user != "" {
		advice = append(advice, "the URL suggests the user name "+s.place.user)
	}
	return advice
}

// Secret implements session.Session.
func (s *nvt) Secret() (string, bool) { return s.place.password, s.place.password != "" }

// printable returns text without invalid UTF-8 and without characters that are not printed: control
// characters, and those that change the direction of text.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, text)
}
