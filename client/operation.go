package client

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"locator"
	"locator/internal/netdial"
	"locator/scheme"
)

// operation is one operation of one scheme on one URL. Each redirect starts a new one.
type operation struct {
	c      *Client
	name   scheme.Op
	r      scheme.Request // with Limits, Principal, From and the Header of both set; Mirrors is nil, since the client handles mirrors
	hop    scheme.Hop
	via    []scheme.Hop  // the hops that led to r.URL
	origin locator.URL   // the URL that the user named; r.URL if there was no hop
	trace  *scheme.Trace // of the client and of the request; never nil
	public atomic.Bool   // it has connected to a public address
	ended  atomic.Bool   // its Env must no longer be used
	logins sync.Mutex    // serializes calls of LoginFuncs
	secret secrets       // are masked in what servers say
	proxy  *scheme.Proxy // HTTP proxy in use; nil is none

	gatewayed   bool         // the URL is accessed through one of Options.Via
	gateway     locator.URL  // its URL; zero if it is a proxy
	certificate atomic.Int32 // what happened to the client certificate
	release     func()       // ends its turn; nil if there are no turns

	mu   sync.Mutex
	addr netip.AddrPort // the address it connected to last
}

// begin looks up the scheme and checks the URL against the policy. via are the hops that led to
// r.URL.
func (c *Client) begin(name scheme.Op, r scheme.Request, via []scheme.Hop) (*operation, scheme.Scheme, error) {
	r.Limits, r.Mirrors = r.Limits.Or(c.opt.Limits), nil
	r.Limits.LineTime, r.Limits.ReplyTime = max(r.Limits.LineTime, r.Limits.Idle), max(r.Limits.ReplyTime, r.Limits.Idle)
	if r.Principal == nil {
		r.Principal = c.self
	}
	op := &operation{c: c, name: name, r: r, origin: r.URL, via: via, trace: c.opt.Trace.And(r.Trace)}
	op.trace = op.secret.trace(op.trace, r.URL)
	op.secret.addURL(r.URL)
	for _, u := range c.opt.Servers[r.URL.Scheme()] {
		op.secret.addURL(u)
	}
	if len(via) > 0 {
		op.hop = via[len(via)-1]
		op.origin, op.r.From = via[0].From, &op.hop
	}
	header := mergeHeader(c.opt.Header, r.Header)
	if op.foreign() {
		header = foreignHeader(header)
	}
	op.r.Header = mergeHeader(c.opt.HeaderAll, header)
	op.secret.addHeader(op.r.Header)
	if c.closed.Load() && len(via) == len(initialHops(r)) {
		return nil, nil, op.wrapCode(scheme.CodeUsage, &textError{"the client is closed", fs.ErrClosed})
	}
	if r.Principal != c.self && r.Principal.ID == "" {
		return nil, nil, op.fail(scheme.CodeUsage, "the principal has no ID")
	}
	if r.URL.IsZero() {
		return nil, nil, op.fail(scheme.CodeMalformed, "no URL given")
	}
	if g, ok := c.opt.Via[r.URL.Scheme()]; ok {
		err := op.check(r.URL, op.hop)
		var s scheme.Scheme
		if err == nil {
			s, err = op.throughGateway(g)
		}
		return op, s, op.wrap(context.Background(), err)
	}
	s, ok := c.opt.Registry.Lookup(r.URL.Scheme())
	if !ok {
		if name, _ := locator.IsReserved(r.URL.Scheme()); name.Instead != "" {
			return nil, nil, op.wrapCode(scheme.CodeUnsupported, fmt.Errorf("scheme %q is not supported: it is %s", name.Name, name.Instead))
		}
		return nil, nil, op.wrapCode(scheme.CodeUnsupported, fmt.Errorf("scheme %q is not supported; supported schemes: %s",
			r.URL.Scheme(), strings.Join(c.opt.Registry.Names(), ", ")))
	}
	if err := op.check(r.URL, op.hop); err != nil {
		return nil, nil, op.wrap(context.Background(), err)
	}
	s, err := op.selectProxy(s)
	if err != nil {
		return nil, nil, op.wrap(context.Background(), err)
	}
	return op, s, nil
}

// run performs a task when it is the operation's turn. The turn ends with the task if that leaves
// nothing open, else with ctx.
func (op *operation) run(ctx context.Context, s scheme.Scheme, do task) (*scheme.Resource, error) {
	if op.c.opt.Turn != nil {
		release, err := op.c.opt.Turn(ctx, op.r.URL)
		if err != nil {
			return nil, err
		}
		op.release = sync.OnceFunc(release)
		context.AfterFunc(ctx, op.release)
	}
	res, err := do(ctx, op, s)
	if err != nil || res.Kind == scheme.KindReferral {
		op.endTurn()
	}
	return res, err
}

// endTurn ends the turn of the operation, if it has one. It may be called more than once.
func (op *operation) endTurn() {
	if op.release != nil {
		op.release()
	}
}

// check returns an error if the policy refuses u, which h led to, or if h is one hop too many. Only
// redirects and referrals can loop; the depth of menus is not limited.
func (op *operation) check(u locator.URL, h scheme.Hop) error {
	if limit := op.r.Limits.Hops; h.N > limit && h.Kind != scheme.HopMenuItem {
		return scheme.Fail(scheme.CodeLoop, "stopped after %d redirects or referrals; there may be a loop", limit)
	}
	if err := op.checkPolicy(u, h); err != nil {
		return err
	}
	if op.r.Follow != nil && h.Kind != scheme.HopDirect {
		if err := op.r.Follow(u); err != nil {
			return err
		}
	}
	return op.c.checkTLS(u.Scheme())
}

// checkPolicy returns the error of the policy for u, with CodeRefused if it has no code.
func (op *operation) checkPolicy(u locator.URL, h scheme.Hop) error {
	err := op.c.checkURL(u, h)
	if err == nil || errors.As(err, new(*scheme.Error)) {
		return err
	}
	return scheme.Fail(scheme.CodeRefused, "%w", err)
}

// initialHops returns the hops that led to r.URL: r.From, if set.
func initialHops(r scheme.Request) []scheme.Hop {
	if r.From == nil {
		return nil
	}
	return []scheme.Hop{*r.From}
}

// env returns the Env of this operation.
func (op *operation) env() *scheme.Env {
	o := &op.c.opt
	return &scheme.Env{
		Dial:     op.dial,
		Keep:     op.keep,
		Cache:    scopedCache{op.c.cache, op},
		Login:    op.login,
		TLSMode:  o.TLSMode,
		Proxy:    op.proxy,
		Servers:  op.servers(),
		MX:       op.c.mx,
		Note:     op.note,
		Trace:    op.trace,
		Limits:   op.r.Limits,
		Clock:    o.Clock,
		Mail:     o.Mail,
		Settings: o.Settings,
	}
}

// note calls the Note functions of the client and of the request. A note may repeat what a server
// said.
func (op *operation) note(text string) {
	for _, f := range []func(locator.URL, string){op.c.opt.Note, op.r.Note} {
		if f != nil {
			f(op.r.URL, op.secret.hide(text))
		}
	}
}

// scopedKey returns the key of the pool or the cache for key. It includes the principal, the
// scheme, and whether another server or host led here: such an operation must not use a login or a
// certificate of the user's, nor a connection that has one.
func (op *operation) scopedKey(key string) string {
	who := "" // the client's own principal
	if op.r.Principal != op.c.self {
		who = strconv.Quote(op.r.Principal.ID)
	}
	return who + " " + op.r.URL.Scheme() + " " + strconv.FormatBool(op.foreign()) + strconv.FormatBool(op.stayed()) + " " + key
}

// foreign reports whether redirects or referrals led to another server than the one that the user
// named.
func (op *operation) foreign() bool {
	return op.hop.Kind != scheme.HopDirect && (op.hop.Foreign || !sameServer(op.origin, op.r.URL))
}

// sameServer reports whether a login for a may be used for b: the same scheme, host and port.
func sameServer(a, b locator.URL) bool {
	return a.Scheme() == b.Scheme() && strings.EqualFold(a.Host(), b.Host()) && portOf(a) == portOf(b)
}

// portOf returns the port of a URL, 0 if it has none.
func portOf(u locator.URL) uint16 {
	port, _ := u.PortNumber()
	return port
}

// connectedTo records a server address that the operation has connected to.
func (op *operation) connectedTo(p netdial.Peer) {
	if p.Public {
		op.public.Store(true)
	}
	op.mu.Lock()
	defer op.mu.Unlock()
	op.addr = p.Addr
}

// nextHop returns the hop from this operation to a URL that its resource contains.
func (op *operation) nextHop(kind scheme.HopKind, permanent bool) scheme.Hop {
	return scheme.Hop{Kind: kind, From: op.r.URL, N: op.hop.N + 1, Permanent: permanent,
		FromPublic: op.public.Load() || op.hop.FromPublic, Foreign: op.foreign()}
}

// finish completes a resource for the caller: it sets URL, Via and Addr, and wraps body, session
// and entries.
func (op *operation) finish(ctx context.Context, res *scheme.Resource) *scheme.Resource {
	if res.URL.IsZero() {
		res.URL = op.r.URL
	}
	op.secret.hideReceipt(res.Receipt)
	for i, text := range res.Notes {
		res.Notes[i] = op.secret.hide(text)
	}
	op.mu.Lock()
	res.Public, res.Via, res.Addr = op.public.Load(), op.via, op.addr
	op.mu.Unlock()
	switch {
	case res.Body != nil:
		res.Body = op.body(ctx, res.Body)
	case res.NotModified:
		res.Body = noBody{op.fail(scheme.CodeUsage, "not modified: the server sent no body")}
	case res.Kind != scheme.KindObject && (op.name == scheme.OpAccess || op.name == scheme.OpSubmit):
		res.Body = noBody{op.fail(scheme.CodeUnsupported, "not a file but a %s, which has no body", res.Kind)}
	}
	if res.Session != nil {
		res.Session = &clientSession{res.Session, op, ctx}
	}
	if entries := res.Entries; entries != nil {
		res.Entries = func(yield func(scheme.Entry, error) bool) {
			defer op.endTurn()
			for e, err := range entries {
				if err != nil {
					yield(scheme.Entry{}, op.wrap(ctx, err))
					return
				}
				if !yield(e, nil) {
					return
				}
			}
		}
	}
	if members := res.Members; members != nil {
		res.Members = func(yield func(*scheme.Resource, error) bool) {
			for m, err := range members {
				if err != nil {
					yield(nil, op.wrap(ctx, err))
					return
				}
				if !yield(op.finish(ctx, m), nil) {
					return
				}
			}
		}
	}
	return res
}
