package file

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"locator/internal/hint"
	"locator/scheme"
	"locator/wire"
)

// errLeadsOut is the error for a path outside Request.Within.
var errLeadsOut = errors.New("leads out of the tree")

// fail converts a system error to a *scheme.Error with a text that is safe to print. It returns nil
// for nil.
func (p *place) fail(err error) error {
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
		return hint.Fail(hint.Direct, scheme.CodeRefused, "%s leads out of the tree %s", wire.TextLine(p.name), wire.TextLine(p.tree.path))
	}
	// The text has the escaped path once, without the operation and path of the system error.
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	} else if e, ok := errors.AsType[*linkError](err); ok {
		err = e.Err
	}
	name := wire.TextLine(p.name)
	switch {
	case isNotExist(err):
		if file := p.fileOnWay(); file != "" {
			return scheme.Fail(scheme.CodeNotFound, "%s not found: %s is a file, not a folder", name, wire.TextLine(file))
		}
		return scheme.Fail(scheme.CodeNotFound, "%s not found: %w", name, err)
	case errors.Is(err, fs.ErrNotExist):
		return scheme.Fail(scheme.CodeNotFound, "%s not found: %w", name, err)
	case errors.Is(err, fs.ErrPermission):
		return scheme.Fail(scheme.CodeLocal, "no permission for %s: %w", name, err)
	}
	return scheme.Fail(scheme.CodeLocal, "%s: %w", name, err)
}

// fileOnWay returns the path of a file that the URL takes for a folder; "" if there is none.
func (p *place) fileOnWay() string {
	for name := strings.TrimRight(p.name, separator); name != ""; {
		if info, err := p.tree.stat(name); err == nil {
			if info.IsDir() {
				return ""
			}
			return name
		}
		folder, _ := splitName(name)
		name = strings.TrimRight(folder, separator)
	}
	return ""
}
