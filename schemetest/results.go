package schemetest

import (
	"context"

	"locator"
	"locator/scheme"
)

// isAttributes checks the result of Attributes, from the client and from the scheme.
func (s *stage) isAttributes(name string, u locator.URL, res *scheme.Resource, kinds ...scheme.Kind) {
	s.Helper()
	s.hasKind(name, res, kinds...)
	if res.Body != nil {
		s.Errorf("%q: attributes, and a Body", name)
	}
	if res.URL.IsZero() {
		s.Errorf("%q: Resource.URL is not set", name)
	}
	if a, ok := s.h.Scheme.(scheme.Attributer); ok {
		s.own("Attributes of "+u.Redacted(), u, func(ctx context.Context, env *scheme.Env) (*scheme.Resource, error) {
			return a.Attributes(ctx, env, scheme.Request{URL: u}, scheme.AttributesOptions{})
		}, kinds...)
	}
}

// checkReferral checks the referral that the scheme returns for Harness.Referral.
//
// Covers: P1
func checkReferral(s *stage) {
	u := s.h.Referral(s.server)
	s.own("Access of "+u.Redacted(), u, func(ctx context.Context, env *scheme.Env) (*scheme.Resource, error) {
		res, err := s.h.Scheme.Access(ctx, env, scheme.Request{URL: u}, scheme.AccessOptions{})
		if err == nil && len(res.Next) == 0 {
			s.Errorf("%s: a referral without Next", u.Redacted())
		}
		if err == nil && res.Hop == scheme.HopDirect {
			s.Errorf("%s: a referral without Hop, which counts as a redirect", u.Redacted())
		}
		return res, err
	}, scheme.KindReferral)
}

// isListing checks the listing that the scheme returns.
func (s *stage) isListing(u locator.URL) {
	s.Helper()
	if l, ok := s.h.Scheme.(scheme.Lister); ok {
		s.own("List of "+u.Redacted(), u, func(ctx context.Context, env *scheme.Env) (*scheme.Resource, error) {
			return l.List(ctx, env, scheme.Request{URL: u}, scheme.ListOptions{})
		}, scheme.KindListing)
	}
}

// own calls an operation of the scheme without the client and checks that the result has URL and
// Kind. A Referral is an error.
func (s *stage) own(what string, u locator.URL, do func(context.Context, *scheme.Env) (*scheme.Resource, error), kinds ...scheme.Kind) {
	s.Helper()
	c := s.client()
	s.within(s.times.patience, what, func() {
		err := c.Do(s.ctx, scheme.Request{URL: u}, func(ctx context.Context, env *scheme.Env, _ scheme.Scheme) error {
			res, err := do(ctx, env)
			if err != nil {
				return err
			}
			s.hasKind(what, res, kinds...)
			if res.URL.IsZero() {
				s.Errorf("%s: the scheme does not set Resource.URL", what)
			}
			return res.Close()
		})
		if err != nil {
			s.Errorf("%s: %v", what, err)
		}
	})
}

func (s *stage) hasKind(what string, res *scheme.Resource, kinds ...scheme.Kind) {
	s.Helper()
	for _, k := range kinds {
		if res.Kind == k {
			return
		}
	}
	s.Errorf("%q: Kind is %v, want %v", what, res.Kind, kinds)
}
