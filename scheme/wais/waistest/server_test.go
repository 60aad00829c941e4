package waistest

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"testing"
	"time"

	"locator/internal/z3950"
	"locator/scheme/wais/waisserver"
)

// notes returns a database with three documents, of the same and of different words.
func notes(t *testing.T) *waisserver.Database {
	t.Helper()
	var files []waisserver.File
	for i := range 3 {
		files = append(files, waisserver.Memory(fmt.Sprintf("sub/%d.txt", i), fmt.Sprintf("the same words, and word%d\n", i), time.Time{}))
	}
	db, err := waisserver.NewDatabase("db", files)
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// exchange sends packets in one write, and returns the responses until the server closes the
// connection, or as many as packets.
func exchange(t *testing.T, twist Twist, version byte, requests ...*z3950.Search) (responses [][]byte) {
	t.Helper()
	s, err := Start(nil, With(notes(t)), Twisted(twist))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	conn, err := net.Dial("tcp", s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(time.Minute))
	var all []byte
	for _, m := range requests {
		b, err := m.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, z3950.AppendPacket(nil, "z"+string(version)+"wais        ", b)...)
	}
	if _, err := conn.Write(all); err != nil {
		t.Fatal(err)
	}
	for range requests {
		_, apdu, err := z3950.ReadPacket(conn, waisserver.MaxAPDU)
		if err == io.EOF || err != nil && len(responses) == 0 && !isTimeout(err) { // the connection may be reset
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		responses = append(responses, apdu)
	}
	return responses
}

func isTimeout(err error) bool {
	e, ok := err.(net.Error)
	return ok && e.Timeout()
}

// Requests that freeWAIS answers in another way, or not at all, are answered if it does no harm.
// The version of the header says whether a client knows formats.
//
// Covers: A11
func TestOriginal(t *testing.T) {
	t.Parallel()
	words := func(max z3950.Number) *z3950.Search {
		return z3950.NewSearch("db", &z3950.Words{Seeds: "same", Max: max})
	}
	search, unlimited := words(z3950.Some(9)), words(z3950.Number{})
	unknown := z3950.NewRetrieval("none", "\x03\x050 9 x", "TEXT", 0, 9)
	for _, c := range []struct {
		name      string
		version   byte
		requests  []*z3950.Search
		responses map[Twist]int
		types     bool
	}{
		{"a search", '2', []*z3950.Search{search}, map[Twist]int{"": 1, Original: 1}, true},
		{"of version 1", '1', []*z3950.Search{search}, map[Twist]int{"": 1, Original: 1}, false},
		{"of version 3", '3', []*z3950.Search{search}, map[Twist]int{"": 0, Original: 0}, false},
		{"without a maximum", '2', []*z3950.Search{unlimited}, map[Twist]int{"": 1, Original: 0}, true},
		{"two at once", '2', []*z3950.Search{search, search}, map[Twist]int{"": 2, Original: 0}, true},
		{"a document of an unknown database", '2', []*z3950.Search{unknown}, map[Twist]int{"": 1, Original: 0}, false},
	} {
		for twist, want := range c.responses {
			got := exchange(t, twist, c.version, c.requests...)
			if len(got) != want || want > 0 && bytes.Contains(got[0], []byte("\x81\x05\x04TEXT")) != c.types {
				t.Errorf("%s (%q): %d responses, want %d: %q", c.name, twist, len(got), want, got)
			}
		}
	}
}
