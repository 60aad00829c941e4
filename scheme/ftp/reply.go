package ftp

import (
	"strings"

	"locator/scheme/internal/dialogue"
)

// A reply is a server's answer to a command.
type reply struct{ dialogue.Reply }

// says reports whether the reply contains one of the words, in either case of letters.
func (r reply) says(words ...string) bool {
	all := strings.ToLower(strings.Join(r.Lines, "\n"))
	for _, w := range words {
		if strings.Contains(all, w) {
			return true
		}
	}
	return false
}
