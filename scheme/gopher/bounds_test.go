package gopher

import (
	"errors"
	"fmt"
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

// TestMemoryBounds lists menus whose server sends as much for one entry as it can, within the limits on lines, entries and
// bytes of a listing. The memory in use when the first entry comes is bounded, and a note says what was left out.
//
// Covers: A7, P6
func TestMemoryBounds(t *testing.T) { // not parallel: it measures the memory of the process
	const most = 100 << 20 // bytes in use, in addition to those of the test itself
	item := func(i int) string { return fmt.Sprintf("0Some item\t/dir/file%d\th.dom\t70\t+\r\n", i) }
	for _, tt := range []struct {
		name    string
		url     string
		detail  bool
		replies []io.Reader
		note    string
	}{
		{
			name: "details of many items, with many views each", url: "gopher://h.dom/1", detail: true,
			replies: []io.Reader{
				&flood{begin: "+-2\r\n", n: 12000, text: func(i int) string {
					return "+INFO: " + item(i) + "+VIEWS:\r\n" + strings.Repeat(" t/p:\r\n", 60)
				}},
				strings.NewReader(item(0)),
			},
			note: "the details of the items need too much memory: those of the last items are left out",
		},
		{
			name: "details of many items", url: "gopher://h.dom/1", detail: true,
			replies: []io.Reader{
				&flood{begin: "+-2\r\n", n: 300_000, text: func(i int) string { return "+INFO: " + item(i) + "+ADMIN:\r\n a: b\r\n c: d\r\n" }},
				strings.NewReader(item(0)),
			},
			note: "the details of the items need too much memory: those of the last items are left out",
		},
		{
			name: "views of one item", url: "gopher://h.dom/1%09%09$",
			replies: []io.Reader{&flood{begin: "+-2\r\n+INFO: " + item(0) + "+VIEWS:\r\n", n: 40_000, text: func(int) string { return " t/p:\r\n" }}},
			note:    "an item has more than 64 views: the others are left out",
		},
		{
			name: "mirrors of one item", url: "gopher://h.dom/1",
			replies: []io.Reader{&flood{begin: item(0), n: 300_000, text: func(i int) string { return "+" + item(i)[1:] }}},
			note:    "an item has more than 64 mirrors: the others are left out",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &script{replies: tt.replies}
			r := request1(t, tt.url)
			before := heap()
			res, err := New().List(t.Context(), s.env(t), r, scheme.ListOptions{Detail: tt.detail})
			if err != nil {
				t.Fatal(err)
			}
			defer res.Close()
			for e, err := range res.Entries {
				if err != nil {
					t.Fatal(err)
				}
				if used := int64(heap()) - int64(before); used > most {
					t.Errorf("%d MiB are in use, want at most %d", used>>20, most>>20)
				}
				if len(e.Mirrors) > maxMirrors || len(e.Alternates) > maxAlternates {
					t.Errorf("%d mirrors, %d alternates", len(e.Mirrors), len(e.Alternates))
				}
				break
			}
			if notes := append(s.traced, res.Notes...); strings.Count(strings.Join(notes, "\n"), tt.note) != 1 {
				t.Errorf("notes %.300q, want %q once", notes, tt.note)
			}
			runtime.KeepAlive(res)
		})
	}
}

// TestEmptyLinesCount reads a record of empty lines: they count towards the limit of a record.
//
// Covers: A7, P6
func TestEmptyLinesCount(t *testing.T) {
	t.Parallel()
	s := &script{replies: []io.Reader{&flood{begin: "+-2\r\n+INFO: 1x\t\th\t70\r\n+ADMIN:\r\n", n: 400_000, text: func(int) string { return "\r\n" }}}}
	res, err := s.access(t, request1(t, "gopher://h.dom/1%09%09$"))
	if err != nil {
		t.Fatal(err)
	}
	for e, err := range res.Entries {
		if err == nil {
			t.Fatalf("got an entry with %d attributes", len(e.Attr.More))
		}
		if codeOf(err) != scheme.CodeBroken || !strings.Contains(err.Error(), "limit") {
			t.Error(err)
		}
	}
}

// TestManyQuestions rejects a form with a line of so many questions that their texts would fill the memory.
//
// Covers: A7, P6
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
// Covers: A7, P6
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
