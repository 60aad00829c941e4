package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"locator/find"
	"locator/find/format"
	"locator/internal/ctxio"
	"locator/internal/filetree"
	"locator/internal/units"
)

// worker searches one text after the other.
type worker struct {
	*search
	pass   func(context.Context, *textFile, chunk) (chunk, error) // passes on a chunk, and returns another one to fill
	failed error                                                  // of pass; it ends the run
	out    chunk

	head    []byte // the first block of a file
	content []byte // the first block of the text of a compressed file

	long   int   // URLs of a text that are too long
	longAt int64 // offset of the first
}

const (
	blockSize = 64 << 10 // how much of a text is read first, in bytes
	chunkSize = 64 << 10 // chunks are passed on when they are that long, in bytes
)

// newChunk returns an empty chunk.
func (s *search) newChunk() chunk {
	if c, ok := s.chunks.Get().(*chunk); ok {
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
		w.head, w.out = make([]byte, blockSize), w.newChunk()
	}
	first := least(in)
	if w.o.decompress {
		first = max(first, magicSize)
	}
	r, err := readHead(ctx, in, w.head, first)
	if err != nil {
		return err
	}
	if c, ok := compressionOf(r.head); ok && w.o.decompress {
		if r, err = w.decompress(ctx, c, t, r); err != nil {
			return err
		}
		h = nil // it does not have the text
	} else if ok && w.o.format == nil && !t.walked {
		w.app.note("%s is compressed, and is searched as it is; to search its text, use --decompress", sourceTitle(t.name))
	}
	kind, why := w.formatOf(t, r.head)
	if why != "" {
		w.skip(t.name, why)
		return nil
	}
	w.count.Add(1)
	if w.o.linkify {
		err = w.writeHTML(ctx, t, r)
	} else {
		err = w.write(ctx, t, kind, h, r)
	}
	if len(w.out.bytes) > 0 && w.failed == nil { // also what was found before an error
		err = cmp.Or(w.flush(ctx, t), err)
	}
	w.out.bytes, w.out.keys = w.out.bytes[:0], w.out.keys[:0]
	w.noteLong(t)
	if err == errStop {
		return nil
	}
	return err
}

// noteLong says how many URLs of a text were too long.
func (w *worker) noteLong(t *textFile) {
	limit := units.Size(int64(w.o.finder.MaxWrapper))
	switch w.long {
	case 0:
	case 1:
		w.app.note("%s: a URL at byte %d is longer than %s; only its beginning was read; use --max-wrapper", t.name, w.longAt, limit)
	default:
		w.app.note("%s: %d URLs, the first at byte %d, are longer than %s; only their beginnings were read; use --max-wrapper", t.name, w.long, w.longAt, limit)
	}
	w.long = 0
}

// open opens a text. h is a file that must be closed. Both are nil if the text is left out.
func (w *worker) open(ctx context.Context, t *textFile) (h *os.File, in io.Reader, err error) {
	switch {
	case t.name == "-":
		w.app.sayTyping("text")
		if ctxio.IsRegular(w.app.In) {
			return nil, w.app.In, nil
		}
		return nil, ctxio.NewReader(ctx, w.app.In, func() { w.beforeInput(ctx, t) }), nil
	case t.walked:
		var info fs.FileInfo
		h, info, err = filetree.Open(t.name, w.o.recursion.follow)
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
	if w.output != nil {
		if info, err := h.Stat(); err == nil && os.SameFile(info, w.output) {
			h.Close()
			if t.walked {
				w.skip(t.name, "it is the output")
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
	if w.app.beforeInput != nil && t.out == nil {
		w.app.beforeInput()
	}
}

// least returns how many bytes of a text are read at first. It is not a full block where that would delay what came so far.
func least(in io.Reader) int {
	if _, waits := in.(*ctxio.Reader); waits {
		return 1
	}
	return blockSize
}

// readHead reads the first block of a text into b, or less, but at least so many bytes if there are as many. An error after some bytes is
// left to the next read.
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
		return nil, "binary file"
	case w.o.format != nil:
		return w.o.format, ""
	case f == nil:
		return w.plain, ""
	case f.Name() == "pdf" && t.walked && w.o.pdf == nil:
		return nil, "PDF file; use --pdf-command"
	}
	return f, ""
}

// write adds what is printed of a text to the chunk. Plain text, the most frequent format and the fastest to search, is not read through the
// interface of all formats.
func (w *worker) write(ctx context.Context, t *textFile, kind *format.Format, h *os.File, r *blocks) error {
	f := w.form(t, kind, h, r)
	if kind.Name() == "markdown" && len(r.head) == blockSize { // a long document
		w.growHeap()
	}
	switch plain := kind.Name() == w.plain.Name() && bytes.IndexByte(r.head, 0) < 0; { // UTF-16 has NUL bytes
	case plain && r.in == nil: // all of it is here
		for u := range w.o.finder.Bytes(r.head) {
			if !w.add(ctx, t, f, &u, nil) {
				break
			}
		}
	case plain:
		for u, err := range w.o.finder.Read(r) {
			if err != nil {
				return err
			}
			if !w.add(ctx, t, f, &u, nil) {
				break
			}
		}
	default:
		o := format.Options{Finder: &w.o.finder, PDF: w.o.pdf, Note: func(err error) { w.app.note("%s: %v", t.name, err) }}
		for u, err := range kind.Read(ctx, r, o) {
			if err != nil {
				return err
			}
			if !w.add(ctx, t, f, &u.Find, &u) {
				break
			}
		}
	}
	if w.failed != nil {
		return errStop
	}
	return nil
}

// add adds a URL, and passes on the chunk when it is full. It returns false if that fails.
func (w *worker) add(ctx context.Context, t *textFile, f *form, u *find.Find, more *format.Find) bool {
	if len(w.o.schemes) == 0 || w.hasScheme(u.URL) {
		w.append(f, u, more)
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
