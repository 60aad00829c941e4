package wais_test

import (
	"bytes"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"locator"
	"locator/client"
	"locator/internal/capture"
	"locator/internal/z3950"
	"locator/scheme"
	"locator/scheme/wais"
	"locator/schemetest/peer"
)

// replay starts a server that answers requests of the captures, byte for byte, with the recorded
// responses. It closes the connection for any other request.
func replay(t *testing.T, all []*capture.Exchange) *peer.Host {
	t.Helper()
	answers := make(map[string][]byte)
	for _, e := range all {
		for i := 0; i+1 < len(e.Messages); i += 2 {
			if m := e.Messages[i]; answers[string(m.Data)] == nil {
				answers[string(m.Data)] = e.Messages[i+1].Data
			}
		}
	}
	h := peer.ListenFor(t)
	h.Serve(func(conn net.Conn) {
		for {
			head, apdu, err := z3950.ReadPacket(conn, 1<<20)
			if err != nil {
				return
			}
			answer := answers[string(z3950.AppendPacket(nil, head.Echo, apdu))]
			if answer == nil {
				h.Seen("not recorded: " + string(apdu))
				return
			}
			if _, err := conn.Write(answer); err != nil {
				return
			}
		}
	})
	return h
}

// TestCaptures makes the recorded requests by URL, with the same bytes, and reads the responses of
// freeWAIS.
//
// Covers: S14, A11, W16, W17
func TestCaptures(t *testing.T) {
	t.Parallel()
	all, err := capture.ReadDir(os.DirFS("../../internal/capture/testdata"), "wais")
	if err != nil {
		t.Fatal(err)
	}
	h, c := replay(t, all), client.New(client.Options{Registry: scheme.NewRegistry(wais.New())})
	defer c.Close()
	at := locator.Hostport{Host: peer.Address, Port: strconv.Itoa(int(h.Port()))}
	build := func(v *locator.WAIS) locator.URL {
		v.Hostport = at
		u, err := locator.Build(v)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	fails := map[string]scheme.Code{ // what the responses mean
		"08-ex-search-bad-database": scheme.CodeNotFound, "13-search-bad-database": scheme.CodeNotFound, "53-search-info": scheme.CodeNotFound,
		"54-db-empty": scheme.CodeNotFound, "14-search-syntax-error": scheme.CodeUsage, "47-retrieve-bad-docid": scheme.CodeNotFound,
		"48-retrieve-foreign-file": scheme.CodeNotFound, "09-retrieve-past-end": scheme.CodeUsage, "70-field-unknown": scheme.CodeUsage,
		"57-feedback-doc": scheme.CodeUsage, "73-like-no-words-locator": scheme.CodeUsage,
	}
	found := map[string]int{ // entries
		"02-ex-search": 1, "02-search": 7, "11-search-help": 2, "15-search-boolean": 1, "16-search-max2": 2, "17-search-html": 1, "19-search-gif": 1,
		"22-search-big": 1, "41-search-html-typed": 1, "52-db-with-src": 1, "56-max-100000": 30, "61-search-latin1": 3,
		"07-ex-search-no-hit": 0, "10-search-no-hits": 0, "72-like-words": 5, "74-info-search": 2, "75-odd-database": 2, "76-one-line": 3, "77-mail": 3,
		"78-question-mark": 2,
	}
	made := 0
	for _, e := range all {
		m, _ := z3950.ParseRequest(e.Messages[0].Data[z3950.HeaderSize:])
		s, ok := m.(*z3950.Search)
		if !ok || len(s.Other) > 0 || e.Name == "26-search-small-buffer" || e.Name == "27-retrieve-small-buffer" {
			continue
		}
		r, isDocument := s.Retrieval()
		want := fails[e.Name]
		switch {
		case s.Words != nil && (s.Words.Seeds != "" || len(s.Words.Like) == 1) && isWhole(s.Words.Like) && s.Words.DateFactor.N == 1 && s.ElementSets == "" && s.QueryType == z3950.QueryWords && s.Words.Max.N > 0:
			made++
			o := scheme.ListOptions{Max: int(s.Words.Max.N)}
			for _, like := range s.Words.Like {
				o.Like = append(o.Like, build(&locator.WAIS{Kind: locator.WAISDocument, Database: s.Database, Type: like.Type, Path: like.ID}))
			}
			entries, err := list(t, c, build(&locator.WAIS{Kind: locator.WAISSearch, Database: s.Database, Search: s.Words.Seeds}), o)
			if n, known := found[e.Name]; client.CodeOf(err) != want || want == scheme.CodeOK && (!known || len(entries) != n) {
				t.Errorf("%s: %q, %v, want %d entries and code %v", e.Name, names(entries), err, n, want)
			}
		case isDocument && r.Range && !r.Lines && s.ResultSet == "FOO":
			made++
			u := build(&locator.WAIS{Kind: locator.WAISDocument, Database: s.Database, Type: r.Type, Path: r.ID})
			_, got, err := get(t, c, u, scheme.AccessOptions{Range: scheme.Range{Offset: r.Start, Length: r.End - r.Start}})
			if client.CodeOf(err) != want || want == scheme.CodeOK && !bytes.Contains(e.Messages[1].Data, []byte(got)) {
				t.Errorf("%s: %q, %v, want code %v", e.Name, got, err, want)
			}
		}
	}
	if made < 38 {
		t.Errorf("only %d requests were made", made)
	}
	for _, line := range h.Lines() {
		t.Errorf("%q", line)
	}
	// The whole of a document, in two recorded pieces.
	id := "\x01\x0flocalhost:12220\x02\x0e/srv/wais/s/db\x03\x160 40 /srv/wais/s/a.txt\x04\x0flocalhost:12220\x05\x0e/srv/wais/s/db\x06\x160 40 /srv/wais/s/a.txt\x07\x01\x00"
	var whole strings.Builder
	for _, r := range []scheme.Range{{Length: 24}, {Offset: 24, Length: 16}} {
		_, got, err := get(t, c, build(&locator.WAIS{Kind: locator.WAISDocument, Database: "db", Type: "TEXT", Path: id}), scheme.AccessOptions{Range: r})
		if err != nil {
			t.Fatal(err)
		}
		whole.WriteString(got)
	}
	if whole.String() != "Heron note\nA heron stood in the marsh.\n!" {
		t.Errorf("%q", whole.String())
	}
}

// isWhole reports whether the documents of relevance feedback are meant as a whole, and have their
// formats.
func isWhole(like []z3950.Feedback) bool {
	return !slices.ContainsFunc(like, func(f z3950.Feedback) bool { return f.Part != nil || f.Type == "" })
}

// endless is content without an end.
type endless struct{}

func (endless) ReadAt(p []byte, _ int64) (int, error) {
	clear(p)
	return len(p), nil
}

func (endless) Close() error { return nil }
