package file

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"locator"
	"locator/scheme"
	"locator/wire"
)

var (
	_ scheme.Remover = Scheme{}
	_ scheme.Renamer = Scheme{}
	_ scheme.Maker   = Scheme{}
)

// Remove removes a file, an empty folder or a link, never the target of a link. A URL that ends in
// a slash names a folder. It returns an error for devices, pipes and sockets.
func (Scheme) Remove(ctx context.Context, env *scheme.Env, r scheme.Request) error {
	p, dir, err := locateChange(ctx, env, r)
	if err != nil {
		return err
	}
	if err = p.mustBe(dir); err != nil {
		return err
	}
	if err = p.tree.remove(p.name); errors.Is(err, fs.ErrExist) { // ENOTEMPTY is one of those
		return scheme.Fail(scheme.CodeUsage, "the folder %s is not empty", wire.TextLine(p.name))
	}
	return p.fail(err)
}

// Rename renames a file, a folder or a link, within its folder or into another one of the same file
// system. It returns an error if Request.Within is set. Another file system is an error of code
// CodeUnsupported. On Linux it never replaces an existing file; on other systems, it may replace a
// file that another program creates at the same time.
func (Scheme) Rename(ctx context.Context, env *scheme.Env, r scheme.Request, to locator.URL) error {
	p, dir, err := locateChange(ctx, env, r)
	if err == nil {
		err = p.notWithin()
	}
	if err != nil {
		return err
	}
	r.URL = to
	q, _, err := locateChange(ctx, env, r)
	if err != nil {
		return err
	}
	if err := p.mustBe(dir); err != nil {
		return err
	}
	if err := q.mustBeNew(); err != nil {
		return err
	}
	err = renameNew(p.name, q.name)
	switch {
	case errors.Is(err, fs.ErrExist):
		return q.exists()
	case otherFileSystem(err):
		return scheme.Fail(scheme.CodeUnsupported, "%s is on another file system; copy and remove instead", wire.TextLine(q.name))
	}
	return p.fail(err)
}

// MakeDir creates a folder in an existing one. The URL may end in a slash. It returns an error if
// Request.Within is set.
func (Scheme) MakeDir(ctx context.Context, env *scheme.Env, r scheme.Request) error {
	p, _, err := locateChange(ctx, env, r)
	if err == nil {
		err = p.notWithin()
	}
	if err != nil {
		return err
	}
	if err := p.mustBeNew(); err != nil {
		return err
	}
	if err = makeFolder(p.name); errors.Is(err, fs.ErrExist) {
		return p.exists()
	}
	return p.fail(err)
}

// locateChange returns the path to change, without its final separator. dir reports whether it had
// one.
func locateChange(ctx context.Context, env *scheme.Env, r scheme.Request) (p *place, dir bool, err error) {
	if p, err = locate(ctx, env, r); err != nil {
		return nil, false, err
	}
	name := strings.TrimRight(p.name, separator)
	dir = name != p.name
	p.name = name
	switch _, base := splitName(name); base {
	case "", ".", "..":
		return nil, false, scheme.Fail(scheme.CodeUsage, "the URL does not contain the name of a file or folder")
	}
	return p, dir, nil
}

// notWithin returns an error if Request.Within is set.
func (p *place) notWithin() error {
	if p.tree.path == "" {
		return nil
	}
	return scheme.Fail(scheme.CodeUnsupported, "cannot change files within the tree %s, since a link could lead out of it", wire.TextLine(p.tree.path))
}

// mustBe returns an error if the path does not exist or is a special file. If dir is true, it must
// be a folder, and not a link to one.
func (p *place) mustBe(dir bool) error {
	info, err := p.tree.lstat(p.name)
	switch {
	case err != nil:
		return p.fail(err)
	case dir && !info.IsDir():
		return scheme.Fail(scheme.CodeNotFound, "%s is not a folder, but the URL ends in a slash: %w", wire.TextLine(p.name), fs.ErrNotExist)
	case info.Mode()&fs.ModeSymlink != 0:
		return nil
	}
	return p.checkKind(info)
}

// mustBeNew returns an error if the path exists, or its folder does not.
func (p *place) mustBeNew() error {
	if _, err := lstat(p.name); err == nil {
		return p.exists()
	} else if !errors.Is(err, fs.ErrNotExist) {
		return p.fail(err)
	}
	folder, _ := splitName(p.name)
	return p.prepareFolder(folder, false)
}

func (p *place) exists() error {
	return scheme.Fail(scheme.CodeUsage, "%s: %w", wire.TextLine(p.name), fs.ErrExist)
}
