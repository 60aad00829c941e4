package netdial

import (
	"context"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"syscall"
	"time"

	"locator/policy"
	"locator/scheme"
	"locator/wire"
)

// Dialer opens connections. It is safe for concurrent use.
type Dialer struct {
	Policy   policy.Policy
	Resolver *net.Resolver
	Family   int // 4 or 6 for one address family, 0 for both
	// Proxy chooses a proxy for a connection of a scheme to addr, which is host:port; nil is none.
	Proxy func(scheme, addr string) (*scheme.Proxy, error)
	// Connect takes the place of the network in tests. Policy has been asked about addr, which is an IP address and port.
	Connect func(ctx context.Context, network, addr string) (net.Conn, error)
}

// Request asks for one connection.
type Request struct {
	scheme.Dial               // Network, Scheme and FromPublic are filled
	Idle        time.Duration // a Read or Write fails after this long without data; it bounds connecting, too
	HTTPProxy   *scheme.Proxy // the http proxy of the operation, which a ForProxy dial goes to; nil is none
}

// Peer is the server at the other end of a connection.
type Peer struct {
	Addr   netip.AddrPort // zero where only a proxy knows it
	Public bool           // the address is public, or not known
}

func peerAt(a netip.AddrPort) Peer { return Peer{a, policy.Public(a.Addr())} }

// Dial opens a connection. The Request is completed on the way: Addr and Peer of a data connection are filled in.
func (d *Dialer) Dial(ctx context.Context, r *Request) (*Conn, error) {
	way, err := d.route(r)
	if err != nil {
		return nil, err
	}
	var conn net.Conn
	var remote net.Addr // what conn itself does not know
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
	c := &Conn{Conn: conn, idle: r.Idle, remote: remote, patient: r.Interactive}
	if r.Network == "udp" {
		c.idle = 0
	}
	if r.Purpose == scheme.ForControl {
		c.route = &way
	}
	return c, nil
}

// connect opens a connection without a proxy.
func (d *Dialer) connect(ctx context.Context, r *Request) (net.Conn, error) {
	host, port, err := net.SplitHostPort(r.Addr)
	if err != nil {
		return nil, scheme.Fail(scheme.CodeProtocol, "not an address: %w", err)
	}
	addr := r.Addr
	// Four digit groups are decimal numbers (RFC 1738 3.1), whatever a system library makes of a leading zero.
	if a, ok, err := hostNumber(host); err != nil {
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
		ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
			a, err := netip.ParseAddrPort(address)
			if err != nil {
				return scheme.Fail(scheme.CodeRefused, "an address that cannot be judged: %w", err)
			}
			return d.Policy.Addr(r.Dial, a)
		},
	}
	return dialer.DialContext(ctx, network, addr)
}

// eachAddress resolves addr, and tries the addresses that policy allows. The error is that of the first.
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
		err := d.Policy.Addr(r.Dial, ap)
		if err == nil {
			var conn net.Conn
			if conn, err = dial(ap); err == nil {
				return conn, nil
			}
		}
		if i == 0 {
			failed = err
		}
	}
	return nil, failed
}

// splitPort reads host:port with a numeric port.
func splitPort(addr string) (host string, port uint16, err error) {
	host, text, err := net.SplitHostPort(addr)
	if err != nil {
		return "", 0, scheme.Fail(scheme.CodeProtocol, "not an address: %w", err)
	}
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return "", 0, scheme.Fail(scheme.CodeRefused, "port %q is no port number", text)
	}
	return host, uint16(n), nil
}

// resolve finds the addresses of a host, which may be an address itself.
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

// JudgeKept asks policy again about a connection to addr that is about to be reused. httpProxy is that of the operation.
func (d *Dialer) JudgeKept(sd scheme.Dial, addr net.Addr, httpProxy *scheme.Proxy) (Peer, error) {
	sd.Addr = addr.String()
	if _, behind := addr.(behindProxy); behind {
		return d.JudgeProxied(sd)
	}
	a, ok := addrPort(addr)
	if !ok {
		return Peer{}, scheme.Fail(scheme.CodeRefused, "a kept connection has no address")
	}
	if httpProxy != nil {
		sd.Purpose = scheme.ForProxy
		return Peer{}, d.Policy.Addr(sd, a)
	}
	return peerAt(a), d.Policy.Addr(sd, a)
}

// hostNumber reads four digit groups (RFC 1738 section 5). ok is false for a name.
func hostNumber(host string) (a netip.Addr, ok bool, err error) {
	groups := strings.Split(host, ".")
	if len(groups) != 4 {
		return a, false, nil
	}
	var b [4]byte
	for i, g := range groups {
		if g == "" || strings.Trim(g, "0123456789") != "" {
			return a, false, nil
		}
		n, err := strconv.ParseUint("0"+strings.TrimLeft(g, "0"), 10, 8)
		if err != nil {
			return a, false, scheme.Fail(scheme.CodeRefused, "digit group %s of the host is over 255: no such address", wire.Escape(groups[i]))
		}
		b[i] = byte(n)
	}
	return netip.AddrFrom4(b), true, nil
}

// addrPort reads the address of a connection.
func addrPort(a net.Addr) (netip.AddrPort, bool) {
	switch a := a.(type) {
	case *net.TCPAddr:
		ap := a.AddrPort()
		return netip.AddrPortFrom(ap.Addr().Unmap(), ap.Port()), true
	case *net.UDPAddr:
		ap := a.AddrPort()
		return netip.AddrPortFrom(ap.Addr().Unmap(), ap.Port()), true
	case nil:
		return netip.AddrPort{}, false
	}
	ap, err := netip.ParseAddrPort(a.String())
	return ap, err == nil
}
