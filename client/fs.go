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

// FS is the tree below base, a directory of a hierarchical scheme (RFC 1738 2.3), as a file system. Names are those
// of io/fs: separated by "/", not escaped. The context governs every operation on it.
func (c *Client) FS(ctx context.Context, base locator.URL) fs.FS {
	return &fileSystem{c: c, ctx: ctx, base: base}
}

type fileSystem struct {
	c    *Client
	ctx  context.Context
	base locator.URL
}

var (
	_ fs.ReadDirFS = (*fileSystem)(nil)
	_ fs.StatFS    = (*fileSystem)(nil)
)

// request names what lies at name. Files are read octet by octet: TYPE I where ftp has a choice.
func (f *fileSystem) request(op, name string, dir bool) (scheme.Request, error) {
	if !fs.ValidPath(name) {
		return scheme.Request{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	if !f.base.Hierarchical() {
		return scheme.Request{}, &fs.PathError{Op: op, Path: name, Err: errors.ErrUnsupported}
	}
	segments := []string{}
	if name != "." {
		segments = strings.Split(name, "/")
	}
	if dir {
		segments = append(segments, "")
	}
	u, err := locator.Below(f.base, segments...)
	if err != nil {
		return scheme.Request{}, &fs.PathError{Op: op, Path: name, Err: err}
	}
	return scheme.Request{URL: u, Type: 'i'}, nil
}

// Open opens a file or directory. A file is read as a stream: it can be read once, from its start.
func (f *fileSystem) Open(name string) (fs.File, error) {
	r, err := f.request("open", name, name == ".")
	if err != nil {
		return nil, err
	}
	if name == "." {
		return &dirFile{f: f, name: name, info: info{name: ".", dir: true}}, nil
	}
	res, err := f.c.Access(f.ctx, r)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	in := infoOf(path.Base(name), res.Kind, res.Attr)
	if p, _ := res.URL.Path(); res.Kind == scheme.Listing || strings.HasSuffix(p, "/") {
		res.Close()
		in.dir = true
		return &dirFile{f: f, name: name, info: in}, nil
	}
	if res.Kind != scheme.Object {
		res.Close()
		return nil, &fs.PathError{Op: "open", Path: name, Err: scheme.Fail(scheme.Unsupported, "it is a %s, no file", res.Kind)}
	}
	return &file{res: res, info: in}, nil
}

// ReadDir lists a directory, sorted by name.
func (f *fileSystem) ReadDir(name string) ([]fs.DirEntry, error) {
	r, err := f.request("readdir", name, true)
	if err != nil {
		return nil, err
	}
	var list []fs.DirEntry
	for e, err := range f.c.List(f.ctx, r) {
		if err != nil {
			return list, &fs.PathError{Op: "readdir", Path: name, Err: err}
		}
		if !fs.ValidPath(e.Name) || strings.Contains(e.Name, "/") || e.Name == "." {
			continue // what a name of this peer cannot be in io/fs
		}
		list = append(list, fs.FileInfoToDirEntry(infoOf(e.Name, e.Kind, e.Attr)))
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, nil
}

// Stat finds the attributes of a file or directory.
func (f *fileSystem) Stat(name string) (fs.FileInfo, error) {
	r, err := f.request("stat", name, name == ".")
	if err != nil {
		return nil, err
	}
	if name == "." {
		return info{name: ".", dir: true}, nil
	}
	if attr, err := f.c.Attributes(f.ctx, r); err == nil {
		if _, known := attr.Size.Get(); known {
			return infoOf(path.Base(name), scheme.Object, attr), nil
		}
	} else if CodeOf(err) != scheme.Unsupported && CodeOf(err) != scheme.NotFound {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	h, err := f.Open(name)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	return h.Stat()
}

// info is what is known of a file.
type info struct {
	name     string
	dir      bool
	size     int64
	modified time.Time
	attr     scheme.Attr
}

func infoOf(name string, k scheme.Kind, a scheme.Attr) info {
	return info{name: name, dir: k == scheme.Listing, size: a.Size.Or(0), modified: a.Modified, attr: a}
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) ModTime() time.Time { return i.modified }
func (i info) IsDir() bool        { return i.dir }
func (i info) Sys() any           { return i.attr }

// Mode has no write bits: this file system only reads.
func (i info) Mode() fs.FileMode {
	if i.dir {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

type file struct {
	res  *scheme.Resource
	info info
}

func (f *file) Stat() (fs.FileInfo, error)         { return f.info, nil }
func (f *file) Read(p []byte) (int, error)         { return f.res.Body.Read(p) }
func (f *file) WriteTo(w io.Writer) (int64, error) { return io.Copy(w, f.res.Body) }
func (f *file) Close() error                       { return f.res.Close() }

type dirFile struct {
	f    *fileSystem
	name string
	info info
	list []fs.DirEntry
	read bool
}

func (d *dirFile) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *dirFile) Close() error               { return nil }

// Read fails: a directory has no octets.
func (d *dirFile) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.name, Err: errors.New("is a directory")}
}

// ReadDir follows fs.ReadDirFile.
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
