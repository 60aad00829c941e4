package z3950

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"locator/internal/capture"
	"locator/wire"
)

var update = flag.Bool("update", false, "update the golden file")

// TestCaptures decodes every recorded message, compares the values with the golden file, and
// encodes them again: the same bytes must result.
//
// Covers: S14, A11
func TestCaptures(t *testing.T) {
	t.Parallel()
	all, err := capture.ReadDir(os.DirFS("../../internal/capture/testdata"), "wais")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, e := range all {
		fmt.Fprintf(&out, "== %s: %s\n", e.Name, e.Header["title"])
		for _, m := range e.Messages {
			t.Run(fmt.Sprintf("%s:%d", e.Name, m.Line), func(t *testing.T) {
				h, apdu, err := ReadPacket(bytes.NewReader(m.Data), 1<<20)
				if err != nil {
					t.Fatal(err)
				}
				again := apdu
				if len(apdu) > 0 {
					again = recode(t, &out, m.Client, apdu)
				}
				if e.Name == "50-unknown-tag" && m.Client {
					return // it has an element that no field describes before the others
				}
				if packet := AppendPacket(nil, h.Echo, again); !bytes.Equal(packet, m.Data) {
					t.Errorf("encoded again:\n%x\nwant\n%x", packet, m.Data)
				}
			})
		}
	}
	const golden = "testdata/captures.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(strings.ReplaceAll(wire.Escape(out.String()), `\x0a`, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if text := wire.Escape(out.String()); strings.ReplaceAll(text, `\x0a`, "\n") != string(want) {
		t.Errorf("the decoded values differ from %s: look at the difference, and run the test with -update", golden)
	}
}

// recode decodes an APDU, prints its values, and encodes them.
func recode(t *testing.T, out io.Writer, client bool, apdu []byte) []byte {
	t.Helper()
	check := func(b []byte, err error) []byte {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	if client {
		m, err := ParseRequest(apdu)
		if err != nil {
			t.Fatal(err)
		}
		switch m := m.(type) {
		case *Init:
			fmt.Fprintf(out, "> %v\n  %+q\n", m, []string{m.ProtocolVersion, m.Options, m.Authentication, m.Implementation, m.Name, m.Version, m.Reference})
			return check(m.Append(nil))
		case *Search:
			fmt.Fprintf(out, "> %v\n  %d %d %d %d %+q\n", m, m.SmallSet, m.LargeSet, m.MediumSet, m.Replace,
				[]string{m.ResultSet, m.QueryType, m.ElementSets, m.Reference})
			if w := m.Words; w != nil {
				fmt.Fprintf(out, "  dates %v %q %q\n", w.DateFactor, w.BeginDate, w.EndDate)
				for _, f := range w.Like {
					fmt.Fprintf(out, "  like %s %+v\n", f.Type, f.Part)
				}
			}
			for _, e := range m.Other {
				fmt.Fprintf(out, "  element %d: %q\n", e.Tag, e.Value)
			}
			return check(m.Append(nil))
		case *Unknown:
			fmt.Fprintf(out, "> APDU of type %d, %d bytes\n", m.Type, len(m.APDU))
			return m.APDU
		}
	}
	if apdu[2] == TypeInitResponse {
		m, err := ParseInitResponse(apdu)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(out, "< %v\n  %v\n", m, m.User)
		return check(m.Append(nil))
	}
	var r Reader
	m, err := r.Begin(bytes.NewReader(apdu), int64(len(apdu)), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(out, "< %v\n  %d %d %v %v %q\n", m, m.Count, m.Next, m.ResultStatus, m.PresentStatus, m.Reference)
	var records []Record
	for {
		rec, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch rec := rec.(type) {
		case *DocumentHeader:
			id, _ := ParseDocumentID(rec.ID)
			fmt.Fprintf(out, "  document %s\n   version %v score %v best %v length %v lines %v types %q source %q date %q headline %q city %q\n", id.show(),
				rec.Version, rec.Score, rec.BestMatch, rec.Length, rec.Lines, rec.Types, rec.Source, rec.Date, rec.Headline, rec.City)
		case *DocumentText:
			id, _ := ParseDocumentID(rec.ID)
			fmt.Fprintf(out, "  text of %s version %v, %d bytes: %.60q\n", id.show(), rec.Version, len(rec.Text), rec.Text)
		case *Diagnostic:
			fmt.Fprintf(out, "  diagnostic %v %d\n", rec, rec.Surrogate)
		case *Element:
			fmt.Fprintf(out, "  element %d: %q\n", rec.Tag, rec.Value)
		}
		records = append(records, rec)
	}
	return check(AppendResponse(nil, m, records))
}

func (id DocumentID) show() string {
	var s []string
	for _, e := range id {
		s = append(s, fmt.Sprintf("%d=%q", e.Tag, e.Value))
	}
	return strings.Join(s, ";")
}
