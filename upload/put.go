package upload

import (
	"context"
	"time"

	"golang.org/x/time/rate"

	"locator/client"
	"locator/internal/transfer"
	"locator/scheme"
)

// Options say how data are uploaded. The zero value sends them once, and replaces the resource.
type Options struct {
	Write scheme.WriteOptions
	// Append adds to the resource instead of replacing it.
	Append bool
	// Retries is how often an upload is tried again after it failed for a reason that may pass. Data that can be read once only, such
	// as those of a pipe, are sent again only if nothing of them was read; so are data that Append adds, since the server may have
	// added some.
	Retries int
	// Rate limits the bytes per second of all uploads that share it; nil is no limit.
	Rate   *rate.Limiter
	Events Events
}

// Events are functions that Put calls while it runs. Each may be nil.
type Events struct {
	Begin    func(size, offset int64)                         // an attempt begins, behind the first offset bytes; size is -1 if it is unknown
	Progress func(n int)                                      // n more bytes were read to be sent; negative if they will be read again
	Retry    func(err error, attempt int, wait time.Duration) // attempt failed, the next one begins after wait
	Note     func(text string)                                // a message for the user
}

// Outcome is the result of an upload.
type Outcome struct {
	// Resource is what the server returned; nil after an error. The caller must Close it.
	Resource *scheme.Resource
	Bytes    int64 // size of the data
}

// Put sends b to r.URL, by [client.Client.Replace] or, with Options.Append, [client.Client.Update]. If b.Reader is an io.Seeker, it is
// read from where it is, and again for each attempt. The error is a *scheme.Error, that of the last attempt.
func Put(ctx context.Context, c *client.Client, r scheme.Request, b scheme.Body, o Options) (Outcome, error) {
	x := &put{c: c, r: r, b: b, o: o, src: newSource(b.Reader, o.Events.Progress)}
	for attempt := 1; ; attempt++ {
		out, err := x.try(ctx)
		if err == nil || attempt > o.Retries || !x.mayRetry(ctx, err) || !transfer.BackOff(ctx, err, attempt, o.Events.Retry) {
			return out, err
		}
	}
}

// put is one upload with all its attempts.
type put struct {
	c   *client.Client
	r   scheme.Request
	b   scheme.Body
	o   Options
	src *source
}

// try makes one attempt.
func (x *put) try(ctx context.Context) (Outcome, error) {
	a, reader, err := x.src.attempt(ctx, 0, x.o.Rate)
	if err != nil {
		return Outcome{}, x.local(err)
	}
	b := x.b
	b.Reader = reader
	if x.o.Events.Begin != nil {
		x.o.Events.Begin(b.Size.Or(-1), 0)
	}
	send := x.c.Replace
	if x.o.Append {
		send = x.c.Update
	}
	res, err := send(ctx, x.r, b, &x.o.Write)
	n := a.end() - x.src.start
	if err != nil {
		return Outcome{}, err
	}
	return Outcome{Resource: res, Bytes: b.Size.Or(n)}, nil
}

// mayRetry reports whether another attempt may succeed, and does no harm. To replace a resource twice does none (RFC 9110 9.2.2).
func (x *put) mayRetry(ctx context.Context, err error) bool {
	switch {
	case x.src.moved && (x.o.Append || x.src.seek == nil):
		return false
	case client.CodeOf(err) == scheme.CodeInDoubt:
		return !x.o.Append && ctx.Err() == nil
	}
	return transfer.MayRetry(ctx, err, x.src.moved)
}

// local is the error of this machine's file system.
func (x *put) local(err error) error {
	op := scheme.OpReplace
	if x.o.Append {
		op = scheme.OpUpdate
	}
	return &scheme.Error{Op: op, URL: x.r.URL.Redacted(), Code: scheme.CodeLocal, Err: err}
}
