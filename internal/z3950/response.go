package z3950

import (
	"bytes"
	"slices"
)

// SearchResponse is the begin of the response to a Search. Its records follow.
type SearchResponse struct {
	Status        byte   // of no meaning: freeWAIS sends 1 after a successful search, and 0 otherwise
	Count         uint32 // 0 in WAIS
	Returned      uint32 // number of records; not reliable
	Next          uint32 // 0 in WAIS
	ResultStatus  Number
	PresentStatus Number
	Reference     string
}

// A Record is a record of a response: a *DocumentHeader, *DocumentText, *Diagnostic or *Element.
type Record any

// DocumentHeader describes a document that a search found.
type DocumentHeader struct {
	Tag       Tag    // TagHeader, TagShortHeader or TagLongHeader
	ID        string // document-id: opaque, and kept byte for byte
	Version   Number
	Score     Number
	BestMatch Number
	Length    Number // bytes of the document; 0 means unknown
	Lines     Number
	Types     []string // several if the server has the document in several formats; none is TEXT
	Source    string   // database
	Date      string   // yymmdd or yyyymmdd; "0" is unknown
	Headline  string
	City      string
}

// DocumentText is a piece of a document.
type DocumentText struct {
	ID      string
	Version Number
	Text    []byte // valid until the next call of Reader.Begin
}

// Diagnostic says what went wrong. It may come together with documents.
type Diagnostic struct {
	Code      string // two characters
	Text      string
	Surrogate byte
}

// maxTypes bounds the formats of a document.
const maxTypes = 64

// AppendResponse appends the APDU of a response.
func AppendResponse(b []byte, m *SearchResponse, records []Record) ([]byte, error) {
	start := len(b)
	b = append(begin(b, TypeSearchResponse), m.Status)
	for _, n := range []uint32{m.Count, m.Returned, m.Next} {
		b = append(b, byte(n>>16), byte(n>>8), byte(n))
	}
	b = m.ResultStatus.append(b, TagResultStatus)
	b = m.PresentStatus.append(b, TagPresentStatus)
	b = appendString(b, TagReference, m.Reference)
	b, err := end(b, start)
	if err != nil {
		return nil, err
	}
	user, texts := len(b), 0
	for _, r := range records {
		if r, ok := r.(*DocumentText); ok {
			texts += len(r.Text)
		}
	}
	// A response with a piece of a document has little else, so the length of its length is mostly
	// right, and nothing is moved.
	head := appendUserInformation(nil, texts)
	b = append(b, head...)
	for _, r := range records {
		b = AppendRecord(b, r)
	}
	end := user + len(head)
	return slices.Replace(b, user, end, appendUserInformation(nil, len(b)-end)...), nil
}

// appendUserInformation appends the tag and length of user information of size bytes.
func appendUserInformation(b []byte, size int) []byte {
	return appendCompressed(appendCompressed(b, int(TagUserInformation)), size)
}

// AppendRecord appends a record. The text of a Diagnostic has at most 65532 bytes.
func AppendRecord(b []byte, r Record) []byte {
	switch r := r.(type) {
	case *DocumentHeader:
		return appendElement(b, r.Tag, r.append(nil))
	case *DocumentText:
		v := appendElement(make([]byte, 0, len(r.ID)+32), TagDocumentID, r.ID)
		v = r.Version.append(v, TagDocumentVersion)
		v = appendCompressed(appendCompressed(v, int(TagText)), len(r.Text))
		b = slices.Grow(b, len(v)+len(r.Text)+8)
		b = appendCompressed(appendCompressed(b, int(TagDocumentText)), len(v)+len(r.Text))
		return append(append(b, v...), r.Text...)
	case *Diagnostic:
		n := len(r.Text) + 3
		b = appendCompressed(b, int(TagDiagnostic))
		b = append(append(b, byte(n>>8), byte(n)), r.Code...)
		return append(append(b, r.Text...), r.Surrogate, diagnosticEnd)
	case *Element:
		return appendElement(b, r.Tag, r.Value)
	}
	return b
}

// append appends the elements in the order of freeWAIS. Its client waissearch fails if the source
// does not follow the types.
func (r *DocumentHeader) append(b []byte) []byte {
	b = appendElement(b, TagDocumentID, r.ID)
	b = r.Version.append(b, TagDocumentVersion)
	b = r.Score.append(b, TagScore)
	b = r.BestMatch.append(b, TagBestMatch)
	b = r.Length.append(b, TagDocumentLength)
	b = r.Lines.append(b, TagLines)
	if r.Types != nil {
		var types []byte
		for _, t := range r.Types {
			types = appendElement(types, TagType, t)
		}
		b = appendElement(b, TagTypes, types)
	}
	b = appendString(b, TagSource, r.Source)
	b = appendString(b, TagDate, r.Date)
	b = appendString(b, TagHeadline, r.Headline)
	return appendString(b, TagOriginCity, r.City)
}

// diagnosticEnd follows a diagnostic, and its length does not count it.
const diagnosticEnd = 0x1d

func parseResponse(d decoder) (*SearchResponse, error) {
	m := new(SearchResponse)
	status, err := d.fixed(1)
	if err != nil {
		return nil, err
	}
	m.Status = byte(status)
	for _, n := range []*uint32{&m.Count, &m.Returned, &m.Next} {
		v, err := d.fixed(3)
		if err != nil {
			return nil, err
		}
		*n = uint32(v)
	}
	return m, d.each(func(tag Tag, value []byte) (err error) {
		switch tag {
		case TagResultStatus:
			m.ResultStatus, err = d.number(tag, value)
		case TagPresentStatus:
			m.PresentStatus, err = d.number(tag, value)
		case TagReference:
			m.Reference = string(value)
		}
		return err
	})
}

func parseRecord(tag Tag, value []byte) (Record, error) {
	d := decoder{value, "record"}
	switch tag {
	case TagHeader, TagShortHeader, TagLongHeader:
		return parseDocumentHeader(tag, d)
	case TagDocumentText:
		r := new(DocumentText)
		return r, d.each(func(tag Tag, value []byte) (err error) {
			switch tag {
			case TagDocumentID:
				r.ID = string(value)
			case TagDocumentVersion:
				r.Version, err = d.number(tag, value)
			case TagText:
				if r.Text != nil {
					return d.fail("it has two texts")
				}
				r.Text = value
			}
			return err
		})
	}
	return &Element{tag, bytes.Clone(value)}, nil
}

func parseDocumentHeader(tag Tag, d decoder) (*DocumentHeader, error) {
	r := &DocumentHeader{Tag: tag}
	return r, d.each(func(tag Tag, value []byte) (err error) {
		switch tag {
		case TagDocumentID:
			r.ID = string(value)
		case TagDocumentVersion:
			r.Version, err = d.number(tag, value)
		case TagScore:
			r.Score, err = d.number(tag, value)
		case TagBestMatch:
			r.BestMatch, err = d.number(tag, value)
		case TagDocumentLength:
			r.Length, err = d.number(tag, value)
		case TagLines:
			r.Lines, err = d.number(tag, value)
		case TagTypes:
			types := decoder{value, "types"}
			r.Types = []string{}
			return types.each(func(tag Tag, value []byte) error {
				if tag == TagType && len(r.Types) < maxTypes {
					r.Types = append(r.Types, string(value))
				}
				return nil
			})
		case TagSource:
			r.Source = string(value)
		case TagDate:
			r.Date = string(value)
		case TagHeadline:
			r.Headline = string(value)
		case TagOriginCity:
			r.City = string(value)
		}
		return err
	})
}
