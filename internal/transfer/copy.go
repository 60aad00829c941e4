package transfer

import (
	"context"
	"io"
	"os"

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
}

func (s *stepWriter) Write(p []byte) (int, error) {
	n, err := s.f.Write(p)
	s.progress(n)
	return n, err
}

// step is how much moves between two tellings.
const step = 1 << 20

// ReadFrom follows io.ReaderFrom.
func (s *stepWriter) ReadFrom(r io.Reader) (int64, error) {
	var total int64
	for {
		part := io.LimitedReader{R: r, N: step}
		if outer, ok := r.(*io.LimitedReader); ok { // splicing looks through one limit, not through two
			part = io.LimitedReader{R: outer.R, N: min(step, outer.N)}
		}
		want := part.N
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
	}
}
