package nntptest

import (
	"io"
	"strings"

	"locator/schemetest/peer"
)

// text sends a reply and a text, with a dot before each dot that begins a line. It reports whether
// the session continues.
func (c *session) text(reply, text string) bool {
	stuffed := strings.ReplaceAll("\r\n"+text, "\r\n.", "\r\n..")[2:]
	switch c.s.Fault() {
	case peer.Torn:
		c.write(reply + "\r\n" + stuffed[:len(stuffed)/2])
		return false
	case peer.StallBody:
		c.write(reply + "\r\n" + stuffed[:len(stuffed)/2])
		peer.Hang(c.conn)
		return false
	}
	c.write(reply + "\r\n" + stuffed + ".\r\n")
	return true
}

// block sends a reply and lines.
func (c *session) block(reply string, lines []string) {
	var b strings.Builder
	b.WriteString(reply + "\r\n")
	for _, l := range lines {
		if strings.HasPrefix(l, ".") {
			b.WriteByte('.')
		}
		b.WriteString(l + "\r\n")
	}
	c.write(b.String() + ".\r\n")
}

func (c *session) say(line string) { c.write(line + "\r\n") }

func (c *session) write(text string) bool {
	if c.s.Fault() == peer.Drip {
		return peer.WriteSlowly(c.w, []byte(text)) == nil
	}
	_, err := io.WriteString(c.w, text)
	return err == nil
}

// reply sends the reply of an option.
func (c *session) reply(verb, bytes string) {
	c.write(bytes)
	if piece := c.s.behavior.endless[verb]; piece != "" {
		peer.Flood(c.w, func(int) string { return piece })
	}
}

// misbehave simulates the faults that replace a reply. It reports whether the session is over.
func (c *session) misbehave() bool {
	switch c.s.Fault() {
	case peer.Stall:
		peer.Hang(c.conn)
	case peer.EndlessLine:
		c.write("200 ")
		peer.Flood(c.w, func(int) string { return strings.Repeat("x", 4<<10) })
	case peer.Nonsense:
		c.write("\x16\x03\x01 this is no news \xff\xfe\r\n")
	case peer.WrongCode:
		c.say("382 Continue with TLS negotiation")
	case peer.Unavailable:
		c.say("400 Too many readers, come back later")
	default:
		return false
	}
	return true
}
