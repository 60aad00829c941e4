package client

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"locator/internal/hint"
	"locator/internal/hostaddr"
	"locator/scheme"
	"locator/wire"
)

// startTLS starts TLS over a connection, as the fields of d say.
func (op *operation) startTLS(ctx context.Context, conn net.Conn, d scheme.Dial) (net.Conn, error) {
	cfg := op.tls(d.TLS)
	if d.Config != nil {
		d.Config(cfg)
	}
	c := wire.TLSClient(conn, cfg)
	if err := wire.Handshake(ctx, c, op.r.Limits.LineTime); err != nil {
		return nil, handshakeError(ctx, d, err)
	}
	return c, nil
}

// handshakeError returns the error for a failed TLS handshake.
func handshakeError(ctx context.Context, d scheme.Dial, err error) error {
	host, loss := wire.Escape(d.TLS), (net.Error)(nil)
	_, alerted := alert(err)
	switch bad, untrusted := errors.AsType[*tls.CertificateVerificationError](err); {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case untrusted:
		return scheme.Fail(scheme.CodeUntrusted, "the certificate of %s is not trusted: %w", host, &textError{bad.Err.Error(), bad})
	case errors.As(err, new(tls.RecordHeaderError)) && d.Over == nil:
		return scheme.Fail(scheme.CodeProtocol, "the server does not speak TLS on this port: %w", err)
	case errors.As(err, &loss) && loss.Timeout():
		return scheme.Fail(scheme.CodeBroken, "the TLS handshake with %s stalled: %w", host, err)
	case (broken(err) || loss != nil) && !alerted:
		return scheme.Fail(scheme.CodeBroken, "the server closed the connection in the TLS handshake: %w", &textError{io.ErrUnexpectedEOF.Error(), errors.Join(io.ErrUnexpectedEOF, err)})
	}
	return scheme.Fail(scheme.CodeProtocol, "TLS handshake with %s failed: %w", host, err)
}

// tls returns the TLS configuration for a host. Only a host that the user named is offered a client
// certificate, since that tells who the user is.
func (op *operation) tls(host string) *tls.Config {
	cfg := &tls.Config{}
	if op.c.opt.TLS != nil {
		cfg = op.c.opt.TLS.Clone()
	}
	cfg.ServerName = strings.Trim(host, "[]")
	if cfg.MinVersion == 0 {
		cfg.MinVersion = tls.VersionTLS12
	}
	own, choose := cfg.Certificates, cfg.GetClientCertificate
	if !op.named(cfg.ServerName) {
		own, choose = nil, nil
	}
	cfg.GetClientCertificate = func(asked *tls.CertificateRequestInfo) (*tls.Certificate, error) {
		c, err := chooseCertificate(asked, own, choose)
		op.certificate.Store(certificateAsked)
		if c != nil && len(c.Certificate) > 0 {
			op.certificate.Store(certificateSent)
		}
		return c, err
	}
	return cfg
}

// chooseCertificate returns the first certificate that a server says it accepts, or else the first
// one, so that the server can say what is wrong. If choose is not nil, it returns what that
// returns.
func chooseCertificate(asked *tls.CertificateRequestInfo, own []tls.Certificate, choose func(*tls.CertificateRequestInfo) (*tls.Certificate, error)) (*tls.Certificate, error) {
	if choose != nil {
		return choose(asked)
	}
	for i := range own {
		if asked.SupportsCertificate(&own[i]) == nil {
			return &own[i], nil
		}
	}
	if len(own) > 0 {
		of := *asked
		if of.AcceptableCAs = nil; of.SupportsCertificate(&own[0]) == nil {
			return &own[0], nil
		}
	}
	return &tls.Certificate{}, nil
}

// named reports whether the user named a host: it is that of a configured server, or that of the
// URL, and no hop came from another host.
func (op *operation) named(host string) bool {
	if host == "" {
		return false
	}
	for _, u := range op.c.opt.Servers[op.r.URL.Scheme()] {
		if hostaddr.Same(host, u.Host()) || hostaddr.Same(host, u.ASCIIHost()) {
			return true
		}
	}
	return op.isServer(host, 0) && op.stayed()
}

// stayed reports whether every hop to the URL came from its own host.
func (op *operation) stayed() bool {
	for i, h := range op.via {
		if i == 0 && h.Foreign || !hostaddr.Same(h.From.Host(), op.r.URL.Host()) {
			return false
		}
	}
	return true
}

// What happened to the client certificate of an operation. Zero is that no server has asked for it.
const (
	certificateAsked = 1 + iota // and the client had none for that server
	certificateSent
)

// certificateError returns the error for an operation that a server ended with an alert about the
// client certificate, or nil.
func (op *operation) certificateError(err error) error {
	state := op.certificate.Load()
	reason, ok := alert(err)
	if state == 0 || !ok {
		return nil
	}
	switch reason {
	case "tls: bad certificate", "tls: unsupported certificate", "tls: revoked certificate", "tls: expired certificate", "tls: unknown certificate",
		"tls: unknown certificate authority", "tls: access denied", "tls: certificate required", "tls: handshake failure":
		what, advice := "the server requires a client certificate (%s)", hint.Certificate
		if state == certificateSent {
			what, advice = "the server does not accept the client certificate (%s)", ""
		}
		return hint.On(advice, op.wrapCode(scheme.CodeLoginNeeded, &textError{fmt.Sprintf(what, reason), err}))
	}
	return nil
}

// alert returns the reason of an alert with which a server has ended a TLS connection. Package tls
// has no exported type for it.
func alert(err error) (reason string, ok bool) {
	e, ok := errors.AsType[*net.OpError](err)
	if !ok || e.Op != "remote error" {
		return "", false
	}
	return e.Err.Error(), true
}
