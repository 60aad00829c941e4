package download

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"locator"
	"locator/internal/symlink"
	"locator/scheme"
	"locator/transfer"
	"locator/tree"
	"locator/wire"
)

// present is what a walk has seen on the server.
type present struct {
	complete map[string]bool  // folders whose listing is complete, by their names joined with NUL
	entries  map[string]kinds // files and folders, likewise
	leftOut  map[string]bool  // URLs, as in the index
}

// kinds says what has a name on the server. An entry of unknown kind counts as both a file and a
// folder, and so does a link, unless it becomes a link here.
type kinds uint8

const (
	aFile kinds = 1 << iota
	aFolder
	aLink
)

func kindsOf(e *scheme.Entry) kinds {
	switch {
	case e.Target != "":
		return aLink
	case e.Kind == scheme.KindUnknown:
		return aFile | aFolder
	case e.Kind == scheme.KindListing:
		return aFolder
	}
	return aFile
}

// observe lets a walk fill a new present.
func observe(o *tree.WalkOptions) *present {
	p := &present{complete: make(map[string]bool), entries: make(map[string]kinds), leftOut: make(map[string]bool)}
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

// seen records an entry of a listing, and the name of its file.
func (m *mirror) seen(v tree.Visit) {
	if m.o.DryRun == nil && v.Err == nil && v.Entry.Kind == scheme.KindListing && !m.links.isCandidate(v) {
		m.sawFolder(v.Path)
	}
	if m.present != nil && v.Err == nil {
		m.present.add(v.Path, kindsOf(&v.Entry))
		m.present.add(m.names(v), kindsOf(&v.Entry))
	}
}

// add records an entry, and its folders, which no listing needs to have: the name of an entry may
// be a whole path.
func (p *present) add(names []string, k kinds) {
	p.entries[strings.Join(names, "\x00")] |= k
	for i := len(names) - 1; i > 0; i-- {
		folder := strings.Join(names[:i], "\x00")
		if p.entries[folder]&aFolder != 0 {
			return
		}
		p.entries[folder] |= aFolder
	}
}

// becomeLinks records which links are to become links here: those that lead to something that the
// walk has seen and that is in the mirror.
func (m *mirror) becomeLinks() {
	for _, v := range m.links.held {
		names, ok := m.links.resolve(v.Path[:len(v.Path)-1], v.Entry.Target, new(int))
		if !ok || len(names) > 0 && m.present.entries[strings.Join(names, "\x00")] == 0 || m.o.DryRun == nil && !m.to.holds(m.localOf(names)) {
			continue
		}
		key := strings.Join(v.Path, "\x00")
		m.present.entries[key] = m.present.entries[key]&^aLink | aFile
	}
}

// gone reports whether no listing has the file or folder of a record any more: the deepest of its
// folders that the server still has was listed completely, and has no such entry.
func (p *present) gone(r *record, names []string) bool {
	for i := range names {
		want := aFolder | aLink
		if i == len(names)-1 && !r.Folder {
			want = aFile | aLink
		}
		if !p.complete[strings.Join(names[:i], "\x00")] {
			return false
		}
		if p.entries[strings.Join(names[:i+1], "\x00")]&want == 0 {
			return !p.leftOut[r.URL]
		}
	}
	return false
}

// prune removes the files that are gone from the server, and folders that are empty then.
func (m *mirror) prune() error {
	f := m.to
	m.becomeLinks()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.index == nil {
		return nil
	}
	all, gone := m.recorded()
	removals := 0
	for _, r := range gone {
		if m.removable(r) {
			removals++
		}
	}
	var first error
	if err := transfer.CheckRemovals(removals, all, m.o.MaxDelete); err != nil {
		first = &scheme.Error{Op: scheme.OpAccess, URL: m.r.URL.Redacted(), Code: scheme.CodeLocal, Err: err}
		if m.o.DryRun == nil {
			return first
		}
	}
	for _, r := range gone {
		if err := m.remove(r); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// recorded returns how many files of the mirror the index has, and the records of what is gone from
// the server: files before the folders that they are in.
func (m *mirror) recorded() (all int, gone []record) {
	f, n, from := m.to, len(m.o.Prefix), keyOf(m.r.URL)
	for _, r := range f.index.files {
		names := r.served()
		if r.From != from || len(names) <= n || !slices.Equal(names[:n], m.o.Prefix) {
			continue
		}
		if !r.Folder {
			all++
		}
		if m.present.gone(r, names[n:]) {
			gone = append(gone, *r)
		}
	}
	slices.SortFunc(gone, func(a, b record) int {
		switch {
		case a.Folder && b.Folder:
			return strings.Compare(string(b.File), string(a.File))
		case a.Folder:
			return 1
		case b.Folder:
			return -1
		}
		return strings.Compare(string(a.File), string(b.File))
	})
	return all, gone
}

// removable reports whether a file exists and has not been changed here.
func (m *mirror) removable(r record) bool {
	place := m.to.at(string(r.File))
	place.old = r
	in, err := m.to.root.Lstat(place.Name)
	return !r.Folder && err == nil && place.unchanged(in)
}

// remove removes a file that is gone from the server unless it was changed here, and the folders of
// it that are empty then.
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
		if r.Folder && isEmpty(f.root, local) || m.removable(r) {
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
	names := r.served()
	if r.Folder {
		f.forgetDir(local, names)
	}
	for dir := path.Dir(local); dir != "."; dir = path.Dir(dir) {
		names = names[:len(names)-1]
		if in, err := f.root.Lstat(dir); err != nil || !in.IsDir() || f.root.Remove(dir) != nil { // a link is the user's
			break
		}
		f.forgetDir(dir, names)
	}
	return f.forget(r)
}

// forget takes a file out of the index and makes its name free again. The caller holds the lock.
func (f *Folder) forget(r record) error {
	delete(f.taken, f.fold(string(r.File)))
	return f.append(record{File: r.File, Names: r.Names, URL: r.URL, Gone: true})
}

func (m *mirror) stays(shown string) {
	if m.o.Events.Note != nil {
		m.o.Events.Note(wire.Escape(shown) + " is gone from the server; it was changed here and stays")
	}
}

// isBehindLink reports whether one of the folders of a local name is a link. Mirror stores no file
// behind a link, so somebody has replaced the folder.
func (f *Folder) isBehindLink(local string) bool {
	for dir := path.Dir(local); dir != "."; dir = path.Dir(dir) {
		if in, err := f.root.Lstat(dir); err == nil && in.Mode()&fs.ModeSymlink != 0 {
			return true
		}
	}
	return false
}
