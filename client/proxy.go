package client

import (
	"context"
	"net"
	"net/netip"
	"strconv"
	"strings"

	"golang.org/x/net/proxy"

	"locator/policy"
	"locator/scheme"
	"locator/wire"
)

// ProxyFunc chooses the proxy for connections of a scheme to addr, which is host:port; nil is none.
type ProxyFunc func(scheme, addr string) (*scheme.Proxy, error)

// isSOCKS tells the proxies that pass any connection on (RFC 1928) from those that understand requests.
func isSOCKS(via *scheme.Proxy) bool { return strings.HasPrefix(via.Kind, "socks5") }

// throughProxy finds out whether the operation goes through an http proxy: then it is the http scheme that does it,
// whatever the scheme of the URL. Policy is asked about where it leads.
func (op *operation) throughProxy(s scheme.Scheme) (scheme.Scheme, error) {
	u := op.r.URL
	port, ok := u.PortNumber()
	if op.c.opt.Proxy == nil || !u.HasHost() || u.Host() == "" || !ok {
		return s, nil
	}
	d := scheme.Dial{Purpose: scheme.ForControl, Addr: net.JoinHostPort(strings.Trim(u.Host(), "[]"), strconv.Itoa(int(port)))}
	via, err := op.c.opt.Proxy(u.Scheme(), d.Addr)
	if err != nil || via == nil || isSOCKS(via) {
		return s, err
	}
	op.describe(&d)
	if err := op.judgeProxied(d); err != nil {
		return s, err
	}
	op.proxy = via
	speaks := func(s scheme.Scheme) bool { p, ok := s.(scheme.ProxyClient); return ok && p.SpeaksTo(via.Kind) }
	if speaks(s) {
		return s, nil
	}
	for _, name := range op.c.opt.Registry.Names() {
		if h, _ := op.c.opt.Registry.Lookup(name); speaks(h) {
			return h, nil
		}
	}
	return s, scheme.Fail(scheme.CodeUnsupported, "the proxy %s is configured for %s, and no scheme here speaks to an %s proxy", wire.Escape(via.Addr), u.Scheme(), via.Kind)
}

// judgeProxied asks policy about a host that a proxy connects to: about its address where it is one, else about the
// name.
func (op *operation) judgeProxied(d scheme.Dial) error {
	host, portText, err := net.SplitHostPort(d.Addr)
	if err != nil {
		return scheme.Fail(scheme.CodeProtocol, "not an address: %w", err)
	}
	a, ok, err := hostNumber(host)
	if err != nil {
		return err
	}
	if !ok {
		a, err = netip.ParseAddr(host)
		ok = err == nil
	}
	if ok {
		port, err := strconv.ParseUint(portText, 10, 16)
		if err != nil {
			return scheme.Fail(scheme.CodeRefused, "port %q is no port number", portText)
		}
		if policy.Public(a) {
			op.public.Store(true)
		}
		return op.c.opt.Policy.Addr(d, netip.AddrPortFrom(a, uint16(port)))
	}
	op.public.Store(true) // nobody knows: what it leads to is judged as if it were
	if p, ok := op.c.opt.Policy.(policy.ProxyPolicy); ok {
		return p.Proxied(d)
	}
	return scheme.Fail(scheme.CodeRefused, "the name %s would be resolved by a proxy, and policy has no word about that", wire.Escape(host))
}

// behindProxy is the address of a peer whose name a proxy has resolved.
type behindProxy string

func (behindProxy) Network() string  { return "tcp" }
func (b behindProxy) String() string { return string(b) }

// reach connects by the way that was chosen. remote is the peer's address if conn does not know it.
func (op *operation) reach(ctx context.Context, d scheme.Dial, by way) (conn net.Conn, remote net.Addr, err error) {
	if d.Purpose == scheme.ForProxy {
		if op.proxy == nil || d.Addr != op.proxy.Addr {
			return nil, nil, scheme.Fail(scheme.CodeRefused, "%s is not the proxy of this operation", wire.Escape(d.Addr))
		}
		conn, err = op.toProxy(ctx, d.Addr)
		return conn, nil, err
	}
	if by.socks != nil {
		return op.throughSOCKS(ctx, by.socks, d)
	}
	conn, err = op.connect(ctx, d)
	return conn, nil, err
}

// toProxy connects to a proxy. Policy is asked about its address; a port is no concern of the URL's scheme.
func (op *operation) toProxy(ctx context.Context, addr string) (net.Conn, error) {
	conn, err := op.connect(ctx, scheme.Dial{Purpose: scheme.ForProxy, Network: "tcp", Addr: addr, Scheme: "http"})
	if err != nil {
		return nil, scheme.Fail(CodeOf(err), "the proxy %s: %w", wire.Escape(addr), err)
	}
	return conn, nil
}

// way is how a connection goes.
type way struct {
	socks *scheme.Proxy // the SOCKS proxy that it goes through; nil is none
}

// way chooses how a connection goes.
func (op *operation) way(d *scheme.Dial) (way, error) {
	switch {
	case d.Purpose == scheme.ForData:
		return followControl(d)
	case d.Purpose == scheme.ForProxy || op.c.opt.Proxy == nil:
		return way{}, nil
	}
	via, err := op.c.opt.Proxy(op.r.URL.Scheme(), d.Addr)
	if err != nil || via == nil || !isSOCKS(via) {
		return way{}, err
	}
	return way{via}, nil
}

// followControl sends a data connection where its control connection goes, by the same way, whatever would be chosen for its own
// address. Where that way is not known there is none: it might lead past a proxy.
func followControl(d *scheme.Dial) (way, error) {
	control, ok := d.Control.(*idleConn)
	if !ok || control.way == nil {
		return way{}, scheme.Fail(scheme.CodeRefused, "a data connection to %s whose control connection is not known", wire.Escape(d.Addr))
	}
	port, ok := strings.CutPrefix(d.Addr, ":")
	if !ok {
		return way{}, scheme.Fail(scheme.CodeRefused, "a data connection goes to the host of its control connection, and %s names one", wire.Escape(d.Addr))
	}
	peer := control.RemoteAddr()
	host, _, err := net.SplitHostPort(peer.String())
	if err != nil {
		return way{}, scheme.Fail(scheme.CodeLocal, "the control connection has no address that a data connection could go to: %w", err)
	}
	d.Addr = net.JoinHostPort(host, port)
	d.Peer, _ = addrPort(peer)
	return *control.way, nil
}

// throughSOCKS connects through a SOCKS proxy (RFC 1928). With socks5 names are resolved here, and policy judges their
// addresses; with socks5h the proxy does that.
func (op *operation) throughSOCKS(ctx context.Context, via *scheme.Proxy, d scheme.Dial) (net.Conn, net.Addr, error) {
	if d.Network != "tcp" {
		return nil, nil, scheme.Fail(scheme.CodeUnsupported, "the SOCKS proxy %s passes no datagrams on", wire.Escape(via.Addr))
	}
	host, portText, err := net.SplitHostPort(d.Addr)
	if err != nil {
		return nil, nil, scheme.Fail(scheme.CodeProtocol, "not an address: %w", err)
	}
	port, err := strconv.ParseUint(portText, 10, 16)
	if err != nil {
		return nil, nil, scheme.Fail(scheme.CodeRefused, "port %q is no port number", portText)
	}
	a, literal, err := hostNumber(host)
	if err != nil {
		return nil, nil, err
	}
	if literal {
		host = a.String()
	} else if _, err := netip.ParseAddr(host); err != nil && via.Kind == "socks5h" {
		if err := op.judgeProxied(d); err != nil {
			return nil, nil, err
		}
		conn, err := op.socks(ctx, via, d.Addr)
		return conn, behindProxy(d.Addr), err
	}
	addrs, err := op.resolve(ctx, host)
	if err != nil {
		return nil, nil, err
	}
	failed := error(&net.AddrError{Err: "no address", Addr: host})
	for i, a := range addrs {
		ap := netip.AddrPortFrom(a.Unmap(), uint16(port))
		err := op.c.opt.Policy.Addr(d, ap)
		if err == nil {
			var conn net.Conn
			if conn, err = op.socks(ctx, via, ap.String()); err == nil {
				return conn, net.TCPAddrFromAddrPort(ap), nil
			}
		}
		if i == 0 {
			failed = err
		}
	}
	return nil, nil, failed
}

// socks asks a SOCKS proxy for a connection to target.
func (op *operation) socks(ctx context.Context, via *scheme.Proxy, target string) (net.Conn, error) {
	var login *proxy.Auth
	if user, ok := via.User.Get(); ok {
		login = &proxy.Auth{User: user, Password: via.Password}
	}
	dialer, err := proxy.SOCKS5("tcp", via.Addr, login, nil)
	if err != nil {
		return nil, scheme.Fail(scheme.CodeLocal, "the SOCKS proxy: %w", err)
	}
	over, ok := dialer.(interface {
		DialWithConn(ctx context.Context, c net.Conn, network, address string) (net.Addr, error)
	})
	if !ok {
		return nil, scheme.Fail(scheme.CodeLocal, "the SOCKS proxy: %T cannot use our connection", dialer)
	}
	conn, err := op.toProxy(ctx, via.Addr)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, op.r.Limits.Idle)
	defer cancel()
	if _, err := over.DialWithConn(ctx, conn, "tcp", target); err != nil {
		conn.Close()
		code := scheme.CodeUnreachable
		if strings.Contains(err.Error(), "authentication") { // package socks has no error of its own for that
			code = scheme.CodeLoginNeeded
		}
		return nil, scheme.Fail(code, "the SOCKS proxy %s makes no connection: %w", wire.Escape(via.Addr), err)
	}
	return conn, nil
}
