package gateway

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// runs returns the runs of a text, quoted ones in brackets, and the error of reading it.
func runs(r io.Reader) (string, error) {
	var b strings.Builder
	t := newQuotedText(r)
	for t.next() {
		quoted := t.quoted
		text, err := io.ReadAll(t)
		if quoted {
			b.WriteString("[" + string(text) + "]")
		} else {
			b.WriteString("{" + string(text) + "}")
		}
		if err != nil {
			return b.String(), err
		}
	}
	return b.String(), nil
}

func TestQuotedText(t *testing.T) {
	long := strings.Repeat("x", 10_000)
	five := strings.Repeat("> q\n", 5)
	for _, tt := range []struct{ text, want string }{
		{"", ""}, {"a\nb\n", "{a\nb\n}"}, {"a", "{a}"}, {">", "{>}"}, {"\n", "{\n}"},
		{"> q\n> q\n> q\n> q\na\n", "{> q\n> q\n> q\n> q\na\n}"},
		{five, "[" + five + "]"},
		{five + ">", "[" + five + ">]"},
		{five + "a", "[" + five + "]{a}"},
		{"a\n" + five + "b\n> q\nc\n" + five + "\n" + five, "{a\n}[" + five + "]{b\n> q\nc\n}[" + five + "]{\n}[" + five + "]"},
		{"a\n" + five[:12] + "b\n" + five, "{a\n" + five[:12] + "b\n}[" + five + "]"},
		{five + "a\n> q\n", "[" + five + "]{a\n> q\n}"},
		{five + "a\n> q", "[" + five + "]{a\n> q}"},
		{"a > b\n" + long + ">\n", "{a > b\n" + long + ">\n}"},
		{">" + long + "\nb\n", "{>" + long + "\nb\n}"},
		{">" + long + "\n>" + long + "\nb\n", "[>" + long + "\n>" + long + "\n]{b\n}"},
		{five + long + ">\n>" + long + "\n", "[" + five + "]{" + long + ">\n>" + long + "\n}"},
	} {
		for _, r := range []io.Reader{strings.NewReader(tt.text), iotest.OneByteReader(strings.NewReader(tt.text))} {
			if got, err := runs(r); got != tt.want || err != nil {
				t.Errorf("%.40q: %.200q, %v", tt.text, got, err)
			}
		}
	}
	bad := errors.New("bad")
	for text, want := range map[string]string{"": "{}", "a\n": "{a\n}", five: "[" + five + "]", "a\n> q\n": "{a\n> q\n}"} {
		if got, err := runs(io.MultiReader(strings.NewReader(text), iotest.ErrReader(bad))); got != want || err != bad {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

// A line that never ends is held only in part.
//
// Covers: GW41
func TestQuotedTextHostile(t *testing.T) {
	q := newQuotedText(io.LimitReader(repeat(">"), 64<<20))
	for q.next() {
		if _, err := io.Copy(io.Discard, q); err != nil {
			t.Fatal(err)
		}
		if cap(q.held)+cap(q.pend) > 1<<20 {
			t.Fatalf("%d bytes are held", cap(q.held)+cap(q.pend))
		}
	}
}

// repeat reads a text without end.
type repeat string

func (r repeat) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = r[i%len(r)]
	}
	return len(p), nil
}
