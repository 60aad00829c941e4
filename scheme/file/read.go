package file

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"math"
	"time"

	"locator/internal/mediatype"
	"locator/scheme"
	"locator/wire"
)

// object returns the resource for an open file.
func (p *place) object(ctx context.Context, o scheme.AccessOptions, f *handle, info fs.FileInfo) (*scheme.Resource, error) {
	res := &scheme.Resource{URL: p.url, Kind: scheme.KindObject, Attr: p.attr(info)}
	if since := o.If.ModifiedSince; !since.IsZero() && !info.ModTime().Truncate(time.Second).After(since) {
		f.Close()
		res.NotModified = true
		return res, nil
	}
	size := info.Size()
	b := &body{ctx: ctx, f: f, p: p, start: o.Range.Offset, size: size, left: math.MaxInt64}
	if size == 0 { // files in /proc have size 0 but are not empty
		if n, _ := f.ReadAt(make([]byte, 1), 0); n > 0 {
			res.Attr.Size = scheme.Count{}
		}
	}
	if !o.Range.IsZero() {
		if err := p.part(o.Range, f, size); err != nil {
			f.Close()
			return nil, err
		}
		res.Range = scheme.Range{Offset: o.Range.Offset, Length: size - o.Range.Offset}
		if o.Range.Length > 0 && o.Range.Length < res.Range.Length {
			res.Range.Length = o.Range.Length
		}
		b.left = res.Range.Length
	}
	res.Body = b
	return res, nil
}

// part seeks to the start of a range.
func (p *place) part(want scheme.Range, f *handle, size int64) error {
	if want.Offset < 0 || want.Length < 0 {
		return scheme.Fail(scheme.CodeUsage, "a range cannot be negative")
	}
	if want.Offset > size {
		return scheme.Fail(scheme.CodeUsage, "%s has %d bytes, fewer than the requested offset %d", wire.TextLine(p.name), size, want.Offset)
	}
	if _, err := f.Seek(want.Offset, io.SeekStart); err != nil {
		return p.fail(err)
	}
	return nil
}

// attr converts file attributes. A folder has no size.
func (p *place) attr(info fs.FileInfo) scheme.Attr {
	a := scheme.Attr{Modified: info.ModTime().UTC(), Mode: info.Mode().Perm(), More: []scheme.Attribute{{Name: "mode", Value: info.Mode().String()}}}
	if info.Mode().IsRegular() {
		a.Size, a.Ranges = scheme.Known(info.Size()), true
		a.Type = mediatype.ByName(info.Name())
	}
	return a
}

// body reads a file until its context is done. Data appended to the file in the meantime is read,
// too.
type body struct {
	ctx   context.Context
	f     *handle
	p     *place
	start int64
	size  int64 // of the file when it was opened
	read  int64
	left  int64 // bytes left of a range
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	if b.left == 0 {
		return 0, io.EOF
	}
	n, err := b.f.Read(p[:min(int64(len(p)), b.left)])
	b.moved(int64(n))
	if err == io.EOF {
		return n, b.atEnd()
	}
	if err != nil {
		err = b.fail(err)
	}
	return n, err
}

// copyStep is how many bytes are copied between checks of the context.
const copyStep = 4 << 20

// WriteTo uses io.Copy, so that the system can copy from file to file or from file to socket.
func (b *body) WriteTo(w io.Writer) (int64, error) {
	start := b.read
	for {
		if err := b.ctx.Err(); err != nil {
			return b.read - start, err
		}
		most := min(copyStep, b.left)
		if most == 0 {
			return b.read - start, nil
		}
		n, err := io.Copy(w, &io.LimitedReader{R: b.f, N: most})
		b.moved(n)
		if err != nil {
			return b.read - start, b.fail(err)
		}
		if n < most {
			if err = b.atEnd(); err == io.EOF {
				err = nil
			}
			return b.read - start, err
		}
	}
}

func (b *body) moved(n int64) {
	b.read += n
	b.left -= n
}

// atEnd returns io.EOF, or an error if the file was truncated while it was read. Files in /sys end
// before their announced size without being truncated.
func (b *body) atEnd() error {
	info, err := b.f.Stat()
	if err == nil && info.Size() < b.size && b.start+b.read < b.size {
		return scheme.Fail(scheme.CodeBroken, "%s was truncated while it was read, after %d bytes: %w", wire.TextLine(b.p.name), b.read, io.ErrUnexpectedEOF)
	}
	return io.EOF
}

func (b *body) fail(err error) error {
	if errors.Is(err, fs.ErrClosed) {
		return err
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok && e.Op == "read" {
		return b.p.fail(err)
	}
	return err // the writer's
}

// Close may be called more than once.
func (b *body) Close() error {
	if err := b.f.Close(); !errors.Is(err, fs.ErrClosed) {
		return b.p.fail(err)
	}
	return nil
}
