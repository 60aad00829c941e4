package file

import (
	"context"
	"errors"
	"io/fs"

	"locator/scheme"
	"locator/wire"
)

// Resume continues the incomplete file name in the folder of the file, and replaces the file by it.
func (Scheme) Resume(ctx context.Context, env *scheme.Env, r scheme.Request, b scheme.Body, name string, offset int64, o scheme.WriteOptions) (*scheme.Resource, error) {
	return write(ctx, env, r, b, o, func(ctx context.Context, p *place, b scheme.Body, w scheme.WriteOptions) error {
		if err := segment(name, "/\\:\x00"); err != nil || name == "" {
			return scheme.Fail(scheme.CodeUsage, "%s is not a name for an incomplete file", wire.TextLine(name))
		}
		folder, _ := splitName(p.name)
		part := join(folder, name)
		mode, keep := p.mode()
		f, err := openPart(folder, part, mode, offset)
		if err != nil {
			return p.fail(err)
		}
		var chmod error
		if keep {
			chmod = f.Chmod(mode)
		}
		return p.fail(p.complete(ctx, f, part, chmod, b, w))
	})
}

// openPart opens an incomplete file for writing behind its first offset bytes, which are all that
// it must have. With offset 0 it creates the file anew. It follows no link, and continues no file
// that another user may have planted.
func openPart(folder, part string, mode fs.FileMode, offset int64) (*handle, error) {
	info, err := lstat(part)
	switch {
	case offset == 0:
		if err := remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		return createNew(part, mode)
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() != offset || planted(folder, info):
		return nil, scheme.Fail(scheme.CodeBroken, "the incomplete file %s does not have %d bytes any more", wire.TextLine(part), offset)
	}
	return openAppend(part)
}
