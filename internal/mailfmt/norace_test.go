//go:build !race

// The test of this file processes much data in one goroutine: the race detector would take five
// times as long and find nothing.

package mailfmt_test

import (
	"io"
	"strings"
	"testing"

	"locator/client"
	"locator/internal/mailfmt"
	"locator/scheme"
)

// A message that can be read only once is read into memory up to a limit. A longer one is refused,
// never cut.
//
// Covers: P6
func TestLongPipe(t *testing.T) {
	t.Parallel()
	const most = 32 << 20
	line := strings.Repeat("x", 63) + "\n"
	for n, code := range map[int]scheme.Code{most: scheme.CodeOK, most + 1: scheme.CodeUsage, most + 2: scheme.CodeUsage} {
		text := ("\n" + strings.Repeat(line, n/len(line)+1))[:n]
		m, err := mailfmt.Complete(struct{ io.Reader }{strings.NewReader(text)}, mailfmt.Options{Mail: "a@b.example"})
		if client.CodeOf(err) != code {
			t.Errorf("%d bytes: %v", n, err)
		}
		if err == nil {
			if size, err := m.Size(); err != nil || size < int64(n) {
				t.Errorf("%d bytes became %d, %v", n, size, err)
			}
		}
	}
}
