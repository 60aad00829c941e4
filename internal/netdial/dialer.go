package netdial

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strconv"
	"syscall"
	"time"

	"locator/internal/hostaddr"
	"locator/policy"
	"locator/scheme"
	"locator/wire"
)

// Dialer opens connections. It is safe for concurrent use.
type Dialer struct {
	Policy   policy.Policy
	Resolver *net.Resolver
	Family   int // 4 for IPv4 only, 6 for IPv6 only, 0 for both
	// Proxy returns the proxy for a connection of a scheme to addr, which is host:port; nil means
	// none.
	Proxy func(scheme, addr string) (*scheme.Proxy, error)
	// Connect replaces the network in tests. addr is an IP address and port that Policy has
	// allowed.
	Connect func(ctx context.Context, network, addr string) (net.Conn, error)
}

// Request describes a connection to open.
type Request struct {
	scheme.Dial               // with Network, Scheme and FromPublic set
	Idle        time.Duration // timeout of connecting, and of a Read or Write without data
	HTTPProxy   *scheme.Proxy // HTTP proxy of the operation, the only address of a ForProxy dial; nil means none
	// Waiting is called in a goroutine of its own if the connection is not open after Patience,
	// with nil, and if the server has sent nothing for that long, with its address. It is not
	// called for data connections and sessions. It may be nil.
	Waiting func(remote net.Addr)
}

// Patience is how long a connection may take, and the first byte of a server, before
// Request.Waiting is called.
const Patience = 3 * time.Second

// userTimeout is how long a session may have no sign of the server: as long as keepalive takes with
// Go's defaults, 15 s and 9 probes with 15 s between them.
const userTimeout = 150 * time.Second

// Peer is the server at the other end of a connection.
type Peer struct {
	Addr   netip.AddrPort // zero if only a proxy knows it
	Public bool           // the address is public or not known
}

func peerAt(a netip.AddrPort) Peer { return Peer{a, policy.Public(a.Addr())} }

// Dial opens a connection. For a data connection it sets Addr and Peer of r.
func (d *Dialer) Dial(ctx context.Context, r *Request) (*Conn, error) {
	way, err := d.route(r)
	if err != nil {
		return nil, err
	}
	waits := r.Waiting != nil && r.Purpose != scheme.ForData && !r.Interactive
	if waits {
		defer time.AfterFunc(Patience, func() { r.Waiting(nil) }).Stop()
	}
	var conn net.Conn
	var remote net.Addr // the server's address behind a proxy
	switch {
	case r.Purpose == scheme.ForProxy:
		conn, err = d.toProxy(ctx, r)
	case way.socks != nil:
		conn, remote, err = d.throughSOCKS(ctx, way.socks, r)
	default:
		conn, err = d.connect(ctx, r)
	}
	if err != nil {
		return nil, err
	}
	c := &Conn{Conn: conn, idle: r.Idle, remote: remote, interactive: r.Interactive && r.TLS == ""}
	if r.Network == "udp" {
		c.idle = 0
	}
	if r.Purpose == scheme.ForControl {
		c.route = &way
	}
	if waits {
		c.late = func() { r.Waiting(c.RemoteAddr()) }
	}
	return c, nil
}

// connect opens a direct connection.
func (d *Dialer) connect(ctx context.Context, r *Request) (net.Conn, error) {
	host, port, err := net.SplitHostPort(r.Addr)
	if err != nil {
		return nil, scheme.Fail(scheme.CodeProtocol, "invalid address: %w", err)
	}
	addr := r.Addr
	// Four digit groups are decimal (RFC 1738 3.1). System resolvers may read a leading zero as
	// octal.
	if a, ok, err := literal(host); err != nil {
		return nil, err
	} else if ok {
		addr = net.JoinHostPort(a.String(), port)
	}
	network := r.Network
	if d.Family != 0 {
		network += strconv.Itoa(d.Family)
	}
	if d.Connect != nil {
		return d.eachAddress(ctx, r, addr, func(ap netip.AddrPort) (net.Conn, error) { return d.Connect(ctx, network, ap.String()) })
	}
	dialer := net.Dialer{
		Timeout:  r.Idle,
		Resolver: d.Resolver,
		ControlContext: func(_ context.Context, _, address string, raw syscall.RawConn) error {
			if r.Interactive && r.Network != "udp" {
				if err := setUserTimeout(raw); err != nil {
					return err
				}
			}
			a, err := netip.ParseAddrPort(address)
			if err != nil {
				return scheme.Fail(scheme.CodeRefused, "invalid address: %w", err)
			}
			return refusal(d.Policy.Addr(r.Dial, a))
		},
	}
	conn, err := dialer.DialContext(ctx, network, addr)
	if refused, ok := errors.AsType[*scheme.Error](err); ok { // by the policy: nothing was dialled
		return nil, refused
	}
	return conn, err
}

// eachAddress resolves addr and dials each address that the policy allows, until one succeeds. If
// none does, it returns the error for the first address.
func (d *Dialer) eachAddress(ctx context.Context, r *Request, addr string, dial func(netip.AddrPort) (net.Conn, error)) (net.Conn, error) {
	host, port, err := splitPort(addr)
	if err != nil {
		return nil, err
	}
	addrs, err := d.resolve(ctx, host)
	if err != nil {
		return nil, err
	}
	failed := error(&net.AddrError{Err: "no address", Addr: host})
	for i, a := range addrs {
		ap := netip.AddrPortFrom(a.Unmap(), port)
		err := refusal(d.Policy.Addr(r.Dial, ap))
		if err == nil {
			var conn net.Conn
			if conn, err = dial(ap); err == nil {
				return conn, nil
			}
			err = dialError(ctx, r.Network, ap, err)
		}
		if i == 0 {
			failed = err
		}
	}
	return nil, failed
}

// splitPort splits host:port with a numeric port.
func splitPort(addr string) (host string, port uint16, err error) {
	host, text, err := net.SplitHostPort(addr)
	if err != nil {
		return "", 0, scheme.Fail(scheme.CodeProtocol, "invalid address: %w", err)
	}
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return "", 0, scheme.Fail(scheme.CodeRefused, "invalid port %q", text)
	}
	return host, uint16(n), nil
}

// resolve returns the addresses of a host, which may itself be an address.
func (d *Dialer) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a}, nil
	}
	family := "ip"
	if d.Family != 0 {
		family += strconv.Itoa(d.Family)
	}
	return d.Resolver.LookupNetIP(ctx, family, host)
}

// CheckPooled checks a pooled connection to addr against the policy before it is reused. httpProxy
// is that of the operation.
func (d *Dialer) CheckPooled(sd scheme.Dial, addr net.Addr, httpProxy *scheme.Proxy) (Peer, error) {
	if _, behind := addr.(behindProxy); behind {
		sd.Addr = addr.String()
		return d.CheckProxied(sd)
	}
	a, ok := addrPort(addr)
	if !ok {
		return Peer{}, scheme.Fail(scheme.CodeRefused, "a pooled connection has no address")
	}
	sd.Addr = addr.String()
	if httpProxy != nil {
		sd.Purpose = scheme.ForProxy
		return Peer{}, refusal(d.Policy.Addr(sd, a))
	}
	return peerAt(a), refusal(d.Policy.Addr(sd, a))
}

// refusal returns the error of a policy, with CodeRefused if it has no code.
func refusal(err error) error {
	if err == nil || errors.As(err, new(*scheme.Error)) {
		return err
	}
	return scheme.Fail(scheme.CodeRefused, "%w", err)
}

// dialError returns the error of a Connect function, as one of a net.Dialer if it does not say what
// it is.
func dialError(ctx context.Context, network string, to netip.AddrPort, err error) error {
	if ctx.Err() != nil || errors.As(err, new(net.Error)) || errors.As(err, new(*scheme.Error)) {
		return err
	}
	return &net.OpError{Op: "dial", Net: network, Addr: net.TCPAddrFromAddrPort(to), Err: err}
}

// literal reads a host that is an address: four decimal groups (RFC 1738 section 5), with or
// without a dot at the end, or an IPv6 address. ok is false for a name.
func literal(host string) (a netip.Addr, ok bool, err error) {
	h := hostaddr.Read(host)
	if h.Kind == hostaddr.BadGroup {
		return a, false, scheme.Fail(scheme.CodeRefused, "invalid host address: digit group %s is over 255", wire.Escape(h.Bad))
	}
	if a = h.Addr; !a.IsValid() {
		a, err = netip.ParseAddr(host)
	}
	return a, err == nil, nil
}

// addrPort converts the address of a connection.
func addrPort(a net.Addr) (netip.AddrPort, bool) {
	switch a := a.(type) {
	case interface{ AddrPort() netip.AddrPort }: // of net.TCPAddr and net.UDPAddr
		ap := a.AddrPort()
		return netip.AddrPortFrom(ap.Addr().Unmap(), ap.Port()), true
	case nil:
		return netip.AddrPort{}, false
	}
	ap, err := netip.ParseAddrPort(a.String())
	return ap, err == nil
}
