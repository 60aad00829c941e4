package prospero

import (
	"strconv"
	"testing"
)

// A listing keeps no more directories than it reads.
//
// Covers: P6, T105
func TestUnionsAreBounded(t *testing.T) {
	t.Parallel()
	l := &listing{seen: map[where]bool{}}
	for i := range 10_000 {
		l.union(link{typ: hostType, place: place{host: "example.org", name: strconv.Itoa(i)}}, nil)
	}
	if len(l.next) <= maxUnions || len(l.next) > maxUnions+2 || len(l.seen) > maxUnions+2 {
		t.Errorf("%d directories are kept, %d are known", len(l.next), len(l.seen))
	}
}

// The names of a listing need bounded memory. Beyond that, names that a union repeats are listed
// again.
//
// Covers: P6, T105
func TestNamesAreBounded(t *testing.T) {
	t.Parallel()
	l := &listing{names: map[string]int{}, left: 1 << 20}
	for i := range 100_000 {
		if l.repeats(strconv.Itoa(i)) {
			t.Fatalf("%d is there", i)
		}
	}
	l.dir++
	if len(l.names) > 1<<20/32 || !l.repeats("0") || l.repeats("99999") {
		t.Errorf("%d names are kept", len(l.names))
	}
}
