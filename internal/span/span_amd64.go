//go:build !noasm

package span

import "golang.org/x/sys/cpu"

// Length is the number of octets that text begins with that are of the set or of escapes, which are "%" and two hexadecimal
// digits. An escape that is none ends it.
func (s *Set) Length(text string) int {
	if !hasAVX2 {
		return s.portable(text)
	}
	n := lengthAVX2(text, &s.bits)
	if n < 0 {
		return s.portable(text)
	}
	// It stops at the octet that ends an escape too early.
	switch {
	case n > 0 && text[n-1] == '%':
		return n - 1
	case n > 1 && text[n-2] == '%':
		return n - 2
	}
	return n
}

var hasAVX2 = cpu.X86.HasAVX2

// lengthAVX2 is portable, 30 octets a step, but that it stops behind the "%" of what is no escape. Bits are those of a Set.
// The result is negative where it would have to read beyond the page that text ends on.
//
//go:noescape
func lengthAVX2(text string, bits *[16]uint8) int
