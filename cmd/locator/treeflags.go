package main

import (
	"locator/scheme"
	"locator/tree"

	"github.com/spf13/pflag"
)

// recursion holds the flags of get --recursive.
type recursion struct {
	on       bool
	mirror   bool
	delete   bool
	max      maxDelete
	depth    int
	patterns pathPatterns
	noRobots bool
	noPages  bool
}

func (r *recursion) register(f *pflag.FlagSet) {
	f.BoolVarP(&r.on, "recursive", "r", false, "mirror everything below the URL into --dir (default: a folder named after the URL)")
	f.BoolVar(&r.mirror, "mirror", false, "bring a mirror up to date: -r -x, and replace each file that differs from the server's")
	f.BoolVar(&r.delete, "delete", false, "with -r: remove the downloaded files that are gone from the server")
	r.max.register(f)
	f.IntVar(&r.depth, "depth", 0, "go at most this many folders deep (0: no limit)")
	r.patterns.register(f, "", "download")
	f.BoolVar(&r.noPages, "no-listings", false, "with -r: keep no menus and index pages")
	f.BoolVar(&r.noRobots, "ignore-robots", false, "ignore robots.txt")
}

// check validates the flags.
func (r *recursion) check() error {
	if err := r.patterns.Check(); err != nil {
		return err
	}
	if r.depth < 0 {
		return scheme.Fail(scheme.CodeUsage, "--depth must not be negative")
	}
	if err := r.max.check(r.delete); err != nil {
		return err
	}
	if !r.on && (r.patterns.Given() || r.depth > 0 || r.noRobots || r.noPages || r.delete) {
		return scheme.Fail(scheme.CodeUsage, "--delete, --depth, --include, --exclude, --no-listings and --ignore-robots need --recursive")
	}
	return nil
}

// pathPatterns holds the flags --include and --exclude, which select files below a folder.
type pathPatterns struct{ tree.Patterns }

// register adds the flags. Their help begins with where, and says what is done with the files.
func (p *pathPatterns) register(f *pflag.FlagSet, where, verb string) {
	f.StringArrayVar(&p.Include, "include", nil, where+verb+" only files whose path matches the pattern: *, ** and {a,b} (repeatable)")
	f.StringArrayVar(&p.Exclude, "exclude", nil, where+"leave out files and folders whose path matches the pattern (repeatable)")
}

// maxDelete is the flag --max-delete of get and put.
type maxDelete int

func (n *maxDelete) register(f *pflag.FlagSet) {
	f.IntVar((*int)(n), "max-delete", 0, "with --delete: remove nothing if more than N would be removed (0: more than half, and more than ten)")
}

// check rejects a negative number, and a number without --delete.
func (n maxDelete) check(deletes bool) error {
	if n < 0 || n > 0 && !deletes {
		return scheme.Fail(scheme.CodeUsage, "--max-delete needs --delete, and a number of at least 1")
	}
	return nil
}
