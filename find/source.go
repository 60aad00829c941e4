package find

import (
	"bytes"
	"strings"
)

// source is a text in memory: a string, or bytes that may change after the search.
type source interface{ string | []byte }

// search has the functions that search a source.
type search[T source] struct {
	indexByte     func(T, byte) int
	lastIndexByte func(T, byte) int
	index         func(T, T) int
	count         func(T, T) int
	newline       T
	uncut         func(T) int // the length of the first part without characters of cutClass
	unstopped     func(T) int // the same for stopClass
	words         [anchorCount]T
}

// inString and inBytes search strings and bytes.
var (
	inString = &search[string]{
		strings.IndexByte, strings.LastIndexByte, strings.Index, strings.Count, "\n", uncut.Length, unstopped.Length, [...]string{":", "@", "ww.", "WW."},
	}
	inBytes = &search[[]byte]{
		bytes.IndexByte, bytes.LastIndexByte, bytes.Index, bytes.Count, []byte("\n"), uncut.LengthBytes, unstopped.LengthBytes,
		[...][]byte{[]byte(":"), []byte("@"), []byte("ww."), []byte("WW.")},
	}
)

// pool makes strings of bytes. It puts many into one block of memory.
type pool struct{ block strings.Builder }

// blockSize is the size of a block in bytes. A string that is kept keeps its block in memory.
const blockSize = 4 << 10

// text returns a string of bytes.
func (p *pool) text(b []byte) string {
	if len(b) > blockSize/8 {
		return string(b)
	}
	if p.block.Cap()-p.block.Len() < len(b) {
		size := min(2*p.block.Cap(), blockSize) // many texts are short and have one URL
		p.block = strings.Builder{}
		p.block.Grow(max(len(b), size))
	}
	n := p.block.Len()
	p.block.Write(b)
	return p.block.String()[n:]
}
