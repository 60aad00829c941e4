package dialogue

import (
	"context"
	"errors"
	"io"

	"locator/scheme"
	"locator/wire"
)

// Bare returns a command line of constant words.
func Bare(words string) wire.Line {
	l, _ := wire.Bare(words) // no caller has a line end in it
	return l
}

// Quoted returns a name in quotes, escaped for an error.
func Quoted(name string) string { return `"` + wire.Escape(name) + `"` }

// Dropped wraps the error of a pooled connection that failed before it did anything: the server had closed it. The operation can be
// repeated on another connection without doing anything twice.
type Dropped struct{ Err error }

func (e Dropped) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e Dropped) Unwrap() error { return e.Err }

// MaxDropped bounds how many pooled connections one operation discards.
const MaxDropped = 16

// Repeat calls do, and calls it again after each [Dropped]. The last of MaxDropped+1 calls must not use a pooled connection: then kept
// is false. Repeat traces note before it repeats a call.
func Repeat[T any](ctx context.Context, env *scheme.Env, note string, do func(kept bool) (T, error)) (T, error) {
	for n := 0; ; n++ {
		t, err := do(n < MaxDropped)
		var dropped Dropped
		switch {
		case !errors.As(err, &dropped), ctx.Err() != nil:
			return t, err
		case n == MaxDropped:
			return t, dropped.Err
		}
		env.Trace.OnNote(note)
	}
}

// Connecting is what the greeting of the server comes after, in place of a command.
const Connecting = "connecting"

// Lost returns the error of a connection that ended or stalled after a command, whose name is after. connection names the connection.
func Lost(connection, after string, err error) error {
	var e *scheme.Error
	switch {
	case errors.As(err, &e):
		return err
	case errors.Is(err, wire.ErrLimit):
		return scheme.Fail(scheme.CodeBroken, "the reply to %s: %w", after, err)
	case Timeout(err) && after == Connecting:
		return scheme.Fail(scheme.CodeBroken, "the server sent no greeting within the time limit; it may be a server of another protocol: %w", err)
	case Timeout(err):
		return scheme.Fail(scheme.CodeBroken, "the server stalled after %s: nothing moved within the time limit: %w", after, err)
	case err == io.EOF:
		err = io.ErrUnexpectedEOF
	}
	return scheme.Fail(scheme.CodeBroken, "the server closed the %s after %s: %w", connection, after, err)
}

// Timeout reports whether err is that of a read or write that passed its time limit.
func Timeout(err error) bool {
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout()
}

// Torn returns the error of a body that ends early, after n bytes. It matches io.ErrUnexpectedEOF.
func Torn(n int64, err error) error {
	switch {
	case Timeout(err):
		return scheme.Fail(scheme.CodeBroken, "the transfer stalled after %d bytes: nothing moved within the time limit: %w (%w)", n, io.ErrUnexpectedEOF, err)
	case err == io.EOF || err == nil:
		err = io.ErrUnexpectedEOF
		fallthrough
	case errors.Is(err, io.ErrUnexpectedEOF):
		return scheme.Fail(scheme.CodeBroken, "the transfer broke off after %d bytes: %w", n, err)
	}
	return scheme.Fail(scheme.CodeBroken, "the transfer broke off after %d bytes: %w (%w)", n, io.ErrUnexpectedEOF, err)
}
