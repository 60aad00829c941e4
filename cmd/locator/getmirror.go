package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"locator"
	"locator/client"
	"locator/download"
	"locator/internal/present"
	"locator/internal/safename"
	"locator/internal/units"
	"locator/scheme"
	"locator/tree"
)

// mirror downloads everything below a URL.
func (b *batch) mirror(ctx context.Context, text string) {
	u, err := b.app.readFor(b.c, text)
	if err != nil {
		b.getter(redactInput(text), b.app.At).report(err)
		return
	}
	r, o := scheme.Request{URL: u.WithoutFragment()}, b.mirrorOptions()
	wanted, skipped := 0, 0
	enter, want, leftOut := o.Walk.Enter, o.Want, o.Walk.LeftOut
	o.Walk.Enter = func(v tree.Visit) bool { wanted++; return enter(v) }
	o.Want = func(v tree.Visit) bool { wanted++; return want(v) }
	o.Walk.LeftOut = func(u locator.URL, why string) { skipped++; leftOut(u, why) }
	defer func() {
		if wanted == 0 {
			b.app.skippedAll(r.URL, skipped)
		}
	}()
	dir := b.o.dir
	switch {
	case dir == "" && b.o.dirs:
		dir = "."
	case dir == "":
		dir = b.treeName(r.URL)
	}
	o.Prefix = b.dirs(r.URL)
	if b.o.dryRun {
		o.DryRun = func(v tree.Visit) { b.printDry(v.Entry) }
		o.Deleted = func(path string) { b.app.Note("would remove %s", safe(path)) }
		if _, err := os.Stat(dir); err != nil || !o.Delete { // nothing is removed; the folder is not made
			o.Delete = false
			download.Mirror(ctx, b.c, r, nil, o) // Failed has reported its error
			return
		}
	}
	to, err := b.folder(dir)
	if err != nil {
		b.getter(redactInput(text), b.app.At).report(err)
		return
	}
	download.Mirror(ctx, b.c, r, to, o) // Fetch and Failed have reported its error
}

// mirrorOptions returns the options of --recursive.
func (b *batch) mirrorOptions() download.MirrorOptions {
	x := &b.o.recursive
	o := download.MirrorOptions{
		Options: b.options(),
		Walk: tree.WalkOptions{
			Depth:   x.depth,
			List:    scheme.ListOptions{Accept: b.app.flags.Accept()},
			Robots:  "locator",
			Enter:   func(v tree.Visit) bool { return !x.patterns.Excluded(strings.Join(v.Path, "/")) },
			LeftOut: func(u locator.URL, why string) { b.app.Info("skipped %s: %s", u.Redacted(), why) },
		},
		NoListings:   x.noPages,
		EmptyFolders: len(x.patterns.Include) == 0,
		Linked: func(u locator.URL, path, target string) {
			b.show.Link()
			g := b.getter(u.Redacted(), b.app.At)
			g.event.File, g.event.Target = present.OrNull(path), present.OrNull(target)
			g.report(nil)
			b.app.Note("%s: link to %s", safe(path), safe(target))
		},
		Unfollowed: func(u locator.URL, why string) {
			b.show.Unfollowed()
			g := b.getter(u.Redacted(), b.app.At)
			g.event.Skipped = present.OrNull(why)
			g.report(nil)
			b.app.Note("skipped %s: %s", u.Redacted(), why)
		},
		Kept: func(path string, n int64) {
			b.app.Info("%s: %s, as listed", safe(path), units.Size(n))
		},
		Queue:     b.queue(),
		Delete:    x.delete,
		MaxDelete: int(x.max),
		Deleted:   func(path string) { b.app.Note("removed %s", safe(path)) },
		Want: func(v tree.Visit) bool {
			wanted := x.patterns.Wants(strings.Join(v.Path, "/"))
			if wanted {
				b.show.Expect(v.Entry.Attr.Size.Get())
			}
			return wanted
		},
		Fetch: func(ctx context.Context, r scheme.Request, f download.File, o download.Options) (download.Outcome, error) {
			g := b.getter(r.URL.Redacted(), b.app.At)
			out, err := g.download(ctx, r, f, f.Path(), o)
			if client.CodeOf(err) == scheme.CodeNotFound {
				return out, err // Failed reports it, unless it is a link
			}
			if err != nil || out.Resource.Kind != scheme.KindListing { // Mirror reports what it makes of a folder
				g.report(err)
			}
			return out, nil
		},
		Failed: func(u locator.URL, err error) {
			b.getter(u.Redacted(), b.app.At).report(advised(err, true, b.o.recursive.delete))
		},
	}
	o.Quota = b.total
	if x.noRobots {
		o.Walk.Robots = ""
	}
	return o
}

// treeName returns the name of the folder for a tree: that of the URL, numbered if an earlier tree
// of this run has it.
func (b *batch) treeName(u locator.URL) string {
	base := b.c.FileName(u, false)
	if base == "" {
		base = u.Host()
	}
	rules := safename.Portable()
	base = rules.Make(base)
	name := base
	for n := 2; b.trees[strings.ToLower(name)]; n++ {
		name = rules.Number(base, n)
	}
	b.trees[strings.ToLower(name)] = true
	return name
}

// printDry prints what a dry run would access.
func (b *batch) printDry(e scheme.Entry) {
	if !b.app.flags.JSON {
		fmt.Fprintln(b.app.Out, safe(e.URL.Redacted()))
		return
	}
	j := present.EntryOf(e)
	j.Line = b.app.At.Line
	line, _ := present.Marshal(j) // strings and numbers only
	b.app.Out.Write(append(line, '\n'))
}
