package ftp

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"

	"locator/scheme"
	"locator/scheme/internal/dialogue"
)

// secure switches the control connection to TLS according to Env.TLSMode (RFC 4217 4). password reports whether a password
// would be sent, which decides in mode TLSAuto. That of ftps uses TLS already.
func (c *conn) secure(ctx context.Context, env *scheme.Env, password bool) error {
	mode := env.TLSMode
	if c.TLS || mode == scheme.TLSOff || mode == scheme.TLSAuto && !password {
		return nil
	}
	r, err := c.ask("AUTH TLS", dialogue.Bare("AUTH TLS"))
	if err != nil {
		return err
	}
	if r.Code != 234 && r.Code != 334 {
		if mode == scheme.TLSRequire {
			return scheme.Replied(scheme.CodeUnsupported, r.Shown(), "TLS is required, and the server does not offer it")
		}
		c.clear = password
		return nil
	}
	return c.startTLS(ctx, env)
}

// startTLS makes the control connection a TLS connection. There is no fallback to clear text.
func (c *conn) startTLS(ctx context.Context, env *scheme.Env) error {
	return c.StartTLS(ctx, env, scheme.Dial{Config: func(cfg *tls.Config) {
		if cfg.ClientSessionCache == nil {
			// Servers such as vsftpd (require_ssl_reuse) require the data connections to resume the session of the control
			// connection.
			cfg.ClientSessionCache = tls.NewLRUClientSessionCache(1)
		}
		c.sessions = keptSessions{cfg.ClientSessionCache}
	}})
}

// keptSessions is the session cache for data connections. Package tls removes a session if a handshake that resumes it fails,
// which the handshake of every transfer does that the server refuses.
type keptSessions struct{ tls.ClientSessionCache }

// Put implements tls.ClientSessionCache.
func (k keptSessions) Put(key string, s *tls.ClientSessionState) {
	if s != nil {
		k.ClientSessionCache.Put(key, s)
	}
}

// protect requests TLS for the data connections, after the login (RFC 4217 9).
func (c *conn) protect() error {
	if !c.TLS {
		return nil
	}
	for _, words := range []string{"PBSZ 0", "PROT P"} {
		r, err := c.ask(words, dialogue.Bare(words))
		if err != nil {
			return err
		}
		if r.Class() != 2 {
			return scheme.Replied(scheme.CodeUnsupported, r.Shown(), "the server protects the control connection by TLS, but not the data connections: %s", words)
		}
	}
	return nil
}

// dataConn is a data connection before its transfer.
type dataConn struct {
	raw    net.Conn
	unbind func() bool
	ended  chan struct{} // closed when the handshake has ended; nil without TLS
	over   net.Conn      // over TLS, once the handshake has ended
	err    error         // of the handshake
}

// protectData takes over a data connection, and begins its handshake if the control connection uses TLS. The reply to the
// command is read meanwhile.
//
// QUIRK: ftp-srv 4.6.3 sends its 150 only after the handshake, and 425 if that does not begin. vsftpd 3.0.3 and proftpd 1.3.8
// send the 150 first.
func (c *conn) protectData(ctx context.Context, env *scheme.Env, conn net.Conn) *dataConn {
	d := &dataConn{raw: conn, unbind: scheme.Bind(ctx, conn)}
	if !c.TLS {
		return d
	}
	d.ended = make(chan struct{})
	go func() {
		defer close(d.ended)
		d.over, d.err = env.Dial(ctx, scheme.Dial{TLS: c.Host, Over: conn, Config: func(cfg *tls.Config) { cfg.ClientSessionCache = c.sessions }})
		if d.err != nil {
			d.err = fmt.Errorf("the data connection: %w", d.err)
			conn.Close() // the server may wait for it before it replies
		}
	}()
	return d
}

// ready returns the connection for data once its handshake has ended.
func (d *dataConn) ready() (net.Conn, error) {
	if d.ended == nil {
		return d.raw, nil
	}
	<-d.ended
	return d.over, d.err
}

// drop closes the connection. It returns the error of a bad certificate.
func (d *dataConn) drop() error {
	if d == nil {
		return nil
	}
	d.unbind()
	d.raw.Close()
	if _, err := d.ready(); errors.As(err, new(*tls.CertificateVerificationError)) {
		return err
	}
	return nil
}
