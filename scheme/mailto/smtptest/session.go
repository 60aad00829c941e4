package smtptest

import (
	"bufio"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"

	"locator/schemetest/peer"
)

// maxLine bounds a command line, in bytes.
const maxLine = 16 << 10

// session is one connection.
type session struct {
	s      *Server
	conn   net.Conn
	r      *bufio.Reader
	secure bool
	greets bool // EHLO or HELO was sent
	mail   Mail
	begun  bool // MAIL was accepted
	user   string
}

func newSession(s *Server, conn net.Conn) *session {
	return &session{s: s, conn: conn, r: bufio.NewReaderSize(conn, maxLine), secure: s.behavior.implicit}
}

// serve runs the session to its end.
func (c *session) serve() {
	if c.misbehave() || !c.answer("", "220 smtptest.example ESMTP ready") {
		return
	}
	for {
		line, ok := c.line()
		if !ok {
			return
		}
		c.s.Seen(line)
		if c.misbehave() || !c.obey(line) {
			return
		}
	}
}

// line reads a line.
func (c *session) line() (string, bool) {
	b, err := c.r.ReadSlice('\n')
	return strings.TrimSuffix(strings.TrimSuffix(string(b), "\n"), "\r"), err == nil
}

// say writes a reply.
func (c *session) say(format string, args ...any) bool {
	return c.write(fmt.Sprintf(format, args...) + "\r\n")
}

func (c *session) write(text string) bool {
	if c.s.Fault() == peer.Drip {
		return peer.WriteSlowly(c.conn, []byte(text)) == nil
	}
	_, err := io.WriteString(c.conn, text)
	return err == nil
}

// answer says reply to a command, unless an option changes the answer. It reports whether the
// session continues.
func (c *session) answer(verb, reply string) bool {
	b := &c.s.behavior
	time.Sleep(b.delays[verb])
	if b.resetAt[verb] {
		reset(c.conn)
		return false
	}
	if text, ok := b.replies[verb]; ok {
		c.write(text)
		return !b.hangup[verb]
	}
	return !b.hangup[verb] && c.say("%s", reply)
}

// reset closes a connection so that the other end gets an error.
func reset(conn net.Conn) {
	if over, ok := conn.(*tls.Conn); ok {
		conn = over.NetConn()
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // Close then discards what is unsent
	}
	conn.Close()
}

// obey executes a command. It reports whether the session continues.
func (c *session) obey(line string) bool {
	verb, rest, _ := strings.Cut(line, " ")
	verb = strings.ToUpper(verb)
	b := &c.s.behavior
	if _, ok := b.replies[verb]; ok || b.hangup[verb] || b.resetAt[verb] {
		return c.answer(verb, "")
	}
	switch verb {
	case "EHLO":
		return c.ehlo()
	case "HELO":
		c.greets = true
		return c.say("250 smtptest.example")
	case "STARTTLS":
		return c.startTLS()
	case "AUTH":
		return c.auth(rest)
	case "MAIL":
		return c.from(rest)
	case "RCPT":
		return c.rcpt(rest)
	case "DATA":
		return c.data()
	case "RSET":
		c.begun, c.mail = false, Mail{}
		return c.say("250 2.0.0 Flushed")
	case "NOOP":
		return c.say("250 2.0.0 OK")
	case "QUIT":
		c.say("221 2.0.0 Bye")
		return false
	}
	return c.say("500 5.5.1 What?")
}

// ehlo lists the extensions.
func (c *session) ehlo() bool {
	b := &c.s.behavior
	c.greets, c.begun, c.mail = true, false, Mail{}
	list := []string{"smtptest.example"}
	add := func(keyword, more string) {
		if !b.without[keyword] {
			list = append(list, strings.TrimSpace(keyword+" "+more))
		}
	}
	add("PIPELINING", "")
	add("8BITMIME", "")
	if add("SIZE", ""); b.size > 0 {
		list[len(list)-1] += " " + strconv.Itoa(b.size)
	}
	add("SMTPUTF8", "")
	add("DSN", "")
	add("ENHANCEDSTATUSCODES", "")
	if b.tls != nil && !c.secure {
		add("STARTTLS", "")
	}
	if b.auth != "" && (c.secure || !b.authTLS) {
		add("AUTH", b.auth)
	}
	for i, text := range list {
		mark := "-"
		if i == len(list)-1 {
			mark = " "
		}
		if !c.say("250%s%s", mark, text) {
			return false
		}
	}
	return true
}

// startTLS switches to TLS. What was received before, and not read, is discarded (RFC 3207 4.2).
func (c *session) startTLS() bool {
	b := &c.s.behavior
	if b.tls == nil || c.secure {
		return c.say("502 5.5.1 TLS not available")
	}
	c.write("220 2.0.0 Ready to start TLS\r\n" + b.inject)
	over := tls.Server(c.conn, b.tls)
	if over.Handshake() != nil {
		return false
	}
	c.conn, c.secure, c.greets = over, true, false
	c.r.Reset(over)
	return true
}

// auth logs in by PLAIN or LOGIN (RFC 4954, RFC 4616).
func (c *session) auth(rest string) bool {
	b := &c.s.behavior
	mechanism, initial, given := strings.Cut(rest, " ")
	mechanism = strings.ToUpper(mechanism)
	if !strings.Contains(" "+b.auth+" ", " "+mechanism+" ") || b.authTLS && !c.secure {
		return c.say("504 5.5.4 No such mechanism")
	}
	ask := func(challenge string) (string, bool) {
		if !c.say("334 %s", base64.StdEncoding.EncodeToString([]byte(challenge))) {
			return "", false
		}
		line, ok := c.line()
		text, err := base64.StdEncoding.DecodeString(line)
		return string(text), ok && err == nil
	}
	var user, password string
	ok := true
	switch {
	case mechanism == "PLAIN":
		var text string
		if given {
			plain, err := base64.StdEncoding.DecodeString(initial)
			text, ok = string(plain), err == nil
		} else {
			text, ok = ask("")
		}
		if parts := strings.Split(text, "\x00"); len(parts) == 3 {
			user, password = parts[1], parts[2]
		}
	default:
		if user, ok = ask("User Name\x00"); ok {
			password, ok = ask("Password\x00")
		}
	}
	switch {
	case !ok:
		return c.say("501 5.5.2 Cannot decode")
	case user != Alice || password != Password:
		// as some servers do, it repeats what it got
		return c.say("535 5.7.8 Bad login %s %s %s", user, password, initial)
	}
	c.user = user
	return c.say("235 2.7.0 Welcome")
}

// misbehave simulates the faults that replace a reply. It reports whether the session is over.
func (c *session) misbehave() bool {
	switch c.s.Fault() {
	case peer.Stall:
		peer.Hang(c.conn)
	case peer.EndlessLine:
		c.write("250 ")
		peer.Flood(c.conn, func(int) string { return strings.Repeat("x", 4<<10) })
	case peer.EndlessList:
		peer.Flood(c.conn, func(n int) string { return fmt.Sprintf("250-X%d\r\n", n) })
	case peer.Nonsense:
		c.write("\x16\x03\x01 this is no mail \xff\xfe\r\n")
	case peer.WrongCode:
		c.say("334 Go on")
	case peer.Unavailable:
		c.say("421 4.3.2 Too busy, come back later")
	default:
		return false
	}
	return true
}
