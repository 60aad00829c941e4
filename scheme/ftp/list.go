package ftp

import (
	"context"
	"errors"
	"io"

	"locator"
	"locator/scheme"
	"locator/wire"
)

// format is the command that a listing comes from, which says how to read it.
type format uint8

const (
	formatMLSD format = iota // RFC 3659 7
	formatLIST               // whatever the system's own command prints
	formatNLST               // names, a line each
)

// list lists the directory of the visit by the best command that the server has: MLSD, LIST, NLST.
func (v *visit) list(r scheme.Request) (*scheme.Resource, error) {
	f, err := v.features()
	if err != nil {
		return nil, err
	}
	if f.machineLists() {
		d, a, err := v.transfer("MLSD", v.plan.commands, nil)
		if err != nil || d != nil {
			return v.listing(r, d, formatMLSD, err)
		}
		if a.failure() != scheme.CodeUnsupported {
			return nil, a.fail("the server refused to list the directory")
		}
	}
	if err := v.lineType(); err != nil {
		return nil, err
	}
	d, a, err := v.transfer("LIST", []wire.Line{bare("LIST")}, nil)
	switch {
	case err != nil || d != nil:
		return v.listing(r, d, formatLIST, err)
	case a.failure() == scheme.CodeUnsupported:
		return v.nameList(r)
	}
	return v.emptyOr(r, a)
}

// nameList sends the NLST of the plan, or one of the visit's directory.
func (v *visit) nameList(r scheme.Request) (*scheme.Resource, error) {
	if err := v.lineType(); err != nil {
		return nil, err
	}
	lines := []wire.Line{bare("NLST")}
	if v.plan.do == names {
		lines = v.plan.commands
	}
	d, a, err := v.transfer("NLST", lines, nil)
	if err != nil || d != nil {
		return v.listing(r, d, formatNLST, err)
	}
	return v.emptyOr(r, a)
}

// emptyOr tells an empty directory from a refusal.
//
// QUIRK: some servers answer 450 or 550 "No files found" to a listing of an empty directory (RFC 959 has no reply for
// it).
func (v *visit) emptyOr(r scheme.Request, a reply) (*scheme.Resource, error) {
	if (a.code == 450 || a.code == 550) && a.says("no files", "directory is empty", "empty directory") {
		res := &scheme.Resource{URL: v.plan.url, Kind: scheme.KindListing, Entries: func(func(scheme.Entry, error) bool) {}, Notes: v.notes}
		v.leave()
		return res, nil
	}
	return nil, a.fail("the server refused to list %s", v.what())
}

func (v *visit) what() string {
	if v.plan.name != "" {
		return quoted(v.plan.name)
	}
	return "the directory"
}

// listing makes the resource of a listing that has begun.
func (v *visit) listing(r scheme.Request, d *data, f format, err error) (*scheme.Resource, error) {
	if err != nil {
		return nil, err
	}
	if r.Raw {
		b := &body{d: d, src: d.Conn, name: v.what(), want: -1, limit: -1, exact: true}
		return &scheme.Resource{URL: v.plan.url, Kind: scheme.KindObject, Body: b, Notes: v.notes}, nil
	}
	l := &listing{v: v, d: d, format: f, max: r.Max, left: v.env.Limits.Listing, lines: newLines(d, v.env.Limits.Line)}
	return &scheme.Resource{URL: v.plan.url, Kind: scheme.KindListing, Entries: l.entries, Closer: l, Notes: v.notes}, nil
}

func newLines(d *data, max int) *wire.Conn { return wire.NewConn(d.Conn, wire.Options{MaxLine: max}) }

// A listing reads entries as they come.
type listing struct {
	v      *visit
	d      *data
	lines  *wire.Conn
	format format
	left   int64 // octets that may still come
	max    int   // entries that are wanted, 0 for all
	given  int   // entries so far
	over   bool
}

// pendingLines bounds how many lines that are not understood are held back until one is, or the listing ends.
const pendingLines = 1000

// entries is the sequence. It ends the visit.
func (l *listing) entries(yield func(scheme.Entry, error) bool) {
	if l.over {
		return
	}
	defer l.Close() // a break gives up the transfer
	if err := l.read(yield); err != nil && !errors.Is(err, errStopped) {
		l.over = true
		l.d.close()
		l.v.leaveFor(false)
		yield(scheme.Entry{}, err)
	}
}

// errStopped says that whoever ranges over the listing wants no more.
var errStopped = errors.New("stopped")

func (l *listing) read(yield func(scheme.Entry, error) bool) error {
	give := func(e scheme.Entry) error {
		if l.given++; l.given > l.v.env.Limits.Entries {
			return scheme.Fail(scheme.CodeBroken, "the listing passed the limit of %d entries", l.v.env.Limits.Entries)
		}
		if !yield(e, nil) || l.given == l.max {
			return errStopped
		}
		return nil
	}
	pending, err := l.scan(give)
	if err == nil && len(pending) > 0 && l.format == formatLIST {
		if err = l.namesInstead(); err == nil {
			pending, err = l.scan(give)
		}
	}
	if err == nil {
		err = l.flush(pending, give)
	}
	if err == nil {
		l.over = true
		l.v.leave()
	}
	return err
}

// scan reads the lines of one transfer and its final reply. It returns the lines that were held back where none was
// understood.
func (l *listing) scan(give func(scheme.Entry) error) (pending []string, err error) {
	p := l.parser()
	sure := l.format != formatLIST // the form of the lines is known
	for {
		if l.v.ctx.Err() != nil { // lines that are buffered already do not notice that the connection was closed
			return nil, context.Cause(l.v.ctx)
		}
		line, err := l.lines.ReadLineWithin(&l.left)
		if err == io.EOF {
			return pending, l.end()
		}
		if err != nil && err != wire.ErrNoLineEnd {
			return nil, l.torn(err)
		}
		it, verdict := p.parse(line)
		if verdict == skipped {
			continue
		}
		if verdict == unknown && !sure && len(pending) < pendingLines {
			pending = append(pending, line)
			continue
		}
		sure = true
		if err := l.flush(pending, give); err != nil {
			return nil, err
		}
		pending = nil
		e := scheme.Entry{Name: line, Kind: scheme.KindNote}
		if verdict == understood {
			e = l.entry(it)
		}
		if err := give(e); err != nil {
			return nil, err
		}
	}
}

// flush gives the lines that were not understood as notes.
func (l *listing) flush(pending []string, give func(scheme.Entry) error) error {
	for _, line := range pending {
		if err := give(scheme.Entry{Name: line, Kind: scheme.KindNote}); err != nil {
			return err
		}
	}
	return nil
}

// end reads the reply after the data.
func (l *listing) end() error {
	r, err := l.d.finish("the listing")
	if err != nil {
		return err
	}
	if r.class() != 2 && !l.emptyEnd(r) {
		return scheme.Replied(scheme.CodeBroken, r.shown(), "the listing broke off: %w", io.ErrUnexpectedEOF)
	}
	return nil
}

// emptyEnd is emptyOr for servers that say so after they opened the data connection.
func (l *listing) emptyEnd(r reply) bool {
	return l.given == 0 && (r.code == 450 || r.code == 550) && r.says("no files", "directory is empty", "empty directory")
}

func (l *listing) torn(err error) error {
	if errors.Is(err, wire.ErrLimit) {
		return scheme.Fail(scheme.CodeBroken, "the listing: %w", err)
	}
	return torn(l.v.env.Limits.Listing-l.left, err)
}

// namesInstead asks for the names alone where no line of LIST was understood.
func (l *listing) namesInstead() error {
	l.v.env.Trace.OnNote("the server's LIST is in no known form; NLST gives the names")
	d, a, err := l.v.transfer("NLST", []wire.Line{bare("NLST")}, nil)
	if err != nil {
		return err
	}
	if d == nil {
		return a.fail("the server's LIST is in no known form, and it refuses NLST")
	}
	l.d, l.format, l.lines = d, formatNLST, newLines(d, l.v.env.Limits.Line)
	return nil
}

// Close gives up a listing that was not read to its end.
func (l *listing) Close() error {
	if !l.over {
		l.over = true
		l.d.abandon()
		l.v.leave()
	}
	return nil
}

// parser reads the lines of the listing's format.
func (l *listing) parser() parser {
	switch {
	case l.format == formatMLSD:
		return mlsdParser{}
	case l.format == formatLIST:
		return &listParser{now: l.v.env.Now()}
	case l.v.plan.do == names:
		return nameParser{of: l.v.plan.name}
	}
	return nameParser{}
}

// entry gives an item its URL: below the directory, with an empty name at the end for a directory (RFC 1738 3.2.2).
func (l *listing) entry(it item) scheme.Entry {
	p := l.v.plan
	dirs := p.path()
	if it.inside && p.name != "" {
		dirs = append(dirs, p.name)
	}
	dirs = append(dirs, it.dirs...)
	view := &locator.FTP{Login: p.login, Dirs: dirs, Name: locator.Some(it.name)}
	kind := scheme.KindUnknown
	switch {
	case it.dir:
		kind = scheme.KindListing
		view.Dirs, view.Name = append(dirs, it.name), locator.Some("")
	case it.file:
		kind = scheme.KindObject
	}
	u, err := p.build(view)
	if err != nil {
		return scheme.Entry{Name: it.name, Kind: scheme.KindNote}
	}
	return scheme.Entry{Name: it.name, URL: u, Kind: kind, Attr: it.attr}
}
