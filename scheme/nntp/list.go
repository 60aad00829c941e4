package nntp

import (
	"cmp"
	"context"
	"io"
	"iter"
	"slices"

	"locator/internal/held"
	"locator/internal/mailtext"
	"locator/scheme"
	"locator/scheme/message"
	"locator/wire"
)

// block reads the lines of responses, within the limit of a listing.
type block struct {
	s     *session
	left  int64     // bytes
	copy  io.Writer // gets the lines; nil means none
	empty int       // ranges without articles, since the last one that had some
}

func (s *session) newBlock(copy io.Writer) *block {
	return &block{s: s, left: s.env.Limits.Listing, copy: copy}
}

// lines yields the lines of one response, without the dots that were added to them. It must be
// ranged over to its end, or the connection is closed. An error ends it.
func (b *block) lines(after string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		s, t, ended := b.s, b.s.newText(), false
		defer func() {
			if !ended {
				s.Unusable.Store(true)
			}
		}()
		for {
			line, err := b.line(t)
			if err == errEnd {
				ended = true
				return
			}
			if err != nil {
				yield("", s.End(protocol.Lost(after, err)))
				return
			}
			if b.copy != nil {
				if _, err := io.WriteString(b.copy, line+"\r\n"); err != nil {
					yield("", err)
					return
				}
			}
			if !yield(line, nil) {
				return
			}
		}
	}
}

// line returns the next line of a text without its CR LF. It can be as long as a header, which an
// overview is made of. As everywhere in a text, a LF alone ends no line: an article with one must
// not decide where the response ends.
func (b *block) line(t *text) (string, error) {
	b.s.Wire.StartLine()
	defer b.s.Wire.StopLine()
	var line []byte
	for {
		part, err := t.chunk()
		if err != nil {
			return "", err
		}
		line = append(line, part...)
		b.left -= int64(len(part))
		switch {
		case b.left < 0:
			return "", wire.ErrReplyTooLong
		case len(line) > b.s.Max:
			return "", wire.ErrLineTooLong
		case t.err != nil:
			return "", t.err
		case t.start:
			return string(line[:len(line)-2]), nil
		}
	}
}

// selectGroup sends GROUP and returns the range of numbers in the group, and the estimated number
// of articles (RFC 3977 6.1.1).
func (s *session) selectGroup() (all span, count int64, err error) {
	r, err := s.command("GROUP", s.place.lines.group)
	if err != nil {
		return all, 0, err
	}
	if r.Code != 211 {
		return all, 0, s.failed("GROUP", r)
	}
	n, ok := r.numbers(3)
	if !ok {
		return all, 0, s.End(scheme.Replied(scheme.CodeProtocol, r.Shown(), "the reply to GROUP lacks the numbers of the articles"))
	}
	s.selected = s.place.group
	return span{n[1], n[2]}, n[0], nil
}

// within returns the part of the group that the URL names.
func (sp span) within(all span) span {
	return span{max(sp.first, all.first), min(sp.last, all.last)}
}

// listGroup lists the articles of a group.
func (s *session) listGroup(o scheme.ListOptions) (*scheme.Resource, error) {
	all, count, err := s.selectGroup()
	if err != nil {
		return nil, err
	}
	wanted := s.place.span.within(all)
	if o.Before.List == listName(s.server, s.place.group) {
		wanted.last = min(wanted.last, o.Before.Number-1)
	}
	spans, err := s.unread(all, wanted, o.Have, o.Renumbered)
	if err != nil {
		return nil, err
	}
	charset := cmp.Or(o.Accept.Charset, mailtext.GuessCharset(s.place.group))
	want, err := s.narrow(&spans, o.Filter, charset)
	if err != nil {
		return nil, err
	}
	if n := int64(s.env.Limits.Entries); min(count, numbers(spans)) > n && o.Max == 0 && want == nil {
		s.note("the group has about " + digits(count) + " articles, more than the limit of " + digits(n) + " entries; list a range of it, or the newest")
	}
	rows, err := begin(s.rows(spans, count, o, want))
	if err != nil {
		return nil, err
	}
	list, open := listName(s.server, s.place.group), int64(0)
	if len(spans) > 0 {
		open = spans[0].first
	}
	res := s.listing(func(yield func(scheme.Entry, error) bool) {
		for r, err := range rows.all() {
			if err != nil {
				yield(scheme.Entry{}, err)
				return
			}
			e := r.entry(s.place, charset)
			if r.number > 0 {
				e.Position = message.Position{List: list, Number: r.number, First: r.number}
				if want == nil && !o.Newest && r.number > open {
					e.Position.First = open
				}
				open = r.number + 1
			}
			if !yield(e, nil) {
				return
			}
		}
	}, o.Max)
	res.Closer = closers{rows, res.Closer}
	return res, nil
}

// The number of articles that one command asks for, if only some of a group are wanted: at least
// minPart, at most usualPart or, if very many are wanted, largePart. Where a part of the range has
// none, the next part is larger, up to maxPart, whose rows fit in heldBudget.
const (
	minPart   = 50
	usualPart = 500
	largePart = 5_000
	maxPart   = 20_000
)

// rows yields the overview of ranges in the order of the options: all of it by one command for
// each, or part after part if a listing of all is not wanted. It leaves out what the selection does
// not have; nil has all.
func (s *session) rows(spans []span, count int64, o scheme.ListOptions, want *selection) iter.Seq2[row, error] {
	b := s.newBlock(o.Copy)
	return func(yield func(row, error) bool) {
		switch {
		case count == 0:
			return
		case o.Max == 0 && !o.Newest:
			for r, err := range s.overview(spans, b) {
				if (err != nil || want == nil || want.has(&r)) && !yield(r, err) {
					return
				}
			}
			return
		}
		least := int64(max(min(max(minPart, o.Max), usualPart), min(o.Max/20, largePart)))
		if o.Max == 0 {
			least = usualPart
		}
		rest, size := slices.Clone(spans), least
		for len(rest) > 0 {
			rows, err := s.hold(take(&rest, size, o.Newest), b)
			if err != nil {
				yield(row{}, err)
				return
			}
			if o.Newest {
				slices.Reverse(rows)
			}
			yielded := 0
			for _, r := range rows {
				if want != nil && !want.has(&r) {
					continue
				}
				if yielded++; !yield(r, nil) {
					return
				}
			}
			if yielded == 0 {
				size = min(2*size, maxPart)
			} else if int64(len(rows)) > max(usualPart, least) {
				size = least
			}
		}
	}
}

// hold returns the rows of a part.
func (s *session) hold(part []span, b *block) (rows []row, err error) {
	kept := held.Budget(heldBudget)
	for r, err := range s.overview(part, b) {
		switch {
		case err != nil:
			return nil, err
		case int64(len(rows)) >= numbers(part):
			return nil, s.End(scheme.Fail(scheme.CodeProtocol, "the server sent more articles than it was asked for"))
		case !kept.Take(r.cost()):
			return nil, s.tooMuch()
		}
		rows = append(rows, r)
	}
	return rows, b.found(len(rows))
}

// listing returns a listing of entries, and ends the session after it. It stops at the limits, and
// after most entries unless that is 0.
func (s *session) listing(entries iter.Seq2[scheme.Entry, error], most int) *scheme.Resource {
	seq := func(yield func(scheme.Entry, error) bool) {
		defer s.release()
		n, limit := 0, s.env.Limits.Entries
		for e, err := range entries {
			if err == nil && n == limit {
				s.Unusable.Store(true)
				err = scheme.Fail(scheme.CodeBroken, "the listing has more entries than the limit of %d; list a range of the group, or the newest", limit)
			}
			if n++; !yield(e, err) || err != nil || n == most {
				return
			}
		}
	}
	return &scheme.Resource{URL: s.place.url, Kind: scheme.KindListing, Entries: seq, Notes: s.notes, Closer: s.lease}
}

// List lists the articles of a group, or the groups.
func (Scheme) List(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.ListOptions) (*scheme.Resource, error) {
	p, err := newPlace(r.URL)
	if err != nil {
		return nil, err
	}
	if p.kind == article {
		return nil, scheme.Fail(scheme.CodeUnsupported, "an article cannot be listed")
	}
	p.have, p.before = o.Have, o.Before
	return withSession(ctx, env, p, func(s *session) (*scheme.Resource, error) { return s.list(o) })
}

func (s *session) list(o scheme.ListOptions) (*scheme.Resource, error) {
	if s.place.kind == groups {
		return s.listGroups(o)
	}
	return s.listGroup(o)
}
