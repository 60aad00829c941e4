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
	"locator/client"
	"locator/scheme"
)

// ErrInTheWay is matched by the error of [Mirror] for a file that became a folder on the server, or the reverse, if what was downloaded
// before stays: it was changed here, or [MirrorOptions].Delete is not set.
var ErrInTheWay = errors.New("is in the way")

// obstacle is what an earlier run has stored under the name of an entry that is something else by now.
type obstacle struct {
	local    string
	isFolder bool
}

// obstacle finds the file that has the name of one of the folders of names, or the folder that has the name of the file, or of the folder if
// folder is set. A file that has another name in the index has none.
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
func (f *Folder) forgetMissing(o obstacle) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := f.root.Lstat(o.local); !errors.Is(err, fs.ErrNotExist) {
		return
	}
	for _, r := range slices.Collect(maps.Values(f.index.files)) {
		local, names := string(r.File), r.served()
		for ; strings.HasPrefix(local, o.local+"/"); local = path.Dir(local) {
			names = names[:len(names)-1]
			f.forgetDir(path.Dir(local), names)
		}
		if local == o.local {
			f.forget(*r)
			f.forgetDir(local, names) // of an empty folder
		}
	}
}

// heldEntry is a file, or the page of a folder, that waits until what is in its way has been removed.
type heldEntry struct {
	visit  client.Visit
	names  []string // the server's
	isPage bool
	page   []byte
}

// obstacles are the entries of a walk that have something in their way.
type obstacles struct {
	held   []heldEntry
	bytes  int             // of all pages
	listed map[string]bool // by the names of a held file, joined with NUL: the server has a folder of that name, too
	told   map[string]bool // obstacles that have been reported, by local name
}

// maxObstructed bounds how many entries wait in memory, maxObstructedPages the bytes of their pages. The others are downloaded by the next run.
const (
	maxObstructed      = 100_000
	maxObstructedPages = 16 << 20
)

// observe lets a walk tell which folders the server has.
func (x *obstacles) observe(o *client.WalkOptions) {
	x.listed, x.told = make(map[string]bool), make(map[string]bool)
	listed := o.Listed
	o.Listed = func(folder []string, complete bool) {
		if key := strings.Join(folder, "\x00"); len(x.listed) > 0 {
			if _, held := x.listed[key]; held {
				x.listed[key] = true
			}
		}
		if listed != nil {
			listed(folder, complete)
		}
	}
}

// obstacle is Folder.obstacle without what somebody has removed.
func (m *mirror) obstacle(u locator.URL, names []string, folder bool) (o obstacle, ok bool) {
	names = slices.Concat(m.o.Prefix, names)
	if o, ok = m.to.obstacle(u, names, folder); ok {
		m.to.forgetMissing(o)
		o, ok = m.to.obstacle(u, names, folder)
	}
	return o, ok
}

// hold keeps an entry that has something in its way, and reports whether it has.
func (m *mirror) hold(h heldEntry) bool {
	o, ok := m.obstacle(h.visit.Entry.URL, h.names, false)
	if !ok {
		return false
	}
	x := &m.obstacles
	if len(x.held) >= maxObstructed || x.bytes+len(h.page) > maxObstructedPages {
		m.obstructed(h.visit.Entry.URL, o)
		return true
	}
	if o.isFolder {
		x.listed[strings.Join(h.visit.Path, "\x00")] = false
	}
	x.bytes += len(h.page)
	h.page = slices.Clone(h.page)
	x.held = append(x.held, h)
	return true
}

// obstructed reports an obstacle that stays, once.
func (m *mirror) obstructed(u locator.URL, o obstacle) {
	if m.obstacles.told[o.local] {
		return
	}
	m.obstacles.told[o.local] = true
	was, is := "file", "folder"
	if o.isFolder {
		was, is = is, was
	}
	at := m.to.at(o.local)
	m.fail(u, &scheme.Error{Op: scheme.OpAccess, URL: u.Redacted(), Code: scheme.CodeLocal,
		Err: fmt.Errorf("the server has a %s now where it had a %s: %s %w", is, was, at.shown(o.local), ErrInTheWay)})
}

// hasBoth reports whether the server has a file and a folder of one name, so that what is in the way of an entry is not gone.
func (m *mirror) hasBoth(path []string, o obstacle) bool {
	if o.isFolder {
		return m.obstacles.listed[strings.Join(path, "\x00")]
	}
	m.to.mu.Lock()
	defer m.to.mu.Unlock()
	return m.to.taken[m.to.fold(o.local)]
}

// downloadHeld downloads the entries that had something in their way, after Delete has removed what is gone from the server.
func (m *mirror) downloadHeld(ctx context.Context) {
	if len(m.obstacles.held) == 0 {
		return
	}
	m.o.Queue.schedule(ctx).run(func(yield func(Job) bool) {
		for _, h := range m.obstacles.held {
			if ctx.Err() != nil || m.o.Quota.exhausted() {
				return
			}
			o, ok := m.obstacle(h.visit.Entry.URL, h.names, false)
			switch {
			case ok && !m.hasBoth(h.visit.Path, o):
				m.obstructed(h.visit.Entry.URL, o)
			case h.isPage:
				m.keepPage(h.visit, h.page)
			case !yield(m.job(h.visit)):
				return
			}
		}
	})
}
