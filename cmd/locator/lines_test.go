package main

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// pieces is a reader that returns a few bytes at a time.
type pieces struct {
	io.Reader
	size int
}

func (p pieces) Read(b []byte) (int, error) { return p.Reader.Read(b[:min(len(b), p.size)]) }

// Lines do not depend on how they arrive. A long line in small pieces takes linear time: with quadratic time, this test would
// not end.
//
// Covers: S2
func TestLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 12<<20)
	for _, c := range []struct {
		text string
		in   func(io.Reader) io.Reader
		want []string
	}{
		{"", iotest.OneByteReader, nil},
		{"\n\r\n", iotest.OneByteReader, nil},
		{"ab\r\n\nc\rd\n\ne", iotest.OneByteReader, []string{"ab", "c\rd", "e"}},
		{"ab\r\n\nc\rd\n\ne", iotest.DataErrReader, []string{"ab", "c\rd", "e"}},
		{"a\n" + long + "\nb", func(r io.Reader) io.Reader { return pieces{r, 100} }, []string{"a", long, "b"}},
	} {
		a := app{world: world{Err: io.Discard}}
		a.In = c.in(strings.NewReader(c.text))
		var got []string
		err := a.lines(t.Context(), source{in: a.In}, func(text string) error {
			got = append(got, text)
			return nil
		})
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%.40q gives %.80q, %v", c.text, got, err)
		}
	}
	a := app{}
	a.In = bytes.NewReader(make([]byte, maxURL+1))
	if err := a.lines(t.Context(), source{in: a.In}, func(string) error { return nil }); err == nil {
		t.Error("a line of any length is read")
	}
}

// A line of a list is a URL, with what people put around it.
func TestListed(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"": "", " \t ": "", "# x": "", "\t# x": "", "http://h/#x": "http://h/#x", " http://h/ ": "http://h/", "http://h/\ttitle": "http://h/",
		"http://h/ \t title\tx": "http://h/", "\ufeffhttp://h/": "http://h/", "\ufeff# x": "", "a b": "a b", "\thttp://h/": "http://h/",
	} {
		if got := listed(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
