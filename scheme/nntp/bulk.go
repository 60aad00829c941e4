package nntp

import (
	"context"
	"iter"
	"slices"

	"locator/scheme"
	"locator/scheme/bulk"
	"locator/scheme/message"
	"locator/wire"
)

// AccessAll reads the articles of a group or of a range of it, with the commands sent ahead of the
// replies, on one connection. An article alone is a listing of one.
func (Scheme) AccessAll(ctx context.Context, env *scheme.Env, r scheme.Request, o bulk.Options) (*scheme.Resource, error) {
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

// bulkAccess is a bulk access.
type bulkAccess struct {
	*session
	o      bulk.Options
	group  span  // of the numbers in the whole group
	count  int64 // articles in it, as estimated by the server
	spans  []span
	want   *selection
	open   int64 // the number after the last one that is known to be read or missing
	yields int
	absent int64 // numbers without an article, one after the other
}

// accessAll returns the articles. The first one is requested at once, since its reply may ask for a
// login.
func (s *session) accessAll(o bulk.Options) (*scheme.Resource, error) {
	b := &bulkAccess{session: s, o: o}
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
		members, b.group, b.count = b.all, all, count
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
func (b *bulkAccess) one(yield func(*scheme.Resource, error) bool) {
	r, err := b.article(b.place.lines.article, "ARTICLE")
	if err == nil && r.Code != 220 {
		err = b.End(r.fail("ARTICLE"))
	}
	if err != nil {
		yield(nil, err)
		return
	}
	m := b.newMember()
	if !yield(b.member(b.place.number, m), nil) {
		b.Unusable.Store(!m.t.ended || b.Unusable.Load())
		return
	}
	if err := m.skip(); err != nil {
		yield(nil, err)
	}
}

// member returns the resource of an article, by number or, if that is 0, by message-id.
func (b *bulkAccess) member(number int64, m *member) *scheme.Resource {
	res := &scheme.Resource{URL: b.place.url, Kind: scheme.KindObject, Attr: attributes(m.t.readHeader(b.Max), b.o.Accept.Charset), Body: m, Status: "220"}
	b.locate(res, number)
	return res
}

// refused returns the resource of an article that the server lists and does not have now.
func (b *bulkAccess) refused(number int64, r reply) *scheme.Resource {
	err := scheme.Replied(scheme.CodeNotFound, r.Shown(), "the server lists article %d, but cannot send it now", number)
	res := &scheme.Resource{URL: b.place.url, Kind: scheme.KindObject, Body: refusedBody{err}, Status: digits(int64(r.Code))}
	b.locate(res, number)
	return res
}

// refusedBody is the body of an object that cannot be had.
type refusedBody struct{ err error }

func (b refusedBody) Read([]byte) (int, error) { return 0, b.err }
func (b refusedBody) Close() error             { return nil }

// locate sets the position and the URL of a member, unless its number is 0.
func (b *bulkAccess) locate(res *scheme.Resource, number int64) {
	if number == 0 {
		return
	}
	res.Position = message.Position{List: listName(b.server, b.place.group), Number: number, First: number}
	if b.place.kind == group {
		if u, err := b.place.articleURL(number, res.Attr.ID); err == nil { // a message-id that no URL can have
			res.URL = u
		}
		if b.want == nil {
			res.Position.First = b.open
		}
	}
}

// maxAbsent bounds how many numbers without an article are requested one after the other.
const maxAbsent = 200_000

// all yields the articles of the group.
func (b *bulkAccess) all(yield func(*scheme.Resource, error) bool) {
	if len(b.spans) == 0 || b.count == 0 {
		return
	}
	b.open = b.spans[0].first
	for part, err := range b.parts() {
		if err != nil {
			yield(nil, err)
			return
		}
		for f, err := range b.run(part.numbers) {
			var res *scheme.Resource
			switch {
			case err != nil:
				yield(nil, err)
				return
			case f.text == nil:
				if b.absent++; b.absent > maxAbsent {
					yield(nil, b.End(scheme.Fail(scheme.CodeProtocol, "the server announced articles, but has none under %d numbers one after the other", maxAbsent)))
					return
				}
				if !part.listed {
					continue
				}
				res = b.refused(f.number, f.reply)
			case b.yields == b.env.Limits.Entries:
				yield(nil, b.End(scheme.Fail(scheme.CodeBroken, "there are more articles than %d, the limit of one run; another run reads on", b.yields)))
				return
			default:
				b.yields++
				b.absent = 0
				res = b.member(f.number, f.text)
			}
			if !yield(res, nil) {
				return
			}
			b.open = f.number + 1
		}
	}
}

// requested are numbers to request. If they are listed, the server said that it has their articles,
// so that one without is not a gap.
type requested struct {
	numbers iter.Seq[int64]
	listed  bool
}

// parts yields the numbers to request, part after part, so that few are in memory: those that the
// server lists or, if it cannot list them, all.
func (b *bulkAccess) parts() iter.Seq2[requested, error] {
	return func(yield func(requested, error) bool) {
		bl := b.newBlock(nil)
		for spans, size := slices.Clone(b.spans), int64(firstListed); len(spans) > 0; {
			var part []span
			var list []int64
			var err error
			known := true
			if b.want != nil {
				part = take(&spans, maxPart, false)
				list, err = b.wanted(part, bl)
			} else {
				bl.left = b.env.Limits.Listing
				part = near(&spans, size)
				list, known, err = b.listed(part, bl)
			}
			if err == nil && !known {
				b.note("the server does not list the numbers of its articles (LISTGROUP): an article that it cannot send now is taken for a gap")
				yield(requested{each(slices.Concat(part, spans)), false}, nil)
				return
			}
			if err == nil && (len(list) > 0 || b.want != nil || numbers(part) == size) {
				err = bl.found(len(list))
			}
			if !yield(requested{slices.Values(list), true}, err) || err != nil {
				return
			}
			if len(list) < usualPart {
				size = min(2*size, maxListed)
			}
		}
	}
}

// listed returns the numbers of the articles in a part by LISTGROUP (RFC 3977 6.1.2). known is
// false if the server does not have the command.
func (b *bulkAccess) listed(part []span, bl *block) (list []int64, known bool, err error) {
	sp := span{part[0].first, part[len(part)-1].last}
	for _, arg := range []string{" " + sp.String(), ""} {
		if arg == "" && b.count > maxListed {
			break
		}
		l, err := wire.Command("LISTGROUP", "group", b.place.group+arg)
		if err != nil {
			return nil, false, refused(err)
		}
		r, err := b.command("LISTGROUP", l)
		switch {
		case err != nil:
			return nil, false, err
		case r.Code == 411 || r.Code == 501: // QUIRK: leafnode 1.12.0 takes the range for a part of the name; RFC 2980 2.4 has none
			continue
		case r.Class() == 5:
			return nil, false, nil
		case r.Code != 211:
			return nil, false, b.End(r.fail("LISTGROUP"))
		}
		for line, err := range bl.lines("LISTGROUP") {
			if err != nil {
				return nil, false, err
			}
			n, ok := parseNumber(line)
			if !ok || len(list) > 0 && n <= list[len(list)-1] {
				return nil, false, b.End(scheme.Fail(scheme.CodeProtocol, "the reply to LISTGROUP has a line that is not a number, or out of order"))
			}
			if contains(part, n) { // QUIRK: sn 0.3.8 ignores the range
				list = append(list, n)
			}
		}
		return list, len(list) > 0 || sp.first > b.group.first || sp.last < b.group.last, nil // the list of all is wrong if it is empty
	}
	return nil, false, nil
}

// wanted returns the numbers of the articles in a part that the filter selects.
func (b *bulkAccess) wanted(part []span, bl *block) (list []int64, err error) {
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
