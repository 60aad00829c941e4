package prospero

import (
	"strconv"
	"testing"
)

// A listing keeps no more directories than it reads.
//
// Covers: P6
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
