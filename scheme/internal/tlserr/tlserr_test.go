package tlserr

import (
	"crypto/tls"
	"crypto/x509"
	"strings"
	"testing"
)

// The advice to trust the issuer is given only if the issuer is what is wrong.
//
// Covers: A6
func TestAdvice(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err     error
		advised bool
	}{
		{x509.UnknownAuthorityError{}, true},
		{x509.SystemRootsError{}, true},
		{x509.CertificateInvalidError{Reason: x509.Expired}, false},
		{x509.CertificateInvalidError{Reason: x509.IncompatibleUsage}, false},
		{x509.HostnameError{Certificate: &x509.Certificate{}, Host: "h.example"}, false},
	} {
		err := Failed("the connection", &tls.CertificateVerificationError{Err: tt.err})
		if got := strings.Contains(err.Error(), "--cacert"); got != tt.advised || !strings.HasPrefix(err.Error(), "the certificate of the connection is not trusted: x509: ") {
			t.Errorf("%v", err)
		}
	}
}
