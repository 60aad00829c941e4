package find

import (
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// chunks is a reader that returns pieces of random sizes up to most.
type chunks struct {
	text string
	most int
	r    *rand.Rand
}

func (c *chunks) Read(p []byte) (int, error) {
	if c.text == "" {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), 1+c.r.IntN(c.most))], c.text)
	c.text = c.text[n:]
	return n, nil
}

// pieces are what texts for tests are made of.
var pieces = []string{
	"http://h.dom/a", "<URL:ftp://h/a", "<URL:", "<", ">", "<news:comp.lang.c", "mailto:me@h.dom", "news:1@h", "URL:", "URL: http://h/b", "file:///x", "URL",
	":", "//", "/", "\n", "\r\n", "\r", " ", "\n> ", "\n# ", "\t", "-\n", "-", ".", ",", "(", ")", "'", "\"", "&gt;", "%41", "%", "#x", "?", "é", "。", "\xff", "\x00",
	"www.example.org", "WWW.a.b/c", "me@host.dom", "@", "> ", ">> ", "// ", "/* ", "* ", "# ", "x", "http", "http:", "\\n", "+", "[::1]", "[Page 7]\n\f\nRFC 1\n", "[Page", "\f",
	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "mid:", "cid:a@b", "http://u:p@h/", "\u00AD\n",
	strings.Repeat("b", 600), strings.Repeat(" ", 300), "JD> ", "rem ",
}

func randomText(r *rand.Rand, most int) string {
	var b strings.Builder
	for range r.IntN(most) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

func randomFinder(r *rand.Rand) *Finder {
	return &Finder{IRI: r.IntN(3) == 0, Web: r.IntN(3) == 0, Mail: r.IntN(3) == 0, MaxWrapper: []int{0, 1, 20, 100, 700, 3000}[r.IntN(6)]}
}

// readAll returns what Read finds, and its error.
func readAll(f *Finder, r io.Reader) (list []Find, err error) {
	for u, e := range f.Read(r) {
		if e != nil {
			err = e
			continue
		}
		list = append(list, u)
	}
	return list, err
}

// checkRead checks that Read returns what All does.
func checkRead(t *testing.T, f *Finder, text string, r io.Reader) {
	t.Helper()
	want := slices.Collect(f.All(text))
	got, err := readAll(f, r)
	if err != nil || !reflect.DeepEqual(got, want) {
		for i := range max(len(got), len(want)) {
			if i >= len(got) || i >= len(want) || !reflect.DeepEqual(got[i], want[i]) {
				t.Fatalf("%+v, %q, find %d:\nRead %+v\nAll  %+v\n%v", f, text, i, got[min(i, len(got)):], want[min(i, len(want)):], err)
			}
		}
	}
}

// Read returns what All does, however the reader cuts the text.
//
// Covers: F5
func TestReadIsAll(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	for n := range 3000 {
		f, text := randomFinder(r), randomText(r, 60)
		switch n % 4 {
		case 0:
			checkRead(t, f, text, strings.NewReader(text))
		case 1:
			checkRead(t, f, text, iotest.OneByteReader(strings.NewReader(text)))
		case 2:
			checkRead(t, f, text, iotest.DataErrReader(&chunks{text, 100, r}))
		case 3: // over the edge of the buffer
			text = strings.Repeat(" \n", bufferSize/2-r.IntN(400)) + text + strings.Repeat("x y\n", r.IntN(200))
			checkRead(t, f, text, &chunks{text, 1 << (1 + r.IntN(18)), r})
		}
	}
}

// A reader that fails ends the finds with its error.
func TestReadError(t *testing.T) {
	t.Parallel()
	fault := errors.New("broken")
	text := "http://h/a and <URL:http://h/b"
	var f Finder
	got, err := readAll(&f, io.MultiReader(strings.NewReader(text), iotest.ErrReader(fault)))
	if !errors.Is(err, fault) || !reflect.DeepEqual(got, slices.Collect(f.All(text))) {
		t.Errorf("got %+v, %v", got, err)
	}
	for r, want := range map[io.Reader]error{noBytes{}: io.ErrNoProgress, tooMany{}: errInvalidRead} {
		if _, err := readAll(&f, r); !errors.Is(err, want) {
			t.Errorf("got %v, want %v", err, want)
		}
	}
}

type noBytes struct{}

func (noBytes) Read([]byte) (int, error) { return 0, nil }

type tooMany struct{}

func (tooMany) Read(p []byte) (int, error) { return len(p) + 1, nil }
