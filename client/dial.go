package client

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"syscall"

	"locator/policy"
	"locator/scheme"
	"locator/wire"
)

// dial opens a connection for a scheme. Policy is asked about every address that is about to be connected to: net 2.
func (op *operation) dial(ctx context.Context, d scheme.Dial) (net.Conn, error) {
	if op.ended.Load() {
		return nil, errEnded
	}
	began := op.c.opt.Clock.Now()
	op.describe(&d)
	if err := op.mayDial(d); err != nil {
		return nil, err
	}
	by, err := op.way(&d)
	if err != nil {
		return nil, err
	}
	conn, remote, err := op.reach(ctx, d, by)
	if err != nil {
		return nil, err
	}
	at := remote
	if at == nil {
		at = conn.RemoteAddr()
	}
	if a, ok := addrPort(at); d.Purpose != scheme.ForProxy {
		op.talkedTo(a, !ok || policy.Public(a.Addr())) // only the proxy knows what a name led to: it counts as public
	}
	op.trace.OnConnected(scheme.Connection{Dial: d, Remote: at.String(), Began: began, Took: op.c.opt.Clock.Now().Sub(began)})
	idle := op.r.Limits.Idle
	if d.Network == "udp" {
		idle = 0
	}
	c := &idleConn{Conn: conn, idle: idle, remote: remote, patient: d.Interactive}
	if d.Purpose == scheme.ForControl {
		c.way = new(by)
	}
	return c, nil
}

func (op *operation) describe(d *scheme.Dial) {
	if d.Network == "" {
		d.Network = "tcp"
	}
	d.Scheme = op.r.URL.Scheme()
	d.FromPublic = d.Purpose != scheme.ForServer && op.hop.FromPublic || d.Purpose == scheme.ForHop && op.public.Load()
}

// mayDial refuses what policy says about the URL at the other end, and a server that is not configured.
func (op *operation) mayDial(d scheme.Dial) error {
	switch {
	case d.Purpose == scheme.ForHop && !d.URL.IsZero():
		return op.c.opt.Policy.URL(d.URL, op.onward(scheme.HopReferral, false))
	case d.Purpose == scheme.ForServer && !op.configured(d.Addr):
		return scheme.Fail(scheme.CodeRefused, "%s is not a configured server", wire.Escape(d.Addr))
	}
	return nil
}

// configured reports whether addr, as host:port, is one of the configured servers.
func (op *operation) configured(addr string) bool {
	for _, servers := range op.c.opt.Servers {
		for _, u := range servers {
			if strings.EqualFold(addr, net.JoinHostPort(strings.Trim(u.Host(), "[]"), strconv.Itoa(int(portOf(u))))) {
				return true
			}
		}
	}
	return false
}

// errEnded is what an Env says after its operation.
var errEnded = errors.New("the operation of this Env has ended")

func (op *operation) connect(ctx context.Context, d scheme.Dial) (net.Conn, error) {
	o := &op.c.opt
	host, port, err := net.SplitHostPort(d.Addr)
	if err != nil {
		return nil, scheme.Fail(scheme.CodeProtocol, "not an address: %w", err)
	}
	// Four digit groups are decimal numbers (RFC 1738 3.1), whatever a system library would make of a leading zero.
	if a, ok, err := hostNumber(host); err != nil {
		return nil, err
	} else if ok {
		d.Addr = net.JoinHostPort(a.String(), port)
	}
	network := d.Network
	if o.Family != 0 {
		network += strconv.Itoa(o.Family)
	}
	if o.Dial != nil {
		return op.connectBy(ctx, o.Dial, d, network)
	}
	dialer := net.Dialer{
		Timeout:  op.r.Limits.Idle,
		Resolver: o.Resolver,
		ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
			a, err := netip.ParseAddrPort(address)
			if err != nil {
				return scheme.Fail(scheme.CodeRefused, "an address that cannot be judged: %w", err)
			}
			return o.Policy.Addr(d, a)
		},
	}
	return dialer.DialContext(ctx, network, d.Addr)
}

// connectBy resolves the name itself, asks policy, and leaves only the connecting to dial.
func (op *operation) connectBy(ctx context.Context, dial func(context.Context, string, string) (net.Conn, error), d scheme.Dial, network string) (net.Conn, error) {
	host, portText, _ := net.SplitHostPort(d.Addr)
	port, err := strconv.ParseUint(portText, 10, 16)
	if err != nil {
		return nil, scheme.Fail(scheme.CodeRefused, "port %q is no port number", portText)
	}
	addrs, err := op.resolve(ctx, host)
	if err != nil {
		return nil, err
	}
	failed := error(&net.AddrError{Err: "no address", Addr: host})
	for i, a := range addrs {
		ap := netip.AddrPortFrom(a.Unmap(), uint16(port))
		err := op.c.opt.Policy.Addr(d, ap)
		if err == nil {
			var conn net.Conn
			if conn, err = dial(ctx, network, ap.String()); err == nil {
				return conn, nil
			}
		}
		if i == 0 {
			failed = err
		}
	}
	return nil, failed
}

// resolve finds the addresses of a host, which may be one itself.
func (op *operation) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a}, nil
	}
	family := "ip"
	if f := op.c.opt.Family; f != 0 {
		family += strconv.Itoa(f)
	}
	return op.c.opt.Resolver.LookupNetIP(ctx, family, host)
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
		g = strings.TrimLeft(g, "0")
		n, err := strconv.ParseUint("0"+g, 10, 8)
		if err != nil {
			return a, false, scheme.Fail(scheme.CodeRefused, "digit group %s of the host is over 255: no such address", groups[i])
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

// tls is the TLS configuration for a host.
func (c *Client) tls(host string) *tls.Config {
	cfg := &tls.Config{}
	if c.opt.TLS != nil {
		cfg = c.opt.TLS.Clone()
	}
	cfg.ServerName = strings.Trim(host, "[]")
	if cfg.MinVersion == 0 {
		cfg.MinVersion = tls.VersionTLS12
	}
	return cfg
}

// keepPolicy asks policy again about a kept connection.
func (op *operation) keepPolicy(addr net.Addr) error {
	d := scheme.Dial{Purpose: scheme.ForControl, Addr: addr.String()}
	op.describe(&d)
	if _, behind := addr.(behindProxy); behind {
		return op.judgeProxied(d)
	}
	a, ok := addrPort(addr)
	if !ok {
		return errors.New("a kept connection without an address")
	}
	if op.proxy != nil {
		d.Purpose = scheme.ForProxy
	}
	if err := op.c.opt.Policy.Addr(d, a); err != nil {
		return fmt.Errorf("a kept connection: %w", err)
	}
	if d.Purpose != scheme.ForProxy {
		op.talkedTo(a, policy.Public(a.Addr()))
	}
	return nil
}
