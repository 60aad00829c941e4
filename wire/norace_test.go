//go:build !race

// The tests of this file process much data in one goroutine: the race detector would take five
// times as long and find nothing.

package wire_test

import (
	"io"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"locator/internal/hang"
	"locator/wire"
)

// Every byte and every character: terminal controls are escaped, whatever surrounds them.
//
// Covers: P6, T42
func TestTextEveryCharacter(t *testing.T) {
	t.Parallel()
	hang.Within(t, 20*time.Second)
	var in strings.Builder
	for c := range 256 {
		in.WriteByte(byte(c))
		in.WriteByte('|')
	}
	for r := rune(0x80); r <= utf8.MaxRune; r++ {
		in.WriteRune(r)
	}
	got, err := io.ReadAll(wire.Text(strings.NewReader(in.String())))
	if err != nil {
		t.Fatal(err)
	}
	checkHarmless(t, got)
	if n := utf8.RuneCount(got); n < 140_000 {
		t.Errorf("only %d characters passed or are shown", n)
	}
}

// A long text is filtered in bounded memory, at each boundary of the buffers.
//
// Covers: P6
func TestTextLong(t *testing.T) {
	t.Parallel()
	hang.Within(t, 20*time.Second)
	for _, unit := range []string{"\u00e9", "\x1b", "\r\n", "\U0001F469", "\u202e", "a"} {
		for shift := range 4 {
			in := strings.Repeat("x", shift) + strings.Repeat(unit, 5000)
			want := strings.Repeat("x", shift) + strings.Repeat(shown(t, unit, 10), 5000)
			got, err := io.ReadAll(wire.Text(strings.NewReader(in)))
			if err != nil || string(got) != want {
				t.Errorf("%q, %d bytes before: %d bytes, %v, want %d", unit, shift, len(got), err, len(want))
			}
		}
	}
	endless := io.LimitReader(endlessReader{}, 8<<20)
	if n, err := io.Copy(io.Discard, wire.Text(endless)); n != 4*8<<20 || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
}
