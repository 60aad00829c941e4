package span

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// sets returns some classes of URLs, the empty set, and all of ASCII.
func sets() []*Set {
	const alnum = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	list := []*Set{NewSet(func(byte) bool { return true }), NewSet(func(byte) bool { return false })}
	for _, chars := range []string{alnum + "-", alnum + "$-_.+!*'(),", alnum + "$-_.+!*'(),;/?:@&=~", "\x00\x0f\x10\x7f @`"} {
		list = append(list, NewSet(func(c byte) bool { return strings.IndexByte(chars, c) >= 0 }))
	}
	return list
}

// simplest is the simplest implementation of Length.
func simplest(s *Set, text string) int {
	i := 0
	for i < len(text) {
		switch {
		case s.in[text[i]] != 0:
			i++
		case strings.HasPrefix(text[i:], "%") && len(text) >= i+3 && isHex(text[i+1]) && isHex(text[i+2]):
			i += 3
		default:
			return i
		}
	}
	return i
}

func check(t *testing.T, s *Set, text string) {
	t.Helper()
	want := simplest(s, text)
	if got := portable(text, s); got != want {
		t.Fatalf("portable(%q) = %d, want %d", text, got, want)
	}
	if got := s.Length(text); got != want {
		t.Fatalf("Length(%q) = %d, want %d", text, got, want)
	}
	if got := s.LengthBytes([]byte(text)); got != want {
		t.Fatalf("LengthBytes(%q) = %d, want %d", text, got, want)
	}
}

// Length is right for every byte at every offset of texts of every length up to three steps, with
// valid and broken escapes.
func TestLength(t *testing.T) {
	t.Parallel()
	for _, s := range sets()[2:5] {
		for n := range 100 {
			text := strings.Repeat("a", n)
			check(t, s, text)
			for i := range n {
				for _, piece := range []string{"\x00", " ", "%", "%4", "%4g", "%41", "%%41", "%g", "\x80", "\xc3\xbc", "\xff", "/"} {
					check(t, s, text[:i]+piece+text[i:])
					check(t, s, text[:i]+piece)
				}
			}
		}
	}
	for _, s := range sets() {
		for c := range 256 {
			for _, n := range []int{0, 1, 29, 30, 31, 32, 61} {
				check(t, s, strings.Repeat("%7e", n/3)+strings.Repeat("a", n%3)+string([]byte{byte(c)})+"a")
			}
		}
	}
}

// A text may end where memory ends, and the bytes after it never count.
func TestLengthWithinPage(t *testing.T) {
	t.Parallel()
	block := strings.Repeat("a%41/b", 3*4096/6)
	s := sets()[4]
	for end := 4000; end < 4200; end++ {
		for begin := end - 70; begin <= end; begin++ {
			check(t, s, block[begin:end])
		}
	}
}

func FuzzLength(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		b := make([]byte, r.IntN(80))
		for i := range b {
			b[i] = "a/%4%1?%Ff \x80"[r.IntN(12)]
		}
		f.Add(uint8(r.IntN(6)), uint8(r.IntN(40)), string(b))
	}
	list := sets()
	f.Fuzz(func(t *testing.T, which, skip uint8, text string) {
		check(t, list[int(which)%len(list)], text[min(int(skip), len(text)):])
	})
}

func BenchmarkLength(b *testing.B) {
	s := sets()[4]
	for _, text := range []string{"www.example.com", strings.Repeat("path/", 12), "a%2F%2Fb%3D" + strings.Repeat("x", 30), strings.Repeat("path/", 200)} {
		for name, f := range map[string]func(string, *Set) int{"length": length, "portable": portable[string]} {
			b.Run(name, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					f(text, s)
				}
			})
		}
	}
}
