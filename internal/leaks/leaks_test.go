package leaks

import (
	"context"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
)

// pipe is a network of in-memory connections.
func pipe(context.Context, string, string) (net.Conn, error) {
	here, _ := net.Pipe()
	return here, nil
}

// The ledger reports what is still open and what only the end of the test's context closed, and nothing else.
func TestLedger(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		use  func(ctx context.Context, c net.Conn, b io.ReadCloser)
		want int
	}{
		{"both are closed", func(_ context.Context, c net.Conn, b io.ReadCloser) { c.Close(); b.Close(); b.Close() }, 0},
		{"nothing is closed", func(context.Context, net.Conn, io.ReadCloser) {}, 2},
		{"the body is left", func(_ context.Context, c net.Conn, _ io.ReadCloser) { c.Close() }, 1},
		{"the context closes", func(ctx context.Context, c net.Conn, b io.ReadCloser) {
			context.AfterFunc(ctx, func() { c.Close() })
			b.Close()
		}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				l := Watch(t)
				l.ctx = ctx
				c, err := l.Dial(pipe)(ctx, "tcp", "192.0.2.1:1")
				if err != nil {
					t.Fatal(err)
				}
				tt.use(ctx, c, l.Body(io.NopCloser(strings.NewReader(""))))
				cancel() // as the test does at its end
				synctest.Wait()
				if left := l.left(0); len(left) != tt.want {
					t.Errorf("%q are still open, want %d", left, tt.want)
				}
			})
		})
	}
}
