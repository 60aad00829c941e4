package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"locator"
	"locator/client"
	"locator/download"
	"locator/internal/console"
	"locator/internal/present"
	"locator/internal/units"
	"locator/internal/urllist"
	"locator/scheme"
	"locator/transfer"
	"locator/tree"
)

// batch is one run of get.
type batch struct {
	app     *app
	c       *client.Client
	o       getOptions
	limit   *rate.Limiter
	total   *transfer.Quota // of --recursive
	show    *console.Progress
	start   time.Time
	folders map[string]*download.Folder // open, by the name of --dir
	trees   map[string]bool             // names of the folders that trees were mirrored into, in lower case
	parts   sync.Mutex                  // held while an attachment is saved
}

// oneURL returns the only URL of the run. It is judged before anything is accessed.
func (b *batch) oneURL(ctx context.Context, args []string) ([]string, error) {
	var list []string
	err := b.app.urls(ctx, args, func(text string) error {
		if list = append(list, text); len(list) > 1 {
			return scheme.Fail(scheme.CodeUsage, "-o and --sha256 take one URL; use -O or --dir for several")
		}
		return nil
	})
	if err == nil && len(list) == 0 {
		err = scheme.Fail(scheme.CodeUsage, "-o and --sha256 need a URL, and there is none in the list")
	}
	b.app.listFile = "" // it has been read
	return list, err
}

// expand returns the URLs that a text stands for: the files that match a pattern, or the text
// itself. It reports the error of a pattern.
func (b *batch) expand(ctx context.Context, text string) []string {
	p, ok := tree.ParsePattern(b.c, text, b.app.read)
	if !ok {
		return []string{text}
	}
	err := b.app.checkMeaning(b.c, p.Dir())
	var files []string
	if err == nil {
		var matches []scheme.Entry
		var exact bool
		if matches, exact, err = p.Expand(ctx, b.c, &scheme.ListOptions{Accept: b.app.flags.Accept()}, nil); exact {
			return []string{text}
		}
		for _, e := range matches {
			if e.Kind != scheme.KindListing {
				files = append(files, e.URL.Text())
			}
		}
	}
	switch {
	case err != nil:
	case len(files) == 0:
		err = &scheme.Error{Op: scheme.OpList, URL: p.String(), Code: scheme.CodeNotFound,
			Err: errors.New("only directories match the pattern; use --recursive with --include, or list")}
	case len(files) > 1 && (b.o.output != "" || b.o.sha256 != ""):
		err = scheme.Fail(scheme.CodeUsage, "%d files match %s; use -O or --dir for several", len(files), p)
	}
	if err != nil {
		b.getter(redactInput(text), b.app.At).report(err)
		return nil
	}
	return files
}

// dryRun prints a URL that would be accessed, or reports why it would not.
func (b *batch) dryRun(text string) error {
	u, err := b.app.readFor(b.c, text)
	if err == nil {
		err = b.c.Preflight(scheme.OpAccess, scheme.Request{URL: u.WithoutFragment()})
	}
	if err != nil {
		b.getter(redactInput(text), b.app.At).report(err)
		return nil
	}
	b.printDry(scheme.Entry{Name: b.c.FileName(u, false), URL: u.WithoutFragment()})
	return nil
}

// folder opens a folder once for all URLs of the run.
func (b *batch) folder(dir string) (*download.Folder, error) {
	if f := b.folders[dir]; f != nil {
		return f, nil
	}
	f, err := download.OpenFolder(dir)
	if err != nil {
		return nil, scheme.Fail(scheme.CodeLocal, "cannot use the folder %s: %w; use --dir for another one", cmp.Or(dir, "."), err)
	}
	f.Sync, f.Portable = b.o.sync, b.o.names == "portable"
	if dir != "" { // the working directory gets no index unless it is named
		if err := f.UseIndex(); err != nil {
			f.Close()
			return nil, err
		}
	}
	b.folders[dir] = f
	return f, nil
}

func (b *batch) close() {
	for _, f := range b.folders {
		if err := f.Close(); err != nil {
			b.app.Fail(err)
		}
	}
}

// dirs returns the folders of --dirs for a URL: its host, and the folders of its path.
func (b *batch) dirs(u locator.URL) []string {
	if !b.o.dirs {
		return nil
	}
	var dirs []string
	if host := strings.ToLower(u.Host()); host != "" {
		if port := u.Port(); port != "" {
			host += ":" + port
		}
		dirs = append(dirs, host)
	}
	names, ok := u.Segments()
	if !ok {
		path, _ := u.Path()
		for name := range strings.SplitSeq(path, "/") {
			names = append(names, locator.Decode(name))
		}
	}
	if !b.o.recursive.on { // the last one is the file
		names = names[:max(len(names)-1, 0)]
	}
	for _, name := range names {
		if name != "" {
			dirs = append(dirs, name)
		}
	}
	return dirs
}

// existing returns what happens to a file that exists. That of -o is replaced, but --continue
// replaces only what an earlier run has downloaded.
func (b *batch) existing() download.Existing {
	x := &b.o.recursive
	switch {
	case b.o.force:
		return download.Replace
	case x.on && (x.mirror || b.o.ifNewer):
		return download.Sync
	case x.on:
		return download.Update
	case b.o.ifNewer || b.o.output != "" && !b.o.resume:
		return download.Replace
	case b.o.resume:
		return download.Update
	}
	return download.Refuse
}

// getFiles downloads URLs into the folder of --dir, several at once.
func (b *batch) getFiles(ctx context.Context, args []string) error {
	dir, err := b.folder(b.o.dir)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	end := func(err error) {
		if err != nil {
			cancel(err)
		}
	}
	jobs := func(yield func(transfer.Job) bool) {
		seen := make(map[string]bool)
		end(b.app.urls(ctx, args, func(text string) error {
			at := b.app.At           // the file is downloaded later
			u, _ := b.app.read(text) // get reports the error
			if key := u.Canonical().Text(); !u.IsZero() && seen[key] {
				b.app.Info("%s is downloaded once", u.Redacted())
				return nil
			} else {
				seen[key] = true
			}
			where := b.reserve(dir, u)
			job := transfer.Job{Host: strings.ToLower(u.Host()), URL: u, Do: func(ctx context.Context, next iter.Seq[locator.URL]) {
				end(b.get(ctx, text, at, next, where))
			}}
			if !yield(job) {
				return context.Cause(ctx)
			}
			return nil
		}))
	}
	b.queue().Run(ctx, jobs)
	return context.Cause(ctx)
}

// reserve names the file of a URL: the order of the URLs decides which of two files of one name
// gets a number. The function that it returns opens the file.
func (b *batch) reserve(dir *download.Folder, u locator.URL) func(locator.URL) (place, error) {
	if u.IsZero() { // get reports the error
		return nil
	}
	at := dir.Reserve(u.WithoutFragment(), append(b.dirs(u), cmp.Or(b.c.FileName(u, b.o.decode), b.c.ListingName(u))))
	return func(locator.URL) (place, error) {
		f, err := at.File()
		if err != nil {
			return place{}, err
		}
		return place{file: &f, shown: f.Path()}, nil
	}
}

func (b *batch) queue() transfer.Queue {
	return transfer.Queue{Parallel: b.o.parallel, PerHost: b.o.perHost}
}

// get accesses one URL from a list, writes the result to the place that where returns, and reports
// how it ended. next yields the URL that is accessed after it; it may be nil. An error ends the
// run.
func (b *batch) get(ctx context.Context, text string, at urllist.Origin, next iter.Seq[locator.URL], where func(locator.URL) (place, error)) error {
	answers, err := b.o.ask.answers(ctx)
	if err != nil {
		return err
	}
	defer console.CloseFiles(answers)
	g := b.getter(redactInput(text), at)
	g.opt.Access.Query, g.answers = b.o.ask.words(), answers
	g.opt.Access.Next = next
	u, err := b.app.readFor(b.c, text)
	if b.o.saveParts {
		g.opt.Access.Part = func(name, _ string, body io.Reader) error { return b.savePart(u, name, g.opt.Quota.Reader(body)) }
	}
	if err == nil {
		var to place
		if to, err = where(u); err == nil {
			defer to.close()
			err = g.fetch(ctx, scheme.Request{URL: u.WithoutFragment()}, to)
		}
	}
	g.report(err)
	return nil
}

// savePart saves an attachment of a message, and says so. One that exceeds --max-size ends the
// message.
func (b *batch) savePart(u locator.URL, name string, body io.Reader) error {
	b.parts.Lock()
	defer b.parts.Unlock()
	dir, err := b.folder(b.o.dir)
	if err != nil {
		return err
	}
	p, err := dir.SavePart(u, name, body, b.o.force, b.app.Mode)
	switch {
	case err != nil:
		return err
	case p.Damaged != nil:
		b.app.Note("%s: damaged; saved as far as it could be decoded (%s): %v", p.Path, units.Size(p.Bytes), p.Damaged)
	default:
		b.app.Note("%s: saved (%s)", p.Path, units.Size(p.Bytes))
	}
	if errors.Is(p.Damaged, transfer.ErrQuota) {
		return p.Damaged
	}
	return nil
}

// options are those of every download of the run.
func (b *batch) options() download.Options {
	return download.Options{
		Access:   scheme.AccessOptions{Decode: b.o.decode, Accept: b.app.flags.Accept(), Terminal: b.app.terminal()},
		Existing: b.existing(), Resume: b.o.resume, IfNewer: b.o.ifNewer && !b.o.recursive.on, SHA256: b.o.sha256, WantSHA256: b.app.flags.JSON, Verify: b.o.verify,
		Retries: b.o.retries, Rate: b.limit, Quota: b.quota(), Mode: b.app.Mode,
	}
}

// quota returns a new quota of --max-size, nil for no limit.
func (b *batch) quota() *transfer.Quota {
	if b.o.maxBytes == 0 {
		return nil
	}
	return transfer.NewQuota(b.o.maxBytes)
}

func (b *batch) getter(shown string, at urllist.Origin) *getter {
	return &getter{app: b.app, at: at, c: b.c, o: b.o, show: b.show, opt: b.options(), start: time.Now(), event: present.Get{URL: present.Octets(shown)}}
}
