package client

import (
	"context"
	"crypto/tls"
	"io/fs"
	"iter"
	"net"
	"net/http"
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
	// Dial takes the place of the network in tests. Policy has been asked about addr, which is an IP address and
	// port, before it is called.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	Now  func() time.Time
	// Progress is told how many octets of a body have passed since the last call. It may be called often.
	Progress func(u locator.URL, n int)
}

// LoginFunc is a source of logins. ok is false where it knows none.
type LoginFunc func(ctx context.Context, l scheme.LoginRequest) (user, password string, ok bool, err error)

// Client accesses URLs. It is safe for concurrent use.
type Client struct {
	opt Options
}

func New(opt Options) *Client                            { panic("draft") }
func (c *Client) Parse(text string) (locator.URL, error) { panic("draft") }
func (c *Client) Access(ctx context.Context, r scheme.Request) (*scheme.Resource, error) {
	panic("draft")
}
func (c *Client) List(ctx context.Context, r scheme.Request) iter.Seq2[scheme.Entry, error] {
	panic("draft")
}
func (c *Client) Attributes(ctx context.Context, r scheme.Request) (scheme.Attr, error) {
	panic("draft")
}
func (c *Client) Update(ctx context.Context, r scheme.Request, b scheme.Body) (*scheme.Resource, error) {
	panic("draft")
}
func (c *Client) Replace(ctx context.Context, r scheme.Request, b scheme.Body) (*scheme.Resource, error) {
	panic("draft")
}
func (c *Client) FS(ctx context.Context, base locator.URL) fs.FS { panic("draft") }
func (c *Client) Transport() http.RoundTripper                   { panic("draft") }
func (c *Client) Close() error                                   { panic("draft") }
func CodeOf(err error) scheme.Code                               { panic("draft") }
