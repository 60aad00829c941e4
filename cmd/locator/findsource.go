package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"hash/maphash"
	"io/fs"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"locator"
	"locator/find/format"
	"locator/internal/filetree"
	"locator/scheme"
)

// search is one run of find.
type search struct {
	app    *app
	o      findOptions
	parser *locator.Parser
	places bool        // print file, line and column before each URL
	shown  bool        // the output is a terminal
	output os.FileInfo // of standard output, which is not searched; nil if it is no file
	seen   seenURLs
	plain  *format.Format // of plain text

	growHeap func() // removes the limit of the heap

	chunks         sync.Pool    // of *chunk
	count, skipped atomic.Int64 // files that were searched, and what was left out
}

// textFile is a file or standard input that is searched.
type textFile struct {
	name    string     // "-" is standard input
	content string     // of a compressed file: the name without its suffix
	walked  bool       // it was found in a folder
	out     chan chunk // what is printed, in parts; closed at the end
	err     error      // set before out is closed
	waits   bool       // its reads may wait, so each chunk is printed at once; set before the first chunk
}

// chunk is a part of the output.
type chunk struct {
	bytes []byte
	keys  []urlKey // of each URL in bytes; only with --unique
}

// newSearch returns the search that the flags describe.
func (a *app) newSearch(args []string, o findOptions) (*search, error) {
	if err := o.check(a.flags.json); err != nil {
		return nil, err
	}
	if slices.Contains(args, "") {
		return nil, scheme.Fail(scheme.CodeUsage, "an argument is empty; name a file or a folder, or - for standard input")
	}
	a.sayUnknown(o.schemes)
	s := &search{app: a, o: o, parser: a.flags.parser(locator.Current), shown: isTerminal(a.Out), plain: format.Lookup("text")}
	s.seen = seenURLs{[2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}, make(map[[2]uint64]struct{})}
	s.places = !o.noName && (o.withName || !oneText(args))
	s.o.finder.NoLines = !s.places && !a.flags.json && !o.context
	if f, ok := a.Out.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			s.output = info
		}
	}
	return s, nil
}

// oneText reports whether the arguments name one file or standard input.
func oneText(args []string) bool { return len(args) == 0 || len(args) == 1 && !isFolder(args[0]) }

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return name != "-" && err == nil && info.IsDir()
}

// run searches what the arguments name, and prints what is found in their order.
func (s *search) run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		args = []string{"-"}
	}
	// Most of what is allocated is short-lived, and little else is kept: with a larger heap, less time is lost, up to the limit.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	limit := debug.SetMemoryLimit(-1)
	s.growHeap = sync.OnceFunc(func() { debug.SetMemoryLimit(limit) })
	defer s.growHeap()
	if !s.o.unique { // which keeps 40 bytes of each URL
		debug.SetMemoryLimit(min(memoryLimit, limit))
	}
	out := s.app.output()
	s.begin(out)
	var err error
	if oneText(args) {
		err = s.one(ctx, &textFile{name: args[0]}, out)
	} else {
		err = s.all(ctx, args, out)
	}
	s.end(out)
	s.app.info("%s searched, %d skipped", files(int(s.count.Load())), s.skipped.Load())
	return finish(out, err)
}

// memoryLimit is up to where the heap may grow beyond what is needed, in bytes. Where more is needed, as for the tree of a Markdown document,
// the limit would cost time: growHeap removes it.
const memoryLimit = 48 << 20

// one searches one text, and prints what is found at once.
func (s *search) one(ctx context.Context, t *textFile, out *bufio.Writer) error {
	w := &worker{search: s, pass: func(_ context.Context, _ *textFile, c chunk) (chunk, error) { return c, s.print(out, c) }}
	err := w.searchText(ctx, t)
	if ctx.Err() != nil || w.failed != nil {
		return errors.Join(ctx.Err(), w.failed)
	}
	s.report(t.name, err)
	return nil
}

// maxAhead is how many files may be searched before their turn to be printed comes. Each holds at most two chunks.
const maxAhead = 256

// all searches several texts at once, and prints what is found in their order. Later texts wait when they have much to print.
func (s *search) all(ctx context.Context, args []string, out *bufio.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	defer group.Wait()
	defer cancel()
	work, order := make(chan *textFile, maxAhead/4), make(chan *textFile, maxAhead)
	group.Go(func() {
		defer close(order)
		defer close(work)
		s.texts(ctx, args, func(t *textFile) bool {
			t.out = make(chan chunk, 2)
			if !send(ctx, order, t) {
				return false
			}
			if t.err != nil { // it is only reported
				close(t.out)
				return true
			}
			return send(ctx, work, t)
		})
	})
	for range s.o.parallel {
		group.Go(func() {
			w := &worker{search: s, pass: s.passOn}
			for t := range work {
				t.err = w.searchText(ctx, t)
				close(t.out)
			}
		})
	}
	for {
		t, ok := receive(ctx, order)
		if !ok {
			return ctx.Err()
		}
		if err := s.printText(ctx, t, out); err != nil {
			return err
		}
	}
}

// passOn sends a chunk to the printer, and returns another one to fill. Of a small chunk it sends a copy, since the room would be wasted.
func (s *search) passOn(ctx context.Context, t *textFile, c chunk) (next chunk, err error) {
	next = c
	if len(c.bytes) < chunkSize/8 {
		c = chunk{bytes: bytes.Clone(c.bytes), keys: slices.Clone(c.keys)}
	} else {
		next = s.newChunk()
	}
	if !send(ctx, t.out, c) {
		return chunk{}, ctx.Err()
	}
	return next, nil
}

// printText prints the chunks of a text as they come, then reports its error.
func (s *search) printText(ctx context.Context, t *textFile, out *bufio.Writer) error {
	for {
		c, ok := receive(ctx, t.out)
		if !ok {
			break
		}
		if err := s.print(out, c); err != nil {
			return err
		}
		if cap(c.bytes) >= chunkSize {
			s.chunks.Put(&c)
		}
		if t.waits {
			out.Flush() // the next Write returns its error
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if t.err != nil {
		out.Flush() // output before the message; the next Write returns its error
		s.report(t.name, t.err)
	}
	return nil
}

// send sends a value unless the context ends before.
func send[T any](ctx context.Context, to chan<- T, v T) bool {
	select {
	case to <- v:
		return true
	case <-ctx.Done():
		return false
	}
}

// receive receives a value. It reports false if the channel is closed or the context ends.
func receive[T any](ctx context.Context, from <-chan T) (v T, ok bool) {
	select {
	case v, ok = <-from:
		return v, ok
	case <-ctx.Done():
		return v, false
	}
}

// texts calls visit for all that the arguments name, in order, and for what cannot be read, with its error.
func (s *search) texts(ctx context.Context, args []string, visit func(*textFile) bool) {
	r := &s.o.recursion
	for _, arg := range args {
		if ctx.Err() != nil {
			return
		}
		if !isFolder(arg) {
			if !visit(&textFile{name: arg}) {
				return
			}
			continue
		}
		filetree.Walk(ctx, arg, filetree.Options{
			Hidden: r.hidden, NoIgnore: r.noIgnore, Follow: r.follow, Depth: r.depth,
			Want:    r.patterns.Wants,
			Enter:   func(path string) bool { return !r.patterns.Excluded(path) },
			Skipped: s.skip,
			Failed:  func(name string, err error) { visit(&textFile{name: name, err: err}) },
		}, func(name string) bool { return visit(&textFile{name: name, walked: true}) })
	}
}

// skip says with -v what is left out.
func (s *search) skip(name, reason string) {
	s.skipped.Add(1)
	s.app.info("skipped %s: %s", name, reason)
}

// sourceTitle returns what messages call the file or standard input that the user named.
func sourceTitle(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}

// report reports an error of reading a file. The others are read all the same.
func (s *search) report(name string, err error) {
	if err == nil {
		return
	}
	name = sourceTitle(name)
	reason := err
	if at, ok := errors.AsType[*fs.PathError](err); ok && at.Op != "fork/exec" { // that is about a command
		reason = at.Err
	}
	if _, bad := locator.Current.Parse(name); errors.Is(err, fs.ErrNotExist) && bad == nil && strings.Contains(name, ":") {
		s.app.fail(scheme.Fail(scheme.CodeLocal, "%s: %w; to search what a URL leads to: locator get URL | locator find", locator.Redact(name), reason))
		return
	}
	s.app.fail(scheme.Fail(scheme.CodeLocal, "%s: %w", name, reason))
}
