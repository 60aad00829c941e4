package z3950

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func TestCompressed(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "\x00", 5: "\x05", 127: "\x7f", 128: "\x81\x00", 150: "\x81\x16", 465: "\x83\x51", maxCompressed: "\xff\xff\xff\x7f"} {
		if got := string(appendCompressed(nil, n)); got != want {
			t.Errorf("%d: %x, want %x", n, got, want)
		}
		d := decoder{b: []byte(want + "x")}
		if got, err := d.compressed(); got != n || err != nil || string(d.b) != "x" {
			t.Errorf("%x: %d, %v, and %q is left", want, got, err, d.b)
		}
	}
	for _, bad := range []string{"", "\x80", "\x81\x80\x80\x80\x00", "\x80\x80\x80\x80\x80\x05", "\xff\xff\xff\xff\x7f"} {
		d := decoder{b: []byte(bad)}
		if n, err := d.compressed(); !errors.Is(err, ErrMalformed) {
			t.Errorf("%x: %d, %v", bad, n, err)
		}
	}
	padded := decoder{b: []byte("\x80\x80\x80\x05")} // freeWAIS accepts it
	if n, err := padded.compressed(); n != 5 || err != nil {
		t.Errorf("padded: %d, %v", n, err)
	}
}

// Covers: T109, W11, W13
func TestHeader(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"0000000037z2wais      000": -1, "0000000037z2wais        0": 37, "        37Z2WAIS        0": 37, "0000000000z1              0"[:25]: 0,
		"9999999999z2wais        0": 9999999999, "-000000001z2wais        0": -1, "          z2wais        0": -1, "0000000037a2wais        0": -1,
		"0000000037z2wais      u 0": -1, "+000000037z2wais        0": -1, "0x00000025z2wais        0": -1, "HTTP/1.0 400 Bad Request\r": -1, "": -1,
	} {
		h, err := ParseHeader([]byte(text))
		if want < 0 && !errors.Is(err, ErrMalformed) || want >= 0 && (err != nil || h.Length != want || h.Echo != text[10:24]) {
			t.Errorf("%q: %+v, %v", text, h, err)
		}
	}
	huge := strings.NewReader("9999999999z2wais        0" + strings.Repeat("x", 1000))
	if _, _, err := ReadPacket(huge, 1<<20); !errors.Is(err, ErrTooLong) {
		t.Errorf("a huge packet: %v", err)
	}
	if _, _, err := ReadPacket(strings.NewReader("0000001000z2wais        0abc"), 1<<20); err != io.ErrUnexpectedEOF {
		t.Errorf("a packet that is cut off: %v", err)
	}
}

// response returns a response with this user information, after the tag 99 and its length.
func response(user string) string {
	return "\x00\x0b\x17\x01\x00\x00\x00\x00\x00\x01\x00\x00\x00" + string(appendElement(nil, TagUserInformation, user))
}

// read reads all records.
func read(apdu string, max int) (records []Record, err error) {
	var r Reader
	_, err = r.Begin(iotest.OneByteReader(strings.NewReader(apdu)), int64(len(apdu)), max)
	if err != nil {
		return nil, err
	}
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return records, nil
		}
		if err != nil {
			return records, err
		}
		records = append(records, rec)
	}
}

// TestReader reads responses that are odd, and bad ones: elements that overrun the one around them,
// lengths that are cut off.
//
// Covers: P6, T109, W14, W15
func TestReader(t *testing.T) {
	t.Parallel()
	header := string(AppendRecord(nil, &DocumentHeader{Tag: TagHeader, ID: "x", Score: Some(7)}))
	for name, c := range map[string]struct {
		apdu string
		n    int   // records
		err  error // nil is none
	}{
		"no user information":         {response("")[:13], 0, nil},
		"empty user information":      {response(""), 0, nil},
		"one":                         {response(header), 1, nil},
		"elements around":             {response("")[:13] + "\x01\x02ab" + response(header)[13:] + "\x02\x00", 1, nil},
		"unknown record":              {response("\x81\x1a\x01x" + header), 2, nil},
		"unknown element in a record": {response("\x81\x16\x04\x7d\x02ab"), 1, nil},
		"short header":                {response("\x81\x17\x03\x74\x01x"), 1, nil},
		"diagnostic":                  {response("\x1c\x00\x05SFno\x01\x1d"), 1, nil},
		"diagnostic without text":     {response("\x1c\x00\x03SF\x01\x1d" + header), 2, nil},
		"number of eight bytes":       {response("\x81\x16\x0a\x76\x08\x00\x00\x00\x00\x00\x00\x00\x01"), 1, nil},

		"empty APDU header":               {"\x00\x00", 0, ErrMalformed},
		"APDU header too long":            {"\x00\xff\x17\x00", 0, ErrMalformed},
		"other APDU":                      {"\x00\x0b\x15\x01\x00\x00\x00\x00\x00\x01\x00\x00\x00", 0, ErrMalformed},
		"short APDU header":               {"\x00\x03\x17\x01\x00", 0, ErrMalformed},
		"user information too long":       {response("")[:13] + "\x63\x05abc", 0, ErrMalformed},
		"record too long for the group":   {response("\x81\x16\x09\x74\x01x"), 0, ErrMalformed},
		"record overruns the group":       {response("")[:13] + "\x63\x04\x81\x16\x03\x74\x01x", 0, ErrMalformed},
		"element overruns the record":     {response("\x81\x16\x03\x74\x05x"), 0, ErrMalformed},
		"type overruns the types":         {response("\x81\x16\x06\x81\x04\x03\x81\x05\x09"), 0, ErrMalformed},
		"number without bytes":            {response("\x81\x16\x02\x76\x00"), 0, ErrMalformed},
		"number of nine bytes":            {response("\x81\x16\x0b\x76\x09\x00\x00\x00\x00\x00\x00\x00\x00\x01"), 0, ErrMalformed},
		"two texts":                       {response("\x81\x19\x06\x7f\x01a\x7f\x01b"), 0, ErrMalformed},
		"diagnostic of two bytes":         {response("\x1c\x00\x02SF\x1d"), 0, ErrMalformed},
		"diagnostic without length":       {response("\x1c\x00"), 0, ErrMalformed},
		"diagnostic overruns the group":   {response(header + "\x1c\x00\x09SFno\x01\x1d"), 1, ErrMalformed},
		"diagnostic overruns by one byte": {response("")[:13] + "\x63\x08\x1c\x00\x05SFno\x01\x1d", 0, ErrMalformed},
		"diagnostic overruns by two":      {response("")[:13] + "\x63\x07\x1c\x00\x05SFno\x01\x1d", 0, ErrMalformed},
		"record overruns by one byte":     {response("")[:13] + "\x63\x05\x81\x16\x03\x74\x01x", 0, ErrMalformed},
		"record of the caller's limit":    {response("\x81\x1a" + string(appendCompressed(nil, 1000)) + strings.Repeat("x", 1000)), 1, nil},
		"record of one byte more":         {response("\x81\x1a" + string(appendCompressed(nil, 1001)) + strings.Repeat("x", 1001)), 0, ErrTooLong},
		"diagnostic of the limit":         {response("\x1c\x03\xe7SF" + strings.Repeat("x", 996) + "\x01\x1d"), 1, nil},
		"diagnostic of one byte more":     {response("\x1c\x03\xe8SF" + strings.Repeat("x", 997) + "\x01\x1d"), 0, ErrTooLong},
		"diagnostic without its end":      {response("\x1c\x00\x05SFno\x01\x00"), 0, ErrMalformed},
		"tag cut off by the group":        {response("\x81"), 0, ErrMalformed},
		"tag overruns the group":          {response("")[:13] + "\x63\x01\x81\x16\x00", 0, ErrMalformed},
		"length too large":                {response("\x81\x16\xff\xff\xff\xff\x7f"), 0, ErrMalformed},
		"record over the caller's limit":  {response(string(AppendRecord(nil, &DocumentText{ID: "x", Text: make([]byte, 2000)}))), 0, ErrTooLong},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			records, err := read(c.apdu, 1000)
			if len(records) != c.n || !errors.Is(err, c.err) {
				t.Errorf("%d records and error %v, want %d and %v", len(records), err, c.n, c.err)
			}
		})
	}
	if _, err := read(response(header)[:20], 1000); err == nil {
		t.Error("a packet that ends within a record is no error")
	}
}

// TestReaderTwice reads two responses with one Reader, which reuses its memory for a text, but not
// within a response.
func TestReaderTwice(t *testing.T) {
	t.Parallel()
	var r Reader
	var first *byte
	for _, texts := range []string{"ab", "cd"} {
		var records []byte
		for _, text := range texts {
			records = AppendRecord(records, &DocumentText{ID: "x", Text: []byte{byte(text)}})
		}
		apdu := response(string(records))
		if _, err := r.Begin(strings.NewReader(apdu), int64(len(apdu)), 1000); err != nil {
			t.Fatal(err)
		}
		var got [][]byte
		for range texts {
			rec, err := r.Next()
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, rec.(*DocumentText).Text)
		}
		if string(got[0])+string(got[1]) != texts {
			t.Errorf("%q, want %q", got, texts)
		}
		if first == nil {
			first = &got[0][0]
		} else if first != &got[0][0] {
			t.Error("the memory of a text is not reused")
		}
		if _, err := r.Next(); err != io.EOF || r.Left() != 0 {
			t.Errorf("after the last record: %v, %d bytes left", err, r.Left())
		}
	}
}

func TestRequests(t *testing.T) {
	t.Parallel()
	id := "\x03\x05a.txt"
	like := []Feedback{{ID: id, Type: "TEXT"}, {ID: id, Part: NewPart(PartLines, 0, 300)}, {ID: id, Type: "HTML", Part: &Part{Some(PartParagraphs), "\x00\xff", ""}}}
	for _, m := range []*Search{
		NewSearch("db", &Words{Seeds: "a b", DateFactor: Some(1), Max: Some(40)}),
		NewSearch("", &Words{Like: like, DateFactor: Some(4), BeginDate: "19940101", EndDate: "19941231", Max: Some(0)}),
		NewRetrieval("db", id, "TEXT", 0, 10000),
	} {
		b, err := m.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := ParseRequest(b)
		if err != nil || !reflect.DeepEqual(got, m) {
			t.Errorf("%+v, %v\nwant %+v", got, err, m)
		}
	}
	if like[1].Part.End != "\x01\x2c" {
		t.Errorf("the end 300 is %x", like[1].Part.End)
	}
	r, ok := NewRetrieval("db", id, "TEXT", 5, 10).Retrieval()
	if want := (Retrieval{ID: id, Type: "TEXT", Start: 5, End: 10, Range: true}); r != want || !ok {
		t.Errorf("%+v, %v", r, ok)
	}
	for _, terms := range [][]Term{nil, {{useType + equal, "TEXT", ""}}, {{useID + equal, "x", ""}, {useByte + atLeast, "5", and}}, {{useID + equal, "x", ""}, {"wb", "5", ""}, {useByte + atLeast, "9", and}, {useByte + lessThan, "5", and}},
		{{useID + equal, "x", ""}, {useByte + atLeast, "-1", and}, {useByte + lessThan, "5", and}}} {
		if r, ok := (&Search{Terms: terms}).Retrieval(); ok {
			t.Errorf("%v: %+v", terms, r)
		}
	}
}

// TestCounts reads messages with as many parts as are permitted, and one more.
//
// Covers: P6
func TestCounts(t *testing.T) {
	t.Parallel()
	for _, n := range []int{maxTypes, maxTypes + 1} {
		list, err := read(response(string(AppendRecord(nil, &DocumentHeader{Tag: TagHeader, ID: "x", Types: slices.Repeat([]string{"T"}, n)}))), 1000)
		if err != nil || len(list[0].(*DocumentHeader).Types) != maxTypes {
			t.Errorf("%d formats: %v, %v", n, list, err)
		}
	}
	for n, ok := range map[int]bool{maxTerms: true, maxTerms + 1: false} {
		m := NewRetrieval("db", "x", "TEXT", 0, 9)
		m.Terms = slices.Repeat(m.Terms[:1], n)
		b, err := m.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ParseRequest(b); (err == nil) != ok {
			t.Errorf("%d terms: %v", n, err)
		}
	}
	for n, ok := range map[int]bool{maxFeedback: true, maxFeedback + 1: false} {
		b, err := NewSearch("db", &Words{Like: make([]Feedback, n)}).Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ParseRequest(b); (err == nil) != ok || !ok && !errors.Is(err, ErrMalformed) {
			t.Errorf("%d documents: %v", n, err)
		}
	}
	part := &Part{Start: strings.Repeat("\xff", 7), End: strings.Repeat("\xff", 8)}
	if start, end := part.Range(); start != 1<<56-1 || end != 0 {
		t.Errorf("the range is %d to %d", start, end)
	}
	for n, ok := range map[int]bool{0xffff: true, 0x10000: false} { // the bytes of an APDU header after its length
		m := NewSearch("", &Words{})
		b, err := m.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		m.Database = strings.Repeat("d", n-int(bigEndian(b[:2]))-2) // whose length needs two bytes more
		if _, err := m.Append(nil); (err == nil) != ok {
			t.Errorf("a header of %d bytes: %v", n, err)
		}
	}
}

func TestDocumentID(t *testing.T) {
	t.Parallel()
	long := DocumentID{{IDDatabase, []byte("db")}, {IDLocal, bytes.Repeat([]byte("x"), 300)}, {IDLocal + 3, []byte("distributor")}, {IDCopyright, []byte{0}}}
	id, ok := ParseDocumentID(long.String())
	if !ok || !reflect.DeepEqual(id, long) {
		t.Errorf("%v, %v", id, ok)
	}
	for tag, want := range map[Tag]string{IDServer: "", IDDatabase: "db", IDLocal: "distributor"} {
		if got, ok := id.Get(tag); got != want || ok != (want != "") {
			t.Errorf("%d: %q, %v", tag, got, ok)
		}
	}
	for _, opaque := range []string{"", "x", "plain text", "\x03\x05abc", "\x80\x03\x01x", "\x03\x80\x01x"} {
		if id, ok := ParseDocumentID(opaque); ok {
			t.Errorf("%q: %v", opaque, id)
		}
	}
}

// FuzzPacket reads a packet as a client and as a server do.
//
// Covers: P6, T109
func FuzzPacket(f *testing.F) {
	for _, user := range []string{"", "\x1c\x00\x05SFno\x01\x1d", string(AppendRecord(nil, &DocumentHeader{Tag: TagHeader, ID: "x", Types: []string{"TEXT", "PS"}}))} {
		f.Add(AppendPacket(nil, "", []byte(response(user))))
	}
	for _, m := range []*Search{NewSearch("db", &Words{Seeds: "a", Like: []Feedback{{ID: "x", Part: NewPart(2, 0, 3)}}}), NewRetrieval("db", "x", "TEXT", 0, 9)} {
		b, _ := m.Append(nil)
		f.Add(AppendPacket(nil, "", b))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		_, apdu, err := ReadPacket(bytes.NewReader(in), 1<<16)
		if err != nil || len(apdu) == 0 {
			return
		}
		if m, err := ParseRequest(apdu); err == nil {
			if s, ok := m.(*Search); ok {
				s.Retrieval()
				again, err := s.Append(nil)
				if err != nil {
					t.Fatal(err)
				}
				if m, err := ParseRequest(again); err != nil || m.(*Search).String() != s.String() {
					t.Fatalf("%v, %v\nwas %v", m, err, s)
				}
			}
		} else if !errors.Is(err, ErrMalformed) {
			t.Fatalf("the error is not typed: %v", err)
		}
		records, err := read(string(apdu), 1<<16)
		if err != nil {
			if !errors.Is(err, ErrMalformed) && !errors.Is(err, ErrTooLong) {
				t.Fatalf("the error is not typed: %v", err)
			}
			return
		}
		again, err := AppendResponse(nil, &SearchResponse{}, records)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := read(string(again), 1<<17); err != nil || len(back) != len(records) {
			t.Fatalf("%d records, %v, want %d", len(back), err, len(records))
		}
	})
}

// FuzzDocumentID checks that the parts of a document-id encode to the same bytes.
func FuzzDocumentID(f *testing.F) {
	f.Add("\x01\x01h\x02\x02db\x03\x05a.txt\x07\x01\x00")
	f.Add("\x81\x00\x00")
	f.Fuzz(func(t *testing.T, s string) {
		if id, ok := ParseDocumentID(s); ok && id.String() != s {
			t.Fatalf("%q became %q", s, id.String())
		}
	})
}
