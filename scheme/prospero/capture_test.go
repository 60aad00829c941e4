package prospero

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"locator/internal/capture"
	"locator/scheme/prospero/internal/ardp"
	"locator/scheme/prospero/internal/text"
	"locator/scheme/prospero/prosperotest"
	"locator/schemetest/peer"
	"locator/wire"
)

var update = flag.Bool("update", false, "update the golden files")

func captures(t *testing.T) []*capture.Exchange {
	t.Helper()
	all, err := capture.ReadDir(os.DirFS("../../testdata/captures"), "prospero")
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 100 {
		t.Fatalf("only %d captures", len(all))
	}
	return all
}

// TestCaptures decodes every packet that was exchanged with real servers and clients, into the values in testdata/captures.txt.
// The packets with a header that a client sent are encoded to the same bytes.
//
// Covers: S16, A13
func TestCaptures(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	for _, x := range captures(t) {
		fmt.Fprintf(&out, "== %s\n", x.Name)
		var message [2][]byte // of the client, of the server
		for _, m := range x.Messages {
			side := "<"
			if m.Client {
				side = ">"
			}
			fmt.Fprintf(&out, "%s %s\n", side, ardp.Describe(m.Data))
			h, data, err := ardp.Parse(m.Data)
			if err != nil {
				continue // of clients and servers before ARDP
			}
			if got := append(h.Append(nil), data...); !bytes.Equal(got, m.Data) {
				t.Errorf("%s: line %d: encoded as %x", x.Name, m.Line, got[:len(got)-len(data)])
			}
			if h.Number > 0 && !m.Client {
				message[1] = append(message[1], data...)
			}
		}
		fmt.Fprint(&out, decoded(message[1]))
	}
	const name = "testdata/captures.txt"
	if *update {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(out.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != string(want) {
		t.Errorf("the values differ from %s; look at the differences after: go test -run TestCaptures ./scheme/prospero -update", name)
	}
}

// decoded returns the values in the text of a response. Of the many files with long names it has three.
func decoded(response []byte) string {
	var b strings.Builder
	s := text.NewScanner(bytes.NewReader(response), 64<<10)
	server := place{host: "localhost", port: "21525", name: "AFTP"}
	var last *link
	var object attributes
	flush := func() {
		list, of := object, server
		if last != nil {
			list, of = last.attrs, last.place
			e, shown := last.entry(server)
			fmt.Fprintf(&b, "  link %s %s %q %v %s\n", last.kind, e.Kind, e.Name, shown, e.URL)
		}
		last, object = nil, nil
		for _, a := range list {
			if len(a.values) > 0 && a.name == contents {
				a.values[len(a.values)-1] = fmt.Sprintf("%d bytes", len(a.values[len(a.values)-1]))
			}
			fmt.Fprintf(&b, "    attribute %s %s %s %q\n", a.appliesTo, a.space, a.name, a.values)
		}
		for _, m := range list.methods(of) {
			u, kind, ok := m.url(server)
			fmt.Fprintf(&b, "    method %s %v %v %s\n", m.name, ok, kind, u)
		}
	}
	long, skipped := 0, false
	for {
		tokens, err := s.Line()
		if err != nil {
			flush()
			if err != io.EOF {
				fmt.Fprintf(&b, "  error %v\n", err)
			}
			break
		}
		if k, ok := parseLink(tokens); ok {
			if skipped = strings.HasPrefix(k.name, "file-with-a-rather-long-name") && long == 3; skipped {
				continue
			}
			if strings.HasPrefix(k.name, "file-with-a-rather-long-name") {
				long++
			}
			flush()
			last = &k
			continue
		}
		if a, ok := parseAttribute(tokens); ok {
			switch {
			case skipped:
			case last != nil:
				last.attrs = append(last.attrs, a)
			default:
				object = append(object, a)
			}
			continue
		}
		flush()
		fmt.Fprintf(&b, "  %s\n", wire.Excerpt(strings.Join(tokens, "|"), 200))
	}
	return b.String()
}

// Files of the captured server. All have the same date.
func capturedFiles() []peer.File {
	var all strings.Builder
	for range 20 {
		for c := range 256 {
			all.WriteByte(byte(c))
		}
	}
	files := []peer.File{
		{Path: []string{"hello.txt"}, Content: "hello prospero\n"}, {Path: []string{"docs", "README"}, Content: "readme\nline 2\n"},
		{Path: []string{"docs", "deep", "leaf.ps"}, Content: "d\n"}, {Path: []string{"data.bin"}, Content: "\x00\x01\x02binary"},
		{Path: []string{"it's here.txt"}, Content: "quote\n"}, {Path: []string{"with space", "a file.txt"}, Content: "s\n"}, {Path: []string{"a+b.txt"}, Content: "plus\n"},
		{Path: []string{"odd", "allbytes.bin"}, Content: all.String()}, {Path: []string{"odd", "quotes.txt"}, Content: "''it's ''' +,/ \n\n'end'"},
		{Path: []string{"odd", "lf-first.txt"}, Content: "\nabc\n"}, {Path: []string{"odd", "empty.txt"}}, {Path: []string{"odd", "new\nline.txt"}, Content: "x"},
		{Path: []string{"odd", "caf\xe9.txt"}, Content: "x"},
	}
	for i := range 150 {
		files = append(files, peer.File{Path: []string{"many", fmt.Sprintf("file-with-a-rather-long-name-%03d.dat", i+1)}})
	}
	for i := range files {
		files[i].Modified = time.Date(1994, 5, 17, 12, 0, 0, 0, time.UTC)
	}
	return files
}

// sameText are the captures whose response our server gives token by token. In others the order of the links is that of a file system, or the server has
// links, permissions and errors that ours has not.
var sameText = []string{
	"list-one", "list-attr", "ver-none", "goi-contents", "contents-allbytes", "contents-empty", "contents-lf-first", "contents-quotes", "ardp-2pkt-request", "ardp-2pkt-request-rev",
	"ardp-hdr9", "ardp-hdr7", "ardp-hdr3", "ardp-hdr1", "ardp-2pkt-half", "ardp-hdr5", "ardp-cancel", "motd",
}

// TestServer sends what real clients sent to our server. Its response has the headers and tokens of the recorded one.
//
// Covers: A13
func TestServer(t *testing.T) {
	t.Parallel()
	s, err := prosperotest.Start(capturedFiles(), prosperotest.Name("LOCALHOST(21525)"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	known := 0
	for _, x := range captures(t) {
		if !slices.Contains(sameText, x.Name) {
			continue
		}
		known++
		var recorded, got [][]byte
		for i, m := range x.Messages {
			if m.Client {
				got = append(got, s.Handle(time.Unix(int64(i), 0), netip.MustParseAddrPort("127.0.0.1:1"), m.Data)...)
			} else {
				recorded = append(recorded, m.Data)
			}
		}
		if shape(recorded) != shape(got) {
			t.Errorf("%s: response\n%s\nrecorded\n%s", x.Name, shape(got), shape(recorded))
		}
	}
	if known != len(sameText) {
		t.Errorf("%d of %d captures are there", known, len(sameText))
	}
}

// shape returns the headers of packets and the tokens of their text.
func shape(packets [][]byte) string {
	var b strings.Builder
	var whole []byte
	for _, p := range packets {
		h, data, err := ardp.Parse(p)
		fmt.Fprintf(&b, "%d %x %d/%d %v\n", h.Length, h.ID, h.Number, h.Total, err)
		whole = append(whole, data...)
	}
	s := text.NewScanner(bytes.NewReader(whole), 64<<10)
	for {
		tokens, err := s.Line()
		if err != nil {
			return b.String()
		}
		if slices.Contains(tokens, "NATIVE-OWNER") || slices.Contains(tokens, "AFTP") && slices.Contains(tokens, "ACCESS-METHOD") {
			continue // names of the computer
		}
		fmt.Fprintf(&b, "%q\n", tokens)
	}
}
