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

// Remove removes a file, an empty folder, or a link, but never what a link leads to. A URL that ends in a slash names a
// folder. Devices, pipes and sockets are refused. Nothing is removed within a tree (Request.Within).
func (Scheme) Remove(ctx context.Context, env *scheme.Env, r scheme.Request) error {
	p, dir, err := locateChange(ctx, env, r)
	if err != nil {
		return err
	}
	if err := p.mustBe(dir); err != nil {
		return err
	}
	err = remove(p.name)
	if errors.Is(err, fs.ErrExist) { // ENOTEMPTY is one of those
		return scheme.Fail(scheme.CodeUsage, "the folder %s is not empty", wire.Escape(p.name))
	}
	return p.failed(err)
}

// Rename renames a file, a folder or a link, also into another folder of the same file system. Another file system is
// CodeUnsupported. On Linux the system replaces nothing that has the new name; on other systems, a file that another
// program makes there at the same time is replaced.
func (Scheme) Rename(ctx context.Context, env *scheme.Env, r scheme.Request, to locator.URL) error {
	p, dir, err := locateChange(ctx, env, r)
	if err != nil {
		return err
	}
	r.URL = to
	q, toDir, err := locateChange(ctx, env, r)
	if err != nil {
		return err
	}
	if toDir && !dir {
		return scheme.Fail(scheme.CodeUsage, "the new URL ends in a slash, which only that of a folder does: add the slash to the old URL, or leave it out of the new one")
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
		return scheme.Fail(scheme.CodeUnsupported, "%s is on another file system: copy and remove", wire.Escape(q.name))
	}
	return p.failed(err)
}

// MakeDir makes a folder in one that is there. The URL may end in a slash. Nothing is made within a tree (Request.Within).
func (Scheme) MakeDir(ctx context.Context, env *scheme.Env, r scheme.Request) error {
	p, _, err := locateChange(ctx, env, r)
	if err != nil {
		return err
	}
	if err := p.mustBeNew(); err != nil {
		return err
	}
	err = makeFolder(p.name)
	if errors.Is(err, fs.ErrExist) {
		return p.exists()
	}
	return p.failed(err)
}

// locateChange finds the path of what is to be changed, without a final separator; dir is true if it had one.
func locateChange(ctx context.Context, env *scheme.Env, r scheme.Request) (p *place, dir bool, err error) {
	if p, err = locate(ctx, env, r); err != nil {
		return nil, false, err
	}
	if !r.Within.IsZero() {
		return nil, false, scheme.Fail(scheme.CodeUnsupported, "nothing is changed within the tree %s: a link could lead out of it", wire.Escape(p.tree.path))
	}
	name := strings.TrimRight(p.name, separator)
	dir = name != p.name
	p.name = name
	switch _, base := splitName(name); base {
	case "", ".", "..":
		return nil, false, scheme.Fail(scheme.CodeUsage, "the URL names neither a file nor a folder by a name")
	}
	return p, dir, nil
}

// mustBe fails if there is nothing, or a device or the like. With dir it must be a folder, and no link to one.
func (p *place) mustBe(dir bool) error {
	info, err := lstat(p.name)
	switch {
	case err != nil:
		return p.fail(err)
	case dir && !info.IsDir():
		return scheme.Fail(scheme.CodeNotFound, "%s is no folder, and the URL ends in a slash, as that of a folder does: %w", wire.Escape(p.name), fs.ErrNotExist)
	case info.Mode()&fs.ModeSymlink != 0:
		return nil
	}
	return p.plain(info)
}

// mustBeNew fails if there is something, or no folder for it.
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
	return scheme.Fail(scheme.CodeUsage, "%s: %w", wire.Escape(p.name), fs.ErrExist)
}

// failed is fail, and nil for nil.
func (p *place) failed(err error) error {
	if err == nil {
		return nil
	}
	return p.fail(err)
}
