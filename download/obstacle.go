package download

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"locator"
	"locator/internal/held"
	"locator/scheme"
	"locator/transfer"
	"locator/tree"
)

// ErrInTheWay is matched by the error of [Mirror] for a file that became a folder on the server, or
// the reverse, or for a folder that became a link, if what was downloaded before stays: it was
// changed here, or [MirrorOptions].Delete is not set.
var ErrInTheWay = errors.New("is in the way")

// obstacle is what an earlier run has stored under the name of an entry that is something else by
// now.
type obstacle struct {
	local    string
	isFolder bool
}

// obstacle finds the file that has the name of one of the folders of names, or the folder that has
// the name of the file, or of the folder if folder is set. A file that has another name in the
// index has none.
func (f *Folder) obstacle(u locator.URL, names []string, folder bool) (o obstacle, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.index == nil {
		return obstacle{}, false
	}
	dir, last := "", len(names)-1
	for i, served := range names {
		local, isFolder := f.dirs[strings.Join(names[:i+1], "\x00")]
		switch natural := path.Join(dir, f.rules().Make(served)); {
		case i == last && !folder:
			_, known := f.index.ids[f.index.id(keyOf(u), names)]
			return obstacle{local, true}, isFolder && local == natural && !known
		case !isFolder:
			r, there := f.index.files[name(natural)]
			return obstacle{natural, false}, there && r.Link == "" && !r.Folder && slices.Equal(r.served(), names[:i+1])
		}
		dir = local
	}
	return obstacle{}, false
}

// forgetMissing takes an obstacle out of the index that somebody has removed.
func (f *Folder) forgetMissing(o obstacle) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := f.root.Lstat(o.local); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, r := range slices.Collect(maps.Values(f.index.files)) {
		local, names := string(r.File), r.served()
		for ; strings.HasPrefix(local, o.local+"/"); local = path.Dir(local) {
			names = names[:len(names)-1]
			f.forgetDir(path.Dir(local), names)
		}
		if local == o.local {
			if err := f.forget(*r); err != nil {
				return err
			}
			f.forgetDir(local, names) // of an empty folder
		}
	}
	return nil
}

// heldEntry is a file, or the page of a folder, that waits until what is in its way has been
// removed.
type heldEntry struct {
	visit  tree.Visit
	names  []string // the server's
	isPage bool
	page   []byte
}

// obstacles are the entries of a walk that have something in their way.
type obstacles struct {
	held    []heldEntry
	room    held.Budget     // for held
	folders map[string]bool // folders that the walk has seen and that have a local name, by the server's names joined with NUL
	told    map[string]bool // obstacles that have been reported, by local name
}

// maxObstructed bounds the memory of the entries that wait. The next run downloads the others.
const maxObstructed = 64 << 20

// sawFolder records that the server has a folder.
func (m *mirror) sawFolder(names []string) {
	if _, ok := m.to.folderName(slices.Concat(m.o.Prefix, names)); ok {
		m.obstacles.folders[strings.Join(names, "\x00")] = true
	}
}

// obstacle is Folder.obstacle without what somebody has removed.
func (m *mirror) obstacle(u locator.URL, names []string, folder bool) (o obstacle, ok bool, err error) {
	names = slices.Concat(m.o.Prefix, names)
	if o, ok = m.to.obstacle(u, names, folder); ok {
		if err = m.to.forgetMissing(o); err == nil {
			o, ok = m.to.obstacle(u, names, folder)
		}
	}
	return o, ok, err
}

// hold keeps an entry that has something in its way, and reports whether it has.
func (m *mirror) hold(h heldEntry) bool {
	x, u := &m.obstacles, h.visit.Entry.URL
	switch o, ok, err := m.obstacle(u, h.names, false); {
	case err != nil:
		m.fail(u, err)
		return true
	case !ok:
		return false
	case !x.room.Take(visitCost(h.visit) + len(h.page)):
		m.obstructed(h.visit.Entry, o)
		return true
	}
	h.page = slices.Clone(h.page)
	x.held = append(x.held, h)
	return true
}

// isBlocked reports whether something stays in the way of an entry, and calls fail for it. path has
// the names of the entry in the walk, names those of its file. If the server has both a file and a
// folder of that name, nothing is in the way.
func (m *mirror) isBlocked(e scheme.Entry, path, names []string, folder bool) bool {
	o, ok, err := m.obstacle(e.URL, names, folder)
	switch {
	case err != nil:
		m.fail(e.URL, err)
		return true
	case !ok:
		return false
	case o.isFolder && m.obstacles.folders[strings.Join(path, "\x00")], !o.isFolder && m.to.isGiven(o.local):
		return false
	}
	m.obstructed(e, o)
	return true
}

// isGiven reports whether a local name was given in this run.
func (f *Folder) isGiven(local string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.taken[f.fold(local)]
}

// obstructed reports an obstacle that stays, once.
func (m *mirror) obstructed(e scheme.Entry, o obstacle) {
	if m.obstacles.told[o.local] {
		return
	}
	m.obstacles.told[o.local] = true
	was, is := "file", "folder"
	if o.isFolder {
		was, is = is, was
		switch {
		case e.Target != "":
			is = "link"
		case e.Kind == scheme.KindUnknown: // such as a link without a target in the MLSD of proftpd
			is = "file or a link"
		}
	}
	at := m.to.at(o.local)
	m.fail(e.URL, &scheme.Error{Op: scheme.OpAccess, URL: e.URL.Redacted(), Code: scheme.CodeLocal,
		Err: fmt.Errorf("the server has a %s now where it had a %s: %s %w", is, was, at.shown(o.local), ErrInTheWay)})
}

// downloadHeld downloads the entries that had something in their way, after Delete has removed what
// is gone from the server.
func (m *mirror) downloadHeld(ctx context.Context) {
	if len(m.obstacles.held) == 0 {
		return
	}
	m.o.Queue.Schedule(ctx).Run(func(yield func(transfer.Job) bool) {
		for _, h := range m.obstacles.held {
			if ctx.Err() != nil || m.o.Quota.Exhausted() {
				return
			}
			switch {
			case m.isBlocked(h.visit.Entry, h.visit.Path, h.names, false):
			case h.isPage:
				m.keepPage(h.visit, h.page)
			case !yield(m.job(h.visit)):
				return
			}
		}
	})
}
