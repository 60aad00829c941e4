package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"locator/find"
)

// output runs a command.
func output(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := run(args, &out); err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	return out.String()
}

// The texts are the same each time, have the density that is asked for, and xurls and package find
// find the same number in them.
func TestTexts(t *testing.T) {
	t.Parallel()
	for _, every := range []string{"2048", "100"} {
		text := output(t, "text", "-every", every, "32K")
		if text != output(t, "text", "-every", every, "32K") {
			t.Errorf("%s: two texts differ", every)
		}
		n := len(slices.Collect(new(find.Finder).All(text)))
		if want := map[string]int{"2048": 16, "100": 327}[every]; n < want || n > want+1 {
			t.Errorf("%s: %d URLs, want %d", every, n, want)
		}
		file := filepath.Join(t.TempDir(), "text")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(output(t, "library", file), "\n"); got != n {
			t.Errorf("%s: library prints %d lines, want %d", every, got, n)
		}
		if got := strings.Count(output(t, "xurls", file), "\n"); got < n*8/10 || got > n { // it does not know all schemes
			t.Errorf("%s: xurls prints %d lines, want about %d", every, got, n)
		}
	}
	if text := output(t, "text", "-newlines=false", "10K"); strings.Contains(text, "\n") || len(text) < 10<<10 {
		t.Error("a line break, or too short")
	}
}

func TestTree(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	output(t, "tree", "-files", "100", dir, "100K")
	names, size := make(map[string]int), int64(0)
	if err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		size += info.Size()
		names[filepath.Ext(path)]++
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if names[".txt"] != 80 || names[".bin"] != 10 || names[".log"] != 10 || names[".gitignore"] != 1 || size < 80<<10 || size > 120<<10 {
		t.Errorf("%v, %d bytes", names, size)
	}
}

// docs/performance.md has a row for each form and kind, and claims no more than is measured. go run
// ./find score prints the table.
func TestScore(t *testing.T) {
	t.Parallel()
	table := output(t, "score", "-corpus", "../../find/testdata/corpus")
	page, err := os.ReadFile("../../docs/performance.md")
	if err != nil {
		t.Fatal(err)
	}
	claims := make(map[string][]string)
	for line := range strings.Lines(string(page)) {
		if cells := strings.Split(line, "|"); len(cells) == 10 {
			claims[strings.TrimSpace(cells[1])] = cells[2:]
		}
	}
	rows := 0
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		name := strings.TrimSpace(cells[1])
		claimed := claims[name]
		if claimed == nil {
			t.Fatalf("docs/performance.md has no row %q", name)
		}
		measured, err := strconv.ParseFloat(strings.TrimSpace(cells[3]), 64)
		if err != nil {
			continue // the head of the table
		}
		rows++
		claim, err := strconv.ParseFloat(strings.TrimSpace(claimed[1]), 64)
		if err != nil || claim > measured {
			t.Errorf("docs/performance.md says %v for %s, measured %v", claim, name, measured)
		}
	}
	if rows < 15 {
		t.Errorf("%d rows", rows)
	}
	if misses := output(t, "score", "-corpus", "../../find/testdata/corpus", "-misses", "linkify"); !strings.Contains(misses, "found nothing") {
		t.Errorf("got %s", misses)
	}
}

func TestGrow(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := run([]string{"grow", "8K"}, &out); err != nil && !strings.Contains(err.Error(), "not linear") { // too small to be exact
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "\n"); n != 1+len(hostile) {
		t.Errorf("%d lines", n)
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{}, {"other"}, {"text"}, {"text", "1T"}, {"text", "-1"}, {"text", "x"}, {"tree", "-files", "0", t.TempDir(), "1K"}, {"tree", t.TempDir(), "x"},
		{"score", "-misses", "nobody", "-corpus", "../../find/testdata/corpus"}, {"score", "-corpus", "/no/such"}, {"xurls", "/no/such"}, {"library", "/no/such"},
		{"grow", "1K"}, {"grow", "x"},
	} {
		if err := run(args, new(bytes.Buffer)); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}
