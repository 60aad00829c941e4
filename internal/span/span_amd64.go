//go:build !noasm

package span

import "golang.org/x/sys/cpu"

//lint:ignore U1000 span_amd64.s reads it
var hasAVX2 = cpu.X86.HasAVX2

// length is portable, 30 octets a step. It calls portable where the processor has no AVX2, and where it would have to read
// beyond the page that text ends on.
//
//go:noescape
func length(text string, s *Set) int
