package nntp

import (
	"strings"

	"locator/scheme/internal/dialogue"
)

// A reply is the first line of a server's response to a command.
type reply struct{ dialogue.Reply }

// numbers returns the arguments of a reply that are numbers, such as the three of 211. ok is false
// if there are fewer than n.
func (r reply) numbers(n int) (list []int64, ok bool) {
	for _, word := range strings.Fields(r.Text()) {
		if len(list) == n {
			break
		}
		number, ok := parseNumber(word)
		if !ok {
			return list, false
		}
		list = append(list, number)
	}
	return list, len(list) == n
}

// maxNumber is the largest article number (RFC 3977 6: it fits 31 bits; servers with more articles
// send more digits).
const maxNumber = 1<<62 - 1

// parseNumber parses the digits of an article number or a count.
func parseNumber(s string) (n int64, ok bool) {
	if s == "" || len(s) > 19 {
		return 0, false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		if n = n*10 + int64(s[i]-'0'); n < 0 || n > maxNumber {
			return 0, false
		}
	}
	return n, true
}
