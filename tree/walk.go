package tree

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"sync"

	"locator"
	"locator/client"
	"locator/scheme"
)

// WalkOptions control a [Walk].
type WalkOptions struct {
	// Depth is the maximum number of nested listings; 0 means DefaultDepth.
	Depth int
	// Enter reports whether to descend into the listing v; nil descends into all.
	Enter func(v Visit) bool
	// Robots is the user agent whose robots.txt rules the walk obeys (RFC 9309); "" ignores
	// robots.txt.
	Robots string
	// List has the options of each listing; Max and Copy are ignored.
	List scheme.ListOptions
	// Opened, if not nil, is called with each listing that the server sends, before its entries.
	Opened func(list *scheme.Resource)
	// Listing, if not nil, is called before each listing is requested, and the function that it
	// returns after the connection is free again. It lets a caller that accesses the entries at the
	// same time bound the connections to a server.
	Listing func(u locator.URL) (done func())
	// Listed, if not nil, is called after the entries of each listing have been yielded, with the
	// path of its folder; nil means the root. It is complete if it shows what the folder has and
	// what not: it was read to its end, all of its lines were understood, robots.txt allows all
	// entries, no redirect led elsewhere, and a page has an entry with a size or a time.
	Listed func(path []string, complete bool)
	// Page, if not nil, is called with the bytes of each listing as received, once it has been read
	// to its end and before its entries are yielded, and with the path of its folder. at has the
	// URL after redirects and the attributes of the listing. It is called for schemes that are a
	// [scheme.ListingNamer]. A listing of more than 16 MiB is a failure instead, behind its
	// entries.
	Page func(at *scheme.Resource, path []string, page []byte)
	// LeftOut, if not nil, is called for each URL that the walk skips, with the reason.
	LeftOut func(u locator.URL, why string)
}

// DefaultDepth is the depth limit of a walk whose options set none.
const DefaultDepth = 64

// ErrIncomplete is the cause of Visit.Err for a listing with lines that could not be read (see
// [scheme.Entry].Unread).
var ErrIncomplete = errors.New("not all lines of the listing could be read; files may be missing")

// Visit is one entry found by a walk, or a listing that failed or is incomplete.
type Visit struct {
	Entry scheme.Entry
	Path  []string    // the names from the root to the entry, as sent by the server; not safe as file names
	From  *scheme.Hop // for the Request that accesses the entry
	Err   error       // the listing at Entry.URL failed, or is incomplete (ErrIncomplete); the walk continues with the next
}

// Walk lists r.URL and, recursively, the listings in it. It stays on the server of r.URL, or on the
// one that r.URL redirects to, and in a hierarchical scheme below r.URL (RFC 1738 2.3). It visits
// each URL once, and leaves directories that contain themselves. It omits entries that are notes.
// Nothing is sent before the sequence is ranged over.
//
// The entries of a listing are yielded once it has been read, so that its connection is free for
// the caller to access them. After the first 10,000 entries of a listing, the others are yielded as
// they arrive.
func Walk(ctx context.Context, c *client.Client, r scheme.Request, o WalkOptions) iter.Seq[Visit] {
	if o.Depth == 0 {
		o.Depth = DefaultDepth
	}
	if o.LeftOut == nil {
		o.LeftOut = func(locator.URL, string) {}
	}
	if o.Listing == nil {
		o.Listing = func(locator.URL) func() { return func() {} }
	}
	if o.Opened == nil {
		o.Opened = func(*scheme.Resource) {}
	}
	if o.Listed == nil {
		o.Listed = func([]string, bool) {}
	}
	r.Within = r.URL
	o.List.Max, o.List.Copy = 0, nil
	return func(yield func(Visit) bool) {
		w := &walk{c: c, root: r, o: o, yield: yield, seed: maphash.MakeSeed(), seen: make(map[uint64]struct{}), robots: NewRobots(c, o.Robots, r)}
		w.firstVisit(r.URL)
		w.list(ctx, r, nil, nil)
	}
}

// maxHeld is how many entries of a listing are held until it ends.
const maxHeld = 10_000

// maxWalk is the maximum number of entries of one walk.
const maxWalk = 10_000_000

// maxPending bounds the memory of the listings that a walk has found and not read yet, in bytes.
// pendingCost estimates that of one beside its texts.
const (
	maxPending  = 48 << 20
	pendingCost = 512
)

// pending is a listing to visit.
type pending struct {
	url     locator.URL
	from    *scheme.Hop
	mirrors []locator.URL
	path    []string
}

type walk struct {
	c      *client.Client
	root   scheme.Request
	o      WalkOptions
	yield  func(Visit) bool
	seed   maphash.Seed
	seen   map[uint64]struct{} // hashes of canonical URLs, which take less memory than the URLs
	robots *Robots
	waits  int          // estimate of the memory of all pending, in bytes
	base   *locator.URL // URL of the root listing after redirects; nil before it is read
	dir    []string     // segments of base that prefix the path of every entry
}

// firstVisit records u and reports whether it was new.
func (w *walk) firstVisit(u locator.URL) bool {
	h := maphash.String(w.seed, u.Canonical().Text())
	_, there := w.seen[h]
	w.seen[h] = struct{}{}
	return !there
}

// list visits the entries of the listing at r.URL, whose path is path, and reports whether the walk
// continues. above are the fingerprints of the enclosing listings.
func (w *walk) list(ctx context.Context, r scheme.Request, path []string, above []uint64) bool {
	l := &walkListing{walk: w, path: path, depth: len(above) + 1}
	l.print.SetSeed(w.seed)
	stopped := false
	flush := func() bool {
		for _, v := range l.held {
			if stopped = !w.yield(v); stopped {
				break
			}
		}
		l.held = l.held[:0]
		return !stopped
	}
	done := sync.OnceFunc(w.o.Listing(r.URL))
	n, broken, unread := 0, false, false
	o, page := w.o.List, (*copiedPage)(nil)
	if w.o.Page != nil && w.c.ListingName(r.URL) != "" {
		page = &copiedPage{}
		o.Copy = page
	}
	failed := func(err error) {
		l.held = append(l.held, Visit{Entry: scheme.Entry{URL: r.URL, Kind: scheme.KindListing}, Path: path, From: r.From, Err: err})
	}
	at, err := w.c.List(ctx, r, &o)
	if err == nil {
		l.at, l.from = at, client.HopTo(at)
		w.o.Opened(at)
	}
	for e, err := range client.Entries(at, err) {
		if err == nil && len(w.seen) >= maxWalk {
			err = scheme.Fail(scheme.CodeBroken, "the tree has more than %d entries, the limit", maxWalk)
		}
		if err != nil {
			broken = true
			failed(err)
			break
		}
		unread = unread || e.Unread
		_, sized := e.Attr.Size.Get()
		l.proves = l.proves || sized || !e.Attr.Modified.IsZero()
		l.add(ctx, e)
		if w.waits > maxPending {
			broken = true
			failed(scheme.Fail(scheme.CodeBroken, "the tree has too many folders: those that are still to be listed need more than %d MiB, the limit", maxPending>>20))
			break
		}
		if n++; n < maxHeld {
			continue
		}
		if done(); !flush() {
			return false
		}
	}
	switch {
	case broken || page == nil:
	case page.tooLong:
		failed(l.fail(scheme.CodeBroken, "the page of the listing is not kept: it has more than the limit of %d bytes", maxPage))
	default:
		w.o.Page(at, path, page.bytes.Bytes())
	}
	if unread && !broken { // the other error says more
		failed(l.fail(scheme.CodeUnsupported, "%w", ErrIncomplete))
	}
	if done(); !flush() {
		return false
	}
	w.o.Listed(path, !broken && !unread && !l.leftOut && (l.proves || w.c.ListingName(r.URL) == "") && sameFolder(l.at.URL, r.URL))
	print := l.print.Sum64()
	above = append(above, print)
	repeats := 0
	for _, other := range above {
		if other == print {
			repeats++
		}
	}
	if repeats > maxRepeats {
		w.o.LeftOut(r.URL, "loop: the folder seems to contain itself")
		return true
	}
	for _, p := range l.below { // sequentially, so that the next listing reuses the connection
		next := w.root
		next.URL, next.From, next.Mirrors = p.url, p.from, p.mirrors
		if ctx.Err() != nil || !w.list(ctx, next, p.path, above) {
			return false
		}
	}
	w.waits -= l.waits
	return true
}

// walkListing is a listing that is being read.
type walkListing struct {
	*walk
	path  []string
	depth int
	at    *scheme.Resource // the listing, once it is open
	from  *scheme.Hop      // to its entries
	print maphash.Hash
	held  []Visit // not yielded yet
	below []pending
	waits int // the part of walk.waits for below

	leftOut bool // some entries are not for robots
	proves  bool // an entry has a size or a time: it is not a page about something else
}

// sameFolder reports whether a listing at that URL is of the folder that was requested: redirects
// add a slash at most.
func sameFolder(at, requested locator.URL) bool {
	a, r := at.Canonical().Text(), requested.Canonical().Text()
	return a == r || a == r+"/"
}

// fail returns an error about the listing.
func (l *walkListing) fail(code scheme.Code, format string, args ...any) error {
	return &scheme.Error{Op: scheme.OpList, URL: l.at.URL.Redacted(), Code: code, Err: fmt.Errorf(format, args...),
		Partial: &scheme.Resource{URL: l.at.URL, Via: l.at.Via, Addr: l.at.Addr}}
}

// add holds the visit of an entry if it belongs to the walk.
func (l *walkListing) add(ctx context.Context, e scheme.Entry) {
	if e.URL.IsZero() || e.Kind == scheme.KindNote {
		return
	}
	fmt.Fprint(&l.print, e.Name, "\x00", e.Kind, e.Attr.Size, e.Attr.Modified.Unix(), "\n")
	if l.base == nil {
		l.setRoot(l.at.URL, e.URL)
	}
	v := Visit{Entry: e, From: l.from}
	var ok bool
	if v.Path, ok = l.walk.path(e, l.path); !ok {
		l.o.LeftOut(e.URL, "not below "+l.base.Redacted())
		return
	}
	if !l.firstVisit(e.URL) {
		return
	}
	if !l.robots.Allowed(ctx, e.URL, v.From) {
		l.leftOut = true
		l.o.LeftOut(e.URL, "disallowed by robots.txt")
		return
	}
	l.held = append(l.held, v)
	if e.Kind == scheme.KindListing && l.depth < l.o.Depth && (l.o.Enter == nil || l.o.Enter(v)) {
		p := pending{e.URL, v.From, e.MirrorURLs(), v.Path}
		l.below = append(l.below, p)
		cost := pendingCost + 3*len(e.URL.Text())
		for _, m := range p.mirrors {
			cost += pendingCost/4 + len(m.Text())
		}
		l.waits += cost
		l.walk.waits += cost
	}
}

// maxRepeats is how many identical listings may be nested. A link to an enclosing directory makes a
// tree endless, and no protocol reports it.
const maxRepeats = 2
