package transfer

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"golang.org/x/time/rate"

	"locator/client"
	"locator/scheme"
)

// Options say how a resource is brought in.
type Options struct {
	Continue bool // go on with a part that an earlier run left
	IfNewer  bool // only where the resource is newer than the file
	// SHA256 is the digest that the file must have, lower-case hex; "" is any.
	SHA256 string
	Digest bool // compute the digest even where none is wanted
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
	Skipped  bool // IfNewer: the file is good
	Kept     int64
}

// overlap is how much of a part is asked for again, to see that it is the same resource still.
const overlap = 64 << 10

// Fetch brings what r locates into f. On failure the part is kept (Outcome.Kept octets), and nothing stands under the
// final name that was not there before.
func Fetch(ctx context.Context, c *client.Client, r scheme.Request, f File, o Options) (Outcome, error) {
	if o.IfNewer {
		if in, err := f.Root.Stat(f.Name); err == nil {
			r.If.ModifiedSince = in.ModTime()
		}
	}
	x := &fetch{c: c, r: r, f: f, o: o}
	x.r.Detail = x.r.Detail || o.Continue // the time of change, where it costs a question
	if !o.Continue {
		f.Root.Remove(f.statePath())
	}
	goOn := o.Continue
	for attempt := 1; ; attempt++ {
		out, err := x.try(ctx, goOn)
		if err == nil || attempt > o.Retries || !again(ctx, err) {
			if err != nil {
				x.keep(&out)
			}
			return out, err
		}
		wait := pause(err, attempt)
		if o.Events.Retry != nil {
			o.Events.Retry(err, attempt, wait)
		}
		select {
		case <-ctx.Done():
			x.keep(&out)
			return out, err
		case <-time.After(wait):
		}
		goOn = true
	}
}

// again reports whether another try may help.
func again(ctx context.Context, err error) bool {
	if ctx.Err() != nil {
		return false
	}
	var e *scheme.Error
	if errors.As(err, &e) && e.Final {
		return false
	}
	switch client.CodeOf(err) {
	case scheme.Broken, scheme.Unreachable, scheme.Unavailable:
		return true
	}
	return false
}

// The back-off doubles from a second to half a minute; a peer that names a time is given that, up to a bound.
const (
	firstPause   = time.Second
	maxPause     = 30 * time.Second
	maxRetryTime = 10 * time.Minute
)

func pause(err error, attempt int) time.Duration {
	var e *scheme.Error
	if errors.As(err, &e) && e.RetryAfter > 0 {
		return min(e.RetryAfter, maxRetryTime)
	}
	return min(firstPause<<min(attempt-1, 10), maxPause)
}

// fetch is one transfer with all its tries.
type fetch struct {
	c *client.Client
	r scheme.Request
	f File
	o Options
	// now is what the part belongs to; written is whether that stands beside it on the disk.
	now     state
	written bool
}

// keep leaves the part in a shape that a later run can go on with.
func (x *fetch) keep(out *Outcome) {
	x.f.clean()
	if out.Kept = x.f.partSize(); out.Kept > 0 && !x.written && !x.now.Begun.IsZero() {
		x.written = x.f.writeState(x.now) == nil // without it a later run starts again
	}
}

func (x *fetch) note(format string, args ...any) {
	if x.o.Events.Note != nil {
		x.o.Events.Note(fmt.Sprintf(format, args...))
	}
}

// try brings in what is missing.
func (x *fetch) try(ctx context.Context, goOn bool) (Outcome, error) {
	have, known := int64(0), state{Size: -1}
	if goOn {
		have = x.f.partSize()
		if s, ok := x.f.readState(); ok {
			known = s
		} else if !x.now.Begun.IsZero() {
			known = x.now
		} else {
			have = 0 // nobody knows what it belongs to
		}
	}
	r := x.r
	from := max(have-overlap, 0)
	if have > 0 {
		r.Range, r.Type = scheme.Range{Offset: from}, 'i'
		r.If.RangeTag, r.If.RangeModified = known.ETag, known.Modified
	}
	res, err := x.c.Access(ctx, r)
	if have > 0 && client.CodeOf(err) == scheme.Usage { // shorter than the part
		x.note("the resource is shorter than what is there: it has changed, starting again")
		have, known = 0, state{Size: -1}
		res, err = x.c.Access(ctx, x.r)
	}
	if err != nil {
		return Outcome{}, err
	}
	if res.Kind != scheme.Object {
		return Outcome{Resource: res}, nil
	}
	defer res.Close()
	if res.NotModified {
		return Outcome{Resource: res, Skipped: true}, nil
	}
	return x.receive(ctx, res, have, from, known)
}

// receive writes the body to the part, and ends the transfer when it is whole.
func (x *fetch) receive(ctx context.Context, res *scheme.Resource, have, from int64, known state) (Outcome, error) {
	h, err := x.f.Root.OpenFile(x.f.Part(), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return Outcome{}, local(err)
	}
	defer h.Close()
	now := stateOf(res)
	if have > 0 {
		same, err := x.continues(res, h, have, from, known, now)
		if err != nil {
			return Outcome{}, err
		}
		if !same { // what the peer sends now cannot be joined to what is there
			res.Close()
			have = 0
			if !res.Range.IsZero() {
				if res, err = x.c.Access(ctx, x.r); err != nil {
					return Outcome{}, err
				}
				defer res.Close()
				if res.Kind != scheme.Object {
					return Outcome{}, scheme.Fail(scheme.Protocol, "the resource turned into a %s", res.Kind)
				}
				now = stateOf(res)
			}
		}
	}
	if err := x.begin(h, have, now); err != nil {
		return Outcome{}, err
	}
	if x.o.Events.Begin != nil {
		x.o.Events.Begin(res, have)
	}
	n, err := x.copy(ctx, h, res.Body)
	if err != nil {
		return Outcome{}, err
	}
	out := Outcome{Resource: res, Bytes: have + n, Resumed: have > 0}
	if size, ok := res.Attr.Size.Get(); ok && size != out.Bytes && !loose(x.r, res) {
		return out, scheme.Fail(scheme.Broken, "%d octets came, the peer had said %d: %w", out.Bytes, size, io.ErrUnexpectedEOF)
	}
	if err := x.verify(h, &out); err != nil {
		return out, err
	}
	if err := h.Close(); err != nil {
		return out, local(err)
	}
	return out, local(x.f.finish(res.Attr.Modified, x.written || have > 0))
}

// loose reports whether the size need not be that of the file: a caller's own range.
func loose(r scheme.Request, res *scheme.Resource) bool {
	return !r.Range.IsZero() && res.Range.Offset == r.Range.Offset
}

// begin cuts the part to what is good, and writes down what it belongs to.
func (x *fetch) begin(h *os.File, have int64, now state) error {
	if err := h.Truncate(have); err != nil {
		return local(err)
	}
	if _, err := h.Seek(have, io.SeekStart); err != nil {
		return local(err)
	}
	if have == 0 {
		x.now = now
	}
	// A small file is not worth a second one beside it: after a kill it starts again.
	if have == 0 && (x.o.Continue || now.Size > smallFile) {
		x.written = true
		return local(x.f.writeState(now))
	}
	return nil
}

const smallFile = 1 << 20

// continues reports whether the body that begins at from goes on with the part. It reads the overlap.
func (x *fetch) continues(res *scheme.Resource, h *os.File, have, from int64, known, now state) (bool, error) {
	if !known.same(now) {
		x.note("the resource has changed since: starting again")
		return false, nil
	}
	if from > 0 && res.Range.Offset != from {
		x.note("the peer sends the whole resource")
		return false, nil
	}
	there := make([]byte, have-from)
	if _, err := h.ReadAt(there, from); err != nil {
		return false, local(err)
	}
	came := make([]byte, have-from)
	n, err := io.ReadFull(res.Body, came)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		x.note("the resource is shorter than what is there: starting again")
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if !bytes.Equal(came[:n], there) {
		x.note("the resource has changed since: starting again")
		return false, nil
	}
	return true, nil
}

// copy moves the body into the file. Nothing stands between them where nobody counts, so that the kernel can do it.
func (x *fetch) copy(ctx context.Context, h *os.File, body io.Reader) (int64, error) {
	if x.o.Rate != nil {
		body = &limitedReader{ctx: ctx, r: body, limit: x.o.Rate}
	}
	var out io.Writer = h
	if x.o.Events.Progress != nil {
		out = &stepWriter{f: h, progress: x.o.Events.Progress}
	}
	n, err := io.Copy(out, body)
	var path *fs.PathError
	var e *scheme.Error
	if errors.As(err, &path) && !errors.As(err, &e) {
		err = local(err)
	}
	return n, err
}

// verify computes the digest where it is wanted.
func (x *fetch) verify(h *os.File, out *Outcome) error {
	if x.o.SHA256 == "" && !x.o.Digest {
		return nil
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(h, 0, out.Bytes)); err != nil {
		return local(err)
	}
	out.SHA256 = hex.EncodeToString(sum.Sum(nil))
	if x.o.SHA256 != "" && out.SHA256 != x.o.SHA256 {
		e := scheme.Fail(scheme.Broken, "the file's SHA-256 is %s, not %s: it is kept as a part", out.SHA256, x.o.SHA256)
		e.Final = true
		x.now = state{} // not to be gone on with
		x.f.dropState()
		return e
	}
	return nil
}
