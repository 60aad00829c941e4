package find

import (
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// checkSplitReader checks that the pieces of a reader are the text, byte for byte, and that its
// URLs are those of All. It returns the longest piece of text.
func checkSplitReader(t *testing.T, f *Finder, text string, r io.Reader, fault error) (longest int) {
	t.Helper()
	var b strings.Builder
	var found []Find
	var failed error
	for p, err := range f.SplitReader(r) {
		if failed != nil {
			t.Fatalf("after the error: %+v", p)
		}
		if failed = err; err != nil {
			continue
		}
		if p.Text == "" || p.IsURL != (p.Find.Form != 0) || p.IsURL && int(p.Find.Offset) != b.Len() {
			t.Fatalf("%.100q: piece %+v after %d bytes", text, p, b.Len())
		}
		b.WriteString(p.Text)
		if p.IsURL {
			found = append(found, p.Find)
		} else {
			longest = max(longest, len(p.Text))
		}
	}
	if !errors.Is(failed, fault) || b.String() != text || !reflect.DeepEqual(found, slices.Collect(f.All(text))) {
		t.Fatalf("%+v: the pieces of %.200q (%d bytes) have %d bytes and %d URLs, %v", f, text, len(text), b.Len(), len(found), failed)
	}
	return longest
}

// The pieces of a source are those of its text, however the reader cuts it.
//
// Covers: F5
func TestSplitReader(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	for n := range 2000 {
		f, text := randomFinder(r), randomText(r, 60)
		switch n % 4 {
		case 0:
			checkSplitReader(t, f, text, iotest.OneByteReader(strings.NewReader(text)), nil)
		case 1:
			checkSplitReader(t, f, text, iotest.DataErrReader(&chunks{text, 100, r}), nil)
		case 2: // over the edge of the buffer
			text = strings.Repeat(" \n", bufferSize/2-r.IntN(400)) + text + strings.Repeat("x y\n", r.IntN(200))
			checkSplitReader(t, f, text, &chunks{text, 1 << (1 + r.IntN(18)), r}, nil)
		case 3: // several buffers
			text = strings.Repeat(text+strings.Repeat("word ", 1+r.IntN(30_000)), 1+r.IntN(4))
			checkSplitReader(t, f, text, &chunks{text, 1 << 18, r}, nil)
		}
	}
	fault := errors.New("broken")
	text := strings.Repeat("word ", bufferSize) + "http://h/a and <URL:http://h/b"
	checkSplitReader(t, &Finder{}, text, io.MultiReader(strings.NewReader(text), iotest.ErrReader(fault)), fault)
}

// A loop that breaks stops the reading, before and at a URL.
func TestSplitReaderBreak(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"no URL": "word ", "URLs": "http://h.dom/a "} {
		r := &counting{r: &endless{text: text, left: 100 << 20}}
		for range (&Finder{}).SplitReader(r) {
			break
		}
		if r.n > 4*bufferSize {
			t.Errorf("%s: %d bytes were read after the loop ended", name, r.n)
		}
	}
}

// Text without URLs, 100 MB of it, takes no more memory than a short text.
func TestSplitReaderMemory(t *testing.T) {
	for name, word := range map[string]string{"words": "word ", "one word": "word", "anchors": "word: a@b "} {
		var before, now runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		const size = 100 << 20
		n, next, most := 0, 0, uint64(0)
		for p, err := range (&Finder{Web: true, Mail: name != "anchors"}).SplitReader(&endless{text: word, left: size}) {
			if err != nil {
				t.Fatal(err)
			}
			if n += len(p.Text); n >= next {
				runtime.GC()
				runtime.ReadMemStats(&now)
				most, next = max(most, now.HeapAlloc), next+10<<20
			}
		}
		if n != size {
			t.Errorf("%s: the pieces have %d bytes", name, n)
		}
		if grown := int64(most) - int64(before.HeapAlloc); grown > 4<<20 {
			t.Errorf("%s: the heap grew by %d KiB", name, grown>>10)
		}
	}
}

// endless is a reader of a text that is repeated.
type endless struct {
	text string
	left int
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n := 0
	for p = p[:min(len(p), e.left)]; n < len(p); {
		k := copy(p[n:], e.text[e.at:])
		n += k
		e.at = (e.at + k) % len(e.text)
	}
	e.left -= n
	return n, nil
}

type counting struct {
	r io.Reader
	n int
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += n
	return n, err
}
