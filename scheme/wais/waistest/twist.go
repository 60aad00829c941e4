package waistest

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"locator/internal/z3950"
	"locator/scheme/wais/waisserver"
)

// noWords are the words of a search without any, which the server does not take for one that asks
// for help.
const noWords = " \t \t"

// twist returns the response to a request, changed by the twist of the server.
func (s *Server) twist(session *waisserver.Session, request []byte) []byte {
	if s.opt.twist == "" {
		return session.Answer(request)
	}
	m, err := z3950.ParseRequest(request)
	search, ok := m.(*z3950.Search)
	if err != nil || !ok {
		return session.Answer(request)
	}
	if s.opt.twist == Shorter && search.Terms != nil {
		if r, ok := search.Retrieval(); ok && r.End-r.Start > 1000 {
			short := z3950.NewRetrieval(search.Database, r.ID, r.Type, r.Start, r.Start+1000)
			if b, err := short.Append(nil); err == nil {
				request = b
			}
		}
	}
	if w := search.Words; s.opt.twist == Original && w != nil && w.Seeds == "" && w.Like != nil {
		blank, words := *search, *w
		words.Seeds, words.Like, blank.Words = noWords, nil, &words
		if b, err := blank.Append(nil); err == nil {
			request = b
		}
	}
	response := session.Answer(request)
	if s.opt.twist == Small && len(response) > 2000 && search.Terms != nil {
		return nil
	}
	if len(response) == 0 {
		return nil
	}
	changed, err := s.change(response)
	if err != nil {
		return response
	}
	return changed
}

// survives reports whether freeWAIS answers a request, instead of ending its process.
func (s *Server) survives(r waisserver.Request) bool {
	m, _ := z3950.ParseRequest(r.APDU)
	search, ok := m.(*z3950.Search)
	switch {
	case r.Ahead > 0:
		return false
	case !ok:
		return true
	case search.Words != nil:
		return search.Words.Max.Set
	}
	return search.Terms == nil || s.handler.Database(search.Database) != nil
}

// change decodes a response, changes it, and encodes it again.
func (s *Server) change(response []byte) ([]byte, error) {
	var r z3950.Reader
	begin, err := r.Begin(bytes.NewReader(response), int64(len(response)), waisserver.MaxAPDU)
	if err != nil {
		return nil, err
	}
	var records []z3950.Record
	for {
		rec, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		switch rec := rec.(type) {
		case *z3950.DocumentHeader:
			records = append(records, s.changeHeader(rec))
			continue
		case *z3950.Diagnostic:
			if s.opt.twist == NoSF && rec.Text == "Request out of range" {
				continue
			}
			rec.Text = strings.TrimSuffix(rec.Text, noWords)
		}
		records = append(records, rec)
	}
	if s.opt.twist == Status {
		begin.Status = 1 - begin.Status
	}
	if s.opt.twist != Padded {
		return z3950.AppendResponse(nil, begin, records)
	}
	b, err := z3950.AppendResponse(nil, begin, nil)
	if err != nil {
		return nil, err
	}
	var user []byte
	for _, rec := range records {
		user = z3950.AppendRecord(user, rec)
	}
	n := len(user)
	b = append(b[:len(b)-1], 0x80, byte(n>>14)|0x80, byte(n>>7)|0x80, byte(n&0x7f)) // in place of the length 0
	return append(b, user...), nil
}

// changeHeader changes the record of a document.
func (s *Server) changeHeader(h *z3950.DocumentHeader) z3950.Record {
	switch s.opt.twist {
	case Original:
		h.Score.N *= 5
		if h.Date != "" {
			h.Date = "0"
		}
	case NoTypes:
		h.Types = nil
	case ZeroLength:
		h.Length = z3950.Some(0)
	case NoLength:
		h.Length = z3950.Number{}
	case ShortHeader:
		h.Tag = z3950.TagShortHeader
	case LongHeaders, Reordered:
		e := &z3950.Element{Tag: z3950.TagLongHeader}
		if s.opt.twist == Reordered {
			e.Tag = z3950.TagHeader
		}
		for _, part := range []*z3950.Element{
			{Tag: z3950.TagHeadline, Value: []byte(h.Headline)}, {Tag: 128, Value: []byte("stock")}, {Tag: 9999, Value: []byte("?")},
			{Tag: z3950.TagDocumentLength, Value: fmt.Appendf(nil, "%c", 0)}, {Tag: z3950.TagDocumentID, Value: []byte(h.ID)},
		} {
			e.Value = z3950.AppendRecord(e.Value, part)
		}
		return e
	}
	return h
}

// twistPacket changes the header of a packet.
func (s *Server) twistPacket(packet []byte) []byte {
	switch s.opt.twist {
	case BlankLength:
		digits := strings.TrimLeft(string(packet[:9]), "0")
		copy(packet, fmt.Sprintf("%10s", digits+string(packet[9:10])))
	case UpperZ:
		packet[10] = 'Z'
	}
	return packet
}
