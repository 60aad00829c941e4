package mailto

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"time"

	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/wire"
)

// conn is a connection to a mail server, as package smtp uses it: commands and replies pass through package wire, which checks, bounds and
// traces them. Between startData and endData the bytes of a message pass as they are.
//
// It embeds the connection below for its addresses only.
type conn struct {
	net.Conn // of Env.Dial, without TLS; it may be closed at any time
	wire     *wire.Conn
	max      int64 // bytes of a reply

	left    int64  // of the reply that is being read
	reply   []byte // the rest of a line that was read
	command []byte // a command that is not complete
	isEHLO  bool   // the last command was EHLO
	isAuth  bool   // the next lines to be sent are those of a login
	isData  bool
	secure  bool     // TLS
	secrets []string // masked in replies; some servers repeat what they received, at any time (P3)
}

// maxCommand bounds a command, in bytes. Package smtp writes none that is longer (RFC 5321 4.5.3.1.4, RFC 4954 12).
const maxCommand = 16 << 10

// dial opens a connection.
func dial(ctx context.Context, env *scheme.Env, d scheme.Dial) (*conn, error) {
	raw, err := env.Dial(ctx, d)
	if err != nil {
		return nil, err
	}
	c := &conn{Conn: raw, max: int64(env.Limits.Header)}
	c.wire = wire.NewConn(raw, dialogue.Options(env, func(line string) string { return c.mask(line, wire.Escape) }))
	c.expectReply()
	return c, nil
}

// handshake makes the connection a TLS connection. It fails if the server sent something ahead, which a third party may have injected.
func (c *conn) handshake(ctx context.Context, env *scheme.Env, host string) error {
	if len(c.reply) > 0 {
		return scheme.Fail(scheme.CodeProtocol, "%w", wire.ErrSentAhead)
	}
	err := c.wire.Upgrade(func(plain net.Conn) (net.Conn, error) {
		return env.Dial(ctx, scheme.Dial{TLS: host, Over: plain})
	})
	c.secure = err == nil
	return err
}

// Write sends a command, or bytes of a message.
func (c *conn) Write(p []byte) (int, error) {
	if c.isData {
		return c.wire.NetConn().Write(p)
	}
	if len(c.command)+len(p) > maxCommand {
		return 0, errors.New("the command is too long")
	}
	c.command = append(c.command, p...)
	text, complete := bytes.CutSuffix(c.command, []byte("\r\n"))
	if !complete {
		return len(p), nil
	}
	c.command = nil
	if err := c.send(string(text)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// send sends a command line. It fails if a line end or NUL would split it.
func (c *conn) send(text string) error {
	l, err := wire.Bare(text)
	if err != nil {
		return scheme.Fail(scheme.CodeRefused, "%w", err)
	}
	verb, rest, _ := strings.Cut(text, " ")
	switch mechanism, secret, _ := strings.Cut(rest, " "); {
	case c.isAuth && verb == "AUTH" && secret != "":
		l = l.Masked(verb + " " + mechanism + " ****")
	case c.isAuth && verb != "AUTH" && text != "*":
		l = l.Masked("****")
	}
	c.isEHLO = verb == "EHLO"
	c.expectReply()
	return c.wire.Send(l)
}

// expectReply bounds the next reply.
func (c *conn) expectReply() {
	c.left = c.max
	c.wire.StartReply()
}

// Read returns bytes of replies.
func (c *conn) Read(p []byte) (int, error) {
	if len(c.reply) == 0 {
		line, err := c.readLine()
		if err != nil {
			return 0, err
		}
		c.reply = []byte(line + "\r\n")
	}
	n := copy(p, c.reply)
	c.reply = c.reply[n:]
	return n, nil
}

// readLine reads a line of a reply.
func (c *conn) readLine() (string, error) {
	line, err := c.wire.ReadLineWithin(&c.left)
	if err != nil {
		if err == wire.ErrNoLineEnd {
			err = io.ErrUnexpectedEOF
		}
		return "", err
	}
	line = c.mask(line, func(s string) string { return s })
	if len(line) == 3 { // the text is optional (RFC 5321 4.2), but package textproto wants the blank before it
		line += " "
	}
	if c.isEHLO && len(line) > 4 { // keywords have no case (RFC 5321 4.1.1.1), but package smtp looks for capitals
		keyword, rest, _ := strings.Cut(line[4:], " ")
		line = strings.TrimRight(line[:4]+strings.ToUpper(keyword)+" "+rest, " ")
	}
	return line, nil
}

// SetDeadline does nothing, like the two below: the connection of Env.Dial has the timeouts that the user chose.
func (c *conn) SetDeadline(time.Time) error { return nil }

// SetReadDeadline does nothing.
func (c *conn) SetReadDeadline(time.Time) error { return nil }

// SetWriteDeadline does nothing.
func (c *conn) SetWriteDeadline(time.Time) error { return nil }

// beginAuth masks a login in what is sent and received until endAuth.
func (c *conn) beginAuth(user, password string) {
	encode := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	c.isAuth = true
	if password != "" {
		c.secrets = append(c.secrets, encode("\x00"+user+"\x00"+password), encode(password), password)
	}
}

func (c *conn) endAuth() { c.isAuth = false }

// mask removes the secrets from a reply, but not from its code.
func (c *conn) mask(line string, escape func(string) string) string {
	if len(c.secrets) == 0 || len(line) < 4 {
		return line
	}
	text := line[4:]
	for _, s := range c.secrets {
		text = strings.ReplaceAll(text, escape(s), "****")
	}
	return line[:4] + text
}

// peekTime bounds how long checkAhead waits. What has arrived is read at once; a deadline that has passed would read nothing.
const peekTime = 5 * time.Millisecond

// checkAhead is called before the end of a message. It fails if the server has sent a positive reply by then, which would be taken for the
// reply to the message, and if the connection has ended. A reply that refuses the message before its end is one (RFC 5321 3.8).
func (c *conn) checkAhead() error {
	if err := c.Conn.SetReadDeadline(time.Now().Add(peekTime)); err != nil {
		return lost("a part of the message", err)
	}
	early, err := c.wire.Reader().Peek(1)
	if e := c.Conn.SetReadDeadline(time.Time{}); e != nil {
		return lost("a part of the message", e)
	}
	switch {
	case err == nil && early[0] < '4':
		return scheme.Fail(scheme.CodeProtocol, "the mail server accepted the message before it had it; it was not sent")
	case err != nil && !dialogue.Timeout(err):
		return lost("a part of the message", err)
	}
	return nil
}

// startReplay makes the next reads return lines that were already read.
func (c *conn) startReplay(lines []string) { c.reply = []byte(strings.Join(lines, "\r\n") + "\r\n") }

// ask sends a command of constant words and reads its reply.
func (c *conn) ask(after, text string) (reply, error) {
	if err := c.send(text); err != nil {
		return reply{}, lost(after, err)
	}
	return c.readReply(after)
}

// readReply reads a reply of one or more lines (RFC 5321 4.2).
func (c *conn) readReply(after string) (reply, error) {
	var r reply
	for {
		line, err := c.readLine()
		if err != nil {
			return r, lost(after, err)
		}
		code, more, ok := parseLine(line)
		if !ok || r.lines != nil && code != r.code {
			return r, scheme.Replied(scheme.CodeProtocol, wire.Excerpt(line, shownReply), "the server does not speak SMTP: a reply begins with three digits")
		}
		r.code, r.lines = code, append(r.lines, line)
		if !more {
			return r, nil
		}
	}
}

// reply is a reply that this package reads itself, before package smtp takes over the connection.
type reply struct {
	code  int
	lines []string
}

// has reports whether the reply to EHLO has a keyword.
func (r reply) has(keyword string) bool {
	return slices.ContainsFunc(r.lines[1:], func(line string) bool {
		word, _, _ := strings.Cut(line[min(4, len(line)):], " ")
		return word == keyword
	})
}

// parseLine parses the code of a line of a reply. more reports that another line follows.
func parseLine(line string) (code int, more, ok bool) {
	if len(line) < 3 || len(line) > 3 && line[3] != ' ' && line[3] != '-' {
		return 0, false, false
	}
	for i := range 3 {
		if line[i] < '0' || line[i] > '9' || i == 0 && (line[i] < '2' || line[i] > '5') {
			return 0, false, false
		}
		code = code*10 + int(line[i]-'0')
	}
	return code, len(line) > 3 && line[3] == '-', true
}
