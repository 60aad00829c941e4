package locator

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// together are the scripts that one language writes beside each other (UTS 39 5.2, "highly restrictive"). Latin goes with
// those of the east.
var together = [][]string{
	{"Han", "Hiragana", "Katakana", "Latin"},
	{"Bopomofo", "Han", "Latin"},
	{"Han", "Hangul", "Latin"},
}

// hostScripts names the scripts of a label that no language writes together, as in "Cyrillic, Latin". It is "" where there
// is one script, or some that go together.
func hostScripts(label string) string {
	var scripts []string
	for i, c := range label {
		if i > maxIDN { // no name is so long
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
