package main

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"locator/internal/ctxio"
	"locator/internal/screen"
	"locator/scheme"
)

// terminal describes the terminal of standard output to a server. Without one it is "dumb", so that scripts get text.
func (a *app) terminal() scheme.Terminal {
	t := scheme.Terminal{Type: "dumb"}
	if isTerminal(a.Out) {
		t.Type = a.Getenv("TERM")
		t.Width, t.Height = windowSize(a.Out)
	}
	return t
}

// session connects a session with the terminal. If standard input or output is none, it copies one to the server and the server's output
// to the other.
func (g *getter) session(ctx context.Context, res *scheme.Resource, to place) (err error) {
	if g.o.remoteName || g.o.dir != "" {
		return &scheme.Error{Op: scheme.OpAccess, URL: res.URL.Redacted(), Code: scheme.CodeUsage, Err: errors.New("a session has no file name; use -o to save its output")}
	}
	escape, err := parseEscape(g.o.escape)
	if err != nil {
		return err
	}
	g.app.advise(res)
	if g.interactive(to) {
		c := &console{app: g.app, session: res.Session, res: res, escape: escape, filter: g.filter()}
		g.event.Bytes, err = c.run(ctx)
		return err
	}
	return g.writeTo(ctx, res, to, func(w io.Writer) (int64, error) { return g.pipe(ctx, res.Session, w) })
}

// interactive reports whether a session is connected with the terminal.
func (g *getter) interactive(to place) bool {
	return to == (place{}) && !g.listed() && isTerminal(g.app.In) && isTerminal(g.app.Out)
}

// listed reports whether the URL was read from standard input, which is then no input of a session.
func (g *getter) listed() bool { return g.at.line > 0 && g.at.file == "" }

// advise prints what the URL of a session suggests. The password is shown on a terminal only.
func (a *app) advise(res *scheme.Resource) {
	for _, text := range res.Session.Advice() {
		a.note("%s: %s", res.URL.Redacted(), text)
	}
	if password, ok := res.Session.Secret(); ok && isTerminal(a.Err) {
		a.note("%s: the URL suggests the password %s", res.URL.Redacted(), password)
	}
}

// filter returns a new filter for the output of a session, nil with --raw.
func (g *getter) filter() *screen.Filter {
	if g.o.raw {
		return nil
	}
	return &screen.Filter{ASCII: !g.app.usesUTF8()}
}

// quietTime is how long a server may be silent after the end of the input before its end is sent.
//
// QUIRK: telnetd of inetutils 2.4 ends a session within milliseconds when the input ends, and drops the output that is still to come. Of the replies
// to 20 lines 0 or 1 came if the end followed at once, 1 to 14 if it followed after 50 ms, and all after 300 ms.
const (
	quietTime  = time.Second
	leastQuiet = 300 * time.Millisecond // for a server that has not been silent that long for busyTime
	busyTime   = 10 * time.Second
	maxBusy    = time.Minute
)

// pipe copies standard input to a session, and its output to w until the server ends it.
func (g *getter) pipe(ctx context.Context, x scheme.Session, w io.Writer) (n int64, err error) {
	var filter *screen.Filter
	if w == g.app.Out && isTerminal(w) {
		filter = g.filter()
	}
	out := &sessionOutput{w: w, filter: filter}
	out.touch()
	typing, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	defer func() {
		cancel()
		x.Close()
		group.Wait()
	}()
	group.Go(func() {
		if g.listed() || g.copyInput(typing, x) == nil {
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

// copyInput copies standard input to a session up to its end.
func (g *getter) copyInput(ctx context.Context, x io.Writer) error {
	g.app.sayTyping("the input of the session")
	in := ctxio.NewReader(ctx, g.app.In, nil)
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

// sessionOutput writes the output of a session, for a terminal through a filter.
type sessionOutput struct {
	w      io.Writer
	filter *screen.Filter // nil passes everything
	n      atomic.Int64   // bytes received
	last   atomic.Int64   // when, in nanoseconds
	buf    []byte
}

func (o *sessionOutput) touch() { o.last.Store(time.Now().UnixNano()) }

func (o *sessionOutput) Write(p []byte) (int, error) {
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
func (o *sessionOutput) reset() error {
	if o.filter == nil {
		return nil
	}
	_, err := o.w.Write(o.filter.Reset())
	return err
}

// waitQuiet waits until nothing has arrived for the time of quietFor.
func (o *sessionOutput) waitQuiet(ctx context.Context) {
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

// quietFor returns how long a server has to be silent before the end of the input is sent, after so long a wait. It becomes shorter, since
// some servers send something every second, and none for a server that is never silent.
func quietFor(waited time.Duration) time.Duration {
	switch {
	case waited < busyTime:
		return quietTime
	case waited < maxBusy:
		return leastQuiet
	}
	return 0
}
