package nntptest

import (
	"bufio"
	"io"
	"net"
	"strings"
)

// maxLine bounds a command line, in bytes.
const maxLine = 8 << 10

// session is one connection.
type session struct {
	s    *Server
	conn net.Conn
	r    *bufio.Reader
	w    io.Writer

	reader   bool
	secure   bool
	user     string
	loggedIn bool
	group    *newsgroup
	number   int64
	sent     int // articles
}

func newSession(s *Server, conn net.Conn) *session {
	return &session{s: s, conn: conn, r: bufio.NewReaderSize(conn, maxLine), w: conn, reader: !s.behavior.modeReader, secure: s.behavior.implicit}
}

// serve runs the session to its end.
func (c *session) serve() {
	if c.misbehave() {
		return
	}
	if greeting, ok := c.s.behavior.replies[""]; ok {
		if c.reply("", greeting); c.s.behavior.hangup[""] {
			return
		}
	} else {
		c.say("200 nntptest ready, posting allowed")
	}
	for {
		b, err := c.r.ReadSlice('\n')
		if err != nil {
			return
		}
		line := strings.TrimSuffix(strings.TrimSuffix(string(b), "\n"), "\r")
		c.s.Seen(line)
		if c.misbehave() || !c.obey(line) {
			return
		}
	}
}

// obey executes a command. It reports whether the session continues.
func (c *session) obey(line string) bool {
	words := strings.Fields(line)
	if len(words) == 0 {
		c.say("500 What?")
		return true
	}
	verb, args := strings.ToUpper(words[0]), words[1:]
	for _, key := range []string{verb, strings.ToUpper(strings.Join(words[:min(2, len(words))], " "))} {
		if reply, ok := c.s.behavior.replies[key]; ok {
			c.reply(key, reply)
			return !c.s.behavior.hangup[key]
		}
	}
	h, ok := handlers()[verb]
	switch {
	case verb == "QUIT":
		c.say("205 Goodbye")
		return false
	case !ok || c.s.behavior.without[verb]:
		c.say("500 Unknown command")
	case h.reading && !c.reader:
		c.say("401 MODE-READER")
	case h.reading && c.s.behavior.closed && !c.secure:
		c.say("483 TLS required")
	case (h.reading && c.s.behavior.login || c.s.behavior.loginFor[verb]) && !c.loggedIn:
		c.say("480 Please log in")
	case h.inGroup && c.group == nil && (len(args) == 0 || !strings.HasPrefix(args[len(args)-1], "<")):
		c.say("412 No group selected")
	default:
		return h.do(c, verb, args)
	}
	return true
}

// A handler executes a command. It reports whether the session continues.
type handler struct {
	reading bool // it needs the mode for readers, and the login
	inGroup bool // it needs a group, unless a message-id is given
	do      func(c *session, verb string, args []string) bool
}

// handlers is the table of commands.
func handlers() map[string]handler {
	return map[string]handler{
		"CAPABILITIES": {false, false, (*session).capabilities}, "MODE": {false, false, (*session).mode},
		"STARTTLS": {false, false, (*session).startTLS}, "AUTHINFO": {false, false, (*session).authinfo},
		"LIST":  {true, false, (*session).list},
		"GROUP": {true, false, (*session).groupCommand}, "OVER": {true, true, (*session).over}, "XOVER": {true, true, (*session).over},
		"HDR": {true, true, (*session).hdr}, "XHDR": {true, true, (*session).hdr},
		"ARTICLE": {true, true, (*session).article}, "HEAD": {true, true, (*session).article},
		"BODY": {true, true, (*session).article}, "STAT": {true, true, (*session).article},
		"POST":      {true, false, (*session).post},
		"LISTGROUP": {true, false, (*session).listGroup}, "NEWNEWS": {true, false, (*session).newNews},
		"NEWGROUPS": {true, false, (*session).newGroups},
	}
}

func (c *session) capabilities(string, []string) bool {
	b := &c.s.behavior
	lines := []string{"VERSION 2", "IMPLEMENTATION nntptest"}
	add := func(line string, ok bool) {
		if ok {
			lines = append(lines, line)
		}
	}
	reads := c.reader && (c.loggedIn || !b.login)
	add("MODE-READER", !c.reader)
	add("READER", c.reader)
	add("LIST ACTIVE NEWSGROUPS", c.reader)
	add("POST", c.reader)
	add("OVER MSGID", reads && !b.without["OVER"])
	add("HDR", reads && !b.without["HDR"])
	add("NEWNEWS", reads && !b.without["NEWNEWS"])
	add("STARTTLS", b.tls != nil && !c.secure)
	add("AUTHINFO USER", !b.sasl && !c.loggedIn)
	add("AUTHINFO SASL", b.sasl && !c.loggedIn)
	add("SASL PLAIN", b.sasl && !c.loggedIn)
	c.block("101 Capabilities", lines)
	return true
}

func (c *session) mode(_ string, args []string) bool {
	if len(args) != 1 || !strings.EqualFold(args[0], "READER") {
		c.say("501 Only READER")
		return true
	}
	c.reader = true
	c.say("200 Reader mode, posting allowed")
	return true
}
