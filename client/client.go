package client

import (
	"context"
	"crypto/tls"
	"net"
	"time"

	"locator"
	"locator/internal/netdial"
	"locator/internal/pool"
	"locator/policy"
	"locator/scheme"
)

// Options configure a Client. Only Registry is required.
type Options struct {
	Registry *scheme.Registry
	Syntax   *locator.Parser // how texts are parsed; nil is locator.Current
	Policy   policy.Policy   // nil is the standard policy
	Limits   scheme.Limits
	Trace    *scheme.Trace      // of all requests
	Logins   []scheme.LoginFunc // of the client's own principal: see [scheme.Principal]
	TLS      *tls.Config        // base of every TLS configuration; nil trusts the system's roots
	TLSMode  scheme.TLSMode
	Servers  map[string][]locator.URL // configured servers of schemes whose URLs name none
	Mail     string                   // the user's mail address, for anonymous ftp and articles; "" is none
	// UserAgent is sent where a protocol has a word for it.
	UserAgent string
	Header    []string // further "Name: value" lines for http, for all requests
	Family    int      // 4 or 6 for one address family, 0 for both
	Resolver  *net.Resolver
	// Proxy chooses a proxy for each connection; nil uses none. See [ProxyFromEnvironment].
	Proxy ProxyFunc
	// Dial takes the place of the network in tests. Policy has been asked about addr, which is an IP address and
	// port, before it is called.
	Dial  func(ctx context.Context, network, addr string) (net.Conn, error)
	Clock scheme.Clock // nil is the machine's clock
	// Hostnames are names of this machine, which file URLs may name beside localhost (RFC 1738 3.10).
	Hostnames []string
	Pool      PoolOptions
	// Note is told what a person should know and what turns up only while a body or a listing is read, for all requests.
	Note func(u locator.URL, text string)
}

// PoolOptions bound the idle connections that a Client keeps. A zero field stands for its default.
type PoolOptions struct {
	PerKey int           // of one server, login and principal; 4
	Total  int           // 64
	Idle   time.Duration // a connection is closed after this long without use; 60 s
}

// ProxyFunc chooses the proxy for connections of a scheme to addr, which is host:port; nil is none.
type ProxyFunc func(scheme, addr string) (*scheme.Proxy, error)

// Client accesses URLs. It is safe for concurrent use. Close frees what it keeps.
type Client struct {
	opt    Options
	self   *scheme.Principal // of requests that name none
	pool   *pool.Pool
	cache  *cache
	dialer netdial.Dialer
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
	if opt.Resolver == nil {
		opt.Resolver = net.DefaultResolver
	}
	if opt.Clock == nil {
		opt.Clock = scheme.SystemClock{}
	}
	opt.Limits = opt.Limits.WithDefaults()
	if opt.Policy == nil {
		opt.Policy = policy.New(policy.Options{MaxHops: opt.Limits.Hops})
	}
	return &Client{
		opt: opt, self: &scheme.Principal{Logins: opt.Logins},
		pool: pool.New(pool.Options(opt.Pool)), cache: newCache(opt.Clock),
		dialer: netdial.Dialer{Policy: opt.Policy, Resolver: opt.Resolver, Family: opt.Family, Proxy: opt.Proxy, Connect: opt.Dial},
	}
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
	c.pool.Close()
	return nil
}
