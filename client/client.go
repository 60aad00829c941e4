package client

import (
	"context"
	"crypto/tls"
	"net"
	"sync/atomic"
	"time"

	"locator"
	"locator/internal/clock"
	"locator/internal/netdial"
	"locator/internal/pool"
	"locator/policy"
	"locator/repair"
	"locator/scheme"
)

// Options configure a Client. Only Registry is required.
type Options struct {
	Registry *scheme.Registry
	Syntax   *locator.Parser // URL parser; nil is locator.Current
	// Policy decides which URLs and addresses may be accessed. Nil is the standard policy, for URLs
	// that the user chose. For URLs that strangers choose, use [policy.Strangers].
	Policy policy.Policy
	Limits scheme.Limits      // a zero field means that of the policy, or the default
	Trace  *scheme.Trace      // hooks called for every request
	Logins []scheme.LoginFunc // sources of logins for requests without a [scheme.Principal], in order
	// TLS is cloned for every TLS connection; nil uses the system's root certificates. Its client
	// certificates are offered only to configured servers and to the hosts of the URLs that the
	// user named, not to a host that another one led to.
	TLS     *tls.Config
	TLSMode scheme.TLSMode
	// RequireTLS refuses, with CodeRefused, URLs, gateways and proxies whose connections neither
	// begin with TLS nor can switch to it by TLSMode, before anything is connected to, also where a
	// server leads to them. TLSMode should be TLSRequire.
	RequireTLS bool
	Servers    map[string][]locator.URL // configured servers by scheme, for schemes whose URLs name none
	Mail       string                   // the user's mail address, sent in anonymous ftp logins, and the author of mails and articles; "" is none
	Settings   []any                    // settings that one scheme package alone uses, of its type Settings
	// Header has additional "Name: value" header lines of http requests. After a redirect or
	// another hop to a server that the user did not name, only fields that say nothing about the
	// user are kept, such as Accept.
	Header []string
	// HeaderAll is Header for every server, including those that other servers lead to.
	HeaderAll []string
	Family    int // 4 for IPv4 only, 6 for IPv6 only, 0 for both
	Resolver  *net.Resolver
	// Proxy chooses a proxy for each connection; nil uses none. See [ProxyFromEnvironment].
	Proxy ProxyFunc
	// Via has the gateways for the URLs of some schemes, by the name of the scheme in lower case.
	// The Registry need not have these schemes (RFC 1738 4).
	Via map[string]Via
	// Dial replaces the network in tests. addr is an IP address and port that Policy has allowed.
	Dial  func(ctx context.Context, network, addr string) (net.Conn, error)
	Clock scheme.Clock // nil is the system clock
	Pool  PoolOptions
	// Turn is called before an operation accesses the server of u, also for each redirect or
	// referral. It may wait, to limit what all operations together ask of a server, and ends the
	// operation by an error. The client calls release once, when the operation is done with that
	// server: after an error or a referral, at the end of a listing, and otherwise when the
	// resource is closed.
	Turn func(ctx context.Context, u locator.URL) (release func(), err error)
	// Note is called with messages for the user that arise while a body or a listing is read, for
	// every request.
	Note func(u locator.URL, text string)
}

// PoolOptions limit the idle connections that a Client keeps. A zero field means its default.
type PoolOptions struct {
	PerKey int           // idle connections per server, login and principal; default 4
	Total  int           // idle connections in total; default 64
	Idle   time.Duration // an idle connection is closed after this long; default 60 s
}

// ProxyFunc returns the proxy for a connection of a scheme to addr, which is host:port. A nil Proxy
// means a direct connection.
type ProxyFunc func(scheme, addr string) (*scheme.Proxy, error)

// Client accesses URLs. It is safe for concurrent use by multiple goroutines. The caller must Close
// it.
type Client struct {
	opt    Options
	self   *scheme.Principal // for requests without a Principal
	pool   *pool.Pool
	cache  *cache
	dialer netdial.Dialer

	usesLogins bool                // of the policy
	ports      map[string][]uint16 // well-known ports, by scheme, as the registered schemes tell them
	closed     atomic.Bool
}

// New returns a new Client. It panics if opt.Registry is nil.
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
		opt.Clock = clock.System{}
	}
	if opt.Policy == nil {
		opt.Policy = policy.New(policy.Options{})
	}
	usesLogins := opt.Policy.UsesLogins()
	if !usesLogins {
		opt.Header = foreignHeader(opt.Header)
	}
	opt.Limits = opt.Limits.Or(opt.Policy.Limits()).WithDefaults()
	ports := make(map[string][]uint16)
	for _, name := range opt.Registry.Names() {
		s, _ := opt.Registry.Lookup(name)
		ports[name] = s.Syntax().Ports
	}
	return &Client{
		opt: opt, ports: ports, self: &scheme.Principal{Logins: opt.Logins}, usesLogins: usesLogins,
		pool: pool.New(pool.Options(opt.Pool)), cache: newCache(opt.Clock),
		dialer: netdial.Dialer{Policy: opt.Policy, Resolver: opt.Resolver, Family: opt.Family, Proxy: opt.Proxy, Connect: opt.Dial},
	}
}

// Parse parses a URL with Options.Syntax. The error is a *scheme.Error with CodeMalformed that
// wraps a *locator.SyntaxError, which suggests the URL that was probably meant (see
// [repair.Suggest]).
func (c *Client) Parse(text string) (locator.URL, error) {
	u, err := c.opt.Syntax.Parse(text)
	if err != nil {
		return u, &scheme.Error{Op: "parse", Code: scheme.CodeMalformed, Err: repair.Suggest(c.opt.Syntax, text, err)}
	}
	return u, nil
}

// Registry returns the schemes of the client.
func (c *Client) Registry() *scheme.Registry { return c.opt.Registry }

// checkURL returns an error if the policy refuses u, which h led to.
func (c *Client) checkURL(u locator.URL, h scheme.Hop) error {
	h.Ports = c.ports[u.Scheme()]
	return c.opt.Policy.URL(u, h)
}

// Close closes the idle connections. After it every operation returns an error that matches
// fs.ErrClosed. Operations that run, and resources that are open, may be used to their end; their
// connections are closed then, or when their context ends.
func (c *Client) Close() error {
	c.closed.Store(true)
	c.pool.Close()
	return nil
}
