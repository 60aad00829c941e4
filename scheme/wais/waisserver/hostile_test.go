package waisserver

import (
	"fmt"
	"net"
	"runtime"
	"runtime/metrics"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"locator/internal/z3950"
)

// large returns a database with many documents, of the same and of different words.
func large(t testing.TB, documents int) *Database {
	t.Helper()
	var files []File
	for i := range documents {
		files = append(files, Memory(fmt.Sprintf("sub/%d.txt", i), fmt.Sprintf("the same words, and word%d\n", i), time.Time{}))
	}
	db, err := NewDatabase("db", files)
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// A request never costs more than its bounds, however many documents and words there are.
//
// Covers: A11, T104
func TestRequestBounds(t *testing.T) {
	t.Parallel()
	s := NewHandler("127.0.0.1:210", large(t, 5_000)).NewSession()
	ask := func(w *z3950.Words) ([]byte, error) {
		b, err := z3950.NewSearch("db", w).Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		return s.Answer(b), nil
	}
	began := time.Now()
	got, _ := ask(&z3950.Words{Seeds: "same", Max: z3950.Some(MaxAPDU)})
	if len(got) < MaxAPDU*9/10 || len(got) > MaxAPDU {
		t.Errorf("5,000 documents are answered with %d bytes", len(got))
	}
	if most := 2 * MaxAPDU; cap(s.apdu)+cap(s.text) > 2*most {
		t.Errorf("the session keeps %d and %d bytes", cap(s.apdu), cap(s.text))
	}
	for _, words := range []string{`"` + strings.Repeat("the ", 20_000) + `"`, `"` + strings.Repeat("w ", 20_000) + `*"`, strings.Repeat("w* ", 199), strings.Repeat("a-b-", 20_000), nested("same", maxNested+1)} {
		if got, _ := ask(&z3950.Words{Seeds: words}); !strings.Contains(string(got), errSyntax.Error()) {
			t.Errorf("%.20q...: %.200q", words, got)
		}
	}
	if got, _ := ask(&z3950.Words{Seeds: nested("same", maxNested)}); strings.Contains(string(got), errSyntax.Error()) {
		t.Errorf("%d parentheses: %.200q", maxNested, got)
	}
	id := s.h.databases["db"].documentID("127.0.0.1:210", "0 27 sub/1.txt")
	ask(&z3950.Words{Like: make([]z3950.Feedback, 1000), Seeds: "same"})
	like := &z3950.Words{}
	for range 900 {
		like.Like = append(like.Like, z3950.Feedback{ID: id})
	}
	ask(like)
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
}

// nested returns a query with n parentheses within each other. Each level finds all documents with
// a word.
func nested(word string, n int) string {
	return strings.Repeat(word+" ( ", n) + word + strings.Repeat(" )", n)
}

// Searches on all connections at a time, each of which finds all documents at each of its levels,
// need little more memory than one.
//
// Covers: A11, T104
func TestSearchMemory(t *testing.T) {
	const documents = 4_000
	addr := serve(t, NewHandler("127.0.0.1:210", large(t, documents)))
	b, err := z3950.NewSearch("db", &z3950.Words{Seeds: nested("same", maxNested-1), Max: z3950.Some(10)}).Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	request := z3950.AppendPacket(nil, "", b)
	runtime.GC()
	before, most := heap(), uint64(0)
	done := make(chan struct{})
	var all sync.WaitGroup
	for range 100 {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		conn.SetDeadline(time.Now().Add(time.Minute))
		all.Go(func() {
			if _, err := conn.Write(request); err != nil {
				t.Error(err)
				return
			}
			if _, apdu, err := z3950.ReadPacket(conn, MaxAPDU); err != nil || !strings.Contains(string(apdu), "the same words") {
				t.Errorf("%.100q, %v", apdu, err)
			}
		})
	}
	go func() { all.Wait(); close(done) }()
	for waiting := true; waiting; {
		select {
		case <-done:
			waiting = false
		case <-time.After(time.Millisecond):
			most = max(most, heap())
		}
	}
	if grown := int64(most) - int64(before); grown > 32<<20 {
		t.Errorf("100 connections need %d MiB", grown>>20)
	}
}

// serve returns the address of a listener whose connections a handler serves.
func serve(t *testing.T, h *Handler) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	t.Cleanup(func() { l.Close(); all.Wait() })
	all.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() {
				defer conn.Close()
				h.Serve(conn, nil)
			})
		}
	})
	return l.Addr().String()
}

// heap returns the bytes of live and dead objects.
func heap() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// A client with many connections does not keep the searches of another one waiting.
//
// Covers: A11, T104
func TestTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		turns, running, order := newTurns(), 0, ""
		search := func(from string) func() {
			return func() {
				if running++; running > 1 {
					t.Error("two searches run at a time")
				}
				time.Sleep(time.Second)
				running--
				order += from
			}
		}
		for range 5 {
			go turns.do("a", search("a"))
		}
		time.Sleep(time.Millisecond)
		go turns.do("b", search("b"))
		go turns.do("c", search("c"))
		time.Sleep(time.Minute)
		synctest.Wait()
		if order != "abcaaaa" && order != "acbaaaa" {
			t.Errorf("the order is %s", order)
		}
		if len(turns.of) > 0 {
			t.Errorf("%d addresses are kept", len(turns.of))
		}
		var done atomic.Int64
		for range maxInside + 50 {
			go func() {
				if turns.do("a", func() { time.Sleep(time.Second) }) {
					done.Add(1)
				}
			}()
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if done.Load() != maxInside {
			t.Errorf("%d of many searches of an address ran, want %d", done.Load(), maxInside)
		}
	})
}

// A search, and a request for lines, wait for their turn.
//
// Covers: A11, T104
func TestWaits(t *testing.T) {
	t.Parallel()
	db := large(t, 3)
	id := db.documentID("x:210", "0 27 sub/1.txt")
	for name, m := range map[string]*z3950.Search{"search": z3950.NewSearch("db", &z3950.Words{Seeds: "same"}), "lines": byLines(z3950.NewRetrieval("db", id, "TEXT", 0, 1))} {
		b, err := m.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		synctest.Test(t, func(t *testing.T) {
			s, answered := NewHandler("x:210", db).NewSession(), false
			s.h.turns.all <- struct{}{} // as another search does
			go func() { answered = len(s.Answer(b)) > 0 }()
			synctest.Wait()
			if answered {
				t.Errorf("%s: the answer does not wait", name)
			}
			<-s.h.turns.all
			synctest.Wait()
			if !answered {
				t.Errorf("%s: there is no answer", name)
			}
		})
	}
}

// byLines changes a request for bytes to one for lines.
func byLines(m *z3950.Search) *z3950.Search {
	for i := range m.Terms {
		m.Terms[i].Attributes = strings.Replace(m.Terms[i].Attributes, "wb", "wl", 1)
	}
	return m
}

// A request for the lines of a large file leaves no copy of it behind.
//
// Covers: A11, T104
func TestManyLines(t *testing.T) {
	t.Parallel()
	db, err := NewDatabase("db", []File{Memory("a.txt", strings.Repeat("line\n", 200_000), time.Time{})})
	if err != nil {
		t.Fatal(err)
	}
	s := NewHandler("127.0.0.1:210", db).NewSession()
	m := byLines(z3950.NewRetrieval("db", db.documentID("127.0.0.1:210", "0 1000000 a.txt"), "TEXT", 0, 1_000_000))
	b, err := m.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Answer(b); len(got) > 0 || cap(s.apdu)+cap(s.text) > 2*MaxAPDU {
		t.Errorf("%d bytes; the session keeps %d and %d", len(got), cap(s.apdu), cap(s.text))
	}
	m.Terms[3].Value = "3"
	if b, err = m.Append(nil); err != nil || !strings.Contains(string(s.Answer(b)), "line\nline\nline\n") {
		t.Errorf("three lines: %v", err)
	}
}

// Foreign bytes get a response of the negotiated size, and cause no panic.
//
// Covers: T104
func FuzzAnswer(f *testing.F) {
	h := NewHandler("127.0.0.1:210", large(f, 300))
	for _, m := range []interface{ Append([]byte) ([]byte, error) }{
		z3950.NewInit(50_000), z3950.NewSearch("db", &z3950.Words{Seeds: `same and (word1 or "the same*") not x`}), z3950.NewRetrieval("db", h.databases["db"].documentID("127.0.0.1:210", "0 27 sub/1.txt"), "TEXT", 1, 5),
		z3950.NewSearch("db", &z3950.Words{Like: []z3950.Feedback{{ID: h.databases["db"].documentID("x:1", "0 27 sub/1.txt"), Part: z3950.NewPart(z3950.PartLines, 0, 1)}}}),
	} {
		b, err := m.Append(nil)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, request []byte) {
		s := h.NewSession()
		for range 2 {
			if got := s.Answer(request); len(got) > MaxAPDU {
				t.Fatalf("%d bytes", len(got))
			}
		}
	})
}
