package ftp

import (
	"net/netip"
	"time"

	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/wire"
)

// conn is a control connection with a login, and what is known about the state of the server. One
// session at a time uses it.
type conn struct {
	*dialogue.Conn
	peer netip.Addr // zero if only a proxy knows it

	dirs        []string // the arguments of CWD since login, in order
	home        string   // the directory of the login by PWD; "" if unknown
	homeWorks   bool     // CWD to home has been seen to work
	typ         byte     // the last TYPE, 0 if none was sent: then the server is in TYPE A (RFC 959 5.1)
	feat        features // nil before FEAT
	system      *string  // the reply to SYST; nil before it, "" if the server does not say
	noEPSV      bool     // EPSV was refused, or its port could not be reached
	noSIZE      bool     // the server has no SIZE
	unannounced bool     // the last reply 150 to a whole file had no size
	rawIAC      bool     // the server does not expect IAC doubled in names
	noSetTime   bool     // the server has refused to set the time of a file
	renamedIn   []string // dirs and "" where a file was renamed last; nil means none

	dataWorked    bool      // a data connection has been made
	noPrefetch    bool      // see prefetch.go
	portPending   bool      // a port was prefetched, and its reply has not been read
	portPendingAt time.Time // when it was requested
	timePending   string    // the file whose MDTM was sent with that request, and whose reply comes first; "" means none

	sessions        keptSessions // those of TLS, which the data connections resume
	clear           bool         // the server has no TLS, and the user is not told yet that the password goes without it
	emptyCWDRefused string       // the reply that refused "CWD " with an empty argument
	changed         any          // see lastChange
}

// protocol is ftp. 421 may come at any time and ends the connection (RFC 959 5.4).
var protocol = dialogue.Protocol{Name: "ftp", Connection: "control connection", Goodbye: 421, Quit: true}

// greeting reads the first replies of the server. 120 means that 220 will follow (RFC 959 5.4).
func (c *conn) greeting() error {
	for range 3 {
		r, err := c.reply(dialogue.Connecting)
		if err != nil {
			return err
		}
		switch {
		case r.Code == 220:
			c.noPrefetch = r.says("pure-ftpd")
			return nil
		case r.Code != 120:
			return r.unexpected(dialogue.Connecting)
		}
	}
	return scheme.Fail(scheme.CodeUnavailable, "the server sent 120 three times and never became ready")
}

// ask sends a command and reads its reply. after names the command in errors, without its
// arguments. A refusal is a reply, not an error: after an error the connection is unusable.
func (c *conn) ask(after string, l wire.Line) (reply, error) {
	if err := c.Send(after, l); err != nil {
		return reply{}, err
	}
	return c.reply(after)
}

// reply reads a reply.
func (c *conn) reply(after string) (reply, error) {
	d, err := c.Reply(after)
	r := reply{d}
	if err == nil && r.Code == c.Goodbye {
		err = c.End(r.fail("the server ends the connection"))
	}
	return r, err
}

// askSpellings tries the spellings of a command until one is not refused.
func (c *conn) askSpellings(after string, lines []wire.Line) (r reply, err error) {
	for i, l := range c.likely(lines) {
		if r, err = c.ask(after, l); err != nil || r.Class() != 5 {
			c.rawIAC = c.rawIAC || i > 0 && err == nil && r.Class() < 4
			return r, err
		}
	}
	return r, nil
}

// likely omits the spelling that the server is known to refuse.
func (c *conn) likely(lines []wire.Line) []wire.Line {
	if c.rawIAC && len(lines) > 1 {
		return lines[1:]
	}
	return lines
}

// setType sends TYPE unless the server is known to be in that type. On a new connection it is sent
// even for the default, since RFC 1738 3.2.2 requires the command.
func (c *conn) setType(t byte) error {
	if c.typ == t {
		return nil
	}
	l := typeLine(t)
	r, err := c.ask(l.String(), l)
	if err != nil {
		return err
	}
	if r.Class() != 2 {
		return r.unexpected(l.String())
	}
	c.typ = t
	return nil
}

// lineType sets TYPE A for the lists that RFC 959 4.1.3 requires in it. A new connection has it.
func (c *conn) lineType() error {
	if c.typ == image {
		return c.setType(ascii)
	}
	return nil
}
