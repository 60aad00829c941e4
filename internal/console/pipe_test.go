package console

import (
	"context"
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestWaitQuiet ends the input of a session even if the server sends something again and again.
func TestWaitQuiet(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		every, want time.Duration // how often the server sends something; how long its silence is waited for
	}{
		"a silent server":     {0, quietTime},
		"one with a clock":    {990 * time.Millisecond, busyTime},
		"one that never ends": {50 * time.Millisecond, maxBusy},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				var server sync.WaitGroup
				defer server.Wait()
				defer cancel()
				out := &output{w: io.Discard}
				out.touch()
				if tt.every > 0 {
					server.Go(func() {
						for ctx.Err() == nil {
							time.Sleep(tt.every)
							out.Write([]byte("x"))
						}
					})
				}
				begin := time.Now()
				out.waitQuiet(ctx)
				if took := time.Since(begin); took < tt.want || took > tt.want+quietTime {
					t.Errorf("it took %v, want %v", took, tt.want)
				}
			})
		})
	}
}
