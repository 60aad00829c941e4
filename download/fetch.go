package download

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
	"time"

	"golang.org/x/time/rate"

	"locator/client"
	"locator/scheme"
	"locator/wire"
)

// Options say how a resource is brought in.
type Options struct {
	// Access are the wishes about the access. Range and If are Fetch's own, and Type and Detail where it needs them.
	Access scheme.AccessOptions
	// Continue goes on with the part that an earlier run left, and leaves a file alone that is whole already.
	Continue bool
	IfNewer  bool // only where the resource is newer than the file
	// SHA256 is the digest that the file must have, lower-case hex; "" is any.
	SHA256 string
	Digest bool // compute the digest even where none is wanted
	// Verify compares the file with a digest that the peer tells, which may cost it a reading of all of the resource; a
	// file that was joined of parts is compared in any case.
	Verify bool
	// Retries is how often a transfer that broke off is tried again.
	Retries int
	Rate    *rate.Limiter // octets a second, shared by all that hold it; nil is no limit
	Events  Events
}

// Events are told how a transfer goes. Each may be nil.
type Events struct {
	Begin    func(res *scheme.Resource, offset int64) // the body begins; offset octets are there already
	Progress func(n int)                              // n more octets
	Retry    func(err error, attempt int, wait time.Duration)
	Note     func(text string)
}

// Outcome is what a transfer came to.
type Outcome struct {
	// Resource is what access gave. Where it is no Object, nothing was written and it is open still: the caller
	// closes it.
	Resource *scheme.Resource
	Bytes    int64  // size of the file
	SHA256   string // lower-case hex, where wanted
	Resumed  bool
	Verified string // the algorithm by which the peer's digest is the file's; "" where none was compared
	Skipped  bool   // the file that is there is good
	// After an error: Kept octets stand in the part; Continuable says that a later run can go on with them.
	Kept        int64
	Continuable bool
}

// Fetch brings the whole of what r locates into f. On failure the part is kept, and nothing stands under the final name
// that was not there before.
func Fetch(ctx context.Context, c *client.Client, r scheme.Request, f File, o Options) (Outcome, error) {
	x := &fetch{c: c, r: r, a: o.Access, f: f, o: o}
	defer x.close()
	if err := x.prepare(); err != nil {
		return Outcome{}, x.named(err)
	}
	if out, ok := x.whole(ctx); ok {
		return out, nil
	}
	for attempt := 1; ; attempt++ {
		out, err := x.attempt(ctx)
		if err == nil {
			return out, nil
		}
		if attempt > o.Retries || !x.again(ctx, err) || !x.wait(ctx, err, attempt) {
			out.Kept, out.Continuable = x.keep()
			return out, x.named(err)
		}
	}
}

// named gives an error its URL, which those of the client have already.
func (x *fetch) named(err error) error {
	var e *scheme.Error
	if errors.As(err, &e) && e.URL != "" {
		return err
	}
	named := &scheme.Error{Op: "access", URL: x.r.URL.Redacted(), Code: client.CodeOf(err), Err: err}
	if e != nil {
		named.Reply, named.RetryAfter, named.Final, named.Err = e.Reply, e.RetryAfter, e.Final, e.Err
	}
	return named
}

// fetch is one transfer with all its attempts.
type fetch struct {
	c *client.Client
	r scheme.Request
	a scheme.AccessOptions
	f File
	o Options

	part    *part // nil before the first octet is due; no other process writes to it
	now     state // what the part belongs to; zero where that is unknown
	written bool  // now stands beside the part on the disk
	begun   bool  // a body has begun in this run
}

// prepare finds what an earlier run left.
func (x *fetch) prepare() error {
	if x.o.IfNewer {
		if in, err := x.f.Root.Stat(x.f.Name); err == nil {
			x.a.If.ModifiedSince = in.ModTime()
		}
	}
	if x.o.Verify {
		x.a.Type = 'i'
	}
	if !x.o.Continue {
		return nil
	}
	x.a.Type, x.a.Detail = 'i', true // octets can be counted, and the time of change costs a question
	s, ok := x.f.readState()
	if !ok || s.URL != x.r.URL.Redacted() || !s.Ranges {
		return nil
	}
	p, err := x.f.open(os.O_RDWR)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	x.part, x.now, x.written = p, s, true
	return nil
}

// whole reports whether an earlier run has brought in all of it: the file has the resource's size, and is not older.
func (x *fetch) whole(ctx context.Context) (Outcome, bool) {
	if !x.o.Continue || x.o.IfNewer || x.part != nil {
		return Outcome{}, false
	}
	in, err := x.f.Root.Stat(x.f.Name)
	if err != nil || !in.Mode().IsRegular() { // a pipe would have to be waited for
		return Outcome{}, false
	}
	h, err := x.f.Root.Open(x.f.Name)
	if err != nil {
		return Outcome{}, false
	}
	defer h.Close()
	if in, err = h.Stat(); err != nil {
		return Outcome{}, false
	}
	res, err := x.c.Attributes(ctx, x.r, &scheme.AttributesOptions{Accept: x.a.Accept, Type: x.a.Type})
	if err != nil {
		return Outcome{}, false
	}
	attr := res.Attr
	size, known := attr.Size.Get()
	if !known || size != in.Size() || attr.Modified.After(in.ModTime()) {
		return Outcome{}, false
	}
	out := Outcome{Bytes: size, Skipped: true,
		Resource: &scheme.Resource{URL: x.r.URL, Kind: scheme.KindObject, Attr: attr, NotModified: true}}
	if x.o.SHA256 != "" || x.o.Digest {
		if out.SHA256, err = digest(sha256.New(), h, size); err != nil || x.o.SHA256 != "" && out.SHA256 != x.o.SHA256 {
			return Outcome{}, false
		}
	}
	if x.o.Verify && !x.agrees(ctx, h, &out) {
		return Outcome{}, false
	}
	return out, true
}

// keep leaves the part in a shape that a later run can go on with; an empty one goes.
func (x *fetch) keep() (kept int64, continuable bool) {
	if x.part == nil {
		return 0, false
	}
	if kept = x.part.size(); kept == 0 {
		x.f.Root.Remove(x.f.Part())
		x.f.dropState()
		return 0, false
	}
	if x.now.Ranges && !x.written {
		x.written = x.f.writeState(x.now) == nil // without it a later run starts again
	}
	return kept, x.now.Ranges && x.written
}

func (x *fetch) close() {
	if x.part != nil {
		x.part.close()
	}
}

func (x *fetch) note(format string, args ...any) {
	if x.o.Events.Note != nil {
		x.o.Events.Note(fmt.Sprintf(format, args...))
	}
}

// again reports whether another attempt may help.
func (x *fetch) again(ctx context.Context, err error) bool {
	if ctx.Err() != nil || errors.Is(err, wire.ErrLimit) {
		return false
	}
	var e *scheme.Error
	if errors.As(err, &e) && e.Final {
		return false
	}
	switch client.CodeOf(err) {
	case scheme.CodeBroken, scheme.CodeUnavailable:
		return true
	case scheme.CodeUnreachable: // who was there may come back; who never was need not be waited for
		return x.begun || !nobodyThere(err)
	}
	return false
}

// nobodyThere reports whether the name is known not to exist, or nobody listens at the port.
func nobodyThere(err error) bool {
	var dns *net.DNSError
	return errors.As(err, &dns) && dns.IsNotFound || errors.Is(err, syscall.ECONNREFUSED)
}

// The back-off doubles from a second to half a minute; a peer that names a time is given that, up to a bound.
const (
	firstPause    = time.Second
	maxPause      = 30 * time.Second
	maxRetryAfter = 10 * time.Minute
)

// wait backs off; it reports false when the context has ended.
func (x *fetch) wait(ctx context.Context, err error, attempt int) bool {
	d := pause(err, attempt)
	if x.o.Events.Retry != nil {
		x.o.Events.Retry(err, attempt, d)
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

func pause(err error, attempt int) time.Duration {
	var e *scheme.Error
	if errors.As(err, &e) && e.RetryAfter > 0 {
		return min(e.RetryAfter, maxRetryAfter)
	}
	return min(firstPause<<min(attempt-1, 10), maxPause)
}
