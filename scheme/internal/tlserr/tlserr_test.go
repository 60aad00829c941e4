package tlserr

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"testing"
)

// The error of a handshake says what is wrong with a certificate, and wraps it.
//
// Covers: A6
func TestFailed(t *testing.T) {
	t.Parallel()
	bad := x509.CertificateInvalidError{Reason: x509.Expired}
	err := Failed("the connection", &tls.CertificateVerificationError{Err: bad})
	if want := "the certificate of the connection is not trusted: " + bad.Error(); err.Error() != want || !errors.As(err, new(x509.CertificateInvalidError)) {
		t.Errorf("%v, want %s", err, want)
	}
}
