package fix

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"locator"
	"locator/check"
	"locator/scheme"
)

// A Change is what to write instead of a URL.
type Change struct {
	From  locator.URL   // without its fragment
	To    locator.URL   // if it has no fragment, that of each place remains
	Sites []check.Place // where From stands
}

// A Planner finds out which URLs to replace. It is safe for concurrent use.
type Planner struct {
	Checker *check.Checker // its Client, Parse, Clock, and the intervals between requests to a host are used
}

// Plan returns the change for a result of a check: to the place where a Moved resource is now; to a
// URL that differs only in a slash at the end or in the case of its letters, where the server
// redirects to it; or to the one over TLS that was shown to be the same. ok is false if there is
// none.
func (p *Planner) Plan(ctx context.Context, r *check.Result) (c Change, ok bool) {
	if r.Verdict != check.Moved && r.Verdict != check.OK {
		return c, false
	}
	from, err := p.parse(r.URL)
	if err != nil || !from.HasHost() {
		return c, false
	}
	if _, ok := from.User(); ok { // a redirect tells nothing about the login
		return c, false
	}
	c = Change{From: from.WithoutFragment(), Sites: r.Sources}
	switch {
	case r.Verdict == check.Moved:
		c.To, err = p.parse(r.To)
	case r.Final != "":
		if c.To, err = p.parse(r.Final); err == nil && !alike(c.From, c.To) {
			return c, false
		}
	case r.Why == "":
		c.To, ok = p.secure(ctx, c.From)
		return c, ok
	}
	if _, login := c.To.User(); err != nil || login || !c.To.HasHost() || c.To.Host() == "" || c.To.Text() == c.From.Text() {
		return c, false
	}
	return c, true
}

func (p *Planner) parse(text string) (locator.URL, error) {
	if p.Checker.Parse != nil {
		return p.Checker.Parse(text)
	}
	return locator.Current.Parse(text)
}

// alike reports whether two URLs differ only in a slash at the end or in the case of letters.
func alike(a, b locator.URL) bool {
	cut := func(u locator.URL) string { return strings.TrimSuffix(u.WithoutFragment().Canonical().Text(), "/") }
	return strings.EqualFold(cut(a), cut(b))
}

// maxSample is how much of two resources is compared.
const maxSample = 64 << 10

// secure returns the URL of the same text over TLS, if there is the same resource.
func (p *Planner) secure(ctx context.Context, u locator.URL) (to locator.URL, ok bool) {
	mine := locator.SyntaxOf(u.Scheme())
	if _, port := u.PortNumber(); mine == nil || mine.TLS || port && u.WithoutDefaults().Port() != "" { // the port of the other is unknown
		return to, false
	}
	for _, s := range locator.Schemes() {
		if s.TLS && !s.Extension && s.Family == mine.Family {
			to, err := u.WithScheme(s.Name)
			return to, err == nil && p.same(ctx, u, to)
		}
	}
	return to, false
}

// same reports whether two URLs have the same resource: of the same type and size, with the same
// beginning.
func (p *Planner) same(ctx context.Context, a, b locator.URL) bool {
	x, ok := p.sample(ctx, b)
	if !ok {
		return false
	}
	y, ok := p.sample(ctx, a)
	return ok && x.media == y.media && x.size == y.size && bytes.Equal(x.text, y.text)
}

type sample struct {
	media string
	size  scheme.Count
	text  []byte
}

var errMoved = errors.New("it has moved")

// sample reads the beginning of a resource that is there without a redirect.
func (p *Planner) sample(ctx context.Context, u locator.URL) (s sample, ok bool) {
	if err := p.Checker.Pause(ctx, u.Canonical().Host()); err != nil {
		return s, false
	}
	r := scheme.Request{URL: u, Follow: func(locator.URL) error { return errMoved }}
	found, err := p.Checker.Client.Check(ctx, r, &scheme.CheckOptions{Body: true})
	if err != nil {
		return s, false
	}
	defer found.Close()
	if len(found.Via) > 0 || found.Body == nil {
		return s, false
	}
	s = sample{media: found.Attr.Type, size: found.Attr.Size}
	s.text, err = io.ReadAll(io.LimitReader(found.Body, maxSample))
	return s, err == nil && len(s.text) > 0
}
