package find

import (
	"errors"
	"io"
	"iter"
)

// Read returns the URLs of a source in their order, as All returns those of its text. It keeps a
// bounded part of the source in memory: twice MaxWrapper at most, and 128 KiB. If the reader fails,
// Read returns the URLs before that, then the error with the zero Find, and ends.
func (f *Finder) Read(r io.Reader) iter.Seq2[Find, error] {
	return func(yield func(Find, error) bool) {
		s := stream{scanner: newScanner(f, make([]byte, 0, bufferSize), inBytes), r: r}
		s.final = false
		for s.next() {
			if !yield(s.found, nil) {
				return
			}
		}
		if s.err != io.EOF {
			yield(Find{}, s.err)
		}
	}
}

var errInvalidRead = errors.New("find: the reader returned an invalid count of bytes")

// bufferSize is the size of the buffer at the beginning, in bytes.
const bufferSize = 128 << 10

// stream finds the URLs of a reader. Its text is a buffer: what has been read and is still needed.
type stream struct {
	*scanner[[]byte]
	r   io.Reader
	err error // of r; io.EOF at the end

	forget  func(n int) // is called before the first n bytes of text are forgotten; may be nil
	stopped bool        // nothing more is wanted
}

// next finds the next URL. It returns false at the end, when err is set.
func (s *stream) next() bool {
	for !s.scanner.next() {
		switch {
		case s.err != nil || s.stopped:
			return false
		case s.more:
			s.fill(len(s.text) - s.pos) // twice as much, so that the work is linear
		default:
			s.pos = max(s.floor, len(s.text)-len("ww")) // an anchor may begin at the end
			s.fill(1)
		}
	}
	return true
}

// fill reads until n bytes more are in the buffer, or up to the end of the source.
func (s *stream) fill(n int) {
	s.anchors.forget()
	for ; n > 0 && s.err == nil; n -= s.read() {
		if len(s.text) == cap(s.text) {
			s.clear()
		}
	}
	s.final = s.err != nil
}

// maxEmpty is how many reads in a row may return neither bytes nor an error.
const maxEmpty = 100

// read appends what one Read returns, and returns how much that is.
func (s *stream) read() int {
	free := s.text[len(s.text):cap(s.text)]
	for range maxEmpty {
		n, err := s.r.Read(free)
		if n < 0 || n > len(free) {
			s.err = errInvalidRead
			return 0
		}
		if s.err = err; n > 0 || err != nil {
			s.text = s.text[:len(s.text)+n]
			return n
		}
	}
	s.err = io.ErrNoProgress
	return 0
}

// clear makes space in the buffer. It forgets what precedes the context of pos; if that is not
// enough, the buffer grows.
func (s *stream) clear() {
	n := max(0, s.pos-context)
	s.count(max(n, s.counted))
	if s.forget != nil {
		s.forget(n)
	}
	buf, rest := s.text, s.text[n:]
	if len(rest) > cap(buf)/2 {
		buf = make([]byte, 0, 2*cap(buf))
	}
	s.text = append(buf[:0], rest...)
	s.first = s.first && n == 0
	s.pos, s.floor, s.counted = s.pos-n, max(0, s.floor-n), s.counted-n
}
