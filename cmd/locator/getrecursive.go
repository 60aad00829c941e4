package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/spf13/pflag"

	"locator/client"
	"locator/internal/safename"
	"locator/internal/transfer"
	"locator/scheme"
)

// recursion is what get --recursive is told.
type recursion struct {
	on       bool
	depth    int
	include  []string
	exclude  []string
	dryRun   bool
	noRobots bool
}

func (r *recursion) register(f *pflag.FlagSet) {
	f.BoolVarP(&r.on, "recursive", "r", false, "all that lies below, into --dir (default: a folder named after the URL)")
	f.IntVar(&r.depth, "depth", 0, "this many folders deep at most (0: all)")
	f.StringArrayVar(&r.include, "include", nil, "only files whose path matches: *, ** and {a,b} (repeatable)")
	f.StringArrayVar(&r.exclude, "exclude", nil, "no files or folders whose path matches (repeatable)")
	f.BoolVar(&r.dryRun, "dry-run", false, "only say what would be got")
	f.BoolVar(&r.noRobots, "ignore-robots", false, "read what robots.txt asks robots not to read")
}

// check finds patterns that cannot match.
func (r *recursion) check() error {
	for _, p := range append(append([]string(nil), r.include...), r.exclude...) {
		if !doublestar.ValidatePattern(p) {
			return scheme.Fail(scheme.Usage, "%q is no pattern: it takes *, **, ?, [a-z] and {a,b}", p)
		}
	}
	if r.depth < 0 {
		return scheme.Fail(scheme.Usage, "--depth takes a number from 0")
	}
	return nil
}

// wants reports whether a file is to be got; excluded, whether a file or folder is left out.
func (r *recursion) wants(path string) bool {
	return !r.excluded(path) && (len(r.include) == 0 || matches(r.include, path))
}

func (r *recursion) excluded(path string) bool { return matches(r.exclude, path) }

// matches holds a path, and its last name alone, against patterns that were checked before.
func matches(patterns []string, path string) bool {
	name := path[strings.LastIndexByte(path, '/')+1:]
	for _, p := range patterns {
		if doublestar.MatchUnvalidated(p, path) || doublestar.MatchUnvalidated(p, name) {
			return true
		}
	}
	return false
}

// mirror gets all that lies below a URL.
func (b *batch) mirror(ctx context.Context, text string) {
	g := b.getter(redactInput(text))
	u, err := b.app.read(b.c, text)
	if err != nil {
		g.report(err)
		return
	}
	dir := b.o.dir
	if dir == "" {
		name := nameOf(u)
		if name == "" {
			name = u.Host()
		}
		dir = safename.Make(name)
	}
	b.o.dir = dir
	root, err := openDir(dir)
	if err != nil {
		g.report(err)
		return
	}
	defer root.Close()
	o := client.WalkOptions{Depth: b.o.recursive.depth, Robots: "locator",
		Enter: func(v client.Visit) bool { return !b.o.recursive.excluded(strings.Join(v.Path, "/")) }}
	if b.o.recursive.noRobots {
		o.Robots = ""
	}
	jobs := func(yield func(transfer.Job) bool) {
		for v := range b.c.Walk(ctx, scheme.Request{URL: u.WithoutFragment(), Accept: b.app.flags.wishes()}, o) {
			if v.Err != nil {
				b.getter(v.Entry.URL.Redacted()).report(v.Err)
				continue
			}
			if !transferable(v.Entry.Kind) || !b.o.recursive.wants(strings.Join(v.Path, "/")) {
				continue
			}
			if b.o.recursive.dryRun {
				fmt.Fprintln(b.app.Out, safe(v.Entry.URL.Redacted()))
				continue
			}
			job := transfer.Job{Host: v.Entry.URL.Host(), Do: func(ctx context.Context) {
				g := b.getter(v.Entry.URL.Redacted())
				name, err := b.claim(root, v.Path)
				if err == nil {
					to := place{file: &transfer.File{Root: root, Name: name}, shown: filepath.Join(dir, name)}
					err = g.get(ctx, scheme.Request{URL: v.Entry.URL, From: v.From, Type: 'i'}, to)
				}
				g.report(err)
			}}
			if !yield(job) {
				return
			}
		}
	}
	b.queue().Run(ctx, jobs)
}

// transferable reports whether an entry can be a file.
func transferable(k scheme.Kind) bool { return k == scheme.Object || k == scheme.Unknown }
