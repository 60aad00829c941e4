package client

import (
	"context"
	"iter"

	"locator"
	"locator/scheme"
	"locator/scheme/ability"
	"locator/scheme/form"
)

// task performs one operation with one scheme.
type task func(ctx context.Context, op *operation, s scheme.Scheme) (*scheme.Resource, error)

// Access opens the resource at r.URL for reading. It follows the redirects and referrals that the
// policy allows. A nil o means the zero value. Cancelling ctx ends reads of the resource, too. The
// caller must Close the resource.
func (c *Client) Access(ctx context.Context, r scheme.Request, o *scheme.AccessOptions) (*scheme.Resource, error) {
	return c.withMirrors(ctx, scheme.OpAccess, r, access(deref(o)))
}

func access(o scheme.AccessOptions) task {
	next := o.Next
	return func(ctx context.Context, op *operation, s scheme.Scheme) (*scheme.Resource, error) {
		if next != nil {
			o.Next = op.permitted(next)
		}
		res, err := s.Access(ctx, op.env(), op.r, o)
		if err != nil || !unmodified(res, o.If) {
			return res, err
		}
		res.Close() // the body is not wanted
		return &scheme.Resource{
			URL: res.URL, Kind: res.Kind, Attr: res.Attr, Status: res.Status, Notes: res.Notes, NotModified: true, Fresh: res.Fresh, NoStore: res.NoStore,
		}, nil
	}
}

// unmodified reports whether an object is not newer than the caller's copy, although the scheme or
// the server did not look. A server of http may ignore If-Modified-Since, and an entity tag goes
// before it (RFC 9110 13.1.3).
//
// QUIRK: nginx 1.22 (if_modified_since exact), busybox httpd 1.35 and webfs 1.21 send a resource
// that is older than the copy.
func unmodified(res *scheme.Resource, c scheme.Conditions) bool {
	return res.Kind == scheme.KindObject && res.Body != nil && c.NoneMatch == "" && isUpToDate(res.Attr, c)
}

// isUpToDate reports whether the attributes of an object show that the caller's copy is the same:
// by the entity tag or, without one in the conditions, by the time of the last change.
func isUpToDate(attr scheme.Attr, c scheme.Conditions) bool {
	if c.NoneMatch != "" {
		return attr.ETag == c.NoneMatch
	}
	return !c.ModifiedSince.IsZero() && !attr.Modified.IsZero() && attr.Precision == 0 && !attr.Modified.After(c.ModifiedSince)
}

// permitted leaves out the URLs that the policy refuses.
func (op *operation) permitted(urls iter.Seq[locator.URL]) iter.Seq[locator.URL] {
	return func(yield func(locator.URL) bool) {
		for u := range urls {
			if op.c.checkURL(u, op.hop) == nil && !yield(u) {
				return
			}
		}
	}
}

// needing returns a task for the schemes that implement T. The operation must be the one that needs
// T.
func needing[T any](do func(ctx context.Context, op *operation, s T) (*scheme.Resource, error)) task {
	return func(ctx context.Context, op *operation, s scheme.Scheme) (*scheme.Resource, error) {
		able, ok := s.(T)
		if !ok {
			return nil, ability.Check(s, op.name)
		}
		return do(ctx, op, able)
	}
}

// deref returns *o, or the zero value if o is nil.
func deref[T any](o *T) (v T) {
	if o != nil {
		v = *o
	}
	return v
}

// Attributes returns the attributes of r.URL without reading it. It follows the redirects and
// referrals that the policy allows. The result has no Body.
func (c *Client) Attributes(ctx context.Context, r scheme.Request, o *scheme.AttributesOptions) (*scheme.Resource, error) {
	return c.withMirrors(ctx, scheme.OpAttributes, r, attributes(deref(o)))
}

func attributes(o scheme.AttributesOptions) task {
	return needing(func(ctx context.Context, op *operation, s scheme.Attributer) (*scheme.Resource, error) {
		return s.Attributes(ctx, op.env(), op.r, o)
	})
}

// Check reports whether r.URL locates something, as cheaply as the scheme allows: as a
// [scheme.Checker], by the attributes or, if the scheme has neither, by opening the resource. A nil
// o means the zero value. The result has the final URL, the hops (Via), the server's address (Addr)
// and its reply (Status); only with o.Body it has a Body. The error is non-nil if the resource
// cannot be accessed; its code has the verdict.
func (c *Client) Check(ctx context.Context, r scheme.Request, o *scheme.CheckOptions) (*scheme.Resource, error) {
	x := deref(o)
	x.Chain = make(map[any]any)
	res, err := c.check(ctx, r, x)
	if x.Doubted() && misled(err) {
		x.Chain, x.Thorough = make(map[any]any), true
		return c.check(ctx, r, x)
	}
	return res, err
}

// misled reports whether an error may be that of a redirect which should not have been followed.
func misled(err error) bool {
	switch CodeOf(err) {
	case scheme.CodeNotFound, scheme.CodeGone, scheme.CodeLoop, scheme.CodeLoginNeeded, scheme.CodeWall, scheme.CodeChallenge:
		return true
	}
	return false
}

func (c *Client) check(ctx context.Context, r scheme.Request, x scheme.CheckOptions) (*scheme.Resource, error) {
	return c.withMirrors(ctx, scheme.OpCheck, r, func(ctx context.Context, op *operation, s scheme.Scheme) (*scheme.Resource, error) {
		res, err := check(ctx, op, s, x)
		if err == nil && res.Kind == scheme.KindObject && !res.NotModified {
			res.NotModified = isUpToDate(res.Attr, x.If)
		}
		return res, err
	})
}

func check(ctx context.Context, op *operation, s scheme.Scheme, o scheme.CheckOptions) (*scheme.Resource, error) {
	if x, ok := s.(scheme.Checker); ok {
		return x.Check(ctx, op.env(), op.r, o)
	}
	if a, ok := s.(scheme.Attributer); ok && !o.Body {
		return a.Attributes(ctx, op.env(), op.r, scheme.AttributesOptions{Accept: o.Accept, Verify: o.Verify})
	}
	res, err := access(scheme.AccessOptions{NoSubmit: true, If: o.If, Accept: o.Accept})(ctx, op, s)
	if err != nil || res.Kind == scheme.KindReferral || o.Body && res.Kind == scheme.KindObject {
		return res, err
	}
	res.Close()
	return &scheme.Resource{URL: res.URL, Kind: res.Kind, Attr: res.Attr, Status: res.Status, Notes: res.Notes, NotModified: res.NotModified}, nil
}

// Submit sends the answers to the form at r.URL. The policy also checks the URL of the filled form,
// if it has one. A redirect or referral in the reply is followed without the answers.
func (c *Client) Submit(ctx context.Context, r scheme.Request, o scheme.SubmitOptions) (*scheme.Resource, error) {
	sent := false
	return c.follow(ctx, scheme.OpSubmit, r, func(ctx context.Context, op *operation, s scheme.Scheme) (*scheme.Resource, error) {
		if sent {
			return s.Access(ctx, op.env(), op.r, scheme.AccessOptions{Accept: o.Accept, Raw: o.Raw})
		}
		f, ok := s.(scheme.Submitter)
		if !ok {
			return nil, ability.Check(s, scheme.OpSubmit)
		}
		filled, ok := fill(s, op.r, o)
		if ok {
			if err := op.checkPolicy(filled, scheme.Hop{}); err != nil {
				return nil, err
			}
		}
		sent = true
		op.secret.addAnswers(o.Form, o.Answers)
		res, err := f.Submit(ctx, op.env(), op.r, o)
		if err == nil && ok && res.URL.IsZero() {
			res.URL = filled
		}
		return res, err
	})
}

// Fill returns the URL of the filled form at r.URL (RFC 1738 3.4.9). ok is false if the filled form
// has no URL. Fill sends nothing.
func (c *Client) Fill(r scheme.Request, f *form.Form, answers []form.Answer) (u locator.URL, ok bool) {
	s, ok := c.opt.Registry.Lookup(r.URL.Scheme())
	if !ok {
		return u, false
	}
	return fill(s, r, scheme.SubmitOptions{Form: f, Answers: answers})
}

func fill(s scheme.Scheme, r scheme.Request, o scheme.SubmitOptions) (u locator.URL, ok bool) {
	f, ok := s.(scheme.Submitter)
	if !ok || o.Form == nil {
		return u, false
	}
	return f.Fill(r, o.Form, o.Answers)
}

// Supports returns nil if the scheme of r.URL has an operation and the policy allows the URL.
// Otherwise it returns the error that the operation would return. It does not use the network.
func (c *Client) Supports(name scheme.Op, r scheme.Request) error {
	op, s, err := c.begin(name, r, initialHops(r))
	if err != nil {
		return err
	}
	return op.wrap(context.Background(), ability.Check(s, name))
}

// Preflight checks whether an operation could start: the scheme supports it, the policy allows the
// URL, and the parts of the URL can be sent. It does not use the network. The error is the one that
// the operation would return.
func (c *Client) Preflight(name scheme.Op, r scheme.Request) error {
	op, s, err := c.begin(name, r, initialHops(r))
	if err != nil {
		return err
	}
	if err = ability.Check(s, name); err == nil {
		if x, ok := s.(scheme.Explainer); ok {
			_, err = x.Steps(r.URL)
		}
	}
	return op.wrap(context.Background(), err)
}
