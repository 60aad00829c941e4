package ftp

import (
	"context"
	"crypto/tls"
	"errors"
	"net"

	"locator/scheme"
)

// secure switches the control connection to TLS according to Env.TLSMode (RFC 4217 4). password reports whether a password
// would be sent, which decides in mode TLSAuto. That of ftps uses TLS already.
func (c *control) secure(ctx context.Context, env *scheme.Env, password bool) error {
	mode := env.TLSMode
	if c.tls != nil || mode == scheme.TLSOff || mode == scheme.TLSAuto && !password {
		return nil
	}
	r, err := c.ask("AUTH TLS", bare("AUTH TLS"))
	if err != nil {
		return err
	}
	if r.code != 234 && r.code != 334 {
		if mode == scheme.TLSRequire {
			return scheme.Replied(scheme.CodeUnsupported, r.shown(), "TLS is required, and the server does not offer it")
		}
		if password {
			env.Trace.OnNote("the server offers no TLS; the login goes in the clear")
		}
		return nil
	}
	return c.startTLS(ctx, env)
}

// startTLS makes the control connection a TLS connection. There is no fallback to clear text.
func (c *control) startTLS(ctx context.Context, env *scheme.Env) error {
	cfg := env.TLS(c.host)
	if cfg.ClientSessionCache == nil {
		// Servers such as vsftpd (require_ssl_reuse) require the data connections to resume the session of the control
		// connection.
		cfg.ClientSessionCache = tls.NewLRUClientSessionCache(1)
	}
	var over *tls.Conn
	if err := c.wire.Upgrade(func(plain net.Conn) net.Conn {
		over = tls.Client(plain, cfg)
		return over
	}); err != nil {
		return c.end(scheme.Fail(scheme.CodeProtocol, "%w", err))
	}
	if err := over.HandshakeContext(ctx); err != nil {
		c.unusable.Store(true)
		return &tlsError{"the control connection", err}
	}
	c.tls = cfg
	return nil
}

// protect requests TLS for the data connections, after the login (RFC 4217 9).
func (c *control) protect() error {
	if c.tls == nil {
		return nil
	}
	for _, words := range []string{"PBSZ 0", "PROT P"} {
		r, err := c.ask(words, bare(words))
		if err != nil {
			return err
		}
		if r.class() != 2 {
			return scheme.Replied(scheme.CodeUnsupported, r.shown(), "the server protects the control connection by TLS, but not the data connections: %s", words)
		}
	}
	return nil
}

// protectData makes a data connection a TLS connection if the control connection is one.
func (c *control) protectData(ctx context.Context, conn net.Conn) (net.Conn, error) {
	if c.tls == nil {
		return conn, nil
	}
	over := tls.Client(conn, c.tls)
	if err := over.HandshakeContext(ctx); err != nil {
		return nil, &tlsError{"the data connection", err}
	}
	return over, nil
}

// tlsError is the error of a handshake. The client recognises a bad certificate by the type of the wrapped error.
type tlsError struct {
	what string
	err  error
}

func (e *tlsError) Error() string {
	if bad, ok := errors.AsType[*tls.CertificateVerificationError](e.err); ok {
		return "the certificate of " + e.what + " is not trusted: " + bad.Err.Error() + "; to trust its issuer, use --cacert"
	}
	return "TLS over " + e.what + " failed: " + e.err.Error()
}

func (e *tlsError) Unwrap() error { return e.err }
