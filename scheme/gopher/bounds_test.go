package gopher

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"locator/scheme"
)

// flood is a reply that is generated while it is read: begin, then n texts.
type flood struct {
	begin string
	n     int
	text  func(i int) string
	i     int
	rest  string
}

func (f *flood) Read(b []byte) (int, error) {
	if f.begin != "" {
		f.rest, f.begin = f.begin, ""
	}
	for f.rest == "" {
		if f.i == f.n {
			return 0, io.EOF
		}
		f.rest = f.text(f.i)
		f.i++
	}
	n := copy(b, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}

// heap returns the memory that is in use, in bytes.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestManyQuestions rejects a form with a line of so many questions that their texts would fill the
// memory.
//
// Covers: A7, P6, T88
func TestManyQuestions(t *testing.T) {
	t.Parallel()
	select1 := " Select: " + strings.Repeat("p", 4000) + strings.Repeat("\to", 2000) + "\r\n"
	s := say("+-2\r\n+INFO: 0x\t/x\th\t70\t?\r\n+ASK:\r\n" + select1)
	_, err := s.access(t, request1(t, "gopher://h.dom/0/x%09%09?"))
	if e, ok := errors.AsType[*scheme.Error](err); !ok || e.Code != scheme.CodeBroken || !strings.Contains(err.Error(), "1000 questions") {
		t.Errorf("%v", err)
	}
}

// TestNotesAreBounded reads a menu of end marks: each kind of note is reported once.
//
// Covers: A7, P6, T88
func TestNotesAreBounded(t *testing.T) {
	t.Parallel()
	s := say(strings.Repeat(".\r\n.\r\n1a\t/a\th.dom\t70\r\n", 1000) + ".\r\n")
	res, err := s.access(t, request1(t, "gopher://h.dom/1"))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(entriesOf(t, res)); n != 1000 {
		t.Errorf("%d entries, want 1000", n)
	}
	notes := 0
	for _, line := range s.traced {
		if strings.HasPrefix(line, "* ") {
			notes++
		}
	}
	if notes != 2 {
		t.Errorf("%d notes, want 2", notes)
	}
}
