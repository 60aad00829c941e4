package download

import (
	"context"
	"io"
	"os"
	"time"

	"golang.org/x/time/rate"
)

// limitedReader reads no faster than a limit allows.
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
	if n > 0 && l.limit.WaitN(l.ctx, n) != nil { // the context ends before that many may pass
		<-l.ctx.Done()
		return n, l.ctx.Err()
	}
	return n, err
}

// stepWriter tells the progress of a file. It keeps io.ReaderFrom in sight, in steps, so that a socket can still be
// spliced to the file.
type stepWriter struct {
	f        *os.File
	progress func(n int)
	step     int64 // of ReadFrom, so far
}

func (s *stepWriter) Write(p []byte) (int, error) {
	n, err := s.f.Write(p)
	s.progress(n)
	return n, err
}

// How much moves between two tellings: as much as comes in about a tenth of a second, so that what is slow is seen to
// move and what is fast is not held up.
const (
	minStep = 32 << 10
	maxStep = 4 << 20
	stepMin = 20 * time.Millisecond
	stepMax = 200 * time.Millisecond
)

// ReadFrom follows io.ReaderFrom.
func (s *stepWriter) ReadFrom(r io.Reader) (int64, error) {
	var total int64
	if s.step == 0 {
		s.step = minStep
	}
	for {
		part := io.LimitedReader{R: r, N: s.step}
		if outer, ok := r.(*io.LimitedReader); ok { // splicing looks through one limit, not through two
			part = io.LimitedReader{R: outer.R, N: min(s.step, outer.N)}
		}
		want, start := part.N, time.Now()
		n, err := s.f.ReadFrom(&part)
		if outer, ok := r.(*io.LimitedReader); ok {
			outer.N -= n
		}
		total += n
		if n > 0 {
			s.progress(int(n))
		}
		if err != nil || n < want || want == 0 {
			return total, err
		}
		switch took := time.Since(start); {
		case took < stepMin:
			s.step = min(2*s.step, maxStep)
		case took > stepMax:
			s.step = max(s.step/2, minStep)
		}
	}
}
