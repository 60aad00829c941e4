package ftp

import (
	"strings"

	"locator/scheme"
	"locator/wire"
)

// A reply is a server's answer to a command (RFC 959 4.2).
type reply struct {
	code  int
	lines []string // as received; the first and the last begin with the code
}

// class is the first digit: 1 preliminary, 2 completed, 3 intermediate, 4 transient failure, 5 permanent failure.
func (r reply) class() int { return r.code / 100 }

// text is the first line without its code.
func (r reply) text() string {
	if len(r.lines) == 0 {
		return ""
	}
	return strings.TrimPrefix(strings.TrimPrefix(r.lines[0][3:], "-"), " ")
}

// says reports whether the reply contains one of the words, in either case of letters.
func (r reply) says(words ...string) bool {
	all := strings.ToLower(strings.Join(r.lines, "\n"))
	for _, w := range words {
		if strings.Contains(all, w) {
			return true
		}
	}
	return false
}

// shownReply bounds the part of a reply that an error quotes, in bytes before escaping.
const shownReply = 300

// shown is the reply as one escaped line, for people.
func (r reply) shown() string {
	return wire.Excerpt(strings.Join(r.lines, " / "), shownReply)
}

// parseCode parses the three digits that begin a reply. last is false if "-" follows them: then more lines follow.
func parseCode(line string) (code int, last, ok bool) {
	if len(line) < 3 {
		return 0, false, false
	}
	for i := range 3 {
		d := line[i]
		if d < '0' || d > '9' || i == 0 && (d == '0' || d > '5') {
			return 0, false, false
		}
		code = code*10 + int(d-'0')
	}
	if len(line) == 3 { // QUIRK: some servers send the code alone if they have no text
		return code, true, true
	}
	switch line[3] {
	case ' ':
		return code, true, true
	case '-':
		return code, false, true
	}
	return 0, false, false
}

// readReply reads one reply of at most max bytes. A reply of several lines ends with the line that begins with the same code
// and a space (RFC 959 4.2); the lines between may hold anything. Options.MaxLine of the connection bounds each line.
func readReply(c *wire.Conn, max int) (reply, error) {
	var r reply
	lines, err := c.ReadLines(int64(max), func(line string) (bool, error) {
		code, last, ok := parseCode(line)
		if r.code == 0 {
			if !ok {
				return true, scheme.Replied(scheme.CodeProtocol, shorten(line), "the server does not speak ftp: a reply begins with three digits")
			}
			r.code = code
			return last, nil
		}
		return ok && last && code == r.code, nil
	})
	r.lines = lines
	return r, err
}

// shorten returns the beginning of a line, escaped for an error.
func shorten(line string) string { return reply{lines: []string{line}}.shown() }
