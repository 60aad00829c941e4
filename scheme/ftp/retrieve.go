package ftp

import (
	"strconv"
	"strings"
	"time"

	"locator/internal/mediatype"
	"locator/scheme"
	"locator/wire"
)

// retrieve reads a file (RFC 1738 3.2.2: TYPE, then RETR). A name that turns out to be a directory is listed.
func (v *visit) retrieve(o wishes) (*scheme.Resource, error) {
	p := v.plan
	res := &scheme.Resource{URL: p.url, Kind: scheme.KindObject, Attr: scheme.Attr{Type: mediatype.ByName(p.name), Ranges: p.typ == image}}
	if since := o.If.ModifiedSince; !since.IsZero() || o.Detail {
		modified, err := v.modified(p.name)
		if err != nil {
			return nil, err
		}
		res.Attr.Modified = modified
		if !since.IsZero() && !modified.IsZero() && !modified.After(since) {
			res.NotModified, res.Notes = true, v.notes
			v.leave()
			return res, nil
		}
	}
	if err := v.setType(p.typ); err != nil {
		return nil, err
	}
	part, err := v.prepareRange(o.Range)
	if err != nil {
		return nil, err
	}
	d, answer, err := v.transfer("RETR", p.commands, part.restart(v))
	if err != nil {
		return nil, err
	}
	if d == nil {
		return v.retrieveRefused(o, answer)
	}
	return v.object(res, d, part), nil
}

// object makes the resource of a transfer that has begun.
func (v *visit) object(res *scheme.Resource, d *data, part partial) *scheme.Resource {
	if part.length == 0 {
		d.readAhead(announced(d.begun.text()))
	}
	b := &body{d: d, src: d.Conn, name: v.plan.name, want: -1, limit: -1, exact: v.plan.typ == image}
	size := announced(d.begun.text())
	switch {
	case v.plan.typ == ascii: // sizes count octets as stored or as sent, servers differ
		b.src, size = fromASCII(d.Conn), -1
	case part.total >= 0: // asked for: what 150 says of a part is the whole (vsftpd) or the rest (proftpd)
		size, b.want = part.total, part.total-part.offset
	case part.offset == 0:
		b.want = size
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
	res.Body, res.Notes = b, v.notes
	return res
}

// retrieveRefused tells a directory from what is not there.
func (v *visit) retrieveRefused(o wishes, refused reply) (*scheme.Resource, error) {
	name := v.plan.name
	failed := refused.fail("the server refused to send the file %s", quoted(name))
	if refused.code == 554 && !o.Range.IsZero() {
		return nil, scheme.Replied(scheme.CodeUsage, refused.shown(), "the file %s does not reach to octet %d", quoted(name), o.Range.Offset)
	}
	if refused.code != 550 && refused.code != 553 && refused.code != 501 {
		return nil, failed
	}
	a, err := v.tryDirectory()
	if err != nil {
		return nil, err
	}
	if a.class() != 2 {
		return nil, failed
	}
	v.note("the name is a directory: its URL ends in a slash, " + v.plan.url.Redacted())
	return v.list(o)
}

// partial is a part of a file.
type partial struct {
	offset, length int64
	total          int64 // size of the whole, -1 where unknown
	honoured       bool  // the server goes along
}

// prepareRange finds the size that a part is judged by. Only TYPE I counts octets as the caller does.
func (v *visit) prepareRange(r scheme.Range) (partial, error) {
	part := partial{total: -1}
	if r.IsZero() {
		return part, nil
	}
	if v.plan.typ != image {
		v.note("a part was asked for, but TYPE A does not count octets: the whole is sent")
		return part, nil
	}
	part.offset, part.length, part.honoured = r.Offset, r.Length, true
	size, err := v.size(v.plan.name)
	if err != nil {
		return part, err
	}
	part.total = size
	if size >= 0 && r.Offset > size {
		return part, scheme.Fail(scheme.CodeUsage, "the file %s has %d octets: it does not reach to octet %d", quoted(v.plan.name), size, r.Offset)
	}
	return part, nil
}

// restart gives what is to be sent right before RETR (RFC 3659 5), nil where nothing is.
func (part *partial) restart(v *visit) func() error {
	if part.offset == 0 {
		return nil
	}
	return func() error {
		r, err := v.ask("REST", bare("REST "+strconv.FormatInt(part.offset, 10)))
		if err != nil {
			return err
		}
		if r.code != 350 {
			v.note("the server cannot begin within a file: the whole is sent")
			part.offset, part.length, part.honoured = 0, 0, false
		}
		return nil
	}
}

// size asks SIZE in TYPE I (RFC 3659 4), -1 where the server does not tell.
func (v *visit) size(name string) (int64, error) {
	if v.noSIZE {
		return -1, nil
	}
	r, err := v.askAbout("SIZE", name)
	if err != nil || r.code != 213 {
		v.noSIZE = err == nil && (r.code == 500 || r.code == 502)
		return -1, err
	}
	n, err := strconv.ParseInt(strings.TrimSpace(r.text()), 10, 64)
	if err != nil || n < 0 {
		return -1, nil
	}
	return n, nil
}

// modified asks MDTM (RFC 3659 3), zero where the server does not tell.
func (v *visit) modified(name string) (time.Time, error) {
	r, err := v.askAbout("MDTM", name)
	if err != nil || r.code != 213 {
		return time.Time{}, err
	}
	t, _ := parseTime(strings.TrimSpace(r.text()))
	return t, nil
}

// askAbout sends a command about a name.
func (v *visit) askAbout(verb, name string) (reply, error) {
	lines, err := v.about(verb, name)
	if err != nil {
		return reply{}, unsafeAsRefused(err)
	}
	return v.askAny(verb, lines)
}

func (v *visit) about(verb, name string) ([]wire.Line, error) { return spellings(verb, "name", name) }

// parseTime reads a time of RFC 3659 2.3: YYYYMMDDHHMMSS, perhaps with a fraction, in UTC.
func parseTime(s string) (time.Time, bool) {
	whole, _, _ := strings.Cut(s, ".")
	if len(whole) != 14 {
		return time.Time{}, false
	}
	t, err := time.Parse("20060102150405", whole)
	return t, err == nil
}
