package ftp

import (
	"context"
	"errors"
	"io"
	"slices"

	"locator/scheme"
	"locator/wire"
)

// format is the command of a listing, which determines how it is parsed.
type format uint8

const (
	formatMLSD format = iota // RFC 3659 7
	formatLIST               // the output of the system's own command
	formatNLST               // names, one per line
)

// list lists the directory of the session by the best command that the server has: MLSD, LIST, NLST.
func (s *session) list(o wishes) (*scheme.Resource, error) {
	f, err := s.features()
	if err != nil {
		return nil, err
	}
	if f.machineLists() {
		d, a, err := s.transfer("MLSD", s.plan.commands, nil)
		if err != nil || d != nil {
			return s.listing(o, d, formatMLSD, err)
		}
		if a.failure() != scheme.CodeUnsupported {
			return nil, a.fail("the server refused to list the directory")
		}
	}
	if err := s.lineType(); err != nil {
		return nil, err
	}
	d, a, err := s.transfer("LIST", []wire.Line{bare("LIST")}, nil)
	switch {
	case err != nil || d != nil:
		return s.listing(o, d, formatLIST, err)
	case a.failure() == scheme.CodeUnsupported:
		return s.nameList(o)
	}
	return s.emptyOrError(a)
}

// nameList sends the NLST of the plan, or one for the directory of the session.
func (s *session) nameList(o wishes) (*scheme.Resource, error) {
	if err := s.lineType(); err != nil {
		return nil, err
	}
	lines := []wire.Line{bare("NLST")}
	if s.plan.op == names {
		lines = s.plan.commands
	}
	d, a, err := s.transfer("NLST", lines, nil)
	if err != nil || d != nil {
		return s.listing(o, d, formatNLST, err)
	}
	return s.emptyOrError(a)
}

// isEmpty reports whether the reply says that a directory has no entries.
//
// QUIRK: some servers answer 450 or 550 "No files found" to a listing of an empty directory (RFC 959 defines no reply for
// it).
func (r reply) isEmpty() bool {
	return (r.code == 450 || r.code == 550) && r.says("no files", "directory is empty", "empty directory")
}

// emptyOrError distinguishes an empty directory from a refusal.
func (s *session) emptyOrError(a reply) (*scheme.Resource, error) {
	if a.isEmpty() {
		res := &scheme.Resource{URL: s.plan.url, Kind: scheme.KindListing, Entries: func(func(scheme.Entry, error) bool) {}, Notes: s.notes}
		s.release()
		return res, nil
	}
	return nil, a.fail("the server refused to list %s", s.target())
}

// target names what is accessed, for errors.
func (s *session) target() string {
	if s.plan.name != "" {
		return quoted(s.plan.name)
	}
	return "the directory"
}

// listing returns the resource of a listing whose transfer has begun.
func (s *session) listing(o wishes, d *data, f format, err error) (*scheme.Resource, error) {
	if err != nil {
		return nil, err
	}
	if o.Raw {
		b := &body{d: d, src: d.Conn, want: -1, listed: -1, limit: -1, verbatim: true}
		return &scheme.Resource{URL: s.plan.url, Kind: scheme.KindObject, Body: b, Notes: s.notes}, nil
	}
	l := &listing{s: s, wishes: o, left: s.env.Limits.Listing}
	l.begin(d, f)
	return &scheme.Resource{URL: s.plan.url, Kind: scheme.KindListing, Entries: l.entries, Closer: l, Notes: s.notes}, nil
}

// begin makes a new data connection the source of the listing.
func (l *listing) begin(d *data, f format) {
	l.d, l.lines = d, wire.NewConn(d.Conn, wire.Options{MaxLine: l.s.env.Limits.Line, Copy: l.copy})
	switch l.format = f; {
	case f == formatMLSD:
		l.parser = mlsdParser{}
	case f == formatLIST:
		l.parser = &listParser{now: l.s.env.Clock.Now()}
	case l.s.plan.op == names:
		l.parser = nameParser{of: l.s.plan.name}
	default:
		l.parser = nameParser{}
	}
}

// A listing reads entries as they arrive.
type listing struct {
	wishes
	s      *session
	d      *data
	lines  *wire.Conn
	format format
	parser parser
	left   int64 // bytes that may still arrive
	count  int   // entries so far
	done   bool
}

// pendingLines bounds how many unknown lines are held back until a line is understood or the listing ends.
const pendingLines = 1000

// entries is the sequence of the resource. It releases the session.
func (l *listing) entries(yield func(scheme.Entry, error) bool) {
	if l.done {
		return
	}
	defer l.Close() // a break aborts the transfer
	if err := l.read(yield); err != nil && !errors.Is(err, errStopped) {
		l.done = true
		l.d.close()
		l.s.giveBack(false)
		yield(scheme.Entry{}, err)
	}
}

// errStopped says that the loop over the listing was left.
var errStopped = errors.New("stopped")

func (l *listing) read(yield func(scheme.Entry, error) bool) error {
	give := func(entries []scheme.Entry) error {
		for _, e := range entries {
			if l.count++; l.count > l.s.env.Limits.Entries {
				return scheme.Fail(scheme.CodeBroken, "the listing passed the limit of %d entries", l.s.env.Limits.Entries)
			}
			if !yield(e, nil) || l.count == l.max {
				return errStopped
			}
		}
		return nil
	}
	pending, err := l.scan(give)
	if err == nil && len(pending) > 0 && l.format == formatLIST {
		if err = l.fallBackToNLST(); err == nil {
			pending, err = l.scan(give)
		}
	}
	if err == nil {
		err = give(pending)
	}
	if err == nil {
		l.done = true
		l.s.release()
	}
	return err
}

// scan reads the lines of one transfer and its final reply. It returns the unknown lines if no line was understood.
func (l *listing) scan(give func([]scheme.Entry) error) (pending []scheme.Entry, err error) {
	sure := l.format != formatLIST // the format of the lines is known
	for {
		if l.s.ctx.Err() != nil { // lines that are buffered can still be read from a closed connection
			return nil, context.Cause(l.s.ctx)
		}
		line, err := l.lines.ReadLineWithin(&l.left)
		switch {
		case err == io.EOF:
			return pending, l.end()
		case errors.Is(err, wire.ErrLimit):
			return nil, scheme.Fail(scheme.CodeBroken, "the listing: %w", err)
		case err != nil && err != wire.ErrNoLineEnd:
			return nil, torn(l.s.env.Limits.Listing-l.left, err)
		}
		switch it, verdict := l.parser.parse(line); verdict {
		case skipped:
			continue
		case understood:
			sure = true
			pending = append(pending, l.entry(it))
		case unknown:
			pending = append(pending, note(line))
		}
		if !sure && len(pending) <= pendingLines {
			continue
		}
		sure = true
		if err := give(pending); err != nil {
			return nil, err
		}
		pending = pending[:0]
	}
}

// note returns the entry of an unknown line.
func note(line string) scheme.Entry { return scheme.Entry{Name: line, Kind: scheme.KindNote} }

// end reads the reply after the data.
func (l *listing) end() error {
	r, err := l.d.finish("the listing")
	if err == nil && r.class() != 2 && !(l.count == 0 && r.isEmpty()) {
		err = scheme.Replied(scheme.CodeBroken, r.shown(), "the listing broke off: %w", io.ErrUnexpectedEOF)
	}
	return err
}

// fallBackToNLST requests the names alone after a LIST of which no line was understood.
func (l *listing) fallBackToNLST() error {
	l.s.env.Trace.OnNote("the server's LIST is in no known form; NLST gives the names")
	d, a, err := l.s.transfer("NLST", []wire.Line{bare("NLST")}, nil)
	if err != nil {
		return err
	}
	if d == nil {
		return a.fail("the server's LIST is in no known form, and it refuses NLST")
	}
	l.begin(d, formatNLST)
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

// entry returns the entry of an item. Its URL is in the directory; that of a directory ends with an empty name (RFC 1738 3.2.2).
func (l *listing) entry(it item) scheme.Entry {
	p := l.s.plan
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
		return note(it.name)
	}
	return scheme.Entry{Name: it.name, URL: u, Kind: kind, Attr: it.attr, Target: it.target}
}
