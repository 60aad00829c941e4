package xechotest

import (
	"io"
	"strings"
	"time"

	"locator/schemetest/peer"
)

func (d *dialogue) is(f peer.Fault) bool { return d.s.Fault() == f }

// misbehaves simulates the faults that replace a reply. It reports whether there was one.
func (d *dialogue) misbehaves() bool {
	switch {
	case d.is(peer.Stall):
		d.hang()
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

// hang waits until the client closes the connection.
func (d *dialogue) hang() {
	_, _ = io.Copy(io.Discard, d.c) // the error does not matter
}

// flood sends text repeatedly until the client closes the connection.
func (d *dialogue) flood(text string) {
	text = strings.Repeat(text, 1+1<<10/len(text))
	for d.say(text) {
	}
}

// drip is the pause between two bytes.
const drip = 2 * time.Millisecond

// say sends text, byte by byte if the fault requires it. It reports whether that succeeded.
func (d *dialogue) say(text string) bool {
	if !d.is(peer.Drip) {
		_, err := io.WriteString(d.c, text)
		return err == nil
	}
	for i := range len(text) {
		if _, err := io.WriteString(d.c, text[i:i+1]); err != nil {
			return false
		}
		time.Sleep(drip)
	}
	return true
}
