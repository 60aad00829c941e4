// Package keytable finds short names with one comparison, by perfect hashing. The bytes of a name
// are its key.
package keytable

// MaxName is the length of the longest name that has a key.
const MaxName = 8

// size is a power of two, several times as large as the number of names.
const size = 128

// Table finds values by keys. It is not written to after [New].
type Table[V any] struct {
	factor uint64
	slots  [size]slot[V]
}

type slot[V any] struct {
	key   uint64
	value V
}

// New returns a table of at most 40 values. No key is 0.
func New[V any](values map[uint64]V) *Table[V] {
	t := &Table[V]{factor: 0x9E3779B97F4A7C15}
	for !t.fill(values) {
		t.factor *= 0xD1342543DE82EF95 // odd, as the factor is
	}
	return t
}

// fill enters all values. It returns false if two of them take the same slot.
func (t *Table[V]) fill(values map[uint64]V) bool {
	clear(t.slots[:])
	for key, value := range values {
		s := &t.slots[key*t.factor>>57]
		if s.key != 0 {
			return false
		}
		s.key, s.value = key, value
	}
	return true
}

// Find returns the value of a key, or the zero value.
func (t *Table[V]) Find(key uint64) (value V) {
	if s := &t.slots[key*t.factor>>57]; s.key == key {
		return s.value
	}
	return value
}
