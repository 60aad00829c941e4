package client

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"locator"
	"locator/scheme"
)

// operation is one step: one scheme, one URL.
type operation struct {
	c      *Client
	name   string
	r      scheme.Request
	hop    scheme.Hop
	first  locator.URL   // that a person gave; r.URL but for hops
	public atomic.Bool   // a public address was dialled
	header []string      // in the place of Options.Header; nil is that
	logins sync.Mutex    // one question at a time
	via    *scheme.Proxy // the http proxy that it goes through; nil is none
}

// begin finds the scheme and asks policy: net 1.
func (c *Client) begin(name string, r scheme.Request) (*operation, scheme.Scheme, error) {
	op := &operation{c: c, name: name, r: r, first: r.URL}
	if r.From != nil { // what led here is all that is known of what a person named
		op.hop = *r.From
		op.first = op.hop.From
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

// env is the world as the scheme sees it in this operation.
func (op *operation) env() *scheme.Env {
	o := &op.c.opt
	header := o.Header
	if op.header != nil {
		header = op.header
	}
	if op.foreign() {
		header = harmless(header)
	}
	return &scheme.Env{
		Dial:      op.dial,
		Keep:      op.keep,
		Login:     op.login,
		TLS:       op.c.tls,
		TLSMode:   o.TLSMode,
		Proxy:     op.via,
		Servers:   func(name string) []locator.URL { return o.Servers[name] },
		MX:        o.Resolver.LookupMX,
		Files:     os.OpenRoot,
		Note:      op.note,
		Trace:     o.Trace,
		Limits:    o.Limits,
		Now:       o.Now,
		Mail:      o.Mail,
		UserAgent: o.UserAgent,
		Header:    header,
		Hostnames: o.Hostnames,
		Terminal:  o.Terminal,
	}
}

// note passes on what turned up late.
func (op *operation) note(text string) {
	if f := op.c.opt.Note; f != nil {
		f(op.r.URL, text)
	}
}

// foreign reports whether a peer led to another host than the one that the person named.
func (op *operation) foreign() bool {
	return op.hop.Kind != scheme.HopDirect && (op.hop.Foreign || !sameServer(op.first, op.r.URL))
}

// sameServer reports whether a login for a may be used for b: the same host and port, and no step from TLS to plain.
func sameServer(a, b locator.URL) bool {
	return a.Scheme() == b.Scheme() && strings.EqualFold(a.Host(), b.Host()) && portOf(a) == portOf(b)
}

// portOf returns the port of a URL, 0 if it has none.
func portOf(u locator.URL) uint16 {
	port, _ := u.PortNumber()
	return port
}

// harmless drops the header lines that prove who somebody is.
func harmless(header []string) []string {
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

// isPublic reports whether the operation read from a public address, a kept connection included.
func (op *operation) isPublic() bool {
	return op.public.Load() || op.c.public.has(hostPort(op.r.URL))
}

func hostPort(u locator.URL) string {
	return strings.ToLower(u.Host()) + ":" + strconv.Itoa(int(portOf(u)))
}

// finish prepares a resource for the caller.
func (op *operation) finish(ctx context.Context, res *scheme.Resource) *scheme.Resource {
	if res.URL.IsZero() {
		res.URL = op.r.URL
	}
	res.Public, res.From = op.isPublic(), op.r.From
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

// seen is a set of strings that only grows to a bound.
type seen struct {
	mu sync.Mutex
	m  map[string]bool
}

const maxSeen = 100_000

func (s *seen) add(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.m == nil || len(s.m) >= maxSeen {
		s.m = make(map[string]bool)
	}
	s.m[key] = true
}

func (s *seen) has(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.m[key]
}
