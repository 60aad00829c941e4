package vet

import (
	"strings"

	"locator"
	"locator/internal/octet"
)

// isWeb reports whether u is a URL of http or https.
func isWeb(u locator.URL) bool { return u.Scheme() == "http" || u.Scheme() == "https" }

// findEncodedControl looks at web URLs only: in other schemes findControlOctet knows what is sent
// decoded. A single LF in a search is common: it is a line of a text that somebody wrote.
func findEncodedControl(u locator.URL, found func(string)) {
	if !isWeb(u) {
		return
	}
	path, _ := u.Path()
	search, _ := u.Search()
	path, search = locator.Decode(path), locator.Decode(search)
	switch {
	case strings.ContainsAny(path, "\r\n") || truncatesToLineEnd(path):
		found("the path contains an encoded line end, which ends a header field where a server decodes it")
	case strings.Contains(path, "\x00"):
		found("the path contains an encoded NUL, which ends a file name where a server decodes it")
	case strings.Contains(search, "\r\n") || truncatesToLineEnd(search):
		found("the search contains an encoded line end, which ends a header field where a server decodes it")
	}
}

// truncatesToLineEnd finds the characters that become CR and LF in programs that keep the lowest
// byte of each character. No language has these pairs.
func truncatesToLineEnd(s string) bool {
	for _, pair := range []string{"\u010D\u010A", "\uFF0D\uFF0A", "\u560D\u560A", "\u560A\u560D"} {
		if strings.Contains(s, pair) {
			return true
		}
	}
	return false
}

// findHiddenDots looks for dot segments that only some programs see: "%2e%2e", "..%2f", "..%5c",
// "..;", UTF-8 that is longer than it may be, and full-width characters.
func findHiddenDots(u locator.URL, found func(string)) {
	for segment := range segments(u) {
		if hidesDots(segment) {
			found("the path segment " + shorten(string(octet.AppendASCII(nil, segment))) + " is a dot segment for some programs")
			return
		}
	}
}

// findEncodedSlash looks at web URLs only: "%2F" in an ftp URL is part of a name (RFC 1738 3.2.2).
func findEncodedSlash(u locator.URL, found func(string)) {
	if !isWeb(u) {
		return
	}
	for segment := range segments(u) {
		if i := strings.IndexAny(locator.Decode(segment), `/\`); i >= 0 && !hidesDots(segment) {
			found("the path segment " + shorten(string(octet.AppendASCII(nil, segment))) + " contains an encoded " + octet.Quote(locator.Decode(segment)[i]) + ", which some programs take for a delimiter")
			return
		}
	}
}

// segments yields the segments of the path as written.
func segments(u locator.URL) func(func(string) bool) {
	path, _ := u.Path()
	path, _, _ = strings.Cut(path, "?") // that of an unknown scheme includes the query
	return strings.SplitSeq(path, "/")
}

// hidesDots reports whether a segment as written is not a dot segment (RFC 3986 3.3), but is or
// contains one if it is decoded, if "\" is a delimiter, or if parameters after ";" are removed.
func hidesDots(segment string) bool {
	if segment == "." || segment == ".." || !strings.ContainsAny(segment, "%;") && octet.IsASCII(segment) {
		return false
	}
	text := disguises.Replace(locator.Decode(segment))
	pieces := strings.FieldsFunc(text, func(c rune) bool { return c == '/' || c == '\\' })
	for _, piece := range pieces {
		if name, _, _ := strings.Cut(piece, ";"); name == "." || name == ".." {
			return true
		}
	}
	return false
}

// disguises replaces what some programs read as ".", "/" and "\": two bytes of UTF-8 for one of
// ASCII, full-width characters, and U+FF2E, whose lowest byte is that of ".".
var disguises = strings.NewReplacer("\xC0\xAE", ".", "\xC0\xAF", "/", "\xC1\x9C", `\`, "\uFF0E", ".", "\uFF2E", ".", "\uFF0F", "/", "\uFF3C", `\`)
