package main

import (
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/spf13/pflag"

	"locator/scheme"
)

// pathPatterns holds the flags --include and --exclude, which select files below a folder.
type pathPatterns struct{ include, exclude []string }

// register adds the flags. Their help begins with where, and says what is done with the files.
func (p *pathPatterns) register(f *pflag.FlagSet, where, verb string) {
	f.StringArrayVar(&p.include, "include", nil, where+verb+" only files whose path matches the pattern: *, ** and {a,b} (repeatable)")
	f.StringArrayVar(&p.exclude, "exclude", nil, where+"leave out files and folders whose path matches the pattern (repeatable)")
}

// given reports whether there are patterns.
func (p *pathPatterns) given() bool { return len(p.include)+len(p.exclude) > 0 }

// check returns an error for an invalid pattern.
func (p *pathPatterns) check() error {
	for _, text := range slices.Concat(p.include, p.exclude) {
		if !doublestar.ValidatePattern(text) {
			return scheme.Fail(scheme.CodeUsage, "%q is not a pattern; use *, **, ?, [a-z] and {a,b}", text)
		}
	}
	return nil
}

// wants reports whether a file is selected. The path counts from the folder, with slashes.
func (p *pathPatterns) wants(path string) bool {
	return !p.excluded(path) && (len(p.include) == 0 || matches(p.include, path))
}

// excluded reports whether a file or folder is left out.
func (p *pathPatterns) excluded(path string) bool { return matches(p.exclude, path) }

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
