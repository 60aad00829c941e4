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
	"syscall"

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
		return scheme.OK
	case errors.Is(err, context.Canceled):
		return scheme.Interrupted
	case errors.As(err, &syntax):
		return scheme.Malformed
	case errors.As(err, &unsafe), badCertificate(err):
		return scheme.Refused
	case errors.As(err, &dns), errors.As(err, &op) && op.Op == "dial":
		return scheme.Unreachable
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EROFS):
		return scheme.Local
	case errors.Is(err, wire.ErrLimit), broken(err):
		return scheme.Broken
	case errors.Is(err, fs.ErrNotExist):
		return scheme.NotFound
	case errors.Is(err, errors.ErrUnsupported):
		return scheme.Unsupported
	case errors.As(err, &path):
		return scheme.Local
	}
	return scheme.Protocol
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

// wrap makes what went wrong in an operation one *scheme.Error with all its parts.
func (op *operation) wrap(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); cause != nil && ctx.Err() != nil {
		code := scheme.Interrupted
		if errors.Is(cause, context.DeadlineExceeded) {
			code = scheme.Broken
		}
		return op.wrapCode(code, cause)
	}
	var e *scheme.Error
	if errors.As(err, &e) {
		if e.Op != "" && e.URL != "" {
			return err
		}
		whole := &scheme.Error{Op: op.name, URL: op.r.URL.Redacted(), Code: e.Code, Reply: e.Reply,
			RetryAfter: e.RetryAfter, Final: e.Final, Err: e.Err}
		if direct, ok := err.(*scheme.Error); !ok || direct != e {
			whole.Err, whole.Reply = err, "" // what stands around e says more
		}
		return whole
	}
	return op.wrapCode(CodeOf(err), explained(err))
}

func (op *operation) wrapCode(code scheme.Code, err error) error {
	return &scheme.Error{Op: op.name, URL: op.r.URL.Redacted(), Code: code, Err: err}
}

func (op *operation) fail(code scheme.Code, format string, args ...any) error {
	return op.wrapCode(code, scheme.Fail(code, format, args...).Err)
}

// explained adds what a person should know to the errors that say too little.
func explained(err error) error {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &hinted{"the peer stalled: nothing moved within the time limit", err}
	case err == io.EOF, err == io.ErrUnexpectedEOF:
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
