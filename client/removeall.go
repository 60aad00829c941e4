package client

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"locator"
	"locator/scheme"
)

// RemoveAllOptions control a [Client.RemoveAll].
type RemoveAllOptions struct {
	// DryRun removes nothing. Removed is told of everything that would be removed, if the server allows it.
	DryRun bool
	// Removed is told of each file and directory that was removed; it may be nil.
	Removed func(u locator.URL, dir bool)
	// Failed is told of each file and directory that could not be removed, but not of the directories around it; it may be nil.
	Failed func(u locator.URL, err error)
}

// errNotRemoved says that something in a directory could not be removed, which Failed has been told of.
var errNotRemoved = errors.New("not everything in it could be removed")

// RemoveAll removes the file r.URL, or the directory with all that is in it. The scheme must be a [scheme.Maker]: other schemes have no
// directories. It follows no redirect and no symbolic link, and never leaves the directory: it removes a link and not what the
// link leads to. If r.URL ends in a slash and names a link, or what may be one, nothing is removed.
//
// It lists all directories before it removes anything. If a listing cannot be read completely, or has an entry that is not in the
// directory, the error is CodeUnsupported and nothing is removed. After that it goes on after failures, and returns the first.
func (c *Client) RemoveAll(ctx context.Context, r scheme.Request, o RemoveAllOptions) error {
	op, s, err := c.begin(scheme.OpRemove, r, initialHops(r))
	if err != nil {
		return err
	}
	if err := scheme.Unsupported(s, scheme.OpMakeDir); err != nil {
		return op.fail(scheme.CodeUnsupported, "scheme %s has no directories; remove each resource by its own URL", r.URL.Scheme())
	}
	if o.Removed == nil {
		o.Removed = func(locator.URL, bool) {}
	}
	if o.Failed == nil {
		o.Failed = func(locator.URL, error) {}
	}
	w := &removal{c: c, r: r, o: o}
	path, _ := r.URL.Path()
	var asFile error
	if !strings.HasSuffix(path, "/") {
		if o.DryRun {
			asFile = w.dryFile(ctx)
		} else {
			asFile = w.removeLeaf(ctx, &node{url: r.URL})
		}
		if asFile == nil || errors.Is(asFile, scheme.ErrDenied) { // a file, a link, or an empty directory; or a link that stays
			return asFile
		}
	}
	top := node{dir: true}
	if top.url, err = r.URL.JoinPath(""); err != nil {
		return op.wrapCode(scheme.CodeUsage, err)
	}
	w.top = top.url
	above, err := w.look(ctx, &top)
	if err == nil && !top.link {
		err = w.read(ctx, &top, above, 0)
	}
	switch {
	case asFile != nil && !w.refused && (err != nil || top.link): // it is no directory
		return asFile
	case err != nil:
		return err
	case top.link:
		return op.fail(scheme.CodeUsage, "it is a link to a directory; to remove the link, leave the slash at the end out; nothing was removed")
	}
	if err := w.removeNode(ctx, &top, asFile != nil); err != nil && !errors.Is(err, errNotRemoved) {
		w.fail(top.url, err)
	}
	return w.failed
}

// removal is a running RemoveAll.
type removal struct {
	c       *Client
	r       scheme.Request
	o       RemoveAllOptions
	top     locator.URL // the directory; zero until it is known to be one
	found   int
	refused bool  // a listing is not understood
	failed  error // the first
}

// node is something to remove.
type node struct {
	url   locator.URL // that of a directory ends in a slash
	dir   bool
	link  bool   // to a directory: it is not listed
	below []node // in a directory
}

func (w *removal) fail(u locator.URL, err error) {
	w.o.Failed(u, err)
	if w.failed == nil {
		w.failed = err
	}
}

func (w *removal) at(u locator.URL) scheme.Request {
	r := w.r
	r.URL, r.Mirrors = u, nil
	return r
}

// remove removes what is in the directory that is removed, or that directory. Somebody may replace a directory in it by a link in the
// meantime.
func (w *removal) remove(ctx context.Context, u locator.URL) error {
	r := w.at(u)
	if strings.HasPrefix(u.Text(), w.top.Text()) && u != w.top {
		r.Within = w.top
	}
	return w.c.Remove(ctx, r)
}

// dryFile is the removal of a file in a dry run. It returns an error for a directory.
func (w *removal) dryFile(ctx context.Context) error {
	res, err := w.c.Attributes(ctx, w.r, nil)
	if err != nil {
		return err
	}
	_, sized := res.Attr.Size.Get()
	if res.Kind != scheme.KindObject || !sized {
		return errNotRemoved
	}
	w.o.Removed(w.r.URL, false)
	return nil
}

// look lists the directory above n, and sets n.link if n is shown as a link. It returns the path that the server told, "" if none.
func (w *removal) look(ctx context.Context, n *node) (above string, err error) {
	path, _ := n.url.Path()
	path = strings.TrimSuffix(path, "/")
	u, err := n.url.WithPath(locator.Some(path[:strings.LastIndexByte(path, '/')+1]))
	if err != nil || lastSegment(n.url) == "" { // the root of the server
		return "", nil
	}
	o := &scheme.ListOptions{Detail: true, Began: func(res *scheme.Resource) { above = pathOf(res) }}
	for e, err := range w.c.List(ctx, w.at(u), o) {
		switch CodeOf(err) {
		case scheme.CodeOK:
		case scheme.CodeNotFound, scheme.CodeRefused, scheme.CodeUnsupported: // of that directory
			return above, nil
		default:
			return "", err
		}
		if name, ok := e.ChildOf(u); ok && name == lastSegment(n.url) && e.Target != "" {
			n.link = true
		}
	}
	return above, nil
}

// read lists a directory and those in it. above is the path that the server told for the directory above, "" if none.
func (w *removal) read(ctx context.Context, n *node, above string, depth int) error {
	refuse := func(format string, args ...any) error {
		w.refused = true
		return &scheme.Error{Op: scheme.OpRemove, URL: n.url.Redacted(), Code: scheme.CodeUnsupported,
			Err: fmt.Errorf(format+"; nothing was removed", args...)}
	}
	path := ""
	o := &scheme.ListOptions{Detail: true, Began: func(res *scheme.Resource) { path = pathOf(res) }}
	for e, err := range w.c.List(ctx, w.at(n.url), o) {
		switch {
		case err != nil:
			return err
		case e.Unread:
			return refuse("the listing has a line that cannot be read")
		case e.Kind == scheme.KindNote:
			continue
		}
		name, ok := e.ChildOf(n.url)
		if !ok || strings.ContainsAny(name, "/\x00") {
			return refuse("the listing has an entry that is not in the directory")
		}
		if w.found++; w.found > maxWalk {
			return refuse("the directory has more than %d entries, the limit", maxWalk)
		}
		sub := node{url: e.URL, dir: e.Kind == scheme.KindListing, link: e.Target != ""}
		segments := []string{name}
		if sub.dir {
			segments = append(segments, "")
		}
		if sub.url, err = n.url.JoinPath(segments...); err != nil {
			return refuse("the listing has a name that no URL can hold")
		}
		n.below = append(n.below, sub)
	}
	if name := lastSegment(n.url); above != "" && path != "" && path != strings.TrimSuffix(above, "/")+"/"+name {
		n.link, n.below = true, nil // the server is in another directory than that of this name
		return nil
	}
	for i := range n.below {
		sub := &n.below[i]
		switch {
		case !sub.dir || sub.link:
		case depth >= DefaultDepth:
			return refuse("the directories are nested more than %d deep", DefaultDepth)
		default:
			if err := w.read(ctx, sub, path, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// pathOf returns the path of a listed directory on the server, "" if the scheme does not tell it.
func pathOf(res *scheme.Resource) string {
	for _, a := range res.Attr.More {
		if a.Name == "path" {
			return a.Value
		}
	}
	return ""
}

// lastSegment returns the name of a directory, whose URL ends in a slash.
func lastSegment(u locator.URL) string {
	segments, _ := u.Segments()
	if n := len(segments); n > 1 {
		return segments[n-2]
	}
	return ""
}

// removeNode removes a file, or a directory with what is in it.
//
// A server may show a link to a directory as a directory (proftpd and pyftpdlib do so in MLSD). So a directory is first removed like a
// file, unless tried says that this has failed: that removes a link, and fails for a directory that is not empty. If it is not
// allowed, what is shown as a directory may be a link, and nothing in it is removed.
func (w *removal) removeNode(ctx context.Context, n *node, tried bool) error {
	switch {
	case ctx.Err() != nil:
		return &scheme.Error{Op: scheme.OpRemove, URL: n.url.Redacted(), Code: CodeOf(ctx.Err()), Err: ctx.Err()}
	case !n.dir || n.link:
		return w.removeLeaf(ctx, n)
	case !tried && !w.o.DryRun:
		if err := w.removeLeaf(ctx, n); err == nil || errors.Is(err, scheme.ErrDenied) {
			return err
		}
	}
	clean := true
	for i := range n.below {
		sub := &n.below[i]
		if err := w.removeNode(ctx, sub, false); err != nil {
			clean = false
			if !errors.Is(err, errNotRemoved) {
				w.fail(sub.url, err)
			}
			if ctx.Err() != nil {
				break
			}
		}
	}
	if !clean {
		return errNotRemoved
	}
	if !w.o.DryRun {
		if err := w.remove(ctx, n.url); err != nil {
			return err
		}
	}
	w.o.Removed(n.url, true)
	return nil
}

// removeLeaf removes a file or a link by its URL without a slash at the end, so that the server takes a link for a file.
func (w *removal) removeLeaf(ctx context.Context, n *node) error {
	u := n.url
	if path, _ := u.Path(); n.dir {
		var err error
		if u, err = u.WithPath(locator.Some(strings.TrimSuffix(path, "/"))); err != nil {
			return err
		}
	}
	if !w.o.DryRun {
		if err := w.remove(ctx, u); err != nil {
			return err
		}
	}
	w.o.Removed(n.url, n.dir && !n.link)
	return nil
}
