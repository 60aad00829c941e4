package format

import (
	"bufio"
	"iter"
)

// line is a line of the source, or a piece of a long one.
type line struct {
	text  []byte // with its line end; only valid until the next line is read
	at    int64
	begin bool // it begins a line
}

// lines returns the lines of the source.
func (s *scanner) lines() iter.Seq[line] {
	return func(yield func(line) bool) {
		in := bufio.NewReaderSize(s.in, blockSize)
		for l := (line{begin: true}); !s.stopped; {
			text, err := in.ReadSlice('\n')
			if l.text = text; len(text) > 0 && !yield(l) {
				return
			}
			l.at += int64(len(text))
			if l.begin = err == nil; err != nil && err != bufio.ErrBufferFull {
				return
			}
		}
	}
}

// isBlank reports whether the line has white space only.
func (l line) isBlank() bool {
	for _, c := range l.text {
		if c > ' ' {
			return false
		}
	}
	return l.begin
}

// writeTo writes the line to a sink.
func (l line) writeTo(to sink) { to.write(l.text, l.at, l.at+int64(len(l.text))) }
