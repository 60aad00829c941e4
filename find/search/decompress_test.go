//go:build !race

package search

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
)

// zipped returns a file of gzip with a text.
func zipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A small file with a text that does not end is not read to its end.
//
// Covers: F5, T201
func TestFindDecompressBomb(t *testing.T) {
	t.Parallel()
	bomb := zipped(t, strings.Repeat("x", 32<<20))
	for _, c := range []struct {
		free, ratio int64
		ok          bool
	}{{1 << 20, 250, false}, {1 << 20, 2000, true}, {64 << 20, 250, true}} {
		x := &expander{in: strings.NewReader(bomb), free: c.free, ratio: c.ratio}
		var err error
		if x.text, err = gzip.NewReader(countReads{x}); err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, x)
		if ok := err == nil && n == 32<<20; ok != c.ok || !c.ok && (!errors.Is(err, errExpands) || n > 30<<20) {
			t.Errorf("%+v: %d bytes, %v", c, n, err)
		}
	}
}
