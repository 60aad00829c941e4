package netdial

import (
	"errors"
	"net"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

// A Read ends at the idle timeout or the scheme's deadline, whichever is earlier; interactive
// connections have no idle timeout.
//
// Covers: P6
func TestIdleConn(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name      string
		idle, own time.Duration // 0 is none
		want      time.Duration // 0 means no timeout
	}{
		{"idle", 30 * time.Second, 0, 30 * time.Second},
		{"the scheme's own is earlier", 30 * time.Second, 4 * time.Second, 4 * time.Second},
		{"the scheme's own is later", 30 * time.Second, time.Minute, 30 * time.Second},
		{"a person", 0, 0, 0},
		{"a person, with a deadline", 0, time.Minute, time.Minute},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				here, there := net.Pipe()
				defer there.Close()
				c := &Conn{Conn: here, idle: tt.idle}
				defer c.Close()
				if tt.own > 0 {
					if err := c.SetDeadline(time.Now().Add(tt.own)); err != nil {
						t.Fatal(err)
					}
				}
				time.AfterFunc(5*time.Hour, func() { there.Close() })
				for _, op := range []func([]byte) (int, error){c.Read, c.Write} {
					begin := time.Now()
					_, err := op(make([]byte, 1))
					took := time.Since(begin)
					switch {
					case tt.want == 0:
						if errors.Is(err, os.ErrDeadlineExceeded) {
							t.Errorf("it ended after %v: %v", took, err)
						}
					case !errors.Is(err, os.ErrDeadlineExceeded) || took != tt.want && tt.own != tt.want:
						t.Errorf("it took %v and gave %v, want a deadline after %v", took, err, tt.want)
					}
				}
				if tt.idle == 0 || tt.own == 0 {
					return
				}
				// A zero deadline removes the deadline.
				if err := c.SetDeadline(time.Time{}); err != nil {
					t.Fatal(err)
				}
				begin := time.Now()
				if _, err := c.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(begin) != tt.idle {
					t.Errorf("after the deadline was taken back: %v, %v; want the idle time %v", time.Since(begin), err, tt.idle)
				}
			})
		})
	}
}
