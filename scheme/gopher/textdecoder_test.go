package gopher

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
)

const captured = "Hello text\nline two\n.\n.dot-leading line\n..two dots\nlast line\n" // hello.txt of the captures

// decode reads a text through a textDecoder, in the pieces of in.
func decode(in io.Reader) (string, []string, error) {
	var notes []string
	d := newTextDecoder(in, false, func(bool) {}, func(s string) { notes = append(notes, s) })
	b, err := io.ReadAll(d)
	return string(b), notes, err
}

func unix(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// Covers: A7
func TestTextDecoder(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		// The captured replies of four servers for one file.
		{"UMN 2.3.0", "Hello text\r\nline two\r\n..\r\n.dot-leading line\r\n..two dots\r\nlast line\r\n.\r\n", captured},
		{"UMN 3.0.5", "Hello text\nline two\n.\n.dot-leading line\n..two dots\nlast line\n.\r\n", captured},
		{"pygopherd", captured, captured},
		{"gophernicus", "Hello text\r\nline two\r\n.\r\n.dot-leading line\r\n..two dots\r\nlast line\r\n", captured},
		{"RFC 1436", "Hello text\r\nline two\r\n..\r\n..dot-leading line\r\n...two dots\r\nlast line\r\n.\r\n", captured},

		{"empty", "", ""},
		{"only the mark", ".\r\n", ""},
		{"mark with LF", "a\n.\n", "a\n"},
		{"mark without end", "a\r\n.", "a\n"},
		{"mark with CR", "a\r\n.\r", "a\n"},
		{"no line end", "a", "a"},
		{"dot at the end of a line", "a.\n", "a.\n"},
		{"two marks", "a\n.\n.\n", "a\n.\n"},
		{"a dot in the middle, no mark", "a\n.\nb\n", "a\n.\nb\n"},
		{"doubled, no mark", "..a\nb\n", "..a\nb\n"},
		{"doubled, mark", "..a\nb\n.\n", ".a\nb\n"},
		{"doubled alone at the end, mark missing", "a\n..", "a\n.."},
		{"single after doubled", "..a\n.b\n.\n", "..a\n.b\n"},
		{"single after two alone", "..\n.b\n..\n.\n", ".\n.b\n.\n"},
		{"lone after doubled", "..\n..a\n.\nb\n.\n", "..\n..a\n.\nb\n"},
		{"dot and CR", ".\rx\n..\n.\n", ".\rx\n.\n"},
		{"two dots and CR", "..\rx\n.\n", ".\rx\n"},
		{"three dots", "...\n.\n", "..\n"},
		{"nothing behind a blank line", "a\n\n.\n", "a\n\n"},
	}
	for _, tt := range tests {
		for name, in := range map[string]io.Reader{
			"whole": strings.NewReader(tt.in), "octets": iotest.OneByteReader(strings.NewReader(tt.in)), "halves": iotest.HalfReader(strings.NewReader(tt.in)),
			"with EOF": iotest.DataErrReader(strings.NewReader(tt.in)),
		} {
			got, notes, err := decode(in)
			if unix(got) != tt.want || err != nil || len(notes) > 0 {
				t.Errorf("%s, %s: %q, %q, %v; want %q", tt.name, name, got, notes, err, tt.want)
			}
		}
		var w bytes.Buffer
		n, err := newTextDecoder(strings.NewReader(tt.in), false, func(bool) {}, func(string) {}).WriteTo(&w)
		if unix(w.String()) != tt.want || err != nil || n != int64(w.Len()) {
			t.Errorf("%s: WriteTo returned %q, %d, %v; want %q", tt.name, w.String(), n, err, tt.want)
		}
	}
}

// undot decodes a complete text by the rules of textDecoder.
func undot(text string) string {
	var all []string
	for line := range strings.Lines(text) {
		all = append(all, line)
	}
	bare := func(s string) string { return strings.TrimSuffix(strings.TrimSuffix(s, "\n"), "\r") }
	if len(all) == 0 || bare(all[len(all)-1]) != "." {
		return text
	}
	all = all[:len(all)-1]
	lone, single := false, false
	for _, l := range all {
		lone = lone || bare(l) == "."
		single = single || strings.HasPrefix(l, ".") && bare(l) != "." && !strings.HasPrefix(l, "..")
	}
	for i, l := range all {
		if !lone && strings.HasPrefix(l, "..") && (!single || bare(l) == "..") {
			all[i] = l[1:]
		}
	}
	return strings.Join(all, "")
}

// FuzzTextDecoder compares the decoder with undot, for any pieces.
//
// Covers: A7
func FuzzTextDecoder(f *testing.F) {
	for _, s := range []string{captured, "..\r\n.x\r\n..y\r\n..\r\n.\r\n", "a\n..b\n.", "..\n.\n..\n", ".\r.\r\n.", "..\r"} {
		f.Add(s, uint64(1))
	}
	f.Fuzz(func(t *testing.T, s string, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 2))
		got, _, err := decode(&pieces{s, r})
		if want := undot(s); got != want || err != nil {
			t.Fatalf("%q: %q, %v; want %q", s, got, err, want)
		}
		raw, err := io.ReadAll(newTextDecoder(&pieces{s, r}, true, func(bool) {}, func(string) {}))
		if string(raw) != s || err != nil {
			t.Fatalf("raw: %q became %q, %v", s, raw, err)
		}
	})
}

// pieces reads a text in random pieces.
type pieces struct {
	s string
	r *rand.Rand
}

func (p *pieces) Read(b []byte) (int, error) {
	if p.s == "" {
		return 0, io.EOF
	}
	n := copy(b, p.s[:1+p.r.IntN(min(len(p.s), 5))])
	p.s = p.s[n:]
	return n, nil
}

// TestTextDecoderBroken returns the text before an error, then the error.
func TestTextDecoderBroken(t *testing.T) {
	t.Parallel()
	torn := errors.New("torn")
	for in, want := range map[string]string{"a\n..b\nc": "a\n..b\nc", "a\n.\n": "a\n.\n", "a\n..": "a\n..", "": ""} {
		got, _, err := decode(io.MultiReader(strings.NewReader(in), iotest.ErrReader(torn)))
		if got != want || err != torn {
			t.Errorf("%q: %q, %v; want %q and the error", in, got, err, want)
		}
	}
}

// TestTextDecoderMark checks the calls of sawMark, by which a connection that stays open is ended.
func TestTextDecoderMark(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]bool{"a\n.\r\n": true, "a\n.\nb": false, "a\n": false, "..\n": false, ".\n": true, ".\n.\n": true, ".\n..\n": false} {
		for _, raw := range []bool{false, true} {
			marked := false
			d := newTextDecoder(io.MultiReader(strings.NewReader(in), iotest.ErrReader(errors.New("open"))), raw, func(m bool) { marked = m }, func(string) {})
			d.fill() // all received bytes; the next read would wait
			if marked != want {
				t.Errorf("%q, raw %v: marked %v, want %v", in, raw, marked, want)
			}
		}
	}
}
