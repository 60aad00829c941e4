package format_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"locator/find/format"
)

// The end of the context ends the reading of a source without end, in every format and in another charset.
//
// Covers: F4
func TestCancelled(t *testing.T) {
	t.Parallel()
	for _, f := range format.All() {
		if f.Name() == "pdf" { // another program reads it
			continue
		}
		for _, begin := range []string{"", "\xff\xfe"} {
			ctx, cancel := context.WithCancel(t.Context())
			last := error(nil)
			text := &repeated{text: strings.Repeat(" \"http://h.example/a\"\n\n", 100), n: 200}
			r := io.MultiReader(strings.NewReader(begin), text)
			in := readFunc(func(p []byte) (int, error) {
				if text.n < 190 {
					cancel()
				}
				return r.Read(p)
			})
			for _, err := range f.Read(ctx, in, format.Options{}) {
				last = err
			}
			cancel()
			if !errors.Is(last, context.Canceled) || text.n < 100 {
				t.Errorf("%s: error %v, and %d pieces were not read", f.Name(), last, text.n)
			}
		}
	}
}
