package wire_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf8"

	"locator/internal/hang"
	"locator/wire"
)

var textCases = []struct{ name, in, want string }{
	{"nothing", "", ""},
	{"plain", "line one\nline two\tend\n", "line one\nline two\tend\n"},
	{"CR LF", "a\r\nb\r\n\r\n", "a\nb\n\n"},
	{"a bare CR would go back over the line", "rm -rf /\rls        \n", "rm -rf /\\x0dls        \n"},
	{"CR CR LF", "a\r\r\n", "a\\x0d\n"},
	{"CR at the end", "a\r", "a\\x0d"},
	{"backslash", `C:\dir \x1b`, `C:\dir \x1b`},
	{"colour", "\x1b[31mred\x1b[0m", `\x1b[31mred\x1b[0m`},
	{"title", "\x1b]0;owned\x07", `\x1b]0;owned\x07`},
	{"an answer that would be typed", "\x1b[6n\x1b[c\x05", `\x1b[6n\x1b[c\x05`},
	{"backspace and DEL", "a\b\x7fb", `a\x08\x7fb`},
	{"form feed, vertical TAB, NUL, shift out", "\f\v\x00\x0e", `\x0c\x0b\x00\x0e`},
	{"C1 as single octets", "\x9b2J\x90\x9d", `\x9b2J\x90\x9d`},
	{"C1 in UTF-8", "\u009b2J\u0085", `\xc2\x9b2J\xc2\x85`},
	{"letters", "caf\u00e9 \u65e5\u672c\u8a9e \u0440\u0443\u0441 \u05d0 \u0639", "caf\u00e9 \u65e5\u672c\u8a9e \u0440\u0443\u0441 \u05d0 \u0639"},
	{"emoji of several characters", "\U0001F469\u200D\U0001F4BB", "\U0001F469\u200D\U0001F4BB"},
	{"blanks", "a\u00a0b\u3000c", "a\u00a0b\u3000c"},
	{"overrides of direction", "\u202a\u202b\u202c\u202d\u202e", `\xe2\x80\xaa\xe2\x80\xab\xe2\x80\xac\xe2\x80\xad\xe2\x80\xae`},
	{"isolates", "\u2066\u2067\u2068\u2069", `\xe2\x81\xa6\xe2\x81\xa7\xe2\x81\xa8\xe2\x81\xa9`},
	{"separators of lines and paragraphs", "a\u2028b\u2029", `a\xe2\x80\xa8b\xe2\x80\xa9`},
	{"byte order mark, tag, private use, unassigned", "\ufeff\U000E0041\ue000\U0003FFFF", `\xef\xbb\xbf\xf3\xa0\x81\x81\xee\x80\x80\xf0\xbf\xbf\xbf`},
	{"Latin-1", "caf\xe9 au lait", `caf\xe9 au lait`},
	{"torn character", "caf\xc3", `caf\xc3`},
	{"torn character before ASCII", "\xe2\x82x\xf0\x9f\x92", `\xe2\x82x\xf0\x9f\x92`},
	{"overlong slash, surrogate", "\xc0\xaf\xed\xa0\x80", `\xc0\xaf\xed\xa0\x80`},
	{"U+FFFD itself is a character", "\ufffd", "\ufffd"},
}

// Covers: P6, T42
func TestText(t *testing.T) {
	t.Parallel()
	hang.Within(t, 20*time.Second)
	for _, c := range textCases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for name, cut := range map[string]func(io.Reader) io.Reader{
				"whole": func(r io.Reader) io.Reader { return r }, "half": iotest.HalfReader,
				"octets": iotest.OneByteReader, "end with the data": iotest.DataErrReader,
			} {
				got, err := io.ReadAll(wire.Text(cut(strings.NewReader(c.in))))
				if err != nil || string(got) != c.want {
					t.Errorf("%s: %q, %v, want %q", name, got, err, c.want)
				}
			}
			for _, size := range []int{1, 2, 3, 5000} {
				if got := shown(t, c.in, size); got != c.want {
					t.Errorf("in pieces of %d: %q, want %q", size, got, c.want)
				}
			}
			line := strings.NewReplacer("\n", `\x0a`, "\t", `\x09`).Replace(c.want)
			if got := wire.TextLine(c.in); got != line {
				t.Errorf("as a line: %q, want %q", got, line)
			}
		})
	}
}

// shown returns filtered text, read in pieces.
func shown(t testing.TB, text string, size int) string {
	t.Helper()
	b, err := io.ReadAll(wire.Text(&pieces{strings.NewReader(text), size}))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// pieces is a reader that returns at most size bytes per Read.
type pieces struct {
	r    io.Reader
	size int
}

func (p *pieces) Read(b []byte) (int, error) { return p.r.Read(b[:min(len(b), p.size)]) }

// checkHarmless checks that b contains no terminal controls.
func checkHarmless(t testing.TB, b []byte) {
	t.Helper()
	for i, r := range string(b) {
		switch {
		case r == '\n' || r == '\t':
		case r < 0x20, r >= 0x7F && r < 0xA0, r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069, r == 0x2028, r == 0x2029,
			r == 0xFEFF, r >= 0xE0000 && r <= 0xE007F, r == utf8.RuneError && !bytes.HasPrefix(b[i:], []byte("\ufffd")):
			t.Fatalf("%U at %d: %q", r, i, b[max(0, i-20):min(len(b), i+20)])
		}
	}
}

// Covers: P6
func TestTextErrors(t *testing.T) {
	t.Parallel()
	hang.Within(t, 20*time.Second)
	torn := io.MultiReader(strings.NewReader("a\x1bb"), iotest.ErrReader(io.ErrUnexpectedEOF))
	got, err := io.ReadAll(wire.Text(torn))
	if string(got) != `a\x1bb` || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%q, %v: the error of a torn body must stay", got, err)
	}
}

// Text returns the data received so far while the server pauses.
func TestTextDoesNotWait(t *testing.T) {
	t.Parallel()
	hang.Within(t, 20*time.Second)
	r, w := io.Pipe()
	defer w.Close()
	go w.Write([]byte("login: \xc3"))
	text, buf := wire.Text(r), make([]byte, 100)
	if n, err := io.ReadAtLeast(text, buf, len("login: ")); string(buf[:n]) != "login: " || err != nil {
		t.Fatalf("%q, %v", buf[:n], err)
	}
	go w.Write([]byte("\xa9"))
	if n, err := io.ReadAtLeast(text, buf, 2); string(buf[:n]) != "\u00e9" || err != nil {
		t.Errorf("%q, %v", buf[:n], err)
	}
}

// endlessReader is a reader of control characters without end.
type endlessReader struct{}

func (endlessReader) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 0x1B
	}
	return len(b), nil
}

// FuzzText checks that the output has no terminal controls, however the text is cut, and that text
// without controls is unchanged.
//
// Covers: P6
func FuzzText(f *testing.F) {
	for _, c := range textCases {
		f.Add([]byte(c.in), uint8(1))
	}
	f.Fuzz(func(t *testing.T, in []byte, size uint8) {
		got, err := io.ReadAll(wire.Text(bytes.NewReader(in)))
		if err != nil {
			t.Fatal(err)
		}
		checkHarmless(t, got)
		if cut := shown(t, string(in), int(size)+1); cut != string(got) {
			t.Fatalf("%q cut in pieces of %d gives %q, else %q", in, int(size)+1, cut, got)
		}
		if again := shown(t, string(got), 1000); again != string(got) {
			t.Fatalf("%q is changed again to %q", got, again)
		}
	})
}

// nothing is a reader that returns neither data nor an error.
type nothing struct{}

func (nothing) Read([]byte) (int, error) { return 0, nil }

// A reader that never returns anything ends.
func TestTextNoProgress(t *testing.T) {
	t.Parallel()
	if _, err := io.ReadAll(wire.Text(io.MultiReader(strings.NewReader("some text"), nothing{}))); err != io.ErrNoProgress {
		t.Errorf("%v, want %v", err, io.ErrNoProgress)
	}
}
