package client

import (
	"cmp"
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
	"locator/internal/hint"
	"locator/repair"
	"locator/scheme"
	"locator/wire"
)

// CodeOf returns the code of an error. It returns CodeOK for nil. For an error that is not a
// *scheme.Error it chooses the closest code. It never returns CodeOK for an error.
func CodeOf(err error) scheme.Code {
	var e *scheme.Error
	if errors.As(err, &e) {
		return cmp.Or(e.Code, scheme.CodeProtocol)
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
	case errors.As(err, &unsafe):
		return scheme.CodeRefused
	case badCertificate(err):
		return scheme.CodeUntrusted
	case errors.As(err, &dns), errors.As(err, &op) && op.Op == "dial", errors.Is(err, syscall.ECONNREFUSED): // over UDP a read reports it
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
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) ||
		errors.Is(err, syscall.ETIMEDOUT) || errors.Is(err, syscall.EHOSTUNREACH) || errors.Is(err, syscall.ENETUNREACH)
}

// wrap returns err as a *scheme.Error with operation, URL, code and server reply. Its text is safe
// to print on a terminal, even where a library quotes the server.
func (op *operation) wrap(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); cause != nil && ctx.Err() != nil {
		code := scheme.CodeInterrupted
		if errors.Is(cause, context.DeadlineExceeded) {
			code = scheme.CodeBroken
		}
		whole := &scheme.Error{Op: op.name, URL: op.r.URL.Redacted(), Code: code}
		if e, ok := errors.AsType[*scheme.Error](err); ok && (e.Code == scheme.CodeInterrupted || e.Code == scheme.CodeInDoubt && code == scheme.CodeBroken) {
			if e.Code == scheme.CodeInDoubt {
				whole.Code = e.Code
			}
			cause, whole.Partial = e.Err, e.Partial // they also name what was left behind, or may have been done
		}
		whole.Partial, whole.Err = op.partial(whole.Partial), op.guess(whole.Code, op.escapeError(cause))
		return whole
	}
	var e *scheme.Error
	if errors.As(err, &e) && e.Op != "" && e.URL != "" {
		return err
	}
	if refused := op.certificateError(err); refused != nil {
		return refused
	}
	if e != nil {
		whole := &scheme.Error{Op: op.name, URL: op.r.URL.Redacted(), Code: cmp.Or(e.Code, scheme.CodeProtocol), Hint: hintOf(err), Reply: op.secret.hide(e.Reply),
			RetryAfter: e.RetryAfter, Final: e.Final, Partial: op.partial(e.Partial), Err: op.guess(e.Code, op.escapeError(e.Err))}
		if direct, ok := err.(*scheme.Error); !ok || direct != e {
			whole.Err, whole.Reply = op.guess(e.Code, op.escapeError(err)), "" // the errors that wrap e have more context
		}
		return whole
	}
	return op.wrapCode(CodeOf(err), addHint(err))
}

func (op *operation) wrapCode(code scheme.Code, err error) *scheme.Error {
	return &scheme.Error{Op: op.name, URL: op.r.URL.Redacted(), Code: code, Hint: hintOf(err), Partial: op.partial(nil), Err: op.guess(code, op.escapeError(err))}
}

// guess adds what the author of the URL may have meant to an error that another URL may not have,
// and the reason why no certificate is trusted on a system without root certificates.
func (op *operation) guess(code scheme.Code, err error) error {
	if errors.As(err, new(x509.UnknownAuthorityError)) && (op.c.opt.TLS == nil || op.c.opt.TLS.RootCAs == nil) {
		if system, poolErr := x509.SystemCertPool(); poolErr == nil && isEmpty(system) {
			return &textError{err.Error() + "; no root certificates are installed on this system, so install them (the package ca-certificates)", err}
		}
	}
	switch code {
	case scheme.CodeUsage, scheme.CodeRefused, scheme.CodeUntrusted, scheme.CodeUnreachable, scheme.CodeNotFound, scheme.CodeProtocol, scheme.CodeUnsupported:
		if hint := repair.Hint(op.r.URL); hint != "" && err != nil {
			return &textError{err.Error() + "; " + hint, err}
		}
	}
	return err
}

// isEmpty reports whether a pool trusts no issuer. The pools of systems that verify certificates
// themselves are never empty.
func isEmpty(pool *x509.CertPool) bool { return pool.Equal(x509.NewCertPool()) }

// hintOf returns the setting that would allow what failed with err, or "".
func hintOf(err error) string {
	if errors.As(err, new(x509.UnknownAuthorityError)) || errors.As(err, new(x509.SystemRootsError)) {
		return hint.RootCAs
	}
	return hint.Of(err)
}

// partial returns what is known about an operation that failed: the URL, hops and address, and what
// the scheme knows.
func (op *operation) partial(known *scheme.Resource) *scheme.Resource {
	res := &scheme.Resource{URL: op.r.URL}
	if known != nil {
		res.Status, res.Receipt, res.Attr = known.Status, known.Receipt, known.Attr
		if !known.URL.IsZero() {
			res.URL = known.URL
		}
	}
	op.secret.hideReceipt(res.Receipt)
	op.mu.Lock()
	defer op.mu.Unlock()
	res.Public, res.Via, res.Addr = op.public.Load(), op.via, op.addr
	return res
}

func (op *operation) fail(code scheme.Code, format string, args ...any) error {
	return op.wrapCode(code, scheme.Fail(code, format, args...).Err)
}

// addHint adds a hint to errors whose text does not help the user.
func addHint(err error) error {
	var dns *net.DNSError
	var op *net.OpError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return hinted("host not found; check the spelling", err)
	case dns != nil && unconfigured(dns, "/etc/resolv.conf"):
		return hinted("no name server is known, since there is no /etc/resolv.conf", err)
	case errors.Is(err, syscall.ECONNREFUSED):
		return hinted("no server is listening on that port; check it or try again later", err)
	case errors.As(err, &op) && op.Op == "dial" && op.Timeout():
		return hinted("the host did not accept the connection before the timeout", err)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return hinted("the server stalled: no data before the timeout", err)
	case errors.Is(err, syscall.ECONNRESET) && (err == error(op) || strings.HasPrefix(err.Error(), io.ErrUnexpectedEOF.Error())): // no words of a scheme
		return hinted("the server broke the connection off", err)
	case err == io.EOF, err == io.ErrUnexpectedEOF, err == wire.ErrNoLineEnd:
		return hinted("the server closed the connection too early", err)
	}
	return err
}

// unconfigured reports whether err comes from a server that Go assumes on this host if the file
// that names the servers is missing.
func unconfigured(err *net.DNSError, file string) bool {
	if err.Server != "127.0.0.1:53" && err.Server != "[::1]:53" {
		return false
	}
	_, missing := os.Stat(file)
	return errors.Is(missing, fs.ErrNotExist)
}

// hinted puts a hint for the user in front of the text of an error.
func hinted(hint string, err error) error { return &textError{hint + " (" + err.Error() + ")", err} }

// escapeError returns err with a text that is safe to show: without the secrets of the operation,
// and escaped.
func (op *operation) escapeError(err error) error { return op.secret.hideError(escapeError(err)) }

// escapeError returns err with control characters in its text escaped. Libraries quote what servers
// send, such as the names in a certificate.
func escapeError(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	unsafe := func(r rune) bool { return r < ' ' || r >= 0x7F && r < 0xA0 }
	if utf8.ValidString(text) && !strings.ContainsFunc(text, unsafe) {
		return err
	}
	return &textError{wire.Escape(text), err}
}

// textError is an error with another text.
type textError struct {
	text string
	err  error
}

func (e *textError) Error() string { return e.text }
func (e *textError) Unwrap() error { return e.err }
