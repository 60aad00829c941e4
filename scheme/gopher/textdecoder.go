package gopher

import (
	"bytes"
	"io"
	"strings"
)

// textDecoder decodes a text: it removes the end mark, which is a last line of a single dot, and
// the dots that the server put before lines that begin with a dot (RFC 1436 3.2). Only the whole
// text shows which of the two a server does:
//
//	server               end mark   doubles                 seen in
//	RFC 1436             yes        every leading dot       the specification
//	UMN gopherd 2.3.0    yes        only a line "."         umn-2.3.0, 16
//	UMN gopherd 3.0.5    yes        nothing                 umn-3.0.5, 16
//	pygopherd            no         nothing                 pygopherd, 05
//	gophernicus          no         nothing                 gophernicus, 05
//
// The decoder therefore looks for evidence:
//
//   - A single dot that is followed by anything is data. The server doubles nothing.
//   - A line of one dot and something else comes from a server that doubles at most the line ".". A line ".." then loses
//     one dot, and no other line does.
//   - Without either, each line that begins with two dots loses one.
//   - Nothing is removed unless the text ends with the end mark.
//
// The text up to the first line that begins with two dots is returned at once. After that the
// decoder holds the text back until it sees the end, a single dot with something after it, or a
// line of one dot and something else; in the last case only lines ".." hold it back further. It
// holds at most maxPending bytes. If they do not suffice, the text is returned as received, because
// no byte is removed without evidence.
//
// Two cases cannot be distinguished from others. A text without end mark whose own last line is a
// dot loses that line. A text from a server with an end mark that doubles nothing loses a dot per
// line if all its dotted lines begin with two.
type textDecoder struct {
	in      io.Reader
	sawMark func(bool)   // called with whether the last line read is an end mark
	note    func(string) // called for a decision without evidence

	buf     []byte // for reading
	decoded []byte // for decoding
	out     []byte // decoded and not read yet; part of buf or decoded
	pending []byte // held back until there is evidence
	edits   []edit // dots in pending that may be removed, in order
	mark    []byte // a line of a single dot, with its end, if nothing has followed it yet
	begin   []byte // the begin of a line that begins with a dot, until it is clear what line it is

	inLine   bool // the last byte emitted was not a line end
	stuffing stuffing
	raw      bool // change nothing; only call sawMark
	err      error
}

// edit is a dot in pending that may be removed.
type edit struct {
	at    int
	alone bool // the line is ".."
}

// stuffing is what the text so far shows about the doubling of dots.
type stuffing uint8

const (
	mayDouble     stuffing = iota // any leading dot may have been doubled
	mayDoubleLone                 // only the line "." may have been doubled
	doublesNothing
)

const (
	maxPending  = 1 << 20 // bytes, with editSize for each edit
	editSize    = 16
	decodeChunk = 32 << 10 // bytes read at once
)

// newTextDecoder returns a decoder of the text in. With raw it returns the text as received.
func newTextDecoder(in io.Reader, raw bool, mark func(bool), note func(string)) *textDecoder {
	return &textDecoder{in: in, raw: raw, sawMark: mark, note: note}
}

// next returns decoded text, at least one byte, or an error. The caller removes from d.out what it
// has used.
func (d *textDecoder) next() ([]byte, error) {
	for len(d.out) == 0 {
		if d.err != nil {
			return nil, d.err
		}
		d.fill()
	}
	return d.out, nil
}

// Read returns the decoded text.
func (d *textDecoder) Read(p []byte) (int, error) {
	out, err := d.next()
	n := copy(p, out)
	d.out = d.out[n:]
	return n, err
}

// WriteTo writes the decoded text in the pieces in which it arrives.
func (d *textDecoder) WriteTo(w io.Writer) (total int64, err error) {
	for err == nil {
		var out []byte
		if out, err = d.next(); err == io.EOF {
			return total, nil
		}
		if err == nil {
			var n int
			n, err = w.Write(out)
			total += int64(n)
			d.out = d.out[n:]
		}
	}
	return total, err
}

// fill reads and decodes one piece.
func (d *textDecoder) fill() {
	if d.buf == nil {
		d.buf = make([]byte, decodeChunk)
	}
	n, err := d.in.Read(d.buf)
	if n > 0 {
		d.out = d.decode(d.buf[:n])
	}
	if err == nil {
		return
	}
	if err == io.EOF {
		d.finish()
	} else {
		d.decide(doublesNothing) // return what was received, then the error
		d.emit(d.begin)
	}
	d.err = err
}

// decode decodes a piece of the text and returns the part that is decided.
func (d *textDecoder) decode(b []byte) []byte {
	if !d.inLine && len(d.begin) == 0 && len(d.mark) == 0 && len(d.pending) == 0 && b[0] != '.' && !bytes.Contains(b, []byte("\n.")) {
		d.inLine = b[len(b)-1] != '\n'
		return b // nothing to decide: no copy
	}
	d.out = d.decoded[:0]
	for len(b) > 0 {
		if !d.inLine && (len(d.begin) > 0 || b[0] == '.') {
			d.begin = append(d.begin, b[0])
			b = b[1:]
			d.classify(false)
			continue
		}
		n := len(b)
		if i := bytes.Index(b, []byte("\n.")); i >= 0 {
			n = i + 1
		}
		d.emit(b[:n])
		d.inLine = b[n-1] != '\n'
		b = b[n:]
	}
	d.decoded = d.out
	return d.out
}

// classify decides what a line that begins with a dot is, as soon as its begin shows it.
func (d *textDecoder) classify(eof bool) {
	text, ended := strings.CutSuffix(string(d.begin), "\n")
	text = strings.TrimSuffix(text, "\r")
	switch alone := text == ".."; {
	case !ended && !eof && (alone || text == "."):
		// not clear yet
	case text == ".":
		d.loneDot()
	default:
		d.dotted(alone)
	}
}

// loneDot handles a line of a single dot.
func (d *textDecoder) loneDot() {
	line := d.begin
	d.begin = nil
	d.emit(nil) // an earlier one was not the end mark
	if d.raw {
		d.emit(line)
	} else {
		d.mark = append(d.mark[:0], line...)
	}
	d.sawMark(true)
}

// dotted handles a line that begins with a dot and has more. alone says that it has only a second
// dot.
func (d *textDecoder) dotted(alone bool) {
	line := d.begin
	d.begin = nil
	d.markWasData()
	double := line[1] == '.'
	switch {
	case double && (d.stuffing == mayDouble || d.stuffing == mayDoubleLone && alone):
		d.edits = append(d.edits, edit{len(d.pending), alone})
	case !double && d.stuffing == mayDouble:
		d.decide(mayDoubleLone)
	}
	d.emit(line)
	d.inLine = line[len(line)-1] != '\n'
}

// markWasData returns a line of a single dot to the text, because something follows it.
func (d *textDecoder) markWasData() {
	if d.raw {
		d.stuffing = doublesNothing
		d.sawMark(false)
		return
	}
	if len(d.mark) == 0 {
		return
	}
	line := d.mark
	d.mark = nil
	d.decide(doublesNothing)
	d.out = append(d.out, line...)
	d.sawMark(false)
}

// emit passes on bytes that need no decision of their own.
func (d *textDecoder) emit(b []byte) {
	d.markWasData()
	if len(d.edits) == 0 {
		d.out = append(d.out, b...)
		return
	}
	d.pending = append(d.pending, b...)
	if len(d.pending)+editSize*len(d.edits) > maxPending {
		d.note("cannot tell whether the server doubled the dots at the begin of lines: the text is left as received")
		d.decide(doublesNothing)
	}
}

// decide records evidence and emits what it decides.
func (d *textDecoder) decide(e stuffing) {
	d.stuffing = e
	free := len(d.pending)
	kept := d.edits[:0]
	for _, x := range d.edits {
		if e == mayDoubleLone && x.alone {
			if len(kept) == 0 {
				free = x.at
			}
			kept = append(kept, edit{x.at - free, true})
		}
	}
	d.edits = kept
	d.out = append(d.out, d.pending[:free]...)
	d.pending = append(d.pending[:0], d.pending[free:]...)
}

// finish decides at the end of the text.
func (d *textDecoder) finish() {
	if len(d.begin) > 0 {
		d.classify(true)
	}
	if len(d.mark) == 0 {
		d.decide(doublesNothing)
		return
	}
	d.mark = nil
	from := 0
	for _, x := range d.edits {
		d.out = append(d.out, d.pending[from:x.at]...)
		from = x.at + 1
	}
	d.out = append(d.out, d.pending[from:]...)
	d.pending, d.edits = nil, nil
}
