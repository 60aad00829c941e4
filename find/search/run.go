package search

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"sync"

	"locator"
	"locator/find/format"
	"locator/internal/filetree"
)

// run is one run of a search.
type run struct {
	Search
	printer  Printer // of Write
	asHTML   bool    // WriteHTML
	headings bool
	plain    *format.Format // of plain text
	seen     seenURLs
	whole    func() // calls Events.Whole

	chunks sync.Pool // of *chunk
	out    *bufio.Writer
}

// newRun returns a run with the defaults of a search.
func newRun(s *Search) *run {
	r := &run{Search: *s, plain: format.Lookup("text"), seen: newSeenURLs(), whole: func() {}}
	r.Parser = cmp.Or(s.Parser, locator.Current)
	if s.Events.Whole != nil {
		r.whole = sync.OnceFunc(s.Events.Whole)
	}
	return r
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

// isStdin reports whether a name means standard input.
func (s *Search) isStdin(name string) bool { return name == "-" && s.Stdin != nil }

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// write searches what the names say, and writes what is found in their order.
func (r *run) write(ctx context.Context, out io.Writer, names []string) error {
	r.out = bufio.NewWriterSize(out, 64<<10)
	r.begin()
	var err error
	if r.Single(names...) {
		err = r.one(ctx, &textFile{name: names[0]})
	} else {
		err = r.all(ctx, names)
	}
	r.end()
	return cmp.Or(err, r.out.Flush())
}

// one searches one text, and prints what is found at once.
func (r *run) one(ctx context.Context, t *textFile) error {
	w := newWriter(r, func(_ context.Context, _ *textFile, c chunk) (chunk, error) { return c, r.print(c) })
	err := w.searchText(ctx, t)
	if ctx.Err() != nil || w.failed != nil {
		return errors.Join(ctx.Err(), w.failed)
	}
	r.report(t.name, err)
	return nil
}

// maxAhead is how many files may be searched before their turn to be printed comes. Each holds at
// most two chunks.
const maxAhead = 256

// all searches several texts at once, and prints what is found in their order. Later texts wait
// when they have much to print.
func (r *run) all(ctx context.Context, names []string) error {
	ctx, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	defer group.Wait()
	defer cancel()
	work, order := make(chan *textFile, maxAhead/4), make(chan *textFile, maxAhead)
	group.Go(func() {
		defer close(order)
		defer close(work)
		r.texts(ctx, names, func(t *textFile) bool {
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
	for range max(r.Parallel, 1) {
		group.Go(func() {
			w := newWriter(r, r.passOn)
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
		if err := r.printText(ctx, t); err != nil {
			return err
		}
	}
}

// passOn sends a chunk to the printer, and returns another one to fill. Of a small chunk it sends a
// copy, since the room would be wasted.
func (r *run) passOn(ctx context.Context, t *textFile, c chunk) (next chunk, err error) {
	next = c
	if len(c.bytes) < chunkSize/8 {
		c = chunk{bytes: bytes.Clone(c.bytes), keys: slices.Clone(c.keys)}
	} else {
		next = r.newChunk()
	}
	if !send(ctx, t.out, c) {
		return chunk{}, ctx.Err()
	}
	return next, nil
}

// printText prints the chunks of a text as they come, then reports its error.
func (r *run) printText(ctx context.Context, t *textFile) error {
	for {
		c, ok := receive(ctx, t.out)
		if !ok {
			break
		}
		if err := r.print(c); err != nil {
			return err
		}
		if cap(c.bytes) >= chunkSize {
			r.chunks.Put(&c)
		}
		if t.waits {
			r.out.Flush() // the next Write returns its error
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if t.err != nil {
		r.out.Flush() // output before the message; the next Write returns its error
		r.report(t.name, t.err)
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

// texts calls visit for all that the names say, in order, and for what cannot be read, with its
// error.
func (r *run) texts(ctx context.Context, names []string, visit func(*textFile) bool) {
	f := &r.Folders
	for _, name := range names {
		if ctx.Err() != nil {
			return
		}
		if r.isStdin(name) || !isFolder(name) {
			if !visit(&textFile{name: name}) {
				return
			}
			continue
		}
		filetree.Walk(ctx, name, filetree.Options{
			Hidden: f.Hidden, NoIgnore: f.NoIgnore, Follow: f.Follow, Depth: f.Depth, Want: f.Want, Enter: f.Enter,
			Skipped: r.skip,
			Failed:  func(name string, err error) { visit(&textFile{name: name, err: err}) },
		}, func(name string) bool { return visit(&textFile{name: name, walked: true}) })
	}
}

// skip reports what is left out.
func (r *run) skip(name, reason string) {
	if r.Events.Skipped != nil {
		r.Events.Skipped(name, reason)
	}
}

// report reports an error of reading a text.
func (r *run) report(name string, err error) {
	if err != nil && r.Events.Failed != nil {
		r.Events.Failed(name, err)
	}
}
