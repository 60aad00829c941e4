package smtptest

import (
	"bufio"
	"bytes"
	"strconv"
	"strings"

	"locator/schemetest/peer"
)

// path reads "FROM:<path> parameters".
func path(rest, word string) (address string, params []string, ok bool) {
	after, ok := strings.CutPrefix(rest, word+":<")
	if !ok {
		return "", nil, false
	}
	end := strings.LastIndex(after, ">")
	if i := strings.Index(after, "> "); i >= 0 && !strings.HasPrefix(after, `"`) {
		end = i
	}
	if end < 0 {
		return "", nil, false
	}
	return after[:end], strings.Fields(after[end+1:]), true
}

func (c *session) from(rest string) bool {
	b := &c.s.behavior
	address, params, ok := path(rest, "FROM")
	switch {
	case !c.greets:
		return c.say("503 5.5.1 EHLO first")
	case b.needTLS && !c.secure:
		return c.say("530 5.7.0 Must issue a STARTTLS command first")
	case b.login && c.user == "":
		return c.say("530 5.7.0 Authentication required")
	case !ok:
		return c.say("501 5.5.4 Syntax: MAIL FROM:<address>")
	case c.begun:
		return c.say("503 5.5.1 Nested MAIL")
	}
	for _, p := range params {
		if text, sized := strings.CutPrefix(p, "SIZE="); sized && b.size > 0 {
			if n, err := strconv.Atoi(text); err != nil || n > b.size {
				return c.say("552 5.3.4 Too big")
			}
		}
	}
	c.begun, c.mail = true, Mail{From: address, Params: params, User: c.user, TLS: c.secure}
	return c.say("250 2.1.0 OK")
}

func (c *session) rcpt(rest string) bool {
	b := &c.s.behavior
	address, params, ok := path(rest, "TO")
	switch {
	case !c.begun:
		return c.say("503 5.5.1 MAIL first")
	case !ok:
		return c.say("501 5.5.4 Syntax: RCPT TO:<address>")
	case b.refused[address] != "":
		return c.say("%s", b.refused[address])
	case b.closed && !b.known[address]:
		return c.say("550 5.1.1 <%s>: no such user", address)
	}
	c.mail.To, c.mail.Params = append(c.mail.To, address), append(c.mail.Params, params...)
	return c.say("250 2.1.5 OK")
}

// data reads a message.
func (c *session) data() bool {
	if len(c.mail.To) == 0 {
		return c.say("503 5.5.1 RCPT first")
	}
	if !c.say("354 Go ahead") {
		return false
	}
	if c.s.Fault() == peer.Torn || c.s.Fault() == peer.StallBody {
		return c.fallSilent()
	}
	var text bytes.Buffer
	for {
		b, err := c.r.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			text.Write(b)
			continue
		}
		if err != nil {
			return false
		}
		if string(b) == ".\r\n" {
			break
		}
		if early := c.s.behavior.early; text.Len() == 0 && early != "" && !c.write(early) {
			return false
		}
		text.Write(bytes.TrimPrefix(b, []byte(".")))
	}
	if c.s.behavior.early != "" {
		return false
	}
	if n := c.s.behavior.size; n > 0 && text.Len() > n {
		return c.say("552 5.3.4 Too big")
	}
	c.mail.Data = text.String()
	if reply := c.s.behavior.replies["."]; reply == "" || reply[0] == '2' {
		c.s.keep(c.mail)
	}
	c.begun, c.mail = false, Mail{}
	if c.s.Fault() == peer.Unanswered {
		return false
	}
	return c.answer(".", "250 2.0.0 Queued as 1738")
}

// fallSilent reads no more, or hangs up.
func (c *session) fallSilent() bool {
	if c.s.Fault() == peer.StallBody {
		peer.Hang(c.conn)
	}
	return false
}
