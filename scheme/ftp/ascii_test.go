package ftp

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
)

// Covers: A2
func TestASCII(t *testing.T) {
	t.Parallel()
	for wire, local := range map[string]string{
		"": "", "a\r\nb\r\n": "a\nb\n", "a\nb": "a\nb", "a\rb": "a\rb", "\r": "\r", "\r\n": "\n", "\r\r\n": "\r\n", "a\r": "a\r", "\r\n\r\n\r": "\n\n\r",
	} {
		for _, r := range []io.Reader{strings.NewReader(wire), iotest.OneByteReader(strings.NewReader(wire)), iotest.DataErrReader(strings.NewReader(wire))} {
			got, err := io.ReadAll(fromASCII(r))
			if err != nil || string(got) != local {
				t.Errorf("%q: %q, %v, want %q", wire, got, err, local)
			}
		}
	}
	for local, wire := range map[string]string{
		"": "", "a\nb\n": "a\r\nb\r\n", "a\r\nb": "a\r\nb", "a\rb": "a\rb", "\n\n": "\r\n\r\n", "\r": "\r", "\r\n": "\r\n",
	} {
		got, err := io.ReadAll(toASCII(iotest.HalfReader(strings.NewReader(local))))
		if err != nil || string(got) != wire {
			t.Errorf("%q: %q, %v, want %q", local, got, err, wire)
		}
	}
}

// TestASCIIProperty checks that the conversion does not depend on the sizes of reads, and that
// local text without CR survives both directions.
//
// Covers: A2
func TestASCIIProperty(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(17, 38))
	for range 2000 {
		b := make([]byte, r.IntN(200))
		for i := range b {
			b[i] = "\r\nab"[r.IntN(4)]
		}
		got := readPieces(t, r, fromASCII(pieces{r, bytes.NewReader(b)}))
		if want := bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")); !bytes.Equal(got, want) {
			t.Fatalf("%q: %q, want %q", b, got, want)
		}
		text := bytes.ReplaceAll(b, []byte("\r"), []byte("x"))
		if got := readPieces(t, r, fromASCII(toASCII(pieces{r, bytes.NewReader(text)}))); !bytes.Equal(got, text) {
			t.Fatalf("%q converted in both directions: %q", text, got)
		}
	}
	broken := errors.New("broken")
	got, err := io.ReadAll(fromASCII(io.MultiReader(strings.NewReader("a\r"), iotest.ErrReader(broken))))
	if string(got) != "a\r" || !errors.Is(err, broken) {
		t.Errorf("%q, %v", got, err)
	}
}

// pieces returns the text in pieces of random size.
type pieces struct {
	rand *rand.Rand
	r    io.Reader
}

func (p pieces) Read(b []byte) (int, error) { return p.r.Read(b[:min(len(b), 1+p.rand.IntN(7))]) }

func readPieces(t *testing.T, r *rand.Rand, from io.Reader) []byte {
	t.Helper()
	var all []byte
	for {
		b := make([]byte, 1+r.IntN(9))
		n, err := from.Read(b)
		all = append(all, b[:n]...)
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
