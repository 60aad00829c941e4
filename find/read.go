package find

import (
	"bytes"
	"errors"
	"io"
	"iter"
)

// Read returns the URLs of a source in their order, as All returns those of its text. It keeps a bounded part of the source in memory:
// twice MaxWrapper at most, and 128 KiB. If the reader fails, Read returns the URLs before that, then the error with the zero Find, and
// ends.
func (f *Finder) Read(r io.Reader) iter.Seq2[Find, error] {
	return func(yield func(Find, error) bool) {
		s := stream{r: r, buf: make([]byte, 0, bufferSize), anchors: byteAnchors(f)}
		s.Finder = f.withDefaults()
		for s.next() {
			if !yield(s.place.find(&s.match), nil) {
				return
			}
		}
		if s.err != io.EOF {
			yield(Find{}, s.err)
		}
	}
}

var newline = []byte("\n")

var errInvalidRead = errors.New("find: the reader returned an invalid count of bytes")

// bufferSize is the size of the buffer at the beginning, in bytes.
const bufferSize = 128 << 10

// stream finds the URLs of a reader.
type stream struct {
	scanner // its text is a copy of a part of buf
	r       io.Reader
	err     error // of r; io.EOF at the end
	anchors anchors[[]byte]

	buf     []byte // what has been read and is still needed
	cleared bool   // something before buf is not needed any more
	pos     int    // in buf: where the next search begins
	end     int    // in buf: of the last URL; negative if it is before buf
	place   place  // of counted
	counted int    // in buf: up to where lines are counted
	lo, hi  int    // in buf: the part that text is a copy of
}

// next finds the next URL. It returns false at the end, when err is set.
func (s *stream) next() bool {
	for {
		a, i := s.anchors.find(s.buf, s.pos)
		s.pos = i
		switch {
		case i >= len(s.buf):
			if s.err != nil {
				return false
			}
			s.pos = max(s.pos-len("ww"), 0) // an anchor may begin at the end
			s.fill(1)
		case s.decideAt(a, i):
			m := &s.match
			s.count(s.lo + m.begin)
			s.end = s.lo + m.end
			s.pos = s.end
			return true
		case s.more:
			s.fill(2 * (len(s.buf) - i))
		default:
			s.pos++
		}
	}
}

// ahead is how much text after an anchor is copied at first. It is enough for most URLs.
const ahead = 256

// decideAt decides whether a URL stands around the anchor at offset i of the buffer.
func (s *stream) decideAt(a anchor, i int) bool {
	for before, after := near, ahead; ; {
		if i-before < s.lo && s.lo > 0 || i+len("://") > s.hi {
			s.copy(i-before, i+after)
		}
		s.final = s.err != nil && s.hi == len(s.buf)
		s.floor = max(0, s.end-s.lo)
		switch found := s.decide(a, i-s.lo); {
		case s.scanner.before && before < context:
			before = context
			s.copy(i-before, i+after)
		case s.more && s.hi < len(s.buf):
			after *= 4
			s.copy(i-before, i+after)
		default:
			return found
		}
	}
}

// copy copies a part of the buffer into text.
func (s *stream) copy(lo, hi int) {
	s.lo, s.hi = max(0, lo), min(len(s.buf), hi)
	s.text = string(s.buf[s.lo:s.hi])
	s.first = s.lo == 0 && !s.cleared
}

// fill reads until at least n bytes more than now stand after pos, or up to the end of the source.
func (s *stream) fill(n int) {
	s.anchors.forget()
	s.lo, s.hi, s.text = 0, 0, ""
	for want := len(s.buf) + n; len(s.buf) < want && s.err == nil; {
		if len(s.buf) == cap(s.buf) {
			want -= s.clear()
		}
		s.read()
	}
}

// maxEmpty is how many reads in a row may return neither bytes nor an error.
const maxEmpty = 100

// read appends what one Read returns.
func (s *stream) read() {
	free := s.buf[len(s.buf):cap(s.buf)]
	for range maxEmpty {
		n, err := s.r.Read(free)
		if n < 0 || n > len(free) {
			s.err = errInvalidRead
			return
		}
		s.buf = s.buf[:len(s.buf)+n]
		if s.err = err; n > 0 || err != nil {
			return
		}
	}
	s.err = io.ErrNoProgress
}

// clear makes space in the buffer: it forgets what stands before the context of pos. If that is not enough, the buffer grows. It
// returns how many bytes it has forgotten.
func (s *stream) clear() int {
	n := max(0, s.pos-context)
	s.count(max(n, s.counted))
	rest := s.buf[n:]
	if len(rest) > cap(s.buf)/2 {
		s.buf = make([]byte, 0, 2*cap(s.buf))
	}
	s.buf = append(s.buf[:0], rest...)
	s.cleared = s.cleared || n > 0
	s.pos -= n
	s.end -= n
	s.counted -= n
	return n
}

// count counts the lines up to offset i of the buffer.
func (s *stream) count(i int) {
	part := s.buf[s.counted:i]
	s.place.advance(len(part), bytes.Count(part, newline), bytes.LastIndexByte(part, '\n'))
	s.counted = i
}
