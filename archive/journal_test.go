package archive

import (
	"fmt"
	"path/filepath"
	"testing"

	"locator/scheme/message"
)

// A message after which thousands of numbers turn out to be gaps makes several lines: one would be longer than a line may be.
//
// Covers: A10
func TestJournalManyGaps(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "x"+JournalSuffix)
	j, err := OpenJournal(file)
	if err != nil {
		t.Fatal(err)
	}
	const base, last = 1_000_000_000, 1_000_010_000
	for n := int64(base); n < last; n += 2 {
		if err := j.Add(message.Position{List: "h/g", First: n, Number: n}, "", ""); err != nil {
			t.Fatal(err)
		}
	}
	for n := range int64(50_000) { // so that the file is not written anew for what is added later
		if err := j.Add(message.Position{List: "h/other", First: 2 * n, Number: 2 * n}, fmt.Sprint(n, "@h"), ""); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if j, err = OpenJournal(file); err != nil {
		t.Fatal(err)
	}
	if err := j.Add(message.Position{List: "h/g", First: base, Number: last}, "", ""); err != nil {
		t.Fatal(err)
	}
	if err := j.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if j, err = OpenJournal(file); err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if have := j.Have(); len(have) != 2 || len(have[0].Spans) != 1 || have[0].Spans[0] != (message.Span{First: base, Last: last}) {
		t.Errorf("read again: %+v", have)
	}
	if gaps := j.seen.lists["h/g"].gaps; len(gaps) != (last-base)/2 {
		t.Errorf("%d gaps were read again, want %d", len(gaps), (last-base)/2)
	}
}
