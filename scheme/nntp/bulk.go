package nntp

import (
	"context"
	"iter"
	"slices"

	"locator/scheme"
	"locator/wire"
)

// AccessAll reads the articles of a group or of a range of it, with the commands sent ahead of the replies, on one connection. An
// article alone is a listing of one.
func (Scheme) AccessAll(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.BulkOptions) (*scheme.Resource, error) {
	p, err := newPlace(r.URL)
	if err != nil {
		return nil, err
	}
	if p.kind == groups {
		return nil, scheme.Fail(scheme.CodeUnsupported, "many groups cannot be read at once; name one group, such as news:comp.infosystems")
	}
	if h, ok := haveOf(listName(p.own, p.group), o.Have); ok && p.number > 0 && len(span{p.number, p.number}.without(h.Spans)) == 0 {
		return &scheme.Resource{URL: r.URL, Kind: scheme.KindListing, Members: func(func(*scheme.Resource, error) bool) {}}, nil
	}
	p.have = o.Have
	return withSession(ctx, env, p, func(s *session) (*scheme.Resource, error) { return s.accessAll(o) })
}

// bulk is a bulk access.
type bulk struct {
	*session
	o      scheme.BulkOptions
	group  int64 // numbers in the whole group
	count  int64 // articles in it, as estimated by the server
	spans  []span
	want   *selection
	open   int64 // the number after the last one that is known to be read or missing
	yields int
	absent int64 // numbers without an article, one after the other
}

// accessAll returns the articles. The first one is requested at once, since its reply may ask for a login.
func (s *session) accessAll(o scheme.BulkOptions) (*scheme.Resource, error) {
	b := &bulk{session: s, o: o}
	members := iter.Seq2[*scheme.Resource, error](b.one)
	if s.place.kind == group {
		all, count, err := s.selectGroup()
		if err != nil {
			return nil, err
		}
		if b.spans, err = s.unread(all, s.place.span.within(all), o.Have, o.Renumbered); err != nil {
			return nil, err
		}
		if b.want, err = s.narrow(&b.spans, o.Filter, o.Accept.Charset); err != nil {
			return nil, err
		}
		members, b.group, b.count = b.all, all.size(), count
		if limit := int64(s.env.Limits.Entries); min(count, numbers(b.spans)) > limit && b.want == nil {
			s.note("there are about " + digits(min(count, numbers(b.spans))) + " articles; " + digits(limit) + " is the limit of one run")
		}
	}
	first, err := begin(members)
	if err != nil {
		return nil, err
	}
	res := &scheme.Resource{URL: s.place.url, Kind: scheme.KindListing, Notes: s.notes, Closer: closers{first, s.lease}}
	if b.want == nil && s.place.kind == group {
		res.Count = scheme.Known(min(b.count, numbers(b.spans)))
	}
	res.Members = func(yield func(*scheme.Resource, error) bool) {
		defer s.release()
		first.all()(yield)
	}
	return res, nil
}

// one yields the article that the URL names.
func (b *bulk) one(yield func(*scheme.Resource, error) bool) {
	r, err := b.article(b.place.lines.article, "ARTICLE")
	if err == nil && r.code != 220 {
		err = b.end(r.fail("ARTICLE"))
	}
	if err != nil {
		yield(nil, err)
		return
	}
	m := b.newMember()
	if !yield(b.member(b.place.number, m), nil) {
		b.unusable.Store(!m.t.ended || b.unusable.Load())
		return
	}
	if err := m.skip(); err != nil {
		yield(nil, err)
	}
}

// member returns the resource of an article, by number or, if that is 0, by message-id.
func (b *bulk) member(number int64, m *member) *scheme.Resource {
	res := &scheme.Resource{URL: b.place.url, Kind: scheme.KindObject, Attr: attributes(m.t.readHeader(b.max), b.o.Accept.Charset), Body: m, Status: "220"}
	if number == 0 {
		return res
	}
	res.Position = scheme.Position{List: listName(b.server, b.place.group), Number: number, First: number}
	if b.place.kind == group {
		if u, err := b.place.articleURL(number, res.Attr.ID); err == nil { // a message-id that no URL can have
			res.URL = u
		}
		if b.want == nil {
			res.Position.First = b.open
		}
	}
	return res
}

// maxAbsent bounds how many numbers without an article are requested one after the other.
const maxAbsent = 200_000

// all yields the articles of the group.
func (b *bulk) all(yield func(*scheme.Resource, error) bool) {
	if len(b.spans) == 0 {
		return
	}
	b.open = b.spans[0].first
	for part, err := range b.parts() {
		if err != nil {
			yield(nil, err)
			return
		}
		for f, err := range b.run(part) {
			switch {
			case err != nil:
				yield(nil, err)
				return
			case f.text == nil:
				if b.absent++; b.absent > maxAbsent {
					yield(nil, b.end(scheme.Fail(scheme.CodeProtocol, "the server announced articles, but has none under %d numbers one after the other", maxAbsent)))
					return
				}
				continue
			case b.yields == b.env.Limits.Entries:
				yield(nil, b.end(scheme.Fail(scheme.CodeBroken, "there are more articles than %d, the limit of one run; another run reads on", b.yields)))
				return
			}
			b.yields++
			b.absent = 0
			if !yield(b.member(f.number, f.text), nil) {
				return
			}
			b.open = f.number + 1
		}
	}
}

// parts yields the numbers to request. They are those of the range if most of them have an article, else the numbers that the
// server lists part after part, so that few are in memory.
func (b *bulk) parts() iter.Seq2[iter.Seq[int64], error] {
	source := b.listed
	switch {
	case b.want != nil:
		source = b.wanted
	case b.caps == nil || !b.caps.has("READER") || b.group <= 2*b.count+maxAhead:
		return func(yield func(iter.Seq[int64], error) bool) { yield(each(b.spans), nil) }
	}
	return func(yield func(iter.Seq[int64], error) bool) {
		spans, size, bl := slices.Clone(b.spans), int64(maxPart), b.newBlock(nil)
		for len(spans) > 0 {
			list, err := source(take(&spans, size, false), bl)
			if err == nil {
				err = bl.found(len(list))
			}
			if !yield(slices.Values(list), err) || err != nil {
				return
			}
			if len(list) < fieldsAtOnce && b.want == nil {
				size = min(2*size, maxListed)
			}
		}
	}
}

// maxListed bounds the range of numbers of one LISTGROUP.
const maxListed = 1_000_000

// listed returns the numbers of the articles in a part by LISTGROUP (RFC 3977 6.1.2), which servers for readers have.
func (b *bulk) listed(part []span, bl *block) (list []int64, err error) {
	for _, sp := range part {
		l, err := wire.Command("LISTGROUP", "group", b.place.group+" "+sp.String())
		if err != nil {
			return nil, refused(err)
		}
		r, err := b.command("LISTGROUP", l)
		switch {
		case err != nil:
			return nil, err
		case r.unknown():
			for n := range each([]span{sp}) {
				list = append(list, n)
			}
			continue
		case r.code != 211:
			return nil, b.end(r.fail("LISTGROUP"))
		}
		for line, err := range bl.lines("LISTGROUP") {
			if err != nil {
				return nil, err
			}
			n, ok := parseNumber(line)
			if !ok || n < sp.first || n > sp.last || len(list) > 0 && n <= list[len(list)-1] {
				return nil, b.end(scheme.Fail(scheme.CodeProtocol, "the reply to LISTGROUP has a line that is no number of the range, or out of order"))
			}
			list = append(list, n)
		}
	}
	return list, nil
}

// wanted returns the numbers of the articles in a part that the filter selects.
func (b *bulk) wanted(part []span, bl *block) (list []int64, err error) {
	for r, err := range b.overview(part, bl) {
		switch {
		case err != nil:
			return nil, err
		case !r.unread && contains(part, r.number) && b.want.has(&r) && (len(list) == 0 || r.number > list[len(list)-1]):
			list = append(list, r.number)
		}
	}
	return list, nil
}
