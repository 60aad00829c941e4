package upload

import (
	"bytes"
	"context"
	"errors"
	"io"
	"time"

	"golang.org/x/time/rate"

	"locator/client"
	"locator/internal/hint"
	"locator/scheme"
	"locator/transfer"
)

// Options say how data are uploaded. The zero value sends them once, and replaces the resource.
type Options struct {
	Write scheme.WriteOptions
	// Append adds to the resource instead of replacing it.
	Append bool
	// Resume continues an upload of an earlier run, and keeps what has arrived when this one fails.
	// The data must be those of an *os.File from its beginning, and the scheme a [scheme.Resumer].
	// What the server has must be the beginning of the file, as far as it shows that: by a digest
	// or else by three pieces of it. A file that is there already, with the same digest or size and
	// time, is not sent. The file gets the time of the local one, where the server can set it.
	Resume bool
	// Retries is how often an upload is tried again after it failed for a reason that may pass.
	// Data that can be read once only, such as those of a pipe, are sent again only if they have
	// less than 1 MiB or nothing of them was read; data that Append adds only if nothing was read,
	// since the server may have added some.
	Retries int
	// Rate limits the bytes per second of all uploads that share it; nil means no limit. Its burst
	// must be at least one byte.
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
	Bytes    int64  // size of the data
	Resumed  int64  // how many of them the server had already
	UpToDate bool   // it had all, and nothing was sent
	Verified string // the algorithm of the server's checksum that the data were compared with, "" if there was none
}

// Put sends b to r.URL, by [client.Client.Replace] or, with Options.Append, [client.Client.Update],
// or [client.Client.Resume]. If b.Reader is an io.Seeker, it is read from where it is, and again
// for each attempt; else its first MiB is read before anything is sent, unless its size is known or
// it has a Commit function. The error is a *scheme.Error, that of the last attempt.
func Put(ctx context.Context, c *client.Client, r scheme.Request, b scheme.Body, o Options) (Outcome, error) {
	x := &put{c: c, r: r, b: b, o: o, src: newSource(b.Reader, o.Events.Progress)}
	if o.Resume {
		if err := x.newResumption(); err != nil {
			return Outcome{}, err
		}
	}
	if err := x.readAhead(ctx); err != nil {
		return Outcome{}, err
	}
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

	resumption *resumption // nil unless Options.Resume is set
}

// aheadSize is the size from which on data that can be read once only are not kept in memory.
const aheadSize = 1 << 20

// readAhead reads the beginning of data of unknown size that can be read once only. If that is all,
// their size is known, and they can be sent again: so a server is not asked whether it wants them,
// which costs time where it does not answer that.
func (x *put) readAhead(ctx context.Context) error {
	_, known := x.b.Size.Get()
	if known || x.src.seek != nil || x.b.Commit != nil {
		return nil
	}
	if err := x.c.Preflight(x.op(), x.r); err != nil { // before it waits for data
		return err
	}
	data, r := new(bytes.Buffer), x.b.Source(ctx)
	if _, err := r.Do(func() (int64, error) { return data.ReadFrom(io.LimitReader(r, aheadSize)) }); err != nil {
		code := scheme.CodeLocal
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			code = scheme.CodeBroken
		case ctx.Err() != nil:
			code = scheme.CodeInterrupted
		}
		return x.fail(code, err)
	}
	x.b.Reader = io.MultiReader(data, x.b.Reader)
	if data.Len() < aheadSize {
		x.b.Reader, x.b.Size = bytes.NewReader(data.Bytes()), scheme.Known(int64(data.Len()))
	}
	x.src = newSource(x.b.Reader, x.o.Events.Progress)
	return nil
}

// try makes one attempt.
func (x *put) try(ctx context.Context) (Outcome, error) {
	var at begin
	if x.resumption != nil {
		var err error
		if at, err = x.find(ctx); err != nil {
			return Outcome{}, err
		}
		if at.done {
			return Outcome{Resource: &scheme.Resource{URL: x.r.URL, Kind: scheme.KindObject}, Bytes: at.offset, Resumed: at.offset, UpToDate: true, Verified: at.by}, nil
		}
	}
	a, reader, err := x.src.attempt(ctx, at.offset, x.o.Rate)
	if err != nil {
		return Outcome{}, x.fail(scheme.CodeLocal, err)
	}
	b := x.b
	b.Reader = reader
	if x.o.Events.Begin != nil {
		x.o.Events.Begin(b.Size.Or(-1), at.offset)
	}
	res, err := x.send(ctx, b, at)
	n := a.end() - x.src.start
	if err != nil {
		return Outcome{}, err
	}
	out := Outcome{Resource: res, Bytes: x.b.Size.Or(n), Resumed: at.offset}
	if at.offset > 0 {
		if err := x.verify(ctx, &out); err != nil {
			res.Close()
			return Outcome{}, err
		}
	}
	return out, nil
}

// send sends the data, from where an attempt begins.
func (x *put) send(ctx context.Context, b scheme.Body, at begin) (*scheme.Resource, error) {
	if size, ok := b.Size.Get(); ok {
		b.Size = scheme.Known(size - at.offset)
	}
	switch {
	case x.o.Append || at.inPlace:
		return x.c.Update(ctx, x.r, b, &x.o.Write)
	case x.resumption == nil:
		return x.c.Replace(ctx, x.r, b, &x.o.Write)
	}
	return x.c.Resume(ctx, x.r, b, x.resumption.part, at.offset, &x.o.Write)
}

// mayRetry reports whether another attempt may succeed, and does no harm. To replace a resource
// twice does none (RFC 9110 9.2.2).
func (x *put) mayRetry(ctx context.Context, err error) bool {
	switch {
	case x.src.moved && (x.o.Append || x.src.seek == nil):
		return false
	case client.CodeOf(err) == scheme.CodeInDoubt:
		return !x.o.Append && ctx.Err() == nil
	}
	return transfer.MayRetry(ctx, err, x.src.moved)
}

// op is the operation that sends the data.
func (x *put) op() scheme.Op {
	if x.o.Append {
		return scheme.OpUpdate
	}
	return scheme.OpReplace
}

// fail is an error of this package.
func (x *put) fail(code scheme.Code, err error) error {
	return &scheme.Error{Op: x.op(), URL: x.r.URL.Redacted(), Code: code, Hint: hint.Of(err), Err: err}
}
