package ftp

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestMonths checks that no name stands for two months, in UTF-8 and in the older character sets.
func TestMonths(t *testing.T) {
	t.Parallel()
	for i, names := range months {
		for name := range strings.FieldsSeq(names) {
			for j, others := range months {
				if i != j && slices.Contains(strings.Fields(others), name) {
					t.Errorf("%s is %d and %d", name, i+1, j+1)
				}
			}
			if _, n := utf8.DecodeRuneInString(name); monthNumber(strings.ToUpper(name[:n])+name[n:]+".") != i+1 {
				t.Errorf("%s is none", name)
			}
			for _, c := range charsets {
				old, err := c.NewEncoder().String(name)
				if err != nil { // the character set lacks a letter
					continue
				}
				if got := monthNumber(old); got != i+1 {
					t.Errorf("%s in %s: %d", name, c, got)
				}
			}
		}
	}
}
