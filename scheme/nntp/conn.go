package nntp

import (
	"context"
	"maps"
	"slices"
	"strings"

	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/wire"
)

// conn is a connection to a server, and what is known about the state of the server. One session at
// a time uses it.
type conn struct {
	*dialogue.Conn
	server server

	caps     capabilities
	loggedIn bool
	selected string // the group; "" means none
	over     overviewMethod
}

// protocol is NNTP. 400 may come at any time and ends the connection (RFC 3977 3.2.1).
var protocol = dialogue.Protocol{Name: "NNTP", Connection: "connection", Goodbye: 400, Quit: true, OneLine: true}

// dial connects to a server.
func dial(ctx context.Context, env *scheme.Env, s server) (*conn, error) {
	d, err := dialogue.Dial(ctx, env, protocol, s.host, scheme.Dial{Purpose: s.purpose, Network: "tcp", Addr: s.addr})
	if err != nil {
		return nil, err
	}
	return &conn{Conn: d, server: s}, nil
}

// begin reads the greeting and the capabilities of the server, and switches to TLS and logs in, as
// far as the URL and Env.TLSMode ask for it.
func (c *conn) begin(ctx context.Context, env *scheme.Env) (err error) {
	if c.server.tls {
		err = c.StartTLS(ctx, env, scheme.Dial{})
	}
	if err == nil {
		err = c.greeting()
	}
	if err == nil {
		err = c.become()
	}
	if err == nil {
		err = c.prepare(ctx, env)
	}
	return err
}

// greeting reads the first reply: 200 or 201, which allows no posting (RFC 3977 5.1).
func (c *conn) greeting() error {
	r, err := c.reply(dialogue.Connecting)
	switch {
	case err != nil:
		return err
	case r.Code == 200 || r.Code == 201:
		return nil
	}
	return r.fail(dialogue.Connecting)
}

// become learns what the server can do, and switches it to the mode for readers if it has one (RFC
// 3977 5.3).
//
// QUIRK: innd of INN 2.7.1 answers GROUP with 401 until MODE READER, which hands the connection to
// nnrpd. A server from before RFC 3977 has no CAPABILITIES, and may insist too, so it gets MODE
// READER in any case.
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
	case r.Code == 200 || r.Code == 201:
		if c.caps != nil {
			return c.askCapabilities()
		}
	case r.Code == 480, r.Code == 483: // the command of the operation gets the same reply
	case !r.unknown():
		return r.fail("MODE READER")
	}
	return nil
}

// capabilities are the lines of CAPABILITIES (RFC 3977 5.2) by their first words, in upper case;
// nil if the server has no such command.
type capabilities map[string][]string

func (c capabilities) has(label string) bool { _, ok := c[label]; return ok }

// offers reports whether the line of label has the argument. It is true for a server without
// capabilities.
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
	case r.Class() < 4 && r.Code != 101:
		return c.failed("CAPABILITIES", r)
	case r.Code != 101:
		return nil
	}
	lines, err := c.Wire.ReadLines(int64(c.Max), func(line string) (bool, error) { return line == ".", nil })
	if err != nil {
		return c.End(protocol.Lost("CAPABILITIES", err))
	}
	c.caps = capabilities{}
	for _, line := range lines[:len(lines)-1] {
		if words := strings.Fields(strings.TrimPrefix(line, ".")); len(words) > 0 {
			c.caps[strings.ToUpper(words[0])] = words[1:]
		}
	}
	return nil
}

// startTLS switches to TLS (RFC 4642). The server then forgets what it knows of the client. There
// is no fallback to clear text.
func (c *conn) startTLS(ctx context.Context, env *scheme.Env) error {
	r, err := c.ask("STARTTLS", dialogue.Bare("STARTTLS"))
	if err != nil {
		return err
	}
	if r.Code != 382 {
		return r.fail("STARTTLS")
	}
	if err := c.StartTLS(ctx, env, scheme.Dial{}); err != nil {
		return err
	}
	c.selected, c.caps = "", nil
	return c.become()
}

// ask sends a command and reads its reply. after names the command in errors, without its
// arguments. A refusal is a reply, not an error: after an error the connection is unusable.
func (c *conn) ask(after string, l wire.Line) (reply, error) {
	if err := c.Send(after, l); err != nil {
		return reply{}, err
	}
	return c.reply(after)
}

// reply reads the first line of a response.
func (c *conn) reply(after string) (reply, error) {
	d, err := c.Reply(after)
	r := reply{d}
	if err == nil && r.Code == c.Goodbye {
		err = c.End(r.fail(after))
	}
	return r, err
}
