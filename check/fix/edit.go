package fix

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"locator"
	"locator/check"
	"locator/find/format"
	"locator/internal/atomicfile"
	"locator/internal/diskfile"
	"locator/internal/symlink"
)

// An Editor changes the URLs in files. Everything else in a file stays as it is, byte for byte.
type Editor struct {
	// Named are the files and folders in which files may be changed. Nothing else is, also if a
	// symbolic link leads to it.
	Named []string
	// Write writes the files. Otherwise nothing is changed.
	Write bool
	// Diff is called with the change of each file in the unified format, before the file is
	// written. It may be nil.
	Diff func(text []byte) error
	// Left is called for a place that is left alone. It may be nil.
	Left func(at check.Place, reason error)
}

// maxFile is how long a file is at most that is changed.
const maxFile = 64 << 20

// The reasons for which a place is left alone.
var (
	errGone    = errors.New("the file has changed: the URL is not at this place any more")
	errWritten = errors.New("the URL is written with line breaks, escapes or in parts; change it by hand")
	errUnsafe  = errors.New("the new URL has characters that may mean something else at this place; change it by hand")
	errChanged = errors.New("the file has changed while it was being rewritten")
	errOutside = errors.New("the file is not in what was named, or a symbolic link")
)

// Apply makes changes. It returns how many places it changed, or would change without Write. An
// error of Diff, and that of ctx, ends it; other errors are passed to Left.
func (e *Editor) Apply(ctx context.Context, changes []Change) (n int, err error) {
	files := make(map[string][]site)
	for i := range changes {
		for _, at := range changes[i].Sites {
			if at.File != "" && at.File != "-" {
				files[at.File] = append(files[at.File], site{at, &changes[i]})
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := ctx.Err(); err != nil {
			return n, err
		}
		done, err := e.file(ctx, name, files[name])
		if err != nil {
			return n, err
		}
		n += done
	}
	return n, nil
}

// site is a place with its change.
type site struct {
	check.Place
	change *Change
}

func (e *Editor) left(sites []site, reason error) {
	for _, s := range sites {
		if e.Left != nil {
			e.Left(s.Place, reason)
		}
	}
}

// file changes one file.
func (e *Editor) file(ctx context.Context, name string, sites []site) (n int, err error) {
	place, err := e.open(name)
	if err != nil {
		e.left(sites, err)
		return 0, nil
	}
	defer place.Close()
	text, was, err := read(place)
	if err != nil {
		e.left(sites, err)
		return 0, nil
	}
	edits, count, err := e.edits(ctx, name, text, sites)
	if err != nil || len(edits) == 0 {
		return 0, err
	}
	changed := apply(text, edits)
	if !e.proven(ctx, name, changed, edits, count) {
		for _, x := range edits {
			e.left([]site{x.site}, errUnsafe)
		}
		return 0, ctx.Err()
	}
	if e.Diff != nil {
		if err := e.Diff(diff.Diff(name, text, name, changed)); err != nil {
			return 0, err
		}
	}
	if e.Write {
		if err := write(place, was, changed); err != nil {
			for _, x := range edits {
				e.left([]site{x.site}, err)
			}
			return 0, nil
		}
	}
	return len(edits), nil
}

// open returns where a file is, below what the user named.
func (e *Editor) open(name string) (atomicfile.Place, error) {
	for _, named := range e.Named {
		in, err := os.Stat(named)
		if err != nil {
			continue
		}
		dir := named
		if !in.IsDir() {
			dir = filepath.Dir(named)
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil || !filepath.IsLocal(rel) || !in.IsDir() && filepath.Clean(name) != filepath.Clean(named) {
			continue
		}
		root, err := symlink.OpenRoot(dir)
		if err != nil {
			return atomicfile.Place{}, err
		}
		return atomicfile.Place{Root: root, Dir: dir, Name: filepath.ToSlash(rel)}, nil
	}
	return atomicfile.Place{}, errOutside
}

// read reads a file that may be changed.
func read(p atomicfile.Place) (text []byte, in fs.FileInfo, err error) {
	in, err = p.Root.Lstat(p.Name)
	switch {
	case err != nil:
		return nil, nil, err
	case !in.Mode().IsRegular():
		return nil, nil, errOutside
	case in.Mode().Perm()&0o200 == 0:
		return nil, nil, errors.New("the file is read-only")
	case diskfile.HasOtherName(in):
		return nil, nil, errors.New("the file has another hard link")
	case !symlink.Owned(in):
		return nil, nil, errors.New("the file belongs to another user")
	case in.Size() > maxFile:
		return nil, nil, fmt.Errorf("the file is longer than %d MiB", maxFile>>20)
	}
	h, err := p.Root.Open(p.Name)
	if err != nil {
		return nil, nil, err
	}
	defer h.Close()
	if now, err := h.Stat(); err != nil || !os.SameFile(in, now) {
		return nil, nil, errChanged
	}
	text, err = io.ReadAll(io.LimitReader(h, maxFile+1))
	if err == nil && int64(len(text)) != in.Size() {
		err = errChanged
	}
	return text, in, err
}

// write replaces a file that was read.
func write(p atomicfile.Place, was fs.FileInfo, text []byte) error {
	if _, err := p.Root.Lstat(p.PartName()); err == nil { // it is not ours
		return fmt.Errorf("%s is in the way", p.Shown(p.PartName()))
	}
	part, err := p.OpenPart(true, was.Mode().Perm())
	if err != nil {
		return err
	}
	_, err = part.File.Write(text)
	if now, statErr := p.Root.Lstat(p.Name); err == nil && (statErr != nil || !os.SameFile(was, now) || !now.ModTime().Equal(was.ModTime()) || now.Size() != was.Size()) {
		err = errChanged
	}
	if err == nil {
		err = part.Commit(p)
	}
	if err != nil {
		_ = p.Root.Remove(p.PartName()) // the error before it says more
	}
	part.Close()
	return err
}

// edit is a change of bytes.
type edit struct {
	site
	start, end int
	to         string
	index      int // of its find in the file
}

// edits returns the changes of a text in their order, and how many URLs it has.
func (e *Editor) edits(ctx context.Context, name string, text []byte, sites []site) (edits []edit, count int, err error) {
	finds, err := e.finds(ctx, name, text)
	if err != nil {
		if ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		e.left(sites, err)
		return nil, 0, nil
	}
	type key struct{ line, column int }
	at := make(map[key]int)
	for i, f := range finds {
		at[key{f.Line, f.Column}] = i
	}
	used := make(map[int]bool)
	for _, s := range sites {
		i, ok := at[key{s.Line, s.Column}]
		if !ok || used[i] {
			e.left([]site{s}, errGone)
			continue
		}
		x, err := edited(text, &finds[i], s)
		if err != nil {
			e.left([]site{s}, err)
			continue
		}
		x.index, used[i] = i, true
		edits = append(edits, x)
	}
	slices.SortFunc(edits, func(a, b edit) int { return a.start - b.start })
	return edits, len(finds), nil
}

// finds returns the URLs in a text.
func (e *Editor) finds(ctx context.Context, name string, text []byte) (finds []format.Find, err error) {
	f := format.Detect(name, text)
	if f == nil || f.Name() == "pdf" {
		return nil, errors.New("the file is not a text")
	}
	for x, err := range f.Read(ctx, bytes.NewReader(text), format.Options{}) {
		if err != nil {
			return nil, err
		}
		finds = append(finds, x)
	}
	return finds, nil
}

// edited returns the edit of a find.
func edited(text []byte, f *format.Find, s site) (edit, error) {
	written := f.Text()
	u, err := locator.Current.Parse(written)
	if err != nil || u.WithoutFragment().Canonical().Text() != s.change.From.Canonical().Text() {
		return edit{}, errGone
	}
	end := f.Offset + f.Length
	if f.Position != format.Exact || f.Reference != "" || f.Repaired || f.Offset < 0 || end > int64(len(text)) {
		return edit{}, errWritten
	}
	form := text[f.Offset:end]
	i := bytes.Index(form, []byte(written))
	if i < 0 || bytes.LastIndex(form, []byte(written)) != i {
		return edit{}, errWritten
	}
	to := s.change.To.Text()
	if fragment, ok := f.Fragment.Get(); ok && !strings.Contains(to, "#") {
		to += "#" + fragment
	}
	if !harmless(to, written) {
		return edit{}, errUnsafe
	}
	start := int(f.Offset) + i
	return edit{site: s, start: start, end: start + len(written), to: to}, nil
}

// harmless reports whether a URL can stand where another stands: all that has a meaning in a markup
// or programming language is in the other, too.
func harmless(to, written string) bool {
	for i := range len(to) {
		c := to[i]
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~:/?#%=+,@", c) >= 0 {
			continue
		}
		if strings.IndexByte(written, c) < 0 {
			return false
		}
	}
	return true
}

// apply returns the text with edits.
func apply(text []byte, edits []edit) []byte {
	var out []byte
	last := 0
	for _, x := range edits {
		out = append(append(out, text[last:x.start]...), x.to...)
		last = x.end
	}
	return append(out, text[last:]...)
}

// proven reports whether the new URLs are found in the changed text, and no others besides.
func (e *Editor) proven(ctx context.Context, name string, changed []byte, edits []edit, count int) bool {
	finds, err := e.finds(ctx, name, changed)
	if err != nil || len(finds) != count {
		return false
	}
	for _, x := range edits {
		if finds[x.index].Text() != x.to {
			return false
		}
	}
	return true
}
