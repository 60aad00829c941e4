package client

import (
	"errors"
	"io"
	"io/fs"
	"path"

	"locator/scheme"
)

// file is an open file.
type file struct {
	f    *fileSystem
	name string
	r    scheme.Request
	attr scheme.Attr // when it was opened
	res  *scheme.Resource

	at     int64 // offset of the next byte of res.Body
	pos    int64 // offset of the next Read
	closed bool
}

// maxSkip is how many bytes are skipped by reading them, which is faster than a new request.
const maxSkip = 64 << 10

// access opens a file at an offset: unconverted bytes, and the modification time.
func (f *fileSystem) access(r scheme.Request, offset int64) (*scheme.Resource, error) {
	return f.c.Access(f.ctx, r, &scheme.AccessOptions{Type: 'i', Detail: true, Range: scheme.Range{Offset: offset}})
}

// Stat returns the attributes that came with the file. It asks the server if size or modification
// time is missing.
func (f *file) Stat() (fs.FileInfo, error) {
	if n, sized := f.attr.Size.Get(); sized && !f.attr.Modified.IsZero() {
		return info{name: path.Base(f.name), size: n, modified: f.attr.Modified, attr: f.attr}, nil
	}
	return f.f.Stat(f.name)
}

func (f *file) Read(p []byte) (int, error) {
	if err := f.seekBody(); err != nil {
		return 0, err
	}
	n, err := f.res.Body.Read(p)
	f.moved(int64(n))
	return n, err
}

func (f *file) WriteTo(w io.Writer) (int64, error) {
	if err := f.seekBody(); err != nil {
		if err == io.EOF {
			err = nil
		}
		return 0, err
	}
	n, err := io.Copy(w, f.res.Body)
	f.moved(n)
	return n, err
}

func (f *file) moved(n int64) {
	f.at += n
	f.pos = f.at
}

func (f *file) Close() error {
	f.closed = true
	return f.res.Close()
}

// Seek sets the offset of the next Read.
func (f *file) Seek(offset int64, whence int) (int64, error) {
	fail := func(err error) (int64, error) { return 0, &fs.PathError{Op: "seek", Path: f.name, Err: err} }
	switch {
	case f.closed:
		return fail(fs.ErrClosed)
	case whence == io.SeekCurrent:
		offset += f.pos
	case whence == io.SeekEnd:
		size, err := f.size()
		if err != nil {
			return fail(err)
		}
		offset += size
	case whence != io.SeekStart:
		return fail(fs.ErrInvalid)
	}
	if offset < 0 {
		return fail(fs.ErrInvalid)
	}
	f.pos = offset
	return offset, nil
}

// size returns the size of the file, for which it may ask the server.
func (f *file) size() (int64, error) {
	if n, ok := f.attr.Size.Get(); ok {
		return n, nil
	}
	in, err := f.f.Stat(f.name)
	if err != nil {
		return 0, err
	}
	attr, _ := in.Sys().(scheme.Attr)
	n, ok := attr.Size.Get()
	if !ok {
		return 0, scheme.Fail(scheme.CodeUnsupported, "the size is not known: %w", errors.ErrUnsupported)
	}
	f.attr.Size = attr.Size
	return n, nil
}

// seekBody moves the body to pos, by a new request if it must.
func (f *file) seekBody() error {
	fail := func(err error) error { return &fs.PathError{Op: "read", Path: f.name, Err: err} }
	if f.pos == f.at {
		return nil
	}
	if f.closed {
		return fail(fs.ErrClosed)
	}
	if n, ok := f.attr.Size.Get(); ok && f.pos >= n {
		return io.EOF
	}
	if f.at < 0 || f.pos < f.at || f.pos-f.at > maxSkip {
		f.res.Close()
		f.at = -1 // until it is open again
		res, err := f.f.access(f.r, f.pos)
		if err != nil {
			return fail(err)
		}
		if f.res = res; res.Kind != scheme.KindObject || changed(f.attr, res.Attr) {
			res.Close()
			return fail(scheme.Fail(scheme.CodeBroken, "the file has changed since it was opened"))
		}
		f.at = res.Range.Offset // 0 if the scheme has no ranges
	}
	skip := f.pos - f.at
	if skip < 0 {
		return fail(scheme.Fail(scheme.CodeProtocol, "the part begins at byte %d instead of %d", f.at, f.pos))
	}
	n, err := io.CopyN(io.Discard, f.res.Body, skip)
	f.at += n
	if err == io.EOF {
		return io.EOF
	} else if err != nil {
		return fail(err)
	}
	return nil
}

// changed reports whether two attributes of a file cannot be those of the same version. Servers
// that compress give another entity tag then, and no size.
func changed(a, b scheme.Attr) bool {
	was, known := a.Size.Get()
	is, now := b.Size.Get()
	sized := known && now
	return sized && was != is || !a.Modified.IsZero() && !b.Modified.IsZero() && !a.Modified.Equal(b.Modified) ||
		sized && a.ETag != "" && b.ETag != "" && a.ETag != b.ETag
}
