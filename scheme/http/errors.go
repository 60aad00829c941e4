package http

import (
	"compress/flate"
	"compress/gzip"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	nethttp "net/http"
	"strings"
	"time"

	"locator/scheme"
	"locator/wire"
)

// refusal is the error for a status that is no success (RFC 9110 15), and ends the answer.
func (a *answer) refusal() error {
	defer a.discard()
	code, text := codeOf(a.StatusCode)
	if a.StatusCode == nethttp.StatusProxyAuthRequired && a.x.via != nil {
		text = "the proxy " + wire.Escape(a.x.via.addr()) + " wants a login: put it into the proxy's URL"
	}
	var wait time.Duration
	if after := a.Header.Get("Retry-After"); after != "" && code == scheme.CodeUnavailable {
		text += "; it asks to wait (Retry-After: " + show(after) + ")"
		wait = retryAfter(after, a.x.env.Clock.Now())
	}
	e := scheme.Replied(code, a.statusLine(), "%s", text)
	e.RetryAfter = wait
	return e
}

// maxSeconds is what of a wait in seconds is believed.
const maxSeconds = 100 * 365 * 24 * 3600

// retryAfter reads how long to wait (RFC 9110 10.2.3): seconds, or a date. 0 is unknown, or at once.
func retryAfter(field string, now time.Time) time.Duration {
	if n, ok := octets(field); ok {
		return time.Duration(min(n, maxSeconds)) * time.Second
	}
	if t, err := nethttp.ParseTime(field); err == nil {
		return max(t.Sub(now), 0)
	}
	return 0
}

// codeOf is the table of the statuses.
func codeOf(status int) (scheme.Code, string) {
	switch status {
	case nethttp.StatusUnauthorized, nethttp.StatusProxyAuthRequired:
		return scheme.CodeLoginNeeded, "the server wants a login"
	case nethttp.StatusForbidden, nethttp.StatusUnavailableForLegalReasons:
		return scheme.CodeLoginNeeded, "the server forbids it; another login may be allowed to"
	case nethttp.StatusNotFound:
		return scheme.CodeNotFound, "the server has no such resource"
	case nethttp.StatusGone:
		return scheme.CodeGone, "the resource is gone for good"
	case nethttp.StatusMethodNotAllowed:
		return scheme.CodeUnsupported, "the server does not do this with the resource"
	case nethttp.StatusNotAcceptable:
		return scheme.CodeUnsupported, "the server has no representation of the types or languages asked for"
	case nethttp.StatusLengthRequired, nethttp.StatusRequestEntityTooLarge, nethttp.StatusUnsupportedMediaType,
		nethttp.StatusExpectationFailed, nethttp.StatusUpgradeRequired:
		return scheme.CodeUnsupported, "the server does not take this body in this way"
	case nethttp.StatusRequestTimeout, nethttp.StatusConflict, nethttp.StatusPreconditionFailed, nethttp.StatusLocked,
		nethttp.StatusFailedDependency, nethttp.StatusTooEarly, nethttp.StatusTooManyRequests:
		return scheme.CodeUnavailable, "the server cannot do it now"
	case nethttp.StatusNotModified:
		return scheme.CodeProtocol, "the server says that a copy is good, and none was mentioned"
	}
	switch status / 100 {
	case 5:
		return scheme.CodeUnavailable, "the server cannot do it now"
	case 4:
		return scheme.CodeProtocol, "the server does not understand the request"
	}
	return scheme.CodeProtocol, "the server answers with a status that makes no sense here"
}

// failure is the error for a request without an answer.
func (x *exchange) failure(ctx context.Context, l *link, heard bool, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if x.up != nil {
		if p := x.up.problem(); p != nil {
			return p
		}
	}
	first := ""
	if l.tap != nil {
		first = l.tap.first()
		if loss := l.tap.loss(); loss != nil {
			err = loss
		}
	}
	if e, ok := errors.AsType[*scheme.Error](err); ok {
		return e
	}
	switch {
	case heard && !strings.HasPrefix(first, statusPrefix[:min(len(first), len(statusPrefix))]):
		return scheme.Replied(scheme.CodeProtocol, show(first), "the server does not speak HTTP")
	case x.up != nil && x.up.sent.Load() && (isTimeout(err) || isLoss(err)):
		return scheme.Fail(scheme.CodeInDoubt, "the body was sent, and the server ended without an answer: it may have taken it: %w", ended(err))
	case isTimeout(err):
		return scheme.Fail(scheme.CodeBroken, "no answer: nothing moved for %s: %w", x.env.Limits.Idle, clean(err))
	case isLoss(err) || !heard && l.proto == "HTTP/1.1":
		return scheme.Replied(scheme.CodeBroken, show(first), "the server closed the connection without an answer: %w", ended(err))
	}
	return scheme.Replied(scheme.CodeProtocol, show(first), "the answer is not proper HTTP: %w", clean(err))
}

// statusPrefix is what every answer begins with (RFC 9112 4).
const statusPrefix = "HTTP/"

// broken is the error for a body that breaks off.
func (a *answer) broken(err error) error {
	if a.ctx.Err() != nil {
		return a.ctx.Err()
	}
	if e, ok := errors.AsType[*scheme.Error](err); ok {
		return e
	}
	if errors.Is(err, nethttp.ErrBodyReadAfterClose) {
		return err
	}
	var corrupt flate.CorruptInputError
	switch {
	case isTimeout(err):
		return scheme.Fail(scheme.CodeBroken, "the body stalled after %d octets: nothing moved for %s: %w", a.read, a.x.env.Limits.Idle, clean(err))
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, &corrupt):
		return scheme.Fail(scheme.CodeProtocol, "the body is not the gzip data that the server announced, after %d octets: %w", a.read, clean(err))
	case isLoss(err) || a.ProtoMajor > 1:
		return scheme.Fail(scheme.CodeBroken, "the body broke off after %d octets: %w", a.read, ended(err))
	}
	return scheme.Fail(scheme.CodeProtocol, "the body is malformed after %d octets: %w", a.read, clean(err))
}

// isLoss reports whether the connection was lost, as against a peer that says wrong things.
func isLoss(err error) bool {
	for _, loss := range []error{io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, io.ErrClosedPipe} { // the last: see upload.interrupt
		if errors.Is(err, loss) {
			return true
		}
	}
	_, ok := errors.AsType[net.Error](err)
	return ok
}

// handshakeError is the error for a TLS connection that did not come about.
func handshakeError(ctx context.Context, host string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if bad, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return scheme.Fail(scheme.CodeRefused, "the certificate of %s is not to be trusted: %w; if it is meant, name who signed it with cacert", wire.Escape(host), clean(bad.Err))
	}
	switch {
	case isTimeout(err):
		return scheme.Fail(scheme.CodeBroken, "the TLS handshake with %s stalled: %w", wire.Escape(host), clean(err))
	case isLoss(err):
		if _, alert := errors.AsType[tls.AlertError](err); !alert {
			return scheme.Fail(scheme.CodeBroken, "the server closed the connection in the TLS handshake: %w", ended(err))
		}
	}
	return scheme.Fail(scheme.CodeProtocol, "no TLS with %s: %w", wire.Escape(host), clean(err))
}

// ended makes every loss of a connection match io.ErrUnexpectedEOF.
func ended(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return clean(err)
	}
	return &safeError{text: io.ErrUnexpectedEOF.Error(), errs: []error{io.ErrUnexpectedEOF, err}}
}

// clean makes the text of an error safe to show: net/http quotes peers.
func clean(err error) error {
	return &safeError{text: show(err.Error()), errs: []error{err}}
}

type safeError struct {
	text string
	errs []error
}

func (e *safeError) Error() string   { return e.text }
func (e *safeError) Unwrap() []error { return e.errs }
