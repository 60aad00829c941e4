package leaks

import (
	"context"
	"iter"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) { os.Exit(Guard{m}.Run()) }

// tests are a testing.M.
type tests func() int

func (f tests) Run() int { return f() }

// The guard reports what is left open after the tests, and what it was. It is not a parallel test:
// others open things.
func TestGuard(t *testing.T) {
	type undo func()
	for _, tt := range []struct {
		name, want string
		leave      func(t *testing.T) undo
	}{
		{"nothing", "", func(*testing.T) undo { return func() {} }},
		{"a goroutine that ends by itself", "", func(*testing.T) undo {
			go time.Sleep(20 * time.Millisecond)
			return func() {}
		}},
		{"a file", "left.txt", func(t *testing.T) undo {
			f, err := os.Create(filepath.Join(t.TempDir(), "left.txt"))
			if err != nil {
				t.Fatal(err)
			}
			return func() { f.Close() }
		}},
		{"a socket", "socket:", func(t *testing.T) undo {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			return func() { l.Close() }
		}},
		{"a goroutine", "waits(", func(*testing.T) undo {
			end := make(chan struct{})
			go waits(end)
			return func() { close(end) }
		}},
		{"a function that waits for a context", "afterFuncCtx", func(*testing.T) undo {
			ctx, cancel := context.WithCancel(t.Context())
			end := make(chan struct{})
			context.AfterFunc(ctx, func() { waits(end) })
			cancel()
			return func() { close(end) }
		}},
		{"a sequence that is not read to its end", "[coroutine]", func(*testing.T) undo {
			next, stop := iter.Pull(func(yield func(int) bool) {
				for yield(1) {
				}
			})
			next()
			return stop
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files, routines := descriptors(), goroutines()
			end := tt.leave(t)
			wait := 30 * time.Millisecond
			if tt.want == "" {
				wait = 10 * time.Second
			}
			got := remains(files, routines, wait)
			end()
			if tt.want == "" && got != nil || tt.want != "" && (len(got) != 1 || !strings.Contains(got[0], tt.want)) {
				t.Errorf("%q are left, want %q", got, tt.want)
			}
			if got := remains(files, routines, 10*time.Second); got != nil {
				t.Errorf("%q are left at the end", got)
			}
		})
	}
}

func waits(end chan struct{}) { <-end }

// A run of tests that fails keeps its status.
func TestGuardStatus(t *testing.T) {
	for _, want := range []int{0, 3} {
		if got := (Guard{tests(func() int { return want })}).Run(); got != want {
			t.Errorf("status %d, want %d", got, want)
		}
	}
}
