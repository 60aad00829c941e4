package nntp

import (
	"cmp"
	"errors"
	"io"
	"iter"
	"slices"
	"sync"

	"locator/internal/mailtext"
	"locator/scheme"
	"locator/wire"
)

// block reads the lines of responses, within the limit of a listing.
type block struct {
	s     *session
	left  int64     // bytes
	copy  io.Writer // gets the lines; nil is none
	empty int       // ranges without articles, since the last one that had some
}

func (s *session) newBlock(copy io.Writer) *block {
	return &block{s: s, left: s.env.Limits.Listing, copy: copy}
}

// lines yields the lines of one response, without the dots that were added to them. It must be ranged over to its end, or the
// connection is closed. An error ends it.
func (b *block) lines(after string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		s, t, ended := b.s, b.s.newText(), false
		defer func() {
			if !ended {
				s.unusable.Store(true)
			}
		}()
		for {
			line, err := b.line(t)
			if err == errEnd {
				ended = true
				return
			}
			if err != nil {
				yield("", s.end(lost(after, err)))
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

// line returns the next line of a text without its CR LF. It can be as long as a header, which an overview is made of. As everywhere in
// a text, a LF alone ends no line: an article with one must not decide where the response ends.
func (b *block) line(t *text) (string, error) {
	b.s.wire.StartLine()
	defer b.s.wire.StopLine()
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
		case len(line) > b.s.max:
			return "", wire.ErrLineTooLong
		case t.err != nil:
			return "", t.err
		case t.start:
			return string(line[:len(line)-2]), nil
		}
	}
}

// selectGroup sends GROUP and returns the range of numbers in the group, and the estimated number of articles (RFC 3977 6.1.1).
func (s *session) selectGroup() (all span, count int64, err error) {
	r, err := s.command("GROUP", s.place.lines.group)
	if err != nil {
		return all, 0, err
	}
	if r.code != 211 {
		return all, 0, s.failed("GROUP", r)
	}
	n, ok := r.numbers(3)
	if !ok {
		return all, 0, s.end(scheme.Replied(scheme.CodeProtocol, r.shown(), "the reply to GROUP lacks the numbers of the articles"))
	}
	s.selected = s.place.group
	return span{n[1], n[2]}, n[0], nil
}

// within returns the part of the group that the URL names.
func (sp span) within(all span) span {
	return span{max(sp.first, all.first), min(sp.last, all.last)}
}

// compressFrom is how many articles make it worth while to compress their overview.
const compressFrom = 500

// listGroup lists the articles of a group.
func (s *session) listGroup(o scheme.ListOptions) (*scheme.Resource, error) {
	all, count, err := s.selectGroup()
	if err != nil {
		return nil, err
	}
	sp := s.place.span.within(all)
	if sp.last-sp.first >= compressFrom && !s.place.plain {
		if err := s.compress(s.env); err != nil {
			return nil, err
		}
	}
	rows, err := begin(s.rows(sp, count, o))
	if err != nil {
		return nil, err
	}
	if n := int64(s.env.Limits.Entries); min(count, sp.last-sp.first+1) > n && o.Max == 0 {
		s.note("the group has about " + digits(count) + " articles, more than the limit of " + digits(n) + " entries; list a range of it, or the newest")
	}
	charset := cmp.Or(o.Accept.Charset, mailtext.GuessCharset(s.place.group))
	res := s.listing(func(yield func(scheme.Entry, error) bool) {
		for r, err := range rows.all() {
			if err != nil {
				yield(scheme.Entry{}, err)
				return
			}
			if !yield(r.entry(s.place, charset), nil) {
				return
			}
		}
	}, o.Max)
	res.Closer = closers{rows, res.Closer}
	return res, nil
}

// begun is a sequence of rows of which the first has been read.
type begun struct {
	first row
	next  func() (row, error, bool)
	stop  func()
	used  sync.Once
}

// begin reads the first row. If the server refuses to list the articles, or asks for a login, that is an error before the listing begins:
// the dialogue can be repeated after the login.
func begin(rows iter.Seq2[row, error]) (*begun, error) {
	b := &begun{}
	b.next, b.stop = iter.Pull2(rows)
	var err error
	var ok bool
	if b.first, err, ok = b.next(); err != nil || !ok {
		b.Close()
	}
	return b, err
}

// all yields the rows, once.
func (b *begun) all() iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		b.used.Do(func() {
			defer b.stop()
			for r, err, ok := b.first, error(nil), true; ok && yield(r, err); {
				r, err, ok = b.next()
			}
		})
	}
}

// Close ends the sequence unless all is running, which ends it.
func (b *begun) Close() error {
	b.used.Do(b.stop)
	return nil
}

// closers closes two things, in order.
type closers struct{ first, second io.Closer }

// Close implements io.Closer.
func (c closers) Close() error {
	return errors.Join(c.first.Close(), c.second.Close())
}

// The number of articles that one command asks for, if only some of a group are wanted: at least minPart, at most fieldsAtOnce. Where a
// part of the range has none, the next part is larger, up to maxPart, whose rows fit in heldBudget.
const (
	minPart = 50
	maxPart = 20_000
)

// rows yields the overview of a range in the order of the options: all of it by one command, or part after part if a listing of
// all is not wanted.
func (s *session) rows(sp span, count int64, o scheme.ListOptions) iter.Seq2[row, error] {
	b := s.newBlock(o.Copy)
	return func(yield func(row, error) bool) {
		switch {
		case count == 0 || sp.first > sp.last:
			return
		case o.Max == 0 && !o.Newest:
			s.overview(sp, b)(yield)
			return
		}
		least := int64(min(max(minPart, o.Max), fieldsAtOnce))
		if o.Max == 0 {
			least = fieldsAtOnce
		}
		size := least
		for sp.first <= sp.last {
			part := span{sp.first, min(sp.first+size-1, sp.last)}
			if o.Newest {
				part = span{max(sp.first, sp.last-size+1), sp.last}
				sp.last = part.first - 1
			} else {
				sp.first = part.last + 1
			}
			rows, err := s.hold(part, b)
			if err != nil {
				yield(row{}, err)
				return
			}
			if o.Newest {
				slices.Reverse(rows)
			}
			for _, r := range rows {
				if !yield(r, nil) {
					return
				}
			}
			if len(rows) == 0 {
				size = min(2*size, maxPart)
			} else if len(rows) > fieldsAtOnce {
				size = least
			}
		}
	}
}

// hold returns the rows of a part of a range.
func (s *session) hold(part span, b *block) (rows []row, err error) {
	held := budget(heldBudget)
	for r, err := range s.overview(part, b) {
		switch {
		case err != nil:
			return nil, err
		case int64(len(rows)) > part.last-part.first:
			return nil, s.end(scheme.Fail(scheme.CodeProtocol, "the server sent more articles than it was asked for"))
		case !held.take(r.cost()):
			return nil, s.tooMuch()
		}
		rows = append(rows, r)
	}
	return rows, b.found(len(rows))
}

// listing returns a listing of entries, and ends the session after it. It stops at the limits, and after most entries unless that is
// 0.
func (s *session) listing(entries iter.Seq2[scheme.Entry, error], most int) *scheme.Resource {
	seq := func(yield func(scheme.Entry, error) bool) {
		defer s.release()
		n, limit := 0, s.env.Limits.Entries
		for e, err := range entries {
			if err == nil && n == limit {
				s.unusable.Store(true)
				err = scheme.Fail(scheme.CodeBroken, "the listing has more entries than the limit of %d; list a range of the group, or the newest", limit)
			}
			if n++; !yield(e, err) || err != nil || n == most {
				return
			}
		}
	}
	return &scheme.Resource{URL: s.place.url, Kind: scheme.KindListing, Entries: seq, Notes: s.notes, Closer: sessionCloser{s}}
}

// sessionCloser closes the connection of a listing that was not read to its end.
type sessionCloser struct{ s *session }

// Close implements io.Closer.
func (c sessionCloser) Close() error {
	c.s.ended.Do(func() {
		c.s.unbind()
		c.s.unusable.Store(true)
		c.s.putBack(false)
	})
	return nil
}
