package check

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"
)

// A bucket of a turn that is over has no tasks, and to put a task off twice changes nothing.
func TestTurns(t *testing.T) {
	t.Parallel()
	r := runOf(t, fake(nil).client(t), "http://a.example/").(*memoryRun)
	r.turn = 2
	late, b := &memoryBucket{r, 1}, &memoryBucket{r, 2}
	if list, err := late.Tasks(t.Context(), "a.example", 9); len(list) != 0 || err != nil {
		t.Errorf("a turn that is over has the tasks %v, %v", list, err)
	}
	list, err := b.Tasks(t.Context(), "a.example", 9)
	if len(list) != 1 || err != nil {
		t.Fatalf("tasks %v, %v; want one", list, err)
	}
	off := []Done{{Task: list[0], Again: time.Now().Add(-time.Second), Counts: true}}
	if err := late.Commit(t.Context(), off, nil); !errors.Is(err, ErrLate) {
		t.Errorf("a commit of a turn that is over: %v, want ErrLate", err)
	}
	for range 2 {
		if err := b.Commit(t.Context(), off, nil); err != nil {
			t.Fatal(err)
		}
	}
	if list, err = b.Tasks(t.Context(), "a.example", 9); len(list) != 1 || err != nil || list[0].Attempts != 1 {
		t.Errorf("tasks %+v, %v; want one, with one attempt", list, err)
	}
}

// URLs that are decided when they are added, as the lines of a text that is no list, take little
// memory: those with one reason have one result.
func TestMalformedMemory(t *testing.T) { // not parallel: it measures the heap
	const many = 50_000
	r, err := NewMemory(nil).Begin(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	in := &Input{Run: r, Checker: &Checker{Client: fake(nil).client(t)}}
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	for i := range many {
		if err := in.Add(t.Context(), fmt.Sprintf("http://a line %d", i), Place{File: "list", Line: i + 1}); err != nil {
			t.Fatal(err)
		}
	}
	if err := in.Add(t.Context(), "http://a line 7", Place{File: "other", Line: 1, Column: 2}); err != nil {
		t.Fatal(err)
	}
	if err := in.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	in.known = nil
	if each := int64(heap()-before) / many; each > 250 {
		t.Errorf("%d bytes a line, want at most 250", each)
	}
	res := resultsOf(t, r)[7]
	if want := []Place{{"list", 8, 0}, {"other", 1, 2}}; res.URL != "http://a line 7" || res.Verdict != Broken || res.Why != WhyMalformed || res.Note == "" || !slices.Equal(res.Sources, want) {
		t.Errorf("%+v", res)
	}
}
