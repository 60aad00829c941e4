package outbox

import (
	"bytes"
	"strings"

	"locator/scheme"
	"locator/wire"
)

// messageID returns the Message-ID of a message, which must be that of its header: by it a server
// recognizes a message that is sent twice, and the user finds the entry of a mail.
func messageID(m *Message) (string, error) {
	field, ok := messageIDField(m.Content)
	id, opened := strings.CutPrefix(field, "<")
	id, ended := strings.CutSuffix(id, ">")
	switch {
	case !ok:
		return "", scheme.Fail(scheme.CodeUsage, "the message has no Message-ID; complete it before it is queued")
	case !opened || !ended || !isMessageID(id):
		return "", scheme.Fail(scheme.CodeUsage, "the Message-ID of the message, %s, is not of the form <left@right>", shown(field))
	case m.ID != "" && m.ID != id:
		return "", scheme.Fail(scheme.CodeUsage, "the Message-ID %s is not that of the message, %s, without its brackets", shown(m.ID), shown(field))
	}
	return id, nil
}

// shown returns a part of a message for an error.
func shown(s string) string { return wire.TextLine(valid(s)) }

// messageIDField returns the value of the first field Message-ID in the header of a message,
// unfolded.
func messageIDField(content []byte) (value string, ok bool) {
	for line := range bytes.Lines(content) {
		line = bytes.TrimRight(line, "\r\n")
		name, rest, _ := bytes.Cut(line, []byte(":"))
		switch {
		case len(line) == 0:
			return value, ok
		case ok && (line[0] == ' ' || line[0] == '\t'):
			value += string(line)
		case ok:
			return strings.TrimSpace(value), true
		case strings.EqualFold(string(bytes.TrimRight(name, " \t")), "Message-ID"):
			value, ok = string(rest), true
		}
		if len(value) > maxText {
			return value, ok
		}
		value = strings.TrimSpace(value)
	}
	return value, ok
}

// isMessageID reports whether s is printable ASCII of the form left@right, without brackets
// (RFC 5322 3.6.4), and not too long.
func isMessageID(s string) bool {
	left, right, ok := strings.Cut(s, "@")
	return ok && left != "" && right != "" && len(s) <= maxText &&
		!strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7F || r == '<' || r == '>' })
}
