package client

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"

	"locator"
	"locator/scheme"
)

// task performs one operation with one scheme.
type task func(ctx context.Context, op *operation, s scheme.Scheme) (*scheme.Resource, error)

// Access opens the resource at r.URL for reading. It follows the redirects and referrals that the policy allows. A nil o
// means the zero value. Cancelling ctx ends reads of the resource, too. The caller must Close the resource.
func (c *Client) Access(ctx context.Context, r scheme.Request, o *scheme.AccessOptions) (*scheme.Resource, error) {
	return c.withMirrors(ctx, scheme.OpAccess, r, access(deref(o)))
}

func access(o scheme.AccessOptions) task {
	next := o.Next
	return func(ctx context.Context, op *operation, s scheme.Scheme) (*scheme.Resource, error) {
		if next != nil {
			o.Next = op.permitted(next)
		}
		return s.Access(ctx, op.env(), op.r, o)
	}
}

// permitted leaves out the URLs that the policy refuses.
func (op *operation) permitted(urls iter.Seq[locator.URL]) iter.Seq[locator.URL] {
	return func(yield func(locator.URL) bool) {
		for u := range urls {
			if op.c.opt.Policy.URL(u, op.hop) == nil && !yield(u) {
				return
			}
		}
	}
}

// deref returns *o, or the zero value if o is nil.
func deref[T any](o *T) (v T) {
	if o != nil {
		v = *o
	}
	return v
}

// List returns the entries of the directory or menu at r.URL. It follows the redirects and referrals that the policy allows.
// If the scheme is no Lister, List accesses the URL and returns the entries of the listing it gets. Nothing is sent before
// the sequence is ranged over; its resources are released when the loop ends. An error ends the sequence.
func (c *Client) List(ctx context.Context, r scheme.Request, o *scheme.ListOptions) iter.Seq2[scheme.Entry, error] {
	return c.list(ctx, r, deref(o), func(*operation) {})
}

// list implements List. It calls at with each operation that may yield entries, before the first entry.
func (c *Client) list(ctx context.Context, r scheme.Request, o scheme.ListOptions, at func(op *operation)) iter.Seq2[scheme.Entry, error] {
	return func(yield func(scheme.Entry, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		yielded, stopped := false, false
		_, err := c.withMirrors(ctx, scheme.OpList, r, func(ctx context.Context, op *operation, s scheme.Scheme) (*scheme.Resource, error) {
			at(op)
			if yielded { // the mirror would repeat entries
				return nil, scheme.Fail(scheme.CodeBroken, "the listing broke off; it is not restarted from a mirror")
			}
			res, err := op.listing(ctx, s, o)
			if err != nil || res.Kind == scheme.KindReferral {
				return res, err
			}
			defer res.Close()
			if o.Began != nil {
				o.Began(op.finish(ctx, &scheme.Resource{URL: res.URL, Kind: res.Kind, Attr: res.Attr, Status: res.Status, Notes: res.Notes}))
			}
			for e, err := range res.Entries {
				if err != nil {
					return nil, err
				}
				yielded = true
				if stopped = !yield(e, nil); stopped {
					break
				}
			}
			return &scheme.Resource{URL: res.URL}, nil
		})
		if err != nil && !stopped {
			yield(scheme.Entry{}, err)
		}
	}
}

// listing returns the listing at op.r.URL, or the referral that leads to it.
func (op *operation) listing(ctx context.Context, s scheme.Scheme, o scheme.ListOptions) (*scheme.Resource, error) {
	if l, ok := s.(scheme.Lister); ok {
		return listed(l.List(ctx, op.env(), op.r, o))
	}
	res, err := s.Access(ctx, op.env(), op.r, scheme.AccessOptions{Query: o.Query, Accept: o.Accept, Detail: o.Detail, ServerInfo: o.ServerInfo})
	return listed(res, err)
}

// listed returns a resource that is a listing or a referral, and an error for any other.
func listed(res *scheme.Resource, err error) (*scheme.Resource, error) {
	if err != nil || res.Kind == scheme.KindReferral || res.Kind == scheme.KindListing && res.Entries != nil {
		return res, err
	}
	res.Close()
	return nil, scheme.Fail(scheme.CodeUnsupported, "a %s cannot be listed", res.Kind)
}

// Attributes returns the attributes of r.URL without reading it. It follows the redirects and referrals that the policy
// allows. The result has no Body.
func (c *Client) Attributes(ctx context.Context, r scheme.Request, o *scheme.AttributesOptions) (*scheme.Resource, error) {
	return c.withMirrors(ctx, scheme.OpAttributes, r, attributes(deref(o)))
}

func attributes(o scheme.AttributesOptions) task {
	return func(ctx context.Context, op *operation, s scheme.Scheme) (*scheme.Resource, error) {
		a, ok := s.(scheme.Attributer)
		if !ok {
			return nil, unsupported(s, "find attributes")
		}
		return a.Attributes(ctx, op.env(), op.r, o)
	}
}

// Check reports whether r.URL locates something, as cheaply as the scheme allows: it requests the attributes or, if the
// scheme has none, opens the resource without reading the body. The result has the final URL, the hops (Via), the server's
// address (Addr) and its reply (Status). The error is non-nil if the resource cannot be accessed.
func (c *Client) Check(ctx context.Context, r scheme.Request) (*scheme.Resource, error) {
	return c.withMirrors(ctx, scheme.OpCheck, r, func(ctx context.Context, op *operation, s scheme.Scheme) (*scheme.Resource, error) {
		if a, ok := s.(scheme.Attributer); ok {
			return a.Attributes(ctx, op.env(), op.r, scheme.AttributesOptions{})
		}
		res, err := s.Access(ctx, op.env(), op.r, scheme.AccessOptions{NoSubmit: true})
		if err != nil || res.Kind == scheme.KindReferral {
			return res, err
		}
		res.Close()
		return &scheme.Resource{URL: res.URL, Kind: res.Kind, Attr: res.Attr, Status: res.Status, Notes: res.Notes}, nil
	})
}

// Submit sends the answers to the form at r.URL. The policy also checks the URL of the filled form, if it has one. A redirect
// or referral in the reply is followed without the answers.
func (c *Client) Submit(ctx context.Context, r scheme.Request, o scheme.SubmitOptions) (*scheme.Resource, error) {
	sent := false
	return c.follow(ctx, scheme.OpSubmit, r, func(ctx context.Context, op *operation, s scheme.Scheme) (*scheme.Resource, error) {
		if sent {
			return s.Access(ctx, op.env(), op.r, scheme.AccessOptions{Accept: o.Accept, Raw: o.Raw})
		}
		f, ok := s.(scheme.Submitter)
		if !ok {
			return nil, unsupported(s, "submit a form")
		}
		filled, ok := fill(s, op.r, o)
		if ok {
			if err := c.opt.Policy.URL(filled, scheme.Hop{}); err != nil {
				return nil, err
			}
		}
		sent = true
		res, err := f.Submit(ctx, op.env(), op.r, o)
		if err == nil && ok && res.URL.IsZero() {
			res.URL = filled
		}
		return res, err
	})
}

// Fill returns the URL of the filled form at r.URL (RFC 1738 3.4.9). ok is false if the filled form has no URL. Fill sends
// nothing.
func (c *Client) Fill(r scheme.Request, f *scheme.Form, answers []scheme.Answer) (u locator.URL, ok bool) {
	s, ok := c.opt.Registry.Lookup(r.URL.Scheme())
	if !ok {
		return u, false
	}
	return fill(s, r, scheme.SubmitOptions{Form: f, Answers: answers})
}

func fill(s scheme.Scheme, r scheme.Request, o scheme.SubmitOptions) (u locator.URL, ok bool) {
	f, ok := s.(scheme.Filler)
	if !ok || o.Form == nil {
		return u, false
	}
	return f.Fill(r, o.Form, o.Answers)
}

// Update adds b to the resource at r.URL. It does not follow redirects: the caller decides where a body is sent.
func (c *Client) Update(ctx context.Context, r scheme.Request, b scheme.Body, o *scheme.WriteOptions) (*scheme.Resource, error) {
	return c.send(ctx, scheme.OpUpdate, r, update(b, deref(o)))
}

func update(b scheme.Body, o scheme.WriteOptions) task {
	return func(ctx context.Context, op *operation, s scheme.Scheme) (*scheme.Resource, error) {
		u, ok := s.(scheme.Updater)
		if !ok {
			return nil, unsupported(s, "update")
		}
		return u.Update(ctx, op.env(), op.r, b, o)
	}
}

// Replace stores b at r.URL, replacing what is there. It does not follow redirects.
func (c *Client) Replace(ctx context.Context, r scheme.Request, b scheme.Body, o *scheme.WriteOptions) (*scheme.Resource, error) {
	return c.send(ctx, scheme.OpReplace, r, replace(b, deref(o)))
}

func replace(b scheme.Body, o scheme.WriteOptions) task {
	return func(ctx context.Context, op *operation, s scheme.Scheme) (*scheme.Resource, error) {
		p, ok := s.(scheme.Replacer)
		if !ok {
			return nil, unsupported(s, "replace")
		}
		return p.Replace(ctx, op.env(), op.r, b, o)
	}
}

// send runs a task without following redirects. A referral is an error.
func (c *Client) send(ctx context.Context, name scheme.Op, r scheme.Request, do task) (*scheme.Resource, error) {
	op, s, err := c.begin(name, r, initialHops(r))
	if err != nil {
		return nil, err
	}
	res, err := do(ctx, op, s)
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

// Remove removes the resource at r.URL. It follows no redirect. See [scheme.Remover] for directories and errors.
func (c *Client) Remove(ctx context.Context, r scheme.Request) error {
	return c.change(ctx, scheme.OpRemove, r, func(ctx context.Context, env *scheme.Env, s scheme.Scheme, r scheme.Request) error {
		m, ok := s.(scheme.Remover)
		if !ok {
			return unsupported(s, "remove")
		}
		return m.Remove(ctx, env, r)
	})
}

// Rename renames the resource at r.URL to the URL to, which must be on the same server. Policy is asked about both URLs.
// If something has the URL to, the error matches fs.ErrExist; see [scheme.Renamer].
func (c *Client) Rename(ctx context.Context, r scheme.Request, to locator.URL) error {
	if _, _, err := c.begin(scheme.OpRename, scheme.Request{URL: to, Principal: r.Principal}, initialHops(r)); err != nil {
		return err
	}
	if !sameServer(r.URL.Canonical(), to.Canonical()) {
		return &scheme.Error{Op: scheme.OpRename, URL: r.URL.Redacted(), Code: scheme.CodeUsage,
			Err: scheme.Fail(scheme.CodeUsage, "%s is on another server", to.Redacted()).Err}
	}
	return c.change(ctx, scheme.OpRename, r, func(ctx context.Context, env *scheme.Env, s scheme.Scheme, r scheme.Request) error {
		m, ok := s.(scheme.Renamer)
		if !ok {
			return unsupported(s, "rename")
		}
		return m.Rename(ctx, env, r, to)
	})
}

// MakeDir creates the directory r.URL. If something has that URL, the error matches fs.ErrExist; see [scheme.Maker].
func (c *Client) MakeDir(ctx context.Context, r scheme.Request) error {
	return c.change(ctx, scheme.OpMakeDir, r, func(ctx context.Context, env *scheme.Env, s scheme.Scheme, r scheme.Request) error {
		m, ok := s.(scheme.Maker)
		if !ok {
			return unsupported(s, "make directories")
		}
		return m.MakeDir(ctx, env, r)
	})
}

// change runs an operation that has no resource as its result.
func (c *Client) change(ctx context.Context, name scheme.Op, r scheme.Request, do func(context.Context, *scheme.Env, scheme.Scheme, scheme.Request) error) error {
	_, err := c.send(ctx, name, r, func(ctx context.Context, op *operation, s scheme.Scheme) (*scheme.Resource, error) {
		return &scheme.Resource{}, do(ctx, op.env(), s, op.r)
	})
	return err
}

// Do calls f with the scheme of r.URL and an Env for it. It is for operations that only one scheme has. The policy is applied
// as in any operation. The Env is valid until f returns: then its context is cancelled, which closes its connections, and
// Dial and Keep fail.
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

// Digest returns a checksum of the resource at r.URL; the server may have to read all of it. algorithm and value are "" if
// the scheme or the server has none. [scheme.Digester] lists the names of algorithms.
func (c *Client) Digest(ctx context.Context, r scheme.Request) (algorithm, value string, err error) {
	_, err = c.send(ctx, scheme.OpAttributes, r, func(ctx context.Context, op *operation, s scheme.Scheme) (*scheme.Resource, error) {
		if d, ok := s.(scheme.Digester); ok {
			algorithm, value, err = d.Digest(ctx, op.env(), op.r)
		}
		return &scheme.Resource{}, err
	})
	return algorithm, value, err
}

// Preflight checks whether an operation could start: the scheme supports it, the policy allows the URL, and the parts of the
// URL can be sent. It does not use the network. The error is the one that the operation would return.
func (c *Client) Preflight(name scheme.Op, r scheme.Request) error {
	op, s, err := c.begin(name, r, initialHops(r))
	if err != nil {
		return err
	}
	if !scheme.Able(s, name) {
		return op.wrap(context.Background(), unsupported(s, string(name)))
	}
	if x, ok := s.(scheme.Explainer); ok {
		_, err = x.Steps(r.URL)
	}
	return op.wrap(context.Background(), err)
}

// unsupported returns an error that lists what the scheme supports instead (A15).
func unsupported(s scheme.Scheme, what string) error {
	return scheme.Fail(scheme.CodeUnsupported, "scheme %s cannot %s; it can: %s", s.Syntax().Name, what,
		strings.Join(scheme.Abilities(s), ", "))
}

// follow runs a task for r.URL, and for the target of each referral.
func (c *Client) follow(ctx context.Context, name scheme.Op, r scheme.Request, do task) (*scheme.Resource, error) {
	left := maxTargets
	return c.followFrom(ctx, name, r, initialHops(r), do, &left)
}

// maxTargets is how many targets of referrals with several targets one call tries: each of them may refer to several others.
const maxTargets = 100

// followFrom implements follow. via are the hops that led to r.URL; left is how many of maxTargets are left.
func (c *Client) followFrom(ctx context.Context, name scheme.Op, r scheme.Request, via []scheme.Hop, do task, left *int) (*scheme.Resource, error) {
	for {
		op, s, err := c.begin(name, r, via)
		if err != nil {
			return nil, err
		}
		res, err := do(ctx, op, s)
		if err != nil {
			return nil, op.wrap(ctx, err)
		}
		if res.Kind != scheme.KindReferral {
			return op.finish(ctx, res), nil
		}
		if len(res.Next) == 0 {
			res.Close()
			return nil, op.fail(scheme.CodeProtocol, "the referral has no target")
		}
		hop := op.nextHop(res.Hop, res.Permanent)
		if hop.N > op.r.Limits.Hops {
			res.Close()
			return nil, op.fail(scheme.CodeProtocol, "stopped after %d redirects or referrals; there may be a loop", op.r.Limits.Hops)
		}
		op.trace.OnNote("referred to " + res.Next[0].URL.Redacted())
		via = append(slices.Clip(via), hop)
		if len(res.Next) > 1 {
			return c.followFirst(ctx, name, r, via, res, do, left)
		}
		r.URL = res.Next[0].URL
		res.Close()
	}
}

// followFirst tries the targets of a referral in order. If all fail, the error is that of the first.
func (c *Client) followFirst(ctx context.Context, name scheme.Op, r scheme.Request, via []scheme.Hop, ref *scheme.Resource, do task, left *int) (*scheme.Resource, error) {
	defer ref.Close()
	var failed error
	for _, e := range ref.Next {
		if *left == 0 {
			return nil, cmp.Or(failed, error(&scheme.Error{Op: name, URL: e.URL.Redacted(), Code: scheme.CodeProtocol,
				Err: scheme.Fail(scheme.CodeProtocol, "stopped after %d targets of referrals; there may be a loop", maxTargets).Err}))
		}
		*left--
		r.URL = e.URL
		res, err := c.followFrom(ctx, name, r, via, do, left)
		if err == nil {
			return res, nil
		}
		if failed == nil || ctx.Err() != nil {
			failed = err
		}
		if ctx.Err() != nil {
			break
		}
	}
	return nil, failed
}
