package wais_test

import (
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"locator"
	"locator/client"
	"locator/internal/z3950"
	"locator/scheme"
	"locator/scheme/wais/waisserver"
	"locator/scheme/wais/waistest"
	"locator/schemetest/peer"
)

// flood starts a server that answers the nth request of a connection with the nth reply. After the last it closes the connection.
func flood(t *testing.T, replies ...func(w io.Writer)) (*peer.Host, locator.Hostport) {
	t.Helper()
	h := peer.ListenFor(t)
	h.Serve(func(conn net.Conn) {
		for _, reply := range replies {
			if _, _, err := z3950.ReadPacket(conn, 1<<20); err != nil {
				return
			}
			reply(conn)
		}
		z3950.ReadPacket(conn, 1<<20) // the next request has no response
	})
	return h, locator.Hostport{Host: peer.Address, Port: fmt.Sprint(h.Port())}
}

// records returns a reply with records.
func records(list ...z3950.Record) func(io.Writer) {
	return func(w io.Writer) {
		apdu, err := z3950.AppendResponse(nil, &z3950.SearchResponse{}, list)
		if err != nil {
			panic(err)
		}
		w.Write(z3950.AppendPacket(nil, "", apdu))
	}
}

// endlessly returns a reply with some records, and after them one without end.
func endlessly(list []z3950.Record, then z3950.Record) func(io.Writer) {
	return func(w io.Writer) {
		text := "0268435455z2wais        0\x00\x0b\x17\x00" + strings.Repeat("\x00", 9) + "\x63\xff\xff\xff\x00"
		for _, r := range list {
			text += string(z3950.AppendRecord(nil, r))
		}
		io.WriteString(w, text)
		again := string(z3950.AppendRecord(nil, then))
		peer.Flood(w, func(int) string { return again })
	}
}

func header(typ string) z3950.Record {
	return &z3950.DocumentHeader{Tag: z3950.TagHeader, ID: "\x03\x050 9 x", Length: z3950.Some(9), Types: []string{typ}, Headline: "x"}
}

// Diagnostics and documents that nobody asked for are bounded by a count, long before the limit of a listing.
//
// Covers: P6
func TestFloods(t *testing.T) {
	t.Parallel()
	told := 0
	c := newClient(t, func(o *client.Options) { o.Note = func(locator.URL, string) { told++ } })
	url := func(at locator.Hostport, words string) locator.URL {
		v := &locator.WAIS{Hostport: at, Kind: locator.WAISDatabase, Database: "db"}
		if words != "" {
			v.Kind, v.Search = locator.WAISSearch, words
		}
		u, err := locator.Build(v)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	many := []z3950.Record{header("TEXT")}
	for range 1000 {
		many = append(many, &z3950.Diagnostic{Code: "S2", Text: "no"})
	}
	_, at := flood(t, records(many...))
	if entries, err := list(t, c, url(at, "x"), scheme.ListOptions{}); err != nil || len(entries) != 1 || told == 0 || told > 20 {
		t.Errorf("1000 diagnostics: %d are told, %q, %v", told, names(entries), err)
	}
	_, at = flood(t, endlessly(nil, header("TEXT")))
	for range 2 { // the connection is not used again
		if res, _, err := get(t, c, url(at, ""), scheme.AccessOptions{}); err != nil || res.Kind != scheme.KindQuery {
			t.Errorf("documents without end in place of a description: %v, %v", res, err)
		}
	}
	_, at = flood(t, endlessly([]z3950.Record{header("WSRC")}, header("TEXT")))
	if _, _, err := get(t, c, url(at, ""), scheme.AccessOptions{}); client.CodeOf(err) != scheme.CodeProtocol || !strings.Contains(err.Error(), "more documents") {
		t.Errorf("documents without end after a description: %v", err)
	}
}

// A description that is too long for its attributes is not read to its end.
//
// Covers: P6
func TestLongDescription(t *testing.T) {
	t.Parallel()
	db, err := waisserver.NewDatabase("db", notes())
	if err != nil {
		t.Fatal(err)
	}
	db.Description = strings.Repeat("long ", 100_000)
	s, err := waistest.Start(nil, waistest.With(db))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c := newClient(t, func(o *client.Options) { o.Limits.Header = 20_000 })
	if _, err := c.Attributes(t.Context(), scheme.Request{URL: s.DatabaseURL("db")}, nil); client.CodeOf(err) != scheme.CodeBroken || !strings.Contains(err.Error(), "20000") {
		t.Errorf("%v", err)
	}
	if n := len(s.Lines()); n > 5 {
		t.Errorf("%d requests", n)
	}
}

// A server that answers on a kept connection, and closes it before its next response, is not asked again.
//
// Covers: P6
func TestClosedLater(t *testing.T) {
	t.Parallel()
	h, at := flood(t, records(header("TEXT")), records(header("WSRC")))
	c := newClient(t)
	for _, kind := range []locator.WAISKind{locator.WAISSearch, locator.WAISDatabase} {
		v := &locator.WAIS{Hostport: at, Kind: kind, Database: "db"}
		if kind == locator.WAISSearch {
			v.Search = "x"
		}
		u, err := locator.Build(v)
		if err != nil {
			t.Fatal(err)
		}
		if kind == locator.WAISDatabase {
			if _, _, err := get(t, c, u, scheme.AccessOptions{}); client.CodeOf(err) != scheme.CodeBroken {
				t.Errorf("the description: %v", err)
			}
		} else if _, err := list(t, c, u, scheme.ListOptions{}); err != nil {
			t.Error(err)
		}
	}
	if n := h.Connections(); n != 1 {
		t.Errorf("%d connections", n)
	}
}
