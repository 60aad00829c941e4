package ftp

import (
	"errors"
	"io"

	"locator/scheme"
	"locator/wire"
)

// fail makes an error of a reply that refuses what the words say. Reading is assumed; see failWrite.
func (r reply) fail(format string, args ...any) error {
	return scheme.Replied(r.failure(), r.shown(), format, args...)
}

// failWrite is fail for commands that change something: there 550 and 553 say that the user may not.
func (r reply) failWrite(format string, args ...any) error {
	code := r.failure()
	if (r.code == 550 || r.code == 553) && !r.missing() {
		code = scheme.CodeLoginNeeded
	}
	return scheme.Replied(code, r.shown(), format, args...)
}

// failure is the one table from reply codes (RFC 959 4.2.2, RFC 2228 5) to error codes, for replies that refuse.
func (r reply) failure() scheme.Code {
	switch r.code {
	case 430, 530, 532: // 430 is what some servers say to a wrong password
		return scheme.CodeLoginNeeded
	case 450: // QUIRK: proftpd answers 450 "No such file or directory" to NLST of a missing name
		if r.missing() {
			return scheme.CodeNotFound
		}
		return scheme.CodeUnavailable
	case 550, 553:
		if r.says("permission denied", "access denied", "access is denied") {
			return scheme.CodeLoginNeeded
		}
		return scheme.CodeNotFound
	case 552:
		return scheme.CodeUnavailable // storage is used up
	case 500, 501, 502, 504, 522, 533, 534, 535, 536, 537, 551, 554:
		return scheme.CodeUnsupported
	}
	if r.class() == 4 {
		return scheme.CodeUnavailable
	}
	return scheme.CodeProtocol
}

// missing reports whether the server's words say that there is no such thing: the code alone (550) does not tell that
// from a refusal.
func (r reply) missing() bool {
	return r.says("no such", "not found", "doesn't exist", "does not exist", "not exist", "cannot find")
}

// denied reports whether the server's words, or a code that means nothing else, say that it does not allow a command at
// all.
func (r reply) denied() bool {
	switch r.code {
	case 500, 502, 504, 530, 532, 553:
		return true
	}
	return r.says("permission", "denied", "not allowed", "not permitted", "disabled", "forbidden", "prohibited", "read-only",
		"read only")
}

// unexpected is the error for a reply that makes no sense after a command.
func (r reply) unexpected(after string) error {
	if r.class() >= 4 {
		return r.fail("the server refused %s", after)
	}
	return scheme.Replied(scheme.CodeProtocol, r.shown(), "reply %d makes no sense after %s", r.code, after)
}

// errDropped wraps what went wrong on a kept connection before it did anything: the server had dropped it, and another
// one may be tried without doing anything twice.
type errDropped struct{ error }

// Unwrap gives what went wrong.
func (e errDropped) Unwrap() error { return e.error }

// errElsewhere says that a kept connection is in a directory from which no sure way leads to the wanted one (RFC 1738
// 3.2.5).
var errElsewhere = errors.New("a kept connection is in another directory")

// lost is the error for a control connection that ended or stalled after a command.
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
	return scheme.Fail(scheme.CodeBroken, "the server closed the control connection after %s: %w", after, err)
}

func timeout(err error) bool {
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout()
}

// torn is the error for a body that ends early. It matches io.ErrUnexpectedEOF.
func torn(at int64, err error) error {
	switch {
	case timeout(err):
		return scheme.Fail(scheme.CodeBroken, "the transfer stalled after %d octets: nothing moved within the time limit: %w (%w)", at, io.ErrUnexpectedEOF, err)
	case err == io.EOF || err == io.ErrUnexpectedEOF || err == nil:
		return scheme.Fail(scheme.CodeBroken, "the transfer broke off after %d octets: %w", at, io.ErrUnexpectedEOF)
	}
	return scheme.Fail(scheme.CodeBroken, "the transfer broke off after %d octets: %w (%w)", at, io.ErrUnexpectedEOF, err)
}

// quoted is a name for an error, escaped.
func quoted(name string) string { return `"` + wire.Escape(name) + `"` }
