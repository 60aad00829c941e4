package z3950

import "strconv"

// Search is a request: a search for words (query type 3), or the retrieval of a document (query
// type 1).
type Search struct {
	SmallSet, LargeSet, MediumSet uint32 // of no effect in WAIS
	Replace                       byte
	ResultSet                     string
	Database                      string
	QueryType                     string // "3" or "1"
	ElementSets                   string // "" is left out
	Reference                     string // "" is left out; the server repeats it
	Other                         []Element

	Words *Words // for query type "3"
	Terms []Term // for query type "1"
}

// The query types of WAIS.
const (
	QueryWords = "3"
	QueryTerms = "1"
)

// NewSearch returns a search of a database.
func NewSearch(database string, w *Words) *Search {
	return &Search{SmallSet: 30, LargeSet: 5000, MediumSet: 30, Replace: 1, Database: database, QueryType: QueryWords, Words: w}
}

// NewRetrieval returns a request for the bytes from start to before end of a document. A server
// knows only these four terms, in this order.
func NewRetrieval(database, id, typ string, start, end int64) *Search {
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	return &Search{
		SmallSet: 10, LargeSet: 16, MediumSet: 15, Replace: 1, ResultSet: "FOO", Database: database, QueryType: QueryTerms,
		ElementSets: " \x1fDocument Text", Reference: "3",
		Terms: []Term{{useID + equal, id, ""}, {useType + equal, typ, and}, {useByte + atLeast, number(start), and}, {useByte + lessThan, number(end), and}},
	}
}

// Words is a query for words and similar documents.
type Words struct {
	Seeds      string     // the words
	Like       []Feedback // documents that the results should resemble
	DateFactor Number     // 1 is any date, 2 later than BeginDate, 3 earlier, 4 between BeginDate and EndDate
	BeginDate  string     // yyyymmdd; "" is left out
	EndDate    string
	Max        Number // documents; some servers fail without it
}

// Feedback is a document or part of a document for relevance feedback.
type Feedback struct {
	ID   string // document-id
	Type string // "" is left out
	Part *Part  // nil means the whole document
}

// Part is a part of a document, from Start to before End.
type Part struct {
	Code       Number // PartBytes, PartLines or PartParagraphs
	Start, End string // big-endian numbers for bytes and lines, else opaque
}

// The codes of a Part.
const (
	PartBytes      = 1
	PartLines      = 2
	PartParagraphs = 3
)

// NewPart returns a part in bytes or lines, counted from 0.
func NewPart(code, start, end uint64) *Part {
	value := func(n uint64) string {
		d := decoder{b: appendNumber(nil, 0, n)}
		_, v, _ := d.element() // just encoded
		return string(v)
	}
	return &Part{Code: Some(code), Start: value(start), End: value(end)}
}

// A Term is a term of a query of type 1 with the operator after it, in reverse Polish order.
type Term struct {
	Attributes string // use, relation, position, structure, truncation, completeness
	Value      string // numbers are in decimal
	Operator   string // "" means none
}

// Attributes of terms.
const (
	useID    = "un"
	useType  = "wt"
	useByte  = "wb"
	useLine  = "wl"
	equal    = " re ig ig ig ig"
	atLeast  = " ro ig ig ig ig"
	lessThan = " rl ig ig ig ig"
	and      = "a"
)

// Retrieval is what the terms of a query of type 1 say.
type Retrieval struct {
	ID, Type   string
	Lines      bool // Start and End count lines instead of bytes
	Start, End int64
	Range      bool // the query has Start and End
}

// Retrieval returns what the terms say. ok is false if they have no document-id, or a range that is
// not two numbers in order.
func (m *Search) Retrieval() (r Retrieval, ok bool) {
	var start, end bool
	for _, t := range m.Terms {
		if len(t.Attributes) < 5 {
			continue
		}
		n, err := strconv.ParseInt(t.Value, 10, 64)
		switch use, relation := t.Attributes[:2], t.Attributes[3:5]; {
		case use == useID:
			r.ID = t.Value
		case use == useType:
			r.Type = t.Value
		case use != useByte && use != useLine:
		case err != nil || n < 0:
			return r, false
		case relation == atLeast[1:3]:
			r.Start, start, r.Lines = n, true, use == useLine
		case relation == lessThan[1:3]:
			r.End, end, r.Lines = n, true, use == useLine
		}
	}
	r.Range = start && end
	return r, r.ID != "" && start == end && r.Start <= r.End
}

// Append appends the APDU.
func (m *Search) Append(b []byte) ([]byte, error) {
	start := len(b)
	b = begin(b, TypeSearch)
	for _, n := range []uint32{m.SmallSet, m.LargeSet, m.MediumSet} {
		b = append(b, byte(n>>16), byte(n>>8), byte(n))
	}
	b = append(b, m.Replace)
	b = appendElement(b, TagResultSet, m.ResultSet)
	b = appendElement(b, TagDatabase, m.Database)
	b = appendElement(b, TagQueryType, m.QueryType)
	b = appendString(b, TagElementSets, m.ElementSets)
	b = appendString(b, TagReference, m.Reference)
	for _, e := range m.Other {
		b = appendElement(b, e.Tag, e.Value)
	}
	b, err := end(b, start)
	switch {
	case err != nil:
		return nil, err
	case m.Words != nil:
		return appendElement(b, TagUserInformation, m.Words.append(nil)), nil
	case m.Terms != nil:
		query := make([]byte, 0, 512)
		for _, t := range m.Terms {
			query = appendElement(query, TagAttributes, t.Attributes)
			query = appendElement(query, TagTerm, t.Value)
			query = appendString(query, TagOperator, t.Operator)
		}
		return appendElement(b, TagQuery, query), nil
	}
	return b, nil
}

func (w *Words) append(b []byte) []byte {
	b = appendElement(b, TagSeedWords, w.Seeds)
	for _, f := range w.Like {
		tag := TagDocumentID
		if f.Part != nil {
			tag = TagChunkID
		}
		b = appendElement(b, tag, f.ID)
		b = appendString(b, TagType, f.Type)
		if p := f.Part; p != nil {
			b = p.Code.append(b, TagChunkCode)
			b = appendElement(b, TagChunkStart, p.Start)
			b = appendElement(b, TagChunkEnd, p.End)
		}
	}
	b = w.DateFactor.append(b, TagDateFactor)
	b = appendString(b, TagBeginDate, w.BeginDate)
	b = appendString(b, TagEndDate, w.EndDate)
	return w.Max.append(b, TagMaxDocuments)
}

func parseSearch(d, user decoder) (*Search, error) {
	m := new(Search)
	for _, n := range []*uint32{&m.SmallSet, &m.LargeSet, &m.MediumSet} {
		v, err := d.fixed(3)
		if err != nil {
			return nil, err
		}
		*n = uint32(v)
	}
	replace, err := d.fixed(1)
	if err != nil {
		return nil, err
	}
	m.Replace = byte(replace)
	if err := d.each(func(tag Tag, value []byte) error {
		switch tag {
		case TagResultSet:
			m.ResultSet = string(value)
		case TagDatabase:
			m.Database = string(value)
		case TagQueryType:
			m.QueryType = string(value)
		case TagElementSets:
			m.ElementSets = string(value)
		case TagReference:
			m.Reference = string(value)
		default:
			m.Other = append(m.Other, Element{tag, value})
		}
		return nil
	}); err != nil {
		return nil, err
	}
	return m, user.each(func(tag Tag, value []byte) (err error) {
		switch tag {
		case TagUserInformation:
			m.Words, err = parseWords(decoder{value, "query"})
		case TagQuery:
			m.Terms, err = parseTerms(decoder{value, "query"})
		}
		return err
	})
}

// maxFeedback bounds the documents of a query, and maxTerms its terms.
const (
	maxFeedback = 1000
	maxTerms    = 100
)

func parseWords(d decoder) (*Words, error) {
	w := new(Words)
	part := func() *Part { // of the last document
		if n := len(w.Like); n > 0 && w.Like[n-1].Part != nil {
			return w.Like[n-1].Part
		}
		return new(Part)
	}
	return w, d.each(func(tag Tag, value []byte) (err error) {
		switch tag {
		case TagSeedWords:
			w.Seeds = string(value)
		case TagDocumentID, TagChunkID:
			if len(w.Like) == maxFeedback {
				return d.fail("it has more than %d documents", maxFeedback)
			}
			f := Feedback{ID: string(value)}
			if tag == TagChunkID {
				f.Part = new(Part)
			}
			w.Like = append(w.Like, f)
		case TagType:
			if n := len(w.Like); n > 0 {
				w.Like[n-1].Type = string(value)
			}
		case TagChunkCode:
			part().Code, err = d.number(tag, value)
		case TagChunkStart:
			part().Start = string(value)
		case TagChunkEnd:
			part().End = string(value)
		case TagDateFactor:
			w.DateFactor, err = d.number(tag, value)
		case TagBeginDate:
			w.BeginDate = string(value)
		case TagEndDate:
			w.EndDate = string(value)
		case TagMaxDocuments:
			w.Max, err = d.number(tag, value)
		}
		return err
	})
}

func parseTerms(d decoder) ([]Term, error) {
	terms := make([]Term, 0, 4) // as many as a retrieval has
	attributes := ""
	err := d.each(func(tag Tag, value []byte) error {
		switch tag {
		case TagAttributes:
			attributes = string(value)
		case TagTerm:
			if len(terms) == maxTerms {
				return d.fail("it has more than %d terms", maxTerms)
			}
			terms = append(terms, Term{Attributes: attributes, Value: string(value)})
		case TagOperator:
			if n := len(terms); n > 0 {
				terms[n-1].Operator = string(value)
			}
		}
		return nil
	})
	return terms, err
}

// Range returns the start and end of a part in bytes or lines. A value that is not a number is 0.
func (p *Part) Range() (start, end int64) {
	number := func(s string) int64 {
		if len(s) > 7 {
			return 0
		}
		return int64(bigEndian([]byte(s)))
	}
	return number(p.Start), number(p.End)
}
