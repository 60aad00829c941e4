package client

import (
	"context"
	"time"

	"locator"
	"locator/scheme"
	"locator/scheme/bulk"
	"locator/scheme/message"
)

// Update adds b to the resource at r.URL. It does not follow redirects: the caller decides where a
// body is sent.
func (c *Client) Update(ctx context.Context, r scheme.Request, b scheme.Body, o *scheme.WriteOptions) (*scheme.Resource, error) {
	return c.send(ctx, scheme.OpUpdate, r, update(b, deref(o)))
}

func update(b scheme.Body, o scheme.WriteOptions) task {
	return needing(func(ctx context.Context, op *operation, s scheme.Updater) (*scheme.Resource, error) {
		return s.Update(ctx, op.env(), op.r, b, o)
	})
}

// Draft returns what r.URL says of a message that Update can send there. It sends nothing. See
// [bulk.Poster].
func (c *Client) Draft(ctx context.Context, r scheme.Request) (d *message.Draft, err error) {
	_, err = c.send(ctx, scheme.OpDraft, r, needing(func(ctx context.Context, op *operation, s bulk.Poster) (*scheme.Resource, error) {
		d, err = s.Draft(ctx, op.env(), op.r)
		return &scheme.Resource{}, err
	}))
	return d, err
}

// Replace stores b at r.URL, replacing what is there. It does not follow redirects.
func (c *Client) Replace(ctx context.Context, r scheme.Request, b scheme.Body, o *scheme.WriteOptions) (*scheme.Resource, error) {
	return c.send(ctx, scheme.OpReplace, r, replace(b, deref(o)))
}

func replace(b scheme.Body, o scheme.WriteOptions) task {
	return needing(func(ctx context.Context, op *operation, s scheme.Replacer) (*scheme.Resource, error) {
		return s.Replace(ctx, op.env(), op.r, b, o)
	})
}

// Resume continues a Replace in the file part, which has offset bytes. A nil o means the zero
// value. It does not follow redirects. See [scheme.Resumer] for what remains after an error.
func (c *Client) Resume(ctx context.Context, r scheme.Request, b scheme.Body, part string, offset int64, o *scheme.WriteOptions) (*scheme.Resource, error) {
	return c.send(ctx, scheme.OpResume, r, needing(func(ctx context.Context, op *operation, s scheme.Resumer) (*scheme.Resource, error) {
		return s.Resume(ctx, op.env(), op.r, b, part, offset, deref(o))
	}))
}

// send runs a task without following redirects. A referral is an error.
func (c *Client) send(ctx context.Context, name scheme.Op, r scheme.Request, do task) (*scheme.Resource, error) {
	return c.within(ctx, r, time.Time{}, func(ctx context.Context) (*scheme.Resource, error) { return c.sendOnce(ctx, name, r, do) })
}

func (c *Client) sendOnce(ctx context.Context, name scheme.Op, r scheme.Request, do task) (*scheme.Resource, error) {
	op, s, err := c.begin(name, r, initialHops(r))
	if err != nil {
		return nil, err
	}
	res, err := op.run(ctx, s, do)
	if err != nil {
		return nil, op.wrap(ctx, err)
	}
	if res.Kind == scheme.KindReferral {
		defer res.Close()
		to := ""
		if len(res.Next) > 0 {
			to = " to " + res.Next[0].URL.Redacted()
		}
		return nil, op.fail(scheme.CodeUnsupported, "the server redirects%s; writes do not follow redirects, use that URL instead", to)
	}
	return op.finish(ctx, res), nil
}

// Remove removes the resource at r.URL. It follows no redirect. See [scheme.Remover] for
// directories and errors.
func (c *Client) Remove(ctx context.Context, r scheme.Request) error {
	_, err := c.send(ctx, scheme.OpRemove, r, needing(func(ctx context.Context, op *operation, s scheme.Remover) (*scheme.Resource, error) {
		return &scheme.Resource{}, s.Remove(ctx, op.env(), op.r)
	}))
	return err
}

// Rename renames the resource at r.URL to the URL to, which must be on the same server. Policy is
// asked about both URLs. If something has the URL to, the error matches fs.ErrExist; see
// [scheme.Renamer]. Only a URL with a final slash gets a final slash.
func (c *Client) Rename(ctx context.Context, r scheme.Request, to locator.URL) error {
	if _, _, err := c.begin(scheme.OpRename, scheme.Request{URL: to, Principal: r.Principal}, initialHops(r)); err != nil {
		return err
	}
	if !sameServer(r.URL.Canonical(), to.Canonical()) {
		return &scheme.Error{Op: scheme.OpRename, URL: r.URL.Redacted(), Code: scheme.CodeUsage,
			Err: scheme.Fail(scheme.CodeUsage, "%s is on another server", to.Redacted()).Err}
	}
	if inside, ok := isDirectoryFor(r.URL, to); ok {
		return &scheme.Error{Op: scheme.OpRename, URL: r.URL.Redacted(), Code: scheme.CodeUsage,
			Err: scheme.Fail(scheme.CodeUsage, "the new URL ends in a slash, so it names a directory; to move the file there, use %s", inside.Redacted()).Err}
	}
	_, err := c.send(ctx, scheme.OpRename, r, needing(func(ctx context.Context, op *operation, s scheme.Renamer) (*scheme.Resource, error) {
		return &scheme.Resource{}, s.Rename(ctx, op.env(), op.r, to)
	}))
	return err
}

// isDirectoryFor reports whether the URL to names a directory, by its final slash, and from does
// not, and returns the URL of from in it.
func isDirectoryFor(from, to locator.URL) (inside locator.URL, ok bool) {
	old, _ := from.Segments()
	new, _ := to.Segments()
	if len(old) == 0 || len(new) == 0 || old[len(old)-1] == "" || new[len(new)-1] != "" {
		return to, false
	}
	inside, err := to.Resolve(locator.Encode(old[len(old)-1]))
	return inside, err == nil
}

// MakeDir creates the directory r.URL. If something has that URL, the error matches fs.ErrExist;
// see [scheme.Maker].
func (c *Client) MakeDir(ctx context.Context, r scheme.Request) error {
	_, err := c.send(ctx, scheme.OpMakeDir, r, needing(func(ctx context.Context, op *operation, s scheme.Maker) (*scheme.Resource, error) {
		return &scheme.Resource{}, s.MakeDir(ctx, op.env(), op.r)
	}))
	return err
}

// Do calls f with the scheme of r.URL and an Env for it. It is for operations that only one scheme
// has. The policy is applied as in any operation. f must close what it dials. The Env is valid
// until f returns: then ctx is cancelled, which closes the connections that are bound to it
// ([scheme.Bind]), and Dial and Keep fail.
func (c *Client) Do(ctx context.Context, r scheme.Request, f func(ctx context.Context, env *scheme.Env, s scheme.Scheme) error) error {
	_, err := c.send(ctx, scheme.OpDo, r, func(ctx context.Context, op *operation, s scheme.Scheme) (*scheme.Resource, error) {
		if s.Syntax().Name != r.URL.Scheme() {
			return nil, scheme.Fail(scheme.CodeUnsupported, "not possible through the configured proxy")
		}
		ctx, cancel := context.WithCancel(ctx)
		defer op.ended.Store(true)
		defer cancel()
		return &scheme.Resource{}, f(ctx, op.env(), s)
	})
	return err
}

// Digest returns a checksum of the resource at r.URL; the server may have to read all of it.
// algorithm and value are "" if the scheme or the server has none. [scheme.Digester] lists the
// names of algorithms.
func (c *Client) Digest(ctx context.Context, r scheme.Request) (algorithm, value string, err error) {
	_, err = c.send(ctx, scheme.OpDigest, r, func(ctx context.Context, op *operation, s scheme.Scheme) (*scheme.Resource, error) {
		if d, ok := s.(scheme.Digester); ok {
			algorithm, value, err = d.Digest(ctx, op.env(), op.r)
		}
		return &scheme.Resource{}, err
	})
	return algorithm, value, err
}
