package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/time/rate"

	"locator/client"
	"locator/internal/console"
	"locator/internal/present"
	"locator/scheme"
	"locator/transfer"
	"locator/upload"
)

// treeOptions holds the flags of put --recursive.
type treeOptions struct {
	on       bool
	force    bool
	ifNewer  bool
	patterns pathPatterns
	parallel int
	perHost  int

	delete    bool
	maxDelete maxDelete
}

func (o *treeOptions) register(f *pflag.FlagSet) {
	f.BoolVarP(&o.on, "recursive", "r", false, "upload the files in a folder")
	f.BoolVar(&o.force, "force", false, "with -r: upload all files, also those that the server has")
	f.BoolVar(&o.ifNewer, "if-newer", false, "with -r: upload only files that are newer than those of the server")
	f.BoolVar(&o.delete, "delete", false, "with -r: remove what the server has and the folder has not")
	o.maxDelete.register(f)
	o.patterns.register(f, "with -r: ", "upload")
	f.IntVar(&o.parallel, "parallel", 8, "with -r: simultaneous uploads")
	f.IntVar(&o.perHost, "per-host", 2, "with -r: simultaneous uploads to one host")
}

// check rejects flags that cannot be combined.
func (o *treeOptions) check(put *putOptions) error {
	switch {
	case !o.on && (o.force || o.ifNewer || o.delete || o.patterns.Given()):
		return scheme.Fail(scheme.CodeUsage, "--force, --if-newer, --delete, --include and --exclude need --recursive")
	case o.on && (put.input == "" || put.input == "-"):
		return scheme.Fail(scheme.CodeUsage, "--recursive needs a folder: locator put --recursive DIR URL")
	case o.on && put.message.given() != "":
		return scheme.Fail(scheme.CodeUsage, "--recursive cannot be combined with %s, which is for messages", put.message.given())
	case o.on && (put.add || put.output != "" || len(put.ask.fields) > 0):
		return scheme.Fail(scheme.CodeUsage, "--recursive cannot be combined with --append, --output and --field")
	case o.force && o.ifNewer:
		return scheme.Fail(scheme.CodeUsage, "--force uploads all files and --if-newer only some; use one of them")
	case o.parallel < 1 || o.perHost < 1:
		return scheme.Fail(scheme.CodeUsage, "--parallel and --per-host must be at least 1")
	}
	if err := o.maxDelete.check(o.delete); err != nil {
		return err
	}
	return o.patterns.Check()
}

// treePut is one run of put --recursive.
type treePut struct {
	app  *app
	o    putOptions
	show *console.Progress

	mu    sync.Mutex
	notes map[string]bool         // those that have been printed
	bars  map[string]*console.Bar // of running uploads, by URL
}

// putTree uploads the files in a folder.
func (a *app) putTree(ctx context.Context, c *client.Client, text string, o putOptions, limit *rate.Limiter) error {
	u, err := a.target(text)
	if err != nil {
		return a.failPut(text, err)
	}
	if err = a.checkMeaning(c, u); err == nil {
		err = c.Preflight(scheme.OpReplace, scheme.Request{URL: u})
	}
	if err != nil {
		return a.failPut(text, err)
	}
	t := &treePut{app: a, o: o, show: a.Progress(), notes: make(map[string]bool), bars: make(map[string]*console.Bar)}
	x := upload.TreeOptions{
		Options: upload.Options{Write: scheme.WriteOptions{CreateDirs: o.create, Accept: a.flags.Accept()},
			Resume: o.resume, Retries: o.retries, Rate: limit},
		Type:   o.mediaType,
		List:   scheme.ListOptions{Accept: a.flags.Accept()},
		Queue:  transfer.Queue{Parallel: o.tree.parallel, PerHost: o.tree.perHost},
		DryRun: o.dryRun, Delete: o.tree.delete, MaxDelete: int(o.tree.maxDelete),
		Want: t.wants, Keep: t.keeps,
		Begin: t.begin,
		Ended: t.ended,
	}
	switch {
	case o.tree.force:
		x.Existing = upload.Replace
	case o.tree.ifNewer:
		x.Existing = upload.Newer
	}
	start := time.Now()
	_ = upload.Tree(ctx, c, scheme.Request{URL: u}, o.input, x) // ended has reported its errors
	t.show.Close()
	if !o.dryRun {
		t.show.Sum(time.Since(start), !a.flags.JSON)
	}
	return nil
}

// failPut reports the error of put as a message or, with --json, as an object.
func (a *app) failPut(text string, err error) error {
	if !a.flags.JSON {
		a.Fail(a.Of(a.At, err))
		return nil
	}
	failed := present.Put{URL: present.Octets(redactInput(text))}
	failed.Status, failed.Error = a.Outcome(err)
	if e, ok := errors.AsType[*scheme.Error](err); ok && e.Partial != nil && e.Partial.Receipt != nil {
		failed.ID, failed.Reply = present.OrNull(e.Partial.Receipt.ID), present.OrNull(e.Partial.Receipt.Reply)
	}
	return a.PrintJSON(failed)
}

// wants applies --include and --exclude.
func (t *treePut) wants(it upload.Item) bool {
	path := strings.Join(it.Names, "/")
	if it.Info.IsDir() {
		return !t.o.tree.patterns.Excluded(path)
	}
	wanted := t.o.tree.patterns.Wants(path)
	if wanted && it.Info.Mode().IsRegular() {
		t.show.Expect(it.Info.Size(), true)
	}
	return wanted
}

// keeps applies --include and --exclude to what --delete would remove.
func (t *treePut) keeps(names []string, dir bool) bool {
	path := strings.Join(names, "/")
	if dir {
		return t.o.tree.patterns.Excluded(path)
	}
	return !t.o.tree.patterns.Wants(path)
}

// source returns the local path of an item.
func (t *treePut) source(it upload.Item) string {
	return filepath.Join(append([]string{t.o.input}, it.Names...)...)
}

// begin returns the events of the upload of a file.
func (t *treePut) begin(it upload.Item) upload.Events {
	bar := t.show.File(t.source(it))
	t.mu.Lock()
	t.bars[it.URL.Text()] = bar
	t.mu.Unlock()
	events := t.app.uploadEvents(t.source(it), t.o.retries)
	events.Begin = bar.Begin
	if t.show.HasBars() {
		events.Progress = bar.Add
	}
	return events
}

// ended reports how the upload of an item ended.
func (t *treePut) ended(it upload.Item, r upload.Result) {
	t.mu.Lock()
	bar := t.bars[it.URL.Text()]
	delete(t.bars, it.URL.Text())
	t.mu.Unlock()
	a, source := t.app, t.source(it)
	var size int64
	if it.Info != nil && it.Info.Mode().IsRegular() {
		size = it.Info.Size()
	}
	switch r.Action {
	case upload.Stored:
		if t.o.dryRun {
			break
		}
		verified := ""
		if r.Outcome.Verified != "" {
			verified = "; verified by the server's " + r.Outcome.Verified
		}
		t.note(r.Outcome.Resource)
		bar.End(r.Outcome.Bytes, verified)
	case upload.Current:
		if bar != nil {
			bar.Drop()
		}
		t.show.Current(size)
		a.Info("%s is up to date", safe(source))
	case upload.Made:
		if !t.o.dryRun {
			t.show.Made()
			a.Info("made %s", it.URL.Redacted())
		}
	case upload.Removed:
		done := "removed"
		if t.o.dryRun {
			done = "would remove"
		}
		a.Note("%s %s", done, it.URL.Redacted())
	case upload.LeftOut:
		if it.Info.Mode().IsRegular() {
			t.show.Current(size)
		}
		t.show.LeftOut()
		a.Note("skipped %s: %s", safe(source), r.Why)
	default:
		if bar != nil {
			bar.Drop()
		}
		r.Err = advised(r.Err, false, false)
		t.show.Fail(textOf(a.Of(a.At, r.Err)))
		if !a.flags.JSON && client.CodeOf(r.Err) != scheme.CodeInterrupted {
			a.Fail(a.Of(a.At, r.Err))
		}
	}
	t.print(it, r, source)
}

// note prints the notes of an upload, each once in a run.
func (t *treePut) note(res *scheme.Resource) {
	for _, text := range res.Notes {
		t.mu.Lock()
		again := t.notes[text]
		t.notes[text] = true
		t.mu.Unlock()
		if !again {
			t.app.Note("%s: %s", res.URL.Redacted(), text)
		}
	}
}

// print prints the object of an item with --json, or with --dry-run the URL that would be written.
func (t *treePut) print(it upload.Item, r upload.Result, source string) {
	a := t.app
	if !a.flags.JSON {
		if t.o.dryRun && (r.Action == upload.Stored || r.Action == upload.Made) {
			fmt.Fprintln(a.Out, safe(it.URL.Redacted()))
		}
		return
	}
	if r.Action == upload.Removed {
		source = ""
	}
	j := present.Put{URL: present.Octets(it.URL.Redacted()), Source: present.OrNull(source), Resumed: r.Outcome.Resumed > 0 && r.Action == upload.Stored,
		Bytes: r.Outcome.Bytes - r.Outcome.Resumed, Verified: present.OrNull(r.Outcome.Verified)}
	if j.Status, j.Error = a.Outcome(r.Err); r.Err == nil {
		j.Action = present.OrNull(r.Action.String())
	}
	if r.Action == upload.Stored || r.Action == upload.Current || r.Action == upload.Made {
		j.Final = present.OrNull(it.URL.Redacted())
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	_ = a.PrintJSON(j) // a closed standard output ends the program
}
