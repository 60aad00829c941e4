package nntp

import (
	"context"

	"locator/scheme"
)

// Check asks whether an article or a group is there, by STAT and GROUP.
func (Scheme) Check(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.CheckOptions) (*scheme.Resource, error) {
	if o.Body {
		return Scheme{}.Access(ctx, env, r, scheme.AccessOptions{Accept: o.Accept, If: o.If})
	}
	p, err := newPlace(r.URL)
	if err != nil {
		return nil, err
	}
	return withSession(ctx, env, p, func(s *session) (*scheme.Resource, error) {
		res := &scheme.Resource{URL: r.URL, Kind: scheme.KindListing}
		switch p.kind {
		case article:
			res.Kind = scheme.KindObject
			var reply reply
			if reply, err = s.article(s.place.lines.stat, "STAT"); err == nil && reply.Code != 223 {
				err = s.End(reply.fail("STAT"))
			}
		case group:
			_, _, err = s.selectGroup()
		}
		if err != nil {
			return nil, err
		}
		s.release()
		return res, nil
	})
}
