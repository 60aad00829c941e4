package download

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"

	"locator/client"
	"locator/scheme"
)

// overlap is how much of a part is asked for again, to see that it is the same resource still.
const overlap = 64 << 10

// attempt brings in what is missing.
func (x *fetch) attempt(ctx context.Context) (Outcome, error) {
	var have int64
	if x.part != nil && x.now.Ranges {
		have = x.part.size()
	}
	o, from := x.a, max(have-overlap, 0)
	if have > 0 {
		o.Range, o.Type, o.Detail = scheme.Range{Offset: from}, 'i', true
		o.If.RangeTag, o.If.RangeModified = x.now.ETag, x.now.Modified
	}
	res, err := x.c.Access(ctx, x.r, &o)
	if have > 0 && client.CodeOf(err) == scheme.CodeUsage {
		x.note("the resource is shorter than what is there: starting again")
		have = 0
		res, err = x.c.Access(ctx, x.r, &x.a)
	}
	if err != nil {
		return Outcome{}, err
	}
	if res.Kind != scheme.KindObject {
		return Outcome{Resource: res}, nil
	}
	defer func() { res.Close() }()
	if res.NotModified {
		return Outcome{Resource: res, Skipped: true}, nil
	}
	if have > 0 {
		var good bool
		if res, good, err = x.join(ctx, res, have, from); err != nil {
			return Outcome{}, err
		} else if !good {
			have = 0
		}
	}
	return x.receive(ctx, res, have)
}

// join sees whether the body that begins at from goes on with the part, and reads it up to where the part ends. If not,
// it gives a body that begins at 0.
func (x *fetch) join(ctx context.Context, res *scheme.Resource, have, from int64) (*scheme.Resource, bool, error) {
	switch {
	case !x.now.same(stateOf(x.r, res)):
		x.note("the resource has changed since: starting again")
	case res.Range.Offset != from:
		x.note("the peer sends the whole again")
	default:
		good, err := x.overlaps(res, have, from)
		if good || err != nil {
			return res, good, err
		}
		x.note("the resource has changed since: starting again")
		return x.afresh(ctx, res)
	}
	if res.Range.Offset == 0 {
		return res, false, nil
	}
	return x.afresh(ctx, res)
}

// overlaps compares what comes with the end of the part.
func (x *fetch) overlaps(res *scheme.Resource, have, from int64) (bool, error) {
	there := make([]byte, have-from)
	if _, err := x.part.h.ReadAt(there, from); err != nil {
		return false, x.f.local(err)
	}
	came := make([]byte, have-from)
	switch _, err := io.ReadFull(res.Body, came); err {
	case nil:
		return bytes.Equal(came, there), nil
	case io.EOF, io.ErrUnexpectedEOF: // as such, it is the end; a body that breaks off gives a *scheme.Error
		return false, nil
	default:
		return false, err
	}
}

// afresh asks for the whole.
func (x *fetch) afresh(ctx context.Context, old *scheme.Resource) (*scheme.Resource, bool, error) {
	old.Close()
	res, err := x.c.Access(ctx, x.r, &x.a)
	if err != nil {
		return old, false, err
	}
	if res.Kind != scheme.KindObject || res.NotModified {
		res.Close()
		return old, false, scheme.Fail(scheme.CodeProtocol, "the resource turned into a %s in between", res.Kind)
	}
	return res, false, nil
}

// receive writes the body to the part, behind the first have octets, and ends the transfer when it is whole.
func (x *fetch) receive(ctx context.Context, res *scheme.Resource, have int64) (Outcome, error) {
	if err := x.begin(res, have); err != nil {
		return Outcome{}, err
	}
	if x.o.Events.Begin != nil {
		x.o.Events.Begin(res, have)
	}
	n, err := x.copy(ctx, res.Body)
	if err != nil {
		return Outcome{}, err
	}
	out := Outcome{Resource: res, Bytes: have + n, Resumed: have > 0}
	if size, ok := res.Attr.Size.Get(); ok && size != out.Bytes {
		return out, scheme.Fail(scheme.CodeBroken, "%d octets came, and the peer had said %d: %w", out.Bytes, size, io.ErrUnexpectedEOF)
	}
	if err := x.verify(&out); err != nil {
		return out, err
	}
	if err := x.compare(ctx, res, &out); err != nil {
		return out, err
	}
	return out, x.f.local(x.finish(res))
}

// smallFile is the size up to which a second file beside the part is not worth it: after a kill it starts again.
const smallFile = 1 << 20

// begin cuts the part to what is good, and writes down what it belongs to before the first octet.
func (x *fetch) begin(res *scheme.Resource, have int64) error {
	x.begun = true
	if x.part == nil {
		var err error
		if x.part, err = x.f.open(os.O_RDWR | os.O_CREATE); err != nil {
			return err
		}
	}
	if err := x.part.cut(have); err != nil {
		return x.f.local(err)
	}
	if have > 0 {
		return nil
	}
	x.now, x.written = stateOf(x.r, res), false
	if x.now.Ranges && (x.o.Continue || x.now.Size > smallFile) {
		if err := x.f.writeState(x.now); err != nil {
			return x.f.local(err)
		}
		x.written = true
		return nil
	}
	return x.f.local(x.f.dropState()) // one of an earlier part
}

// copy moves the body into the file. Nothing stands between them where nobody counts, so that the kernel can do it.
func (x *fetch) copy(ctx context.Context, body io.Reader) (int64, error) {
	if x.o.Rate != nil {
		body = &limitedReader{ctx: ctx, r: body, limit: x.o.Rate}
	}
	var out io.Writer = x.part.h
	if x.o.Events.Progress != nil {
		out = &stepWriter{f: x.part.h, progress: x.o.Events.Progress}
	}
	n, err := io.Copy(out, body)
	var path *fs.PathError
	var e *scheme.Error
	if errors.As(err, &path) && !errors.As(err, &e) {
		err = x.f.local(err)
	}
	return n, err
}

// verify computes the digest where it is wanted.
func (x *fetch) verify(out *Outcome) error {
	if x.o.SHA256 == "" && !x.o.Digest {
		return nil
	}
	var err error
	if out.SHA256, err = digest(sha256.New(), x.part.h, out.Bytes); err != nil {
		return x.f.local(err)
	}
	if x.o.SHA256 == "" || out.SHA256 == x.o.SHA256 {
		return nil
	}
	x.now = state{} // not to be gone on with
	if err := x.f.dropState(); err != nil {
		return x.f.local(err)
	}
	e := scheme.Fail(scheme.CodeBroken, "the file's SHA-256 is %s, not %s: it stays a part", out.SHA256, x.o.SHA256)
	e.Final = true
	return e
}

// finish gives the part its final name, and the resource's time where it is known.
func (x *fetch) finish(res *scheme.Resource) error {
	if t := res.Attr.Modified; !t.IsZero() {
		if err := x.f.Root.Chtimes(x.f.Part(), t, t); err != nil {
			return err
		}
	}
	if err := x.part.become(x.f); err != nil {
		return err
	}
	x.part = nil
	if !x.written {
		return nil
	}
	return x.f.dropState()
}

// Write makes a file of what write gives, whole or not at all: what is no resource's body, such as a listing.
func Write(f File, write func(io.Writer) (int64, error)) (n int64, err error) {
	p, err := f.open(os.O_RDWR | os.O_CREATE)
	if err != nil {
		return 0, err
	}
	defer p.close()
	err = f.local(f.dropState())
	if err == nil {
		err = f.local(p.cut(0))
	}
	if err == nil {
		n, err = write(p.h)
	}
	if err == nil {
		err = f.local(p.become(f))
	}
	if err != nil {
		f.Root.Remove(f.Part())
	}
	return n, err
}
