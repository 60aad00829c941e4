package transfer

import (
	"context"
	"io"

	"golang.org/x/time/rate"
)

// Limit returns a reader of r that is no faster than the limit allows. A nil limit returns r.
func Limit(ctx context.Context, r io.Reader, limit *rate.Limiter) io.Reader {
	if limit == nil {
		return r
	}
	return &limitedReader{ctx: ctx, r: r, limit: limit}
}

// limitedReader reads no faster than a rate limit allows.
type limitedReader struct {
	ctx   context.Context
	r     io.Reader
	limit *rate.Limiter
}

func (l *limitedReader) Read(p []byte) (int, error) {
	if burst := l.limit.Burst(); len(p) > burst {
		p = p[:burst]
	}
	n, err := l.r.Read(p)
	if n > 0 && l.limit.WaitN(l.ctx, n) != nil { // the context ends before the limit allows n bytes
		<-l.ctx.Done()
		return n, context.Cause(l.ctx)
	}
	return n, err
}
