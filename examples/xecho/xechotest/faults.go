package xechotest

import (
	"io"
	"strings"

	"locator/schemetest/peer"
)

func (d *dialogue) is(f peer.Fault) bool { return d.s.Fault() == f }

// misbehaves simulates the faults that replace a reply. It reports whether there was one.
func (d *dialogue) misbehaves() bool {
	switch {
	case d.is(peer.Stall):
		peer.Hang(d.c)
	case d.is(peer.Nonsense):
		d.say("220 mail.host.dom ready\r\n")
	case d.is(peer.WrongCode):
		d.say("+then\r\n+then\r\n")
	case d.is(peer.Unavailable):
		d.say("-busy come back later\r\n")
	case d.is(peer.EndlessLine):
		d.flood(strings.Repeat("+", 1<<10))
	default:
		return false
	}
	return true
}

// flood sends text repeatedly until the client closes the connection.
func (d *dialogue) flood(text string) {
	peer.Flood(d.c, func(int) string { return text })
}

// say sends text, byte by byte if the fault requires it. It reports whether that succeeded.
func (d *dialogue) say(text string) bool {
	if !d.is(peer.Drip) {
		_, err := io.WriteString(d.c, text)
		return err == nil
	}
	return peer.WriteSlowly(d.c, []byte(text)) == nil
}
