//go:build !race

// The tests of this file process much data in one goroutine: the race detector would take five
// times as long and find nothing.

package gopher

import (
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"locator/scheme"
)

// TestMemoryBounds lists menus whose server sends as much for one entry as it can, within the
// limits on lines, entries and bytes of a listing. The memory in use when the first entry comes is
// bounded, and a note says what was left out.
//
// Covers: A7, P6, T88
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
// Covers: A7, P6, T88
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

// TestTextDecoderExhaustively compares the decoder with undot for every short text, in random
// pieces.
//
// Covers: A7
func TestTextDecoderExhaustively(t *testing.T) {
	t.Parallel()
	symbols := []string{".", "\n", "\r", "a"}
	r := rand.New(rand.NewPCG(1, 2))
	var try func(prefix string, n int)
	try = func(prefix string, n int) {
		got, _, err := decode(&pieces{prefix, r})
		if want := undot(prefix); got != want || err != nil {
			t.Fatalf("%q: %q, %v; want %q", prefix, got, err, want)
		}
		if n == 0 {
			return
		}
		for _, s := range symbols {
			try(prefix+s, n-1)
		}
	}
	try("", 7)
}

// TestTextDecoderBounded passes maxPending. After that only the end mark is removed.
//
// Covers: P6
func TestTextDecoderBounded(t *testing.T) {
	t.Parallel()
	long := "..a\n" + strings.Repeat("0123456789abcde\n", maxPending/16+10) + "..b\n"
	got, notes, err := decode(strings.NewReader(long + ".\r\n"))
	if got != long || err != nil {
		t.Errorf("%d bytes, %v; want the %d as received", len(got), err, len(long))
	}
	if len(notes) != 1 {
		t.Errorf("notes %q, want one", notes)
	}
	d := newTextDecoder(strings.NewReader(strings.Repeat("..\n", maxPending)), false, func(bool) {}, func(string) {})
	most := 0
	for buf := make([]byte, 4096); ; {
		_, err := d.Read(buf)
		most = max(most, cap(d.pending)+cap(d.decoded)+16*cap(d.edits))
		if err != nil {
			break
		}
	}
	if most > 4<<20 {
		t.Errorf("%d bytes are buffered, want about %d at most", most, maxPending)
	}
}
