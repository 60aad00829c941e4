package gopher

import (
	"context"
	"io"

	"locator/internal/ph"
	"locator/scheme"
	"locator/wire"
)

// openPhonebook connects to the CSO name server of a type 2 item. Its protocol has no selectors. What is received is copied to a
// writer, if it is not nil.
func (s Scheme) openPhonebook(ctx context.Context, env *scheme.Env, q request, to io.Writer) (*ph.Conn, error) {
	p, err := s.connect(ctx, env, q)
	if err != nil {
		return nil, err
	}
	in := wire.NewConn(p.idle, wire.Options{MaxLine: env.Limits.Line, LineTime: env.Limits.LineTime, Copy: to})
	return ph.NewConn(in, ph.Options{Limits: env.Limits, Trace: env.Trace, Text: q.chars.text, Failed: p.failed, Close: p.Close}), nil
}

// askPhonebook sends the query of the URL.
func (s Scheme) askPhonebook(ctx context.Context, env *scheme.Env, q request, to io.Writer) (*ph.Conn, error) {
	query, err := ph.Query(q.search.Or(""))
	if err != nil {
		return nil, refused(err)
	}
	c, err := s.openPhonebook(ctx, env, q, to)
	if err == nil {
		if err = c.Send(query); err != nil {
			c.Close()
		}
	}
	return c, err
}

// searchPhonebook returns the answer to a query as a text. [Scheme.List] gives its entries.
func (s Scheme) searchPhonebook(ctx context.Context, env *scheme.Env, q request) (*scheme.Resource, error) {
	c, err := s.askPhonebook(ctx, env, q, nil)
	if err != nil {
		return nil, err
	}
	text, err := c.Text()
	if err != nil {
		return nil, err
	}
	res := &scheme.Resource{Kind: scheme.KindObject, Body: text, Attr: scheme.Attr{Type: mediaText + "; charset=utf-8"}}
	if text.Empty() {
		res.Notes = []string{"the name server found nothing"}
	}
	return res, nil
}

// listPhonebook lists the entries that a query finds. Each is a note with its fields as attributes.
func (s Scheme) listPhonebook(ctx context.Context, env *scheme.Env, r wishes, q request) (*scheme.Resource, error) {
	c, err := s.askPhonebook(ctx, env, q, r.copy)
	if err != nil {
		return nil, err
	}
	return &scheme.Resource{Kind: scheme.KindListing, Closer: c, Entries: func(yield func(scheme.Entry, error) bool) {
		defer c.Close()
		for n := 1; ; n++ {
			e, err := c.Next()
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(scheme.Entry{}, err)
				return
			}
			if !yield(scheme.Entry{Name: e.Name(), Kind: scheme.KindNote, Attr: scheme.Attr{More: e}}, nil) || n == r.max {
				return
			}
		}
	}}, nil
}

// describePhonebook asks a name server who runs it and which fields it has.
func (s Scheme) describePhonebook(ctx context.Context, env *scheme.Env, q request) (scheme.Attr, error) {
	c, err := s.openPhonebook(ctx, env, q, nil)
	if err != nil {
		return scheme.Attr{}, err
	}
	defer c.Close()
	more, err := c.Describe()
	return scheme.Attr{Type: mediaText, More: more}, err
}
