//go:build !noasm

package span

import "golang.org/x/sys/cpu"

//lint:ignore U1000 span_amd64.s reads it
var hasAVX2 = cpu.X86.HasAVX2

// length does what portable does, 30 bytes per step. It calls portable if the processor has no
// AVX2, and where it would have to read beyond the page on which text ends.
//
//go:noescape
func length(text string, s *Set) int

// lengthBytes is length for bytes.
//
//go:noescape
func lengthBytes(text []byte, s *Set) int

// The assembly cannot call a generic function.

//lint:ignore U1000 span_amd64.s calls it
func portableString(text string, s *Set) int { return portable(text, s) }

//lint:ignore U1000 span_amd64.s calls it
func portableBytes(text []byte, s *Set) int { return portable(text, s) }
