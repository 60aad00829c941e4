package netdial

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strings"

	"golang.org/x/net/proxy"

	"locator/internal/hostname"
	"locator/internal/octet"
	"locator/policy"
	"locator/scheme"
	"locator/wire"
)

// IsSOCKS reports whether via is a SOCKS proxy (RFC 1928), which forwards any connection, rather
// than an HTTP proxy.
func IsSOCKS(via *scheme.Proxy) bool { return strings.HasPrefix(via.Kind, "socks5") }

// route is how a connection reaches its server: through a SOCKS proxy, or directly if that is nil.
type route struct{ socks *scheme.Proxy }

// behindProxy is the net.Addr of a server whose name a proxy has resolved.
type behindProxy string

func (behindProxy) Network() string  { return "tcp" }
func (b behindProxy) String() string { return string(b) }

// CheckProxied checks a host that a proxy connects to against the policy: its address if host is
// one, else its name.
func (d *Dialer) CheckProxied(sd scheme.Dial) (Peer, error) {
	host, port, err := splitPort(sd.Addr)
	if err != nil {
		return Peer{}, err
	}
	a, ok, err := literal(host)
	if err != nil {
		return Peer{}, err
	}
	if ok {
		return Peer{Public: policy.Public(a)}, refusal(d.Policy.Addr(sd, netip.AddrPortFrom(a, port)))
	}
	if err := checkName(host); err != nil {
		return Peer{}, err
	}
	unknown := Peer{Public: true} // only the proxy knows the address, so it counts as public
	return unknown, d.Policy.Proxied(sd)
}

// checkName refuses a name that a proxy may read as another host: one with an empty label or with a
// character that host names do not have. An escape in it was not decoded here (RFC 3986 3.2.2), but
// a proxy may decode it.
func checkName(host string) error {
	for label := range strings.SplitSeq(strings.TrimSuffix(host, "."), ".") {
		if label == "" {
			return scheme.Fail(scheme.CodeRefused, "the host %s has an empty label, and a proxy may read it as another host", wire.Escape(host))
		}
		for i := range len(label) {
			if c := label[i]; !hostname.IsLabel(c) && c != '_' {
				return scheme.Fail(scheme.CodeRefused, "the host %s contains %s, which host names do not contain, and a proxy may read it as another host",
					wire.Escape(host), octet.Quote(c))
			}
		}
	}
	return nil
}

// route returns how a connection reaches its server.
func (d *Dialer) route(r *Request) (route, error) {
	switch {
	case r.Purpose == scheme.ForData:
		return routeOfControl(r)
	case r.Purpose == scheme.ForProxy || d.Proxy == nil:
		return route{}, nil
	}
	via, err := d.Proxy(r.Scheme, r.Addr)
	if err != nil || via == nil || !IsSOCKS(via) {
		return route{}, err
	}
	return route{via}, nil
}

// routeOfControl returns the route of the control connection and sets the host of a data
// connection. The data connection must use the same host and route: another might bypass a proxy.
// It is an error if Control is not a connection of Dial.
func routeOfControl(r *Request) (route, error) {
	control, ok := r.Control.(*Conn)
	if !ok || control.route == nil {
		return route{}, scheme.Fail(scheme.CodeRefused, "unknown control connection for the data connection to %s", wire.Escape(r.Addr))
	}
	port, ok := strings.CutPrefix(r.Addr, ":")
	if !ok {
		return route{}, scheme.Fail(scheme.CodeRefused, "a data connection goes to the host of its control connection, but %s names a host", wire.Escape(r.Addr))
	}
	peer := control.RemoteAddr()
	host, _, err := net.SplitHostPort(peer.String())
	if err != nil {
		return route{}, scheme.Fail(scheme.CodeLocal, "the control connection has no address that a data connection could go to: %w", err)
	}
	r.Addr = net.JoinHostPort(host, port)
	r.Peer, _ = addrPort(peer)
	return *control.route, nil
}

// toProxy connects to the HTTP proxy of the operation.
func (d *Dialer) toProxy(ctx context.Context, r *Request) (net.Conn, error) {
	if r.HTTPProxy == nil || r.Addr != r.HTTPProxy.Addr {
		return nil, scheme.Fail(scheme.CodeRefused, "%s is not the proxy of this operation", wire.Escape(r.Addr))
	}
	return d.connectProxy(ctx, r, r.Addr)
}

// connectProxy connects to a proxy. The policy checks its address but allows any port.
func (d *Dialer) connectProxy(ctx context.Context, r *Request, addr string) (net.Conn, error) {
	conn, err := d.connect(ctx, &Request{Idle: r.Idle, Dial: scheme.Dial{Purpose: scheme.ForProxy, Network: "tcp", Addr: addr, Scheme: "http"}})
	if err != nil {
		return nil, fmt.Errorf("the proxy %s: %w", wire.Escape(addr), err)
	}
	return conn, nil
}

// throughSOCKS connects through a SOCKS proxy (RFC 1928). With socks5 the client resolves names,
// and the policy checks their addresses; with socks5h the proxy resolves names.
func (d *Dialer) throughSOCKS(ctx context.Context, via *scheme.Proxy, r *Request) (net.Conn, net.Addr, error) {
	if r.Network != "tcp" {
		return nil, nil, scheme.Fail(scheme.CodeUnsupported, "the SOCKS proxy %s cannot be used for UDP", wire.Escape(via.Addr))
	}
	host, port, err := net.SplitHostPort(r.Addr)
	if err != nil {
		return nil, nil, scheme.Fail(scheme.CodeProtocol, "invalid address: %w", err)
	}
	a, ok, err := literal(host)
	if err != nil {
		return nil, nil, err
	}
	addr := r.Addr
	if ok {
		addr = net.JoinHostPort(a.String(), port)
	} else if via.Kind == "socks5h" {
		if _, err := d.CheckProxied(r.Dial); err != nil {
			return nil, nil, err
		}
		conn, err := d.socks(ctx, via, r, r.Addr)
		return conn, behindProxy(r.Addr), err
	}
	var remote net.Addr
	conn, err := d.eachAddress(ctx, r, addr, func(ap netip.AddrPort) (net.Conn, error) {
		remote = net.TCPAddrFromAddrPort(ap)
		return d.socks(ctx, via, r, ap.String())
	})
	return conn, remote, err
}

// socks requests a connection to target from a SOCKS proxy.
func (d *Dialer) socks(ctx context.Context, via *scheme.Proxy, r *Request, target string) (net.Conn, error) {
	var login *proxy.Auth
	if user, ok := via.User.Get(); ok {
		login = &proxy.Auth{User: user, Password: via.Password}
	}
	dialer, err := proxy.SOCKS5("tcp", via.Addr, login, nil)
	if err != nil {
		return nil, scheme.Fail(scheme.CodeLocal, "SOCKS proxy: %w", err)
	}
	over, ok := dialer.(interface {
		DialWithConn(ctx context.Context, c net.Conn, network, address string) (net.Addr, error)
	})
	if !ok {
		return nil, scheme.Fail(scheme.CodeLocal, "SOCKS proxy: %T cannot use an open connection", dialer)
	}
	conn, err := d.connectProxy(ctx, r, via.Addr)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, r.Idle)
	defer cancel()
	if _, err := over.DialWithConn(ctx, conn, "tcp", target); err != nil {
		conn.Close()
		code := scheme.CodeUnreachable
		if strings.Contains(err.Error(), "authentication") { // package socks has no error type for this
			code = scheme.CodeLoginNeeded
		}
		return nil, scheme.Fail(code, "the SOCKS proxy %s failed to connect: %w", wire.Escape(via.Addr), err)
	}
	return conn, nil
}
