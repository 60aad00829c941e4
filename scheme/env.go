package scheme

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"time"

	"locator"
)

// Env is all of the outside world that a scheme may touch. Only the client fills it, anew for each operation. No
// field is nil but Trace's own functions.
type Env struct {
	// Dial opens a connection. Policy sits inside, on the resolved address. Every Read and Write of the connection
	// fails when nothing moves for Limits.Idle; a deadline that the scheme sets counts where it is earlier. The context
	// bounds the dialling only: see [Bind] for the rest.
	Dial func(ctx context.Context, d Dial) (net.Conn, error)

	// Keep takes an idle thing of that key out of the client's pool, or opens a new one with open. The holder has it
	// alone until it calls release: with reuse true it goes back into the pool, else it is closed. Where the thing
	// has a method RemoteAddr() net.Addr, policy is asked again before reuse. reused says that it came from the pool.
	Keep func(ctx context.Context, key string, open func(context.Context) (io.Closer, error)) (c io.Closer, reused bool, release func(reuse bool), err error)

	// Login finds a user and password for a peer that asks for one. ok is false where nothing is known.
	Login func(ctx context.Context, l LoginRequest) (user, password string, ok bool, err error)

	// TLS is the configuration for a TLS connection to host, certificates checked as the user configured it.
	TLS func(host string) *tls.Config

	// TLSMode says whether a protocol that can switch to TLS does so: see [TLSMode].
	TLSMode TLSMode

	// Proxy is the http proxy that the operation goes through, nil is none. Only the http scheme meets one, and then with
	// URLs of other schemes, too (RFC 9112 3.2.2). It dials it ForProxy.
	Proxy *Proxy

	// Servers are the configured servers of a scheme whose URLs name none: news, mailto.
	Servers func(scheme string) []locator.URL

	// MX finds the mail exchangers of a domain, best first (RFC 5321 5.1): the attributes of a mailto URL.
	MX func(ctx context.Context, domain string) ([]*net.MX, error)

	// Files opens a folder from which no name leads out, for trees and for names that peers gave.
	Files func(root string) (*os.Root, error)

	// Note is told what a person should know, at any time, also while a Body or a listing is read; see [Env.Tell].
	Note func(text string)

	Trace     *Trace
	Limits    Limits
	Now       func() time.Time
	Mail      string   // the password of anonymous ftp (RFC 1738 3.2.1); never a guess of the user's
	UserAgent string   // for protocols that have a word for it
	Header    []string // further "Name: value" lines for http
	Hostnames []string // names of this machine, beside localhost (RFC 1738 3.10)
	Terminal  string   // type of the user's terminal, as in TERM, for telnet (RFC 1091); "" where there is none
}

// Tell passes on what a person should know and what could not stand in Resource.Notes: it turned up while a Body or a
// listing was read. The text is safe to print.
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
	TLSAuto    TLSMode = iota // off for anonymous, try where a password would be sent
	TLSOff                    // never
	TLSTry                    // where the server can
	TLSRequire                // else refuse
)

// Purpose says what a connection is for.
type Purpose uint8

// The purposes of a connection.
const (
	ForControl Purpose = iota // to the host and port of the URL, or to a configured server
	ForData                   // a second connection that belongs to a control connection
	ForHop                    // to a host that a peer named
	ForProxy                  // to the proxy that Env.Proxy names
)

// Proxy is a proxy that the user configured.
type Proxy struct {
	Kind     string           // http, https (http over TLS), socks5 (RFC 1928; names are resolved here), socks5h (and there)
	Addr     string           // host:port
	User     locator.Optional // the login for it, absent where it needs none
	Password string
}

// Dial asks for a connection.
type Dial struct {
	Purpose Purpose
	Network string // "tcp" or "udp"; "" is tcp
	Addr    string // host:port; for ForData ":port" alone, for the host is that of Control
	// Control is for ForData: the control connection, ForControl, as Dial gave it and without TLS upon it. A data
	// connection goes to the same host, through the proxy that the control connection goes through, if any.
	Control net.Conn
	Person  bool // a person sits at it (telnet): once it stands, it may be silent for longer than Limits.Idle

	// Scheme, Peer and FromPublic are filled by the client, and the host of Addr for ForData.
	Scheme     string
	Peer       netip.AddrPort // for ForData: the remote address of Control, zero where only a proxy knows it. Policy refuses any other.
	FromPublic bool           // a resource on a public address led here
}

// ErrPasswordLater comes with a user whose password is asked for when the peer wants it: ask again then, with User set.
var ErrPasswordLater = errors.New("the password is asked for later")

// LoginRequest says who asks for a login.
type LoginRequest struct {
	Scheme string
	Host   string
	Port   uint16
	User   locator.Optional // from the URL, or known otherwise
	Realm  string           // what the peer says it is for, already safe to show
	// Attempt counts from 0; a login that was refused is not tried twice.
	Attempt int
	// Quiet asks the sources only that need no person (for a login that may as well be anonymous). A source that knows
	// the user and would have to ask for the password answers with the user and ErrPasswordLater.
	Quiet bool
	// Account asks for an account (RFC 959 4.1.1) in the place of a password.
	Account bool
	Secure  bool // the password would go over TLS
	// Foreign says that a peer led to this host: a login that was meant for another host must not go there.
	Foreign bool
}

// A HopKind says how a URL was come by.
type HopKind uint8

// The kinds of hop.
const (
	HopDirect   HopKind = iota // a person or a list gave it
	HopRedirect                // http 3xx, gopher error 3
	HopMenuItem                // an entry of a listing
	HopReferral                // prospero referral, mirror
)

// A Hop is one step that led to a URL.
type Hop struct {
	Kind       HopKind
	From       locator.URL // the URL that led here, zero for Direct
	N          int         // the number of this hop, from 1; 0 for Direct
	FromPublic bool        // From was read from a public address
	Foreign    bool        // a hop before this one led to another server than a person named
}

// Limits bound what a peer can make us hold or wait for (P6). Zero values are filled with the defaults by the client.
type Limits struct {
	Idle    time.Duration // no progress for so long ends an operation; 30 s
	Line    int           // octets of one line; 8 KiB
	Header  int           // octets of a header or a multi-line reply; 256 KiB
	Entries int           // entries of a listing; 1,000,000
	Listing int64         // octets of a listing; 256 MiB
	Body    int64         // octets of a body; no limit
	Hops    int           // redirects and referrals in a chain; 10
}

// Default limits.
const (
	DefaultIdle    = 30 * time.Second
	DefaultLine    = 8 << 10
	DefaultHeader  = 256 << 10
	DefaultEntries = 1_000_000
	DefaultListing = 256 << 20
	DefaultHops    = 10
)

// WithDefaults returns the limits with the defaults in the place of zeros.
func (l Limits) WithDefaults() Limits {
	if l.Idle == 0 {
		l.Idle = DefaultIdle
	}
	if l.Line == 0 {
		l.Line = DefaultLine
	}
	if l.Header == 0 {
		l.Header = DefaultHeader
	}
	if l.Entries == 0 {
		l.Entries = DefaultEntries
	}
	if l.Listing == 0 {
		l.Listing = DefaultListing
	}
	if l.Hops == 0 {
		l.Hops = DefaultHops
	}
	return l
}

// Bind closes c when ctx ends, which frees whoever waits in a Read or Write of it. The returned function undoes the
// binding; it reports false if ctx had ended c already.
func Bind(ctx context.Context, c io.Closer) (unbind func() bool) {
	return context.AfterFunc(ctx, func() { c.Close() })
}
