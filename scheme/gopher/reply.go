package gopher

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"io"
	"strings"

	"locator/scheme"
)

// reply is the reply to a request. Its Gopher+ header has been read.
type reply struct {
	*conn
	env    *scheme.Env
	q      place
	reader reader
	plain  bool                  // a reply of plain gopher, without a Gopher+ header
	length int64                 // of a Gopher+ reply: a count, toMark or toClose
	known  map[item]scheme.Entry // attributes of items of a menu, by key; may be nil
	notes  []string
	views  bool // noted: an item with more than maxAlternates views
}

// fetch sends a request and reads the header of the reply. If the header announces an error, fetch
// returns it.
func (s Scheme) fetch(ctx context.Context, env *scheme.Env, q place) (*reply, error) {
	p, err := s.open(ctx, env, q)
	if err != nil {
		return nil, err
	}
	a := &reply{conn: p, env: env, q: q, reader: reader{here: q.server, chars: q.chars}, plain: true, length: toClose}
	if !q.plus.set() {
		return a, nil
	}
	h, ok, err := p.readHeader(env)
	if q.plus.block != nil {
		if _, end := p.in.Peek(1); err == nil && !ok && end != nil {
			err = p.failed(end)
		}
		if err != nil {
			err = inDoubt(ctx, err)
		}
	}
	if err == nil && ok && h.failed {
		err = p.plusError(env, a.reader, h)
	}
	if err != nil {
		p.Close()
		return nil, err
	}
	if ok {
		a.plain, a.length = false, h.size
		return a, nil
	}
	if q.plus.verb == '!' && q.plus.arg != "" {
		// QUIRK: pygopherd understands only "!" and treats "!+ABSTRACT" as a plain request
		// (pygopherd, 07 and 08).
		p.Close()
		env.Trace.OnNote("the server ignored a request for single attributes: asking for all")
		q.plus.arg = ""
		return s.fetch(ctx, env, q)
	}
	note := "the server ignored the Gopher+ request; this is its reply to a plain one"
	if q.plus.block != nil {
		note = "the server ignored the Gopher+ request, and the form's data with it; this is its reply to a plain one"
	}
	a.notes = append(a.notes, note)
	return a, nil
}

// get sends a request and returns the resource in the reply.
func (s Scheme) get(ctx context.Context, env *scheme.Env, q place, r options) (*scheme.Resource, error) {
	a, err := s.fetch(ctx, env, q)
	if err != nil {
		return nil, err
	}
	return a.resource(r)
}

// content is the format of a reply, as far as the request determines it.
type content uint8

const (
	givesOctets     content = iota
	givesText               // may have an end mark
	givesMenu               // a menu
	givesBlocks             // items with their attributes
	givesAttributes         // the attributes of one item
)

// content returns the format of the reply. A view determines it before the item type does (RFC 1738
// 3.4.8).
func (q place) content(plain bool) content {
	if !plain {
		switch q.plus.verb {
		case '!':
			return givesAttributes
		case '$':
			return givesBlocks
		}
		switch view := q.viewType(); view {
		case "":
		case mediaMenu, "directory/recursive":
			return givesMenu
		case mediaPlusMenu, "directory+/recursive":
			return givesBlocks
		default:
			return givesOctets // whose length the header has
		}
	}
	switch t := typeOf(trueType(q.typ, q.selector)); {
	case t.kind == scheme.KindListing, t.kind == scheme.KindQuery:
		return givesMenu
	case t.text:
		return givesText
	}
	return givesOctets
}

// viewType returns the media type of the requested view in lower case, "" if no view is requested.
func (q place) viewType() string {
	if q.plus.verb != '+' {
		return ""
	}
	view, _, _ := strings.Cut(q.plus.arg, " ")
	return strings.ToLower(view)
}

// resource makes the resource of a reply, and closes the connection if it cannot.
func (a *reply) resource(r options) (*scheme.Resource, error) {
	res, err := a.read(r)
	if err != nil {
		a.Close()
		return nil, err
	}
	res.Notes = append(a.notes, res.Notes...)
	return res, nil
}

func (a *reply) read(r options) (*scheme.Resource, error) {
	if a.plain && a.q.plus.verb == '!' {
		return nil, a.noPlus()
	}
	switch c := a.q.content(a.plain); c {
	case givesMenu:
		return a.menu(r)
	case givesBlocks:
		if r.Raw != 0 {
			r.Raw = scheme.RawAll
			return a.object(r, true)
		}
		return a.blocks(r)
	case givesAttributes:
		return a.attributes()
	default:
		return a.object(r, c == givesText)
	}
}

// noPlus returns the error of a server that did not answer a request for attributes with
// attributes.
func (a *reply) noPlus() error {
	if _, _, err := a.shape(); err != nil {
		return err
	}
	return scheme.Fail(scheme.CodeUnsupported, "the server does not speak Gopher+, so the item has no attributes; leave %%09%%09%c out of the URL", a.q.plus.verb)
}

// stream returns the bytes after the header, up to the length in it, and copies what is read to a
// writer, if it is not nil.
func (a *reply) stream(to io.Writer) *bufio.Reader {
	in := io.Reader(a.in)
	if a.length >= 0 {
		in = a.body(false, true)
	}
	if to != nil {
		in = io.TeeReader(in, to)
	}
	return bufio.NewReaderSize(in, a.in.Size())
}

// menu reads the reply to a request for a menu.
func (a *reply) menu(r options) (*scheme.Resource, error) {
	s, begin, err := a.shape()
	if err != nil {
		return nil, err
	}
	switch s {
	case shapeEmpty:
		if a.plain {
			return nil, scheme.Fail(scheme.CodeProtocol, "the server sent an empty reply; a menu has at least an end mark")
		}
	case shapeText:
		a.notes = append(a.notes, "the server sent a text instead of a menu")
		return &scheme.Resource{Kind: scheme.KindObject, Body: a.body(true, r.Raw != 0), Attr: scheme.Attr{Type: mediaText}}, nil
	}
	if r.Raw != 0 {
		return &scheme.Resource{Kind: scheme.KindObject, Body: a.body(true, true), Attr: scheme.Attr{Type: mediaMenu}}, nil
	}
	in := a.stream(r.copy)
	m := &menu{
		reader: a.reader, entries: a.env.Limits.Entries, wish: r.max, known: a.known, failed: a.failed,
		lines: a.lines(in), proper: isProper(begin),
	}
	return &scheme.Resource{
		Kind: scheme.KindListing, Attr: scheme.Attr{Type: mediaMenu}, Closer: a,
		Entries: func(yield func(scheme.Entry, error) bool) {
			defer a.Close()
			m.all(yield)
		},
	}, nil
}

// lines returns the lines of in, a part of the reply.
func (a *reply) lines(in *bufio.Reader) *lines {
	l := newLines(in, a.env.Limits.Line, a.env.Limits.Listing, a.idle.sawEndMark, a.env.Tell)
	l.conn = a.wire
	return l
}

// isProper reports whether one of the first lines has all fields.
func isProper(begin []byte) bool {
	for line := range bytes.Lines(begin) {
		if bytes.Count(line, []byte{'\t'}) >= 3 {
			return true
		}
	}
	return false
}

// shape determines the shape of a reply by its begin, without reading it. It returns an error that
// the server sent instead of a menu.
func (a *reply) shape() (s shape, begin []byte, err error) {
	var words string
	if begin, err = a.peek(a.length, func(b []byte, eof bool) bool {
		s, words = shapeOf(b, eof)
		return s != shapeUnknown
	}); err != nil {
		return s, nil, err
	}
	switch s {
	case shapeHTTP:
		err = noGopher()
	case shapeError:
		err = missing(words)
	}
	return s, begin, err
}

// object reads the reply to a request for anything else.
func (a *reply) object(r options, text bool) (*scheme.Resource, error) {
	res := &scheme.Resource{Kind: scheme.KindObject}
	head, err := a.head()
	if err != nil {
		return nil, err
	}
	if a.plain && len(head) == 0 {
		res.Notes = append(res.Notes, "the server sent nothing: an empty item, or an error that it does not explain")
	}
	switch view := a.q.viewType(); {
	case !a.plain && view != "":
		res.Attr.Type = view
	case a.q.plus.verb == '$':
		res.Attr.Type = mediaPlusMenu
	default:
		res.Attr.Type = mediaOf(a.q.typ, a.q.selector, head)
	}
	if name := a.reader.chars.name(r.Accept.Charset); name != "" && strings.HasPrefix(res.Attr.Type, "text/") {
		res.Attr.Type += "; charset=" + strings.ToLower(name)
	}
	if a.length >= 0 {
		res.Attr.Size = scheme.Known(a.length)
	}
	res.Body = a.body(text, r.Raw == scheme.RawAll)
	if r.Decode && r.Raw != scheme.RawAll {
		return res, a.unwrap(res)
	}
	return res, nil
}

// head returns the start of a body without reading it. It returns an error that the server sent
// instead of a body.
func (a *reply) head() ([]byte, error) {
	var refused error
	head, err := a.peek(a.length, func(b []byte, eof bool) bool {
		if !a.plain {
			return len(b) >= sniffLen
		}
		words, isError, more := bodyError(b, eof)
		switch {
		case isHTTP(b):
			refused = noGopher()
		case isError:
			refused = missing(words)
		}
		return refused != nil || !more && len(b) >= sniffLen && (len(b) >= minHTTP || !mayBegin(b, "HTTP/1."))
	})
	return head, cmp.Or(err, refused)
}

// attributes reads the attributes of an item. The body has them as received, Attr has them parsed.
func (a *reply) attributes() (*scheme.Resource, error) {
	text, rec, err := a.readAttributes()
	if err != nil {
		return nil, err
	}
	a.Close()
	attr := rec.attr(a.reader.chars)
	attr.Type, attr.Size = mediaText, scheme.Known(int64(len(text)))
	return &scheme.Resource{Kind: scheme.KindObject, Attr: attr, Body: io.NopCloser(bytes.NewReader(text))}, nil
}

// readAttributes reads the attributes of one item, which is the first in the reply.
func (a *reply) readAttributes() ([]byte, record, error) {
	limit := int64(a.env.Limits.Header)
	text, err := io.ReadAll(io.LimitReader(a.body(false, false), limit+1))
	switch {
	case err != nil:
		return nil, record{}, err
	case int64(len(text)) > limit:
		return nil, record{}, scheme.Fail(scheme.CodeBroken, "the attributes passed the limit of %d bytes", limit)
	}
	for rec, err := range a.records(bufio.NewReader(bytes.NewReader(text))) {
		return text, rec, err
	}
	return nil, record{}, scheme.Replied(scheme.CodeProtocol, said(string(text)), "no attributes in the reply to a request for them")
}
