package client

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"

	"locator/internal/netdial"
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
	r := &netdial.Request{Dial: d, Idle: op.r.Limits.Idle, HTTPProxy: op.proxy}
	conn, err := op.c.dialer.Dial(ctx, r)
	if err != nil {
		return nil, err
	}
	if d.Purpose != scheme.ForProxy {
		op.talkedTo(conn.Peer())
	}
	op.trace.OnConnected(scheme.Connection{Dial: r.Dial, Remote: conn.RemoteAddr().String(), Began: began, Took: op.c.opt.Clock.Now().Sub(began)})
	return conn, nil
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
			if at, ok := u.Addr(); ok && strings.EqualFold(addr, at) {
				return true
			}
		}
	}
	return false
}

// errEnded is what an Env says after its operation.
var errEnded = errors.New("the operation of this Env has ended")

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

// keep is Env.Keep.
func (op *operation) keep(ctx context.Context, key string, open func(context.Context) (scheme.Kept, error)) (scheme.Kept, bool, func(bool), error) {
	if op.ended.Load() {
		return nil, false, nil, errEnded
	}
	p := op.c.pool
	key = op.ownKey(key)
	c := p.Take(key)
	if c != nil && op.judgeKept(c.RemoteAddr()) != nil { // policy allowed it to another operation: dialling tells why not here
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

// judgeKept asks policy again about a kept connection.
func (op *operation) judgeKept(addr net.Addr) error {
	d := scheme.Dial{Purpose: scheme.ForControl}
	op.describe(&d)
	peer, err := op.c.dialer.JudgeKept(d, addr, op.proxy)
	if err != nil {
		return fmt.Errorf("a kept connection: %w", err)
	}
	if op.proxy == nil {
		op.talkedTo(peer)
	}
	return nil
}

// throughProxy chooses the http proxy of the operation, if there is one. The scheme that speaks to such proxies then does
// the operation, whatever the scheme of the URL. Policy is asked about the server that the proxy connects to.
func (op *operation) throughProxy(s scheme.Scheme) (scheme.Scheme, error) {
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
	peer, err := op.c.dialer.JudgeProxied(d)
	if err != nil {
		return s, err
	}
	if peer.Public {
		op.public.Store(true)
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
