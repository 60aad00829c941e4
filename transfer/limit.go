package transfer

import (
	"context"
	"io"

	"golang.org/x/time/rate"

	"locator/scheme"
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
	if limit, burst := l.limit.Limit(), l.limit.Burst(); limit != rate.Inf {
		if limit <= 0 || burst <= 0 {
			return 0, scheme.Fail(scheme.CodeUsage, "the rate limit, %v bytes per second with a burst of %d, allows no byte", limit, burst)
		}
		p = p[:min(len(p), burst)]
	}
	n, err := l.r.Read(p)
	if n == 0 {
		return 0, err
	}
	if never := l.limit.WaitN(l.ctx, n); never != nil {
		if _, ends := l.ctx.Deadline(); !ends && l.ctx.Err() == nil {
			return n, scheme.Fail(scheme.CodeUsage, "the rate limit allows no more bytes: %w", never)
		}
		<-l.ctx.Done() // it ends before the limit allows n bytes
		return n, context.Cause(l.ctx)
	}
	return n, err
}
