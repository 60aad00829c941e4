package waistest

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"locator/internal/capture"
	"locator/internal/z3950"
	"locator/scheme/wais/waisserver"
)

// recorded returns the captures by name.
func recorded(t *testing.T) map[string]*capture.Exchange {
	t.Helper()
	all, err := capture.ReadDir(os.DirFS("../../../internal/capture/testdata"), "wais")
	if err != nil {
		t.Fatal(err)
	}
	byName := make(map[string]*capture.Exchange)
	for _, e := range all {
		byName[e.Name] = e
	}
	return byName
}

// records decodes the response in a packet.
func records(t *testing.T, packet []byte) (*z3950.SearchResponse, []z3950.Record) {
	t.Helper()
	_, apdu, err := z3950.ReadPacket(bytes.NewReader(packet), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if len(apdu) == 0 {
		return nil, nil
	}
	var r z3950.Reader
	begin, err := r.Begin(bytes.NewReader(apdu), int64(len(apdu)), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	var list []z3950.Record
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return begin, list
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, rec)
	}
}

// textOf returns the piece of a document in a capture.
func textOf(t *testing.T, e *capture.Exchange) string {
	t.Helper()
	_, list := records(t, e.Messages[len(e.Messages)-1].Data)
	return string(list[0].(*z3950.DocumentText).Text)
}

// albatross returns the text big.txt of the captured server.
func albatross() string {
	var b strings.Builder
	b.WriteString("Big log of the albatross\n")
	for n := 1; n <= 3000; n++ {
		fmt.Fprintf(&b, "%05d albatross sighting number %d over open water, wind force %d\n", n, n, n%12)
	}
	return b.String()
}

// birds returns the databases of the captured servers. The notes that were not retrieved have their
// headlines, lengths and lines.
func birds(t *testing.T, all map[string]*capture.Exchange) []*waisserver.Database {
	t.Helper()
	const docs = "/srv/wais/docs/"
	note30 := textOf(t, all["03-retrieve-bytes"])
	files := []waisserver.File{
		waisserver.Memory(docs+"big.txt", albatross(), time.Time{}), waisserver.Memory(docs+"page.html", textOf(t, all["18-retrieve-html"]), time.Time{}),
		waisserver.Memory(docs+"pixel.gif", textOf(t, all["20-retrieve-gif-0"])+textOf(t, all["21-retrieve-gif-10000"]), time.Time{}),
		waisserver.Memory(docs+"note30.txt", note30, time.Time{}),
	}
	_, hits := records(t, all["56-max-100000"].Messages[1].Data)
	for _, rec := range hits {
		h := rec.(*z3950.DocumentHeader)
		id, _ := z3950.ParseDocumentID(h.ID)
		local, _ := id.Get(z3950.IDLocal)
		name := local[strings.LastIndexByte(local, ' ')+1:]
		if name == docs+"note30.txt" {
			continue
		}
		text := h.Headline + strings.Repeat("\n", int(h.Lines.N)-1) + "dawn "
		if strings.Contains(h.Headline, "heron") { // the notes with bytes above 7f
			text += "caf\xe9 "
		}
		files = append(files, waisserver.Memory(name, text+strings.Repeat("x", int(h.Length.N)-len(text)-1)+"\n", time.Time{}))
	}
	var list []*waisserver.Database
	for name, files := range map[string][]waisserver.File{"birds": files, "db": {
		waisserver.Memory("/srv/wais/s/a.txt", "Heron note\nA heron stood in the marsh.\n!", time.Time{}),
		waisserver.Memory("/srv/wais/s/b.txt", "Kestrel note\nA kestrel over the moor.\n", time.Time{}),
	}} {
		db, err := waisserver.NewDatabase(name, files)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, db)
	}
	return list
}

// mixed returns the databases of the server of the captures 70 to 78. Their documents have the
// headlines, lengths and lines of those that were found.
func mixed(t *testing.T, all map[string]*capture.Exchange) []*waisserver.Database {
	t.Helper()
	files := map[string][]waisserver.File{"mix": nil}
	for capture, name := range map[string]string{"74-info-search": "INFO", "75-odd-database": "my db;x=1"} {
		_, hits := records(t, all[capture].Messages[1].Data)
		for _, rec := range hits {
			h := rec.(*z3950.DocumentHeader)
			id, _ := z3950.ParseDocumentID(h.ID)
			local, _ := id.Get(z3950.IDLocal)
			text := h.Headline + "\nheron" + strings.Repeat("\n", int(h.Lines.N)-2)
			files[name] = append(files[name], waisserver.Memory(strings.SplitN(local, " ", 3)[2], text+strings.Repeat("x", int(h.Length.N)-len(text)), time.Time{}))
		}
	}
	var list []*waisserver.Database
	for name, files := range files {
		db, err := waisserver.NewDatabase(name, files)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, db)
	}
	return list
}

// differs has the captures that the server answers in another way, with the reason.
var differs = map[string]string{
	"26-search-small-buffer":      "the document-ids are shorter, so more records fit; TestSmallResponse",
	"43-retrieve-wsrc":            "the description has another text",
	"58-feedback-chunk":           "freeWAIS weighs the words of the part in another way",
	"01-ex-init":                  "the server names itself; TestInit",
	"01-init":                     "the server names itself; TestInit",
	"25-init-small":               "the server names itself; TestInit",
	"53-search-info":              "that server has no database INFO",
	"54-db-empty":                 "that server has no database INFO",
	"72-like-words":               "a document is a whole file",
	"76-one-line":                 "a document is a whole file",
	"77-mail":                     "a document is a whole file",
	"90-waissearch-vs-testserver": "that is another server",
}

// TestCaptures sends what recorded clients have sent, and compares the responses with those of
// freeWAIS, but for the scores and what is secret about paths.
//
// Covers: A11
func TestCaptures(t *testing.T) {
	t.Parallel()
	all := recorded(t)
	databases, mixed := birds(t, all), mixed(t, all)
	if n := len(albatross()); n != 200418 {
		t.Fatalf("big.txt has %d bytes", n)
	}
	compared := 0
	for name, e := range all {
		if differs[name] != "" {
			continue
		}
		port := "12210"
		if strings.Contains(name, "-ex-") {
			port = "12220"
		}
		h := waisserver.NewHandler("localhost:"+port, databases...)
		if strings.HasPrefix(name, "7") {
			h = waisserver.NewHandler("vm:12210", mixed...)
		}
		original, s := &Server{handler: h, opt: options{twist: Original}}, h.NewSession()
		if after := all[e.Header["after"]]; after != nil {
			s.Answer(after.Sent()[z3950.HeaderSize:])
		}
		for i := 0; i+1 < len(e.Messages); i += 2 {
			request, want := e.Messages[i].Data, e.Messages[i+1].Data
			got := z3950.AppendPacket(nil, string(request[10:24]), original.twist(s, request[z3950.HeaderSize:]))
			if len(want) > z3950.HeaderSize && want[z3950.HeaderSize+2] == z3950.TypeInitResponse {
				continue
			}
			compared++
			if g, w := normal(t, got), normal(t, want); g != w {
				t.Errorf("%s:\n%s\nwant\n%s", name, g, w)
			}
		}
	}
	if compared < 47 {
		t.Errorf("only %d responses were compared", compared)
	}
}

var folders = regexp.MustCompile(`/(srv/wais/(db|s)|usr/local/wa/db)/`)

// normal returns a response as a text, without what may differ: scores and their order, and the
// catalogue's length.
func normal(t *testing.T, packet []byte) string {
	t.Helper()
	begin, list := records(t, packet)
	if begin == nil {
		return "an empty packet"
	}
	var lines []string
	for _, rec := range list {
		switch r := rec.(type) {
		case *z3950.DocumentHeader:
			if r.Score.N > 0 {
				r.Score.N = 1
			}
			if strings.Contains(r.ID, ".cat") || strings.Contains(r.ID, ".src") {
				r.Length, r.Lines = z3950.Number{}, z3950.Number{}
			}
			if r.Types[0] == "GIF" {
				r.Lines = z3950.Number{}
			}
			r.ID = plain(r.ID)
			lines = append(lines, fmt.Sprintf("%+v", *r))
		case *z3950.DocumentText:
			lines = append(lines, fmt.Sprintf("text %d %q", len(r.Text), r.Text))
		case *z3950.Diagnostic:
			lines = append(lines, "diagnostic "+r.String())
		}
	}
	slices.Sort(lines)
	return fmt.Sprintf("%+v\n", *begin) + folders.ReplaceAllString(strings.Join(lines, "\n"), "")
}

// plain returns the fields of a document-id, whose lengths change with the path.
func plain(id string) string {
	fields, ok := z3950.ParseDocumentID(id)
	if !ok {
		return id
	}
	var b strings.Builder
	for _, f := range fields {
		fmt.Fprintf(&b, "%d=%s;", f.Tag, f.Value)
	}
	return b.String()
}

// TestInit negotiates as freeWAIS does.
func TestInit(t *testing.T) {
	t.Parallel()
	all := recorded(t)
	for name, size := range map[string]uint64{"01-init": 100_000, "01-ex-init": 30_000, "25-init-small": 1000} {
		s := waisserver.NewHandler("h").NewSession()
		m, err := z3950.ParseInitResponse(s.Answer(all[name].Sent()[z3950.HeaderSize:]))
		if err != nil || !m.Accepted || m.RecordSize.N != size {
			t.Errorf("%s: %+v, %v", name, m, err)
		}
		if want, _ := z3950.ParseInitResponse(all[name].Received()[z3950.HeaderSize:]); fmt.Sprint(m.User, m.Options, m.PreferredSize) != fmt.Sprint(want.User, want.Options, want.PreferredSize) {
			t.Errorf("%s: %+v, want %+v", name, m, want)
		}
	}
	wants := z3950.NewInit(1000)
	wants.Options = "\xc0" // Present
	b, _ := wants.Append(nil)
	if m, err := z3950.ParseInitResponse(waisserver.NewHandler("h").NewSession().Answer(b)); err != nil || m.Accepted {
		t.Errorf("a client that wants Present: %+v, %v", m, err)
	}
}

// TestSmallResponse leaves out the records for which the client has no room.
func TestSmallResponse(t *testing.T) {
	t.Parallel()
	all := recorded(t)
	s := waisserver.NewHandler("localhost:12210", birds(t, all)...).NewSession()
	s.Answer(all["25-init-small"].Sent()[z3950.HeaderSize:])
	b := s.Answer(all["26-search-small-buffer"].Sent()[z3950.HeaderSize:])
	if begin, list := records(t, z3950.AppendPacket(nil, "z2wais        ", b)); len(b) > 1000 || len(list) < 4 || len(list) == 7 || int(begin.Returned) != len(list) {
		t.Errorf("%d bytes with %d records", len(b), len(list))
	}
}
