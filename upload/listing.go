package upload

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"locator/client"
	"locator/scheme"
	"locator/tree"
)

// listing is what is known of a directory on the server.
type listing struct {
	entries map[string]scheme.Entry // of what the local folder has, too: a server may list a million others
	// complete says that what has no entry is not there.
	complete bool
}

// open lists the directory of a folder, which has the local entries, or makes it if it is not
// there. It returns nil after an error, which it reports.
func (t *treeUpload) open(ctx context.Context, it Item, local []fs.DirEntry, there bool) *listing {
	if there {
		on, err := t.list(ctx, it, local)
		switch {
		case err == nil:
			return on
		case client.CodeOf(err) == scheme.CodeNotFound:
		case passing(err) == nil || client.CodeOf(err) == scheme.CodeRefused: // such as a server that does not list
			return &listing{}
		default:
			t.fail(it, err)
			return nil
		}
	}
	if t.o.DryRun {
		t.ended(it, Result{Action: Made})
		return &listing{complete: true}
	}
	r := t.r
	r.URL = it.URL
	makeDir := t.c.MakeDir
	if t.o.Write.CreateDirs && len(it.Names) == 0 {
		makeDir = func(ctx context.Context, r scheme.Request) error { return tree.MakeDirAll(ctx, t.c, r) }
	}
	switch err := makeDir(ctx, r); {
	case err == nil:
		t.ended(it, Result{Action: Made})
		return &listing{complete: true}
	case errors.Is(err, fs.ErrExist): // the listing of the directory above did not show it, or it is a file
		on, e := t.list(ctx, it, local)
		if e != nil {
			t.fail(it, err)
		}
		return on
	case client.CodeOf(err) == scheme.CodeUnsupported: // the server may make it with the first file
		return &listing{complete: true}
	default:
		t.fail(it, err)
		return nil
	}
}

// list lists the directory of a folder.
func (t *treeUpload) list(ctx context.Context, it Item, local []fs.DirEntry) (*listing, error) {
	here := make(map[string]bool, len(local))
	for _, e := range local {
		here[e.Name()] = true
	}
	r := t.r
	r.URL = it.URL
	on, told := &listing{entries: make(map[string]scheme.Entry), complete: true}, false
	for e, err := range client.Entries(t.c.List(ctx, r, &t.o.List)) {
		if err != nil {
			return nil, err
		}
		on.complete = on.complete && !e.Unread
		if name, ok := e.ChildOf(it.URL); ok {
			if here[name] {
				on.entries[name] = e
			}
			_, sized := e.Attr.Size.Get()
			told = told || sized || !e.Attr.Modified.IsZero()
		}
	}
	on.complete = on.complete && (told || t.c.ListingName(it.URL) == "") // otherwise it is perhaps a page about something else
	return on, nil
}

// attr returns what a listing says of a file; sure is false if the server must be asked. Missing
// attributes have the zero value.
func (l *listing) attr(it Item) (known scheme.Attr, sure bool, err error) {
	name := it.Names[len(it.Names)-1]
	e, ok := l.entries[name]
	switch {
	case !ok:
		return scheme.Attr{}, l.complete && !hidden(name), nil
	case e.Kind == scheme.KindListing && e.Target == "":
		return scheme.Attr{}, true, isDirectory()
	}
	return e.Attr, e.Kind == scheme.KindObject && e.Target == "" && !e.Attr.Modified.IsZero(), nil // those of a link are its own
}

// mayHaveFolder reports whether the directory of a folder may exist.
func (l *listing) mayHaveFolder(it Item) (bool, error) {
	name := it.Names[len(it.Names)-1]
	e, ok := l.entries[name]
	if ok && e.Kind == scheme.KindObject && e.Target == "" {
		return false, scheme.Fail(scheme.CodeLocal, "a file on the server has the name of the folder")
	}
	return ok || !l.complete || hidden(name), nil
}

// hidden reports whether servers may leave a name out of their listings.
func hidden(name string) bool { return strings.HasPrefix(name, ".") }
