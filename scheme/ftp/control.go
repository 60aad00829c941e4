package ftp

import (
	"net"
	"net/netip"
	"strings"
	"sync/atomic"
	"time"

	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/wire"
)

// control is a control connection with a login, and what is known about the state of the server. One session at a time uses
// it.
type control struct {
	wire *wire.Conn
	raw  net.Conn   // without TLS; may be closed at any time
	host string     // for TLS
	peer netip.Addr // zero if only a proxy knows it
	max  int        // bytes of a reply

	dirs        []string // the arguments of CWD since login, in order
	home        string   // the directory of the login by PWD; "" if unknown
	homeWorks   bool     // CWD to home has been seen to work
	typ         byte     // the last TYPE, 0 if none was sent: then the server is in TYPE A (RFC 959 5.1)
	feat        features // nil before FEAT
	system      *string  // the reply to SYST; nil before it, "" if the server does not tell
	noEPSV      bool     // EPSV was refused, or its port could not be reached
	noSIZE      bool     // the server has no SIZE
	unannounced bool     // the last reply 150 to a whole file had no size
	rawIAC      bool     // the server does not expect IAC doubled in names
	noSetTime   bool     // the server has refused to set the time of a file
	renamedIn   []string // dirs and "" where a file was renamed last; nil is none

	dataWorked    bool      // a data connection has been made
	noPrefetch    bool      // see prefetch.go
	portPending   bool      // a port was prefetched, and its reply has not been read
	portPendingAt time.Time // when it was requested
	timePending   string    // the file whose MDTM was sent with that request, and whose reply comes first; "" is none

	tls             bool
	sessions        keptSessions // those of TLS, which the data connections resume
	clear           bool         // the server has no TLS, and the user is not told yet that the password goes without it
	secret          string       // the password during the login: it is masked in replies
	emptyCWDRefused string       // the reply that refused "CWD " with an empty argument
	changed         any          // see lastChange
	untested        bool         // from the pool, and not known to be open
	unusable        atomic.Bool  // closed, or replies out of step with commands
}

// options returns the options of the connection for one operation.
func (c *control) options(env *scheme.Env) wire.Options {
	return dialogue.Options(env, func(line string) string { return c.mask(line, wire.Escape(c.secret)) })
}

// use prepares a pooled connection for another operation.
func (c *control) use(env *scheme.Env) {
	c.max = env.Limits.Header
	c.wire.SetOptions(c.options(env))
	scheme.SetIdle(c.raw, env.Limits.Idle)
}

// greeting reads the first replies of the server. 120 means that 220 will follow (RFC 959 5.4).
func (c *control) greeting() error {
	for range 3 {
		r, err := c.reply(dialogue.Connecting)
		if err != nil {
			return err
		}
		switch {
		case r.code == 220:
			c.noPrefetch = r.says("pure-ftpd")
			return nil
		case r.code != 120:
			return r.unexpected(dialogue.Connecting)
		}
	}
	return scheme.Fail(scheme.CodeUnavailable, "the server sent 120 three times and never became ready")
}

// ask sends a command and reads its reply. after names the command in errors, without its arguments. A refusal is a reply, not
// an error: after an error the connection is unusable.
func (c *control) ask(after string, l wire.Line) (reply, error) {
	if err := c.send(after, l); err != nil {
		return reply{}, err
	}
	return c.reply(after)
}

// send sends commands in one write. After an error the connection is unusable.
func (c *control) send(after string, lines ...wire.Line) error {
	if err := c.wire.Send(lines...); err != nil {
		return c.end(lost(after, err))
	}
	return nil
}

// reply reads a reply. 421 may come at any time and ends the connection (RFC 959 5.4).
func (c *control) reply(after string) (reply, error) {
	r, err := readReply(c.wire, c.max)
	for i, l := range r.lines {
		r.lines[i] = c.mask(l, c.secret)
	}
	if err != nil {
		return r, c.end(lost(after, err))
	}
	if r.code == 421 {
		return r, c.end(r.fail("the server ends the connection"))
	}
	c.untested = false
	return r, nil
}

// mask removes a password from a reply: some servers repeat what they received (P3).
func (c *control) mask(line, secret string) string {
	if secret == "" {
		return line
	}
	return strings.ReplaceAll(line, secret, "****")
}

// end marks the connection as unusable. If it came from the pool and has done nothing yet, the operation may use another one.
func (c *control) end(err error) error {
	c.unusable.Store(true)
	if c.untested {
		return dialogue.Dropped{Err: err}
	}
	return err
}

// askSpellings tries the spellings of a command until one is not refused.
func (c *control) askSpellings(after string, lines []wire.Line) (r reply, err error) {
	for i, l := range c.likely(lines) {
		if r, err = c.ask(after, l); err != nil || r.class() != 5 {
			c.rawIAC = c.rawIAC || i > 0 && err == nil && r.class() < 4
			return r, err
		}
	}
	return r, nil
}

// likely omits the spelling that the server is known to refuse.
func (c *control) likely(lines []wire.Line) []wire.Line {
	if c.rawIAC && len(lines) > 1 {
		return lines[1:]
	}
	return lines
}

// setType sends TYPE unless the server is known to be in that type. On a new connection it is sent even for the default, since
// RFC 1738 3.2.2 requires the command.
func (c *control) setType(t byte) error {
	if c.typ == t {
		return nil
	}
	l := typeLine(t)
	r, err := c.ask(l.String(), l)
	if err != nil {
		return err
	}
	if r.class() != 2 {
		return r.unexpected(l.String())
	}
	c.typ = t
	return nil
}

// lineType sets TYPE A for the lists that RFC 959 4.1.3 requires in it. A new connection has it.
func (c *control) lineType() error {
	if c.typ == image {
		return c.setType(ascii)
	}
	return nil
}

// RemoteAddr is for the client, which asks policy again before it reuses the connection.
func (c *control) RemoteAddr() net.Addr { return c.wire.RemoteAddr() }

// Close closes the connection. It sends QUIT if the connection is usable.
func (c *control) Close() error {
	if !c.unusable.Swap(true) {
		_ = c.wire.Send(dialogue.Bare("QUIT")) // the connection ends either way
	}
	return c.wire.Close()
}
