package ftp

import (
	"context"
	"errors"
	"io"
	"net"

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
func (v *visit) list(o wishes) (*scheme.Resource, error) {
	f, err := v.features()
	if err != nil {
		return nil, err
	}
	if f.machineLists() {
		d, a, err := v.transfer("MLSD", v.plan.commands, nil)
		if err != nil || d != nil {
			return v.listing(o, d, formatMLSD, err)
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
		return v.listing(o, d, formatLIST, err)
	case a.failure() == scheme.CodeUnsupported:
		return v.nameList(o)
	}
	return v.emptyOr(o, a)
}

// nameList sends the NLST of the plan, or one of the visit's directory.
func (v *visit) nameList(o wishes) (*scheme.Resource, error) {
	if err := v.lineType(); err != nil {
		return nil, err
	}
	lines := []wire.Line{bare("NLST")}
	if v.plan.do == names {
		lines = v.plan.commands
	}
	d, a, err := v.transfer("NLST", lines, nil)
	if err != nil || d != nil {
		return v.listing(o, d, formatNLST, err)
	}
	return v.emptyOr(o, a)
}

// emptyOr tells an empty directory from a refusal.
//
// QUIRK: some servers answer 450 or 550 "No files found" to a listing of an empty directory (RFC 959 has no reply for
// it).
func (v *visit) emptyOr(o wishes, a reply) (*scheme.Resource, error) {
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
func (v *visit) listing(o wishes, d *data, f format, err error) (*scheme.Resource, error) {
	if err != nil {
		return nil, err
	}
	if o.Raw {
		b := &body{d: d, src: d.Conn, name: v.what(), want: -1, limit: -1, exact: true}
		return &scheme.Resource{URL: v.plan.url, Kind: scheme.KindObject, Body: b, Notes: v.notes}, nil
	}
	l := &listing{v: v, wishes: o, left: v.env.Limits.Listing}
	l.begin(d, f)
	return &scheme.Resource{URL: v.plan.url, Kind: scheme.KindListing, Entries: l.entries, Closer: l, Notes: v.notes}, nil
}

// begin reads the listing from a data connection that was just opened.
func (l *listing) begin(d *data, f format) {
	conn := d.Conn
	if l.copy != nil {
		conn = copying{conn, l.copy}
	}
	l.d, l.format, l.lines = d, f, wire.NewConn(conn, wire.Options{MaxLine: l.v.env.Limits.Line})
}

// copying copies what is read from a connection.
type copying struct {
	net.Conn
	to io.Writer
}

func (c copying) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		if _, err := c.to.Write(p[:n]); err != nil {
			return n, scheme.Fail(scheme.CodeLocal, "copying the listing: %w", err)
		}
	}
	return n, err
}

// A listing reads entries as they come.
type listing struct {
	wishes
	v      *visit
	d      *data
	lines  *wire.Conn
	format format
	left   int64 // octets that may still come
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
		e := scheme.Entry{}
		if verdict == understood {
			e = l.entry(it)
		} else {
			e = l.note(line)
		}
		if err := give(e); err != nil {
			return nil, err
		}
	}
}

// flush gives the lines that were not understood as notes.
func (l *listing) flush(pending []string, give func(scheme.Entry) error) error {
	for _, line := range pending {
		if err := give(l.note(line)); err != nil {
			return err
		}
	}
	return nil
}

// note is the entry of a line that was not understood.
func (l *listing) note(line string) scheme.Entry {
	if l.unknown != nil {
		l.unknown(wire.Escape(line))
	}
	return scheme.Entry{Name: line, Kind: scheme.KindNote}
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
	l.begin(d, formatNLST)
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
		return &listParser{now: l.v.env.Clock.Now()}
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
