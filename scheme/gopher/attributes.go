package gopher

import (
	"context"
	"errors"

	"locator"
	"locator/internal/held"
	"locator/scheme"
)

// Attributes requests the attributes of a Gopher+ item (RFC 1738 3.4.6). For any other item it
// reads the start of a plain reply, to see that the item exists, and returns its media type, which
// is all that is known. It never sends a search or a filled form.
func (s Scheme) Attributes(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AttributesOptions) (*scheme.Resource, error) {
	q, known, err := s.prepare(ctx, env, r.URL, options{AccessOptions: scheme.AccessOptions{Accept: o.Accept, ServerInfo: o.ServerInfo}})
	if err != nil {
		return nil, err
	}
	if o.NoProbe && !q.plus.set() {
		return result(r.URL, &scheme.Resource{Kind: q.kind(), Attr: scheme.Attr{Type: mediaOf(q.typ, q.selector, nil)}}, nil)
	}
	attr, err := s.attributes(ctx, env, q)
	attr.More = append(attr.More, known.keys...)
	return result(r.URL, &scheme.Resource{Kind: q.kind(), Attr: attr}, err)
}

// kind is what access would find, as far as the URL shows.
func (q place) kind() scheme.Kind {
	switch c := q.content(false); {
	case q.plus.verb == '?', q.plus.block != nil:
		return scheme.KindForm
	case q.wantsWords():
		return scheme.KindQuery
	case c == givesMenu, c == givesBlocks:
		return scheme.KindListing
	}
	return scheme.KindObject
}

func (s Scheme) attributes(ctx context.Context, env *scheme.Env, q place) (scheme.Attr, error) {
	attr := scheme.Attr{Type: mediaOf(q.typ, q.selector, nil)}
	switch t := typeOf(q.typ); {
	case q.typ == typeNameServer:
		return scheme.Attr{}, q.unsupported()
	case t.kind == scheme.KindSession || t.kind == scheme.KindNote:
		return scheme.Attr{}, scheme.Fail(scheme.CodeUnsupported, "an item of type %c (%s) has no attributes", q.typ, t.name)
	case !q.plus.set() && q.wantsWords():
		return attr, nil
	case !q.plus.set():
		return s.probe(ctx, env, q)
	}
	rec, ok, err := s.record(ctx, env, q)
	if err != nil || !ok {
		return attr, err
	}
	media := attr.Type
	if attr = rec.attr(q.chars); attr.Type == "" {
		attr.Type = media
	}
	if q.plus.verb == '+' && q.plus.arg != "" {
		attr.Type, attr.Size = q.viewType(), scheme.Count{}
		for _, v := range rec.views() {
			if v.name() == q.plus.arg || v.media() == q.viewType() && v.language == "" {
				attr.Size = v.octets()
			}
		}
	}
	return attr, nil
}

// probe reads the start of a reply and no more.
func (s Scheme) probe(ctx context.Context, env *scheme.Env, q place) (scheme.Attr, error) {
	res, err := s.get(ctx, env, q, options{})
	if err != nil {
		return scheme.Attr{}, err
	}
	return res.Attr, res.Close()
}

// details asks for the attributes of all items of a menu, where the caller wants them. It is never
// the only look at the menu.
//
// QUIRK: gophernicus answers "$" for its root by one item that is not in the menu (gophernicus,
// 03).
func (s Scheme) details(ctx context.Context, env *scheme.Env, r options, q place) (map[item]scheme.Entry, []string, error) {
	if !r.Detail || r.Raw != 0 || q.content(false) != givesMenu || q.typ == '7' || q.plus.block != nil {
		return nil, nil, nil
	}
	q.plus = command{verb: '$'}
	q.search = locator.Optional{}
	none := []string{"the server gives no details of its items"}
	a, err := s.fetch(ctx, env, q)
	if _, ok := errors.AsType[*scheme.Error](err); ok {
		return nil, none, nil // the server's own refusal; the menu itself may be there all the same
	}
	if err != nil {
		return nil, nil, err
	}
	defer a.Close()
	if a.plain {
		return nil, none, nil
	}
	known, left := make(map[item]scheme.Entry), held.Budget(detailBudget)
	for rec, err := range a.records(a.stream(nil)) {
		if err != nil {
			return nil, nil, err
		}
		e := a.described(rec)
		if !left.Take(held.Entry(&e)) {
			return known, []string{"the details of the items need too much memory: those of the last items are left out"}, nil
		}
		known[rec.item.key()] = e
	}
	return known, nil, nil
}

// describe asks for the attributes of an item. ok is false where the server does not speak Gopher+.
func (s Scheme) record(ctx context.Context, env *scheme.Env, q place) (rec record, ok bool, err error) {
	q.plus = command{verb: '!'}
	a, err := s.fetch(ctx, env, q)
	if err != nil {
		return record{}, false, err
	}
	defer a.Close()
	if a.plain {
		// What the server says of another kind, an error above all, still counts.
		if err := a.noPlus(); !errors.Is(err, errors.ErrUnsupported) {
			return record{}, false, err
		}
		return record{}, false, nil
	}
	_, rec, err = a.readAttributes()
	return rec, err == nil, err
}
