package upload

import (
	"context"
	"errors"
	"slices"
	"strings"

	"locator"
	"locator/client"
	"locator/internal/atomicfile"
	"locator/scheme"
	"locator/transfer"
	"locator/tree"
)

// A pruning finds what the directories on the server have and the local folders do not.
type pruning struct {
	*treeUpload
	gone []Item // in the order of the folders; a directory includes all that is in it
	n    int    // of gone, with all that is in its directories
	kept int

	dirs map[string]locator.URL // of the directories that were listed, by their path in the tree
	real map[string]error       // likewise; nil for a directory, an error for what may be a link
}

// prune removes what only the server has, after all files have been uploaded. It lists every
// directory again: if a file that was uploaded is not listed by its name, the server has another
// name for it, which must not be taken for one that is gone.
func (t *treeUpload) prune(ctx context.Context, top Item) {
	if t.first != nil {
		t.fail(top, scheme.Fail(client.CodeOf(t.first), "nothing was removed from the server, since not everything could be uploaded"))
		return
	}
	p := &pruning{treeUpload: t, dirs: make(map[string]locator.URL), real: make(map[string]error)}
	p.folder(ctx, top)
	if err := transfer.CheckRemovals(p.n, p.n+p.kept, t.o.MaxDelete); err != nil {
		t.fail(top, scheme.Fail(scheme.CodeLocal, "%w", err))
		if !t.o.DryRun {
			return
		}
	}
	for _, it := range p.gone {
		if ctx.Err() != nil {
			return
		}
		p.remove(ctx, it)
	}
}

// folder finds what is gone from a folder and those in it.
func (p *pruning) folder(ctx context.Context, it Item) {
	entries, err := p.read(it)
	if err != nil {
		p.fail(it, scheme.Fail(scheme.CodeLocal, "%w", err))
		return
	}
	here := make(map[string]bool, len(entries)) // false if it was not to be uploaded
	var folders []Item
	for _, e := range entries {
		sub, err := p.below(it, e.Name(), e.IsDir())
		wanted := err == nil && !p.unwanted[strings.Join(sub.Names, "/")]
		here[e.Name()] = wanted
		if wanted && e.IsDir() {
			folders = append(folders, sub)
		}
	}
	p.dirs[strings.Join(it.Names, "/")] = it.URL
	gone, links, err := p.extra(ctx, it, here)
	switch {
	case client.CodeOf(err) == scheme.CodeNotFound && p.o.DryRun: // it would have been made
		return
	case err != nil:
		p.fail(it, err)
		return
	}
	for _, sub := range gone {
		p.add(ctx, sub)
	}
	for _, sub := range folders {
		if ctx.Err() != nil {
			return
		}
		if links[sub.Names[len(sub.Names)-1]] {
			continue
		}
		p.folder(ctx, sub)
	}
}

// extra returns what a directory on the server has besides the names that are here, and those of
// the names that are not listed as directories. Links stay: Tree uploads none. So does what may be
// one.
func (p *pruning) extra(ctx context.Context, it Item, here map[string]bool) (gone []Item, links map[string]bool, err error) {
	r := p.r
	r.URL = it.URL
	unread := false
	links = make(map[string]bool)
	for e, err := range client.Entries(p.c.List(ctx, r, &p.o.List)) {
		if err != nil {
			return nil, nil, err
		}
		unread = unread || e.Unread
		name, ok := e.ChildOf(it.URL)
		wanted, known := here[name]
		switch {
		case !ok:
		case known:
			delete(here, name)
			links[name] = e.Target != "" || e.Kind != scheme.KindListing
			if wanted {
				p.kept++
			}
		case e.Target != "" || e.Kind != scheme.KindObject && e.Kind != scheme.KindListing || name == atomicfile.IndexName:
		default:
			sub, err := p.below(it, name, e.Kind == scheme.KindListing)
			if err != nil {
				return nil, nil, err
			}
			if p.o.Keep == nil || !p.o.Keep(sub.Names, e.Kind == scheme.KindListing) {
				gone = append(gone, sub)
			}
		}
	}
	if unread {
		return nil, nil, scheme.Fail(scheme.CodeUnsupported, "nothing was removed here: %w", tree.ErrIncomplete)
	}
	for name, wanted := range here { // those that were not listed
		if wanted && !hidden(name) && !p.o.DryRun && len(gone) > 0 {
			return nil, nil, scheme.Fail(scheme.CodeUnsupported, "nothing was removed here: the server does not list %s by its name", strings.Join(append(slices.Clone(it.Names), name), "/"))
		}
	}
	return gone, links, nil
}

// add counts what is gone. A directory stays if something in it is to be kept, or if it cannot be
// listed.
func (p *pruning) add(ctx context.Context, it Item) {
	n, stays := 1, false
	if isFolder(it.URL) {
		n = 0
		err := tree.RemoveAll(ctx, p.c, p.request(it.URL), tree.RemoveAllOptions{DryRun: true, Removed: func(u locator.URL, dir bool) {
			n++
			names := p.names(u)
			stays = stays || p.o.Keep != nil && len(names) > len(it.Names) && p.o.Keep(names, dir)
		}})
		if err != nil {
			p.fail(it, err)
			return
		}
	}
	if !stays {
		p.gone, p.n = append(p.gone, it), p.n+n
	}
}

// remove removes a file, or a directory with what is in it.
func (p *pruning) remove(ctx context.Context, it Item) {
	removed := func(u locator.URL, _ bool) { p.ended(Item{Names: p.names(u), URL: u}, Result{Action: Removed}) }
	failed := func(u locator.URL, err error) { p.fail(Item{Names: p.names(u), URL: u}, err) }
	if !p.o.DryRun {
		if err := p.inReal(ctx, it); err != nil {
			failed(it.URL, err)
			return
		}
	}
	n := p.request(it.URL)
	switch {
	case isFolder(it.URL):
		told := false
		err := tree.RemoveAll(ctx, p.c, n, tree.RemoveAllOptions{DryRun: p.o.DryRun, Removed: removed, Failed: func(u locator.URL, err error) {
			told = true
			failed(u, err)
		}})
		if err != nil && !told {
			failed(it.URL, err)
		}
	case p.o.DryRun:
		removed(it.URL, false)
	default:
		if err := p.c.Remove(ctx, n); err != nil {
			failed(it.URL, err)
			return
		}
		removed(it.URL, false)
	}
}

// inReal returns an error if one of the directories that it is in may be a link: a server may list
// a link as a directory. It tries to remove each. The directory has entries, so the server refuses,
// and its reply shows whether it is a directory.
func (p *pruning) inReal(ctx context.Context, it Item) error {
	for n := 1; n < len(it.Names); n++ {
		path := strings.Join(it.Names[:n], "/")
		err, known := p.real[path]
		if !known {
			err = p.c.Remove(ctx, p.request(p.dirs[path]))
			switch code := client.CodeOf(err); {
			case ctx.Err() != nil:
				return err
			case err == nil:
				err = scheme.Fail(scheme.CodeUnsupported, "%s had become empty, and was removed", path)
			case !errors.Is(err, scheme.ErrDenied) && (code == scheme.CodeUsage || code == scheme.CodeLoginNeeded || code == scheme.CodeUnsupported):
				err = nil
			default:
				err = scheme.Fail(code, "%s may be a link, so nothing in it was removed: %w", path, err)
			}
			p.real[path] = err
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// request is about something in the tree: a directory there may be a link, or become one.
func (p *pruning) request(u locator.URL) scheme.Request {
	r := p.r
	r.URL, r.Mirrors, r.Within = u, nil, p.top
	return r
}

// names returns the names of what is below the directory of the tree.
func (p *pruning) names(u locator.URL) []string {
	all, _ := u.Segments()
	above, _ := p.top.Segments()
	all = all[min(len(above)-1, len(all)):]
	if n := len(all); n > 0 && all[n-1] == "" {
		all = all[:n-1]
	}
	return all
}

// isFolder reports whether u is the URL of a directory, which ends in a slash.
func isFolder(u locator.URL) bool {
	path, _ := u.Path()
	return strings.HasSuffix(path, "/")
}
