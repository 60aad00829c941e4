package wais

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"locator"
	"locator/internal/hint"
	"locator/internal/z3950"
	"locator/scheme"
	"locator/scheme/internal/charsets"
)

// Query is a search of a database.
type Query struct {
	Words string     // in the query language of the server, byte for byte
	Like  []Document // documents that the results should resemble (relevance feedback)
	Max   int        // documents; 0 means as many as the server and the limits allow
}

// Document is a document or a part of it, for relevance feedback.
type Document struct {
	URL locator.URL // on the server that is searched
	// Unit says what Start and End count, from 0. The part is from Start to before End.
	Unit       Unit
	Start, End uint64
}

// Unit is a unit of a part of a document.
type Unit uint8

// The units.
const (
	Whole Unit = iota // the whole document
	Bytes
	Lines
)

// defaultMax is how many documents a search asks for if the caller does not say. More do not fit
// into a response of 100,000 bytes, the largest that servers send.
const defaultMax = 1000

// search is a search that can be sent. It is checked before any connection.
type search struct {
	words string
	like  []z3950.Feedback
	max   int
	all   bool // max is not the caller's
}

// newSearch returns the search of a query. Its errors have the code CodeUsage.
func (p *place) newSearch(q Query, limits scheme.Limits) (search, error) {
	w := search{words: q.Words, max: q.Max}
	if w.all = w.max <= 0; w.all {
		w.max = defaultMax
		if limits.Entries > 0 {
			w.max = min(w.max, limits.Entries+1) // one more, to notice that the limit is exceeded
		}
	}
	for _, d := range q.Like {
		like, err := newPlace(d.URL)
		switch {
		case err != nil:
			return w, scheme.Fail(scheme.CodeUsage, "no document to search for similar ones: %w", err)
		case like.kind != locator.WAISDocument:
			return w, scheme.Fail(scheme.CodeUsage, "%s is not a document: only documents have similar ones", d.URL.Redacted())
		case !strings.EqualFold(like.addr, p.addr):
			return w, scheme.Fail(scheme.CodeUsage, "%s is on another server, which alone understands its document-id", d.URL.Redacted())
		}
		f := z3950.Feedback{ID: like.id, Type: like.typ}
		switch d.Unit {
		case Bytes:
			f.Part = z3950.NewPart(z3950.PartBytes, d.Start, d.End)
		case Lines:
			f.Part = z3950.NewPart(z3950.PartLines, d.Start, d.End)
		}
		w.like = append(w.like, f)
	}
	return w, nil
}

func (p *place) searchFor(w search) *z3950.Search {
	return z3950.NewSearch(p.database, &z3950.Words{Seeds: w.words, Like: w.like, DateFactor: z3950.Some(1), Max: z3950.Some(uint64(w.max))})
}

// Search searches the database of r.URL. Words replace those of the URL. It is for Client.Do: List
// has the same without parts of documents.
func (Scheme) Search(ctx context.Context, env *scheme.Env, r scheme.Request, q Query) (*scheme.Resource, error) {
	p, err := newPlace(r.URL)
	if err != nil {
		return nil, err
	}
	return p.search(ctx, env, q, options{})
}

// options are what the caller of any operation wants.
type options struct {
	accept scheme.Accept
	info   bool      // the server's description of itself
	raw    bool      // the bytes of a listing
	copy   io.Writer // gets the bytes of a listing; nil means none
}

func (p *place) search(ctx context.Context, env *scheme.Env, q Query, o options) (*scheme.Resource, error) {
	if p.kind == locator.WAISDocument {
		return nil, scheme.Fail(scheme.CodeUsage, "a document cannot be searched; search its database")
	}
	if q.Words == "" {
		q.Words = p.words
	}
	w, err := p.newSearch(q, env.Limits)
	if err != nil {
		return nil, err
	}
	wish, err := charsets.Named(o.accept.Charset)
	if err != nil {
		return nil, err
	}
	return withSession(ctx, env, p, func(s *session) (*scheme.Resource, error) {
		about, err := s.about(o)
		if err != nil {
			return nil, err
		}
		res := new(scheme.Resource)
		if o.raw {
			res, err = s.rawSearch(w)
		} else {
			res, err = s.listing(w, charset{charsets.Decoder{Wish: wish}}, o)
		}
		if err == nil {
			res.Attr.More = append(res.Attr.More, about...)
		}
		return res, err
	})
}

// about returns what the server says about itself, if the caller wants it.
func (s *session) about(o options) ([]scheme.Attribute, error) {
	if !o.info {
		return nil, nil
	}
	about, err := s.negotiate()
	if errors.Is(err, errNoAnswer) { // Init is optional
		s.note("the server says nothing about itself")
		err = nil
	}
	return about, err
}

// hits yields the documents of a response.
type hits struct {
	s       *session
	shown   int               // diagnostics that were passed on
	refused *z3950.Diagnostic // the first diagnostic
	found   int               // documents
	nothing bool              // the record of an empty result
	ended   error             // io.EOF or an error; nil while there may be more
}

// maxShown bounds the diagnostics of one response that are passed on.
const maxShown = 16

// nextHeader returns the next document of a search. The record that freeWAIS sends instead of an
// empty result is left out.
func (h *hits) nextHeader() (*z3950.DocumentHeader, error) {
	for {
		rec, err := h.s.next()
		if err != nil {
			h.ended = err
			return nil, err
		}
		switch rec := rec.(type) {
		case *z3950.DocumentHeader:
			if !isNothing(rec) {
				h.found++
				return rec, nil
			}
			h.nothing = true
		case *z3950.Diagnostic:
			if h.refused == nil {
				h.refused = rec
			}
			if h.shown++; h.shown <= maxShown && h.found > 0 {
				h.s.env.Tell("the server says: " + said(rec))
			}
		}
	}
}

// tellOfMore notifies the caller, after the last document, if the server may have more.
//
// QUIRK: freeWAIS leaves out the documents that do not fit into its response, and says nothing
// (26-search-small-buffer).
func (h *hits) tellOfMore(w search) {
	most := int64(maxAPDU)
	if h.s.size > 0 {
		most = h.s.size
	}
	n := int64(h.found)
	switch {
	case n >= int64(w.max) && w.all:
		h.s.env.Tell("the server found as many documents as it was asked for; there may be more")
	case n < int64(w.max) && h.s.length+2*h.s.length/n > most: // another document of twice the usual size would not fit
		h.s.env.Tell(fmt.Sprintf("the server sent %d documents, as many as fit into a response; there may be more", n))
	}
}

// nothingFound begins the headline of the record of an empty result.
const nothingFound = "Search produced no result"

// isNothing reports whether a record is that of an empty result.
//
// QUIRK: freeWAIS offers the catalogue of the database if it finds nothing, with the score 0
// (07-ex-search-no-hit).
func isNothing(h *z3950.DocumentHeader) bool {
	return h.Score.Set && h.Score.N == 0 && strings.HasPrefix(h.Headline, nothingFound)
}

// errNoRecords is the error of a search whose response has neither documents, nor a diagnostic, nor
// the record of an empty result.
var errNoRecords = errors.New("the server returned no record at all; the database may be empty, or missing")

// find sends a search, and reads the response up to the first document. A response with a
// diagnostic only, or without records, is an error.
func (s *session) find(w search, in io.Reader) (*hits, *z3950.DocumentHeader, error) {
	err := s.ask(s.place.searchFor(w), in, s.env.Limits.Listing, s.env.Limits.Header)
	if errors.Is(err, errNoAnswer) {
		return nil, nil, scheme.Fail(scheme.CodeUnsupported, "the server cannot carry out the search: %w", err)
	}
	if err != nil {
		return nil, nil, err
	}
	h := &hits{s: s}
	first, err := h.nextHeader()
	switch {
	case err == io.EOF && h.refused != nil && w.words == "" && w.like != nil && strings.HasPrefix(h.refused.Text, syntaxError):
		return nil, nil, hint.Replied(hint.Answers, scheme.CodeUsage, said(h.refused), "the server wants words besides the similar documents")
	case err == io.EOF && h.refused != nil:
		return nil, nil, refused(h.refused)
	case err == io.EOF && !h.nothing:
		return nil, nil, scheme.Fail(scheme.CodeNotFound, "%w", errNoRecords)
	case err != nil && err != io.EOF:
		return nil, nil, err
	case h.refused != nil: // it came before the first document
		s.env.Tell("the server says: " + said(h.refused))
	}
	return h, first, nil
}

// listing returns the documents that a search finds.
func (s *session) listing(w search, chars charset, o options) (*scheme.Resource, error) {
	in := io.Reader(s)
	if o.copy != nil {
		in = io.TeeReader(s, o.copy)
	}
	h, first, err := s.find(w, in)
	if err != nil && !errors.Is(err, errNoRecords) {
		return nil, err
	}
	// RFC 1738 2.2: "+" is itself. Period browsers wrote it for a blank.
	if words := strings.ReplaceAll(w.words, "+", " "); first == nil && words != w.words && o.copy == nil {
		w.words = words
		if h, first, err = s.find(w, in); first != nil {
			s.note("nothing was found for the words with \"+\"; blanks instead of it were")
		}
	}
	if err != nil {
		return nil, err
	}
	if first == nil {
		s.note("the search found nothing")
	}
	return &scheme.Resource{Kind: scheme.KindListing, Closer: s.lease, Entries: func(yield func(scheme.Entry, error) bool) {
		defer s.stop()
		limit := s.env.Limits.Entries
		for next := first; next != nil; {
			var err error
			if h.found > limit {
				err = scheme.Fail(scheme.CodeBroken, "the listing has more entries than the limit of %d", limit)
			}
			if !yield(s.entry(next, chars, o), err) || err != nil {
				return
			}
			next, err = h.nextHeader()
			switch {
			case err == io.EOF:
				h.tellOfMore(w)
			case err != nil:
				yield(scheme.Entry{}, err)
			}
		}
		if h.ended == io.EOF {
			s.release()
		}
	}}, nil
}

// rawSearch returns the packet of the response to a search.
func (s *session) rawSearch(w search) (*scheme.Resource, error) {
	head := new(strings.Builder)
	h, err := s.send(s.place.searchFor(w), io.TeeReader(s, head), s.env.Limits.Listing)
	if err != nil && !errors.Is(err, errNoAnswer) {
		return nil, err
	}
	b := &packet{s: s, left: h.Length}
	b.in = io.MultiReader(strings.NewReader(head.String()), io.LimitReader(s, h.Length))
	return &scheme.Resource{
		Kind: scheme.KindObject, Attr: scheme.Attr{Type: "application/octet-stream", Size: scheme.Known(z3950.HeaderSize + h.Length)}, Body: b,
	}, nil
}

// packet is a packet as received.
type packet struct {
	s    *session
	in   io.Reader
	left int64
	n    int64
}

// Read implements io.Reader.
func (p *packet) Read(b []byte) (int, error) {
	n, err := p.in.Read(b)
	p.n += int64(n)
	switch whole := p.n == z3950.HeaderSize+p.left; {
	case err == io.EOF && whole:
		p.s.release()
	case err != nil:
		err = p.s.failed(err)
	}
	return n, err
}

// Close implements io.Closer.
func (p *packet) Close() error {
	p.s.stop()
	return nil
}

// List lists what a search finds, or the database that a description names.
func (Scheme) List(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.ListOptions) (*scheme.Resource, error) {
	p, err := newPlace(r.URL)
	if err != nil {
		return nil, err
	}
	q := Query{Words: o.Query.Or(p.words), Max: o.Max}
	for _, u := range o.Like {
		q.Like = append(q.Like, Document{URL: u})
	}
	switch {
	case p.kind == locator.WAISDocument && p.typ == typeSource:
		return withSession(ctx, env, p, func(s *session) (*scheme.Resource, error) { return s.listSource() })
	case p.kind == locator.WAISDocument:
		return nil, scheme.Fail(scheme.CodeUnsupported, "a document is not a listing; only that of a database (WSRC) can be listed")
	case q.Words == "" && q.Like == nil:
		return nil, hint.Fail(hint.Answers, scheme.CodeUsage, "the database is searched")
	}
	return p.search(ctx, env, q, options{accept: o.Accept, info: o.ServerInfo, copy: o.Copy})
}

// listSource lists the database that a description names.
func (s *session) listSource() (*scheme.Resource, error) {
	d, err := s.open(typeSource, s.place.id, s.place.size, scheme.Range{})
	if err != nil {
		return nil, err
	}
	src, err := s.readSource(d)
	if err != nil {
		return nil, err
	}
	return &scheme.Resource{Kind: scheme.KindListing, Entries: func(yield func(scheme.Entry, error) bool) {
		yield(s.place.sourceEntry(src), nil)
	}}, nil
}
