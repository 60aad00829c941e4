package http

import (
	"cmp"
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net"
	nethttp "net/http"
	"strings"
	"time"

	"locator/internal/hint"
	"locator/scheme"
	"locator/wire"
)

// statusError returns the error for a status other than success (RFC 9110 15), and discards the
// response.
func (a *response) statusError() error {
	defer a.discard()
	code, text := codeOf(a.StatusCode)
	advice := ""
	if why, cert := a.certificateRefused(); why != "" {
		code, text, advice = scheme.CodeLoginNeeded, why, cert
	}
	if a.StatusCode == nethttp.StatusProxyAuthRequired && a.x.via != nil {
		text = "the proxy " + wire.Escape(a.x.via.addr) + " requires a login; put it into the proxy's URL"
	}
	var wait time.Duration
	if after := a.Header.Get("Retry-After"); after != "" && code == scheme.CodeUnavailable {
		text += "; the server asks to wait (Retry-After: " + quoteText(after) + ")"
		wait = retryAfter(after, a.x.env.Clock.Now())
	}
	e := hint.Replied(advice, code, a.statusLine(), "%s", text)
	e.RetryAfter, e.Partial = wait, &scheme.Resource{Status: a.code()}
	return e
}

// certificateRefused returns the text and the hint of an error about the client certificate, or "".
//
// QUIRK: nginx 1.22.1 answers 400, and only the title of its page says why.
func (a *response) certificateRefused() (text, advice string) {
	if a.StatusCode != nethttp.StatusBadRequest || a.x.s.name != "https" {
		return "", ""
	}
	page, _ := io.ReadAll(io.LimitReader(a.Body, 1<<10)) // its beginning is enough
	switch title := string(page); {
	case strings.Contains(title, "<title>400 No required SSL certificate was sent</title>"):
		return "the server requires a client certificate", hint.Certificate
	case strings.Contains(title, "<title>400 The SSL certificate error</title>"):
		return "the server does not accept the client certificate", ""
	}
	return "", ""
}

// maxSeconds is the largest Retry-After in seconds; larger values are reduced to it.
const maxSeconds = 100 * 365 * 24 * 3600

// retryAfter parses a Retry-After field, which is a number of seconds or a date (RFC 9110 10.2.3).
// It returns 0 if the field is invalid or the date has passed.
func retryAfter(field string, now time.Time) time.Duration {
	if n, ok := parseSize(field); ok {
		return time.Duration(min(n, maxSeconds)) * time.Second
	}
	if t, err := nethttp.ParseTime(field); err == nil {
		return max(t.Sub(now), 0)
	}
	return 0
}

// codeOf returns the code and the error text for a status.
func codeOf(status int) (scheme.Code, string) {
	switch status {
	case nethttp.StatusUnauthorized, nethttp.StatusProxyAuthRequired:
		return scheme.CodeLoginNeeded, "login required"
	case nethttp.StatusForbidden, nethttp.StatusUnavailableForLegalReasons:
		return scheme.CodeLoginNeeded, "access denied by the server; another login may be allowed"
	case nethttp.StatusNotFound:
		return scheme.CodeNotFound, "not found on the server"
	case nethttp.StatusGone:
		return scheme.CodeGone, "permanently removed from the server"
	case nethttp.StatusMethodNotAllowed:
		return scheme.CodeUnsupported, "the server does not allow this operation on the resource"
	case nethttp.StatusNotAcceptable:
		return scheme.CodeUnsupported, "the server has no version in the requested types or languages"
	case nethttp.StatusLengthRequired, nethttp.StatusRequestEntityTooLarge, nethttp.StatusUnsupportedMediaType,
		nethttp.StatusExpectationFailed, nethttp.StatusUpgradeRequired:
		return scheme.CodeUnsupported, "the server does not accept this body"
	case nethttp.StatusConflict, nethttp.StatusPreconditionFailed, nethttp.StatusFailedDependency: // now or later
		return scheme.CodeUnsupported, "the request conflicts with the state of the resource on the server"
	case nethttp.StatusRequestTimeout, nethttp.StatusLocked, nethttp.StatusTooEarly, nethttp.StatusTooManyRequests,
		nethttp.StatusBadGateway, nethttp.StatusServiceUnavailable, nethttp.StatusGatewayTimeout:
		return scheme.CodeUnavailable, "temporarily unavailable"
	case nethttp.StatusNotModified:
		return scheme.CodeProtocol, "the server reports an unmodified copy, but the request named none"
	}
	switch status / 100 {
	case 5:
		return scheme.CodeUnavailable, "the server failed to carry out the request"
	case 4:
		return scheme.CodeProtocol, "the server rejected the request"
	}
	return scheme.CodeProtocol, "unexpected status"
}

// cancelled returns why the caller ended the exchange, or nil if it did not. At its Timeout, an
// http.Client closes the Cancel channel of its request, which may be before the deadline of ctx is
// noticed.
func (x *session) cancelled(ctx context.Context) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	select {
	case <-x.req.Cancel: //lint:ignore SA1019 http.Client sets it
		return context.Canceled
	default:
		return nil
	}
}

// noResponseError returns the error for a request that got no response.
func (x *session) noResponseError(ctx context.Context, l *conn, heard received, err error) error {
	if err := x.cancelled(ctx); err != nil {
		return err
	}
	if x.up != nil {
		if p := x.up.sourceError(); p != nil {
			return p
		}
	}
	if x.own && x.req.Body != nil && !isTimeout(err) && !isLoss(err) && !heard.any && heard.wrote && l.tap != nil && !l.tap.cutOff() {
		return scheme.Fail(scheme.CodeLocal, "cannot read the body: %w; the server may have stored part of it", err)
	}
	err = cmp.Or(heard.lost, err)
	first := heard.first
	sent := heard.wrote && (x.up != nil && x.up.complete() || x.own && !safe(x.req.Method) && !l.tap.cutOff())
	if e, ok := errors.AsType[*scheme.Error](err); ok && !(sent && e.Code == scheme.CodeBroken) {
		return e
	}
	switch {
	case heard.any && !strings.HasPrefix(first, statusPrefix[:min(len(first), len(statusPrefix))]):
		return scheme.Replied(scheme.CodeProtocol, quoteText(first), "the server does not speak HTTP")
	case sent && (isTimeout(err) || isLoss(err) || errors.As(err, new(*scheme.Error))):
		what := "the body was sent, but there was no response; the server may have accepted it"
		if x.req.Method == nethttp.MethodDelete {
			what = "the request was sent, but there was no response; the server may have removed the resource"
		}
		return scheme.Fail(scheme.CodeInDoubt, "%s: %w", what, asUnexpectedEOF(err))
	case err == errLate:
		return scheme.Fail(scheme.CodeBroken, "the response header takes longer than the limit of %v: %w", x.env.Limits.ReplyTime, context.DeadlineExceeded)
	case isTimeout(err):
		return scheme.Fail(scheme.CodeBroken, "no response: no data for %s: %w", x.env.Limits.Idle, escapeError(err))
	case isLoss(err) || !heard.any && l.proto == "HTTP/1.1":
		return scheme.Replied(scheme.CodeBroken, quoteText(first), "the server closed the connection without a response: %w", asUnexpectedEOF(err))
	}
	return scheme.Replied(scheme.CodeProtocol, quoteText(first), "malformed response: %w", escapeError(err))
}

// statusPrefix is the beginning of every HTTP/1 response (RFC 9112 4).
const statusPrefix = "HTTP/"

// bodyError returns the error for a failed read of the body.
func (a *response) bodyError(err error) error {
	if err := a.x.cancelled(a.ctx); err != nil {
		return err
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
		return scheme.Fail(scheme.CodeBroken, "the body stalled after %d bytes: no data for %s: %w", a.read, a.x.env.Limits.Idle, escapeError(err))
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, &corrupt):
		return scheme.Fail(scheme.CodeProtocol, "invalid gzip data after %d bytes of the body: %w", a.read, escapeError(err))
	case isLoss(err) || a.ProtoMajor > 1:
		return scheme.Fail(scheme.CodeBroken, "the body ended too early after %d bytes: %w", a.read, asUnexpectedEOF(err))
	}
	return scheme.Fail(scheme.CodeProtocol, "the body is malformed after %d bytes: %w", a.read, escapeError(err))
}

// isLoss reports whether err means that the connection was lost, as opposed to invalid data.
func isLoss(err error) bool {
	for _, loss := range []error{io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, io.ErrClosedPipe} { // upload.interrupt causes io.ErrClosedPipe
		if errors.Is(err, loss) {
			return true
		}
	}
	_, ok := errors.AsType[net.Error](err)
	return ok
}

// asUnexpectedEOF returns an error that matches err and io.ErrUnexpectedEOF.
func asUnexpectedEOF(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return escapeError(err)
	}
	return &safeError{text: io.ErrUnexpectedEOF.Error(), errs: []error{io.ErrUnexpectedEOF, err}}
}

// escapeError returns err with its text escaped and shortened: net/http quotes servers.
func escapeError(err error) error {
	return &safeError{text: quoteText(err.Error()), errs: []error{err}}
}

type safeError struct {
	text string
	errs []error
}

func (e *safeError) Error() string   { return e.text }
func (e *safeError) Unwrap() []error { return e.errs }
