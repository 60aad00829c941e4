package client

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"locator/scheme"
	"locator/scheme/form"
)

// A copy equals its source, whatever the size of the reads and of the buffer.
//
// Covers: S7
func TestCopyGrowing(t *testing.T) {
	t.Parallel()
	large := []byte(strings.Repeat("0123456789abcde\n", 100_000)) // several times the largest buffer
	for name, reader := range map[string]func(io.Reader) io.Reader{
		"all at once":        func(r io.Reader) io.Reader { return r },
		"half of it":         iotest.HalfReader,
		"the end with data":  iotest.DataErrReader,
		"octet after octet":  iotest.OneByteReader,
		"nothing in between": func(r io.Reader) io.Reader { return &pausing{r: r} },
	} {
		for _, want := range [][]byte{nil, large[:1], large[:minBuffer], large[:minBuffer+1], large} {
			var got bytes.Buffer
			n, err := copyGrowing(&got, reader(bytes.NewReader(want)))
			if n != int64(len(want)) || err != nil || !bytes.Equal(got.Bytes(), want) {
				t.Errorf("%s, %d bytes: %d copied, %d told, %v", name, len(want), got.Len(), n, err)
			}
		}
	}
}

// Data before an error is written; the error is that of the reader or the writer.
func TestCopyGrowingFails(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	var got bytes.Buffer
	n, err := copyGrowing(&got, io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(broken)))
	if n != 3 || got.String() != "abc" || err != broken {
		t.Errorf("%d bytes, %q, %v", n, got.String(), err)
	}
	if n, err := copyGrowing(failingWriter{}, strings.NewReader("abc")); n != 0 || err == nil || err.Error() != "disk full" {
		t.Errorf("a writer that fails: %d, %v", n, err)
	}
	if n, err := copyGrowing(shortWriter{}, strings.NewReader("abc")); n != 2 || err != io.ErrShortWrite {
		t.Errorf("a writer that takes too little: %d, %v", n, err)
	}
}

// pausing is a reader whose every second read returns 0, nil.
type pausing struct {
	r    io.Reader
	wait bool
}

func (p *pausing) Read(b []byte) (int, error) {
	if p.wait = !p.wait; p.wait {
		return 0, nil
	}
	return p.r.Read(b)
}

type shortWriter struct{}

func (shortWriter) Write(p []byte) (int, error) { return len(p) - 1, nil }

// waiting is a body whose Read waits until the context of the access ends. Neither it nor its Close
// is safe for concurrent use.
type waiting struct {
	ctx    context.Context
	inRead chan<- bool
	used   int // without a lock, for the race detector
	closed int
}

func (w *waiting) Read([]byte) (int, error) {
	w.used++
	w.inRead <- true
	<-w.ctx.Done()
	w.used++
	return 0, w.ctx.Err()
}

func (w *waiting) Close() error {
	w.used++
	w.closed++
	return nil
}

// waitingClient returns a client whose bodies are waiting. The channel gets a value when a Read has
// begun.
func waitingClient(t *testing.T) (c *Client, body *waiting, inRead <-chan bool) {
	begun := make(chan bool, 1)
	body = &waiting{inRead: begun}
	c = New(Options{Policy: &asked{}, Registry: scheme.NewRegistry(fake{name: "x-a", access: func(ctx context.Context, _ *scheme.Env, _ scheme.Request) (*scheme.Resource, error) {
		body.ctx = ctx
		return &scheme.Resource{Kind: scheme.KindObject, Body: body}, nil
	}})})
	t.Cleanup(func() { c.Close() })
	return c, body, begun
}

// Close ends a Read of another goroutine. The body of the scheme is closed after that Read, and
// once.
func TestCloseWhileReading(t *testing.T) {
	t.Parallel()
	c, body, inRead := waitingClient(t)
	res, err := c.Access(t.Context(), scheme.Request{URL: parse("x-a:b")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := res.Body.Read(make([]byte, 1))
		done <- err
	}()
	<-inRead
	for range 2 {
		if err := res.Close(); err != nil {
			t.Error(err)
		}
	}
	select {
	case err := <-done:
		if !errors.Is(err, fs.ErrClosed) {
			t.Errorf("the Read that was ended returns %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("Close does not end the Read")
	}
	if _, err := res.Body.Read(make([]byte, 1)); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("a Read after Close returns %v", err)
	}
	if _, err := io.Copy(io.Discard, res.Body); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("a copy after Close returns %v", err)
	}
	if body.closed != 1 {
		t.Errorf("the body of the scheme was closed %d times", body.closed)
	}
}

// The writer of a copy may close the body.
func TestCloseInWrite(t *testing.T) {
	t.Parallel()
	closed := false
	c := New(Options{Policy: &asked{}, Registry: scheme.NewRegistry(fake{name: "x-a", access: func(context.Context, *scheme.Env, scheme.Request) (*scheme.Resource, error) {
		return &scheme.Resource{Kind: scheme.KindObject, Body: closer{bytes.NewReader(make([]byte, 100)), closing(func() { closed = true })}}, nil
	}})})
	defer c.Close()
	res, err := c.Access(t.Context(), scheme.Request{URL: parse("x-a:b")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	n, err := io.Copy(writerFunc(func(p []byte) (int, error) { return len(p), res.Close() }), res.Body)
	if n != 100 || err != nil || !closed { // everything was read in one step
		t.Errorf("%d bytes, error %v, closed %v", n, err, closed)
	}
}

type closer struct {
	*bytes.Reader
	io.Closer
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// The Body of a resource that is not an object returns an error; it is never nil.
func TestNoBody(t *testing.T) {
	t.Parallel()
	for kind, res := range map[string]*scheme.Resource{
		"listing": {Kind: scheme.KindListing, Entries: func(func(scheme.Entry, error) bool) {}},
		"query":   {Kind: scheme.KindQuery, Form: &form.Form{}},
	} {
		c := New(Options{Policy: &asked{}, Registry: scheme.NewRegistry(fake{name: "x-a", access: func(context.Context, *scheme.Env, scheme.Request) (*scheme.Resource, error) {
			return res, nil
		}})})
		_, err := get(t, c, "x-a:b")
		wantCode(t, err, scheme.CodeUnsupported, "not a file but a "+kind, "x-a:b")
		c.Close()
	}
}

// After Close every operation returns an error, and connections that come back are not kept.
func TestClosedClient(t *testing.T) {
	t.Parallel()
	c := New(Options{Policy: &asked{}, Registry: scheme.NewRegistry(fake{name: "x-a", access: func(context.Context, *scheme.Env, scheme.Request) (*scheme.Resource, error) {
		return text("body"), nil
	}})})
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := get(t, c, "x-a:b")
	wantCode(t, err, scheme.CodeUsage, "the client is closed")
	if !errors.Is(err, fs.ErrClosed) {
		t.Errorf("not fs.ErrClosed: %v", err)
	}
	if err := c.Close(); err != nil {
		t.Errorf("closed again: %v", err)
	}
}
