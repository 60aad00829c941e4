package wais

import (
	"errors"
	"io"
	"strings"

	"locator/internal/z3950"
	"locator/scheme"
)

// Sizes of the pieces of a document, in bytes.
const (
	pieceSize   = 10_000 // that of libwww, lynx and waissearch; servers are known to have room for it
	largePiece  = 80_000 // of a document of more than growAfter bytes; responses have at most 100,000 bytes
	growAfter   = 250_000
	minPiece    = 256 // a server that cannot send this much cannot send the document
	pieceMargin = 64  // bytes of a response beside the piece and the document-id
	// otherBytes bounds the records of a response beside the piece, such as diagnostics.
	otherBytes = 128 << 10
)

// document is the content of a document. It is fetched in pieces, each by a request.
type document struct {
	s       *session
	typ, id string
	size    int64  // bytes of the document; -1 means unknown
	stop    int64  // where to end; -1 means the end of the document
	start   int64  // where it begins
	pos     int64  // bytes before this one have been received
	piece   int64  // bytes to ask for
	most    int64  // what piece may grow to
	last    bool   // the server said that the document ends at pos
	text    []byte // received, and not yet read
	err     error  // after text
}

// open returns a document whose first piece has been received. size is that of a URL or listing; 0
// means unknown.
func (s *session) open(typ, id string, size int64, r scheme.Range) (*document, error) {
	d := &document{s: s, typ: typ, id: id, size: -1, stop: -1, start: r.Offset, pos: r.Offset, piece: pieceSize, most: largePiece}
	if size > 0 {
		d.size = size
	}
	if r.Length > 0 {
		d.stop = r.Offset + r.Length
	}
	if s.size > 0 {
		d.most = min(d.most, s.size-int64(len(id))-pieceMargin)
		d.piece = min(d.piece, d.most)
	}
	if d.piece < minPiece {
		return nil, scheme.Fail(scheme.CodeProtocol, "the server allows responses of at most %d bytes, too few for a document", s.size)
	}
	if d.size >= 0 && d.start > d.size {
		return nil, scheme.Fail(scheme.CodeUsage, "the document has %d bytes: it does not reach to byte %d", d.size, d.start)
	}
	if err := d.fetch(); err != nil && err != io.EOF {
		return nil, err
	}
	return d, nil
}

// retrieval returns the request for the next piece.
func (d *document) retrieval() (m *z3950.Search, end int64) {
	end = d.pos + d.piece
	if d.size >= 0 && end >= d.size {
		end = d.size + 1 // one more, to notice that the document goes on
	}
	if d.stop >= 0 {
		end = min(end, d.stop)
	}
	return z3950.NewRetrieval(d.s.place.database, d.id, d.typ, d.pos, end), end
}

// fetch receives the next piece. The error is also in d.err, unless there is a piece.
func (d *document) fetch() error {
	d.text = nil
	for d.err == nil && len(d.text) == 0 {
		if d.last || d.size >= 0 && d.pos >= d.size && d.pos > d.start || d.stop >= 0 && d.pos >= d.stop {
			d.err = d.end()
			break
		}
		d.err = d.ask()
	}
	if len(d.text) > 0 {
		return nil
	}
	if d.err == io.EOF {
		d.s.release()
	}
	return d.err
}

// end returns io.EOF if the document may end at d.pos.
func (d *document) end() error {
	if short := d.size - d.pos; d.size >= 0 && short > 0 && (d.stop < 0 || d.pos < d.stop) {
		return scheme.Fail(scheme.CodeBroken, "the document ended %d bytes before the length in its URL, which may be out of date: %w", short, io.ErrUnexpectedEOF)
	}
	return io.EOF
}

// ask sends one request, and puts the piece of the response into d.text. It returns nil without a
// piece if another request has to be sent.
func (d *document) ask() error {
	m, end := d.retrieval()
	want := int(end - d.pos)
	most := want + len(d.id) + otherBytes
	err := d.s.ask(m, d.s, int64(most), most)
	if errors.Is(err, errNoAnswer) {
		// QUIRK: a response that exceeds the negotiated size is empty (27-retrieve-small-buffer).
		d.piece = min(d.piece, int64(want)) / 2
		if d.most = d.piece; d.piece < minPiece {
			return scheme.Fail(scheme.CodeProtocol, "%w, even for a piece of %d bytes", errNoAnswer, want)
		}
		return nil
	}
	if err != nil {
		return err
	}
	texts := 0
	var said []*z3950.Diagnostic
	for {
		rec, err := d.s.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			d.text = nil
			return err
		}
		switch rec := rec.(type) {
		case *z3950.DocumentText:
			if texts++; texts == 1 {
				d.text = rec.Text
			} else {
				d.text = append(d.text, rec.Text...)
			}
			if len(d.text) > want {
				d.text = nil
				d.s.Unusable.Store(true)
				return scheme.Fail(scheme.CodeProtocol, "the server sent more than the %d bytes that it was asked for", want)
			}
		case *z3950.Diagnostic:
			said = append(said, rec) // the response is bounded
		}
	}
	if d.pos += int64(len(d.text)); d.size >= 0 && d.pos > d.size {
		d.text = d.text[:len(d.text)-1]
		longer := scheme.Fail(scheme.CodeBroken, "the document goes on after the %d bytes of the length in its URL, which may be out of date; search for it again", d.size)
		longer.Final = true
		return longer
	}
	if len(d.text) == want && d.pos-d.start >= growAfter {
		d.piece = min(2*d.piece, d.most)
	}
	return d.judge(texts, said)
}

// judge decides what the records of a response mean.
func (d *document) judge(texts int, diagnostics []*z3950.Diagnostic) error {
	// QUIRK: a last piece comes with "Request out of range". At the end of the document an empty
	// text does, and beyond it no text (07-retrieve-bytes-past-end, 08-retrieve-at-end,
	// 09-retrieve-past-end).
	var bad *z3950.Diagnostic
	for _, x := range diagnostics {
		if x.Code == outOfRange {
			d.last = true
		} else if bad == nil {
			bad = x
		}
	}
	switch first := d.pos == d.start; {
	case len(d.text) > 0:
		if bad != nil {
			d.s.env.Tell("the server says: " + said(bad))
		}
		return nil
	case bad != nil:
		return refused(bad)
	case !first && len(diagnostics) > 0 && strings.HasPrefix(diagnostics[0].Text, missingID):
		return scheme.Replied(scheme.CodeBroken, said(diagnostics[0]), "the server has no more of the document after %d bytes", d.pos)
	case !first && len(diagnostics) > 0, texts > 0:
		d.last = true
		return nil
	case len(diagnostics) > 0 && d.start > 0 && !strings.HasPrefix(diagnostics[0].Text, missingID):
		return scheme.Replied(scheme.CodeUsage, said(diagnostics[0]), "the document does not reach to byte %d", d.start)
	case len(diagnostics) > 0:
		return refused(diagnostics[0])
	}
	return scheme.Fail(scheme.CodeProtocol, "the server sent neither a text nor a reason")
}

// missingID begins the text of the diagnostic for an unknown document. It has the same code as a
// range beyond the document (48-retrieve-foreign-file).
const missingID = "Missing"

// Read implements io.Reader. A document that ends before its size is an error that matches
// io.ErrUnexpectedEOF.
func (d *document) Read(p []byte) (int, error) {
	if len(d.text) == 0 {
		if err := d.fetch(); err != nil {
			return 0, err
		}
	}
	n := copy(p, d.text)
	d.text = d.text[n:]
	return n, nil
}

// WriteTo implements io.WriterTo.
func (d *document) WriteTo(w io.Writer) (n int64, err error) {
	for {
		if len(d.text) == 0 {
			if err := d.fetch(); err == io.EOF {
				return n, nil
			} else if err != nil {
				return n, err
			}
		}
		k, err := w.Write(d.text)
		n, d.text = n+int64(k), d.text[k:]
		if err != nil {
			return n, err
		}
	}
}

// errClosed is the error of reading a closed body.
var errClosed = errors.New("the body is closed")

// Close ends the document. The connection can be used again, since each response is read to its
// end.
func (d *document) Close() error {
	if d.err == nil {
		d.err = errClosed
	}
	d.text = nil
	d.s.release()
	return nil
}
