package keytable

import (
	"math/rand/v2"
	"testing"
)

func TestTable(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 40 {
		values := make(map[uint64]int)
		for range n {
			values[1+r.Uint64N(1<<63)] = r.Int()
		}
		table := New(values)
		for key, value := range values {
			if got := table.Find(key); got != value {
				t.Errorf("%d keys: found %d for %x, want %d", n, got, key, value)
			}
			if got := table.Find(key + 1); got != values[key+1] {
				t.Errorf("%d keys: found %d for a key that is not in the table", n, got)
			}
		}
		if got := table.Find(0); got != 0 {
			t.Errorf("%d keys: found %d for 0", n, got)
		}
	}
}
