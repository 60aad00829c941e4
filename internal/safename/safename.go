// Package safename makes a safe local file name from a name in a URL or a server's reply (P6): one
// that stays in its folder, is not hidden, is not an option, and has no control characters.
package safename

import (
	"runtime"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Fallback is the name that replaces one without any usable character.
const Fallback = "index"

// Rules say which names stay as they are.
type Rules struct {
	illegal string // characters that are replaced
	octets  bool   // bytes that are not UTF-8 stay
	max     int    // length in bytes, with room for the suffix of a partial download
	windows bool   // devices, and dots and spaces at the end
}

// Portable are the rules for names that all common systems accept.
func Portable() Rules { return Rules{illegal: `/\:*?"<>|`, max: 200, windows: true} }

// Native are the rules of this system.
func Native() Rules {
	switch runtime.GOOS {
	case "windows":
		return Portable()
	case "darwin", "ios": // its file systems accept UTF-8 alone
		return Rules{illegal: "/", max: 240}
	}
	return Rules{illegal: "/", max: 240, octets: true}
}

// Case reports whether names that differ only in case are two names.
func (r Rules) Case() bool { return r.octets }

// Make returns a safe name. It replaces each character that is not allowed, and each byte that is
// not, by "_". A name that is too long keeps its ending.
func (r Rules) Make(name string) string {
	var b strings.Builder
	for i := 0; i < len(name); {
		c, n := utf8.DecodeRuneInString(name[i:])
		switch broken := c == utf8.RuneError && n == 1; {
		case broken && r.octets && name[i] >= 0xA0: // 0x80 to 0x9F are control characters of some terminals
			b.WriteByte(name[i])
		case broken, !unicode.IsPrint(c), strings.ContainsRune(r.illegal, c):
			b.WriteByte('_')
		default:
			b.WriteRune(c)
		}
		i += n
	}
	s := r.cut(b.String())
	if strings.Trim(s, "._-~ ") == "" {
		return Fallback
	}
	if s[0] == '.' || s[0] == '-' || s[0] == '~' { // a hidden file, an option, or a home folder
		s = "_" + s[1:]
	}
	if r.windows && device(s) {
		s = r.cut("_" + s)
	}
	return s
}

// cut shortens a name between two characters, and for Windows removes spaces at its begin and dots
// and spaces at its end.
func (r Rules) cut(name string) string {
	if r.windows {
		name = strings.TrimRight(strings.TrimLeft(name, " "), ". ")
	}
	if len(name) <= r.max {
		return name
	}
	base, ending := split(name)
	name = Shorten(base, r.max-len(ending)) + ending
	if r.windows {
		name = strings.TrimRight(name, ". ")
	}
	return name
}

// Shorten returns the longest beginning of a name that has at most n bytes and ends between two
// characters.
func Shorten(name string, n int) string {
	for len(name) > n {
		_, last := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-last]
	}
	return name
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

// maxEnding is the length in bytes of the longest suffix that a shortened name keeps.
const maxEnding = 32

// split splits a name before its suffix.
func split(name string) (base, ending string) {
	if i := strings.LastIndexByte(name, '.'); i > 0 && len(name)-i <= maxEnding {
		return name[:i], name[i:]
	}
	return name, ""
}

// Number returns a variant of a safe name for the case that the name is taken: "a~2.txt" for
// "a.txt" and 2. Different numbers return different names.
func (r Rules) Number(name string, n int) string {
	base, ending := split(name)
	ending = "~" + strconv.Itoa(n) + ending
	return r.Make(Shorten(base, r.max-len(ending)) + ending)
}
