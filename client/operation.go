package client

import (
	"context"
	"fmt"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"locator"
	"locator/internal/netdial"
	"locator/scheme"
)

// operation is one step: one scheme, one URL.
type operation struct {
	c      *Client
	name   scheme.Op
	r      scheme.Request // Limits, Principal and From are filled; Mirrors are the client's business
	hop    scheme.Hop
	via    []scheme.Hop  // the hops that led to r.URL
	first  locator.URL   // the URL that a person gave; r.URL where there was no hop
	trace  *scheme.Trace // of the client and of the request; never nil
	public atomic.Bool   // it has talked to a public address
	ended  atomic.Bool   // its Env must not be used any more
	logins sync.Mutex    // one question at a time
	proxy  *scheme.Proxy // the http proxy that it goes through; nil is none

	mu   sync.Mutex
	addr netip.AddrPort // the address it has talked to last
}

// begin finds the scheme and asks policy about the URL. via are the hops that led to r.URL.
func (c *Client) begin(name scheme.Op, r scheme.Request, via []scheme.Hop) (*operation, scheme.Scheme, error) {
	r.Limits, r.Mirrors = r.Limits.Or(c.opt.Limits), nil
	if r.Principal == nil {
		r.Principal = c.self
	}
	op := &operation{c: c, name: name, r: r, first: r.URL, via: via, trace: c.opt.Trace.And(r.Trace)}
	if len(via) > 0 {
		op.hop = via[len(via)-1]
		op.first, op.r.From = via[0].From, &op.hop
	}
	if r.Principal != c.self && r.Principal.ID == "" {
		return nil, nil, op.fail(scheme.CodeUsage, "a principal needs an ID")
	}
	if r.URL.IsZero() {
		return nil, nil, op.fail(scheme.CodeMalformed, "there is no URL")
	}
	s, ok := c.opt.Registry.Lookup(r.URL.Scheme())
	if !ok {
		return nil, nil, op.wrapCode(scheme.CodeUnsupported, fmt.Errorf("scheme %q cannot be accessed here; schemes that can: %s",
			r.URL.Scheme(), strings.Join(c.opt.Registry.Names(), ", ")))
	}
	if err := c.opt.Policy.URL(r.URL, op.hop); err != nil {
		return nil, nil, op.wrap(context.Background(), err)
	}
	s, err := op.throughProxy(s)
	if err != nil {
		return nil, nil, op.wrap(context.Background(), err)
	}
	return op, s, nil
}

// hopsOf are the hops that led to the URL of a request.
func hopsOf(r scheme.Request) []scheme.Hop {
	if r.From == nil {
		return nil
	}
	return []scheme.Hop{*r.From}
}

// env is the world as the scheme sees it in this operation.
func (op *operation) env() *scheme.Env {
	o := &op.c.opt
	header := mergeHeader(o.Header, op.r.Header)
	if op.foreign() {
		header = dropCredentials(header)
	}
	return &scheme.Env{
		Dial:      op.dial,
		Keep:      op.keep,
		Cache:     cacheOf{op.c.cache, op},
		Login:     op.login,
		TLS:       op.c.tls,
		TLSMode:   o.TLSMode,
		Proxy:     op.proxy,
		Servers:   func(name string) []locator.URL { return o.Servers[name] },
		MX:        op.c.mx,
		Files:     os.OpenRoot,
		Note:      op.note,
		Trace:     op.trace,
		Limits:    op.r.Limits,
		Clock:     o.Clock,
		Mail:      o.Mail,
		UserAgent: o.UserAgent,
		Header:    header,
		Hostnames: o.Hostnames,
	}
}

// note passes on what turned up while a body or a listing was read.
func (op *operation) note(text string) {
	for _, f := range []func(locator.URL, string){op.c.opt.Note, op.r.Note} {
		if f != nil {
			f(op.r.URL, text)
		}
	}
}

// ownKey is a key of the pool or the cache that only this scheme and this principal use. An operation that another server
// led to must not use a login of the user's, so it uses no connection of the user's either.
func (op *operation) ownKey(key string) string {
	who := "" // the client's own principal
	if op.r.Principal != op.c.self {
		who = strconv.Quote(op.r.Principal.ID)
	}
	return who + " " + op.r.URL.Scheme() + " " + strconv.FormatBool(op.foreign()) + " " + key
}

// foreign reports whether a server led to another server than the one that the person named.
func (op *operation) foreign() bool {
	return op.hop.Kind != scheme.HopDirect && (op.hop.Foreign || !sameServer(op.first, op.r.URL))
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

// hostPort names the server of a URL.
func hostPort(u locator.URL) string {
	return strings.ToLower(u.Host()) + ":" + strconv.Itoa(int(portOf(u)))
}

// mergeHeader returns the lines of both. A field of the request takes the place of the client's field of that name.
func mergeHeader(client, request []string) []string {
	if len(request) == 0 {
		return client
	}
	named := func(line string) string {
		name, _, _ := strings.Cut(line, ":")
		return strings.ToLower(strings.TrimSpace(name))
	}
	merged := slices.Clone(request)
	for _, line := range client {
		if !slices.ContainsFunc(request, func(r string) bool { return named(r) == named(line) }) {
			merged = append(merged, line)
		}
	}
	return merged
}

// dropCredentials removes the header lines that prove who somebody is.
func dropCredentials(header []string) []string {
	var kept []string
	for _, line := range header {
		name, _, _ := strings.Cut(line, ":")
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "authorization", "cookie", "proxy-authorization":
		default:
			kept = append(kept, line)
		}
	}
	return kept
}

// talkedTo remembers an address that the operation reads from.
func (op *operation) talkedTo(p netdial.Peer) {
	if p.Public {
		op.public.Store(true)
	}
	op.mu.Lock()
	defer op.mu.Unlock()
	op.addr = p.Addr
}

// onward is the hop from this operation to what its resource names.
func (op *operation) onward(kind scheme.HopKind, permanent bool) scheme.Hop {
	return scheme.Hop{Kind: kind, From: op.r.URL, N: op.hop.N + 1, Permanent: permanent,
		FromPublic: op.public.Load() || op.hop.FromPublic, Foreign: op.foreign()}
}

// finish prepares a resource for the caller.
func (op *operation) finish(ctx context.Context, res *scheme.Resource) *scheme.Resource {
	if res.URL.IsZero() {
		res.URL = op.r.URL
	}
	op.mu.Lock()
	res.Public, res.Via, res.Addr = op.public.Load(), op.via, op.addr
	op.mu.Unlock()
	if res.Body != nil {
		res.Body = op.body(ctx, res.Body)
	}
	if entries := res.Entries; entries != nil {
		res.Entries = func(yield func(scheme.Entry, error) bool) {
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
	return res
}
