// Package tlserr words the errors of TLS handshakes for people.
package tlserr

import (
	"crypto/tls"
	"errors"
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
		return "the certificate of " + e.what + " is not trusted: " + bad.Err.Error() + "; to trust its issuer, use --cacert"
	}
	return "TLS over " + e.what + " failed: " + e.err.Error()
}

func (e *handshakeError) Unwrap() error { return e.err }
