package download

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"strconv"

	"locator/scheme"
	"locator/transfer"
	"locator/wire"
)

// receive appends the body to the first have bytes of the part, and renames the file when it is
// complete.
func (x *fetch) receive(ctx context.Context, res *scheme.Resource, have int64) (Outcome, error) {
	if err := x.beginPart(res, have); err != nil {
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
		return out, scheme.Fail(scheme.CodeBroken, "received %d bytes, but the server announced %d: %w", out.Bytes, size, io.ErrUnexpectedEOF)
	}
	if err := x.checkSHA256(&out); err != nil {
		return out, err
	}
	if err := x.verify(ctx, res, &out); err != nil {
		return out, err
	}
	if same, err := x.keepSame(res, &out); same || err != nil {
		return out, x.f.local(err)
	}
	return out, x.f.local(x.finish(res, out.SHA256))
}

// smallFile is the size up to which no state is stored before the body: if the process is killed,
// the download starts again.
const smallFile = 1 << 20

// beginPart truncates the part to its first have bytes, and stores its state before the first byte.
func (x *fetch) beginPart(res *scheme.Resource, have int64) error {
	x.bodyBegun = true
	if err := x.share.Charge(have, res.Attr.Size); err != nil {
		return err
	}
	if x.part == nil {
		var err error
		if x.part, err = x.f.place().OpenPart(true, x.o.Mode); err != nil {
			return err
		}
	}
	if err := x.part.Truncate(have); err != nil {
		return x.f.local(err)
	}
	if have > 0 {
		return nil
	}
	x.state, x.stateSaved = x.stateOf(res), false
	if x.state.Ranges && (x.o.Resume || x.state.Size > smallFile) {
		if err := x.f.writeState(x.state); err != nil {
			return x.f.local(err)
		}
		x.stateSaved = true
		return nil
	}
	return x.f.local(x.f.removeState()) // of an earlier part
}

// copy moves the body to the file. Without a rate limit and progress nothing is between them, so
// that the kernel can do it.
func (x *fetch) copy(ctx context.Context, body io.Reader) (int64, error) {
	body = x.share.Reader(transfer.Limit(ctx, body, x.o.Rate))
	var out io.Writer = x.part.File
	if x.o.Events.Progress != nil {
		out = &progressWriter{f: x.part.File, progress: x.o.Events.Progress}
	}
	n, err := io.Copy(out, body)
	var path *fs.PathError
	var e *scheme.Error
	if errors.As(err, &path) && !errors.As(err, &e) {
		err = x.f.local(err)
	}
	return n, err
}

// checkSHA256 computes the digest if the Options ask for it, and compares it with theirs.
func (x *fetch) checkSHA256(out *Outcome) error {
	if x.o.SHA256 == "" && !x.o.WantSHA256 {
		return nil
	}
	var err error
	if out.SHA256, err = transfer.Digest(sha256.New(), x.part.File, out.Bytes); err != nil {
		return x.f.local(err)
	}
	if x.o.SHA256 == "" || out.SHA256 == x.o.SHA256 {
		return nil
	}
	if err := x.dropState(); err != nil {
		return err
	}
	e := scheme.Fail(scheme.CodeBroken, "the SHA-256 is %s, not %s; what came is kept as %s: look at it and remove it", out.SHA256, x.o.SHA256, x.f.shown(x.f.partName()))
	e.Final = true
	return e
}

// finish sets the final name of the part, and the time of the resource if that is known; that of a
// listing may be of the minute or the day.
func (x *fetch) finish(res *scheme.Resource, sha256 string) error {
	attr := x.knownAttr(res)
	if t := attr.Modified; !t.IsZero() {
		if err := x.f.Root.Chtimes(x.f.partName(), t, t); err != nil {
			return err
		}
	}
	in, err := x.part.File.Stat()
	if err != nil {
		return err
	}
	if x.absent && (x.o.Existing == Refuse || x.o.Existing == Update) {
		if _, err := x.f.Root.Lstat(x.f.Name); err == nil { // somebody else has made it in the meantime
			return x.exists("")
		}
	}
	if err := x.part.Commit(x.f.place()); err != nil {
		return err
	}
	x.part = nil
	if x.f.served != "" {
		x.note("the name %s is not used here; the file is %s", wire.Escape(strconv.Quote(x.f.served)), x.f.shown(x.f.Name))
	}
	x.remember(in, attr, sha256)
	if !x.stateSaved {
		return nil
	}
	return x.f.removeState()
}
