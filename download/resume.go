package download

import (
	"bytes"
	"context"
	"io"

	"locator/client"
	"locator/scheme"
)

// overlap is how many bytes of a part are requested again, to see whether the resource is still the
// same: of a shorter part, half of it.
const overlap = 64 << 10

// try makes one attempt: it accesses what is missing, and receives it.
func (x *fetch) try(ctx context.Context) (Outcome, error) {
	var have int64
	if x.part != nil && x.state.Ranges {
		have = x.part.Size()
	}
	o, from := x.access, have-min((have+1)/2, overlap)
	if have > 0 {
		o.Range, o.Type, o.Detail = scheme.Range{Offset: from}, 'i', true
		o.If.RangeTag, o.If.RangeModified = x.state.ETag, x.state.Modified
	}
	res, err := x.c.Access(ctx, x.r, &o)
	if have > 0 && client.CodeOf(err) == scheme.CodeUsage {
		x.note("the resource is shorter than the partial download; starting again")
		have = 0
		res, err = x.c.Access(ctx, x.r, &x.access)
	}
	if err != nil {
		return Outcome{}, err
	}
	if res.Kind != scheme.KindObject {
		return Outcome{Resource: res}, nil
	}
	defer func() { res.Close() }()
	if res.NotModified {
		return Outcome{Resource: res, UpToDate: true}, nil
	}
	if have > 0 {
		var resumes bool
		if res, resumes, err = x.join(ctx, res, have, from); err != nil {
			return Outcome{}, err
		} else if !resumes {
			have = 0
		}
	}
	return x.receive(ctx, res, have)
}

// join checks whether a body that begins at from continues the part, and reads it up to the end of
// the part. If it does not, join returns a body that begins at 0, and false.
func (x *fetch) join(ctx context.Context, res *scheme.Resource, have, from int64) (*scheme.Resource, bool, error) {
	switch {
	case !x.state.matches(x.stateOf(res)):
		x.note("the resource has changed; starting again")
	case res.Range.Offset != from:
		x.note("the server does not resume; starting again")
	default:
		same, err := x.overlaps(res, have, from)
		if same || err != nil {
			return res, same, err
		}
		x.note("the resource has changed; starting again")
		return x.accessWhole(ctx, res)
	}
	if res.Range.Offset == 0 {
		return res, false, nil
	}
	return x.accessWhole(ctx, res)
}

// overlaps reports whether the body begins with the end of the part.
func (x *fetch) overlaps(res *scheme.Resource, have, from int64) (bool, error) {
	stored := make([]byte, have-from)
	if _, err := x.part.File.ReadAt(stored, from); err != nil {
		return false, x.f.local(err)
	}
	received := make([]byte, have-from)
	switch _, err := io.ReadFull(res.Body, received); err {
	case nil:
		return bytes.Equal(received, stored), nil
	case io.EOF, io.ErrUnexpectedEOF: // the body is shorter; one that breaks off returns a *scheme.Error
		return false, nil
	default:
		return false, err
	}
}

// accessWhole closes old and accesses the whole resource.
func (x *fetch) accessWhole(ctx context.Context, old *scheme.Resource) (*scheme.Resource, bool, error) {
	old.Close()
	res, err := x.c.Access(ctx, x.r, &x.access)
	if err != nil {
		return old, false, err
	}
	if res.Kind != scheme.KindObject || res.NotModified {
		res.Close()
		return old, false, scheme.Fail(scheme.CodeProtocol, "the resource became a %s between two requests", res.Kind)
	}
	return res, false, nil
}
