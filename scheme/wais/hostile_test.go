package wais_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
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

// TestTwists runs the suite and a search against servers that differ from freeWAIS in what clients
// must accept.
//
// Covers: A11, W1, W2, W4, W5, W6, W9, W10, W11, W18
func TestTwists(t *testing.T) {
	t.Parallel()
	for _, twist := range []waistest.Twist{
		waistest.Status, waistest.NoSF, waistest.NoTypes, waistest.ZeroLength, waistest.NoLength, waistest.Shorter, waistest.Bytewise, waistest.Padded,
		waistest.BlankLength, waistest.UpperZ, waistest.Small, waistest.LongHeaders, waistest.ShortHeader, waistest.Reordered, waistest.Original,
	} {
		t.Run(string(twist), func(t *testing.T) {
			t.Parallel()
			content := strings.Repeat("A heron in the marsh. ", 1000)
			s, c := start(t, append(notes(), file("long.txt", content)), waistest.Twisted(twist)), newClient(t)
			entries, err := list(t, c, s.SearchURL("db", "long"), scheme.ListOptions{})
			if err != nil || len(entries) != 1 {
				t.Fatalf("%q, %v", names(entries), err)
			}
			for _, u := range []locator.URL{entries[0].URL, entries[0].PlainURL()} {
				if _, got, err := get(t, c, u, scheme.AccessOptions{}); got != content || err != nil {
					t.Errorf("%s: %d bytes, %v", u, len(got), err)
				}
			}
		})
	}
}

// TestFaults reads from servers that misbehave: every error is typed, and what came before it is
// kept.
//
// Covers: P6, T109, W3, W7, W8, W9, W13, W14, W15, W19
func TestFaults(t *testing.T) {
	t.Parallel()
	for fault, codes := range map[peer.Fault][]scheme.Code{
		waistest.Huge: {scheme.CodeBroken}, waistest.Overrun: {scheme.CodeProtocol}, waistest.ShortDiag: {scheme.CodeProtocol},
		waistest.Longer: {scheme.CodeBroken, scheme.CodeProtocol}, waistest.EmptyReply: {scheme.CodeProtocol, scheme.CodeUnsupported},
		waistest.Hangup: {scheme.CodeBroken}, waistest.NoRecords: {scheme.CodeProtocol, scheme.CodeNotFound},
		waistest.Truncated: {scheme.CodeProtocol},
		peer.Unavailable:   {scheme.CodeUnavailable},
	} {
		t.Run(string(fault), func(t *testing.T) {
			t.Parallel()
			s, c := start(t, notes()), newClient(t)
			u := s.SearchURL("db", "heron")
			entries, err := list(t, c, u, scheme.ListOptions{})
			if err != nil || len(entries) != 1 {
				t.Fatal(names(entries), err)
			}
			s.Misbehave(fault)
			_, got, err := get(t, c, entries[0].URL, scheme.AccessOptions{})
			if code := client.CodeOf(err); err == nil || !slices.Contains(codes, code) {
				t.Errorf("the document: %q, code %v, %v", got, code, err)
			}
			none, err := list(t, c, u, scheme.ListOptions{})
			if code := client.CodeOf(err); len(none) > 0 && fault != waistest.Longer || !slices.Contains(codes, code) && fault != waistest.Longer {
				t.Errorf("the search: %q, code %v, %v", names(none), code, err)
			}
		})
	}
	for _, c := range []struct { // after the first piece of a document whose size is not known
		name  string
		fault peer.Fault
		code  scheme.Code
	}{
		{"no records", waistest.NoRecords, scheme.CodeProtocol},
		{"hangup", waistest.Hangup, scheme.CodeBroken},
	} {
		t.Run(c.name+" after a piece", func(t *testing.T) {
			t.Parallel()
			s, by := start(t, []waisserver.File{file("long.txt", strings.Repeat("heron ", 5000))}), newClient(t)
			entries, err := list(t, by, s.SearchURL("db", "heron"), scheme.ListOptions{})
			if err != nil || len(entries) != 1 {
				t.Fatal(names(entries), err)
			}
			res, err := by.Access(t.Context(), scheme.Request{URL: entries[0].URL}, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Close()
			s.Misbehave(c.fault)
			if got, err := io.ReadAll(res.Body); client.CodeOf(err) != c.code || len(got) != 10_000 || strings.Contains(err.Error(), "unknown database") {
				t.Errorf("%d bytes of 30,000, %v", len(got), err)
			}
		})
	}
	t.Run("refuse", func(t *testing.T) {
		t.Parallel()
		s, c := start(t, notes()), newClient(t)
		s.Misbehave(waistest.Refuse)
		_, err := c.Attributes(t.Context(), scheme.Request{URL: s.DatabaseURL("db")}, &scheme.AttributesOptions{ServerInfo: true})
		if client.CodeOf(err) != scheme.CodeUnsupported {
			t.Errorf("%v", err)
		}
	})
}

// TestHangupText checks that the message about a broken connection says it once.
func TestHangupText(t *testing.T) {
	t.Parallel()
	for _, fault := range []peer.Fault{waistest.Hangup, peer.Torn} {
		s, c := start(t, []waisserver.File{file("long.txt", strings.Repeat("heron ", 5000))}), newClient(t)
		entries, err := list(t, c, s.SearchURL("db", "heron"), scheme.ListOptions{})
		if err != nil || len(entries) != 1 {
			t.Fatal(names(entries), err)
		}
		s.Misbehave(fault)
		_, _, err = get(t, c, entries[0].URL, scheme.AccessOptions{})
		if err == nil || strings.Count(err.Error(), "EOF") != 1 || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: %v", fault, err)
		}
	}
}

// TestTruncated reads a document that is shorter than the length in its URL: the bytes are kept,
// and the error says so.
//
// Covers: P6, T111
func TestTruncated(t *testing.T) {
	t.Parallel()
	s, c := start(t, notes()), newClient(t)
	entries, err := list(t, c, s.SearchURL("db", "heron"), scheme.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	longer := locator.Current.MustParse(strings.Replace(entries[0].PlainURL().Text(), "/TEXT/46/", "/TEXT/4600/", 1))
	_, got, err := get(t, c, longer, scheme.AccessOptions{})
	if len(got) != 46 || client.CodeOf(err) != scheme.CodeBroken || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%q, %v", got, err)
	}
}

// TestLonger reads documents that go on after the length in their URL, at once and in two parts: an
// error says so.
//
// Covers: P6, T111
func TestLonger(t *testing.T) {
	t.Parallel()
	for _, size := range []int{46, 10_000, 10_001, 25_000} {
		content := strings.Repeat("heron", 6000)[:size]
		s, c := start(t, []waisserver.File{file("heron.txt", content)}), newClient(t)
		entries, err := list(t, c, s.SearchURL("db", "heron"), scheme.ListOptions{})
		if err != nil || len(entries) != 1 {
			t.Fatal(names(entries), err)
		}
		shorter := strings.Replace(entries[0].PlainURL().Text(), fmt.Sprintf("/TEXT/%d/", size), fmt.Sprintf("/TEXT/%d/", size-1), 1)
		for _, r := range []scheme.Range{{}, {Offset: int64(size) - 10}, {Offset: int64(size) - 1}} {
			_, got, err := get(t, c, locator.Current.MustParse(shorter), scheme.AccessOptions{Range: r})
			var e *scheme.Error
			if got != content[r.Offset:size-1] || client.CodeOf(err) != scheme.CodeBroken || !errors.As(err, &e) || !e.Final {
				t.Errorf("%d bytes from %d: %d, %v", size, r.Offset, len(got), err)
			}
		}
		want := scheme.Range{Length: int64(size) - 1}
		if _, got, err := get(t, c, locator.Current.MustParse(shorter), scheme.AccessOptions{Range: want}); got != content[:size-1] || err != nil {
			t.Errorf("%d bytes, a range that ends before the length: %d, %v", size, len(got), err)
		}
	}
}

// TestEndless reads a document that has no end, within a limit.
//
// Covers: P6, W20
func TestEndless(t *testing.T) {
	t.Parallel()
	f := waisserver.File{Name: "endless.bin", Size: 1 << 50, Open: func() (waisserver.Content, error) { return endless{}, nil }}
	s := start(t, []waisserver.File{f})
	c := newClient(t, func(o *client.Options) { o.Limits.Body = 1 << 20 })
	entries, err := list(t, c, s.SearchURL("db", "endless"), scheme.ListOptions{})
	if err != nil || len(entries) != 1 {
		t.Fatal(names(entries), err)
	}
	_, got, err := get(t, c, entries[0].URL, scheme.AccessOptions{})
	if len(got) > 1<<20 || client.CodeOf(err) != scheme.CodeBroken {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// TestDropped uses a kept connection that the server has closed.
//
// Covers: W21
func TestDropped(t *testing.T) {
	t.Parallel()
	s, c := start(t, notes()), newClient(t)
	for range 3 {
		if _, err := list(t, c, s.SearchURL("db", "heron"), scheme.ListOptions{}); err != nil {
			t.Fatal(err)
		}
		s.Drop()
	}
	if n := s.Connections(); n != 3 {
		t.Errorf("%d connections, want 3", n)
	}
}

// flood starts a server that answers the nth request of a connection with the nth reply. After the
// last it closes the connection.
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

// Diagnostics and documents that nobody asked for are bounded by a count, long before the limit of
// a listing.
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

// A server that answers on a kept connection, and closes it before its next response, is not asked
// again.
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

// closing starts a server that reads a request on each connection, sends the given bytes, and
// closes it.
func closing(t *testing.T, reply string) (*peer.Host, locator.URL) {
	t.Helper()
	h := peer.ListenFor(t)
	h.Serve(func(conn net.Conn) {
		if _, _, err := z3950.ReadPacket(conn, 1<<20); err == nil {
			io.WriteString(conn, reply)
		}
	})
	return h, locator.Current.MustParse("wais://" + h.Addr() + "/db?heron")
}

// A request on a new connection is sent once: a server that closes each connection gets one.
//
// Covers: P6
func TestClosedOnce(t *testing.T) {
	t.Parallel()
	h, u := closing(t, "")
	c := newClient(t)
	if _, err := list(t, c, u, scheme.ListOptions{}); client.CodeOf(err) != scheme.CodeBroken {
		t.Errorf("%v", err)
	}
	if n := h.Connections(); n != 1 {
		t.Errorf("%d connections", n)
	}
}

// A raw response that is cut off is an error that matches io.ErrUnexpectedEOF, wherever it ends,
// and what came is kept.
//
// Covers: P6
func TestRawCut(t *testing.T) {
	t.Parallel()
	s := start(t, notes())
	_, whole, err := get(t, newClient(t), s.SearchURL("db", "heron"), scheme.AccessOptions{Raw: scheme.RawAll})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{z3950.HeaderSize, z3950.HeaderSize + 1, len(whole) - 1} {
		_, u := closing(t, whole[:n])
		_, got, err := get(t, newClient(t), u, scheme.AccessOptions{Raw: scheme.RawAll})
		if client.CodeOf(err) != scheme.CodeBroken || got != whole[:n] || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%d bytes of %d: %d, %v", n, len(whole), len(got), err)
		}
	}
	_, u := closing(t, whole)
	if _, got, err := get(t, newClient(t), u, scheme.AccessOptions{Raw: scheme.RawAll}); err != nil || got != whole {
		t.Errorf("the whole: %d bytes, %v", len(got), err)
	}
}
