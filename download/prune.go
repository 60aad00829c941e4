package download

import (
	"errors"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"locator"
	"locator/client"
	"locator/internal/symlink"
	"locator/wire"
)

// present is what a walk has seen on the server.
type present struct {
	complete map[string]bool // folders whose listing is complete, by their names joined with NUL
	entries  map[string]bool // files and folders, likewise
	leftOut  map[string]bool // URLs, as in the index
}

// observe lets a walk fill a new present.
func observe(o *client.WalkOptions) *present {
	p := &present{complete: make(map[string]bool), entries: make(map[string]bool), leftOut: make(map[string]bool)}
	listed, leftOut := o.Listed, o.LeftOut
	o.Listed = func(folder []string, complete bool) {
		if complete {
			p.complete[strings.Join(folder, "\x00")] = true
		}
		if listed != nil {
			listed(folder, complete)
		}
	}
	o.LeftOut = func(u locator.URL, why string) {
		p.leftOut[keyOf(u)] = true
		if leftOut != nil {
			leftOut(u, why)
		}
	}
	return p
}

// seen records an entry of a listing, and the name that its file has.
func (m *mirror) seen(v client.Visit) {
	if m.present != nil && v.Err == nil {
		m.present.entries[strings.Join(v.Path, "\x00")] = true
		m.present.entries[strings.Join(m.names(v), "\x00")] = true
	}
}

// gone reports whether no listing has the file any more: the deepest of its folders that the server still has was listed
// completely, and has no such entry.
func (p *present) gone(url string, names []string) bool {
	for i := range names {
		if !p.complete[strings.Join(names[:i], "\x00")] {
			return false
		}
		if !p.entries[strings.Join(names[:i+1], "\x00")] {
			return !p.leftOut[url]
		}
	}
	return false
}

// prune removes the files that are gone from the server, and folders that are empty then.
func (m *mirror) prune() error {
	f := m.to
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.index == nil {
		return nil
	}
	var first error
	n := len(m.o.Prefix)
	from := keyOf(m.r.URL)
	all := slices.Sorted(maps.Keys(f.index.files))
	slices.SortStableFunc(all, func(a, b name) int { // files before the folders that they are in
		x, y := f.index.files[a].Folder, f.index.files[b].Folder
		switch {
		case x && y:
			return strings.Compare(string(b), string(a))
		case x:
			return 1
		case y:
			return -1
		}
		return 0
	})
	for _, file := range all {
		r := f.index.files[file]
		names := r.served()
		if r.From != from || len(names) <= n || !slices.Equal(names[:n], m.o.Prefix) || !m.present.gone(r.URL, names[n:]) {
			continue
		}
		if err := m.remove(r); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// remove removes a file that is gone from the server unless it was changed here, and the folders of it that are empty then.
func (m *mirror) remove(r record) error {
	f, local := m.to, string(r.File)
	shown := filepath.Join(f.path, filepath.FromSlash(local))
	place := f.at(local)
	place.old = r
	err := symlink.Check(f.root, path.Dir(local))
	var in fs.FileInfo
	if err == nil {
		in, err = f.root.Lstat(local)
	}
	deleted := m.o.Deleted
	if deleted == nil {
		deleted = func(string) {}
	}
	switch {
	case f.isBehindLink(local):
		m.stays(shown)
		return nil
	case m.o.DryRun != nil:
		if err == nil && (r.Folder && isEmpty(f.root, local) || !r.Folder && place.unchanged(in)) {
			deleted(shown)
		}
		return nil
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return f.at(local).local(err)
	case r.Folder:
		if !in.IsDir() || f.root.Remove(local) != nil { // something is in it
			return nil
		}
		f.forgetDir(local)
		deleted(shown)
	case !place.unchanged(in):
		m.stays(shown)
		return nil
	default:
		if err := f.root.Remove(local); err != nil {
			return f.at(local).local(err)
		}
		deleted(shown)
	}
	for dir := path.Dir(local); dir != "."; dir = path.Dir(dir) {
		if in, err := f.root.Lstat(dir); err != nil || !in.IsDir() || f.root.Remove(dir) != nil { // a link is the user's
			break
		}
		f.forgetDir(dir)
	}
	return f.append(record{File: r.File, Names: r.Names, URL: r.URL, Gone: true})
}

func (m *mirror) stays(shown string) {
	if m.o.Events.Note != nil {
		m.o.Events.Note(wire.Escape(shown) + " is gone from the server; it was changed here and stays")
	}
}

// isBehindLink reports whether one of the folders of a local name is a link. Mirror stores no file behind a link, so somebody has replaced
// the folder.
func (f *Folder) isBehindLink(local string) bool {
	for dir := path.Dir(local); dir != "."; dir = path.Dir(dir) {
		if in, err := f.root.Lstat(dir); err == nil && in.Mode()&fs.ModeSymlink != 0 {
			return true
		}
	}
	return false
}
