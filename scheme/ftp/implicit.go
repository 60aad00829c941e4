package ftp

import (
	"context"
	"crypto/tls"
	"net"

	"locator"
	"locator/scheme"
)

// The names of the schemes and their ports. ftps is ftp over TLS from the first octet on; no RFC has it, the registry of
// ports has (990, "ftp protocol, control, over TLS/SSL").
const (
	schemeName    = "ftp"
	schemeNameTLS = "ftps"
	portTLS       = 990
	portPlain     = 21
)

// viewOf takes a URL of either scheme apart. The parts of ftps are those of ftp.
func viewOf(u locator.URL) (v *locator.FTP, implicit bool, port uint16, err error) {
	f := u
	if implicit = u.Scheme() == schemeNameTLS; implicit {
		if f, err = locator.Current.Parse(schemeName + ":" + u.WithoutFragment().Part()); err != nil {
			return nil, implicit, 0, scheme.Fail(scheme.Malformed, "after the colon an ftps URL is as an ftp URL: %w", err)
		}
	}
	v, ok := locator.As[*locator.FTP](f)
	if !ok {
		return nil, implicit, 0, scheme.Fail(scheme.Unsupported, "not an ftp URL")
	}
	port, ok = f.PortNumber()
	if implicit && v.Port == "" {
		port = portTLS
	}
	if !ok || port == 0 {
		return nil, implicit, 0, scheme.Fail(scheme.Refused, "port %s is no port number: 1 to 65535", v.Port)
	}
	return v, implicit, port, nil
}

// build makes a URL of the plan's scheme.
func (p *plan) build(v *locator.FTP) (locator.URL, error) {
	u, err := locator.Build(v)
	if err != nil || !p.implicit {
		return u, err
	}
	return locator.Current.Parse(schemeNameTLS + ":" + u.Part())
}

// scheme is the name of the plan's scheme.
func (p *plan) scheme() string {
	if p.implicit {
		return schemeNameTLS
	}
	return schemeName
}

// startTLS puts TLS under a control connection before anything is said. The server that does not speak it is never
// spoken to in the clear.
func (c *control) startTLS(ctx context.Context, env *scheme.Env) (net.Conn, error) {
	c.tls = c.tlsConfig(env)
	over := tls.Client(c.raw, c.tls)
	if err := over.HandshakeContext(ctx); err != nil {
		return nil, badTLS("the control connection", err)
	}
	return over, nil
}

// tlsConfig is for a control connection and its data connections.
func (c *control) tlsConfig(env *scheme.Env) *tls.Config {
	cfg := env.TLS(c.host)
	if cfg.ClientSessionCache == nil {
		// Servers such as vsftpd (require_ssl_reuse) want the data connections to resume the control connection's
		// session.
		cfg.ClientSessionCache = tls.NewLRUClientSessionCache(1)
	}
	return cfg
}
