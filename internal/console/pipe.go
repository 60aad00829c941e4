package console

import (
	"context"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"locator/internal/ctxio"
	"locator/internal/screen"
	"locator/scheme/session"
)

// quietTime is how long a server may be silent after the end of the input before its end is sent.
//
// QUIRK: telnetd of inetutils 2.4 ends a session within milliseconds when the input ends, and drops
// the output that is still to come. Of the replies to 20 lines 0 or 1 came if the end followed at
// once, 1 to 14 if it followed after 50 ms, and all after 300 ms.
const (
	quietTime  = time.Second
	leastQuiet = 300 * time.Millisecond // for a server that has not been silent that long for busyTime
	busyTime   = 10 * time.Second
	maxBusy    = time.Minute
)

// Pipe copies in to a session, and the session's output through filter to w until the server ends
// it. It sends the end of in once the server is silent. If in is nil, the session has no input. If
// filter is nil, everything passes.
func Pipe(ctx context.Context, x session.Session, in io.Reader, w io.Writer, filter *screen.Filter) (n int64, err error) {
	out := &output{w: w, filter: filter}
	out.touch()
	typing, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	defer func() {
		cancel()
		x.Close()
		group.Wait()
	}()
	group.Go(func() {
		if in == nil || copyInput(typing, x, in) == nil {
			out.waitQuiet(typing)
			_ = x.CloseWrite() // the next Read reports what is wrong with the connection
		}
	})
	_, err = io.Copy(out, x)
	if e := out.reset(); err == nil {
		err = e
	}
	return out.n.Load(), err
}

// copyInput copies in to a session up to its end.
func copyInput(ctx context.Context, x io.Writer, in io.Reader) error {
	in = ctxio.NewReader(ctx, in, nil)
	buf, kept := make([]byte, 16<<10), 0
	for {
		n, err := in.Read(buf[kept:])
		n += kept
		if kept = 0; n == len(buf) && buf[n-1] == '\r' { // LF may follow
			kept, n = 1, n-1
		}
		if _, err := x.Write(buf[:n]); err != nil {
			return err
		}
		buf[0] = '\r' // if it was kept
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// output writes the output of a session, for a terminal through a filter.
type output struct {
	w      io.Writer
	filter *screen.Filter // nil passes everything
	n      atomic.Int64   // bytes received
	last   atomic.Int64   // when, in nanoseconds
	buf    []byte
}

func (o *output) touch() { o.last.Store(time.Now().UnixNano()) }

func (o *output) Write(p []byte) (int, error) {
	o.touch()
	o.n.Add(int64(len(p)))
	shown := p
	if o.filter != nil {
		o.buf = o.filter.Append(o.buf[:0], p)
		shown = o.buf
	}
	if _, err := o.w.Write(shown); err != nil {
		return 0, err
	}
	return len(p), nil
}

// reset undoes what the output has changed at the terminal.
func (o *output) reset() error {
	if o.filter == nil {
		return nil
	}
	_, err := o.w.Write(o.filter.Reset())
	return err
}

// waitQuiet waits until nothing has arrived for the time of quietFor.
func (o *output) waitQuiet(ctx context.Context) {
	begin := time.Now()
	for ctx.Err() == nil {
		left := quietFor(time.Since(begin)) - time.Since(time.Unix(0, o.last.Load()))
		if left <= 0 {
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(min(left, leastQuiet)):
		}
	}
}

// quietFor returns how long a server has to be silent before the end of the input is sent, after so
// long a wait. It becomes shorter, since some servers send something every second, and none for a
// server that is never silent.
func quietFor(waited time.Duration) time.Duration {
	switch {
	case waited < busyTime:
		return quietTime
	case waited < maxBusy:
		return leastQuiet
	}
	return 0
}
