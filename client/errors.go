package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"strings"
	"syscall"
	"unicode/utf8"

	"locator"
	"locator/scheme"
	"locator/wire"
)

// CodeOf finds the code of an error: OK for nil, and the nearest for errors that carry none.
func CodeOf(err error) scheme.Code {
	var e *scheme.Error
	if errors.As(err, &e) {
		return e.Code
	}
	var syntax *locator.SyntaxError
	var unsafe *wire.UnsafeError
	var dns *net.DNSError
	var op *net.OpError
	var path *fs.PathError
	switch {
	case err == nil:
		return scheme.CodeOK
	case errors.Is(err, context.Canceled):
		return scheme.CodeInterrupted
	case errors.As(err, &syntax):
		return scheme.CodeMalformed
	case errors.As(err, &unsafe), badCertificate(err):
		return scheme.CodeRefused
	case errors.As(err, &dns), errors.As(err, &op) && op.Op == "dial":
		return scheme.CodeUnreachable
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EROFS):
		return scheme.CodeLocal
	case errors.Is(err, wire.ErrLimit), broken(err):
		return scheme.CodeBroken
	case errors.Is(err, fs.ErrNotExist):
		return scheme.CodeNotFound
	case errors.Is(err, errors.ErrUnsupported):
		return scheme.CodeUnsupported
	case errors.As(err, &path):
		return scheme.CodeLocal
	}
	return scheme.CodeProtocol
}

func badCertificate(err error) bool {
	var verify *tls.CertificateVerificationError
	var unknown x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	return errors.As(err, &verify) || errors.As(err, &unknown) || errors.As(err, &host) || errors.As(err, &invalid)
}

func broken(err error) bool {
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.DeadlineExceeded) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

// wrap makes what went wrong in an operation one *scheme.Error with all its parts. Its text is safe to show, whatever a
// library quotes of a peer.
func (op *operation) wrap(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); cause != nil && ctx.Err() != nil {
		code := scheme.CodeInterrupted
		if errors.Is(cause, context.DeadlineExceeded) {
			code = scheme.CodeBroken
		}
		if e, ok := errors.AsType[*scheme.Error](err); ok && e.Code == scheme.CodeInterrupted {
			cause = e.Err // it says besides what was left behind
		}
		return op.wrapCode(code, cause)
	}
	var e *scheme.Error
	if errors.As(err, &e) {
		if e.Op != "" && e.URL != "" {
			return err
		}
		whole := &scheme.Error{Op: op.name, URL: op.r.URL.Redacted(), Code: e.Code, Reply: e.Reply,
			RetryAfter: e.RetryAfter, Final: e.Final, Partial: op.partial(e.Partial), Err: shown(e.Err)}
		if direct, ok := err.(*scheme.Error); !ok || direct != e {
			whole.Err, whole.Reply = shown(err), "" // what stands around e says more
		}
		return whole
	}
	return op.wrapCode(CodeOf(err), explained(err))
}

func (op *operation) wrapCode(code scheme.Code, err error) error {
	return &scheme.Error{Op: op.name, URL: op.r.URL.Redacted(), Code: code, Partial: op.partial(nil), Err: shown(err)}
}

// partial completes what is known about an operation that failed.
func (op *operation) partial(known *scheme.Resource) *scheme.Resource {
	res := &scheme.Resource{URL: op.r.URL}
	if known != nil {
		res.Status, res.Receipt = known.Status, known.Receipt
	}
	op.mu.Lock()
	defer op.mu.Unlock()
	res.Public, res.Via, res.Addr = op.public.Load(), op.via, op.addr
	return res
}

func (op *operation) fail(code scheme.Code, format string, args ...any) error {
	return op.wrapCode(code, scheme.Fail(code, format, args...).Err)
}

// explained adds what a person should know to the errors that say too little.
func explained(err error) error {
	var dns *net.DNSError
	var op *net.OpError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return &hinted{"there is no host of this name; check how it is spelled", err}
	case errors.Is(err, syscall.ECONNREFUSED):
		return &hinted{"nobody listens there; check the port, or try again later", err}
	case errors.As(err, &op) && op.Op == "dial" && op.Timeout():
		return &hinted{"the host was not reached within the time limit", err}
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &hinted{"the peer stalled: nothing moved within the time limit", err}
	case err == io.EOF, err == io.ErrUnexpectedEOF, err == wire.ErrNoLineEnd:
		return &hinted{"the peer closed the connection too early", err}
	}
	return err
}

// hinted is an error with clearer words.
type hinted struct {
	text string
	err  error
}

func (h *hinted) Error() string { return h.text + " (" + h.err.Error() + ")" }
func (h *hinted) Unwrap() error { return h.err }

// shown is an error whose text holds nothing that could do something to a terminal: libraries quote what peers sent,
// such as the names in a certificate.
func shown(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	unsafe := func(r rune) bool { return r < ' ' || r >= 0x7F && r < 0xA0 }
	if utf8.ValidString(text) && !strings.ContainsFunc(text, unsafe) {
		return err
	}
	return &escaped{wire.Escape(text), err}
}

// escaped is an error with a text that is safe to show.
type escaped struct {
	text string
	err  error
}

func (e *escaped) Error() string { return e.text }
func (e *escaped) Unwrap() error { return e.err }
