package ftp

import (
	"context"
	"crypto/tls"
	"net"

	"locator"
	"locator/scheme"
)

// The names of the schemes. ftps is ftp over TLS from the first byte on. No RFC defines it; the port registry does (990, "ftp
// protocol, control, over TLS/SSL").
const (
	schemeName    = "ftp"
	schemeNameTLS = "ftps"
)

// build returns the URL of v in the plan's scheme.
func (p *plan) build(v *locator.FTP) (locator.URL, error) {
	v.Secure = p.implicit
	return locator.Build(v)
}

// scheme is the name of the plan's scheme.
func (p *plan) scheme() string {
	if p.implicit {
		return schemeNameTLS
	}
	return schemeName
}

// startTLS makes a control connection a TLS connection before anything is sent. There is no fallback to clear text.
func (c *control) startTLS(ctx context.Context, env *scheme.Env) (net.Conn, error) {
	c.tls = c.tlsConfig(env)
	over := tls.Client(c.raw, c.tls)
	if err := over.HandshakeContext(ctx); err != nil {
		return nil, badTLS("the control connection", err)
	}
	return over, nil
}

// tlsConfig is the configuration for a control connection and its data connections.
func (c *control) tlsConfig(env *scheme.Env) *tls.Config {
	cfg := env.TLS(c.host)
	if cfg.ClientSessionCache == nil {
		// Servers such as vsftpd (require_ssl_reuse) require the data connections to resume the session of the control
		// connection.
		cfg.ClientSessionCache = tls.NewLRUClientSessionCache(1)
	}
	return cfg
}
