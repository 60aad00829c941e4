package nntp

import "strings"

// matches reports whether a name matches a wildmat (RFC 3977 4): patterns separated by commas, of
// which the last that matches decides; those that begin with "!" exclude. "*" stands for any text
// and "?" for a character.
func matches(wildmat, name string) bool {
	ok := false
	for pattern := range strings.SplitSeq(wildmat, ",") {
		pattern, excludes := strings.CutPrefix(pattern, "!")
		if glob([]rune(pattern), []rune(name)) {
			ok = !excludes
		}
	}
	return ok
}

// glob matches one pattern. It goes back to the last "*" only, so that it takes at most the product
// of both lengths.
func glob(pattern, name []rune) bool {
	star, retry := -1, 0
	p, n := 0, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, retry = p, n
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == name[n]):
			p++
			n++
		case star >= 0:
			retry++
			p, n = star+1, retry
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}
