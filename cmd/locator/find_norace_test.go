//go:build !race

// The tests of this file process much text in one goroutine, as those of parse_norace_test.go.

package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A folder with 2,000 files, 10,000 in a long run, is searched in the order of their names, with any number of files at
// once.
//
// Covers: F5
func TestFindManyFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var want bytes.Buffer
	for i := range fewer(100) {
		folder := filepath.Join(dir, fmt.Sprintf("%02d", i))
		if err := os.Mkdir(folder, 0o777); err != nil {
			t.Fatal(err)
		}
		for j := range 100 {
			name := filepath.Join(folder, fmt.Sprintf("%02d.txt", j))
			u := fmt.Sprintf("http://host.dom/%d/%d", i, j)
			if err := os.WriteFile(name, []byte("a line\nsee "+u+".\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&want, "%s:2:5:%s\n", name, u)
		}
	}
	for _, parallel := range []string{"1", "8"} {
		out, errs, status := runText(t, "", "find", "--parallel", parallel, dir)
		if out != want.String() || errs != "" || status != 0 {
			t.Errorf("--parallel %s: status %d, %s, %d bytes, want %d", parallel, status, errs, len(out), want.Len())
		}
	}
}

// A disk that is full ends the search, also of a folder.
//
// Covers: F5
func TestFindFullDisk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := strings.Repeat("http://host.dom/some/path\n", 1<<12)
	for i := range 20 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"find", dir}, {"find", "--unique", dir, dir}, {"find", filepath.Join(dir, "1")}, {"find", "--linkify", dir}} {
		var errs bytes.Buffer
		status := run(t.Context(), args, world{In: strings.NewReader(""), Out: &fullDisk{10}, Err: &errs, Getenv: func(string) string { return "" }})
		if status != 11 || strings.Count(errs.String(), "\n") != 1 || !strings.Contains(errs.String(), "writing the output") {
			t.Errorf("%v: status %d, %s", args[1:], status, errs.String())
		}
	}
}

// TestLinkifyLong checks texts that are printed in many pieces: URLs, wrappers, line ends and
// characters of several bytes lie across each border.
//
// Covers: F4, T203
func TestLinkifyLong(t *testing.T) {
	t.Parallel()
	for i := range 4 {
		text := strings.Repeat("x", i) + strings.Repeat("h\u00e9 <URL:http://host.dom/\r\n a/b> \U0001F30D\r\n", 10_000) + strings.Repeat("\u20AC\r\n", 100_000) + "http://host.dom/end"
		if hrefs := checkLinkified(t, text); len(hrefs) != 10_001 || hrefs[0] != "http://host.dom/a/b" || hrefs[10_000] != "http://host.dom/end" {
			t.Errorf("%d: %d links", i, len(hrefs))
		}
	}
}

// TestLinkifyMemory checks that --linkify keeps a bounded part of a text.
//
// Covers: F4, P6, T203
func TestLinkifyMemory(t *testing.T) {
	for _, unit := range []string{`<&>"'`, "\x01\x02\x1b\x7f", "http://h.example/ ", "x"} {
		checkFindMemory(t, unit, "--linkify")
	}
}

// TestFindMemory checks that no format but Markdown takes more memory for a longer text.
//
// Covers: F5, P6
func TestFindMemory(t *testing.T) {
	for name, unit := range map[string]string{
		"csv":  "1,\"http://host.dom/a/b?c=d\",\"a \"\"cell\"\"\"\n",
		"json": "{\"url\":\"http:\\/\\/host.dom\\/a?b=c\",\"text\":\"a\\nb\"}\n",
		"mbox": "From a@b.dom Mon Jan  1 00:00:00 2024\nFrom: a@b.dom\nSubject: x\n\nhttp://host.dom/a/b?c=d\n\n",
		"html": "<p>a <a href=\"http://host.dom/a?b=c\">b</a> &amp; c</p>\n",
	} {
		checkFindMemory(t, unit, "--format", name)
	}
}

// checkFindMemory checks how much memory a search of a long text takes. The memory of tests that
// run at the same time would count.
func checkFindMemory(t *testing.T, unit string, flags ...string) {
	t.Helper()
	const size = 32 << 20
	source := &repeated{unit: unit, left: size}
	var most uint64
	source.every = func() {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		most = max(most, m.HeapAlloc)
	}
	status := run(t.Context(), append([]string{"find"}, flags...), world{In: source, Out: io.Discard, Err: io.Discard, Getenv: func(string) string { return "" }})
	if status != 0 || source.left > 0 {
		t.Errorf("%q: status %d, %d bytes were not read", flags, status, source.left)
	}
	if most > 64<<20 {
		t.Errorf("%q: %.10q takes %d MiB of memory for %d MiB of text", flags, unit, most>>20, size>>20)
	}
}

// repeated is a reader of left bytes. It calls every after each MiB.
type repeated struct {
	unit        string
	left, since int
	every       func()
}

func (r *repeated) Read(b []byte) (int, error) {
	if r.left <= 0 {
		return 0, io.EOF
	}
	n := min(len(b), r.left)
	for i := range b[:n] {
		b[i] = r.unit[(r.left-i)%len(r.unit)]
	}
	r.left -= n
	if r.since += n; r.since >= 1<<20 {
		r.since = 0
		r.every()
	}
	return n, nil
}
