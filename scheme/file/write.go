package file

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"strconv"
	"strings"

	"locator/scheme"
	"locator/wire"
)

// write writes b to the file of a request with do.
func write(ctx context.Context, env *scheme.Env, r scheme.Request, b scheme.Body, o scheme.WriteOptions, do func(context.Context, *place, scheme.Body, scheme.WriteOptions) error) (*scheme.Resource, error) {
	p, err := locate(ctx, env, r)
	if err != nil {
		return nil, err
	}
	if err := p.prepare(o.CreateDirs); err != nil {
		return nil, err
	}
	if err := do(ctx, p, b, o); err != nil {
		return nil, err
	}
	info, err := stat(p.name)
	if err != nil {
		return nil, p.fail(err)
	}
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindObject, Attr: p.attr(info), Body: io.NopCloser(strings.NewReader(""))}, nil
}

// prepare checks that a file can be written, and creates missing folders if create is true. It
// follows a link, so that its target is replaced and not the link, but not one that another user
// may have planted.
func (p *place) prepare(create bool) error {
	if p.tree.path != "" {
		return scheme.Fail(scheme.CodeUnsupported, "cannot write within the tree %s, since a link could lead out of it", wire.TextLine(p.tree.path))
	}
	folder, base := splitName(p.name)
	if base == "" || base == "." || base == ".." {
		return scheme.Fail(scheme.CodeUsage, "%s is a folder and cannot be written; add the name of a file", wire.TextLine(p.name))
	}
	resolved, err := resolveLinks(p.name)
	if err != nil {
		return p.fail(err)
	}
	if info, err := lstat(p.name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if _, err := stat(resolved); err != nil { // it leads to nothing
			return p.fail(err)
		}
		p.name = resolved
	}
	info, err := stat(p.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return p.prepareFolder(folder, create)
	case err != nil:
		return p.fail(err)
	case info.IsDir():
		return scheme.Fail(scheme.CodeUsage, "%s is a folder and cannot be written; add the name of a file", wire.TextLine(p.name))
	}
	return p.checkKind(info)
}

func (p *place) prepareFolder(folder string, create bool) error {
	switch _, err := stat(folder); {
	case err == nil:
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		return p.fail(err)
	case !create:
		return scheme.Fail(scheme.CodeNotFound, "the folder %s does not exist: %w", wire.TextLine(folder), fs.ErrNotExist)
	}
	return p.fail(makeFolders(folder))
}

// replaceFile writes a temporary file and renames it to p.name. The temporary file has the
// permissions of the old file from the start, so that others cannot read it.
func replaceFile(ctx context.Context, p *place, b scheme.Body, o scheme.WriteOptions) error {
	folder, base := splitName(p.name)
	mode, keep := p.mode()
	f, temp, err := createBeside(folder, base, mode)
	if err != nil {
		return p.fail(err)
	}
	if keep { // undo the umask
		err = f.Chmod(mode)
	}
	if err = p.complete(ctx, f, temp, err, b, o); err != nil {
		remove(temp)
	}
	return p.fail(err)
}

// mode returns the permissions of a new file. With keep they are those of the file that it
// replaces, which the umask does not change.
func (p *place) mode() (mode fs.FileMode, keep bool) {
	old, err := stat(p.name)
	if err != nil {
		return newMode, false
	}
	folder, _ := splitName(p.name)
	if mode, keep = old.Mode().Perm(), !planted(folder, old); !keep {
		mode &= newMode
	}
	return mode, keep
}

// complete copies the body to the end of an open file and renames the file to p.name, unless
// opening it returned err.
func (p *place) complete(ctx context.Context, f *handle, temp string, err error, b scheme.Body, o scheme.WriteOptions) error {
	if err == nil {
		_, err = copyBody(ctx, f, b)
	}
	if err == nil {
		err = f.Sync()
	}
	err = cmp.Or(err, f.Close())
	if err == nil && !o.Modified.IsZero() {
		err = setTime(temp, o.Modified)
	}
	if err == nil {
		err = rename(temp, p.name)
	}
	if err == nil {
		folder, _ := splitName(p.name)
		err = syncFolder(folder)
	}
	return err
}

// createBeside creates a hidden file with a unique name in the folder.
func createBeside(folder, base string, mode fs.FileMode) (*handle, string, error) {
	if len(base) > 100 { // stay within the system's limit for names
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

// appendBody appends b to a file.
func appendBody(ctx context.Context, p *place, b scheme.Body, _ scheme.WriteOptions) error {
	f, err := openAppend(p.name)
	if err != nil {
		return p.fail(err)
	}
	info, err := f.Stat()
	if err == nil {
		err = p.checkKind(info)
	}
	if err != nil {
		f.Close()
		return p.fail(err)
	}
	n, err := copyBody(ctx, f, b)
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		cut := errors.New("another process has appended to the file")
		if now, e := f.Stat(); e == nil && now.Size() == info.Size()+n {
			cut = f.Truncate(info.Size())
		}
		if cut != nil {
			err = scheme.Fail(codeOf(err), "%w; the file may have %d bytes of the new text at its end", err, n)
		}
	}
	return p.fail(cmp.Or(err, f.Close()))
}

func codeOf(err error) scheme.Code {
	if e, ok := errors.AsType[*scheme.Error](err); ok {
		return e.Code
	}
	return scheme.CodeLocal
}

// copyBody copies the body to the file and returns the number of bytes.
func copyBody(ctx context.Context, f *handle, b scheme.Body) (int64, error) {
	src := b.Source(ctx)
	n, err := src.Do(func() (int64, error) { return io.Copy(f, src) })
	if err == nil {
		err = b.Pass()
	}
	return n, err
}
