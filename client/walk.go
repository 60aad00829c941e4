package client

import (
	"context"
	"iter"
	"strings"

	"locator"
	"locator/scheme"
)

// WalkOptions bound a walk.
type WalkOptions struct {
	// Depth is how many listings deep the walk goes; 0 is DefaultDepth.
	Depth int
	// Enter decides whether a listing is gone into; nil enters all. Path is that of the visit.
	Enter func(v Visit) bool
	// Robots, where set, makes the walk heed the robots.txt of http and gopher servers, as this agent.
	Robots string
}

// DefaultDepth bounds a walk that names no depth: no tree that a person made is deeper.
const DefaultDepth = 64

// Visit is one thing that a walk has come to.
type Visit struct {
	Entry scheme.Entry
	Path  []string    // the names from the root to the entry, as the peer gave them: not safe for files
	From  *scheme.Hop // for the Request that accesses the entry
	Err   error       // the listing at Entry.URL failed; the walk goes on elsewhere
}

// Walk lists r.URL and what is listed there, and so on: the one recursion that mirroring, checking and harvesting share.
// It stays on the server of r.URL, and in a hierarchical scheme below it; it comes to nothing twice. Notes are left
// out. The sequence dials when it is ranged over.
func (c *Client) Walk(ctx context.Context, r scheme.Request, o WalkOptions) iter.Seq[Visit] {
	if o.Depth == 0 {
		o.Depth = DefaultDepth
	}
	return func(yield func(Visit) bool) {
		w := &walk{c: c, root: r, o: o, seen: make(map[string]bool), robots: make(map[string]*robots)}
		w.seen[r.URL.Canonical().Text()] = true
		w.list(ctx, r, nil, yield)
	}
}

// maxWalk bounds how many things one walk remembers to have come to.
const maxWalk = 10_000_000

type walk struct {
	c      *Client
	root   scheme.Request
	o      WalkOptions
	seen   map[string]bool
	robots map[string]*robots
}

// list visits what is listed at r.URL; it reports whether the walk goes on.
func (w *walk) list(ctx context.Context, r scheme.Request, path []string, yield func(Visit) bool) bool {
	var below []Visit
	for e, err := range w.c.List(ctx, r) {
		if err != nil {
			if !yield(Visit{Entry: scheme.Entry{URL: r.URL, Kind: scheme.Listing}, Path: path, From: r.From, Err: err}) {
				return false
			}
			break
		}
		if e.URL.IsZero() || e.Kind == scheme.Note || !w.inside(e.URL) {
			continue
		}
		key := e.URL.Canonical().Text()
		if w.seen[key] || len(w.seen) >= maxWalk {
			continue
		}
		w.seen[key] = true
		if !w.allowed(ctx, e.URL) {
			w.c.opt.Trace.OnNote("robots.txt asks not to read " + e.URL.Redacted())
			continue
		}
		v := Visit{Entry: e, Path: append(append([]string(nil), path...), lastName(e)), From: w.hop(r)}
		if !yield(v) {
			return false
		}
		if e.Kind == scheme.Listing && len(v.Path) < w.o.Depth && (w.o.Enter == nil || w.o.Enter(v)) {
			below = append(below, v)
		}
	}
	for _, v := range below { // one listing at a time: its connection is free for the next
		if ctx.Err() != nil {
			return false
		}
		next := w.root
		next.URL, next.From = v.Entry.URL, v.From
		if !w.list(ctx, next, v.Path, yield) {
			return false
		}
	}
	return true
}

func (w *walk) hop(r scheme.Request) *scheme.Hop {
	h := scheme.Hop{Kind: scheme.MenuItem, From: r.URL, N: 1, FromPublic: w.c.public.has(hostPort(r.URL))}
	if r.From != nil {
		h.N = r.From.N + 1
		h.FromPublic = h.FromPublic || r.From.FromPublic
		h.Foreign = r.From.Foreign
	}
	return &h
}

// inside reports whether u belongs to the tree.
func (w *walk) inside(u locator.URL) bool {
	root := w.root.URL
	if !sameServer(root, u) {
		return false
	}
	if !root.Hierarchical() {
		return true
	}
	base, _ := root.Path()
	path, _ := u.Path()
	base = base[:strings.LastIndexByte(base, '/')+1]
	return strings.HasPrefix(path, base) && !strings.Contains(path, "/../") && !strings.HasSuffix(path, "/..")
}

// lastName is the name of an entry in its URL, or where that has none the name that a person reads.
func lastName(e scheme.Entry) string {
	if v, ok := locator.As[*locator.FTP](e.URL); ok {
		if name, _ := v.Name.Get(); name != "" {
			return name
		}
		if n := len(v.Dirs); n > 0 {
			return v.Dirs[n-1]
		}
	}
	path, _ := e.URL.Path()
	path = strings.TrimRight(path, "/")
	if name := locator.Decode(path[strings.LastIndexByte(path, '/')+1:]); name != "" && e.URL.Hierarchical() {
		return name
	}
	if v, ok := locator.As[*locator.Gopher](e.URL); ok {
		selector := strings.TrimRight(v.Selector.Or(""), "/")
		if name := selector[strings.LastIndexByte(selector, '/')+1:]; name != "" {
			return name
		}
	}
	return e.Name
}
