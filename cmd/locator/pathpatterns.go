package main

import (
	"github.com/spf13/pflag"

	"locator/tree"
)

// pathPatterns holds the flags --include and --exclude, which select files below a folder.
type pathPatterns struct{ tree.Patterns }

// register adds the flags. Their help begins with where, and says what is done with the files.
func (p *pathPatterns) register(f *pflag.FlagSet, where, verb string) {
	f.StringArrayVar(&p.Include, "include", nil, where+verb+" only files whose path matches the pattern: *, ** and {a,b} (repeatable)")
	f.StringArrayVar(&p.Exclude, "exclude", nil, where+"leave out files and folders whose path matches the pattern (repeatable)")
}
