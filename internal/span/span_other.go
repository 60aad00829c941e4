//go:build !amd64 || noasm

package span

// Length is the number of octets that text begins with that are of the set or of escapes, which are "%" and two hexadecimal
// digits. An escape that is none ends it.
func (s *Set) Length(text string) int { return s.portable(text) }
