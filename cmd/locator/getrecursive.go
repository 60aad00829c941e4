package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/spf13/pflag"

	"locator"
	"locator/client"
	"locator/download"
	"locator/internal/safename"
	"locator/scheme"
)

// recursion is what get --recursive is told.
type recursion struct {
	on       bool
	depth    int
	include  []string
	exclude  []string
	noRobots bool
}

func (r *recursion) register(f *pflag.FlagSet) {
	f.BoolVarP(&r.on, "recursive", "r", false, "all that lies below, into --dir (default: a folder named after the URL)")
	f.IntVar(&r.depth, "depth", 0, "this many folders deep at most (0: all)")
	f.StringArrayVar(&r.include, "include", nil, "only files whose path matches: *, ** and {a,b} (repeatable)")
	f.StringArrayVar(&r.exclude, "exclude", nil, "no files or folders whose path matches (repeatable)")
	f.BoolVar(&r.noRobots, "ignore-robots", false, "read what robots.txt asks robots not to read")
}

// check finds patterns that cannot match.
func (r *recursion) check() error {
	for _, p := range append(append([]string(nil), r.include...), r.exclude...) {
		if !doublestar.ValidatePattern(p) {
			return scheme.Fail(scheme.CodeUsage, "%q is no pattern: it takes *, **, ?, [a-z] and {a,b}", p)
		}
	}
	if r.depth < 0 {
		return scheme.Fail(scheme.CodeUsage, "--depth takes a number from 0")
	}
	if !r.on && (len(r.include)+len(r.exclude)+r.depth > 0 || r.noRobots) {
		return scheme.Fail(scheme.CodeUsage, "--depth, --include, --exclude and --ignore-robots go with --recursive")
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
	u = u.WithoutFragment()
	dir := b.o.dir
	if dir == "" {
		name := b.c.FileName(u, false)
		if name == "" {
			name = u.Host()
		}
		dir = b.tree(safename.Make(name))
	}
	m := &mirror{batch: b}
	if !b.o.dryRun {
		if m.to, err = b.folder(dir); err != nil {
			g.report(err)
			return
		}
	}
	b.queue().Run(ctx, func(yield func(download.Job) bool) {
		for v := range b.c.Walk(ctx, scheme.Request{URL: u}, m.options()) {
			if job, ok := m.visit(u, v); ok && !yield(job) {
				return
			}
		}
	})
}

// tree gives the name for a folder that a whole tree goes into: that, or one with a number where a tree of this run has
// it already.
func (b *batch) tree(base string) string {
	name := base
	for n := 2; b.trees[strings.ToLower(name)]; n++ {
		name = safename.Number(base, n)
	}
	b.trees[strings.ToLower(name)] = true
	return name
}

// mirror is the mirroring of one tree.
type mirror struct {
	*batch
	to *folder
}

func (m *mirror) options() client.WalkOptions {
	r := &m.o.recursive
	o := client.WalkOptions{
		Depth:   r.depth,
		List:    scheme.ListOptions{Accept: m.app.flags.wishes()},
		Robots:  "locator",
		Enter:   func(v client.Visit) bool { return !r.excluded(strings.Join(v.Path, "/")) },
		LeftOut: func(u locator.URL, why string) { m.app.info("%s is left out: %s", u.Redacted(), why) },
	}
	if r.noRobots {
		o.Robots = ""
	}
	return o
}

// visit decides what becomes of a thing that the walk has come to; ok is false where it is done with.
func (m *mirror) visit(root locator.URL, v client.Visit) (job download.Job, ok bool) {
	path := strings.Join(v.Path, "/")
	if v.Err != nil {
		if len(v.Path) > 0 || client.CodeOf(v.Err) != scheme.CodeUnsupported || m.c.FileName(root, false) == "" {
			m.getter(v.Entry.URL.Redacted()).report(v.Err)
			return job, false
		}
		v.Entry.Kind, v.Path = scheme.KindObject, []string{m.c.FileName(root, false)} // no folder, but a file
	} else if !transferable(v.Entry.Kind) || !m.o.recursive.wants(path) {
		return job, false
	}
	if m.o.dryRun {
		m.wouldGet(v.Entry)
		return job, false
	}
	return download.Job{Host: strings.ToLower(v.Entry.URL.Host()), Do: func(ctx context.Context, more bool) {
		g := m.getter(v.Entry.URL.Redacted())
		g.filesOnly = true
		names, last := slices.Clone(v.Path), len(v.Path)-1
		if m.o.decode && names[last] == m.c.FileName(v.Entry.URL, false) {
			names[last] = m.c.FileName(v.Entry.URL, true)
		}
		to, err := m.to.file(names, m.replaces())
		if err == nil {
			defer to.release()
			g.access.Type, g.access.NoSubmit = 'i', true
			g.follows(more)
			err = g.get(ctx, scheme.Request{URL: v.Entry.URL, Within: root, From: v.From, Mirrors: v.Entry.MirrorURLs()}, to)
		}
		g.report(err)
	}}, true
}

// wouldGet says what would be got.
func (b *batch) wouldGet(e scheme.Entry) {
	if !b.app.flags.json {
		fmt.Fprintln(b.app.Out, safe(e.URL.Redacted()))
		return
	}
	line, _ := marshal(entryOf(e)) // strings and numbers only
	b.app.Out.Write(append(line, '\n'))
}

// transferable reports whether an entry can be a file.
func transferable(k scheme.Kind) bool { return k == scheme.KindObject || k == scheme.KindUnknown }
