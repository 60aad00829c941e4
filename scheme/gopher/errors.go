package gopher

import (
	"cmp"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"

	"locator/scheme"
	"locator/wire"
)

// said returns a server's text for an error message: bounded, and safe to print.
func said(words string) string { return wire.Excerpt(strings.TrimSpace(words), 500) }

// missing returns the error of a server that answers with an error item. Plain gopher has only one
// kind of error.
func missing(words string) error {
	return scheme.Replied(scheme.CodeNotFound, said(words), "the server answers with an error; check the selector")
}

// noGopher returns the error of a reply in HTTP.
func noGopher() error {
	return scheme.Fail(scheme.CodeProtocol, "the answer is one of HTTP: this is a web server, or the request looked like one; try http")
}

// The codes of Gopher+ errors (the Gopher+ document 2.4).
const (
	plusNotFound    = 1 // item is not available
	plusUnavailable = 2 // try again later
	plusMoved       = 3 // item has moved; its new descriptor follows
)

// maxErrorLines bounds the message of an error.
const maxErrorLines = 16

// plusError reads the error that a header has announced: "<code> <admin>", then the message. An
// item that moved is a *movedError.
func (p *conn) plusError(env *scheme.Env, r reader, h header) error {
	code, message := h.code, []string{h.text}
	if h.code == 0 {
		l := newLines(p.in, env.Limits.Line, int64(env.Limits.Header), p.idle.sawEndMark, env.Trace.OnNote)
		l.conn = p.wire
		line, err := l.read()
		if err != nil && err != io.EOF {
			return p.failed(err)
		}
		env.Trace.OnReceived(wire.Escape(line))
		number, rest, _ := strings.Cut(line, " ")
		code, _ = strconv.Atoi(number)
		message[0] = rest
		for err == nil && len(message) <= maxErrorLines { // the code is enough: the text may be incomplete
			if line, err = l.read(); err == nil {
				message = append(message, line)
			}
		}
	}
	if code == plusMoved {
		// The descriptor is on the line of the code or on the next.
		for _, text := range message {
			it := parseItem(text)
			if e := r.entry(it); it.tabs >= 3 && !e.URL.IsZero() {
				return &movedError{&scheme.Resource{
					Kind: scheme.KindReferral, Next: []scheme.Entry{e}, Permanent: true, Hop: scheme.HopRedirect,
				}}
			}
		}
		return scheme.Replied(scheme.CodeGone, said(message[0]), "the item has moved, and the server does not say where")
	}
	words := cmp.Or(strings.TrimSpace(strings.Join(message[1:], " ")), message[0])
	switch code {
	case plusNotFound:
		return scheme.Replied(scheme.CodeNotFound, said(words), "the server has no such item")
	case plusUnavailable:
		return scheme.Replied(scheme.CodeUnavailable, said(words), "the server cannot give the item now; try again later")
	}
	return scheme.Replied(scheme.CodeProtocol, said(words), "the server reports an error of a code that is not known: %d", code)
}

// movedError says that an item is elsewhere.
type movedError struct{ res *scheme.Resource }

func (e *movedError) Error() string { return "the item has moved to " + e.res.Next[0].URL.Redacted() }

// inDoubt returns the error for a form that was sent and not answered. It returns err itself if the
// server answered with an error, or if ctx has ended.
func inDoubt(ctx context.Context, err error) error {
	if e, ok := errors.AsType[*scheme.Error](err); ctx.Err() != nil || ok && e.Code != scheme.CodeBroken {
		return err
	}
	return scheme.Fail(scheme.CodeInDoubt, "the form was sent, and no answer came: the server may have acted on it: %w", err)
}
