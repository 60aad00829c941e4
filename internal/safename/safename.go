// Package safename makes a safe local file name from a name in a URL or a server's reply (P6): one that stays in its
// folder, is not hidden, does not name a device, and has no control characters.
package safename

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Fallback is the name that replaces one without any usable character.
const Fallback = "index"

// maxName is the length in bytes that all common file systems accept, with room for a suffix.
const maxName = 200

// Make returns a safe name. It replaces each character that is not allowed, and each invalid UTF-8 byte, by "_".
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
	if s[0] == '.' || s[0] == '-' || s[0] == '~' { // a hidden file, an option, or a home folder
		s = "_" + s[1:]
	}
	if device(s) {
		s = cut("_" + s)
	}
	return s
}

// cut shortens a name to maxName bytes, between two characters, and removes dots and spaces at its end, as Windows does.
func cut(name string) string {
	for len(name) > maxName {
		_, n := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-n]
	}
	return strings.TrimRight(name, ". ")
}

// device reports whether Windows treats the name as a device, whatever its suffix.
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

// maxEnding is the length in bytes of the longest suffix that Number keeps.
const maxEnding = 32

// Number returns a variant of a safe name for the case that the name is taken: "a~2.txt" for "a.txt" and 2. Different
// numbers return different names.
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
