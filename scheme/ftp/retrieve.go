package ftp

import (
	"strconv"
	"strings"
	"time"

	"locator/internal/mediatype"
	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/wire"
)

// retrieve reads a file (RFC 1738 3.2.2: TYPE, then RETR). A name that turns out to be a directory
// is listed.
func (s *session) retrieve(o options) (*scheme.Resource, error) {
	p := s.place
	res := &scheme.Resource{URL: p.url, Kind: scheme.KindObject, Attr: scheme.Attr{Type: mediatype.ByName(p.name), Ranges: p.typ == image}}
	if o.knowsTime() {
		res.Attr.Modified = o.Known.Modified
	}
	size := o.Known.Size.Or(-1)
	if o.asksTime() || s.timePending != "" {
		known, err := s.askAhead(o)
		if err != nil {
			return nil, err
		}
		res.Attr.Modified = known.modified
		size = max(size, known.size)
	}
	if since, modified := o.If.ModifiedSince, res.Attr.Modified; !since.IsZero() && !modified.IsZero() && !modified.After(since) {
		res.NotModified, res.Notes = true, s.notes
		s.release()
		return res, nil
	}
	if err := s.setType(p.typ); err != nil {
		return nil, err
	}
	part, err := s.prepareRange(o.Range)
	if err != nil {
		return nil, err
	}
	d, answer, err := s.transfer("RETR", p.commands, part.restart(s))
	if err != nil {
		return nil, err
	}
	if d == nil {
		return s.retrieveRefused(o, answer)
	}
	res = s.object(res, d, part)
	if part.offset == 0 && part.length == 0 {
		b := res.Body.(*body)
		b.listed = size
		if _, announced := res.Attr.Size.Get(); !announced && size >= 0 && p.typ == image {
			res.Attr.Size, b.known = scheme.Known(size), res
		}
	}
	return res, nil
}

// knowsTime reports whether a listing has the exact time of the last change.
func (o *options) knowsTime() bool {
	return !o.Known.Modified.IsZero() && o.Known.Precision == 0
}

// asksTime reports whether the server has to be asked for the time of the last change.
func (o *options) asksTime() bool {
	return (o.Detail || !o.If.ModifiedSince.IsZero()) && !o.knowsTime()
}

// asksSize reports whether the server has to be asked for the size of a file: the reply 150 of some
// servers has none.
func (o *options) asksSize() bool {
	_, known := o.Known.Size.Get()
	return o.Detail && !known && o.Range.IsZero()
}

// object returns the resource of a transfer that has begun.
func (s *session) object(res *scheme.Resource, d *data, part partial) *scheme.Resource {
	b := &body{d: d, src: d.Conn, want: -1, listed: -1, limit: -1, verbatim: s.place.typ == image}
	size := announced(d.opening.Text())
	switch {
	case s.place.typ == ascii: // servers differ in whether the size counts bytes as stored or as sent
		b.src, size = fromASCII(d.Conn), -1
	case part.total >= 0: // from SIZE: the size in 150 is that of the file (vsftpd) or of the part (proftpd)
		size, b.want = part.total, part.total-part.offset
	case part.offset == 0:
		b.want, s.unannounced = size, size < 0
	default:
		size = -1
	}
	if size >= 0 {
		res.Attr.Size = scheme.Known(size)
	}
	if part.honoured {
		res.Range = scheme.Range{Offset: part.offset, Length: part.length}
		if part.length > 0 {
			b.limit = part.length
		}
	}
	res.Body, res.Notes = b, s.notes
	return res
}

// retrieveRefused lists a directory; for anything else it returns the error of the refused RETR.
//
// QUIRK: ftp-srv 4.6.3 refuses to send a directory with 551 "EISDIR: illegal operation on a
// directory".
func (s *session) retrieveRefused(o options, refused reply) (*scheme.Resource, error) {
	name := s.place.name
	failed := refused.fail("the server refused to send the file %s", dialogue.Quoted(name))
	if refused.Code == 554 && !o.Range.IsZero() {
		return nil, scheme.Replied(scheme.CodeUsage, refused.Shown(), "the file %s does not reach to byte %d", dialogue.Quoted(name), o.Range.Offset)
	}
	switch refused.Code {
	case 501, 550, 551, 553:
	default:
		return nil, failed
	}
	a, err := s.tryDirectory()
	if err != nil {
		return nil, err
	}
	if a.Class() != 2 {
		return nil, failed
	}
	s.note("the name is a directory: its URL ends in a slash, " + s.place.url.Redacted())
	return s.list(o)
}

// partial is a part of a file.
type partial struct {
	offset, length int64
	total          int64 // size of the file, -1 if unknown
	honoured       bool  // the server accepts the offset
}

// prepareRange returns the part of the file to read, and asks for the size to check it against.
// Only TYPE I preserves offsets.
func (s *session) prepareRange(r scheme.Range) (partial, error) {
	part := partial{total: -1}
	if r.IsZero() {
		return part, nil
	}
	if s.place.typ != image {
		s.note("a part was asked for, but TYPE A does not count bytes: the whole is sent")
		return part, nil
	}
	part.offset, part.length, part.honoured = r.Offset, r.Length, true
	size, err := s.size(s.place.name)
	if err != nil {
		return part, err
	}
	part.total = size
	if size >= 0 && r.Offset > size {
		return part, scheme.Fail(scheme.CodeUsage, "the file %s has %d bytes: it does not reach to byte %d", dialogue.Quoted(s.place.name), size, r.Offset)
	}
	return part, nil
}

// restart returns a function that sends REST, to call directly before RETR (RFC 3659 5); nil if
// none is needed.
func (part *partial) restart(s *session) func() error {
	if part.offset == 0 {
		return nil
	}
	return func() error {
		r, err := s.ask("REST", dialogue.Bare("REST "+strconv.FormatInt(part.offset, 10)))
		if err != nil {
			return err
		}
		if r.Code != 350 {
			s.note("the server cannot begin within a file: the whole is sent")
			part.offset, part.length, part.honoured = 0, 0, false
		}
		return nil
	}
}

// size returns the size of a file (SIZE in TYPE I, RFC 3659 4), -1 if the server does not report
// it.
func (s *session) size(name string) (int64, error) {
	if s.noSIZE {
		return -1, nil
	}
	r, err := s.askAbout("SIZE", name)
	if err != nil {
		return -1, err
	}
	return s.sizeOf(r), nil
}

// sizeOf returns the size in a reply to SIZE, -1 if it has none.
func (s *session) sizeOf(r reply) int64 {
	s.noSIZE = r.Code == 500 || r.Code == 502
	n, err := strconv.ParseInt(strings.TrimSpace(r.Text()), 10, 64)
	if r.Code != 213 || err != nil || n < 0 {
		return -1
	}
	return n
}

// modified returns the modification time of a file (MDTM, RFC 3659 3), zero if the server does not
// report it.
func (s *session) modified(name string) (time.Time, error) {
	r, err := s.askAbout("MDTM", name)
	if err != nil {
		return time.Time{}, err
	}
	return timeOf(r), nil
}

// facts are what a server has known about a file that is to be read.
type facts struct {
	modified time.Time // zero if it is unknown
	size     int64     // -1 if it is unknown
}

// askAhead asks for the time of a file that is to be read, and for its size if the reply 150 may
// have none. It sends MDTM and SIZE in one write with the command that is due anyway, so they take
// no round trip: behind TYPE, or before EPSV or PASV if the type is set. The reply to EPSV is then
// pending, as after prefetchPort. Behind TYPE it is not yet known whether 150 has the size. A file
// that may turn out not to be needed is asked about alone, as is a name with two spellings.
func (s *session) askAhead(o options) (t facts, err error) {
	p := s.place
	t.size = -1
	lines, err := spellings("MDTM", "name", p.name)
	if err != nil {
		return t, err
	}
	batch, first := lines, ""
	switch {
	case s.timePending != "":
		t.modified, err = s.prefetchedTime()
		return t, err
	case len(lines) > 1 || !o.If.ModifiedSince.IsZero() || !s.pipelines(), s.typ == p.typ && (!s.dataWorked || !o.Range.IsZero()):
		t.modified, err = s.modified(p.name)
		return t, err
	case s.typ != p.typ:
		l := typeLine(p.typ)
		batch, first = []wire.Line{l, lines[0]}, l.String()
	}
	sized := o.asksSize() && p.typ == image && !s.noSIZE && (first != "" || s.unannounced)
	if sized {
		l, err := argument("SIZE", "name", p.name)
		if err != nil {
			return t, err
		}
		batch = append(batch, l)
	}
	if first == "" {
		_, l := s.passiveCommand()
		batch = append(batch, l)
	}
	if err := s.Send("MDTM", batch...); err != nil {
		return t, err
	}
	if first == "" {
		s.portPending, s.portPendingAt = true, s.env.Clock.Now()
	} else if ok, err := s.typeAhead(first, p.typ, sized); err != nil || !ok {
		if err == nil {
			t.modified, err = s.modified(p.name)
		}
		return t, err
	}
	r, err := s.reply("MDTM")
	t.modified = timeOf(r)
	if err == nil && sized {
		r, err = s.reply("SIZE")
		t.size = s.sizeOf(r)
	}
	return t, err
}

// typeAhead reads the reply to TYPE. If it is a refusal, perhaps of another command, typeAhead also
// reads the replies to those that were sent with it, and returns false.
func (s *session) typeAhead(after string, typ byte, sized bool) (ok bool, err error) {
	r, err := s.reply(after)
	if err != nil {
		return false, err
	}
	if r.Class() == 2 {
		s.typ = typ
		return true, nil
	}
	if _, err = s.reply("MDTM"); err == nil && sized {
		_, err = s.reply("SIZE")
	}
	s.env.Cache.Put(pipelineKey+s.place.addr, true, prefetchRetry)
	return false, err
}

// pipelineKey, and the address, is in Env.Cache if the server does not take several commands at
// once.
const pipelineKey = "no pipeline "

// pipelines reports whether several commands may be sent before the first reply.
//
// QUIRK: aioftp 0.21.4 replies to TYPE and MDTM in one segment in the wrong order: 502 to MDTM,
// which it does not have, then 200.
func (s *session) pipelines() bool {
	_, refused := s.env.Cache.Get(pipelineKey + s.place.addr)
	return !refused
}

// timeOf returns the time in a reply to MDTM, zero if it has none.
func timeOf(r reply) time.Time {
	if r.Code != 213 {
		return time.Time{}
	}
	t, _ := parseTime(strings.TrimSpace(r.Text()))
	return t
}

// askAbout sends a command with a name as its argument.
func (s *session) askAbout(verb, name string) (reply, error) {
	lines, err := spellings(verb, "name", name)
	if err != nil {
		return reply{}, err
	}
	return s.askSpellings(verb, lines)
}

// parseTime parses a time of RFC 3659 2.3: YYYYMMDDHHMMSS with an optional fraction, in UTC.
func parseTime(s string) (time.Time, bool) {
	whole, _, _ := strings.Cut(s, ".")
	if len(whole) != 14 {
		return time.Time{}, false
	}
	t, err := time.Parse("20060102150405", whole)
	return t, err == nil
}
