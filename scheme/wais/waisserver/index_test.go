package waisserver

import (
	"runtime"
	"strconv"
	"testing"
)

// The memory of an index is bounded.
//
// Covers: A11
func TestIndexSize(t *testing.T) { // not parallel: the memory of other tests would count
	db := newIndex()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range 200_000 {
		db.add(strconv.Itoa(i), i%100)
		db.add("same", i)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if n := int64(after.HeapAlloc - before.HeapAlloc); n > 2*db.size || db.size > 2*n {
		t.Errorf("%d bytes, estimated %d", n, db.size)
	}
	runtime.KeepAlive(db)
}
