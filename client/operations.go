package client

import (
	"context"
	"iter"
	"slices"
	"strings"

	"locator"
	"locator/scheme"
)

// task is what one operation does with one scheme.
type task func(ctx context.Context, op *operation, s scheme.Scheme) (*scheme.Resource, error)

// Access reads what r.URL locates, and follows redirects and referrals that policy allows. A nil o is the zero value. The
// context governs the whole life of the resource. The caller must Close it.
func (c *Client) Access(ctx context.Context, r scheme.Request, o *scheme.AccessOptions) (*scheme.Resource, error) {
	return c.withMirrors(ctx, scheme.OpAccess, r, access(or(o)))
}

func access(o scheme.AccessOptions) task {
	return func(ctx context.Context, op *operation, s scheme.Scheme) (*scheme.Resource, error) {
		return s.Access(ctx, op.env(), op.r, o)
	}
}

// or is what o points to, or the zero value for nil.
func or[T any](o *T) (v T) {
	if o != nil {
		v = *o
	}
	return v
}

// List lists what r.URL holds, and follows redirects and referrals that policy allows. A scheme that has no listing of its
// own is accessed, and the result is listed if it is a Listing. The sequence dials when it is ranged over, and frees what
// it holds when the loop ends.
func (c *Client) List(ctx context.Context, r scheme.Request, o *scheme.ListOptions) iter.Seq2[scheme.Entry, error] {
	return c.list(ctx, r, or(o), func(*operation) {})
}

// list is List. at is told the operation that yields the entries, before the first of them.
func (c *Client) list(ctx context.Context, r scheme.Request, o scheme.ListOptions, at func(op *operation)) iter.Seq2[scheme.Entry, error] {
	return func(yield func(scheme.Entry, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		given, left := false, false
		_, err := c.withMirrors(ctx, scheme.OpList, r, func(ctx context.Context, op *operation, s scheme.Scheme) (*scheme.Resource, error) {
			at(op)
			if given { // a mirror of a listing that broke off: its entries would come twice
				return nil, scheme.Fail(scheme.CodeBroken, "a listing that broke off is not begun again")
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
				given = true
				if left = !yield(e, nil); left {
					break
				}
			}
			return &scheme.Resource{URL: res.URL}, nil
		})
		if err != nil && !left {
			yield(scheme.Entry{}, err)
		}
	}
}

// listing asks the scheme for a listing, or for what leads to one.
func (op *operation) listing(ctx context.Context, s scheme.Scheme, o scheme.ListOptions) (*scheme.Resource, error) {
	if l, ok := s.(scheme.Lister); ok {
		return l.List(ctx, op.env(), op.r, o)
	}
	res, err := s.Access(ctx, op.env(), op.r, scheme.AccessOptions{Query: o.Query, Accept: o.Accept, Detail: o.Detail, ServerInfo: o.ServerInfo})
	if err != nil || res.Kind == scheme.KindReferral || res.Kind == scheme.KindListing {
		return res, err
	}
	res.Close()
	return nil, scheme.Fail(scheme.CodeUnsupported, "it is a %s: nothing to list", res.Kind)
}

// Attributes finds the attributes of r.URL without reading it, and follows redirects and referrals that policy allows. The
// result has no Body.
func (c *Client) Attributes(ctx context.Context, r scheme.Request, o *scheme.AttributesOptions) (*scheme.Resource, error) {
	return c.withMirrors(ctx, scheme.OpAttributes, r, attributes(or(o)))
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

// Check finds the cheapest proof that r.URL locates something: its attributes, or where the scheme cannot find those, an
// access that reads no body. The result tells where the resource is (URL, Via, Addr) and what the server said (Status).
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

// Submit sends the answers to the form at r.URL. Policy is asked about the URL of the filled form, too, where it has one.
// A redirect or referral in the reply is accessed without the answers.
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

// Fill returns the URL of the filled form at r.URL (RFC 1738 3.4.9). ok is false where no URL can stand for it. Nothing is
// sent.
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

// Update adds b to what r.URL locates. It follows no redirect: the caller decides where a body goes.
func (c *Client) Update(ctx context.Context, r scheme.Request, b scheme.Body, o *scheme.WriteOptions) (*scheme.Resource, error) {
	return c.send(ctx, scheme.OpUpdate, r, update(b, or(o)))
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

// Replace puts b in place of what r.URL locates. It follows no redirect.
func (c *Client) Replace(ctx context.Context, r scheme.Request, b scheme.Body, o *scheme.WriteOptions) (*scheme.Resource, error) {
	return c.send(ctx, scheme.OpReplace, r, replace(b, or(o)))
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

// send runs a task that follows no redirect.
func (c *Client) send(ctx context.Context, name scheme.Op, r scheme.Request, do task) (*scheme.Resource, error) {
	op, s, err := c.begin(name, r, hopsOf(r))
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
		return nil, op.fail(scheme.CodeUnsupported, "the server sends the body elsewhere%s: name that URL if it is meant", to)
	}
	return op.finish(ctx, res), nil
}

// Remove removes what r.URL locates.
func (c *Client) Remove(ctx context.Context, r scheme.Request) error {
	return c.change(ctx, scheme.OpRemove, r, func(ctx context.Context, env *scheme.Env, s scheme.Scheme, r scheme.Request) error {
		m, ok := s.(scheme.Remover)
		if !ok {
			return unsupported(s, "remove")
		}
		return m.Remove(ctx, env, r)
	})
}

// Rename gives what r.URL locates the URL to, on the same server.
func (c *Client) Rename(ctx context.Context, r scheme.Request, to locator.URL) error {
	if !sameServer(r.URL, to) {
		return &scheme.Error{Op: scheme.OpRename, URL: r.URL.Redacted(), Code: scheme.CodeUsage,
			Err: scheme.Fail(scheme.CodeUsage, "%s is on another server", to.Redacted()).Err}
	}
	if _, _, err := c.begin(scheme.OpRename, scheme.Request{URL: to}, nil); err != nil {
		return err
	}
	return c.change(ctx, scheme.OpRename, r, func(ctx context.Context, env *scheme.Env, s scheme.Scheme, r scheme.Request) error {
		m, ok := s.(scheme.Renamer)
		if !ok {
			return unsupported(s, "rename")
		}
		return m.Rename(ctx, env, r, to)
	})
}

// MakeDir makes the directory that r.URL names.
func (c *Client) MakeDir(ctx context.Context, r scheme.Request) error {
	return c.change(ctx, scheme.OpMakeDir, r, func(ctx context.Context, env *scheme.Env, s scheme.Scheme, r scheme.Request) error {
		m, ok := s.(scheme.Maker)
		if !ok {
			return unsupported(s, "make directories")
		}
		return m.MakeDir(ctx, env, r)
	})
}

// change runs what has no resource as its result.
func (c *Client) change(ctx context.Context, name scheme.Op, r scheme.Request, do func(context.Context, *scheme.Env, scheme.Scheme, scheme.Request) error) error {
	_, err := c.send(ctx, name, r, func(ctx context.Context, op *operation, s scheme.Scheme) (*scheme.Resource, error) {
		return &scheme.Resource{}, do(ctx, op.env(), s, op.r)
	})
	return err
}

// Do calls f with the scheme of r.URL and an Env for it: the way to what only one scheme can do. Policy is asked as for any
// operation. The Env ends when f returns: its context is cancelled, which closes what is bound to it, and Dial and Keep fail.
func (c *Client) Do(ctx context.Context, r scheme.Request, f func(ctx context.Context, env *scheme.Env, s scheme.Scheme) error) error {
	_, err := c.send(ctx, scheme.OpDo, r, func(ctx context.Context, op *operation, s scheme.Scheme) (*scheme.Resource, error) {
		if s.Syntax().Name != r.URL.Scheme() {
			return nil, scheme.Fail(scheme.CodeUnsupported, "a proxy stands between, which has no word for that")
		}
		ctx, cancel := context.WithCancel(ctx)
		defer op.ended.Store(true)
		defer cancel()
		return &scheme.Resource{}, f(ctx, op.env(), s)
	})
	return err
}

// Digest asks for a checksum of what r.URL locates; the server may have to read all of it. Both results are "" where the
// scheme or the server has none. [scheme.Digester] has the names of algorithms.
func (c *Client) Digest(ctx context.Context, r scheme.Request) (algorithm, value string, err error) {
	_, err = c.send(ctx, scheme.OpAttributes, r, func(ctx context.Context, op *operation, s scheme.Scheme) (*scheme.Resource, error) {
		if d, ok := s.(scheme.Digester); ok {
			algorithm, value, err = d.Digest(ctx, op.env(), op.r)
		}
		return &scheme.Resource{}, err
	})
	return algorithm, value, err
}

// Preflight reports whether an operation would begin: the scheme is known and able, policy allows the URL, and its
// parts can be sent. Nothing is looked up or connected to. The error is that of the operation.
func (c *Client) Preflight(name scheme.Op, r scheme.Request) error {
	op, s, err := c.begin(name, r, hopsOf(r))
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

// unsupported says what the scheme can do instead (A15).
func unsupported(s scheme.Scheme, what string) error {
	return scheme.Fail(scheme.CodeUnsupported, "scheme %s cannot %s; it can: %s", s.Syntax().Name, what,
		strings.Join(scheme.Abilities(s), ", "))
}

// follow runs a task for r.URL and for where referrals lead.
func (c *Client) follow(ctx context.Context, name scheme.Op, r scheme.Request, do task) (*scheme.Resource, error) {
	return c.followFrom(ctx, name, r, hopsOf(r), do)
}

func (c *Client) followFrom(ctx context.Context, name scheme.Op, r scheme.Request, via []scheme.Hop, do task) (*scheme.Resource, error) {
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
			return nil, op.fail(scheme.CodeProtocol, "a referral that leads nowhere")
		}
		hop := op.onward(res.Hop, res.Permanent)
		if hop.N > op.r.Limits.Hops {
			res.Close()
			return nil, op.fail(scheme.CodeProtocol, "more than %d redirects or referrals: a loop, or a chain too long", op.r.Limits.Hops)
		}
		op.trace.OnNote("referred to " + res.Next[0].URL.Redacted())
		via = append(slices.Clip(via), hop)
		if len(res.Next) > 1 {
			return c.firstThatWorks(ctx, name, r, via, res, do)
		}
		r.URL = res.Next[0].URL
		res.Close()
	}
}

// firstThatWorks tries the targets of a referral in their order.
func (c *Client) firstThatWorks(ctx context.Context, name scheme.Op, r scheme.Request, via []scheme.Hop, ref *scheme.Resource, do task) (*scheme.Resource, error) {
	defer ref.Close()
	var failed error
	for _, e := range ref.Next {
		r.URL = e.URL
		res, err := c.followFrom(ctx, name, r, via, do)
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
