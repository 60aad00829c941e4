package tree

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"locator"
	"locator/client"
	"locator/scheme"
)

// MakeDirAll creates the directory r.URL and the missing directories above it, as [os.MkdirAll]
// does. If the directory exists, it returns nil.
func MakeDirAll(ctx context.Context, c *client.Client, r scheme.Request) error {
	err := c.MakeDir(ctx, r)
	switch {
	case errors.Is(err, fs.ErrExist):
		return existsAsDir(ctx, c, r, err)
	case client.CodeOf(err) != scheme.CodeNotFound:
		return err
	}
	above := r
	var ok bool
	if above.URL, ok = parent(r.URL); !ok {
		return err
	}
	if e := MakeDirAll(ctx, c, above); e != nil {
		return e
	}
	if err = c.MakeDir(ctx, r); errors.Is(err, fs.ErrExist) { // another client has made it
		return existsAsDir(ctx, c, r, err)
	}
	return err
}

// existsAsDir returns nil if r.URL is a directory, else an error that matches fs.ErrExist.
func existsAsDir(ctx context.Context, c *client.Client, r scheme.Request, exists error) error {
	u, err := r.URL.JoinPath("")
	if err != nil {
		return exists
	}
	r.URL = u
	switch _, err := c.Attributes(ctx, r, nil); {
	case err == nil:
		return nil
	case client.CodeOf(err) != scheme.CodeNotFound:
		return exists
	}
	named := *exists.(*scheme.Error) // of MakeDir
	named.Err = notDirectory{}
	return &named
}

// notDirectory is the cause of an error of MakeDirAll.
type notDirectory struct{}

func (notDirectory) Error() string        { return "a file has this name, so the directory cannot be made" }
func (notDirectory) Is(target error) bool { return target == fs.ErrExist }

// parent returns the directory above a URL; ok is false if the URL shows none.
func parent(u locator.URL) (above locator.URL, ok bool) {
	path, _ := u.Path()
	if trimmed := strings.TrimRight(path, "/"); trimmed != "" {
		if at, err := u.WithPath(locator.Some(trimmed)); err == nil {
			above, err = at.Resolve("./")
			segments, _ := above.Segments()
			return above, err == nil && len(segments) > 1
		}
	}
	return u, false
}
