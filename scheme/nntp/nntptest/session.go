package nntptest

import (
	"bufio"
	"compress/flate"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"path"
	"strconv"
	"strings"

	"locator/schemetest/peer"
)

// maxLine bounds a command line, in bytes.
const maxLine = 8 << 10

// session is one connection.
type session struct {
	s     *Server
	conn  net.Conn
	r     *bufio.Reader
	w     io.Writer
	flush func() error // of a compressed connection; nil is none

	reader   bool
	secure   bool
	user     string
	loggedIn bool
	group    *newsgroup
	number   int64
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
		if c.write(greeting); c.s.behavior.hangup[""] {
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
	if reply, ok := c.s.behavior.replies[verb]; ok {
		c.write(reply)
		return !c.s.behavior.hangup[verb]
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
	case h.reading && c.s.behavior.login && !c.loggedIn:
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
		"COMPRESS": {false, false, (*session).compress}, "LIST": {true, false, (*session).list},
		"GROUP": {true, false, (*session).groupCommand}, "OVER": {true, true, (*session).over}, "XOVER": {true, true, (*session).over},
		"HDR": {true, true, (*session).hdr}, "XHDR": {true, true, (*session).hdr},
		"ARTICLE": {true, true, (*session).article}, "HEAD": {true, true, (*session).article},
		"BODY": {true, true, (*session).article}, "STAT": {true, true, (*session).article},
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
	add("OVER MSGID", reads && !b.without["OVER"])
	add("HDR", reads && !b.without["HDR"])
	add("STARTTLS", b.tls != nil && !c.secure)
	add("AUTHINFO USER", !b.sasl && !c.loggedIn)
	add("AUTHINFO SASL", b.sasl && !c.loggedIn)
	add("SASL PLAIN", b.sasl && !c.loggedIn)
	add("COMPRESS DEFLATE", b.deflate && c.flush == nil)
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
	case c.loggedIn || c.flush != nil:
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

func (c *session) compress(_ string, args []string) bool {
	if !c.s.behavior.deflate || c.flush != nil || len(args) != 1 {
		c.say("502 Not now")
		return true
	}
	c.say("206 Compression active")
	w, _ := flate.NewWriter(c.conn, flate.DefaultCompression) // fails for an unknown level only
	c.w, c.flush, c.r = w, w.Flush, bufio.NewReaderSize(flate.NewReader(c.conn), maxLine)
	return true
}

func (c *session) list(_ string, args []string) bool {
	what, pattern := "ACTIVE", "*"
	if len(args) > 0 {
		what = strings.ToUpper(args[0])
	}
	if len(args) > 1 {
		pattern = args[1]
	}
	if c.s.behavior.without["LIST "+what] || c.s.behavior.old && len(args) > 0 {
		c.say("503 Not kept")
		return true
	}
	if what == "ACTIVE" && c.s.Fault() == peer.EndlessList {
		c.say("215 List")
		peer.Flood(c.w, func(i int) string { return fmt.Sprintf("endless.g%d 1 1 y\r\n", i) })
		return false
	}
	var lines []string
	for _, name := range c.s.spool.names() {
		if ok, _ := path.Match(pattern, name); !ok {
			continue
		}
		g := c.s.spool.find(name)
		switch _, first, last := g.bounds(); what {
		case "ACTIVE":
			lines = append(lines, fmt.Sprintf("%s %d %d y", name, last, first))
		case "NEWSGROUPS":
			lines = append(lines, name+"\t"+g.description)
		default:
			c.say("503 Not kept")
			return true
		}
	}
	c.block("215 List", lines)
	return true
}

func (c *session) groupCommand(_ string, args []string) bool {
	if len(args) != 1 {
		c.say("501 Which group?")
		return true
	}
	g := c.s.spool.find(args[0])
	if g == nil {
		c.say("411 No such group")
		return true
	}
	count, first, last := g.bounds()
	c.group, c.number = g, first
	c.say(fmt.Sprintf("211 %d %d %d %s", count, first, last, args[0]))
	return true
}

func (c *session) over(_ string, args []string) bool {
	if c.s.Fault() == peer.EndlessList {
		c.say("224 Overview")
		peer.Flood(c.w, func(i int) string {
			return overview(int64(i+1), "Subject: endless\r\nFrom: a\r\nDate: b\r\nMessage-ID: <c@d>\r\n\r\n") + "\r\n"
		})
		return false
	}
	numbers := c.numbers(args)
	if len(numbers) == 0 {
		c.say("423 No articles")
		return true
	}
	var lines []string
	for _, n := range numbers {
		lines = append(lines, overview(n, c.group.articles[n]))
	}
	c.block("224 Overview", lines)
	return true
}

func (c *session) numbers(args []string) []int64 {
	if len(args) == 0 {
		return []int64{c.number}
	}
	return c.group.in(args[len(args)-1])
}

func (c *session) hdr(verb string, args []string) bool {
	if len(args) != 2 {
		c.say("501 Which field?")
		return true
	}
	if verb == "XHDR" && strings.HasPrefix(args[0], ":") {
		c.say("501 No metadata")
		return true
	}
	var lines []string
	for _, n := range c.numbers(args) {
		value := metadata(c.group.articles[n], args[0])
		if value == "" && verb == "XHDR" {
			value = "(none)"
		}
		lines = append(lines, strconv.FormatInt(n, 10)+" "+value)
	}
	switch {
	case len(lines) == 0:
		c.say("423 No articles")
	case verb == "HDR":
		c.block("225 Headers", lines)
	default:
		c.block("221 Headers", lines)
	}
	return true
}

func (c *session) article(verb string, args []string) bool {
	number, id, text, ok := c.number, "", "", false
	switch {
	case len(args) == 1 && strings.HasPrefix(args[0], "<"):
		if number, id = 0, args[0]; true {
			text, ok = c.s.spool.byMessageID(id)
		}
		if !ok {
			c.say("430 No such article")
			return true
		}
	default:
		if len(args) == 1 {
			number, _ = strconv.ParseInt(args[0], 10, 64)
		}
		if text, ok = c.group.articles[number]; !ok {
			c.say("423 No such number")
			return true
		}
		c.number, id = number, field(text, "Message-ID")
	}
	header, body, _ := strings.Cut(text, "\r\n\r\n")
	about := fmt.Sprintf("%d %s", number, id)
	switch verb {
	case "STAT":
		c.say("223 " + about)
	case "HEAD":
		c.text("221 "+about, header+"\r\n")
	case "BODY":
		return c.text("222 "+about, body)
	default:
		return c.text("220 "+about, text)
	}
	return true
}

// text sends a reply and a text, with a dot before each dot that begins a line. It reports whether the session continues.
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
	if c.flush != nil && err == nil {
		err = c.flush()
	}
	return err == nil
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
