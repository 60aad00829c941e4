package client

import (
	"cmp"
	"context"
	"io"
	"iter"

	"locator/scheme"
)

// List opens the listing of the directory or menu at r.URL. It follows the redirects and referrals
// that the policy allows. If the scheme is not a Lister, List accesses the URL; Copy is an error
// then. A nil o means the zero value. The Entries can be ranged over once, and end after an error.
// The caller must Close the resource; see also [Entries].
func (c *Client) List(ctx context.Context, r scheme.Request, o *scheme.ListOptions) (*scheme.Resource, error) {
	list, copied := deref(o), &copyWriter{}
	if list.Copy != nil {
		copied.w, list.Copy = list.Copy, copied
	}
	return c.withMirrors(ctx, scheme.OpList, r, func(ctx context.Context, op *operation, s scheme.Scheme) (*scheme.Resource, error) {
		if err := checkFilter(s, list.Filter); err != nil {
			return nil, err
		}
		copied.reset()
		res, err := op.listing(ctx, s, list)
		if err != nil || res.Kind == scheme.KindReferral {
			return res, err
		}
		return startListing(res, list.Max, copied)
	})
}

// Entries returns the entries of a listing that List or Access has opened, or the error. It closes
// the resource when the loop ends:
//
//	for e, err := range client.Entries(c.List(ctx, r, nil)) {
func Entries(res *scheme.Resource, err error) iter.Seq2[scheme.Entry, error] {
	return func(yield func(scheme.Entry, error) bool) {
		if err != nil {
			yield(scheme.Entry{}, err)
			return
		}
		defer res.Close()
		if res.Entries != nil {
			res.Entries(yield)
		}
	}
}

// HopTo returns the hop from a listing to its entries, for Request.From. N is 1, since the depth of
// a menu does not count as redirects.
func HopTo(list *scheme.Resource) *scheme.Hop {
	hop := scheme.Hop{Kind: scheme.HopMenuItem, From: list.URL, N: 1, FromPublic: list.Public}
	if from := list.From(); from != nil {
		hop.FromPublic = hop.FromPublic || from.FromPublic
		hop.Foreign = from.Foreign || !sameServer(list.Via[0].From, list.URL)
	}
	return &hop
}

// startListing reads the first entry of a listing, so that an error that comes before it is one of
// the operation, for which a mirror may be asked. A later error is one of the entries: a mirror
// would repeat those before it.
func startListing(res *scheme.Resource, most int, copied *copyWriter) (*scheme.Resource, error) {
	next, stop := iter.Pull2(res.Entries)
	e, err, ok := next()
	if ok && err != nil {
		stop()
		res.Close()
		return nil, cmp.Or(copied.err, err)
	}
	opened := *res
	opened.Body = nil
	opened.Closer = closers{func() { stop(); ok = false }, res.Close}
	opened.Entries = func(yield func(scheme.Entry, error) bool) {
		defer opened.Closer.Close()                       // the connection is free when the loop ends
		for n := 1; ok && (most <= 0 || n <= most); n++ { // a Lister ends by itself
			if err != nil {
				yield(scheme.Entry{}, cmp.Or(copied.err, err))
				return
			}
			if !yield(e, nil) {
				return
			}
			e, err, ok = next()
		}
		if copied.err != nil {
			yield(scheme.Entry{}, copied.err)
		}
	}
	return &opened, nil
}

// closers stops a listing, and closes its resource once.
type closers struct {
	stop  func()
	close func() error
}

func (c closers) Close() error {
	c.stop()
	return c.close()
}

// copyWriter keeps the error of ListOptions.Copy, which a scheme could take for an error of the
// server.
type copyWriter struct {
	w     io.Writer
	begun bool
	err   error
}

// reset forgets what one server has sent before another one is asked.
func (c *copyWriter) reset() {
	if w, ok := c.w.(interface{ Reset() }); ok && c.begun {
		w.Reset()
	}
}

func (c *copyWriter) Write(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	c.begun = true
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
