package download

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"locator/internal/held"
	"locator/internal/symlink"
	"locator/scheme"
	"locator/transfer"
	"locator/tree"
)

// linkSet are the symbolic links that a walk has found and that may lead to something in the
// mirror. Whether they do is known when everything else has been downloaded. See decision 0082.
type linkSet struct {
	held    []tree.Visit
	room    held.Budget
	at      map[string]int    // the index in held of the link with these names, joined with NUL
	entered map[string]bool   // links that the walk has entered as folders, likewise
	renamed map[string]string // the local names of what has another name than on the server, by the server's names
}

// maxLinks bounds the memory of links that are held; others are downloaded as the files that they
// lead to. maxHops bounds the links that one leads through, as systems do.
const (
	maxLinks = 64 << 20
	maxHops  = 40
)

// isCandidate reports whether an entry is a link that may lead to something in the mirror: it is
// relative, and does not leave the tree.
func (l *linkSet) isCandidate(v tree.Visit) bool {
	target := v.Entry.Target
	if target == "" || strings.HasPrefix(target, "/") || strings.ContainsAny(target, "\x00\\") || len(v.Path) == 0 {
		return false
	}
	depth := len(v.Path) - 1
	for i := range depth { // what ".." means below an entered link is not known
		if l.entered[strings.Join(v.Path[:i+1], "\x00")] {
			return false
		}
	}
	for part := range strings.SplitSeq(target, "/") {
		switch part {
		case "", ".":
		case "..":
			depth--
		default:
			depth++
		}
		if depth < 0 {
			return false
		}
	}
	return true
}

// hold keeps a candidate until everything else has been downloaded. It reports whether there was
// room for it.
func (l *linkSet) hold(v tree.Visit) bool {
	if !l.room.Take(visitCost(v)) {
		return false
	}
	l.at[strings.Join(v.Path, "\x00")] = len(l.held)
	l.held = append(l.held, v)
	return true
}

// visitCost estimates the memory of a visit and of its names joined, in bytes.
func visitCost(v tree.Visit) int {
	n := held.Entry(&v.Entry) + held.Strings(v.Path...)
	for _, name := range v.Path {
		n += len(name) + 1
	}
	return n
}

// resolve returns the names to which a link in the folder dir leads, without links. ok is false if
// it leaves the tree or never ends.
func (l *linkSet) resolve(dir []string, target string, hops *int) (names []string, ok bool) {
	names = slices.Clone(dir)
	for part := range strings.SplitSeq(target, "/") {
		switch part {
		case "", ".":
			continue
		case "..":
			if len(names) == 0 {
				return nil, false
			}
			names = names[:len(names)-1]
			continue
		}
		names = append(names, part)
		i, isLink := l.at[strings.Join(names, "\x00")]
		if !isLink {
			continue
		}
		if *hops++; *hops > maxHops {
			return nil, false
		}
		v := l.held[i]
		if names, ok = l.resolve(v.Path[:len(v.Path)-1], v.Entry.Target, hops); !ok {
			return nil, false
		}
	}
	return names, true
}

// makeLinks makes the links that lead to something in the mirror, and downloads what the others
// lead to.
func (m *mirror) makeLinks(ctx context.Context) {
	if len(m.links.held) == 0 {
		return
	}
	m.o.Queue.Schedule(ctx).Run(func(yield func(transfer.Job) bool) {
		var others []tree.Visit
		for _, v := range m.links.held {
			if made, err := m.makeLink(v); err != nil {
				m.fail(v.Entry.URL, err)
			} else if !made {
				others = append(others, v)
			}
		}
		for _, v := range others { // again, since folders with nothing but links exist now
			if ctx.Err() != nil || m.o.Quota.Exhausted() {
				return
			}
			made, err := m.makeLink(v)
			switch {
			case err != nil:
				m.fail(v.Entry.URL, err)
			case made:
			case v.Entry.Kind == scheme.KindListing:
				m.unfollowed(v.Entry.URL, toFolder)
			case !yield(m.job(v)):
				return
			}
		}
	})
}

// makeLink makes a link if it leads to something in the mirror and the system has links. If
// something is in its way, it calls fail and returns true.
func (m *mirror) makeLink(v tree.Visit) (made bool, err error) {
	dir := v.Path[:len(v.Path)-1]
	final, ok := m.links.resolve(dir, v.Entry.Target, new(int))
	if !ok {
		return false, nil
	}
	local := m.localOf(final)
	if !m.to.holds(local) {
		return false, nil
	}
	if m.isBlocked(v.Entry, v.Path, v.Path, false) {
		return true, nil
	}
	f, err := m.file(v.Entry.URL, m.reserve(v.Entry.URL, v.Path))
	if err != nil {
		return false, err
	}
	defer f.Close()
	m.named(f, v.Path)
	if through, ok := lexical(dir, v.Entry.Target); ok && m.keepsName(final) && m.keepsName(through) && m.keepsName(v.Path) {
		local = m.localOf(through)
	}
	text, err := filepath.Rel(path.Dir("/"+f.inFolder), "/"+local)
	if err != nil {
		return false, nil
	}
	x := &fetch{c: m.c, r: scheme.Request{URL: v.Entry.URL}, f: f, o: m.o.Options}
	new, err := x.link(text)
	if errors.Is(err, errNoLinks) {
		m.to.unused(f)
		return false, nil
	}
	if err == nil && new && m.o.Linked != nil {
		m.o.Linked(v.Entry.URL, f.Path(), text)
	}
	return err == nil, x.withURL(err)
}

// lexical returns the names to which a link leads if what they pass through is left as it is. ok is
// false if ".." may go back behind another link.
func lexical(dir []string, target string) (names []string, ok bool) {
	names = slices.Clone(dir)
	down := false
	for part := range strings.SplitSeq(target, "/") {
		switch {
		case part == "" || part == ".":
		case part != "..":
			down = true
			names = append(names, part)
		case down || len(names) == 0:
			return nil, false
		default:
			names = names[:len(names)-1]
		}
	}
	return names, true
}

// localOf returns the local name of a file or folder of the server, with slashes; "." is the
// Folder.
func (m *mirror) localOf(names []string) string {
	if local, ok := m.to.folderName(slices.Concat(m.o.Prefix, names)); ok || len(names) == 0 {
		return local
	}
	m.mu.Lock()
	local, ok := m.links.renamed[strings.Join(names, "\x00")]
	m.mu.Unlock()
	if ok {
		return local
	}
	last := len(names) - 1
	return path.Join(m.localOf(names[:last]), names[last])
}

// keepsName reports whether a file or folder and those above it have the server's names.
func (m *mirror) keepsName(names []string) bool {
	return m.localOf(names) == path.Join(slices.Concat([]string{"."}, m.o.Prefix, names)...)
}

// named remembers the local name of a file if it is not the server's.
func (m *mirror) named(f File, names []string) {
	if f.inFolder == path.Join(slices.Concat(m.o.Prefix, names)...) {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.links.renamed[strings.Join(names, "\x00")] = f.inFolder
}

// errNoLinks says that a symbolic link cannot be made here.
var errNoLinks = errors.New("no symbolic links here")

// link makes the file a symbolic link, unless it is that link already; then made is false.
// Options.Existing applies to a file that exists.
func (x *fetch) link(text string) (made bool, err error) {
	in, err := x.f.Root.Lstat(x.f.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return false, x.f.local(err)
	case in.Mode()&fs.ModeSymlink != 0 && x.f.linkText() == text:
		if x.f.old.Link != text {
			x.rememberLink(text)
		}
		return false, nil
	case x.o.Existing == Refuse:
		return false, x.exists("")
	case in.IsDir(), x.o.Existing == Update && !x.copied(in):
		return false, x.exists(x.difference())
	}
	x.f.Root.Remove(x.f.partName())
	if err := x.f.Root.Symlink(text, x.f.partName()); err != nil {
		return false, errNoLinks
	}
	if err := x.f.Root.Rename(x.f.partName(), x.f.Name); err != nil {
		x.f.Root.Remove(x.f.partName())
		return false, x.f.local(err)
	}
	x.rememberLink(text)
	return true, nil
}

func (x *fetch) rememberLink(text string) {
	if x.f.remember == nil {
		return
	}
	if err := x.f.remember(record{URL: keyOf(x.r.URL), From: x.f.from, Size: -1, Link: text}); err != nil {
		x.note("%v", err)
	}
}

// linkText returns what the symbolic link of that name says; "" if it is not a link.
func (f File) linkText() string {
	text, err := f.Root.Readlink(f.Name)
	if err != nil {
		return ""
	}
	return text
}

// unchanged reports whether nobody has changed the file since it was downloaded.
func (f File) unchanged(in fs.FileInfo) bool {
	if f.old.Link != "" {
		return in.Mode()&fs.ModeSymlink != 0 && f.linkText() == f.old.Link
	}
	return f.old.unchanged(in)
}

// folderName returns the local name of a folder of the server that has one.
func (f *Folder) folderName(names []string) (local string, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	local, ok = f.dirs[strings.Join(names, "\x00")]
	return path.Clean(local), ok
}

// unused makes the name of a file free again that nothing was stored under.
func (f *Folder) unused(file File) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if file.old.File == "" {
		delete(f.taken, f.fold(file.inFolder))
	} else { // the index keeps it
		f.taken[f.fold(file.inFolder)] = false
	}
}

// holds reports whether a local name is that of a file or folder of servers that exists: not one of
// the user, nor the index.
func (f *Folder) holds(local string) bool {
	f.mu.Lock()
	given := local == "." || f.isTaken(local)
	f.mu.Unlock()
	if !given || symlink.Check(f.root, local) != nil {
		return false
	}
	in, err := f.root.Lstat(local)
	return err == nil && (in.IsDir() || in.Mode().IsRegular())
}

// dropLink removes the link that an earlier run made under the name of a folder of the server: the
// server has the folder in its place now. A link that was changed here stays, and the folder gets
// another name. The caller holds the lock.
func (f *Folder) dropLink(dir string, names []string) error {
	if f.index == nil {
		return nil
	}
	local := path.Join(dir, f.rules().Make(names[len(names)-1]))
	r := f.index.files[name(local)]
	if r == nil || r.Link == "" || f.taken[f.fold(local)] || !slices.Equal(r.served(), names) || f.isBehindLink(local) || f.at(local).linkText() != r.Link || f.root.Remove(local) != nil {
		return nil
	}
	return f.forget(*r)
}
