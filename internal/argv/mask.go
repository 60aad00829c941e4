package argv

import (
	"slices"
	"strings"

	"locator"
)

// Mask returns arguments for the list of processes, with * for each byte of a password in a URL, or
// behind the delimiter in the value of one of the flags. The lengths stay.
func Mask(args []string, flags map[string]string) []string {
	shown := slices.Clone(args)
	flag := "" // whose value comes next
	for i, arg := range args {
		name, value, joined := strings.Cut(arg, "=")
		switch {
		case flag != "":
			shown[i] = hideValue(arg, flags[flag])
			flag = ""
		case joined && flags[name] != "":
			shown[i] = name + "=" + hideValue(value, flags[name])
		case flags[arg] != "":
			flag = arg
		case locator.Redact(arg) != arg:
			shown[i] = stars(arg, locator.Redact(arg))
		}
	}
	return shown
}

// hideValue hides what follows the delimiter in a value.
func hideValue(value, delimiter string) string {
	i := strings.Index(value, delimiter) + 1
	if i == 0 {
		return value
	}
	return value[:i] + strings.Repeat("*", len(value)-i)
}

// stars returns text with * from the first to the last byte in which its masked form differs.
func stars(text, masked string) string {
	begin, end := 0, 0
	for begin < min(len(text), len(masked)) && text[begin] == masked[begin] {
		begin++
	}
	for end < min(len(text), len(masked))-begin && text[len(text)-1-end] == masked[len(masked)-1-end] {
		end++
	}
	return text[:begin] + strings.Repeat("*", len(text)-begin-end) + text[len(text)-end:]
}
