package file

import (
	"context"
	"errors"
	"io/fs"

	"locator/scheme"
	"locator/wire"
)

// errLeadsOut says that something lies elsewhere than in the tree that is asked for.
var errLeadsOut = errors.New("it leads out of the tree")

// fail gives a system error its code, and a text that is safe to show.
func (p *place) fail(err error) error {
	if e, ok := errors.AsType[*scheme.Error](err); ok {
		return e
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err // the client knows what it means
	}
	if errors.Is(err, errLeadsOut) {
		return scheme.Fail(scheme.CodeRefused, "%s leads out of the tree %s; access its own URL if it is meant", wire.Escape(p.name), wire.Escape(p.tree.path))
	}
	// The path is said once, escaped; what the system puts around its error is left out.
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	} else if e, ok := errors.AsType[*linkError](err); ok {
		err = e.Err
	}
	name := wire.Escape(p.name)
	switch {
	case errors.Is(err, fs.ErrNotExist), notThere(err):
		return scheme.Fail(scheme.CodeNotFound, "there is no %s: %w", name, err)
	case errors.Is(err, fs.ErrPermission):
		return scheme.Fail(scheme.CodeLocal, "this user may not use %s: %w", name, err)
	}
	return scheme.Fail(scheme.CodeLocal, "%s: %w", name, err)
}
