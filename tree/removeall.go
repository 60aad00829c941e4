package tree

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"locator"
	"locator/client"
	"locator/internal/hint"
	"locator/repair"
	"locator/scheme"
)

// RemoveAllOptions control a [RemoveAll].
type RemoveAllOptions struct {
	// DryRun removes nothing. Removed is called for everything that would be removed, if the server
	// allows it.
	DryRun bool
	// Removed is called for each file and directory that was removed; it may be nil.
	Removed func(u locator.URL, dir bool)
	// Failed is called for each file and directory that could not be removed, but not of the
	// directories around it; it may be nil.
	Failed func(u locator.URL, err error)
}

// errNotRemoved says that something in a directory could not be removed, for which Failed has been
// called.
var errNotRemoved = errors.New("not everything in it could be removed")

// RemoveAll removes the file r.URL, or the directory with all that is in it. The scheme must be a
// [scheme.Maker]: other schemes have no directories. It follows no redirect and no symbolic link,
// and never leaves the directory: it removes a link and not what the link leads to. Before it
// removes what is in a directory, it tries to remove the directory itself: a server may show a link
// as one. If the server does not allow that, says that it is not a directory, or does not say why,
// nothing in it is removed.
//
// It lists all directories before it removes anything. If a listing cannot be read completely, or
// has an entry that is not in the directory, the error is CodeUnsupported and nothing is removed.
// After that it goes on after failures, and returns the first.
func RemoveAll(ctx context.Context, c *client.Client, r scheme.Request, o RemoveAllOptions) error {
	if err := c.Supports(scheme.OpAccess, r); err != nil { // every scheme has it
		return asRemove(err)
	}
	if err := c.Supports(scheme.OpMakeDir, r); err != nil {
		return failRemove(r, scheme.CodeUnsupported, fmt.Errorf("scheme %s has no directories; remove each resource by its own URL", r.URL.Scheme()))
	}
	if o.Removed == nil {
		o.Removed = func(locator.URL, bool) {}
	}
	if o.Failed == nil {
		o.Failed = func(locator.URL, error) {}
	}
	w := &removal{c: c, r: r, o: o, room: maxRemoval}
	path, _ := r.URL.Path()
	var asFile error
	if !strings.HasSuffix(path, "/") {
		if o.DryRun {
			asFile = w.dryFile(ctx)
		} else {
			asFile = w.removeLeaf(ctx, r.URL, &node{})
		}
		if asFile == nil || errors.Is(asFile, scheme.ErrDenied) { // a file, a link, or an empty directory; or a link that stays
			return asFile
		}
		if !o.DryRun && !isAnswer(asFile) {
			return mayBeLink(asFile)
		}
	}
	top := node{dir: true}
	var err error
	if w.top, err = r.URL.JoinPath(""); err != nil {
		return failRemove(r, scheme.CodeUsage, err)
	}
	above, err := w.look(ctx, &top)
	if err == nil && !top.link {
		err = w.read(ctx, w.top, &top, above, 0)
	}
	switch {
	case asFile != nil && !w.refused && (err != nil || top.link): // it is not a directory
		return asFile
	case err != nil:
		return err
	case top.link:
		return failRemove(r, scheme.CodeUsage, errors.New("it is a link to a directory; to remove the link, leave the slash at the end out; nothing was removed"))
	}
	if err := w.removeNode(ctx, w.top, &top, asFile != nil); err != nil && !errors.Is(err, errNotRemoved) {
		w.fail(w.top, err)
	}
	return w.failed
}

// asRemove returns an error of a check as one of a removal.
func asRemove(err error) error {
	e, ok := errors.AsType[*scheme.Error](err)
	if !ok {
		return err
	}
	whole := *e
	whole.Op = scheme.OpRemove
	return &whole
}

// failRemove returns an error about r.URL itself.
func failRemove(r scheme.Request, code scheme.Code, err error) error {
	if hint := repair.Hint(r.URL); hint != "" {
		err = fmt.Errorf("%w; %s", err, hint)
	}
	return &scheme.Error{Op: scheme.OpRemove, Hint: hint.Of(err), URL: r.URL.Redacted(), Code: code, Partial: &scheme.Resource{URL: r.URL}, Err: err}
}

// removal is a running RemoveAll.
type removal struct {
	c       *client.Client
	r       scheme.Request
	o       RemoveAllOptions
	top     locator.URL // the directory; zero until it is known to be one
	room    int         // bytes of memory that further nodes may need
	refused bool        // a listing is not understood
	failed  error       // the first
}

// node is something to remove. A tree has many, so they do not hold their URLs.
type node struct {
	name  string // in the directory above it; "" for r.URL itself
	dir   bool
	link  bool   // to a directory: it is not listed
	below []node // in a directory
}

// maxRemoval bounds the memory of all nodes, in bytes. nodeCost estimates that of one beside its
// name.
const (
	maxRemoval = 128 << 20
	nodeCost   = 96
)

// url returns the URL of a node in the directory at dir. That of a directory ends in a slash.
func (n *node) url(dir locator.URL) (locator.URL, error) {
	if n.dir {
		return dir.JoinPath(n.name, "")
	}
	return dir.JoinPath(n.name)
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

// remove removes what is in the directory that is removed, or that directory. Somebody may replace
// a directory in it by a link in the meantime.
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

// look lists the directory above the top n, and sets n.link if n is shown as a link. It returns the
// path from the server, "" if there is none.
func (w *removal) look(ctx context.Context, n *node) (above string, err error) {
	path, _ := w.top.Path()
	path = strings.TrimSuffix(path, "/")
	u, err := w.top.WithPath(locator.Some(path[:strings.LastIndexByte(path, '/')+1]))
	if err != nil || lastSegment(w.top) == "" { // the root of the server
		return "", nil
	}
	list, err := w.c.List(ctx, w.at(u), &scheme.ListOptions{Detail: true})
	if err == nil {
		above = pathOf(list)
	}
	for e, err := range client.Entries(list, err) {
		switch client.CodeOf(err) {
		case scheme.CodeOK:
		case scheme.CodeNotFound, scheme.CodeRefused, scheme.CodeUnsupported: // of that directory
			return above, nil
		default:
			return "", err
		}
		if name, ok := e.ChildOf(u); ok && name == lastSegment(w.top) && e.Target != "" {
			n.link = true
		}
	}
	return above, nil
}

// read lists the directory n at u and those in it. above is the path of the directory above from
// the server, "" if there is none.
func (w *removal) read(ctx context.Context, u locator.URL, n *node, above string, depth int) error {
	refuse := func(format string, args ...any) error {
		w.refused = true
		return &scheme.Error{Op: scheme.OpRemove, URL: u.Redacted(), Code: scheme.CodeUnsupported,
			Err: fmt.Errorf(format+"; nothing was removed", args...)}
	}
	path := ""
	list, err := w.c.List(ctx, w.at(u), &scheme.ListOptions{Detail: true})
	if err == nil {
		path = pathOf(list)
	}
	for e, err := range client.Entries(list, err) {
		switch {
		case err != nil:
			return err
		case e.Unread:
			return refuse("the listing has a line that cannot be read")
		case e.Kind == scheme.KindNote:
			continue
		}
		name, ok := e.ChildOf(u)
		if !ok || strings.ContainsAny(name, "/\x00") {
			return refuse("the listing has an entry that is not in the directory")
		}
		if w.room -= nodeCost + len(name); w.room < 0 {
			return refuse("the directory has too many entries: their names need more than %d MiB of memory, the limit", maxRemoval>>20)
		}
		sub := node{name: strings.Clone(name), dir: e.Kind == scheme.KindListing, link: e.Target != ""}
		if _, err = sub.url(u); err != nil {
			return refuse("the listing has a name that no URL can hold")
		}
		n.below = append(n.below, sub)
	}
	if name := lastSegment(u); above != "" && path != "" && path != strings.TrimSuffix(above, "/")+"/"+name {
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
			at, err := sub.url(u)
			if err == nil {
				err = w.read(ctx, at, sub, path, depth+1)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// pathOf returns the path of a listed directory on the server, "" if it is unknown.
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

// removeNode removes the file n at u, or the directory with what is in it.
//
// A server may show a link to a directory as a directory (proftpd and pyftpdlib do so in MLSD). So
// a directory is first removed like a file, unless tried says that this has failed: that removes a
// link, and fails for a directory that is not empty. If it is not allowed, what is shown as a
// directory may be a link, and nothing in it is removed. Nor is it if the reply says nothing about
// the directory, such as the "451 file system error" of aioftp 0.21.4 for links and for directories
// that are not empty.
func (w *removal) removeNode(ctx context.Context, u locator.URL, n *node, tried bool) error {
	switch {
	case ctx.Err() != nil:
		return &scheme.Error{Op: scheme.OpRemove, URL: u.Redacted(), Code: client.CodeOf(ctx.Err()), Err: ctx.Err()}
	case !n.dir || n.link:
		return w.removeLeaf(ctx, u, n)
	case !tried && !w.o.DryRun:
		err := w.removeLeaf(ctx, u, n)
		if err == nil {
			return nil
		}
		if errors.Is(err, scheme.ErrDenied) || !isAnswer(err) {
			return mayBeLink(err)
		}
	}
	clean := true
	for i := range n.below {
		sub := &n.below[i]
		at, err := sub.url(u)
		if err == nil {
			err = w.removeNode(ctx, at, sub, false)
		}
		if err != nil {
			clean = false
			if !errors.Is(err, errNotRemoved) {
				w.fail(at, err)
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
		if err := w.remove(ctx, u); err != nil {
			return err
		}
	}
	w.o.Removed(u, true)
	return nil
}

// isAnswer reports whether an error is what the server says about a directory, such as that it is
// not empty.
func isAnswer(err error) bool {
	switch client.CodeOf(err) {
	case scheme.CodeUsage, scheme.CodeLoginNeeded, scheme.CodeNotFound, scheme.CodeUnsupported:
		return true
	}
	return false
}

// mayBeLink is the error of a directory that is not entered, because err does not show that it is
// one.
func mayBeLink(err error) error {
	e, ok := errors.AsType[*scheme.Error](err)
	if !ok || e.Code != scheme.CodeUnavailable && !errors.Is(err, scheme.ErrDenied) { // such as an interrupt
		return err
	}
	more := *e
	more.Err = fmt.Errorf("%w; it may be a link, so nothing in it was removed", e.Err)
	return &more
}

// removeLeaf removes the file or link n at u by its URL without a slash at the end, so that the
// server takes a link for a file.
func (w *removal) removeLeaf(ctx context.Context, u locator.URL, n *node) error {
	bare := u
	if path, _ := u.Path(); n.dir {
		var err error
		if bare, err = u.WithPath(locator.Some(strings.TrimSuffix(path, "/"))); err != nil {
			return err
		}
	}
	if !w.o.DryRun {
		if err := w.remove(ctx, bare); err != nil {
			return err
		}
	}
	w.o.Removed(u, n.dir && !n.link)
	return nil
}
