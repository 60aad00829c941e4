package scheme

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/netip"
	"os"
	"time"

	"locator"
)

// Env is all of the outside world that a scheme may touch. The client makes one for each operation. The operation lasts until
// its Resource is closed or its Entries have ended, and until the method returns where there is neither. The client closes
// no connection of the scheme before that. No field is nil but Proxy and Trace's own functions.
type Env struct {
	// Dial opens a connection. Policy is asked about each address after it has been resolved. Every Read and Write of a tcp
	// connection fails when nothing moves for Limits.Idle; an earlier deadline of the scheme counts as well. A udp connection
	// has no such bound, since only the scheme knows which packets are progress. A tcp connection has a method CloseWrite()
	// error, which returns errors.ErrUnsupported through a proxy. Dial refuses udp where a proxy is configured. The context
	// bounds the dialling only: see [Bind] for the rest.
	Dial func(ctx context.Context, d Dial) (net.Conn, error)

	// Keep takes an idle value with that key out of the client's pool, or opens a new one. Pools are kept apart by scheme and
	// by principal; the key must name everything else that a connection was opened for: host, port, TLS, login. The holder
	// has the value alone until it calls release: with reuse true it goes back into the pool, else it is closed. Policy is
	// asked again before reuse. reused says that the value came from the pool: its trace and limits are those of another
	// operation, and the scheme sets them anew (see [SetIdle]).
	Keep func(ctx context.Context, key string, open func(context.Context) (Kept, error)) (c Kept, reused bool, release func(reuse bool), err error)

	// Cache keeps small facts about servers.
	Cache Cache

	// Login finds a user and password for a server that asks for one. ok is false where none is known.
	Login func(ctx context.Context, l LoginRequest) (user, password string, ok bool, err error)

	// TLS is the configuration for a TLS connection to host, with certificates checked as the user configured it.
	TLS func(host string) *tls.Config

	// TLSMode says whether a protocol that can switch to TLS does so.
	TLSMode TLSMode

	// Proxy is the http proxy that the operation goes through; nil is none. Only a [ProxyClient] meets one, then with URLs of
	// other schemes, too (RFC 9112 3.2.2). It dials ForProxy.
	Proxy *Proxy

	// Servers are the configured servers of a scheme whose URLs name none: news, mailto. They are dialled ForServer.
	Servers func(scheme string) []locator.URL

	// MX finds the mail exchangers of a domain, best first. A domain that has an address and no MX is its own (RFC 5321 5.1).
	MX func(ctx context.Context, domain string) ([]*net.MX, error)

	// Files opens a folder from which no name leads out.
	Files func(root string) (*os.Root, error)

	// Note is told what a person should know, at any time, also while a Body or a listing is read; see [Env.Tell].
	Note func(text string)

	Trace     *Trace
	Limits    Limits
	Clock     Clock
	Mail      string   // the user's mail address as configured; "" where none is
	UserAgent string   // for protocols that have a word for it
	Header    []string // further "Name: value" lines for http
	Hostnames []string // names of this machine, beside localhost (RFC 1738 3.10)
}

// Tell passes on what a person should know and what came too late for Resource.Notes: it turned up while a Body or a
// listing was read. The text must be safe to print.
func (e *Env) Tell(text string) {
	e.Trace.OnNote(text)
	if e.Note != nil {
		e.Note(text)
	}
}

// TLSMode is the wish for TLS in protocols that can switch to it: ftp, nntp, smtp.
type TLSMode uint8

// The modes of the flag --tls.
const (
	TLSAuto    TLSMode = iota // off for anonymous; try where a password would be sent
	TLSOff                    // never
	TLSTry                    // where the server can
	TLSRequire                // else refuse
)

// Purpose says what a connection is for.
type Purpose uint8

// The purposes of a connection.
const (
	ForControl Purpose = iota // to the host and port of the URL
	ForData                   // a second connection that belongs to a control connection
	ForHop                    // to a host that a server named
	ForProxy                  // to the proxy that Env.Proxy names
	ForServer                 // to a server that Env.Servers names
)

// Proxy is a proxy that the user configured.
type Proxy struct {
	Kind     string           // http, https (http over TLS), socks5 (RFC 1928; names are resolved here), socks5h (and there)
	Addr     string           // host:port
	User     locator.Optional // the login for it; absent where it needs none
	Password string
}

// Dial asks for a connection.
type Dial struct {
	Purpose Purpose
	Network string // "tcp" or "udp"; "" is tcp
	Addr    string // host:port; for ForData ":port" alone, since the host is that of Control
	// Control is for ForData: the control connection as Dial returned it, without TLS upon it. A data connection goes to
	// the same host, and through the same proxy if there is one.
	Control     net.Conn
	Interactive bool // a person uses it: the server may be silent for longer than Limits.Idle
	// URL is for ForHop: what is accessed at that host. Policy is asked about it as for any hop.
	URL locator.URL

	// The client fills Scheme, Peer and FromPublic, and the host of Addr for ForData.
	Scheme     string
	Peer       netip.AddrPort // for ForData: the remote address of Control, zero where only a proxy knows it. Policy refuses any other.
	FromPublic bool           // a public address led here: a hop to this URL, or for ForHop this operation itself
}

// Kept is what Env.Keep keeps: a connection with what is known about its state.
type Kept interface {
	io.Closer
	// RemoteAddr is the address of the server, which policy judges before reuse.
	RemoteAddr() net.Addr
}

// SetIdle sets the time without data after which a connection of Env.Dial fails; the one of Limits.Idle is set when it is
// opened.
func SetIdle(conn net.Conn, d time.Duration) {
	if c, ok := conn.(interface{ SetIdle(time.Duration) }); ok {
		c.SetIdle(d)
	}
}

// Bind closes c when ctx ends, which ends a blocked Read or Write of it. The returned function undoes the binding; it
// reports false if c was closed already.
func Bind(ctx context.Context, c io.Closer) (unbind func() bool) {
	return context.AfterFunc(ctx, func() { c.Close() })
}
