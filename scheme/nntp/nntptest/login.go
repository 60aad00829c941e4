package nntptest

import (
	"bufio"
	"crypto/tls"
	"encoding/base64"
	"strings"
)

func (c *session) startTLS(string, []string) bool {
	if c.s.behavior.tls == nil || c.secure {
		c.say("502 Not now")
		return true
	}
	c.say("382 Go on")
	over := tls.Server(c.conn, c.s.behavior.tls)
	if over.Handshake() != nil {
		return false
	}
	*c = session{s: c.s, conn: over, r: bufio.NewReaderSize(over, maxLine), w: over, reader: !c.s.behavior.modeReader, secure: true}
	return true
}

func (c *session) authinfo(_ string, args []string) bool {
	b := &c.s.behavior
	switch {
	case c.loggedIn:
		c.say("502 Not now")
	case b.closed && !c.secure:
		c.say("483 TLS required")
	case len(args) == 2 && strings.EqualFold(args[0], "USER") && !b.sasl:
		c.user = args[1]
		c.say("381 Password?")
	case len(args) == 2 && strings.EqualFold(args[0], "PASS") && !b.sasl:
		c.check(c.user, args[1])
	case len(args) == 3 && strings.EqualFold(args[0], "SASL") && b.sasl:
		text, _ := base64.StdEncoding.DecodeString(args[2])
		parts := strings.Split(string(text), "\x00")
		if len(parts) != 3 {
			c.say("501 Not PLAIN")
			return true
		}
		c.check(parts[1], parts[2])
	default:
		c.say("501 Which login?")
	}
	return true
}

func (c *session) check(user, password string) {
	if user != Alice || password != Password {
		c.say("481 Wrong")
		return
	}
	c.loggedIn = true
	c.say("281 Welcome")
}
