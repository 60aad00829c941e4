package gopher

import (
	"bufio"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestLinesRepeatErrors reads on after each kind of error. The rest of a line that is too long is
// not another line.
//
// Covers: P6, T146
func TestLinesRepeatErrors(t *testing.T) {
	t.Parallel()
	for name, in := range map[string]io.Reader{
		"too long":  strings.NewReader(strings.Repeat("x", 2*cutFactor*8) + "\nlast\n"),
		"too much":  strings.NewReader(strings.Repeat("x\n", 1000)),
		"the end":   strings.NewReader("x\n"),
		"a failure": io.MultiReader(strings.NewReader("x\n"), iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("yz\n")))),
	} {
		l := newLines(bufio.NewReaderSize(in, 16), 8, 900, func(bool) {}, func(string) {})
		var err error
		for err == nil {
			_, err = l.read()
		}
		if line, again := l.read(); again != err {
			t.Errorf("%s: after %v, read returns %q, %v", name, err, line, again)
		}
	}
}
