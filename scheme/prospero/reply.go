package prospero

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strings"
	"time"

	"locator"
	"locator/scheme"
	"locator/scheme/prospero/internal/ardp"
	"locator/scheme/prospero/internal/text"
	"locator/wire"
)

// maxPacket is the size of the largest packet that is taken. Servers send 1,262 bytes.
const maxPacket = 8 << 10

// reply is the response to a request.
type reply struct {
	env      *scheme.Env
	exchange *ardp.Exchange
	in       *counter
	text     *text.Scanner
	warnings []string
	unknown  string // the last line of an unknown kind
	known    bool   // there was a line of a known kind
	version  string // software of the server, if it was asked for
	motd     string // message of the day, likewise
}

// ask sends commands to the server of p. The caller must Close the reply.
// The bytes of the response are copied to w, unless it is nil.
func ask(ctx context.Context, env *scheme.Env, p place, commands string, limit int64, w io.Writer) (*reply, error) {
	u, ok := p.url()
	if !ok {
		return nil, scheme.Fail(scheme.CodeProtocol, "the server named the host %s, which no URL can have", wire.Excerpt(p.host, 100))
	}
	// A name, its type or its version may be that of another server. A line feed is quoted; servers
	// end lines at CR, and cannot read NUL.
	if i := strings.IndexAny(commands, "\r\x00"); i >= 0 {
		return nil, scheme.Fail(scheme.CodeRefused, "%w", &wire.UnsafeError{What: "name", Octet: commands[i]})
	}
	d := scheme.Dial{Network: "udp", Addr: p.addr()}
	if p.hop {
		d.Purpose, d.URL = scheme.ForHop, u
	}
	peer, err := dial(ctx, env, d)
	if err != nil {
		return nil, err
	}
	if env.Trace.HearsLines() {
		for _, line := range lines(preamble() + commands) {
			env.Trace.OnSent(line)
		}
	}
	var id [2]byte
	for binary.BigEndian.Uint16(id[:]) == 0 {
		_, _ = rand.Read(id[:]) // never fails
	}
	a := &reply{env: env}
	a.exchange, err = ardp.Start(ctx, peer, []byte(preamble()+commands), ardp.Options{
		ID: binary.BigEndian.Uint16(id[:]), Timeout: env.Limits.Idle, Due: wire.ErrDue, Clock: env.Clock,
		Redirect: func(ctx context.Context, to netip.AddrPort) (ardp.Peer, error) {
			at := p
			at.host, at.port = to.Addr().String(), fmt.Sprint(to.Port())
			u, _ := at.url()
			env.Trace.OnNote("the server redirects to " + to.String())
			return dial(ctx, env, scheme.Dial{Network: "udp", Addr: at.addr(), Purpose: scheme.ForHop, URL: u})
		},
		Queued: func(wait time.Duration, position int) {
			if position > 0 {
				env.Tell(fmt.Sprintf("the server asks to wait up to %v, at position %d of its queue", wait, position))
			} else {
				env.Tell(fmt.Sprintf("the server asks to wait up to %v", wait))
			}
		},
	})
	if err != nil {
		peer.Close()
		return nil, exchangeError(ctx, err)
	}
	a.in = &counter{r: a.exchange, left: limit}
	in := io.Reader(a.in)
	if w != nil {
		in = io.TeeReader(in, w)
	}
	a.text = text.NewScanner(in, env.Limits.Line)
	return a, nil
}

func dial(ctx context.Context, env *scheme.Env, d scheme.Dial) (*wire.Packets, error) {
	conn, err := env.Dial(ctx, d)
	if err != nil {
		return nil, err
	}
	return wire.NewPackets(conn, wire.PacketOptions{Max: maxPacket, Queue: 4 * ardp.Window, Show: ardp.Describe, Sent: env.Trace.Sent, Received: env.Trace.Received}), nil
}

// counter limits the bytes of a response.
type counter struct {
	r    io.Reader
	left int64 // negative means no limit
	n    int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	if c.left >= 0 && c.n > c.left {
		return 0, scheme.Fail(scheme.CodeBroken, "the response exceeds the limit of %d bytes", c.left)
	}
	return n, err
}

// Close ends the exchange.
func (a *reply) Close() error { return a.exchange.Close() }

// line returns the tokens of the next line of interest. A failure that the server reports is an
// error. If the value of CONTENTS follows, it is not read, and value is true.
func (a *reply) line(ctx context.Context) (tokens []string, value bool, err error) {
	for {
		tokens, more, err := a.text.Tokens(len(contentsLine))
		if err == io.EOF && a.unknown != "" && !a.known {
			return nil, false, scheme.Replied(scheme.CodeProtocol, a.unknown, "the response has no line of a known kind")
		}
		if err != nil {
			return nil, false, a.failed(ctx, err)
		}
		if value = more && isContents(tokens); !value && more {
			rest, err := a.text.Line()
			if err != nil {
				return nil, false, a.failed(ctx, err)
			}
			tokens = append(tokens, rest...)
		}
		if shown := wire.Escape(strings.Join(tokens, " ")); value {
			a.env.Trace.OnReceived(shown + " ...")
		} else {
			a.env.Trace.OnReceived(shown)
		}
		said := wire.Excerpt(strings.Join(tokens, " "), 300)
		a.known = a.known || isKnown(tokens[0])
		switch tokens[0] {
		case "FAILURE", "ERROR", "VERSION-NOT-SUPPORTED":
			return tokens, false, failure(tokens, said)
		case "WARNING":
			a.warn("the server warns: " + said)
		case "VERSION":
			a.version = strings.Join(tokens[1:], " ")
		case "PARAMETER":
			if len(tokens) > 3 && tokens[1] == "VALUE" && tokens[2] == "MOTD" {
				a.motd = strings.Join(tokens[3:], " ")
			}
		case "AUTHENTICATED", "SUCCESS":
		default:
			if a.text.Cut() && !value {
				return nil, false, scheme.Fail(scheme.CodeBroken, "the response ends within a line: %w", io.ErrUnexpectedEOF)
			}
			if isKnown(tokens[0]) {
				return tokens, value, nil
			}
			a.unknown = said // the clients of 1994 warn and go on, too
			a.warn("the server sent a line of an unknown kind: " + said)
		}
	}
}

// isKnown reports whether lines that begin with a word have a meaning.
func isKnown(word string) bool {
	switch word {
	case "LINK", "UNRESOLVED", "NONE-FOUND", "ID", "FORWARDED", "FAILURE", "ERROR", "VERSION-NOT-SUPPORTED", "WARNING", "VERSION", "PARAMETER", "AUTHENTICATED", "SUCCESS":
		return true
	}
	return strings.HasPrefix(word, "ATTRIBUTE") // of another attribute: ATTRIBUTE>
}

// warn adds a warning, unless there are many.
func (a *reply) warn(text string) {
	if len(a.warnings) < maxWarnings {
		a.warnings = append(a.warnings, text)
		a.env.Tell(text)
	}
}

// maxWarnings is how many warnings of a response are shown.
const maxWarnings = 16

// contentsLine begins a line with a piece of the content of an object.
var contentsLine = [...]string{"ATTRIBUTE", "OBJECT", "INTRINSIC", contents, "SEQUENCE", "DATA"}

func isContents(tokens []string) bool {
	return len(tokens) == len(contentsLine) && [len(contentsLine)]string(tokens) == contentsLine
}

// failed returns the error of a response that cannot be read. io.EOF stays as it is.
func (a *reply) failed(ctx context.Context, err error) error {
	switch {
	case err == io.EOF:
		return err
	case errors.Is(err, text.ErrUnclosed):
		return scheme.Fail(scheme.CodeBroken, "%w: %w", err, io.ErrUnexpectedEOF)
	case errors.Is(err, text.ErrTooLong):
		return scheme.Fail(scheme.CodeBroken, "a line of the response is longer than %d bytes", a.env.Limits.Line)
	case errors.Is(err, ardp.ErrChanged):
		return scheme.Fail(scheme.CodeBroken, "%w", err)
	case errors.Is(err, ardp.ErrTimeout) && a.in.n > 0:
		return scheme.Fail(scheme.CodeBroken, "the response broke off: %w: %w", err, io.ErrUnexpectedEOF)
	}
	return exchangeError(ctx, err)
}

// exchangeError adds the code to an error of an exchange.
func exchangeError(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, ardp.ErrTimeout):
		return scheme.Fail(scheme.CodeUnreachable, "the server does not answer: %w", err)
	case errors.Is(err, ardp.ErrRefused):
		return scheme.Fail(scheme.CodeUnavailable, "%w", err)
	case errors.Is(err, ardp.ErrProtocol):
		return scheme.Fail(scheme.CodeProtocol, "%w", err)
	}
	return err
}

// errNoDirectory is matched by the error for a name that is not a directory. It may be a file, or
// not exist.
var errNoDirectory = errors.New("it is not a directory")

// failureCodes are the codes of FAILURE. Any other is CodeProtocol.
var failureCodes = map[string]struct {
	code scheme.Code
	err  error
}{
	"NOT-FOUND":               {scheme.CodeNotFound, errors.New("not found")},
	"NOT-A-DIRECTORY":         {scheme.CodeNotFound, errNoDirectory},
	"NOT-AUTHORIZED":          {scheme.CodeLoginNeeded, errors.New("the server does not allow it to anonymous users")},
	"AUTHENTICATION-REQUIRED": {scheme.CodeLoginNeeded, errors.New("the server requires a login, which Prospero has no safe form of")},
	"AUTHENTICATION-DATA":     {scheme.CodeLoginNeeded, errors.New("the server requires a login, which Prospero has no safe form of")},
	"SERVER-FAILED":           {scheme.CodeUnavailable, errors.New("the server failed")},
	"TOO-MANY":                {scheme.CodeUnavailable, errors.New("the answer would be too long for the server")},
	"UNIMPLEMENTED":           {scheme.CodeUnsupported, errors.New("the server cannot do that")},
}

// failure returns the error of a line that reports one.
func failure(tokens []string, said string) error {
	if tokens[0] == "FAILURE" && len(tokens) > 1 {
		if f, ok := failureCodes[tokens[1]]; ok {
			return scheme.Replied(f.code, said, "%w", f.err)
		}
	}
	return scheme.Replied(scheme.CodeProtocol, said, "the server reports an error")
}

// forwarded returns the place that a line forwards to. ok is false for any other line.
func (p place) forwarded(tokens []string) (place, bool, error) {
	if tokens[0] != "FORWARDED" {
		return p, false, nil
	}
	if len(tokens) < 5 || !strings.EqualFold(tokens[1], hostType) {
		return p, true, scheme.Replied(scheme.CodeProtocol, wire.Excerpt(strings.Join(tokens, " "), 300), "the server forwards to a place that cannot be read")
	}
	to := place{nameType: tokens[3], name: tokens[4], selects: p.selects, hop: true}
	if len(tokens) > 5 {
		to.version = tokens[5]
	}
	to.host, to.port = splitHost(tokens[2])
	if to.port == "" {
		to.port = defaultPort
	}
	return to, true, nil
}

// maxForwards is how many times in a row a server may forward a request.
const maxForwards = 20

// resolve asks for what request returns, at p and wherever it is forwarded to. It returns the place
// that answered, and the first line of the reply, unless that is empty.
func (p place) resolve(ctx context.Context, env *scheme.Env, request func(place) string, limit int64, w io.Writer) (at place, a *reply, first line, err error) {
	for range maxForwards + 1 {
		if a, err = ask(ctx, env, p, request(p), limit, w); err != nil {
			return p, nil, line{}, err
		}
		tokens, value, err := a.line(ctx)
		if err == io.EOF {
			return p, a, line{end: true}, nil
		}
		to, ok := p, false
		if err == nil {
			if to, ok, err = p.forwarded(tokens); err == nil && !ok {
				return p, a, line{tokens: tokens, value: value}, nil
			}
		}
		a.Close()
		if err != nil {
			return p, nil, line{}, err
		}
		u, _ := to.url()
		env.Trace.OnNote("forwarded to " + u.Redacted())
		p = to
	}
	return p, nil, line{}, scheme.Fail(scheme.CodeProtocol, "forwarded %d times; there may be a loop", maxForwards)
}

// line is the first line of a reply.
type line struct {
	tokens []string
	value  bool // see reply.line
	end    bool // there is none
}

// here returns the URL of p, or u if p is what u names.
func (p place) here(u locator.URL) locator.URL {
	if to, ok := p.url(); ok && p.hop {
		return to
	}
	return u
}
