//go:build !amd64 || noasm

package span

func length(text string, s *Set) int { return portable(text, s) }

func lengthBytes(text []byte, s *Set) int { return portable(text, s) }
