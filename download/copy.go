package download

import (
	"io"
	"os"
	"time"
)

// progressWriter writes to a file and reports progress. It implements io.ReaderFrom, so that the
// kernel can still splice a socket to the file; ReadFrom reports after each step.
type progressWriter struct {
	f        *os.File
	progress func(n int)
	step     int64 // bytes that ReadFrom moves before it reports
}

func (s *progressWriter) Write(p []byte) (int, error) {
	n, err := s.f.Write(p)
	s.progress(n)
	return n, err
}

// A step has between minStep and maxStep bytes. It grows while steps take less than shortStep, and
// shrinks while they take more than longStep, so that slow downloads show progress and fast ones
// are not slowed down.
const (
	minStep   = 32 << 10
	maxStep   = 4 << 20
	shortStep = 20 * time.Millisecond
	longStep  = 200 * time.Millisecond
)

// ReadFrom implements io.ReaderFrom.
func (s *progressWriter) ReadFrom(r io.Reader) (int64, error) {
	var total int64
	if s.step == 0 {
		s.step = minStep
	}
	for {
		part := io.LimitedReader{R: r, N: s.step}
		if outer, ok := r.(*io.LimitedReader); ok { // splice(2) works through one LimitedReader, not through two
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
		case took < shortStep:
			s.step = min(2*s.step, maxStep)
		case took > longStep:
			s.step = max(s.step/2, minStep)
		}
	}
}
