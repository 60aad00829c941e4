package ftp

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"locator/internal/hashset"
	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/wire"
)

// A listing reads entries as they arrive.
type listing struct {
	options
	s      *session
	d      *data
	lines  *wire.Conn
	format format
	left   int64 // bytes that may still arrive
	count  int   // entries so far
	seen   *hashset.Set
	lost   lostLines
	cut    error // the server has left entries out; nil if it has not
	done   bool
}

// entries is the sequence of the resource. It releases the session.
func (l *listing) entries(yield func(scheme.Entry, error) bool) {
	if l.done {
		return
	}
	defer l.Close() // a break aborts the transfer
	err := l.read(yield)
	if errors.Is(err, errStopped) {
		return
	}
	l.done = true
	if err != nil {
		l.d.close()
		l.s.lease.Discard()
	} else {
		err = l.cut
		l.s.release()
	}
	if err != nil {
		yield(scheme.Entry{}, err)
	}
}

// errStopped says that the loop over the listing was left.
var errStopped = errors.New("stopped")

func (l *listing) read(yield func(scheme.Entry, error) bool) error {
	give := func(e scheme.Entry) error {
		if l.count++; l.count > l.s.env.Limits.Entries {
			return scheme.Fail(scheme.CodeBroken, "the listing passed the limit of %d entries", l.s.env.Limits.Entries)
		}
		if !yield(e, nil) || l.count == l.max {
			return errStopped
		}
		return nil
	}
	l.seen = hashset.New()
	err := l.scan(l.parser(), func(it item) error {
		if l.format != formatNLST {
			l.seen.Add(listedName(it))
		}
		return give(l.entry(it))
	})
	if err == nil && l.lost.n > 0 {
		err = l.recover(give)
	}
	return err
}

// scan reads the lines of one transfer and its final reply. It calls give with each item, and keeps
// the lines that are not understood.
func (l *listing) scan(p parser, give func(it item) error) error {
	j := joiner{parser: p, item: give, lost: l.lost.add}
	for {
		if l.s.ctx.Err() != nil { // lines that are buffered can still be read from a closed connection
			return context.Cause(l.s.ctx)
		}
		line, err := l.lines.ReadLineWithin(&l.left)
		if err == io.EOF {
			if err := j.flush(); err != nil {
				return err
			}
			return l.end()
		}
		if errors.Is(err, wire.ErrReplyTooLong) {
			return scheme.Fail(scheme.CodeBroken, "the listing passed the limit of %d bytes", l.s.env.Limits.Listing)
		}
		if errors.Is(err, wire.ErrLimit) {
			return scheme.Fail(scheme.CodeBroken, "the listing: %w", err)
		}
		if err != nil && err != wire.ErrNoLineEnd {
			return dialogue.Torn(l.s.env.Limits.Listing-l.left, err)
		}
		if err := j.next(line); err != nil {
			return err
		}
	}
}

// A joiner parses lines and joins items that take two.
type joiner struct {
	parser
	item func(it item) error
	lost func(line string) // is called with the lines that were not understood
	held *item
}

func (j *joiner) next(line string) error {
	it, v := j.parse(line)
	if v == continued && j.held != nil {
		j.held.attr, j.held.file = it.attr, !j.held.dir
		return j.flush()
	}
	if err := j.flush(); err != nil {
		return err
	}
	switch v {
	case understood:
		return j.item(it)
	case begun:
		j.held = &it
	case unknown, continued:
		j.lost(line)
	}
	return nil
}

// flush ends an item whose attributes did not come.
func (j *joiner) flush() error {
	if j.held == nil {
		return nil
	}
	it := *j.held
	j.held = nil
	return j.item(it)
}

// end reads the reply after the data.
func (l *listing) end() error {
	r, err := l.d.finish("the listing")
	if err != nil {
		return err
	}
	if r.unopened() {
		return r.fail("the server cannot open the directory")
	}
	if r.Class() != 2 && !(l.count == 0 && r.isEmpty()) {
		return scheme.Replied(scheme.CodeBroken, r.Shown(), "the listing broke off: %w", io.ErrUnexpectedEOF)
	}
	if r.truncated() {
		l.cut = r.beginningOnly()
	}
	return nil
}

// Close aborts a listing that has not been read to its end.
func (l *listing) Close() error {
	if !l.done {
		l.done = true
		l.d.abandon()
		l.s.release()
	}
	return nil
}

// parser returns the parser of the listing's format.
func (l *listing) parser() parser {
	switch {
	case l.format == formatMLSD:
		return mlsdParser{}
	case l.format == formatLIST:
		return &listParser{now: l.s.env.Clock.Now()}
	case l.s.place.op == names:
		return nameParser{of: l.s.place.name}
	}
	return nameParser{}
}

// entry returns the entry of an item. Its URL is in the directory; that of a directory ends with an
// empty name (RFC 1738 3.2.2).
func (l *listing) entry(it item) scheme.Entry {
	p := l.s.place
	dirs := slices.Clone(p.dirs)
	if it.inside && p.name != "" {
		dirs = append(dirs, p.name)
	}
	dirs = append(dirs, it.dirs...)
	kind, name := scheme.KindUnknown, it.name
	switch {
	case it.dir:
		kind, dirs, name = scheme.KindListing, append(dirs, it.name), ""
	case it.file:
		kind = scheme.KindObject
	}
	u, err := p.urlOf(dirs, name)
	if err != nil {
		return unread(it.name)
	}
	return scheme.Entry{Name: it.path(), URL: u, Kind: kind, Attr: it.attr, Target: it.target}
}

// unread returns the note for a line that was not understood.
func unread(line string) scheme.Entry {
	return scheme.Entry{Name: line, Kind: scheme.KindNote, Unread: true}
}

// path returns the name with the directories before it.
func (it item) path() string {
	return strings.Join(append(it.dirs[:len(it.dirs):len(it.dirs)], it.name), "/")
}
