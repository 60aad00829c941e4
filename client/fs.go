package client

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"locator"
	"locator/scheme"
)

// FS returns a read-only file system for the tree rooted at base, which must be a directory URL of
// a hierarchical scheme (RFC 1738 2.3). Names follow io/fs: separated by "/", not percent-encoded.
// The file system implements fs.ReadDirFS, fs.ReadFileFS and fs.StatFS. Cancelling ctx ends every
// operation on it.
//
// A file implements io.Seeker, so that http.FileServer can serve parts. Seek sends nothing. The
// Read after it requests the rest of the file from there, or skips up to 64 KiB, or whatever
// precedes if the scheme has no ranges. It returns an error if the size, modification time or
// entity tag has changed since the file was opened. Seeking from the end needs the size, which not
// every server tells.
func (c *Client) FS(ctx context.Context, base locator.URL) fs.FS {
	return &fileSystem{c: c, ctx: ctx, base: base}
}

type fileSystem struct {
	c    *Client
	ctx  context.Context
	base locator.URL
}

var (
	_ fs.ReadDirFS  = (*fileSystem)(nil)
	_ fs.ReadFileFS = (*fileSystem)(nil)
	_ fs.StatFS     = (*fileSystem)(nil)
)

// request returns the request for name.
func (f *fileSystem) request(op, name string, dir bool) (scheme.Request, error) {
	if !fs.ValidPath(name) {
		return scheme.Request{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	switch {
	case f.base.IsZero():
		return scheme.Request{}, &fs.PathError{Op: op, Path: name, Err: scheme.Fail(scheme.CodeUsage, "the file system has no URL")}
	case !f.base.Hierarchical():
		return scheme.Request{}, &fs.PathError{Op: op, Path: name, Err: scheme.Fail(scheme.CodeUnsupported, "URLs of the scheme %s have no directories, so they are no file system", f.base.Scheme())}
	}
	segments := []string{}
	if name != "." {
		segments = strings.Split(name, "/")
	}
	if dir {
		segments = append(segments, "")
	}
	u, err := f.base.JoinPath(segments...)
	if err != nil {
		return scheme.Request{}, &fs.PathError{Op: op, Path: name, Err: err}
	}
	return scheme.Request{URL: u, Within: f.base}, nil
}

// Open opens a file or directory. A file implements io.Seeker.
func (f *fileSystem) Open(name string) (fs.File, error) {
	if name == "." {
		if _, err := f.request("open", name, true); err != nil {
			return nil, err
		}
		return &dirFile{f: f, name: name}, nil
	}
	r, err := f.request("open", name, false)
	if err != nil {
		return nil, err
	}
	res, err := f.access(r, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	switch {
	case res.Kind == scheme.KindListing || isFolder(res.URL):
		res.Close()
		return &dirFile{f: f, name: name}, nil
	case res.Kind != scheme.KindObject:
		res.Close()
		return nil, &fs.PathError{Op: "open", Path: name, Err: scheme.Fail(scheme.CodeUnsupported, "not a file but a %s", res.Kind)}
	}
	return &file{f: f, name: name, r: r, attr: res.Attr, res: res}, nil
}

// isFolder reports whether the path of u ends in a slash. HTTP servers redirect to such a URL for a
// directory.
func isFolder(u locator.URL) bool {
	s, ok := u.Segments()
	return ok && len(s) > 0 && s[len(s)-1] == ""
}

// ReadFile reads a whole file. It does not request the attributes first.
func (f *fileSystem) ReadFile(name string) ([]byte, error) {
	h, err := f.Open(name)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	return io.ReadAll(h)
}

// ReadDir lists a directory, sorted by name. Duplicate entries and names that are invalid in io/fs
// are omitted.
func (f *fileSystem) ReadDir(name string) ([]fs.DirEntry, error) {
	r, err := f.request("readdir", name, true)
	if err != nil {
		return nil, err
	}
	var list []fs.DirEntry
	seen := make(map[string]bool)
	for e, err := range Entries(f.c.List(f.ctx, r, nil)) {
		if err != nil {
			return list, &fs.PathError{Op: "readdir", Path: name, Err: err}
		}
		_, search := e.URL.Search()
		if !fs.ValidPath(e.Name) || strings.Contains(e.Name, "/") || e.Name == "." || search || seen[e.Name] ||
			e.Kind != scheme.KindObject && e.Kind != scheme.KindListing && e.Kind != scheme.KindUnknown {
			continue
		}
		seen[e.Name] = true
		d := &dirEntry{f: f, path: path.Join(name, e.Name), dir: e.Kind == scheme.KindListing, attr: e.Attr}
		if e.Kind == scheme.KindUnknown { // a symbolic link
			if in, err := d.Info(); err == nil {
				d.dir = in.IsDir()
			}
		}
		list = append(list, d)
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, nil
}

// Stat returns the attributes of a file or directory. It opens the file if the protocol cannot
// report them.
func (f *fileSystem) Stat(name string) (fs.FileInfo, error) {
	r, err := f.request("stat", name, name == ".")
	if err != nil {
		return nil, err
	}
	if name == "." {
		return info{name: ".", dir: true}, nil
	}
	res, err := f.c.Attributes(f.ctx, r, &scheme.AttributesOptions{Type: 'i'})
	if err != nil {
		res = &scheme.Resource{}
	}
	attr := res.Attr
	in := info{name: path.Base(name), size: attr.Size.Or(0), modified: attr.Modified, attr: attr}
	_, sized := attr.Size.Get()
	switch {
	case err == nil && isFolder(res.URL):
		return in.folder(), nil
	case err == nil && sized:
		return in, nil
	case err != nil && CodeOf(err) != scheme.CodeUnsupported:
		return nil, &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	// The protocol has no attributes: opening shows whether it is a directory.
	h, err := f.Open(name)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	if _, ok := h.(*dirFile); ok {
		return in.folder(), nil
	}
	return in, nil
}

// info implements fs.FileInfo.
type info struct {
	name     string
	dir      bool
	size     int64
	modified time.Time
	attr     scheme.Attr
}

// folder returns i as the info of a directory, with size 0.
func (i info) folder() info {
	i.dir, i.size = true, 0
	return i
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) ModTime() time.Time { return i.modified }
func (i info) IsDir() bool        { return i.dir }
func (i info) Sys() any           { return i.attr }

// Mode has no write bits: the file system is read-only.
func (i info) Mode() fs.FileMode {
	if i.dir {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

// dirEntry is an entry of a directory. Sizes and times in listings are often rounded, so Info asks
// the server. If the server requires a login for that, Info returns the values of the listing.
type dirEntry struct {
	f    *fileSystem
	path string
	dir  bool
	attr scheme.Attr // of the listing
}

func (d *dirEntry) Name() string      { return path.Base(d.path) }
func (d *dirEntry) IsDir() bool       { return d.dir }
func (d *dirEntry) Type() fs.FileMode { return info{dir: d.dir}.Mode().Type() }
func (d *dirEntry) String() string    { return fs.FormatDirEntry(d) }

func (d *dirEntry) Info() (fs.FileInfo, error) {
	in, err := d.f.Stat(d.path)
	if CodeOf(err) == scheme.CodeLoginNeeded {
		a := d.attr
		return info{name: d.Name(), dir: d.dir, size: a.Size.Or(0), modified: a.Modified, attr: a}, nil
	}
	return in, err
}

// dirFile is an open directory.
type dirFile struct {
	f    *fileSystem
	name string
	list []fs.DirEntry
	read bool
}

func (d *dirFile) Stat() (fs.FileInfo, error) { return d.f.Stat(d.name) }
func (d *dirFile) Close() error               { return nil }

// Read always fails, since d is a directory.
func (d *dirFile) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.name, Err: errors.New("is a directory")}
}

// ReadDir implements fs.ReadDirFile.
func (d *dirFile) ReadDir(n int) ([]fs.DirEntry, error) {
	if !d.read {
		list, err := d.f.ReadDir(d.name)
		if err != nil {
			return list, err
		}
		d.list, d.read = list, true
	}
	if n <= 0 {
		list := d.list
		d.list = nil
		return list, nil
	}
	if len(d.list) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(d.list))
	list := d.list[:n]
	d.list = d.list[n:]
	return list, nil
}
