// Package tlserr starts TLS, and words the errors of handshakes for people.
package tlserr

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"time"

	"locator/scheme"
	"locator/wire"
)

// Failed returns the error of a handshake over a connection, which what names. It wraps err, from which the client recognizes a bad
// certificate.
func Failed(what string, err error) error { return &handshakeError{what, err} }

type handshakeError struct {
	what string
	err  error
}

func (e *handshakeError) Error() string {
	if bad, ok := errors.AsType[*tls.CertificateVerificationError](e.err); ok {
		return "the certificate of " + e.what + " is not trusted: " + bad.Err.Error()
	}
	return "TLS over " + e.what + " failed: " + e.err.Error()
}

func (e *handshakeError) Unwrap() error { return e.err }

// Handshake starts TLS with a server that must speak it from the first byte on; there is no fallback to clear text. limit bounds the time.
// A server that does not speak TLS gives CodeProtocol; a context that has ended, its cause. Any other error is that of package tls.
func Handshake(ctx context.Context, conn net.Conn, config *tls.Config, limit time.Duration) (net.Conn, error) {
	c := wire.TLSClient(conn, config)
	err := wire.Handshake(ctx, c, limit)
	switch _, plain := errors.AsType[tls.RecordHeaderError](err); {
	case err == nil:
		return c, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case plain:
		return nil, scheme.Fail(scheme.CodeProtocol, "the server does not speak TLS on this port: %w", err)
	}
	return nil, err
}
