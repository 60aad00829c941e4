package main

import (
	"context"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"locator"
	"locator/client"
	"locator/download"
	"locator/scheme"
)

// batch is one run of get.
type batch struct {
	app      *app
	c        *client.Client
	o        getOptions
	hasQuery bool
	limit    *rate.Limiter
	show     *progress
	start    time.Time
	folders  map[string]*folder
	trees    map[string]bool // the folders that whole trees went into, in lower case
}

func (b *batch) run(ctx context.Context, args []string) error {
	defer b.close()
	switch {
	case b.o.recursive.on:
		err := b.app.urls(ctx, args, func(text string) error {
			b.mirror(ctx, text)
			return ctx.Err()
		})
		b.show.sum(time.Since(b.start))
		return err
	case b.o.dryRun:
		return b.app.urls(ctx, args, func(text string) error {
			b.dry(text)
			return nil
		})
	case b.o.remoteName || b.o.dir != "":
		err := b.many(ctx, args)
		b.show.sum(time.Since(b.start))
		return err
	}
	to, done, err := outputPlace(b.o.output)
	if err != nil {
		return err
	}
	defer done()
	n := 0
	return b.app.urls(ctx, args, func(text string) error {
		if n++; n > 1 && to != (place{}) {
			return scheme.Fail(scheme.CodeUsage, "-o takes one URL; -O or --dir take many")
		}
		if err := b.one(ctx, text, false, func(locator.URL) (place, error) { return to, nil }); err != nil {
			return err
		}
		return ctx.Err()
	})
}

// dry says that a URL would be got, if it is one that may be.
func (b *batch) dry(text string) {
	u, err := b.app.read(b.c, text)
	if err == nil {
		err = b.c.Preflight(scheme.OpAccess, scheme.Request{URL: u.WithoutFragment()})
	}
	if err != nil {
		b.getter(redactInput(text)).report(err)
		return
	}
	b.wouldGet(scheme.Entry{Name: b.c.FileName(u, false), URL: u.WithoutFragment()})
}

// folder gives the folder of that name, which all URLs of the run share.
func (b *batch) folder(dir string) (*folder, error) {
	if f := b.folders[dir]; f != nil {
		return f, nil
	}
	f, err := openFolder(dir)
	if err == nil {
		b.folders[dir] = f
	}
	return f, err
}

func (b *batch) close() {
	for _, f := range b.folders {
		f.close()
	}
}

// replaces reports whether files of earlier runs may be replaced.
func (b *batch) replaces() bool { return b.o.force || b.o.ifNewer || b.o.goOn }

// many brings URLs into files, several at once.
func (b *batch) many(ctx context.Context, args []string) error {
	dir, err := b.folder(b.o.dir)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var once sync.Once
	var failed error
	end := func(err error) {
		if err != nil {
			once.Do(func() { failed = err })
			cancel()
		}
	}
	jobs := func(yield func(download.Job) bool) {
		n := 0
		end(b.app.urls(ctx, args, func(text string) error {
			if n++; n > 1 && b.o.sha256 != "" {
				return scheme.Fail(scheme.CodeUsage, "--sha256 goes with one URL")
			}
			job := download.Job{Host: hostOf(text), Do: func(ctx context.Context, more bool) {
				end(b.one(ctx, text, more, func(u locator.URL) (place, error) {
					return dir.file([]string{b.c.FileName(u, b.o.decode)}, b.replaces())
				}))
			}}
			if !yield(job) {
				return context.Cause(ctx)
			}
			return nil
		}))
	}
	b.queue().Run(ctx, jobs)
	return failed
}

func (b *batch) queue() download.Queue {
	return download.Queue{Parallel: b.o.parallel, PerHost: b.o.perHost}
}

// hostOf is what jobs are told apart by; a text that is no URL has no host.
func hostOf(text string) string {
	inner, _ := locator.Unwrap(text)
	u, err := locator.Current.Parse(inner)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Host())
}

// one gets one URL and reports how that ended; more says that another of its host follows. Its error is one that ends the
// run.
func (b *batch) one(ctx context.Context, text string, more bool, where func(locator.URL) (place, error)) error {
	answers, err := b.o.ask.answers(ctx)
	if err != nil {
		return err
	}
	defer closeFiles(answers)
	g := b.getter(redactInput(text))
	g.access.Query, g.answers = b.o.ask.words(b.hasQuery), answers
	g.follows(more)
	u, err := b.app.read(b.c, text)
	if err == nil {
		var to place
		if to, err = where(u); err == nil {
			defer to.release()
			err = g.get(ctx, scheme.Request{URL: u.WithoutFragment()}, to)
		}
	}
	g.report(err)
	return nil
}

func (b *batch) getter(shown string) *getter {
	return &getter{app: b.app, c: b.c, o: b.o, show: b.show, event: event{URL: octets(shown)},
		opt: download.Options{Continue: b.o.goOn, IfNewer: b.o.ifNewer, SHA256: b.o.sha256, Verify: b.o.verify, Digest: b.app.flags.json,
			Retries: b.o.retries, Rate: b.limit}}
}
