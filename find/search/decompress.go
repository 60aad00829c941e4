package search

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// compression is a form of compressed files.
type compression struct {
	suffix string // of file names
	begins func(head []byte) bool
	open   func(io.Reader) (io.Reader, error)
}

// compressions are the compressed files that --decompress reads.
var compressions = [...]compression{
	{".gz", // RFC 1952 2.3.1
		func(head []byte) bool { return bytes.HasPrefix(head, []byte("\x1F\x8B\x08")) },
		func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
	{".bz2",
		func(head []byte) bool {
			rest, ok := bytes.CutPrefix(head, []byte("BZh"))
			return ok && len(rest) > 1 && bytes.HasPrefix(rest[1:], []byte("1AY&SY")) // after the size of blocks, the mark of the first one
		},
		func(r io.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil }},
}

// magicSize is how many bytes at the beginning of a file show whether it is compressed.
const magicSize = len("BZh91AY&SY")

// compressionOf returns how a file with that beginning is compressed.
func compressionOf(head []byte) (c compression, ok bool) {
	for _, c := range compressions {
		if c.begins(head) {
			return c, true
		}
	}
	return compression{}, false
}

// decompress returns the text of a compressed file, which r reads.
func (w *worker) decompress(ctx context.Context, c compression, t *textFile, r *blocks) (*blocks, error) {
	t.content = t.name
	if n := len(t.name) - len(c.suffix); n > 0 && strings.EqualFold(t.name[n:], c.suffix) {
		t.content = t.name[:n]
	}
	x := &expander{in: r, free: freeExpansion, ratio: maxExpansion}
	var err error
	if x.text, err = c.open(bufio.NewReaderSize(countReads{x}, blockSize)); err != nil {
		return nil, compressionError(err)
	}
	if w.content == nil {
		w.content = make([]byte, blockSize)
	}
	return readHead(ctx, x, w.content, least(r.in))
}

func compressionError(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("cannot decompress it: it ends too early, as after a download that broke off")
	}
	return fmt.Errorf("cannot decompress it: %w", err)
}

// A compressed file may have a text of freeExpansion bytes, and a longer one if it is at most
// maxExpansion times as long as the file. Logs are 10 to 50 times as long; a file that was made to
// keep its reader busy can be a million times as long.
const (
	freeExpansion = 1 << 30
	maxExpansion  = 250
)

// expander reads the text of a compressed file.
type expander struct {
	in       io.Reader // the file
	text     io.Reader // of in
	read     int64     // bytes of in
	expanded int64     // bytes of text
	free     int64
	ratio    int64
}

var errExpands = fmt.Errorf("its text is more than %d times as long; the rest is not searched", maxExpansion)

// Read implements io.Reader.
func (x *expander) Read(b []byte) (int, error) {
	n, err := x.text.Read(b)
	if x.expanded += int64(n); x.expanded > x.free && x.expanded/x.ratio > x.read {
		return n, errExpands
	}
	if err != nil && err != io.EOF {
		err = compressionError(err)
	}
	return n, err
}

// countReads reads the file of an expander.
type countReads struct{ *expander }

// Read implements io.Reader.
func (c countReads) Read(b []byte) (int, error) {
	n, err := c.in.Read(b)
	c.read += int64(n)
	return n, err
}
