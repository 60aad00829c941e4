package gateway

import (
	"bufio"
	"io"
)

// A longer run of quoted lines is folded.
const (
	maxUnfolded      = 4        // lines
	maxUnfoldedBytes = 16 << 10 // of them
)

// quotedText splits a text into runs: quoted lines, which begin with ">", and other lines. Few quoted lines between others are part of
// the run of these. It holds a few lines in memory.
type quotedText struct {
	in     *bufio.Reader
	quoted bool   // the kind of the run
	begun  bool   // the run has begun
	inLine bool   // the last piece did not end its line
	held   []byte // quoted lines that may begin the next run, or what was read of it
	lines  int    // in held
	pend   []byte // of the run
	ended  bool   // the run has no more
	err    error  // of reading
}

func newQuotedText(r io.Reader) *quotedText {
	return &quotedText{in: bufio.NewReaderSize(r, 4<<10)}
}

// next goes on with the next run. It returns false at the end of the text.
func (t *quotedText) next() bool {
	if t.begun {
		if t.err != nil && len(t.held) == 0 {
			return false
		}
		t.quoted = !t.quoted
	}
	t.begun, t.ended = true, false
	if t.quoted || t.lines == 0 { // it begins with what was read ahead
		t.pend, t.held, t.lines = t.held, nil, 0
	}
	for len(t.pend) == 0 && !t.ended && t.err == nil {
		t.fill()
	}
	if len(t.pend) > 0 {
		return true
	}
	if len(t.held) > 0 { // an empty run
		return t.next()
	}
	return t.err != nil && t.err != io.EOF
}

// Read implements io.Reader. It reads the run.
func (t *quotedText) Read(p []byte) (int, error) {
	for len(t.pend) == 0 {
		switch {
		case t.ended:
			return 0, io.EOF
		case t.err != nil:
			return 0, t.err
		}
		t.fill()
	}
	n := copy(p, t.pend)
	t.pend = t.pend[n:]
	return n, nil
}

// fill reads a line, or a piece of one.
func (t *quotedText) fill() {
	piece, err := t.in.ReadSlice('\n')
	begins := !t.inLine
	if len(piece) > 0 {
		t.inLine = piece[len(piece)-1] != '\n'
		t.add(piece, begins)
	}
	if err != nil && err != bufio.ErrBufferFull {
		t.err = err
		if !t.quoted && !t.ended { // too few lines to be folded
			t.pend, t.held, t.lines = append(t.pend, t.held...), nil, 0
		}
	}
}

// add adds a piece of a line to the run or, if it ends the run, to the next one.
func (t *quotedText) add(piece []byte, begins bool) {
	isQuote := begins && piece[0] == '>'
	switch {
	case t.quoted && begins && !isQuote:
		t.held, t.ended = append(t.held, piece...), true
	case t.quoted:
		t.pend = append(t.pend, piece...)
	case isQuote || !begins && t.lines > 0: // of a line that is held
		if isQuote {
			t.lines++
		}
		if t.held = append(t.held, piece...); t.lines > maxUnfolded || len(t.held) > maxUnfoldedBytes {
			t.ended = true
		}
	default:
		t.pend = append(append(t.pend, t.held...), piece...)
		t.held, t.lines = nil, 0
	}
}
