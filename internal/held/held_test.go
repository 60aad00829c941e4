package held

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"locator/scheme"
)

func TestBudget(t *testing.T) {
	t.Parallel()
	b := Budget(10)
	for i, n := range []int{4, 6, 1, 0} {
		if got, want := b.Take(n), i < 2; got != want {
			t.Errorf("Take %d: %v, want %v", i, got, want)
		}
	}
	if b.Take(-100) {
		t.Error("a budget that was exceeded has room again")
	}
}

// TestEntry compares the estimate with the memory that entries of small parts really take.
func TestEntry(t *testing.T) {
	tests := map[string]func(i int) scheme.Entry{
		"references": func(i int) scheme.Entry {
			refs := make([]string, 0, 2000)
			for j := range 1000 {
				refs = append(refs, fmt.Sprint("<", i, ".", j, ">"))
			}
			return scheme.Entry{Attr: scheme.Attr{References: refs}}
		},
		"attributes": func(i int) scheme.Entry {
			var more []scheme.Attribute
			for j := range 1000 {
				more = append(more, scheme.Attribute{Name: fmt.Sprint("n", j), Value: fmt.Sprint(i)})
			}
			return scheme.Entry{Attr: scheme.Attr{More: more}}
		},
		"mirrors": func(i int) scheme.Entry {
			return scheme.Entry{Name: strings.Repeat("x", i), Mirrors: make([]scheme.Entry, 20)}
		},
	}
	for name, entry := range tests {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			var kept []scheme.Entry
			said := 0
			for i := range 200 {
				kept = append(kept, entry(i))
				said += Entry(&kept[i])
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			took := int(after.HeapAlloc) - int(before.HeapAlloc)
			runtime.KeepAlive(kept)
			if took > 2*said || said > 4*took {
				t.Errorf("200 entries take %d bytes, the estimate is %d", took, said)
			}
		})
	}
}

// TestSizes checks that the constants are near the sizes of the types.
func TestSizes(t *testing.T) {
	t.Parallel()
	if got := int(reflect.TypeFor[scheme.Entry]().Size()); got > entry || got < entry/2 {
		t.Errorf("an entry has %d bytes, the constant is %d", got, entry)
	}
	if got := int(reflect.TypeFor[scheme.Attribute]().Size()); got != attribute {
		t.Errorf("an attribute has %d bytes, the constant is %d", got, attribute)
	}
}
