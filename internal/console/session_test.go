package console

import (
	"strings"
	"testing"

	"locator/internal/screen"
)

// Output that arrives after the terminal was restored is not written: nothing would undo its modes.
//
// Covers: P3, T28
func TestSessionOutputAfterEnd(t *testing.T) {
	t.Parallel()
	var shown strings.Builder
	c := &Session{output: &output{w: &shown, filter: &screen.Filter{}}}
	w := lockedWriter{c}
	if _, err := w.Write([]byte("text")); err != nil {
		t.Fatal(err)
	}
	c.leave()
	if _, err := w.Write([]byte("\x1b[?1049h\x1b[?25l")); err == nil || shown.String() != "text" {
		t.Errorf("%v, %q", err, shown.String())
	}
}
