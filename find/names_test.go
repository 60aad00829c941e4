package find

import (
	"strings"
	"testing"
)

// keyAtEnd agrees with nameKey for every byte before a name of every length, in either case.
func TestKeyAtEnd(t *testing.T) {
	t.Parallel()
	const name = "aZ0+-.hTt"
	for n := range maxKey + 1 {
		for c := range 256 {
			text := strings.Repeat(string([]byte{byte(c)}), maxKey-n) + name[:n]
			want := n
			if is(byte(c), nameClass) {
				want = maxKey
			}
			got, key := keyAtEnd(text)
			if got != want || key != nameKey(text[maxKey-want:]) {
				t.Fatalf("keyAtEnd(%q) = %d, %x; want %d, %x", text, got, key, want, nameKey(text[maxKey-want:]))
			}
		}
	}
}

// The search for a factor ends for every name of two letters that is added to the table.
func TestNewNames(t *testing.T) {
	t.Parallel()
	for a := 'a'; a <= 'z'; a++ {
		for b := 'a'; b <= 'z'; b++ {
			list := kinds()
			name := string([]rune{a, b})
			list[name] = slashed
			if k := newNames(list).kind(nameKey(name)); k != slashed {
				t.Errorf("%s: kind %d", name, k)
			}
		}
	}
}
