package file

import (
	"context"
	"errors"
	"io/fs"

	"locator/scheme"
	"locator/wire"
)

// errLeadsOut is the error for a path outside Request.Within.
var errLeadsOut = errors.New("leads out of the tree")

// fail converts a system error to a *scheme.Error with a text that is safe to print. It returns nil for nil.
func (p *localPath) fail(err error) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*scheme.Error](err); ok {
		return e
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err // the client converts it
	}
	if errors.Is(err, errLeadsOut) {
		return scheme.Fail(scheme.CodeRefused, "%s leads out of the tree %s; to access it anyway, use its URL directly", wire.Escape(p.name), wire.Escape(p.tree.path))
	}
	// The text has the escaped path once, without the operation and path of the system error.
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	} else if e, ok := errors.AsType[*linkError](err); ok {
		err = e.Err
	}
	name := wire.Escape(p.name)
	switch {
	case errors.Is(err, fs.ErrNotExist), isNotExist(err):
		return scheme.Fail(scheme.CodeNotFound, "%s not found: %w", name, err)
	case errors.Is(err, fs.ErrPermission):
		return scheme.Fail(scheme.CodeLocal, "no permission for %s: %w", name, err)
	}
	return scheme.Fail(scheme.CodeLocal, "%s: %w", name, err)
}
