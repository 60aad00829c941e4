package search

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"locator/find/format"
	"locator/internal/ctxio"
	"locator/internal/filetree"
)

// worker searches one text after the other.
type worker struct {
	*run
	found  func(context.Context, *textFile, *Match) bool          // gets each URL; false ends the search of the text
	pass   func(context.Context, *textFile, chunk) (chunk, error) // passes on a chunk, and returns another one to fill
	failed error                                                  // of pass or found; it ends the run
	out    chunk

	head    []byte // the first block of a file
	content []byte // the first block of the text of a compressed file

	long   int   // URLs of a text that are too long
	longAt int64 // offset of the first

	match Match // that found gets
	text  Text
	lines io.ReaderAt                 // the text, for Search.Lines
	print func([]byte, *Match) []byte // of the printer, for the text
}

// newWriter returns a worker that writes what it finds to chunks.
func newWriter(r *run, pass func(context.Context, *textFile, chunk) (chunk, error)) *worker {
	w := &worker{run: r, pass: pass, out: r.newChunk()}
	w.found = w.add
	return w
}

const (
	blockSize = 64 << 10 // how much of a text is read first, in bytes
	chunkSize = 64 << 10 // chunks are passed on when they are that long, in bytes
)

// newChunk returns an empty chunk.
func (r *run) newChunk() chunk {
	if c, ok := r.chunks.Get().(*chunk); ok {
		return chunk{bytes: c.bytes[:0], keys: c.keys[:0]}
	}
	return chunk{bytes: make([]byte, 0, chunkSize+chunkSize/4)}
}

// errStop ends the search of a text after w.failed.
var errStop = errors.New("stop")

// searchText searches a text. It returns the error of reading it.
func (w *worker) searchText(ctx context.Context, t *textFile) error {
	h, in, err := w.open(ctx, t)
	if err != nil || h == nil && in == nil {
		return err
	}
	if h != nil {
		defer h.Close()
	}
	if w.head == nil {
		w.head = make([]byte, blockSize)
	}
	first := least(in)
	if w.Decompress {
		first = max(first, magicSize)
	}
	r, err := readHead(ctx, in, w.head, first)
	if err != nil {
		return err
	}
	if c, ok := compressionOf(r.head); ok && w.Decompress {
		if r, err = w.decompress(ctx, c, t, r); err != nil {
			return err
		}
		h = nil // it does not have the text
	} else if ok && w.Format == nil && !t.walked {
		if w.Events.Compressed != nil {
			w.Events.Compressed(t.name)
		}
	}
	kind, why := w.formatOf(t, r.head)
	if why != "" {
		w.skip(t.name, why)
		return nil
	}
	if w.Events.Searched != nil {
		w.Events.Searched(t.name)
	}
	if w.asHTML {
		err = w.writeHTML(ctx, t, r)
	} else {
		err = w.search(ctx, t, kind, h, r)
	}
	if len(w.out.bytes) > 0 && w.failed == nil { // also what was found before an error
		err = cmp.Or(w.flush(ctx, t), err)
	}
	w.out.bytes, w.out.keys = w.out.bytes[:0], w.out.keys[:0]
	if w.long > 0 && w.Events.TooLong != nil {
		w.Events.TooLong(t.name, w.long, w.longAt)
	}
	w.long = 0
	if err == errStop {
		return nil
	}
	return err
}

// open opens a text. h is a file that must be closed. Both are nil if the text is left out.
func (w *worker) open(ctx context.Context, t *textFile) (h *os.File, in io.Reader, err error) {
	switch {
	case w.isStdin(t.name):
		if in = w.Stdin(); ctxio.IsRegular(in) {
			return nil, in, nil
		}
		return nil, ctxio.NewReader(ctx, in, func() { w.beforeInput(ctx, t) }), nil
	case t.walked:
		var info fs.FileInfo
		h, info, err = filetree.Open(t.name, w.Folders.Follow)
		switch {
		case errors.Is(err, filetree.ErrNotRegular):
			w.skip(t.name, err.(*fs.PathError).Err.Error())
			return nil, nil, nil
		case err != nil:
			return nil, nil, err
		}
		if in = h; info.Size() > 0 { // what is written to it meanwhile is not read, nor is its end looked for; files of /proc have no size
			in = io.LimitReader(h, info.Size())
		}
	default:
		if h, err = ctxio.OpenFile(ctx, t.name, os.O_RDONLY); err != nil {
			return nil, nil, err
		}
		in = h
	}
	if w.Output != nil {
		if info, err := h.Stat(); err == nil && os.SameFile(info, w.Output) {
			h.Close()
			if t.walked {
				w.skip(t.name, ReasonOutput)
				return nil, nil, nil
			}
			return nil, nil, &fs.PathError{Op: "read", Path: t.name, Err: errors.New("the input is also the output")}
		}
	}
	if !t.walked && !ctxio.IsRegular(h) {
		in = ctxio.NewReader(ctx, h, func() { w.beforeInput(ctx, t) })
	}
	return h, in, nil
}

// beforeInput passes on what has been found before a read that may wait.
func (w *worker) beforeInput(ctx context.Context, t *textFile) {
	if !t.waits { // once only: print reads it concurrently later
		t.waits = true
	}
	if len(w.out.bytes) > 0 && w.failed == nil {
		_ = w.flush(ctx, t) // the error stays in w.failed
	}
	if w.run.out != nil && t.out == nil {
		w.run.out.Flush() // the next Write returns its error
	}
}

// least returns how many bytes of a text are read at first. It is not a full block where that would
// delay what came so far.
func least(in io.Reader) int {
	if _, waits := in.(*ctxio.Reader); waits {
		return 1
	}
	return blockSize
}

// readHead reads the first block of a text into b, or less, but at least so many bytes if there are
// as many. An error after some bytes is left to the next read.
func readHead(ctx context.Context, in io.Reader, b []byte, least int) (*blocks, error) {
	n, err := io.ReadAtLeast(in, b, least)
	switch {
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		in = nil
	case err != nil && n == 0:
		return nil, err
	}
	return &blocks{ctx: ctx, head: b[:n], in: in}, nil
}

// blocks reads a text whose first block has been read.
type blocks struct {
	ctx  context.Context
	head []byte
	in   io.Reader // what follows; nil: nothing
}

// Read implements io.Reader.
func (r *blocks) Read(b []byte) (int, error) {
	if len(r.head) > 0 {
		n := copy(b, r.head)
		r.head = r.head[n:]
		return n, nil
	}
	if r.in == nil {
		return 0, io.EOF
	}
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.in.Read(b)
}

// formatOf returns the format of a text that begins with head, or says why it is not read.
func (w *worker) formatOf(t *textFile, head []byte) (f *format.Format, why string) {
	switch f = format.Detect(cmp.Or(t.content, t.name), head); {
	case f == nil && t.walked:
		return nil, ReasonBinary
	case w.Format != nil:
		return w.Format, ""
	case f == nil:
		return w.plain, ""
	case f.Name() == "pdf" && t.walked && w.PDF == nil:
		return nil, ReasonPDF
	}
	return f, ""
}

// search calls w.found for each URL of a text. Plain text, the most frequent format and the fastest
// to search, is not read through the interface of all formats.
func (w *worker) search(ctx context.Context, t *textFile, kind *format.Format, h *os.File, r *blocks) error {
	w.text, w.lines = Text{Name: t.name, Format: kind, Decompressed: t.content != ""}, nil
	if w.printer != nil {
		w.print = w.printer(&w.text)
	}
	if w.Lines {
		w.lines = contextOf(h, r, w.Finder.MaxWrapper)
	}
	if kind.Name() == "markdown" && len(r.head) == blockSize { // a long document
		w.whole()
	}
	switch plain := kind.Name() == w.plain.Name() && bytes.IndexByte(r.head, 0) < 0; { // UTF-16 has NUL bytes
	case plain && r.in == nil: // all of it is here
		for u := range w.Finder.Bytes(r.head) {
			if !w.matched(ctx, t, &format.Find{Find: u}) {
				break
			}
		}
	case plain:
		for u, err := range w.Finder.Read(r) {
			if err != nil {
				return err
			}
			if !w.matched(ctx, t, &format.Find{Find: u}) {
				break
			}
		}
	default:
		o := format.Options{Finder: &w.Finder, PDF: w.PDF, Note: func(err error) {
			if w.Events.Note != nil {
				w.Events.Note(t.name, err)
			}
		}}
		if w.Base != nil {
			o.Base = w.Base(t.name)
		}
		for u, err := range kind.Read(ctx, r, o) {
			if err != nil {
				return err
			}
			if !w.matched(ctx, t, &u) {
				break
			}
		}
	}
	if w.failed != nil {
		return errStop
	}
	return nil
}

// matched passes on a URL unless the search leaves it out. It returns false if the search has
// ended.
func (w *worker) matched(ctx context.Context, t *textFile, u *format.Find) bool {
	if len(w.Schemes) > 0 && !w.hasScheme(u.URL) {
		return true
	}
	m := &w.match
	*m = Match{Find: *u, Text: &w.text, parser: w.Parser}
	if w.Valid {
		if _, bad := m.Parse(); bad != nil || u.TooLong {
			return true
		}
	}
	if u.TooLong {
		if w.long == 0 {
			w.longAt = u.Offset
		}
		w.long++
	}
	if w.lines != nil && u.Position != format.Extracted {
		m.Lines = linesAround(w.lines, &u.Find)
	}
	if w.text.Decompressed {
		m.Position = format.Extracted
	}
	return w.found(ctx, t, m)
}

// hasScheme reports whether a URL has one of the schemes of Search.Schemes.
func (w *worker) hasScheme(url string) bool {
	name, _, _ := strings.Cut(url, ":")
	return slices.ContainsFunc(w.Schemes, func(s string) bool { return strings.EqualFold(s, name) })
}

// add adds a URL to the chunk, and passes on the chunk when it is full. It returns false if that
// fails.
func (w *worker) add(ctx context.Context, t *textFile, m *Match) bool {
	w.out.bytes = w.print(w.out.bytes, m)
	if w.Unique {
		w.out.keys = append(w.out.keys, w.seen.key(m, len(w.out.bytes)))
	}
	return len(w.out.bytes) < chunkSize || w.flush(ctx, t) == nil
}

// flush passes on what has been collected.
func (w *worker) flush(ctx context.Context, t *textFile) error {
	next, err := w.pass(ctx, t, w.out)
	w.out = next
	if err != nil {
		w.failed = err
		return errStop
	}
	w.out.bytes, w.out.keys = w.out.bytes[:0], w.out.keys[:0]
	return nil
}
