package check

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// A value that another one asks for is waited for, but not longer than the context.
func TestRecentWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var x recent[string]
		go x.get(t.Context(), "k", func() (string, int) {
			time.Sleep(time.Hour)
			return "first", 1
		})
		synctest.Wait()
		begun := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		again := func() (string, int) { return "again", 1 }
		if v := x.get(ctx, "k", again); v != "again" || time.Since(begun) != time.Second {
			t.Errorf("%s after %v, want again after a second", v, time.Since(begun))
		}
		if v := x.get(t.Context(), "k", again); v != "first" || time.Since(begun) != time.Hour {
			t.Errorf("%s after %v, want the first after an hour", v, time.Since(begun))
		}
	})
}
