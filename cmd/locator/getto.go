package main

import (
	"context"
	"errors"
	"time"

	"locator"
	"locator/archive"
	"locator/client"
	"locator/internal/console"
	"locator/internal/present"
	"locator/internal/settings"
	"locator/internal/units"
	"locator/scheme"
	"locator/scheme/message"
)

// formatOf returns the format that --to names.
func formatOf(name string) (archive.Format, error) {
	var names []string
	for _, f := range archive.Formats() {
		if f.String() == name {
			return f, nil
		}
		names = append(names, f.String())
	}
	return 0, scheme.Fail(scheme.CodeUsage, "--to %q: must be %s", name, settings.OneOf(names))
}

// checkTo rejects flags that cannot be combined with --to.
func (o *getOptions) checkTo() error {
	if o.to == "" {
		stores := o.output != "" || o.remoteName || o.dir != "" || o.raw || o.decode || o.verify || o.sha256 != ""
		if o.selection.isSet() && stores && !o.recursive.on || o.selection.news && o.recursive.on {
			return scheme.Fail(scheme.CodeUsage, "to store messages, --since, --new, --subject, --from and --match need --to, such as --to mbox -o FILE")
		}
		return nil
	}
	f, err := formatOf(o.to)
	switch {
	case err != nil:
		return err
	case o.recursive.on || o.remoteName || o.dir != "" || o.raw || o.decode || o.resume || o.ifNewer || o.verify || o.sha256 != "":
		return scheme.Fail(scheme.CodeUsage, "--to takes -o; it cannot be combined with -O, --dir, --dirs, --recursive, --raw, --decode, --continue, --if-newer, --verify or --sha256")
	case f.IsFolder() && (o.output == "" || o.output == "-"):
		return scheme.Fail(scheme.CodeUsage, "--to %s needs a folder: -o DIR", f)
	}
	return nil
}

// lists reports whether the flags ask for a listing of the messages that they select, as the verb
// list prints it.
func (o *getOptions) lists() bool {
	return o.to == "" && !o.recursive.on && !o.dryRun && o.selection.isSet()
}

// collect stores the messages at URLs in the archive that --to and -o describe, one URL after the
// other.
func (b *batch) collect(ctx context.Context, args []string) error {
	format, err := formatOf(b.o.to)
	if err != nil {
		return err
	}
	filter, err := b.o.selection.filter(time.Now())
	if err != nil {
		return err
	}
	var to *archive.Archive
	if b.o.output != "" && b.o.output != "-" {
		to, err = archive.Open(b.o.output, format, archive.Options{Mode: b.app.Mode, Sync: b.o.sync,
			Note: func(text string) { b.app.Note("%s", text) }})
		if err != nil {
			return err
		}
		defer func() {
			if err := to.Close(); err != nil {
				b.app.Fail(err)
			}
		}()
	} else if console.IsTerminal(b.app.Out) && !b.o.force {
		return scheme.Fail(scheme.CodeUsage, "--to %s writes no messages to a terminal; use -o FILE, or --force", format)
	}
	return b.app.urls(ctx, args, func(text string) error {
		g := b.getter(redactInput(text), b.app.At)
		u, err := b.app.readFor(b.c, text)
		if err == nil {
			err = b.collectOne(ctx, g, u.WithoutFragment(), to, format, filter)
		}
		if e := b.app.closedOutput(err); e != err {
			return e
		}
		g.report(err)
		return nil
	})
}

// maxNamed is how many of the messages that the server lists and cannot send are named. The others
// are counted.
const maxNamed = 20

// collectOne stores the messages at a URL in an archive, or writes them to standard output if that
// is nil.
func (b *batch) collectOne(ctx context.Context, g *getter, u locator.URL, to *archive.Archive, format archive.Format, filter message.Filter) (err error) {
	shown := g.o.output
	if to == nil {
		var j *archive.Journal
		if g.o.selection.news {
			if j, err = g.app.openNew(u); err != nil {
				return err
			}
			defer func() { err = errors.Join(err, j.Close()) }()
		}
		to, shown = archive.New(g.app.Out, format, j), u.Redacted()
	}
	bar := g.show.File(shown)
	bar.Begin(-1, 0)
	defer bar.Drop()
	missing := 0
	done, err := archive.Collect(ctx, g.c, scheme.Request{URL: u}, to, archive.CollectOptions{
		Accept: g.app.flags.Accept(), Filter: filter, Retries: g.o.retries, MaxSize: g.o.maxBytes, Rate: b.limit,
		Events: archive.CollectEvents{
			Began: func(res *scheme.Resource) {
				g.describe(u, res)
				bar.Expect(res.Count.Or(0))
			},
			Stored: func(_ *scheme.Resource, n int64) { bar.Stored(n) },
			Left: func(u locator.URL, err error) {
				if client.CodeOf(err) == scheme.CodeNotFound {
					if missing++; missing > maxNamed && !g.app.flags.JSON {
						return
					}
				}
				b.getter(u.Redacted(), g.at).report(err)
			},
			Retry: func(err error, attempt int, wait time.Duration) {
				g.app.Note("%v; connecting again%s", g.app.Of(g.at, err), after(wait))
			},
		},
	})
	g.event.Bytes = done.Bytes
	g.event.Messages = &done.Messages
	if g.o.output != "" && g.o.output != "-" {
		g.event.File = present.OrNull(shown)
	}
	if err == nil || done.Messages > 0 {
		bar.Drop()
		bar.ReportMessages(done.Messages, done.Known, done.Bytes)
	}
	if done.Missing > 0 {
		g.app.Note("%s: %s that the server lists could not be read; the same command asks for them again", shown, units.Count(done.Missing, "message"))
	}
	if err != nil && done.Messages > 0 && g.event.File != nil {
		g.app.Note("the messages before that are stored; the same command goes on behind them")
	}
	return err
}

// after says how long something waits.
func after(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return " in " + d.String()
}
