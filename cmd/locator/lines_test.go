package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
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
}

// A line that is too long is malformed, and the lines after it are read.
//
// Covers: S2, P6
func TestLongLine(t *testing.T) {
	t.Parallel()
	long := "http://u:secret@127.0.0.1:25/" + strings.Repeat("x", maxURL)
	in := "http://127.0.0.1:25/a\n" + long + "\r\nhttp://127.0.0.1:25/b\n#" + long + "\n" + long
	list := filepath.Join(t.TempDir(), "list")
	if err := os.WriteFile(list, []byte(in), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		out  []string // the beginnings of the lines of standard output
	}{
		{[]string{"parse", "--json"}, []string{`{"input":"http://127.0.0.1:25/a"`, `{"input":"http://u:****@127.0.0.1:25/xxx`, `{"input":"http://127.0.0.1:25/b"`, `{"input":"#http`, `{"input":"http://u:****@127.0.0.1:25/xxx`}},
		{[]string{"parse", "--json", "-i", list}, []string{`{"input":"http://127.0.0.1:25/a"`, `{"input":"http://u:****@127.0.0.1:25/xxx`, `{"input":"http://127.0.0.1:25/b"`, `{"input":"http://u:****@127.0.0.1:25/xxx`}},
		{[]string{"explain", "--json", "--compare", "-i", list}, []string{`{"input":"http://127.0.0.1:25/a"`, `{"input":"http://u:****@127.0.0.1:25/xxx`, `{"input":"http://127.0.0.1:25/b"`, `{"input":"http://u:****@127.0.0.1:25/xxx`}},
		{[]string{"get", "-i", list}, nil},
		{[]string{"list", "--json", "-i", list}, []string{`{"url":"http://127.0.0.1:25/a"`, `{"url":"http://u:****@127.0.0.1:25/xxx`, `{"url":"http://127.0.0.1:25/b"`, `{"url":"http://u:****@127.0.0.1:25/xxx`}},
		{[]string{"attr", "--json", "-i", list}, []string{`{"url":"http://127.0.0.1:25/a"`, `{"url":"http://u:****@127.0.0.1:25/xxx`, `{"url":"http://127.0.0.1:25/b"`, `{"url":"http://u:****@127.0.0.1:25/xxx`}},
	} {
		var out, errs bytes.Buffer
		w := world{In: strings.NewReader(in), Out: &out, Err: &errs, Getenv: func(string) string { return "" }}
		status := run(t.Context(), c.args, w)
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if c.out == nil {
			lines = nil
		}
		if len(lines) != len(c.out) {
			t.Fatalf("%q: %d lines, want %d: %.300q", c.args, len(lines), len(c.out), lines)
		}
		for i, begin := range c.out {
			if !strings.HasPrefix(lines[i], begin) || len(lines[i]) > 2000 {
				t.Errorf("%q: line %d is %.300q (%d bytes), want %q...", c.args, i, lines[i], len(lines[i]), begin)
			}
		}
		if all := out.String() + errs.String(); !strings.Contains(all, "longer than 16777216 bytes") || len(all) > 10_000 || strings.Contains(all, "secret") {
			t.Errorf("%q: it says %.1000q", c.args, all)
		}
		if want := map[bool]int{true: 3, false: 1}[c.args[0] == "parse" || c.args[0] == "explain"]; status != want {
			t.Errorf("%q: status %d, want %d", c.args, status, want)
		}
	}
}

// A line of a list is a URL, with what people put around it.
func TestListed(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"": "", " \t ": "", "# x": "", "\t# x": "", "http://127.0.0.1:25/#x": "http://127.0.0.1:25/#x", " http://127.0.0.1:25/ ": "http://127.0.0.1:25/", "http://127.0.0.1:25/\ttitle": "http://127.0.0.1:25/",
		"http://127.0.0.1:25/ \t title\tx": "http://127.0.0.1:25/", "\ufeffhttp://127.0.0.1:25/": "http://127.0.0.1:25/", "\ufeff# x": "", "a b": "a b", "\thttp://127.0.0.1:25/": "http://127.0.0.1:25/",
	} {
		if got := listed(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
