package client

import (
	"context"
	"crypto/tls"
	"net"
	"time"

	"locator"
	"locator/policy"
	"locator/scheme"
)

// Options configure a Client. Only Registry is required.
type Options struct {
	Registry *scheme.Registry
	Syntax   *locator.Parser // how texts are read; locator.Current where nil
	Policy   policy.Policy   // the standard policy where nil
	Limits   scheme.Limits
	Trace    *scheme.Trace
	Logins   []LoginFunc // asked in order, and only when a peer asks
	TLS      *tls.Config // base of every TLS configuration; nil is the system's roots
	TLSMode  scheme.TLSMode
	Servers  map[string][]locator.URL // configured servers of schemes whose URLs name none
	Mail     string                   // the password of anonymous ftp; "locator@" where ""
	// UserAgent is sent where a protocol has a word for it.
	UserAgent string
	Header    []string // further "Name: value" lines for http
	Family    int      // 4 or 6 for one address family, 0 for both
	Resolver  *net.Resolver
	// Proxy chooses a proxy for each connection; nil is none ever. See [ProxyFromEnvironment].
	Proxy ProxyFunc
	// Dial takes the place of the network in tests. Policy has been asked about addr, which is an IP address and
	// port, before it is called.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	Now  func() time.Time
	// Hostnames are names of this machine, which file URLs may name beside localhost (RFC 1738 3.10).
	Hostnames []string
	Terminal  string // type of the user's terminal, as in TERM, for telnet; "" where there is none
	// Progress is told how many octets of a body have passed since the last call. It may be called often.
	Progress func(u locator.URL, n int)
	// Note is told what a person should know and what turns up only while a body or a listing is read: where, and what.
	Note func(u locator.URL, text string)
}

// DefaultMail is the password of anonymous ftp where none is configured: it names the program, not the user.
const DefaultMail = "locator@"

// Client accesses URLs. It is safe for concurrent use. Close frees what it keeps.
type Client struct {
	opt    Options
	pool   *pool
	public seen // which host:port was reached on a public address

}

// New makes a client. It panics without a registry.
func New(opt Options) *Client {
	if opt.Registry == nil {
		panic("client: Options.Registry is nil")
	}
	if opt.Syntax == nil {
		opt.Syntax = locator.Current
	}
	if opt.Trace == nil {
		opt.Trace = &scheme.Trace{}
	}
	if opt.Mail == "" {
		opt.Mail = DefaultMail
	}
	if opt.Resolver == nil {
		opt.Resolver = net.DefaultResolver
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	opt.Limits = opt.Limits.WithDefaults()
	if opt.Policy == nil {
		opt.Policy = policy.New(policy.Options{MaxHops: opt.Limits.Hops})
	}
	return &Client{opt: opt, pool: newPool()}
}

// Parse parses a URL by the client's syntax. The error is a *scheme.Error of code Malformed around the SyntaxError.
func (c *Client) Parse(text string) (locator.URL, error) {
	u, err := c.opt.Syntax.Parse(text)
	if err != nil {
		return u, &scheme.Error{Op: "parse", Code: scheme.CodeMalformed, Err: err}
	}
	return u, nil
}

// Registry is the set of schemes that the client was made with.
func (c *Client) Registry() *scheme.Registry { return c.opt.Registry }

// Close ends the connections that are kept. Those in use end with their contexts.
func (c *Client) Close() error {
	c.pool.close()
	return nil
}
