package gopher

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"strings"

	"locator/scheme"
)

// reply is the reply to a request. Its Gopher+ header has been read.
type reply struct {
	*peer
	env    *scheme.Env
	q      request
	reader reader
	plain  bool                  // a reply of plain gopher, without a Gopher+ header
	length int64                 // of a Gopher+ reply: a count, toMark or toClose
	known  map[item]scheme.Entry // attributes of items of a menu, by key; may be nil
	notes  []string
	views  bool // noted: an item with more than maxAlternates views
}

// fetch sends a request and reads the header of the reply. If the header announces an error, fetch returns it.
func (s Scheme) fetch(ctx context.Context, env *scheme.Env, q request, chars charset) (*reply, error) {
	p, err := s.open(ctx, env, q)
	if err != nil {
		return nil, err
	}
	a := &reply{peer: p, env: env, q: q, reader: reader{here: q.place, chars: chars}, plain: true, length: toClose}
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
		// QUIRK: pygopherd understands only "!" and treats "!+ABSTRACT" as a plain request (pygopherd, 07 and 08).
		p.Close()
		env.Trace.OnNote("the server ignored a request for single attributes: asking for all")
		q.plus.arg = ""
		return s.fetch(ctx, env, q, chars)
	}
	note := "the server ignored the Gopher+ request; this is its reply to a plain one"
	if q.plus.block != nil {
		note = "the server ignored the Gopher+ request, and the form's data with it; this is its reply to a plain one"
	}
	a.notes = append(a.notes, note)
	return a, nil
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

// content returns the format of the reply. A view determines it before the item type does (RFC 1738 3.4.8).
func (q request) content(plain bool) content {
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
func (q request) viewType() string {
	if q.plus.verb != '+' {
		return ""
	}
	view, _, _ := strings.Cut(q.plus.arg, " ")
	return strings.ToLower(view)
}

// resource makes the resource of a reply, and closes the connection if it cannot.
func (a *reply) resource(r wishes) (*scheme.Resource, error) {
	res, err := a.read(r)
	if err != nil {
		a.Close()
		return nil, err
	}
	res.Notes = append(a.notes, res.Notes...)
	return res, nil
}

func (a *reply) read(r wishes) (*scheme.Resource, error) {
	if a.plain && a.q.plus.verb == '!' {
		return nil, a.noPlus()
	}
	switch c := a.q.content(a.plain); c {
	case givesMenu:
		return a.menu(r)
	case givesBlocks:
		if r.Raw {
			return a.object(r, true)
		}
		return a.blocks(r)
	case givesAttributes:
		return a.attributes()
	default:
		return a.object(r, c == givesText)
	}
}

// noPlus returns the error of a server that did not answer a request for attributes with attributes.
func (a *reply) noPlus() error {
	s, words, _, err := a.shape(a.in)
	switch {
	case err != nil:
		return err
	case s == shapeError:
		return missing(words)
	case s == shapeHTTP:
		return noGopher()
	}
	return scheme.Fail(scheme.CodeUnsupported, "the server does not speak Gopher+, so the item has no attributes; leave %%09%%09%c out of the URL", a.q.plus.verb)
}

// stream returns the bytes after the header, up to the length in it.
func (a *reply) stream() *bufio.Reader {
	if a.length >= 0 {
		return bufio.NewReaderSize(&body{p: a.peer, left: a.length}, a.in.Size())
	}
	return a.in
}

// menu reads the reply to a request for a menu.
func (a *reply) menu(r wishes) (*scheme.Resource, error) {
	in := a.stream()
	s, words, begin, err := a.shape(in)
	if err != nil {
		return nil, err
	}
	switch s {
	case shapeHTTP:
		return nil, noGopher()
	case shapeError:
		return nil, missing(words)
	case shapeEmpty:
		if a.plain {
			return nil, scheme.Fail(scheme.CodeProtocol, "the server closed the connection without a word; a menu has an end mark at least")
		}
	case shapeText:
		a.notes = append(a.notes, "the reply is no menu: it is given as a text")
		return a.given(r, in, mediaText), nil
	}
	if r.Raw {
		return a.given(r, in, mediaMenu), nil
	}
	if r.copy != nil {
		in = bufio.NewReaderSize(io.TeeReader(in, r.copy), in.Size())
	}
	m := &menu{
		reader: a.reader, entries: a.env.Limits.Entries, wish: r.max, known: a.known, failed: a.failed,
		lines: newLines(in, begin, a.env.Limits.Line, a.env.Limits.Listing, a.idle.sawEndMark, a.env.Tell),
	}
	m.proper = isProper(begin)
	return &scheme.Resource{
		Kind: scheme.KindListing, Attr: scheme.Attr{Type: mediaMenu}, Closer: a,
		Entries: func(yield func(scheme.Entry, error) bool) {
			defer a.Close()
			m.all(yield)
		},
	}, nil
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

// shape determines the shape of a reply without reading it. It looks no further than needed, at most at one buffer.
func (a *reply) shape(in *bufio.Reader) (s shape, words string, begin []byte, err error) {
	defer a.idle.sawEndMark(false)
	for {
		var eof bool
		begin, err = look(in, len(begin))
		switch {
		case err == io.EOF:
			eof, err = true, nil
		case err == bufio.ErrBufferFull:
			return shapeMenu, "", begin, nil
		case err != nil:
			return s, "", nil, a.failed(err)
		}
		if s, words = shapeOf(begin, eof); s != shapeUnknown {
			return s, words, begin, nil
		}
		a.idle.sawEndMark(endsInMark(begin))
	}
}

// endsInMark reports whether the last line of b is an end mark.
func endsInMark(b []byte) bool {
	b, ok := bytes.CutSuffix(b, []byte{'\n'})
	b = bytes.TrimSuffix(b, []byte{'\r'})
	return ok && (string(b) == endMark || bytes.HasSuffix(b, []byte("\n"+endMark)))
}

// given is what in holds, as a text or as received.
func (a *reply) given(r wishes, in io.Reader, media string) *scheme.Resource {
	b := &body{p: a.peer, left: toClose}
	if a.length != toClose || a.plain {
		b.text = newTextDecoder(in, r.Raw || a.length >= 0, a.idle.sawEndMark, a.env.Tell)
	}
	return &scheme.Resource{Kind: scheme.KindObject, Body: b, Attr: scheme.Attr{Type: media}}
}

// object reads the reply to a request for anything else.
func (a *reply) object(r wishes, text bool) (*scheme.Resource, error) {
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
	b := a.newBody(a.env, a.length, text && a.plain, r.Raw)
	res.Body = b
	if r.Decode && !r.Raw {
		return res, a.unwrap(res)
	}
	return res, nil
}

// head returns the start of a body without reading it. It returns an error that the server sent instead of a body.
func (a *reply) head() ([]byte, error) {
	defer a.idle.sawEndMark(false)
	var b []byte
	for {
		if a.length >= 0 && int64(len(b)) >= a.length {
			return b[:a.length], nil
		}
		var err error
		var eof bool
		b, err = look(a.in, len(b))
		switch {
		case err == io.EOF:
			eof = true
		case err == bufio.ErrBufferFull:
			return b, nil
		case err != nil:
			return nil, a.failed(err)
		}
		if !a.plain {
			if eof || len(b) >= sniffLen {
				return b, nil
			}
			continue
		}
		if isHTTP(b) {
			return nil, noGopher()
		}
		words, found, more := bodyError(b, eof)
		if found {
			return nil, missing(words)
		}
		if eof || !more && (len(b) >= sniffLen && !mayBeHTTP(b)) {
			return b, nil
		}
		a.idle.sawEndMark(endsInMark(b))
	}
}

// mayBeHTTP reports whether b may be the begin of an HTTP reply, but is too short to tell.
func mayBeHTTP(b []byte) bool {
	const begin = "HTTP/1."
	return len(b) < len("HTTP/1.0 200") && strings.HasPrefix(string(b), begin)
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
	text, err := io.ReadAll(io.LimitReader(a.newBody(a.env, a.length, false, false), limit+1))
	switch {
	case err != nil:
		return nil, record{}, err
	case int64(len(text)) > limit:
		return nil, record{}, scheme.Fail(scheme.CodeBroken, "the attributes passed the limit of %d bytes", limit)
	}
	rec, err := a.records(bufio.NewReader(bytes.NewReader(text)), text).next()
	if err == io.EOF {
		err = scheme.Replied(scheme.CodeProtocol, said(string(text)), "no attributes in the reply to a request for them")
	}
	return text, rec, err
}
