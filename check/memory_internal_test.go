package check

import (
	"errors"
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
