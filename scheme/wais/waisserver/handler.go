package waisserver

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"net"
	"path"
	"strings"
	"time"

	"locator/internal/z3950"
)

// Handler answers the requests of WAIS clients. It is safe for concurrent use.
type Handler struct {
	name      string // host:port, as in document-ids
	databases map[string]*Database
	turns     *turns
	clients   clients
}

// NewHandler returns a Handler. name is the host and port that clients know the server by.
func NewHandler(name string, databases ...*Database) *Handler {
	h := &Handler{name: name, databases: make(map[string]*Database), turns: newTurns()}
	var sources []File
	for _, db := range databases {
		db.describe()
		h.databases[db.Name] = db
		sources = append(sources, db.extra[0].files[0])
	}
	if _, ok := h.databases[infoName]; !ok {
		if info, err := NewDatabase(infoName, sources); err == nil { // which are in memory
			info.Description = "The databases of this server."
			info.describe()
			h.databases[infoName] = info
		}
	}
	return h
}

// infoName is the name of the database of the descriptions of all databases.
const infoName = "INFO"

// Database returns the database of a name, nil if there is none. The name may end in ".src" and
// begin with a path, as that of waisq. The empty name is "INFO", the database of the descriptions
// of all databases.
func (h *Handler) Database(name string) *Database {
	name = strings.TrimSuffix(cmp.Or(name, infoName), ".src")
	if db := h.databases[name]; db != nil {
		return db
	}
	return h.databases[path.Base(name)]
}

// Bounds of a connection.
const (
	MaxAPDU     = 100_000          // bytes of a request or response
	minRecord   = 50               // bytes of a record of a document, at least
	idleTime    = time.Hour        // between two requests
	requestTime = 30 * time.Second // for a request, and for its response
)

// Request is a request of a client.
type Request struct {
	Echo  string // the fields of the header that the header of the response repeats
	APDU  []byte // not valid after the next request
	Ahead int    // bytes of further requests that have arrived already
}

// Serve answers the requests on a connection until the client closes it, is silent for an hour, or
// breaks the protocol. It does not close the connection. It calls respond for each request, until
// it returns false; if respond is nil, the session answers. When there are too many connections, it
// closes an older one.
func (h *Handler) Serve(conn net.Conn, respond func(*Session, Request) bool) {
	defer h.clients.leave(conn)
	if !h.clients.admit(conn, addressOf(conn), time.Now()) {
		return
	}
	if respond == nil {
		respond = func(s *Session, r Request) bool { return s.Write(conn, r.Echo, s.Answer(r.APDU)) }
	}
	s, in := h.NewSession(), bufio.NewReader(conn)
	s.from = addressOf(conn)
	defer s.close()
	for {
		conn.SetDeadline(time.Now().Add(idleTime))
		head, request, err := receive(in, func() { conn.SetDeadline(time.Now().Add(requestTime)) })
		if err != nil {
			return
		}
		h.clients.asked(conn, time.Now())
		s.noTypes = versionOf(head.Echo) < '2'
		if !respond(s, Request{Echo: head.Echo, APDU: request, Ahead: in.Buffered()}) {
			return
		}
	}
}

// receive reads a request. begun is called after its first byte. A version of the header after 2 is
// an error.
func receive(in *bufio.Reader, begun func()) (z3950.Header, []byte, error) {
	if _, err := in.Peek(1); err != nil {
		return z3950.Header{}, nil, err
	}
	begun()
	head, request, err := z3950.ReadPacket(in, MaxAPDU)
	if err == nil && versionOf(head.Echo) > '2' {
		err = errVersion
	}
	return head, request, err
}

var errVersion = errors.New("the version of the header is not known")

// versionOf returns the version of a packet header.
func versionOf(echo string) byte { return echo[1] }

// Session is the state of a connection. It answers one request at a time.
type Session struct {
	h    *Handler
	from string // address of the client
	size int    // the largest APDU that the client wants

	noTypes bool // the version of the request has no formats in records

	// text, apdu and head are reused.
	text, apdu, head []byte

	opened  opened
	content Content // of opened; nil means none
}

// NewSession returns the state of a connection on which no request has arrived.
func (h *Handler) NewSession() *Session { return &Session{h: h, size: MaxAPDU} }

// Write sends a packet with an APDU. It returns false if that fails.
func (s *Session) Write(conn net.Conn, echo string, apdu []byte) bool {
	s.head = z3950.AppendHeader(s.head[:0], echo, len(apdu))
	packet := net.Buffers{s.head, apdu}
	conn.SetDeadline(time.Now().Add(requestTime)) // the request may have waited for its turn
	_, err := packet.WriteTo(conn)
	return err == nil
}

// Answer returns the APDU of the response to a request. An empty one says that it cannot be carried
// out.
func (s *Session) Answer(request []byte) []byte {
	m, err := z3950.ParseRequest(request)
	if err != nil {
		return nil
	}
	switch m := m.(type) {
	case *z3950.Init:
		return s.init(m)
	case *z3950.Search:
		if len(m.Other) > 0 {
			return nil
		}
		m.Database, _, _ = strings.Cut(m.Database, "\x1f") // one database at a time
		db := s.h.Database(m.Database)
		switch {
		case m.QueryType == z3950.QueryWords && m.Words != nil:
			return s.search(m, db)
		case m.QueryType == z3950.QueryTerms:
			return s.retrieve(m, db)
		}
	}
	return nil
}

func (s *Session) init(m *z3950.Init) []byte {
	if n, ok := m.RecordSize.Count(); ok && n > 0 {
		s.size = int(min(int64(s.size), n))
	}
	r := z3950.InitResponse{Accepted: true, Init: *z3950.NewInit(s.size)}
	r.Implementation, r.Name = "locator", "Locator WAIS server"
	r.User = []z3950.Element{{Tag: 100, Value: []byte{0}}, {Tag: 101, Value: []byte{0}}}
	const presentOrDelete = 0x60
	if m.Options != "" && m.Options[0]&presentOrDelete != 0 {
		r.Accepted = false
	}
	b, err := r.Append(nil)
	if err != nil {
		return nil
	}
	return b
}

// search answers a search.
func (s *Session) search(m *z3950.Search, db *Database) []byte {
	if db == nil {
		return s.response(m, 0, noDatabase(m))
	}
	var hits []hit
	var err error
	if !s.h.turns.do(s.from, func() { hits, err = db.answer(m.Words) }) {
		return nil
	}
	return s.found(m, db, hits, err)
}

// found returns the response to a search. freeWAIS sends the status 1 if there was no diagnostic.
func (s *Session) found(m *z3950.Search, db *Database, hits []hit, err error) []byte {
	max := 40
	if n, ok := m.Words.Max.Count(); ok {
		max = int(min(n, MaxAPDU))
	}
	var records []z3950.Record
	switch {
	case len(hits) > 0:
		size := 0
		for _, x := range hits[:min(len(hits), max)] {
			rec := s.header(db, x)
			s.text = z3950.AppendRecord(s.text[:0], rec)
			if size += len(s.text); size > s.size && records != nil { // response leaves out what does not fit, one at a time
				break
			}
			records = append(records, rec)
		}
	default:
		nothing := db.extraHeader(1, 0)
		nothing.Headline = "Search produced no result. Here's the " + nothing.Headline
		records = append(records, nothing)
	}
	if s.noTypes {
		for _, rec := range records {
			rec.(*z3950.DocumentHeader).Types = nil
		}
	}
	if err != nil {
		records = append(records, &z3950.Diagnostic{Code: "S1", Text: err.Error()})
		return s.response(m, 0, records...)
	}
	return s.response(m, 1, records...)
}

func noDatabase(m *z3950.Search) *z3950.Diagnostic {
	return &z3950.Diagnostic{Code: "S1", Text: "The following database is not available: " + excerpt(m.Database)}
}

// excerpt bounds a text of the client in a diagnostic.
func excerpt(s string) string { return s[:min(len(s), 1000)] }

// answer returns what a query finds. Without words and documents it is the description and the
// catalogue; so it is for "?", which is no query, either.
func (db *Database) answer(w *z3950.Words) ([]hit, error) {
	help := strings.HasPrefix(w.Seeds, "?")
	var err error
	if help {
		err = fmt.Errorf("%w: %s", errSyntax, excerpt(w.Seeds))
	}
	if help || w.Seeds == "" && len(w.Like) == 0 {
		return []hit{{db.extra[0], 1000}, {db.extra[1], 1000}}, err
	}
	found := make(scores, len(db.docs))
	if w.Seeds != "" {
		if found, err = db.search(w.Seeds); err != nil {
			return nil, err
		}
	}
	for _, f := range w.Like[:min(len(w.Like), maxLike)] {
		if text, ok := db.part(f); ok {
			found.similar(db, text)
		}
	}
	return db.rank(found), nil
}

// maxLike bounds the documents of relevance feedback: each is read. Further ones have no effect.
const maxLike = 10

// part returns the text that relevance feedback names.
func (db *Database) part(f z3950.Feedback) (string, bool) {
	file, ok := db.file(f.ID, f.Type)
	if !ok {
		return "", false
	}
	text, err := file.read(0, maxIndexed)
	if err != nil {
		return "", false
	}
	if p := f.Part; p != nil {
		start, end := p.Range()
		switch code, _ := p.Code.Count(); code {
		case z3950.PartBytes:
			text = text[min(start, int64(len(text))):]
			text = text[:min(max(end-start, 0), int64(len(text)))]
		case z3950.PartLines:
			text = lines(text, start, end)
		}
	}
	return string(text), true
}

// header returns the record of a document.
func (s *Session) header(db *Database, x hit) *z3950.DocumentHeader {
	if x.doc == db.extra[0] {
		return db.extraHeader(0, x.score)
	}
	if x.doc == db.extra[1] {
		return db.extraHeader(1, x.score)
	}
	f := x.doc.files[0]
	r := &z3950.DocumentHeader{
		Tag: z3950.TagHeader, ID: db.documentID(s.h.name, localID(f)), Score: z3950.Some(uint64(x.score)), BestMatch: z3950.Some(0),
		Length: z3950.Some(uint64(f.Size)), Lines: z3950.Some(uint64(x.doc.lines)), Types: x.doc.types, Source: db.Name, Date: "0", Headline: x.doc.headline,
	}
	if !f.Modified.IsZero() {
		r.Date = f.Modified.UTC().Format("20060102")
	}
	return r
}

// extraHeader returns the record of the description (0) or the catalogue (1).
func (db *Database) extraHeader(which, score int) *z3950.DocumentHeader {
	d := db.extra[which]
	f := d.files[0]
	id := z3950.DocumentID{{Tag: 2, Value: []byte(db.Name)}, {Tag: 3, Value: []byte("0 0 " + f.Name)}, {Tag: 7, Value: []byte{0}}}
	return &z3950.DocumentHeader{
		Tag: z3950.TagHeader, ID: id.String(), Score: z3950.Some(uint64(score)), Length: z3950.Some(uint64(f.Size)),
		Lines: z3950.Some(uint64(d.lines)), Types: d.types, Source: db.Name, Headline: d.headline,
	}
}

// response returns the APDU of a response. If it exceeds the negotiated size, records of documents
// are left out, and a piece of a document makes it empty.
func (s *Session) response(m *z3950.Search, status byte, records ...z3950.Record) []byte {
	for {
		r := &z3950.SearchResponse{Status: status, Returned: uint32(len(records)), PresentStatus: z3950.Some(0), Reference: m.Reference}
		b, err := z3950.AppendResponse(s.apdu[:0], r, records)
		s.apdu = b
		if err == nil && len(b) <= s.size {
			return b
		}
		if errors.Is(err, z3950.ErrTooLong) || m.Words == nil || len(records) <= 1 {
			return nil
		}
		records = records[:len(records)-1]
	}
}
