package waisserver

import (
	"errors"
	"io/fs"

	"locator/internal/z3950"
)

// outOfRange returns the diagnostic for a document that the server does not have, or for a range
// beyond the document.
func outOfRange(text string) *z3950.Diagnostic {
	return &z3950.Diagnostic{Code: "SF", Text: text, Surrogate: 1}
}

// The texts of outOfRange, as in freeWAIS.
const (
	missing = "Missing DocID in request"
	beyond  = "Request out of range"
)

// retrieve answers a request for a part of a document.
func (s *Session) retrieve(m *z3950.Search, db *Database) []byte {
	r, ok := m.Retrieval()
	switch {
	case db == nil:
		return s.response(m, 0, noDatabase(m))
	case !ok:
		return s.response(m, 0, outOfRange(missing))
	case !r.Range:
		return s.response(m, 0)
	}
	f, ok := db.file(r.ID, r.Type)
	if !ok {
		return s.response(m, 0, outOfRange(missing))
	}
	if !r.Lines {
		if r.End-r.Start > int64(s.size) {
			return nil
		}
		text, err := s.read(opened{db, f.Name}, f, r.Start, r.End)
		return s.piece(m, r, text, err, r.Start <= f.Size, r.End > f.Size)
	}
	var response []byte
	s.h.turns.do(s.from, func() { // since it may read much more than it returns
		text, err := f.read(0, maxIndexed)
		response = s.piece(m, r, lines(text, r.Start, r.End), err, true, false)
	})
	return response
}

// opened names a file of a database.
type opened struct {
	db   *Database
	name string
}

// read returns a part of a file. The file stays open until its end has been read, or another one
// is.
func (s *Session) read(which opened, f File, start, end int64) (text []byte, err error) {
	if s.content == nil || s.opened != which {
		s.close()
		if s.content, err = f.Open(); err != nil {
			s.content = nil
			return nil, err
		}
		s.opened = which
	}
	text, err = f.appendFrom(s.text[:0], s.content, start, end)
	s.text = text[:0]
	if err != nil || end >= f.Size {
		s.close()
	}
	return text, err
}

// close closes the file that is open.
func (s *Session) close() {
	if s.content != nil {
		s.content.Close()
		s.content = nil
	}
}

// piece returns the response with a piece. within says that it begins in the document, and past
// that it ends after it.
func (s *Session) piece(m *z3950.Search, r z3950.Retrieval, text []byte, err error, within, past bool) []byte {
	if errors.Is(err, fs.ErrNotExist) {
		return s.response(m, 0, outOfRange(missing))
	}
	if err != nil {
		return s.response(m, 0, &z3950.Diagnostic{Code: "S2", Text: "the file cannot be read", Surrogate: 1})
	}
	if len(text) > s.size {
		return nil
	}
	var records []z3950.Record
	if within {
		records = append(records, &z3950.DocumentText{ID: r.ID, Version: z3950.Some(0), Text: text})
	}
	if past {
		records = append(records, outOfRange(beyond))
	}
	return s.response(m, 0, records...)
}

// lines returns the lines from start to before end, counted from 0. A line ends with CR or LF, as
// in freeWAIS.
func lines(text []byte, start, end int64) []byte {
	from, n := -1, int64(0)
	for i := 0; ; i++ {
		if n == start && from < 0 {
			from = i
		}
		if i == len(text) || n == end {
			if from < 0 {
				return nil
			}
			return text[from:i]
		}
		if text[i] == '\n' || text[i] == '\r' {
			n++
		}
	}
}
