package tree

import (
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"locator/scheme"
)

// Patterns select files below a folder by their paths. A pattern may have *, **, ?, [a-z] and
// {a,b}.
type Patterns struct{ Include, Exclude []string }

// Given reports whether there are patterns.
func (p *Patterns) Given() bool { return len(p.Include)+len(p.Exclude) > 0 }

// Check returns an error for an invalid pattern.
func (p *Patterns) Check() error {
	for _, text := range slices.Concat(p.Include, p.Exclude) {
		if !doublestar.ValidatePattern(text) {
			return scheme.Fail(scheme.CodeUsage, "%q is not a pattern; use *, **, ?, [a-z] and {a,b}", text)
		}
	}
	return nil
}

// Wants reports whether a file is selected. The path counts from the folder, with slashes.
func (p *Patterns) Wants(path string) bool {
	return !p.Excluded(path) && (len(p.Include) == 0 || matches(p.Include, path))
}

// Excluded reports whether a file or folder is left out.
func (p *Patterns) Excluded(path string) bool { return matches(p.Exclude, path) }

// matches reports whether a path or its last name matches one of the patterns, which are valid.
func matches(patterns []string, path string) bool {
	name := path[strings.LastIndexByte(path, '/')+1:]
	for _, p := range patterns {
		if doublestar.MatchUnvalidated(p, path) || doublestar.MatchUnvalidated(p, name) {
			return true
		}
	}
	return false
}
