package find

import (
	"strings"
	"unicode/utf8"

	"locator"
)

// Wrap returns <URL:...> with a URL and its fragment, for text (RFC 1738 appendix). Lines are no
// longer than width characters and are not broken after a hyphen, since a reader would not know
// whether it is part of the URL. A line is longer than width only if hyphens or the width leave no
// other choice. If width is 0 or less, the wrapper is one line. Finding it returns the URL again.
func Wrap(u locator.URL, width int) string {
	text := "<URL:" + u.Text() + ">"
	if width <= 0 {
		return text
	}
	var b strings.Builder
	for {
		n := lineEnd(text, width)
		b.WriteString(text[:n])
		if text = text[n:]; text == "" {
			return b.String()
		}
		b.WriteByte('\n')
	}
}

// lineEnd returns where the first line of text ends: at the last place up to width where it may
// end, or else at the next one.
func lineEnd(text string, width int) int {
	last, count := 0, 0
	for i := range text {
		if count > width && last > 0 {
			return last
		}
		if mayBreak(text, i) {
			if last = i; count > width {
				return i
			}
		}
		count++
	}
	if count <= width || last == 0 {
		return len(text)
	}
	return last
}

// mayBreak reports whether a line of a wrapper may end before offset i: not inside the prefix, not
// after a hyphen, and not before the ">", which would be a quote mark at the beginning of a line.
func mayBreak(text string, i int) bool {
	if i < len("<URL:") || i == len(text)-1 {
		return false
	}
	c, _ := utf8.DecodeLastRuneInString(text[:i])
	return c != '-' && c != '\u00AD'
}
