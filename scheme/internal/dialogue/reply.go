package dialogue

import (
	"strings"

	"locator/scheme"
	"locator/wire"
)

// A Reply is a server's answer to a command (RFC 959 4.2, RFC 3977 3.2, RFC 5321 4.2).
type Reply struct {
	Code  int
	Lines []string // as received; the first and the last begin with the code
}

// Class is the first digit: 1 preliminary, 2 completed, 3 intermediate, 4 transient failure, 5 permanent failure.
func (r Reply) Class() int { return r.Code / 100 }

// Text is the first line without its code.
func (r Reply) Text() string {
	if len(r.Lines) == 0 {
		return ""
	}
	line := r.Lines[0][min(3, len(r.Lines[0])):]
	return strings.TrimPrefix(strings.TrimPrefix(line, "-"), " ")
}

// ShownReply bounds the part of a reply that an error quotes, in bytes before escaping.
const ShownReply = 300

// Shown is the reply as one escaped line, for people.
func (r Reply) Shown() string { return wire.Excerpt(strings.Join(r.Lines, " / "), ShownReply) }

// ParseCode parses the three digits that begin a reply. last is false if "-" follows them: then more lines follow.
func ParseCode(line string) (code int, last, ok bool) {
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

// Reply reads a reply of at most Max bytes. One of several lines ends with the line that begins with the same code and a space (RFC 959
// 4.2); the lines between may hold anything. After an error, and after Goodbye, the connection is unusable.
func (c *Conn) Reply(after string) (Reply, error) {
	var r Reply
	ended := func(line string) (bool, error) {
		code, last, ok := ParseCode(line)
		switch {
		case r.Code != 0:
			return ok && last && code == r.Code, nil
		case !ok || !last && c.OneLine:
			return true, c.Foreign(line)
		}
		r.Code = code
		return last, nil
	}
	var err error
	if c.OneLine {
		r.Lines = make([]string, 1)
		if r.Lines[0], err = c.Wire.ReadLine(); err == nil {
			_, err = ended(r.Lines[0])
		}
	} else {
		r.Lines, err = c.Wire.ReadLines(int64(c.Max), ended)
	}
	switch {
	case err != nil:
		return r, c.End(c.Lost(after, err))
	case r.Code == c.Goodbye:
		c.Unusable.Store(true)
	default:
		c.Untested = false
	}
	return r, nil
}

// Foreign returns the error for a line that is not of the protocol.
func (p Protocol) Foreign(line string) error {
	return scheme.Replied(scheme.CodeProtocol, wire.Excerpt(line, ShownReply), "the server does not speak %s: a reply begins with three digits", p.Name)
}
