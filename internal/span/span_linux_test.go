package span

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// Length reads nothing beyond the page on which a text ends. The next page is not readable.
func TestLengthBeforeEnd(t *testing.T) {
	t.Parallel()
	size := os.Getpagesize()
	pages, err := syscall.Mmap(-1, 0, 2*size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Munmap(pages)
	if err := syscall.Mprotect(pages[size:], syscall.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	s := sets()[4]
	for _, filling := range []string{"a", "a%41/b", "%41", "%"} {
		copy(pages[:size], strings.Repeat(filling, size/len(filling)+1))
		for n := 1; n < 200; n++ {
			check(t, s, unsafe.String(&pages[size-n], n))
			if got, want := s.LengthBytes(pages[size-n:size]), simplest(s, string(pages[size-n:size])); got != want {
				t.Fatalf("LengthBytes(%q) = %d, want %d", pages[size-n:size], got, want)
			}
		}
	}
}
