package nntp

import (
	"errors"
	"io"

	"locator/scheme"
	"locator/wire"
)

// codes is the table of the replies that refuse something: what each means for the caller (RFC 3977 appendix C, RFC 4642, RFC
// 4643). No other place maps a reply to an error code.
var codes = map[int]struct {
	code scheme.Code
	text string
}{
	400: {scheme.CodeUnavailable, "the server is not available now; try again later"},
	401: {scheme.CodeUnsupported, "the server is in a mode without this command"},
	403: {scheme.CodeUnavailable, "the server has an internal fault; try again later"},
	411: {scheme.CodeNotFound, "the server has no such group"},
	412: {scheme.CodeProtocol, "the server has lost the group that was selected"},
	420: {scheme.CodeNotFound, "the group has no such article"},
	421: {scheme.CodeNotFound, "the group has no next article"},
	422: {scheme.CodeNotFound, "the group has no previous article"},
	423: {scheme.CodeNotFound, "the group has no article with this number; it may have expired"},
	430: {scheme.CodeNotFound, "the server has no article with this message-id; it may have expired"},
	440: {scheme.CodeLoginNeeded, "the server does not permit posting"},
	480: {scheme.CodeLoginNeeded, "the server requires a login; use --user or --netrc"},
	481: {scheme.CodeLoginNeeded, "the server refused the login"},
	482: {scheme.CodeLoginNeeded, "the server refused the login out of sequence"},
	483: {scheme.CodeLoginNeeded, "the server requires TLS; use --tls require"},
	500: {scheme.CodeUnsupported, "the server does not know the command"},
	501: {scheme.CodeUnsupported, "the server cannot read the command"},
	502: {scheme.CodeLoginNeeded, "the server does not permit this"},
	503: {scheme.CodeUnsupported, "the server does not support this"},
	504: {scheme.CodeProtocol, "the server cannot read an argument in base64"},
	580: {scheme.CodeUnsupported, "the server cannot start TLS"},
}

// fail returns the error of a reply that refuses the command after, which names it in the error.
func (r reply) fail(after string) error {
	if known, ok := codes[r.code]; ok {
		return scheme.Replied(known.code, r.shown(), "%s", known.text)
	}
	if r.class() == 4 {
		return scheme.Replied(scheme.CodeUnavailable, r.shown(), "the server refused %s", after)
	}
	return scheme.Replied(scheme.CodeProtocol, r.shown(), "reply %d makes no sense after %s", r.code, after)
}

// unknown reports whether the server does not have a command (RFC 3977 3.2.1): another one may do instead.
func (r reply) unknown() bool { return r.code == 500 || r.code == 501 || r.code == 503 }

// errAuthenticate says that the server answered with 480 or 483: the dialogue can be repeated after a login or STARTTLS.
type errAuthenticate struct {
	error
	reply reply
}

// Unwrap returns the error of the reply.
func (e errAuthenticate) Unwrap() error { return e.error }

// errDropped wraps the error of a pooled connection that failed before it did anything: the server had closed it. The
// operation can be repeated on another connection without doing anything twice.
type errDropped struct{ error }

// Unwrap returns the wrapped error.
func (e errDropped) Unwrap() error { return e.error }

// lost is the error of a connection that ended or stalled after a command.
func lost(after string, err error) error {
	var e *scheme.Error
	switch {
	case errors.As(err, &e):
		return err
	case errors.Is(err, wire.ErrLimit):
		return scheme.Fail(scheme.CodeBroken, "the reply to %s: %w", after, err)
	case timeout(err):
		return scheme.Fail(scheme.CodeBroken, "the server stalled after %s: nothing moved within the time limit: %w", after, err)
	case err == io.EOF:
		err = io.ErrUnexpectedEOF
	}
	return scheme.Fail(scheme.CodeBroken, "the server closed the connection after %s: %w", after, err)
}

func timeout(err error) bool {
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout()
}

// torn is the error of a text that ends before its terminating line, after n bytes. It matches io.ErrUnexpectedEOF.
func torn(n int64, err error) error {
	switch {
	case timeout(err):
		return scheme.Fail(scheme.CodeBroken, "the transfer stalled after %d bytes: nothing moved within the time limit: %w (%w)", n, io.ErrUnexpectedEOF, err)
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return scheme.Fail(scheme.CodeBroken, "the transfer broke off after %d bytes: %w", n, io.ErrUnexpectedEOF)
	}
	return scheme.Fail(scheme.CodeBroken, "the transfer broke off after %d bytes: %w (%w)", n, io.ErrUnexpectedEOF, err)
}

// quoted is a name in quotes, escaped for an error.
func quoted(name string) string { return `"` + wire.Escape(name) + `"` }
