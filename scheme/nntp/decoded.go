package nntp

import (
	"errors"
	"io"
	"math"

	"locator/internal/mailtext"
	"locator/scheme"
)

// open returns an article.
func (s *session) open(o scheme.AccessOptions) (*scheme.Resource, error) {
	r, err := s.article(s.place.lines.article, "ARTICLE")
	if err != nil {
		return nil, err
	}
	if r.Code != 220 {
		return nil, s.End(r.fail("ARTICLE"))
	}
	t := s.newText()
	header := t.readHeader(s.Max)
	attr := attributes(header, o.Accept.Charset)
	res := &scheme.Resource{URL: s.place.url, Kind: scheme.KindObject, Attr: attr, Body: t, Notes: s.notes, Status: digits(int64(r.Code))}
	res.Related = s.place.related(header, attr)
	if o.Decode {
		res.Body = s.decode(t, o)
		res.Attr.Type, res.Attr.Lines = "text/plain; charset=utf-8", scheme.Count{}
	}
	return res, nil
}

// decoded is an article as people read it.
type decoded struct {
	text io.ReadCloser
	of   *text
}

// decode returns an article as people read it.
func (s *session) decode(t *text, o scheme.AccessOptions) *decoded {
	t.decoded = true
	in := &encoded{t, math.MaxInt64}
	if limit := s.env.Limits.Body; limit > 0 {
		in.left = maxEncoded*min(limit, math.MaxInt64/(2*maxEncoded)) + encodedFree
	}
	return &decoded{mailtext.NewReader(in, mailtext.Options{Charset: o.Accept.Charset, Flow: true, Part: o.Part}), t}
}

// Read returns UTF-8. What an article must not have is an error after all of it (CodeProtocol).
func (d *decoded) Read(p []byte) (int, error) {
	n, err := d.text.Read(p)
	switch {
	case errors.Is(err, mailtext.ErrForm):
		err = scheme.Fail(scheme.CodeProtocol, "%w; without decoding, the article comes as it is", err)
	case err == io.EOF && d.of.odd:
		err = scheme.Fail(scheme.CodeProtocol, "the article has %s; without decoding, it comes as it is", oddBytes)
	}
	return n, err
}

// Close closes the article.
func (d *decoded) Close() error {
	d.text.Close()
	return d.of.Close()
}

// An article is longer than its text: Limits.Body, which limits the text, limits the article to
// maxEncoded times as many bytes and encodedFree more. Otherwise an attachment without end that
// nobody saves would end at no limit.
const (
	maxEncoded  = 4
	encodedFree = 1 << 20
)

// encoded reads an article up to a limit.
type encoded struct {
	r    io.Reader
	left int64
}

// Read implements io.Reader.
func (e *encoded) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, scheme.Fail(scheme.CodeBroken, "the article is much longer than the limit of its text")
	}
	n, err := e.r.Read(p[:min(int64(len(p)), e.left)])
	e.left -= int64(n)
	return n, err
}
