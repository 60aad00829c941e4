package file

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"strconv"
	"sync/atomic"
	"time"

	"locator/scheme"
	"locator/wire"
)

// prepare looks at where a file is to be written, and makes its folders if it may. A link is followed: what it leads
// to is replaced, not the link.
func (p *place) prepare(create bool) error {
	if p.tree.path != "" {
		return scheme.Fail(scheme.CodeUnsupported, "nothing is written within the tree %s: a link could lead out of it", wire.Escape(p.tree.path))
	}
	folder, base := splitName(p.name)
	if base == "" || base == "." || base == ".." {
		return scheme.Fail(scheme.CodeUsage, "%s names a folder, and a folder cannot be written: add the name of a file", wire.Escape(p.name))
	}
	if info, err := lstat(p.name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if p.name, err = resolveLinks(p.name); err != nil {
			return p.fail(err)
		}
	}
	info, err := stat(p.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return p.prepareFolder(folder, create)
	case err != nil:
		return p.fail(err)
	case info.IsDir():
		return scheme.Fail(scheme.CodeUsage, "%s is a folder, and a folder cannot be written: add the name of a file", wire.Escape(p.name))
	}
	return p.plain(info)
}

func (p *place) prepareFolder(folder string, create bool) error {
	switch _, err := stat(folder); {
	case err == nil:
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		return p.fail(err)
	case !create:
		return scheme.Fail(scheme.CodeNotFound, "there is no folder %s to write into: %w", wire.Escape(folder), fs.ErrNotExist)
	}
	if err := makeFolders(folder); err != nil {
		return p.fail(err)
	}
	return nil
}

// replace writes a new file and puts it in the place of the old one, whose rights it has from the start: what only its
// owner may read is never there for others.
func (p *place) replace(ctx context.Context, b scheme.Body) error {
	folder, base := splitName(p.name)
	old, noOld := stat(p.name)
	mode := fs.FileMode(newMode)
	if noOld == nil {
		mode = old.Mode().Perm()
	}
	f, temp, err := createBeside(folder, base, mode)
	if err != nil {
		return p.fail(err)
	}
	if noOld == nil { // the umask has taken some away
		err = f.Chmod(mode)
	}
	if err == nil {
		_, err = fill(ctx, f, b)
	}
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = rename(temp, p.name)
	}
	if err != nil {
		remove(temp)
		return p.fail(err)
	}
	if err := syncFolder(folder); err != nil {
		return p.fail(err)
	}
	return nil
}

// createBeside makes a new file in the folder, hidden, under a name that nobody has.
func createBeside(folder, base string, mode fs.FileMode) (*handle, string, error) {
	if len(base) > 100 { // the name must not grow past what the system allows
		base = base[:100]
	}
	for {
		temp := join(folder, "."+base+"."+strconv.FormatUint(rand.Uint64(), 36)+".part")
		f, err := createNew(temp, mode)
		if !errors.Is(err, fs.ErrExist) {
			return f, temp, err
		}
	}
}

// extend adds to the end of a file.
func (p *place) extend(ctx context.Context, b scheme.Body) error {
	f, err := openAppend(p.name)
	if err != nil {
		return p.fail(err)
	}
	info, err := f.Stat()
	if err == nil {
		err = p.plain(info)
	}
	if err != nil {
		f.Close()
		return p.fail(err)
	}
	n, err := fill(ctx, f, b)
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		cut := errors.New("it was longer than that meanwhile")
		if now, e := f.Stat(); e == nil && now.Size() == info.Size()+n {
			cut = f.Truncate(info.Size())
		}
		if cut != nil {
			err = scheme.Fail(codeOf(err), "%w; the file may have %d octets of the new text at its end", err, n)
		}
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return p.fail(err)
	}
	return nil
}

func codeOf(err error) scheme.Code {
	if e, ok := errors.AsType[*scheme.Error](err); ok {
		return e.Code
	}
	return scheme.CodeLocal
}

// fill copies the body into the file. The source is read in a goroutine of its own, so that one that gives nothing keeps
// no cancelled operation waiting; that goroutine ends with the source's next word.
func fill(ctx context.Context, f *handle, b scheme.Body) (int64, error) {
	type result struct {
		n   int64
		err error
	}
	src := &source{ctx: ctx, r: b.Reader}
	done := make(chan result, 1)
	go func() {
		n, err := io.Copy(f, src)
		done <- result{n, err}
	}()
	var res result
	select {
	case res = <-done:
	case <-ctx.Done():
		select { // a source that does answer is not read any more when we return
		case <-done:
		case <-time.After(stopTime):
		}
		return src.n.Load(), ctx.Err()
	}
	switch {
	case src.err != nil:
		return res.n, scheme.Fail(scheme.CodeLocal, "reading what is to be written: %w", src.err)
	case res.err != nil:
		return res.n, res.err
	case res.n != b.Size.Or(res.n):
		return res.n, scheme.Fail(scheme.CodeLocal, "what is to be written was announced with %d octets and has %d", b.Size.Or(0), res.n)
	}
	if err := b.Pass(); err != nil {
		return res.n, scheme.Fail(scheme.CodeLocal, "nothing is written: %w", err)
	}
	return res.n, nil
}

// stopTime is how long a source is given to end its last Read.
const stopTime = 100 * time.Millisecond

// source reads while the context lasts, and remembers that it was the source that failed.
type source struct {
	ctx context.Context
	r   io.Reader
	err error
	n   atomic.Int64 // given out; while Read waits, all of it is written
}

func (s *source) Read(p []byte) (int, error) {
	if s.ctx.Err() != nil {
		return 0, s.ctx.Err()
	}
	n, err := s.r.Read(p)
	if s.ctx.Err() != nil { // what comes too late is not written
		return 0, s.ctx.Err()
	}
	if err != nil && err != io.EOF {
		s.err = err
	}
	s.n.Add(int64(n))
	return n, err
}

// written is the resource after a Replace or Update.
func (p *place) written(r scheme.Request) (*scheme.Resource, error) {
	info, err := stat(p.name)
	if err != nil {
		return nil, p.fail(err)
	}
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindObject, Attr: p.attr(info), Body: noBody{}}, nil
}

// noBody is the Body of a resource that was written: there is nothing to read.
type noBody struct{}

func (noBody) Read([]byte) (int, error)         { return 0, io.EOF }
func (noBody) WriteTo(io.Writer) (int64, error) { return 0, nil }
func (noBody) Close() error                     { return nil }
