package client

import (
	"cmp"
	"context"
	"io"
	"iter"

	"locator"
	"locator/scheme"
	"locator/scheme/ability"
	"locator/scheme/form"
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
		res, err := s.Access(ctx, op.env(), op.r, o)
		if err != nil || !unmodified(res, o.If) {
			return res, err
		}
		res.Close() // the body is not wanted
		return &scheme.Resource{URL: res.URL, Kind: res.Kind, Attr: res.Attr, Status: res.Status, Notes: res.Notes, NotModified: true}, nil
	}
}

// unmodified reports whether an object is not newer than the caller's copy, although the scheme or the server did not look. A server of
// http may ignore If-Modified-Since, and an entity tag goes before it (RFC 9110 13.1.3).
//
// QUIRK: nginx 1.22 (if_modified_since exact), busybox httpd 1.35 and webfs 1.21 send a resource that is older than the copy.
func unmodified(res *scheme.Resource, c scheme.Conditions) bool {
	at := res.Attr
	return res.Kind == scheme.KindObject && res.Body != nil && !c.ModifiedSince.IsZero() && c.NoneMatch == "" &&
		!at.Modified.IsZero() && at.Precision == 0 && !at.Modified.After(c.ModifiedSince)
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

// needing returns a task for the schemes that implement T. The operation must be the one that needs T.
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

// List returns the entries of the directory or menu at r.URL. It follows the redirects and referrals that the policy allows.
// If the scheme is no Lister, List accesses the URL and returns the entries of the listing it gets; Copy is an error then. Nothing is sent before
// the sequence is ranged over; its resources are released when the loop ends. An error ends the sequence.
func (c *Client) List(ctx context.Context, r scheme.Request, o *scheme.ListOptions) iter.Seq2[scheme.Entry, error] {
	return c.ListFrom(ctx, r, deref(o), func(Listing) {})
}

// ListFrom is [Client.List] for callers that access the entries, such as a walk of a tree. It calls at
// before the first entry, and again when a mirror is asked instead.
func (c *Client) ListFrom(ctx context.Context, r scheme.Request, o scheme.ListOptions, at func(Listing)) iter.Seq2[scheme.Entry, error] {
	return func(yield func(scheme.Entry, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		yielded, stopped := false, false
		o, copied := o, copyWriter{w: o.Copy}
		if o.Copy != nil {
			o.Copy = &copied
		}
		_, err := c.withMirrors(ctx, scheme.OpList, r, func(ctx context.Context, op *operation, s scheme.Scheme) (*scheme.Resource, error) {
			at(Listing{op})
			if err := checkFilter(s, o.Filter); err != nil {
				return nil, err
			}
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
			n := 0
			for e, err := range res.Entries {
				if err != nil {
					return nil, cmp.Or(copied.err, err)
				}
				if n++; o.Max > 0 && n > o.Max { // a Lister ends by itself
					break
				}
				yielded = true
				if stopped = !yield(e, nil); stopped {
					break
				}
			}
			return &scheme.Resource{URL: res.URL}, copied.err
		})
		if err != nil && !stopped {
			yield(scheme.Entry{}, err)
		}
	}
}

// A Listing is a listing that is being read: what [Client.ListFrom] tells its caller beside the entries.
type Listing struct{ op *operation }

// URL returns the URL of the listing, after redirects.
func (l Listing) URL() locator.URL { return l.op.r.URL }

// Hop returns the hop from the listing to its entries, for Request.From. N is 1, since the depth of
// a menu does not count as redirects.
func (l Listing) Hop() *scheme.Hop {
	hop := l.op.nextHop(scheme.HopMenuItem, false)
	hop.N = 1
	return &hop
}

// Fail returns an error about the listing, a *scheme.Error as List returns it. The format is that of [fmt.Errorf].
func (l Listing) Fail(code scheme.Code, format string, args ...any) error {
	return l.op.fail(code, format, args...)
}

// copyWriter keeps the error of ListOptions.Copy, which a scheme could take for an error of the server.
type copyWriter struct {
	w   io.Writer
	err error
}

func (c *copyWriter) Write(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.w.Write(p)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	if err != nil {
		c.err = scheme.Fail(scheme.CodeLocal, "cannot write the copy of the listing: %w", err)
	}
	return n, c.err
}

// listing returns the listing at op.r.URL, or the referral that leads to it.
func (op *operation) listing(ctx context.Context, s scheme.Scheme, o scheme.ListOptions) (*scheme.Resource, error) {
	if l, ok := s.(scheme.Lister); ok {
		return listed(l.List(ctx, op.env(), op.r, o))
	}
	if o.Copy != nil {
		return nil, scheme.Fail(scheme.CodeUnsupported, "scheme %s cannot copy the bytes of a listing", s.Syntax().Name)
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
	return needing(func(ctx context.Context, op *operation, s scheme.Attributer) (*scheme.Resource, error) {
		return s.Attributes(ctx, op.env(), op.r, o)
	})
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

// Fill returns the URL of the filled form at r.URL (RFC 1738 3.4.9). ok is false if the filled form has no URL. Fill sends
// nothing.
func (c *Client) Fill(r scheme.Request, f *form.Form, answers []form.Answer) (u locator.URL, ok bool) {
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

// Supports returns nil if the scheme of r.URL has an operation and the policy allows the URL.
// Otherwise it returns the error that the operation would return. It does not use the network.
func (c *Client) Supports(name scheme.Op, r scheme.Request) error {
	op, s, err := c.begin(name, r, initialHops(r))
	if err != nil {
		return err
	}
	return op.wrap(context.Background(), ability.Check(s, name))
}

// Preflight checks whether an operation could start: the scheme supports it, the policy allows the URL, and the parts of the
// URL can be sent. It does not use the network. The error is the one that the operation would return.
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
