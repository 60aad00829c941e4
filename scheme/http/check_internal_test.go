package http

import (
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Of a body the first bytes are read, as far as they come in time. A request is not ended later.
func TestCheckPeek(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		text   string
		stalls bool
		want   int
		after  time.Duration
	}{
		{"short", "text", false, 4, 0},
		{"long", strings.Repeat("x", maxPeek+10), false, maxPeek, 0},
		{"long, and stalls", strings.Repeat("x", maxPeek+10), true, maxPeek, 0},
		{"stalls", "text", true, 4, peekTime},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			in, out := io.Pipe()
			go func() {
				io.WriteString(out, tt.text)
				if tt.stalls {
					<-ctx.Done()
				}
				out.CloseWithError(ctx.Err()) // nil is io.EOF
			}()
			begun := time.Now()
			start, err := peek(in, cancel)
			if took := time.Since(begun); len(start) != tt.want || took != tt.after || tt.after > 0 != (ctx.Err() != nil) {
				t.Errorf("%s: %d bytes after %v, %v; want %d after %v", tt.name, len(start), took, err, tt.want, tt.after)
			}
			time.Sleep(2 * peekTime)
			if tt.after == 0 && ctx.Err() != nil {
				t.Errorf("%s: the request was ended later", tt.name)
			}
			in.Close()
		})
	}
}
