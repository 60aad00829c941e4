package telnet

import (
	"slices"
	"testing"
)

// Input in a code page, split anywhere.
//
// Covers: A10
func TestCharset(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, in, want string }{
		{"", "caf\u00e9\xff", "caf\u00e9\xff"}, {"CP437", "caf\u00e9 \u2592\u4e2d\xff!", "caf\x82 \xb1??!"}, {"KOI8-R", "\u0434\u0430", "\xc4\xc1"}, {"Big5", "\u4e2d\u0e01", "\xa4\xa4?"},
		{"UTF-8", "\u4e2d", "\u4e2d"},
	} {
		for size := 1; size <= len(tt.in); size++ {
			c, err := newCharset(tt.name)
			if err != nil {
				t.Fatal(err)
			}
			var got []byte
			for part := range slices.Chunk([]byte(tt.in), size) {
				got = append(got, c.encode(part)...)
			}
			if string(got) != tt.want {
				t.Errorf("%q in %s, by %d: %q, want %q", tt.in, tt.name, size, got, tt.want)
			}
		}
	}
}
