package nntp

import (
	"context"
	"maps"
	"net"
	"slices"
	"strings"
	"sync/atomic"

	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/wire"
)

// conn is a connection to a server, and what is known about the state of the server. One session at a time uses it.
type conn struct {
	wire   *wire.Conn
	raw    net.Conn // without TLS; may be closed at any time
	server server
	max    int // bytes of a reply

	caps     capabilities
	tls      bool
	loggedIn bool
	selected string // the group; "" is none
	over     overviewMethod
	secrets  []string    // the password during the login, in each form that was sent: it is masked in replies
	untested bool        // from the pool, and not known to be open
	unusable atomic.Bool // closed, or replies out of step with commands
}

// options returns the options of the connection for one operation.
func (c *conn) options(env *scheme.Env) wire.Options {
	return dialogue.Options(env, func(line string) string { return c.mask(line, wire.Escape) })
}

// use prepares a pooled connection for another operation.
func (c *conn) use(env *scheme.Env) {
	c.max = env.Limits.Header
	c.wire.SetOptions(c.options(env))
	scheme.SetIdle(c.raw, env.Limits.Idle)
	c.untested = true
}

// dial connects to a server and reads its greeting and capabilities.
func dial(ctx context.Context, env *scheme.Env, s server) (*conn, error) {
	raw, err := env.Dial(ctx, scheme.Dial{Purpose: s.purpose, Network: "tcp", Addr: s.addr})
	if err != nil {
		return nil, err
	}
	c := &conn{raw: raw, server: s, max: env.Limits.Header}
	c.wire = wire.NewConn(raw, c.options(env))
	defer scheme.Bind(ctx, raw)()
	if s.tls {
		err = c.handshake(ctx, env)
	}
	if err == nil {
		err = c.greeting()
	}
	if err == nil {
		err = c.become()
	}
	if err != nil {
		c.unusable.Store(true)
		c.Close()
		return nil, err
	}
	return c, nil
}

// greeting reads the first reply: 200 or 201, which allows no posting (RFC 3977 5.1).
func (c *conn) greeting() error {
	r, err := c.reply(dialogue.Connecting)
	switch {
	case err != nil:
		return err
	case r.code == 200 || r.code == 201:
		return nil
	}
	return r.fail(dialogue.Connecting)
}

// become learns what the server can do, and switches it to the mode for readers if it has one (RFC 3977 5.3).
//
// QUIRK: innd of INN 2.7.1 answers GROUP with 401 until MODE READER, which hands the connection to nnrpd. A server from before
// RFC 3977 has no CAPABILITIES, and may insist too, so it gets MODE READER in any case.
func (c *conn) become() error {
	if err := c.askCapabilities(); err != nil {
		return err
	}
	if c.caps != nil && (c.caps.has("READER") || !c.caps.has("MODE-READER")) {
		return nil
	}
	r, err := c.ask("MODE READER", dialogue.Bare("MODE READER"))
	switch {
	case err != nil:
		return err
	case r.code == 200 || r.code == 201:
		if c.caps != nil {
			return c.askCapabilities()
		}
	case r.code == 480, r.code == 483: // the command of the operation gets the same reply
	case !r.unknown():
		return r.fail("MODE READER")
	}
	return nil
}

// capabilities are the lines of CAPABILITIES (RFC 3977 5.2) by their first words, in upper case; nil if the server has no such
// command.
type capabilities map[string][]string

func (c capabilities) has(label string) bool { _, ok := c[label]; return ok }

// offers reports whether the line of label has the argument. It is true for a server without capabilities.
func (c capabilities) offers(label, argument string) bool {
	if c == nil {
		return true
	}
	for _, a := range c[label] {
		if strings.EqualFold(a, argument) {
			return true
		}
	}
	return false
}

// labels returns the labels in order.
func (c capabilities) labels() []string { return slices.Sorted(maps.Keys(c)) }

func (c *conn) askCapabilities() error {
	r, err := c.ask("CAPABILITIES", dialogue.Bare("CAPABILITIES"))
	switch {
	case err != nil:
		return err
	case r.class() < 4 && r.code != 101:
		return c.failed("CAPABILITIES", r)
	case r.code != 101:
		return nil
	}
	lines, err := c.wire.ReadLines(int64(c.max), func(line string) (bool, error) { return line == ".", nil })
	if err != nil {
		return c.end(lost("CAPABILITIES", err))
	}
	c.caps = capabilities{}
	for _, line := range lines[:len(lines)-1] {
		if words := strings.Fields(strings.TrimPrefix(line, ".")); len(words) > 0 {
			c.caps[strings.ToUpper(words[0])] = words[1:]
		}
	}
	return nil
}

// startTLS switches to TLS (RFC 4642). The server then forgets what it knows of the client. There is no fallback to clear text.
func (c *conn) startTLS(ctx context.Context, env *scheme.Env) error {
	r, err := c.ask("STARTTLS", dialogue.Bare("STARTTLS"))
	if err != nil {
		return err
	}
	if r.code != 382 {
		return r.fail("STARTTLS")
	}
	if err := c.handshake(ctx, env); err != nil {
		return err
	}
	c.selected, c.caps = "", nil
	return c.become()
}

// handshake makes the connection a TLS connection.
func (c *conn) handshake(ctx context.Context, env *scheme.Env) error {
	if err := c.wire.Upgrade(func(plain net.Conn) (net.Conn, error) {
		return env.Dial(ctx, scheme.Dial{TLS: c.server.host, Over: plain})
	}); err != nil {
		return c.end(err)
	}
	c.tls = true
	return nil
}

// ask sends a command and reads its reply. after names the command in errors, without its arguments. A refusal is a reply, not
// an error: after an error the connection is unusable.
func (c *conn) ask(after string, l wire.Line) (reply, error) {
	if err := c.send(after, l); err != nil {
		return reply{}, err
	}
	return c.reply(after)
}

// send sends commands in one write. After an error the connection is unusable.
func (c *conn) send(after string, lines ...wire.Line) error {
	if err := c.wire.Send(lines...); err != nil {
		return c.end(lost(after, err))
	}
	return nil
}

// reply reads the first line of a response. 400 may come at any time and ends the connection (RFC 3977 3.2.1).
func (c *conn) reply(after string) (reply, error) {
	line, err := c.wire.ReadLine()
	if err != nil {
		return reply{}, c.end(lost(after, err))
	}
	r, err := parseReply(c.mask(line, strings.Clone))
	switch {
	case err != nil:
		return r, c.end(err)
	case r.code == 400:
		return r, c.end(r.fail(after))
	}
	c.untested = false
	return r, nil
}

// mask removes a password from a reply, in which the password is spelled as spell returns it: some servers repeat what they received
// (P3). The code stays, whatever the password is.
func (c *conn) mask(line string, spell func(string) string) string {
	code, text := "", line
	if _, err := parseReply(line); err == nil {
		code, text = line[:3], line[3:]
	}
	for _, secret := range c.secrets {
		if secret != "" {
			text = strings.ReplaceAll(text, spell(secret), "****")
		}
	}
	return code + text
}

// end marks the connection as unusable. If it came from the pool and has done nothing yet, the operation may use another one.
func (c *conn) end(err error) error {
	c.unusable.Store(true)
	if c.untested {
		return dialogue.Dropped{Err: err}
	}
	return err
}

// RemoteAddr is for the client, which asks policy again before it reuses the connection.
func (c *conn) RemoteAddr() net.Addr { return c.wire.RemoteAddr() }

// Close closes the connection. It sends QUIT if the connection is usable.
func (c *conn) Close() error {
	if !c.unusable.Swap(true) {
		_ = c.wire.Send(dialogue.Bare("QUIT")) // the connection ends either way
	}
	return c.raw.Close()
}
