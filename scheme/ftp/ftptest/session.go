package ftptest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"

	"locator/schemetest/peer"
)

// maxLine bounds a command line, in bytes.
const maxLine = 8 << 10

// session is one control connection.
type session struct {
	s    *Server
	conn net.Conn
	r    *bufio.Reader

	user     string
	loggedIn bool
	needAcct bool
	cwd      []string
	ascii    bool
	rest     int64
	from     []string // RNFR
	passive  net.Listener
	data     net.Conn // accepted before its transfer
	secure   bool     // control over TLS
	private  bool     // PROT P
}

func newSession(s *Server, conn net.Conn) *session {
	return &session{s: s, conn: conn, r: bufio.NewReaderSize(conn, maxLine), ascii: true}
}

// serve runs the session to its end.
func (c *session) serve() {
	defer c.closePassive()
	if c.s.behavior.implicit && !c.startTLS() {
		return
	}
	if c.misbehave() {
		return
	}
	c.reply(220, c.s.behavior.banner+" ready")
	for {
		line, err := c.readLine()
		if err != nil {
			return
		}
		c.s.Seen(line)
		if c.misbehave() || !c.obey(line) {
			return
		}
	}
}

// readLine reads a command and decodes its Telnet escapes.
func (c *session) readLine() (string, error) {
	b, err := c.r.ReadSlice('\n')
	if err != nil {
		return "", err
	}
	line := strings.TrimSuffix(strings.TrimSuffix(string(b), "\n"), "\r")
	return line, nil
}

// A handler executes a command. has distinguishes an empty argument from none. It reports whether
// the session continues.
type handler struct {
	open bool // allowed before the login
	do   func(c *session, arg string, has bool)
}

// handlers is the table of commands.
func handlers() map[string]handler {
	return map[string]handler{
		"USER": {true, (*session).userCommand}, "PASS": {true, (*session).passCommand}, "ACCT": {true, (*session).acctCommand},
		"AUTH": {true, (*session).authCommand}, "PBSZ": {true, (*session).pbszCommand}, "PROT": {true, (*session).protCommand},
		"FEAT": {true, (*session).featCommand}, "OPTS": {true, (*session).optsCommand}, "SYST": {true, say(215, "UNIX Type: L8")},
		"NOOP": {true, say(200, "OK")}, "HELP": {true, say(214, "See RFC 959")},
		"CWD": {false, (*session).cwdCommand}, "CDUP": {false, (*session).cdupCommand}, "PWD": {false, (*session).pwdCommand},
		"TYPE": {false, (*session).typeCommand}, "MODE": {false, only("S")}, "STRU": {false, only("F")},
		"PASV": {false, (*session).pasvCommand}, "EPSV": {false, (*session).epsvCommand}, "PORT": {false, say(502, "Passive only")},
		"RETR": {false, (*session).retrCommand}, "REST": {false, (*session).restCommand}, "ABOR": {false, say(225, "Nothing to abort")},
		"STOR": {false, (*session).storCommand}, "APPE": {false, (*session).appeCommand}, "STOU": {false, (*session).stouCommand},
		"ALLO": {false, say(202, "Not needed")},
		"RNFR": {false, (*session).rnfrCommand}, "RNTO": {false, (*session).rntoCommand}, "DELE": {false, (*session).deleCommand},
		"MKD": {false, (*session).mkdCommand}, "RMD": {false, (*session).rmdCommand},
		"LIST": {false, (*session).listCommand}, "NLST": {false, (*session).nlstCommand}, "MLSD": {false, (*session).mlsdCommand},
		"MLST": {false, (*session).mlstCommand}, "SIZE": {false, (*session).sizeCommand}, "MDTM": {false, (*session).mdtmCommand},
		"MFMT": {false, (*session).mfmtCommand},
		"HASH": {false, (*session).hashCommand},
	}
}

func say(code int, text string) func(*session, string, bool) {
	return func(c *session, _ string, _ bool) { c.reply(code, text) }
}

// only accepts one value of a parameter (RFC 959 5.1).
func only(value string) func(*session, string, bool) {
	return func(c *session, arg string, _ bool) {
		if strings.EqualFold(arg, value) {
			c.reply(200, "OK")
		} else {
			c.reply(504, "Only "+value)
		}
	}
}

// obey executes a command. It reports whether the session continues.
func (c *session) obey(line string) bool {
	verb, arg, has := strings.Cut(line, " ")
	verb = strings.ToUpper(verb)
	if verb == "QUIT" {
		c.reply(221, "Goodbye")
		return false
	}
	arg = strings.ReplaceAll(arg, "\xff\xff", "\xff") // RFC 959 3.1: the line is sent by the Telnet protocol
	h, ok := handlers()[verb]
	switch {
	case !ok:
		c.reply(500, "Unknown command")
	case !h.open && !c.loggedIn:
		c.reply(530, "Please log in")
	default:
		if verb != "RNTO" && c.from != nil {
			c.from = nil
		}
		h.do(c, arg, has)
		if verb != "REST" && verb != "EPSV" && verb != "PASV" && verb != "TYPE" {
			c.rest = 0
		}
	}
	return true
}

// reply sends a reply of one line.
func (c *session) reply(code int, text string) { c.write(fmt.Sprintf("%d %s\r\n", code, text)) }

// replyLines sends a reply of several lines.
func (c *session) replyLines(code int, first string, lines []string, last string) {
	var b strings.Builder
	fmt.Fprintf(&b, "%d-%s\r\n", code, first)
	for _, l := range lines {
		b.WriteString(" " + l + "\r\n")
	}
	fmt.Fprintf(&b, "%d %s\r\n", code, last)
	c.write(b.String())
}

func (c *session) write(text string) {
	if c.s.Fault() == peer.Drip {
		_ = peer.WriteSlowly(c.conn, []byte(text))
		return
	}
	_, _ = io.WriteString(c.conn, text)
}

func (c *session) closePassive() {
	if c.data != nil {
		c.data.Close()
		_ = c.s.Release(c.data)
		c.data = nil
	}
	if c.passive != nil {
		c.passive.Close()
		c.passive = nil
	}
}

// misbehave simulates the faults of control connections. It reports whether the session is over.
func (c *session) misbehave() bool {
	switch c.s.Fault() {
	case peer.Stall:
		peer.Hang(c.conn)
	case peer.EndlessLine:
		c.write("220-")
		peer.Flood(c.conn, func(int) string { return strings.Repeat("x", 4<<10) })
	case peer.Nonsense:
		c.write("\x16\x03\x01 this is no ftp \xff\xfe\r\n")
	case peer.Unavailable:
		c.reply(421, "Too many users, come back later")
	default:
		return false
	}
	return true
}
