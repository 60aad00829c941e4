package nntp

import (
	"strings"

	"locator/scheme"
	"locator/wire"
)

// A reply is the first line of a server's response to a command (RFC 3977 3.2).
type reply struct {
	code int
	line string // as received
}

// class is the first digit: 1 information, 2 success, 3 the client must continue, 4 failure, 5 command not possible.
func (r reply) class() int { return r.code / 100 }

// text is the line without its code.
func (r reply) text() string { return strings.TrimPrefix(r.line[min(3, len(r.line)):], " ") }

// shownReply bounds the part of a reply that an error quotes, in bytes before escaping.
const shownReply = 300

// shown is the reply as an escaped line, for people.
func (r reply) shown() string { return wire.Excerpt(r.line, shownReply) }

// parseReply parses the three digits of a reply and what follows them.
func parseReply(line string) (reply, error) {
	r := reply{line: line}
	for i := range 3 {
		if i == len(line) || line[i] < '0' || line[i] > '9' || i == 0 && (line[i] == '0' || line[i] > '5') {
			return reply{}, notNNTP(line)
		}
		r.code = r.code*10 + int(line[i]-'0')
	}
	if len(line) > 3 && line[3] != ' ' {
		return reply{}, notNNTP(line)
	}
	return r, nil
}

func notNNTP(line string) error {
	return scheme.Replied(scheme.CodeProtocol, wire.Excerpt(line, shownReply), "the server does not speak NNTP: a reply begins with three digits")
}

// numbers returns the arguments of a reply that are numbers, such as the three of 211. ok is false if there are fewer than n.
func (r reply) numbers(n int) (list []int64, ok bool) {
	for _, word := range strings.Fields(r.text()) {
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

// maxNumber is the largest article number (RFC 3977 6: it fits 31 bits; servers with more articles send more digits).
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
