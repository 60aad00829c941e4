package nntp

import (
	"bytes"
	"io"

	"locator/scheme"
)

// stuffer writes the lines of an article with another dot before each dot that begins a line
// (RFC 3977 3.1.1). It refuses a CR or LF alone, which a server could take for a line end.
type stuffer struct {
	w    io.Writer
	buf  []byte
	last byte // written; 0 at the start
}

const stuffed = 32 << 10 // bytes of one write

// Write implements io.Writer.
func (s *stuffer) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		if (s.last == 0 || s.last == '\n') && p[0] == '.' {
			s.buf = append(s.buf, '.')
		}
		line := p
		if i := bytes.IndexByte(p, '\n'); i >= 0 {
			line = p[:i+1]
		}
		before := s.last
		for _, c := range line {
			if (before == '\r') != (c == '\n') {
				return 0, scheme.Fail(scheme.CodeLocal, "the article has a CR or LF alone; it was changed while it was posted, and is not posted")
			}
			before = c
		}
		s.buf, s.last, p = append(s.buf, line...), before, p[len(line):]
		if len(s.buf) >= stuffed {
			if err := s.write(); err != nil {
				return 0, err
			}
		}
	}
	return n, nil
}

func (s *stuffer) write() error {
	_, err := s.w.Write(s.buf)
	s.buf = s.buf[:0]
	return err
}

// flush writes what is left. The last line must have ended.
func (s *stuffer) flush() error {
	if s.last != '\n' {
		return scheme.Fail(scheme.CodeLocal, "the last line of the article has no end; it is not posted")
	}
	return s.write()
}
