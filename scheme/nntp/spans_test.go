package nntp

import (
	"testing"
	"time"

	"locator/internal/hang"
)

// As many ranges as a search may return are taken in linear time, from either end.
//
// Covers: P6
func TestTakeManySpans(t *testing.T) {
	t.Parallel()
	hang.Within(t, 20*time.Second)
	for _, newest := range []bool{false, true} {
		const n = 400_000
		spans := make([]span, n)
		for i := range spans {
			spans[i] = span{int64(2*i + 1), int64(2*i + 1)}
		}
		count := 0
		for len(spans) > 0 {
			count += len(take(&spans, maxPart, newest))
		}
		if count != n {
			t.Errorf("%d of %d spans", count, n)
		}
	}
}
