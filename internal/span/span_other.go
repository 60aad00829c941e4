//go:build !amd64 || noasm

package span

// The compiler takes text for one that escapes where it inlines a call of a generic function of
// another package. Then parsing a URL would allocate.

//go:noinline
func length(text string, s *Set) int { return portable(text, s) }

//go:noinline
func lengthBytes(text []byte, s *Set) int { return portable(text, s) }
