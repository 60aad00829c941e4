package main

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/internal/present"
	"locator/scheme"
	"locator/scheme/gopher/gophertest"
	"locator/scheme/wais/waisserver"
	"locator/scheme/wais/waistest"
)

// longList yields n entries of a menu, in one of four forms of name.
func longList(n int) iter.Seq2[scheme.Entry, error] {
	names := [...]string{"A plain name", "caf\u00e9", "a \x1b[2J name", "\u65e5\u672c\u8a9e"}
	return func(yield func(scheme.Entry, error) bool) {
		for i := range n {
			e := scheme.Entry{Name: names[i%len(names)], Kind: scheme.KindObject, URL: locator.MustParse(fmt.Sprintf("gopher://h.dom/0/dir/file%d.txt", i))}
			e.Attr.Size, e.Attr.Modified = scheme.Known(int64(i)), time.Unix(int64(i), 0)
			if !yield(e, nil) {
				return
			}
		}
	}
}

func formOf(asJSON bool) present.Form {
	if asJSON {
		return present.JSON(0)
	}
	return present.Columns()
}

// allocated returns the bytes that printing n entries allocates.
func allocated(t *testing.T, n int, asJSON bool) uint64 {
	t.Helper()
	a := &app{}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := a.printEntries(io.Discard, longList(n), formOf(asJSON)); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestListCost compares the memory that the text and the JSON of a long list take, which is most of
// their cost. Neither may be much more expensive than the other.
//
// Covers: P6, T89
func TestListCost(t *testing.T) { // not parallel: it measures the memory of the process
	const n = 2000
	text, asJSON := allocated(t, n, false), allocated(t, n, true)
	if text > 2*asJSON {
		t.Errorf("%d bytes are allocated for %d entries as text, and %d as JSON: more than twice", text, n, asJSON)
	}
}

func BenchmarkList(b *testing.B) {
	for name, asJSON := range map[string]bool{"text": false, "json": true} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			if err := (&app{}).printEntries(io.Discard, longList(b.N), formOf(asJSON)); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// TestFormats gets the URL that list prints for each format of a document. The server tells the
// length of one of them.
//
// Covers: A11
func TestFormats(t *testing.T) {
	t.Parallel()
	text := "A heron stood in the marsh.\n"
	for _, ps := range []string{"%!PS heron\n", "%!PS heron\n" + strings.Repeat("% a line\n", 500)} {
		db, err := waisserver.NewDatabase("papers", []waisserver.File{waisserver.Memory("heron.txt", text, time.Time{}), waisserver.Memory("heron.ps", ps, time.Time{})})
		if err != nil {
			t.Fatal(err)
		}
		s, err := waistest.Start(nil, waistest.With(db))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		locator := func(args ...string) string {
			var out, messages bytes.Buffer
			if status := run(t.Context(), args, world{In: strings.NewReader(""), Out: &out, Err: &messages, Getenv: func(string) string { return "" }}); status != 0 || messages.Len() > 0 {
				t.Errorf("%q: %d, %s", args, status, messages.String())
			}
			return strings.TrimSuffix(out.String(), "\n")
		}
		for accept, want := range map[string]string{"application/postscript": ps, "text/plain": text} {
			url := locator("list", "--item", "1", "--accept", accept, s.SearchURL("papers", "heron").Text())
			if got := locator("get", url); got+"\n" != want {
				t.Errorf("%s: %d bytes of %d", url, len(got), len(want))
			}
		}
	}
}

// TestSkippedAll walks a menu whose items all lead to other servers, and says so.
func TestSkippedAll(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "gophermap"), []byte("1Other\t/\tother.example\t70\n0Text\t/text\tother.example\t70\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := gophertest.Start(nil, gophertest.Dir(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	url := "gopher://" + s.Addr() + "/"
	for _, args := range [][]string{{"list", "-r", url}, {"get", "--recursive", "--dir", t.TempDir(), "--no-listings", url}} {
		out, errs, status := runText(t, "", args...)
		if want := "nothing is below it; 2 URLs skipped; -v says why"; status != 0 || !strings.Contains(errs, want) {
			t.Errorf("%q: %d, %q, %q, want %q", args, status, out, errs, want)
		}
	}
}
