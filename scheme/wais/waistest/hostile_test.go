package waistest

import (
	"fmt"
	"strings"
	"testing"
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
// Covers: A11
func TestRequestBounds(t *testing.T) {
	t.Parallel()
	s := newSession(NewHandler("127.0.0.1:210", large(t, 5_000)))
	ask := func(w *z3950.Words) ([]byte, error) {
		b, err := z3950.NewSearch("db", w).Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		return s.answer(b), nil
	}
	began := time.Now()
	got, _ := ask(&z3950.Words{Seeds: "same", Max: z3950.Some(maxAPDU)})
	if len(got) < maxAPDU*9/10 || len(got) > maxAPDU {
		t.Errorf("5,000 documents are answered with %d bytes", len(got))
	}
	if most := 2 * maxAPDU; cap(s.apdu)+cap(s.text) > 2*most {
		t.Errorf("the session keeps %d and %d bytes", cap(s.apdu), cap(s.text))
	}
	for _, words := range []string{`"` + strings.Repeat("the ", 20_000) + `"`, `"` + strings.Repeat("w ", 20_000) + `*"`, strings.Repeat("w* ", 199), strings.Repeat("a-b-", 20_000)} {
		if got, _ := ask(&z3950.Words{Seeds: words}); !strings.Contains(string(got), errSyntax.Error()) {
			t.Errorf("%.20q...: %.200q", words, got)
		}
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

// Foreign bytes get a response of the negotiated size, and cause no panic.
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
		s := newSession(h)
		for range 2 {
			if got := s.answer(request); len(got) > maxAPDU {
				t.Fatalf("%d bytes", len(got))
			}
		}
	})
}
