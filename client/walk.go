package client

import (
	"context"
	"fmt"
	"hash/maphash"
	"iter"
	"slices"
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
	// Robots, where set, makes the walk heed the robots.txt of http and gopher servers (RFC 9309), as this agent.
	Robots string
	// List holds the wishes about each listing; Max and Copy do not count.
	List scheme.ListOptions
	// LeftOut is told what the walk leaves out, and why; nil where nobody wants to know.
	LeftOut func(u locator.URL, why string)
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
// It stays on the server of r.URL, or where that redirects to, and in a hierarchical scheme below it (RFC 1738 2.3); it
// visits nothing twice, and leaves a folder that holds itself. Notes are left out. The
// sequence dials when it is ranged over.
func (c *Client) Walk(ctx context.Context, r scheme.Request, o WalkOptions) iter.Seq[Visit] {
	if o.Depth == 0 {
		o.Depth = DefaultDepth
	}
	if o.LeftOut == nil {
		o.LeftOut = func(locator.URL, string) {}
	}
	r.Within = r.URL
	o.List.Max, o.List.Copy = 0, nil
	return func(yield func(Visit) bool) {
		w := &walk{c: c, root: r, o: o, yield: yield, seed: maphash.MakeSeed(), seen: make(map[uint64]struct{}), robots: make(map[string]robotsRules)}
		w.first(r.URL)
		w.list(ctx, r, nil, nil)
	}
}

// maxWalk bounds how many things one walk remembers to have come to.
const maxWalk = 10_000_000

type walk struct {
	c      *Client
	root   scheme.Request
	o      WalkOptions
	yield  func(Visit) bool
	seed   maphash.Seed
	seen   map[uint64]struct{} // hashes of canonical URLs: there may be many
	robots map[string]robotsRules
	base   *locator.URL // where the root's listing was read; nil before that
	dir    []string     // the segments of base that all paths below it begin with
}

// first reports whether the walk comes to u for the first time.
func (w *walk) first(u locator.URL) bool {
	h := maphash.String(w.seed, u.Canonical().Text())
	_, there := w.seen[h]
	w.seen[h] = struct{}{}
	return !there
}

// list visits what is listed at r.URL, a folder that lies at path; it reports whether the walk goes on. above are the
// fingerprints of the listings on the way there.
func (w *walk) list(ctx context.Context, r scheme.Request, path []string, above []uint64) bool {
	var below []Visit
	var at *operation
	var print maphash.Hash
	print.SetSeed(w.seed)
	for e, err := range w.c.list(ctx, r, w.o.List, func(op *operation) { at = op }) {
		if err == nil && len(w.seen) >= maxWalk {
			err = scheme.Fail(scheme.CodeBroken, "the tree holds more than %d things, the limit", maxWalk)
		}
		if err != nil {
			if !w.yield(Visit{Entry: scheme.Entry{URL: r.URL, Kind: scheme.KindListing}, Path: path, From: r.From, Err: err}) {
				return false
			}
			break
		}
		if e.URL.IsZero() || e.Kind == scheme.KindNote {
			continue
		}
		fmt.Fprint(&print, e.Name, "\x00", e.Kind, e.Attr.Size, e.Attr.Modified.Unix(), "\n")
		if w.base == nil {
			w.settle(at.r.URL, e.URL)
		}
		v := Visit{Entry: e, From: hopFrom(at)}
		var ok bool
		if v.Path, ok = w.path(e, path); !ok {
			w.o.LeftOut(e.URL, "it does not lie below "+w.base.Redacted())
			continue
		}
		if !w.first(e.URL) {
			continue
		}
		if !w.allowed(ctx, e.URL, v.From) {
			w.o.LeftOut(e.URL, "robots.txt asks robots not to read it")
			continue
		}
		if !w.yield(v) {
			return false
		}
		if e.Kind == scheme.KindListing && len(above)+1 < w.o.Depth && (w.o.Enter == nil || w.o.Enter(v)) {
			below = append(below, v)
		}
	}
	above = append(above, print.Sum64())
	if count(above, print.Sum64()) > maxAlike {
		w.o.LeftOut(r.URL, "it seems to hold itself: a loop")
		return true
	}
	for _, v := range below { // one listing at a time: its connection is free for the next
		next := w.root
		next.URL, next.From, next.Mirrors = v.Entry.URL, v.From, v.Entry.MirrorURLs()
		if ctx.Err() != nil || !w.list(ctx, next, v.Path, above) {
			return false
		}
	}
	return true
}

// maxAlike is how often a listing may stand above itself: a link back makes a tree endless, and no peer says so.
const maxAlike = 2

func count(list []uint64, x uint64) (n int) {
	for _, y := range list {
		if y == x {
			n++
		}
	}
	return n
}

// hopFrom is the hop from a listing to what it holds. A menu is as deep as it is: what is counted are the redirects after it.
func hopFrom(at *operation) *scheme.Hop {
	hop := at.onward(scheme.HopMenuItem, false)
	hop.N = 1
	return &hop
}

// settle finds where the tree begins: at the folder itself, which may lack its final slash, or at the folder of a page.
func (w *walk) settle(at, first locator.URL) {
	w.base = &at
	w.dir, _ = at.Segments()
	n := len(w.dir)
	if n == 0 {
		return
	}
	if s, _ := first.Segments(); w.dir[n-1] == "" || len(s) <= n || !slices.Equal(s[:n], w.dir) {
		w.dir = w.dir[:n-1]
	}
}

// path gives the names from the root to an entry of the folder at path; ok is false for what does not belong to the
// tree.
func (w *walk) path(e scheme.Entry, path []string) (names []string, ok bool) {
	if !sameServer(w.base.Canonical(), e.URL.Canonical()) {
		return nil, false
	}
	s, ok := e.URL.Segments()
	if !ok {
		return append(slices.Clone(path), w.c.entryName(e)), true
	}
	n := len(w.dir)
	if len(s) <= n || !slices.Equal(s[:n], w.dir) {
		return nil, false
	}
	names = slices.Clone(s[n:])
	if last := len(names) - 1; names[last] == "" {
		names = names[:last]
	}
	for _, name := range names { // names that lead elsewhere, whatever this peer makes of them
		if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\x00") {
			return nil, false
		}
	}
	if search, ok := e.URL.Search(); ok && len(names) > 0 {
		names[len(names)-1] += "?" + locator.Decode(search)
	}
	return names, len(names) > 0 && len(names) <= w.o.Depth+DefaultDepth // a name may hold a whole path
}

// entryName is the name of an entry in its URL, or the name that a person reads if the URL has none.
func (c *Client) entryName(e scheme.Entry) string {
	if name := c.FileName(e.URL, false); name != "" {
		return name
	}
	return e.Name
}

// FileName is the name that a file with the contents of u would have: what the scheme says (see [scheme.FileNamer]), else the
// last segment of the path that is not empty. It is not safe for a file system. It is "" if the URL has no name.
func (c *Client) FileName(u locator.URL, decoded bool) string {
	if s, ok := c.opt.Registry.Lookup(u.Scheme()); ok {
		if n, ok := s.(scheme.FileNamer); ok {
			return n.FileName(u, decoded)
		}
	}
	if segments, ok := u.Segments(); ok {
		for _, name := range slices.Backward(segments) {
			if name != "" {
				return name
			}
		}
		return ""
	}
	path, _ := u.Path()
	path = strings.TrimRight(path, "/")
	return locator.Decode(path[strings.LastIndexByte(path, '/')+1:])
}
