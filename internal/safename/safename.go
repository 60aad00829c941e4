// Package safename makes a local file name of a name that a peer or a URL gave (P6): one that cannot leave its folder,
// hide, name a device, or carry control characters.
package safename

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Fallback is the name where nothing of the given one is left.
const Fallback = "index"

// maxName is what all common file systems take, with room for an ending.
const maxName = 200

// Make returns a safe name. What cannot stand is replaced by "_", octets that are no UTF-8 included.
func Make(name string) string {
	var b strings.Builder
	for i := 0; i < len(name); {
		r, n := utf8.DecodeRuneInString(name[i:])
		i += n
		switch {
		case r == utf8.RuneError && n == 1, !unicode.IsPrint(r), strings.ContainsRune(`/\:*?"<>|`, r):
			b.WriteByte('_')
		default:
			b.WriteRune(r)
		}
	}
	s := cut(strings.TrimLeft(b.String(), " "))
	if strings.Trim(s, "._-~ ") == "" {
		return Fallback
	}
	if s[0] == '.' || s[0] == '-' || s[0] == '~' { // hidden, an option, a home folder
		s = "_" + s[1:]
	}
	if device(s) {
		s = cut("_" + s)
	}
	return s
}

// cut shortens a name to maxName octets, at a character, and drops the dots and spaces at its end, as Windows does.
func cut(name string) string {
	for len(name) > maxName {
		_, n := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-n]
	}
	return strings.TrimRight(name, ". ")
}

// device reports whether Windows reads the name as a device, whatever its ending.
func device(name string) bool {
	base, _, _ := strings.Cut(strings.ToUpper(name), ".")
	base = strings.TrimRight(base, " ")
	switch base {
	case "CON", "PRN", "AUX", "NUL", "CLOCK$", "CONIN$", "CONOUT$":
		return true
	}
	if r, _ := utf8.DecodeLastRuneInString(base); strings.HasPrefix(base, "COM") || strings.HasPrefix(base, "LPT") {
		return len(base) > 3 && base[3:] == string(r) && (unicode.IsDigit(r) || strings.ContainsRune("¹²³", r))
	}
	return false
}

// maxEnding is the longest ending that Number keeps.
const maxEnding = 32

// Number makes another name of a safe one, for a second file that would have it: "a.txt" gives "a~2.txt". Names for
// different numbers differ.
func Number(name string, n int) string {
	base, ending := name, ""
	if i := strings.LastIndexByte(name, '.'); i > 0 && len(name)-i <= maxEnding {
		base, ending = name[:i], name[i:]
	}
	ending = "~" + strconv.Itoa(n) + ending
	for len(base)+len(ending) > maxName {
		_, last := utf8.DecodeLastRuneInString(base)
		base = base[:len(base)-last]
	}
	return Make(base + ending)
}
