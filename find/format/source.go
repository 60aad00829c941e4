package format

import (
	"bytes"
	"context"
	"io"
)

const (
	blockSize = 64 << 10 // bytes of a block of the source
	maxBlocks = 128      // blocks that are kept: 8 MiB
)

// source reads a source once. It keeps the last maxBlocks blocks, so that it can return the line
// and the column of what was read lately.
type source struct {
	ctx    context.Context
	r      io.Reader
	unkept bool     // nobody asks for places, so that nothing is kept
	blocks []*block // each is full except the last one
	err    error
	last   struct { // the last place that was asked for
		block        *block
		i            int
		line, column int
	}
}

// block is a part of the source.
type block struct {
	bytes     []byte
	at        int64 // offset of the first byte
	line      int   // of the first byte, from 1
	lineStart int64 // offset of the first byte of that line
	page      int   // form feeds before the block
}

// Read implements io.Reader. Its error is also in s.err, since decoders may hide it.
func (s *source) Read(p []byte) (int, error) {
	if s.err == nil {
		s.err = s.ctx.Err()
	}
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.r.Read(p)
	if !s.unkept {
		s.keep(p[:n])
	}
	s.err = err
	return n, err
}

// failed returns the error that ended the source before its end.
func (s *source) failed() error {
	if s.err == io.EOF {
		return nil
	}
	return s.err
}

// keep adds bytes to the blocks.
func (s *source) keep(p []byte) {
	for len(p) > 0 {
		b := s.room()
		n := min(len(p), blockSize-len(b.bytes))
		b.bytes = append(b.bytes, p[:n]...)
		p = p[n:]
	}
}

// room returns the block that has room. It uses the oldest block again.
func (s *source) room() *block {
	if len(s.blocks) == 0 {
		s.blocks = append(s.blocks, &block{line: 1})
	}
	b := s.blocks[len(s.blocks)-1]
	if len(b.bytes) < blockSize {
		return b
	}
	var next *block
	if len(s.blocks) < maxBlocks {
		next = &block{bytes: make([]byte, 0, blockSize)}
	} else {
		next = s.blocks[0]
		s.last.block = nil
		s.blocks = append(s.blocks[:0], s.blocks[1:]...)
	}
	line, column := b.place(len(b.bytes))
	next.at = b.at + int64(len(b.bytes))
	next.line, next.lineStart = line, next.at-int64(column-1)
	next.page = b.page + bytes.Count(b.bytes, []byte{'\f'})
	next.bytes = next.bytes[:0]
	s.blocks = append(s.blocks, next)
	return next
}

// place returns the line and the column of byte i of the block.
func (b *block) place(i int) (line, column int) {
	before := b.bytes[:i]
	line, start := b.line, b.lineStart
	if n := bytes.Count(before, []byte{'\n'}); n > 0 {
		line += n
		start = b.at + int64(bytes.LastIndexByte(before, '\n')) + 1
	}
	return line, int(b.at+int64(i)-start) + 1
}

// place returns the line and the column, in bytes, of an offset that was read. It reports false if
// the offset is no longer kept: the line and the column are then those of the oldest byte that is.
// If nothing is kept, they are 0.
func (s *source) place(at int64) (line, column int, ok bool) {
	if s.unkept {
		return 0, 0, true
	}
	b, i, ok := s.find(at)
	l := &s.last
	if l.block != b || i < l.i {
		l.line, l.column = b.place(i)
	} else if between := b.bytes[l.i:i]; bytes.IndexByte(between, '\n') >= 0 {
		l.line += bytes.Count(between, []byte{'\n'})
		l.column = i - l.i - bytes.LastIndexByte(between, '\n')
	} else {
		l.column += i - l.i
	}
	l.block, l.i = b, i
	return l.line, l.column, ok
}

// page returns the page of an offset, from 1: form feeds separate pages.
func (s *source) page(at int64) int {
	b, i, _ := s.find(at)
	return b.page + bytes.Count(b.bytes[:i], []byte{'\f'}) + 1
}

// find returns the block of an offset and the index of the byte in it. It reports false if the
// offset is no longer kept.
func (s *source) find(at int64) (*block, int, bool) {
	if len(s.blocks) == 0 {
		return s.room(), 0, true
	}
	first := s.blocks[0]
	if at < first.at {
		return first, 0, false
	}
	b := s.blocks[min(int((at-first.at)/blockSize), len(s.blocks)-1)]
	return b, int(min(at-b.at, int64(len(b.bytes)))), true
}
