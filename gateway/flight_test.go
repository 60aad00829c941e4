package gateway

import (
	"sync/atomic"
	"testing"
)

// What all spools in memory have together has a bound, and what they do not take is not counted.
//
// Covers: P5
func TestMemorySpools(t *testing.T) {
	var used atomic.Int64
	var all []*memory
	piece := make([]byte, maxMemory)
	for range maxMemories / maxMemory {
		m := &memory{used: &used}
		if err := m.append(piece); err != nil {
			t.Fatal(err)
		}
		if err := m.append(piece[:1]); err == nil {
			t.Fatal("a spool takes more than its bound")
		}
		all = append(all, m)
	}
	more := &memory{used: &used}
	for range 100 {
		if err := more.append(piece[:1]); err == nil {
			t.Fatal("the spools take more than their bound")
		}
	}
	more.close("")
	all[0].close("")
	if err := more.append(piece); err != nil || used.Load() != maxMemories {
		t.Errorf("%v, %d bytes", err, used.Load())
	}
}
