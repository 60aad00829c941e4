package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"testing"

	"locator"
	"locator/scheme"
)

// An error of the client has the hint of the error that it wraps. The hint to trust an issuer is given only if the issuer is what is wrong.
//
// Covers: A6
func TestHint(t *testing.T) {
	t.Parallel()
	refused := scheme.Fail(scheme.CodeRefused, "port 25 is refused")
	refused.Hint = "AllowPorts=25"
	for _, tt := range []struct {
		err  error
		want string
	}{
		{refused, "AllowPorts=25"},
		{fmt.Errorf("reused connection: %w", refused), "AllowPorts=25"},
		{scheme.Fail(scheme.CodeProtocol, "the server led there: %w", refused), "AllowPorts=25"},
		{scheme.Replied(scheme.CodeProtocol, "no", "the server led there: %w", errors.Join(errors.New("first"), refused)), "AllowPorts=25"},
		{&scheme.Error{Code: scheme.CodeBroken, Err: refused}, "AllowPorts=25"},
		{scheme.Fail(scheme.CodeRefused, "no"), ""},
		{errors.New("no"), ""},
		{&tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}, "TLS.RootCAs"},
		{scheme.Fail(scheme.CodeRefused, "not trusted: %w", x509.UnknownAuthorityError{}), "TLS.RootCAs"},
		{x509.SystemRootsError{}, "TLS.RootCAs"},
		{x509.CertificateInvalidError{Reason: x509.Expired}, ""},
		{x509.CertificateInvalidError{Reason: x509.IncompatibleUsage}, ""},
		{x509.HostnameError{Certificate: &x509.Certificate{}, Host: "h.example"}, ""},
	} {
		c := New(Options{Registry: scheme.NewRegistry(fake{name: "x-a", access: func(context.Context, *scheme.Env, scheme.Request) (*scheme.Resource, error) {
			return nil, tt.err
		}})})
		_, err := c.Access(t.Context(), scheme.Request{URL: locator.Current.MustParse("x-a:b")}, nil)
		if e, ok := errors.AsType[*scheme.Error](err); !ok || e.Hint != tt.want {
			t.Errorf("%v: hint %q, want %q", tt.err, e.Hint, tt.want)
		}
		c.Close()
	}
}
