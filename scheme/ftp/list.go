package ftp

import (
	"context"

	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/wire"
)

// format is the command of a listing, which determines how it is parsed.
type format uint8

const (
	formatMLSD format = iota // RFC 3659 7
	formatLIST               // the output of the system's own command
	formatNLST               // names, one per line
)

// list lists the directory of the session by the best command that the server has: MLSD, LIST,
// NLST.
func (s *session) list(o options) (*scheme.Resource, error) {
	f, err := s.features()
	if err != nil {
		return nil, err
	}
	if f.machineLists() {
		d, a, err := s.transfer("MLSD", s.place.commands, nil)
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
	d, a, err := s.transfer("LIST", []wire.Line{dialogue.Bare("LIST")}, nil)
	switch {
	case err != nil || d != nil:
		return s.listing(o, d, formatLIST, err)
	case a.failure() == scheme.CodeUnsupported:
		return s.nameList(o)
	}
	return s.emptyOrError(a)
}

// nameList sends the NLST of the place, or one for the directory of the session.
func (s *session) nameList(o options) (*scheme.Resource, error) {
	if err := s.lineType(); err != nil {
		return nil, err
	}
	lines := []wire.Line{dialogue.Bare("NLST")}
	if s.place.op == names {
		lines = s.place.commands
	}
	d, a, err := s.transfer("NLST", lines, nil)
	if err != nil || d != nil {
		return s.listing(o, d, formatNLST, err)
	}
	return s.emptyOrError(a)
}

// isEmpty reports whether the reply says that a directory has no entries.
//
// QUIRK: some servers answer 450 or 550 "No files found" to a listing of an empty directory
// (RFC 959 defines no reply for it).
func (r reply) isEmpty() bool {
	return (r.Code == 450 || r.Code == 550) && r.says("no files", "directory is empty", "empty directory")
}

// emptyOrError distinguishes an empty directory from a refusal.
func (s *session) emptyOrError(a reply) (*scheme.Resource, error) {
	if a.isEmpty() {
		res := &scheme.Resource{URL: s.place.url, Kind: scheme.KindListing, Entries: func(func(scheme.Entry, error) bool) {}, Notes: s.notes}
		s.release()
		return res, nil
	}
	return nil, a.fail("the server refused to list %s", s.target())
}

// target names what is accessed, for errors.
func (s *session) target() string {
	if s.place.name != "" {
		return dialogue.Quoted(s.place.name)
	}
	return "the directory"
}

// listing returns the resource of a listing whose transfer has begun.
func (s *session) listing(o options, d *data, f format, err error) (*scheme.Resource, error) {
	if err != nil {
		return nil, err
	}
	if o.Raw != 0 {
		b := &body{d: d, src: d.Conn, want: -1, listed: -1, limit: -1, verbatim: true}
		return &scheme.Resource{URL: s.place.url, Kind: scheme.KindObject, Body: b, Notes: s.notes}, nil
	}
	l := &listing{s: s, options: o, left: s.env.Limits.Listing}
	l.begin(d, f)
	return &scheme.Resource{URL: s.place.url, Kind: scheme.KindListing, Entries: l.entries, Closer: l, Notes: s.notes}, nil
}

// begin makes a new data connection the source of the listing.
func (l *listing) begin(d *data, f format) {
	l.d, l.format, l.lines = d, f, wire.NewConn(d.Conn, wire.Options{MaxLine: l.s.env.Limits.Line, LineTime: l.s.env.Limits.LineTime, Copy: l.copy})
}

// List lists a directory, even if the URL lacks the final slash.
func (Scheme) List(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.ListOptions) (*scheme.Resource, error) {
	w := options{max: o.Max, copy: o.Copy}
	p, err := newPlace(r, w)
	if err != nil {
		return nil, err
	}
	return withSession(ctx, env, p, false, func(s *session) (*scheme.Resource, error) {
		switch p.op {
		case names:
			return s.nameList(w)
		case retrieve:
			if err := s.mustBeDirectory(); err != nil {
				return nil, err
			}
		}
		if !o.Detail {
			return s.list(w)
		}
		path, err := s.pwd()
		if err != nil {
			return nil, err
		}
		res, err := s.list(w)
		if err == nil && path != "" {
			res.Attr.More = append(res.Attr.More, scheme.Attribute{Name: "path", Value: path})
		}
		return res, err
	})
}
