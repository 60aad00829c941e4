package find

import (
	"io"
	"iter"
)

// SplitReader is Split for a source, in as little memory as Read takes. The text between two URLs
// may come in several pieces. If the reader fails, the last pieces are the rest of what was read;
// then comes the error with the zero Piece.
func (f *Finder) SplitReader(r io.Reader) iter.Seq2[Piece, error] {
	return func(yield func(Piece, error) bool) {
		s := stream{scanner: newScanner(f, make([]byte, 0, bufferSize), inBytes), r: r}
		s.final = false
		end := 0 // of the pieces so far, in s.text
		piece := func(to int, p Piece) {
			if end < to && !s.stopped {
				p.Text = string(s.text[end:to])
				s.stopped = !yield(p, nil)
			}
			end = max(end, to)
		}
		s.forget = func(n int) {
			piece(n, Piece{})
			end -= n
		}
		for s.next() && !s.stopped {
			piece(s.begin, Piece{})
			piece(s.end, Piece{IsURL: true, Find: s.found})
		}
		piece(len(s.text), Piece{})
		if s.err != io.EOF && !s.stopped {
			yield(Piece{}, s.err)
		}
	}
}
