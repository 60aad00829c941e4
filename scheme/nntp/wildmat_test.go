package nntp

import (
	"strings"
	"testing"
)

// Covers: A9
func TestWildmat(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		wildmat, name string
		want          bool
	}{
		{"*", "", true}, {"a*", "abc", true}, {"a*", "ba", false}, {"a?c", "abc", true}, {"a?c", "ac", false}, {"a*b*c", "aXbYbZc", true},
		{"a*,!ab*", "abc", false}, {"a*,!ab*", "acc", true}, {"a*,!ab*,abc", "abc", true}, {"*.test", "x.test.more", false},
		{"\u00e9?", "\u00e9\u00e9", true}, {strings.Repeat("a*", 200) + "b", strings.Repeat("a", 20_000), false},
	} {
		if got := matches(c.wildmat, c.name); got != c.want {
			t.Errorf("matches(%.40q, %.40q) = %v", c.wildmat, c.name, got)
		}
	}
}
