package search

import (
	"bytes"
	"io"
	"testing"
)

// What is kept of a stream takes few blocks, also if the stream comes byte by byte, and is the end
// of it.
//
// Covers: F6
func TestStreamTail(t *testing.T) {
	t.Parallel()
	text := make([]byte, 3*blockSize)
	for i := range text {
		text[i] = byte(i * 7 / 5)
	}
	w := &streamTail{most: 2 * blockSize}
	for _, c := range text {
		w.add([]byte{c})
	}
	if n := len(w.blocks); n > 4 {
		t.Errorf("%d blocks of single bytes", n)
	}
	w.add(text)
	if n := len(w.blocks); n > 4 {
		t.Errorf("%d blocks", n)
	}
	all := append(bytes.Clone(text), text...)
	got := make([]byte, w.most)
	if n, err := w.ReadAt(got, int64(len(all)-w.most)); err != nil || !bytes.Equal(got[:n], all[len(all)-w.most:]) {
		t.Errorf("%d bytes, %v", n, err)
	}
	if _, err := w.ReadAt(got, 0); err != io.ErrUnexpectedEOF {
		t.Error(err)
	}
}
