package scheme

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/netip"
	"time"

	"locator"
)

// Env gives a scheme access to the network, logins and settings. The client creates one for each
// operation. An operation ends when its Resource is closed or its Entries have ended, or when the
// method returns if there is neither. The client does not close connections of the scheme before
// that. Only Proxy and Note may be nil; the functions in Trace may be nil, too.
type Env struct {
	// Dial opens a connection. The policy checks each address after name resolution. A Read or
	// Write of a tcp connection fails after Limits.Idle without data, or at an earlier deadline set
	// by the scheme. A udp connection has no idle timeout, since only the scheme knows which
	// packets are progress. A tcp connection has a method CloseWrite() error, which returns
	// errors.ErrUnsupported through a SOCKS proxy. Dial returns an error for udp if a proxy is
	// configured. With Dial.TLS it returns a *tls.Conn. ctx applies to dialling only; use [Bind] to
	// close the connection when a context ends.
	Dial func(ctx context.Context, d Dial) (net.Conn, error)

	// Keep takes an idle connection for key from the client's pool, or calls open. Each scheme and
	// principal has its own pool; key must include everything else that the connection depends on:
	// host, port, TLS, login. The caller has exclusive use of c until it calls release, which
	// returns c to the pool if reuse is true, and otherwise closes it. The policy checks the
	// address before reuse. reused reports that c came from the pool: its trace and limits are
	// those of an earlier operation, and the scheme must replace them (see [SetIdle]).
	Keep func(ctx context.Context, key string, open func(context.Context) (Kept, error)) (c Kept, reused bool, release func(reuse bool), err error)

	// Cache stores small facts about servers.
	Cache Cache

	// Login returns a user and password for a server that requires a login. ok is false if none is
	// known.
	Login func(ctx context.Context, l LoginRequest) (user, password string, ok bool, err error)

	// TLSMode selects whether to use TLS in protocols where it is optional.
	TLSMode TLSMode

	// Proxy is the HTTP proxy to use; nil is none. It is set only for a [ProxyClient], which then
	// also handles URLs of other schemes (RFC 9112 3.2.2) and dials the proxy with Purpose
	// ForProxy.
	Proxy *Proxy

	// Servers are the servers that are configured for the scheme of the operation, if its URLs name
	// none: news, mailto. Dial them with Purpose ForServer, which allows no other.
	Servers []locator.URL

	// MX returns the mail exchangers of a domain, best first. A domain with an address but no MX
	// record is its own mail exchanger (RFC 5321 5.1).
	MX func(ctx context.Context, domain string) ([]*net.MX, error)

	// Note is called with messages for the user, also while a Body or a listing is read. Use
	// [Env.Tell] to call it.
	Note func(text string)

	Trace  *Trace
	Limits Limits
	Clock  Clock
	Mail   string // the user's configured mail address; "" is none

	Settings []any // settings that one scheme package alone uses, each of a type of that package; see [Setting]
}

// Setting returns the setting of type T in env, the last one if there are several. It returns the
// zero T if there is none.
func Setting[T any](env *Env) (last T) {
	for _, s := range env.Settings {
		if t, ok := s.(T); ok {
			last = t
		}
	}
	return last
}

// Tell calls Trace.OnNote and Note with a message for the user. It is for messages that arise while
// a Body or a listing is read, too late for Resource.Notes. text must be safe to print.
func (e *Env) Tell(text string) {
	e.Trace.OnNote(text)
	if e.Note != nil {
		e.Note(text)
	}
}

// TLSMode selects the use of TLS in protocols where it is optional: ftp, nntp, smtp.
type TLSMode uint8

// The modes of the flag --tls.
const (
	TLSAuto    TLSMode = iota // like TLSTry if a password will be sent, else like TLSOff
	TLSOff                    // never use TLS
	TLSTry                    // use TLS if the server supports it; if not, Trace.Warning is called before a password is sent
	TLSRequire                // fail if the server does not support TLS
)

// Purpose is the purpose of a connection. The policy depends on it.
type Purpose uint8

// The purposes of a connection.
const (
	ForControl Purpose = iota // to the host and port of the URL
	ForData                   // data connection of a control connection
	ForHop                    // to a host that a server named
	ForProxy                  // to Env.Proxy
	ForServer                 // to a server of Env.Servers
)

// Proxy is a proxy that the user configured.
type Proxy struct {
	Kind     string           // http, https (http over TLS), socks5 (RFC 1928; the client resolves names), socks5h (the proxy does)
	Addr     string           // host:port
	User     locator.Optional // user name for the proxy; absent if it needs no login
	Password string
}

// Dial describes a connection to open.
type Dial struct {
	Purpose Purpose
	Network string // "tcp" or "udp"; "" is tcp
	Addr    string // host:port; for ForData only ":port", since the host is that of Control
	// Control is for ForData: the control connection as returned by Dial, without the TLS layer. A
	// data connection goes to the same host, through the same proxy if there is one.
	Control     net.Conn
	Interactive bool // for an interactive session: no idle timeout for reads
	// TLS is the host to start TLS with; "" is no TLS. The server must speak it and have a
	// certificate that the user's configuration accepts: there is no fallback to clear text. The
	// handshake fails after Limits.LineTime. A connection that ends without close_notify ends with
	// [wire.ErrNoCloseNotify].
	TLS string
	// Over is the connection on which to start TLS, if it is already open (STARTTLS): one of Dial,
	// which may be wrapped. The caller closes it if Dial fails. Purpose and Addr are not used.
	Over net.Conn
	// Config changes the TLS configuration before the handshake. It may be nil.
	Config func(*tls.Config)
	// URL is for ForHop: the URL that is accessed at that host. The policy checks it as any hop.
	URL locator.URL

	// The client sets Scheme, Ports, Peer and FromPublic, and the host of Addr for ForData.
	Scheme     string
	Ports      []uint16       // well-known ports of the protocol, of the Syntax of the registered scheme
	Peer       netip.AddrPort // for ForData: the remote address of Control, the only one allowed; zero if only a proxy knows it
	FromPublic bool           // a public address led here: by a hop to this URL or, for ForHop, in this operation
}

// Kept is a connection in the pool of Env.Keep, with the state that the scheme stores with it.
type Kept interface {
	io.Closer
	// RemoteAddr returns the address of the server, which the policy checks before reuse.
	RemoteAddr() net.Addr
}

// SetIdle sets the idle timeout of a connection of Env.Dial. It is Limits.Idle when the connection
// is opened.
func SetIdle(conn net.Conn, d time.Duration) {
	if c, ok := conn.(interface{ SetIdle(time.Duration) }); ok {
		c.SetIdle(d)
	}
}

// Bind arranges for c to be closed when ctx is done, which unblocks a Read or Write of c. Call
// unbind to undo it; unbind returns false if c has already been closed. Bind closes the connection
// below a *tls.Conn, whose Close may block.
func Bind(ctx context.Context, c io.Closer) (unbind func() bool) {
	if over, ok := c.(*tls.Conn); ok {
		c = over.NetConn()
	}
	return context.AfterFunc(ctx, func() { c.Close() })
}
