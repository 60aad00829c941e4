package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"

	"locator"
	"locator/internal/netdial"
	"locator/scheme"
	"locator/wire"
)

// dial opens a connection for a scheme. The policy checks every address before it is connected to.
func (op *operation) dial(ctx context.Context, d scheme.Dial) (net.Conn, error) {
	if op.ended.Load() {
		return nil, errEnded
	}
	if d.Over != nil {
		return op.startTLS(ctx, d.Over, d)
	}
	began := op.c.opt.Clock.Now()
	op.describe(&d)
	if err := op.checkDial(d); err != nil {
		return nil, err
	}
	r := &netdial.Request{Dial: d, Idle: op.r.Limits.Idle, HTTPProxy: op.proxy}
	r.Waiting = func(remote net.Addr) {
		c := scheme.Connection{Dial: d, Began: began}
		if remote != nil {
			c.Remote = remote.String()
		}
		op.trace.OnWaiting(c)
	}
	conn, err := op.c.dialer.Dial(ctx, r)
	if err != nil {
		return nil, err
	}
	if d.Purpose != scheme.ForProxy {
		op.connectedTo(conn.Peer())
	}
	op.trace.OnConnected(scheme.Connection{Dial: r.Dial, Remote: conn.RemoteAddr().String(), Began: began, Took: op.c.opt.Clock.Now().Sub(began)})
	if d.TLS == "" {
		return conn, nil
	}
	over, err := op.startTLS(ctx, conn, d)
	if err != nil {
		conn.Close()
		return nil, err
	}
	conn.SetInteractive(d.Interactive)
	return over, nil
}

func (op *operation) describe(d *scheme.Dial) {
	if d.Network == "" {
		d.Network = "tcp"
	}
	d.Scheme = op.r.URL.Scheme()
	if !op.gateway.IsZero() {
		d.Scheme, d.Purpose = op.gateway.Scheme(), scheme.ForServer
	}
	d.Ports = op.c.ports[d.Scheme]
	d.FromPublic = d.Purpose != scheme.ForServer && op.hop.FromPublic || d.Purpose == scheme.ForHop && op.public.Load()
}

// checkDial returns an error if [operation.check] refuses the URL of a hop, or if a ForServer dial
// names a server that is not configured.
func (op *operation) checkDial(d scheme.Dial) error {
	switch {
	case d.Purpose == scheme.ForHop && !d.URL.IsZero():
		return op.check(d.URL, op.nextHop(scheme.HopReferral, false))
	case d.Purpose == scheme.ForServer && !op.configured(d.Addr):
		return scheme.Fail(scheme.CodeRefused, "%s is not a configured server", wire.Escape(d.Addr))
	}
	return nil
}

// configured reports whether addr, as host:port, is a server that is configured for the scheme of
// the operation. One that is configured for another scheme does not count.
func (op *operation) configured(addr string) bool {
	return slices.ContainsFunc(op.servers(), func(u locator.URL) bool {
		at, ok := u.Addr()
		return ok && strings.EqualFold(addr, at)
	})
}

// servers returns the servers that are configured for the scheme of the operation: its gateway, if
// it has one.
func (op *operation) servers() []locator.URL {
	switch {
	case !op.gateway.IsZero():
		return []locator.URL{op.gateway}
	case op.gatewayed:
		return nil
	}
	return op.c.opt.Servers[op.r.URL.Scheme()]
}

// errEnded is the error of Env.Dial and Env.Keep after the operation has ended.
var errEnded = errors.New("the operation has already ended")

// keep implements Env.Keep.
func (op *operation) keep(ctx context.Context, key string, open func(context.Context) (scheme.Kept, error)) (scheme.Kept, bool, func(bool), error) {
	if op.ended.Load() {
		return nil, false, nil, errEnded
	}
	p := op.c.pool
	key = op.scopedKey(key)
	c := p.Take(key)
	if c != nil && op.checkPooled(c.RemoteAddr()) != nil { // refused for this operation; dialling returns the policy's error
		c.Close()
		c = nil
	}
	reused := c != nil
	if !reused {
		var err error
		if c, err = open(ctx); err != nil {
			return nil, false, nil, err
		}
	}
	var once sync.Once
	release := func(reuse bool) {
		once.Do(func() {
			if reuse {
				p.Put(key, c)
			} else {
				c.Close()
			}
		})
	}
	return c, reused, release, nil
}

// checkPooled checks a pooled connection against the policy for this operation.
func (op *operation) checkPooled(addr net.Addr) error {
	d := scheme.Dial{Purpose: scheme.ForControl}
	op.describe(&d)
	peer, err := op.c.dialer.CheckPooled(d, addr, op.proxy)
	if err != nil {
		return fmt.Errorf("reused connection: %w", err)
	}
	if op.proxy == nil {
		op.connectedTo(peer)
	}
	return nil
}

// selectProxy sets op.proxy if Options.Proxy selects an HTTP proxy for the URL, and returns the
// scheme that performs the operation: s, or the scheme that can talk to such a proxy. The policy
// checks the server that the proxy connects to.
func (op *operation) selectProxy(s scheme.Scheme) (scheme.Scheme, error) {
	u := op.r.URL
	addr, ok := u.Addr()
	if op.c.opt.Proxy == nil || !ok {
		return s, nil
	}
	d := scheme.Dial{Purpose: scheme.ForControl, Addr: addr}
	via, err := op.c.opt.Proxy(u.Scheme(), d.Addr)
	if err != nil || via == nil || netdial.IsSOCKS(via) {
		return s, err
	}
	op.describe(&d)
	peer, err := op.c.dialer.CheckProxied(d)
	if err != nil {
		return s, err
	}
	if peer.Public {
		op.public.Store(true)
	}
	op.proxy = via
	if speaksTo(s, via) {
		return s, nil
	}
	if err := op.c.checkTLSTo(via.Kind); err != nil {
		return nil, err
	}
	return op.proxyClient(u.Scheme())
}

func speaksTo(s scheme.Scheme, via *scheme.Proxy) bool {
	p, ok := s.(scheme.ProxyClient)
	return ok && p.SpeaksTo(via.Kind)
}

// proxyClient returns a scheme that can ask op.proxy for URLs of the named scheme.
func (op *operation) proxyClient(name string) (scheme.Scheme, error) {
	for _, n := range op.c.opt.Registry.Names() {
		if h, _ := op.c.opt.Registry.Lookup(n); speaksTo(h, op.proxy) {
			return h, nil
		}
	}
	return nil, scheme.Fail(scheme.CodeUnsupported, "proxy %s is configured for %s, but no registered scheme can use an %s proxy", wire.Escape(op.proxy.Addr), name, op.proxy.Kind)
}
