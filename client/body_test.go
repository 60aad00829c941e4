package client

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// A copy equals its source, whatever the size of the reads and of the buffer.
//
// Covers: S7
func TestCopyGrowing(t *testing.T) {
	t.Parallel()
	large := []byte(strings.Repeat("0123456789abcde\n", 100_000)) // several times the largest buffer
	for name, reader := range map[string]func(io.Reader) io.Reader{
		"all at once":        func(r io.Reader) io.Reader { return r },
		"half of it":         iotest.HalfReader,
		"the end with data":  iotest.DataErrReader,
		"octet after octet":  iotest.OneByteReader,
		"nothing in between": func(r io.Reader) io.Reader { return &pausing{r: r} },
	} {
		for _, want := range [][]byte{nil, large[:1], large[:minBuffer], large[:minBuffer+1], large} {
			var got bytes.Buffer
			n, err := copyGrowing(&got, reader(bytes.NewReader(want)))
			if n != int64(len(want)) || err != nil || !bytes.Equal(got.Bytes(), want) {
				t.Errorf("%s, %d bytes: %d copied, %d told, %v", name, len(want), got.Len(), n, err)
			}
		}
	}
}

// Data before an error is written; the error is that of the reader or the writer.
func TestCopyGrowingFails(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	var got bytes.Buffer
	n, err := copyGrowing(&got, io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(broken)))
	if n != 3 || got.String() != "abc" || err != broken {
		t.Errorf("%d bytes, %q, %v", n, got.String(), err)
	}
	if n, err := copyGrowing(failingWriter{}, strings.NewReader("abc")); n != 0 || err == nil || err.Error() != "disk full" {
		t.Errorf("a writer that fails: %d, %v", n, err)
	}
	if n, err := copyGrowing(shortWriter{}, strings.NewReader("abc")); n != 2 || err != io.ErrShortWrite {
		t.Errorf("a writer that takes too little: %d, %v", n, err)
	}
}

// pausing is a reader whose every second read returns 0, nil.
type pausing struct {
	r    io.Reader
	wait bool
}

func (p *pausing) Read(b []byte) (int, error) {
	if p.wait = !p.wait; p.wait {
		return 0, nil
	}
	return p.r.Read(b)
}

type shortWriter struct{}

func (shortWriter) Write(p []byte) (int, error) { return len(p) - 1, nil }
