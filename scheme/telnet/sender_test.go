package telnet

import (
	"context"
	"errors"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"locator/internal/clock"
	"locator/scheme"
	"locator/scheme/session"
)

// The replies that wait for a server that does not read are bounded.
//
// Covers: A10, P6
func TestQueue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		here, there := net.Pipe()
		defer there.Close()
		s := newSender(here)
		for _, tt := range []struct {
			size  int
			fails bool
		}{{1, false}, {maxQueued, false}, {1, true}} { // the first is being written
			err := s.reply(make([]byte, tt.size))
			if e, ok := errors.AsType[*scheme.Error](err); ok != tt.fails || ok && e.Code != scheme.CodeProtocol {
				t.Errorf("a reply of %d bytes: %v", tt.size, err)
			}
			synctest.Wait()
		}
		s.stop(net.ErrClosed)
		here.Close()
		<-s.done
	})
}

// waited counts the functions that wait for its end.
type waited struct {
	context.Context
	n int
}

func (w *waited) Done() <-chan struct{} { return make(chan struct{}) }

func (w *waited) AfterFunc(func()) func() bool {
	w.n++
	return func() bool { w.n--; return true }
}

// slow is a connection whose writes end late.
type slow struct{ net.Conn }

func (s slow) Write(p []byte) (int, error) {
	defer time.Sleep(20 * time.Millisecond)
	return s.Conn.Write(p)
}

// After Close nothing keeps the session: a context may live longer, and the goroutine of the sender
// has ended.
//
// Covers: P6
func TestCloseLeavesNothing(t *testing.T) {
	t.Parallel()
	here, there := net.Pipe()
	defer there.Close()
	chars, err := newCharset("")
	if err != nil {
		t.Fatal(err)
	}
	ctx := &waited{Context: t.Context()}
	s := newSession(ctx, &scheme.Env{Clock: clock.System{}, Trace: &scheme.Trace{}}, here, slow{here}, place{}, chars, session.Terminal{})
	if ctx.n != 1 {
		t.Errorf("%d functions wait for the context, want 1", ctx.n)
	}
	if err := s.out.reply([]byte("x")); err != nil {
		t.Error(err)
	}
	if _, err := there.Read(make([]byte, 1)); err != nil { // the sender is in Write
		t.Error(err)
	}
	if s.Close(); ctx.n != 0 {
		t.Errorf("after Close %d functions wait for the context", ctx.n)
	}
	select {
	case <-s.out.done:
	default:
		t.Error("after Close the sender still runs")
	}
}
