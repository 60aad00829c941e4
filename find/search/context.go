package search

import (
	"bytes"
	"io"
	"os"

	"locator/find"
	"locator/internal/ctxio"
)

// maxContext is how much of the lines before and after a URL is printed, in bytes.
const maxContext = 1 << 10

// linesAround returns the lines that a URL is in, without their ends. Of long lines only the
// part around the URL is returned. It returns nil for what cannot be read any more.
func linesAround(text io.ReaderAt, u *find.Find) (lines []string) {
	begin := max(u.Offset-int64(u.Column-1), u.Offset-maxContext, 0)
	b := make([]byte, u.Offset-begin+min(u.Length, 4*maxContext)+maxContext)
	n, err := text.ReadAt(b, begin)
	if err != nil && err != io.EOF {
		return nil
	}
	b = b[:n]
	last := min(int(u.Offset-begin+u.Length), n)
	if last > 0 && b[last-1] == '\n' {
		last--
	}
	if i := bytes.IndexByte(b[last:], '\n'); i >= 0 {
		b = b[:last+i]
	}
	for line := range bytes.SplitSeq(b, []byte("\n")) {
		lines = append(lines, string(bytes.TrimSuffix(line, []byte("\r"))))
	}
	return lines
}

// contextOf returns what reads the text of r again: the file, or what is kept of a stream.
func contextOf(h *os.File, r *blocks, maxWrapper int) io.ReaderAt {
	if h != nil && ctxio.IsRegular(h) {
		return h
	}
	kept := &streamTail{most: 16<<20 + 2*maxWrapper}
	kept.add(r.head)
	if r.in != nil {
		r.in = io.TeeReader(r.in, kept)
	}
	return kept
}

// streamTail keeps the end of a stream.
type streamTail struct {
	most   int      // bytes that are kept at least
	blocks [][]byte // all but the last have blockSize bytes
	begin  int64    // offset of the first block
	size   int
}

// Write implements io.Writer. It never fails.
func (w *streamTail) Write(b []byte) (int, error) {
	w.add(b)
	return len(b), nil
}

// add adds to the last block until it is full: a stream may come byte by byte.
func (w *streamTail) add(b []byte) {
	w.size += len(b)
	for len(b) > 0 {
		last := len(w.blocks) - 1
		if last < 0 || len(w.blocks[last]) == blockSize {
			w.blocks = append(w.blocks, make([]byte, 0, blockSize))
			last++
		}
		n := min(len(b), blockSize-len(w.blocks[last]))
		w.blocks[last] = append(w.blocks[last], b[:n]...)
		b = b[n:]
	}
	for w.size-len(w.blocks[0]) > w.most {
		w.begin += int64(len(w.blocks[0]))
		w.size -= len(w.blocks[0])
		w.blocks = w.blocks[1:]
	}
}

// ReadAt implements io.ReaderAt. The error is io.ErrUnexpectedEOF for what is not kept any more.
func (w *streamTail) ReadAt(b []byte, off int64) (n int, err error) {
	if off < w.begin {
		return 0, io.ErrUnexpectedEOF
	}
	at := w.begin
	for _, block := range w.blocks {
		end := at + int64(len(block))
		if want := off + int64(n); want < end && n < len(b) {
			n += copy(b[n:], block[want-at:])
		}
		at = end
	}
	if n < len(b) {
		err = io.EOF
	}
	return n, err
}
