package gopher

import (
	"bytes"
	"io"
)

// dots decodes a text: it takes away the end mark, a last line that is a single dot, and the dots that the server put
// before lines that begin with one (RFC 1436 3.2). Which of that a server does, only the whole text shows:
//
//	server               end mark   doubles                 seen in
//	RFC 1436             yes        every leading dot       the specification
//	UMN gopherd 2.3.0    yes        only a line "."         umn-2.3.0, 16
//	UMN gopherd 3.0.5    yes        nothing                 umn-3.0.5, 16
//	pygopherd            no         nothing                 pygopherd, 05
//	gophernicus          no         nothing                 gophernicus, 05
//
// So the evidence decides:
//
//   - a single dot that is followed by anything is data, and from a server that doubles nothing;
//   - a line of one dot and something else is from a server that doubles at most the line ".": then a line ".." loses
//     its dot, and no other line does;
//   - without either, each line that begins with two dots loses one;
//   - and all of it only if the text ends with the end mark.
//
// In a stream, what comes before the first line of two dots passes at once. From there the text is held until one of
// these is known: the end, a single dot with something behind it, or a line of one dot and something else (then only
// lines ".." hold on). What can be held is bounded by maxHeld; where that is passed without evidence the text stays as
// it was received, for no octet is taken away without evidence.
//
// What cannot be known: a text without end mark whose own last line is a dot loses that line, and one from a server
// with an end mark that doubles nothing loses a dot where all its dotted lines begin with two.
type dots struct {
	in   io.Reader
	mark func(bool)   // told whether an end mark is the last that was read
	note func(string) // told of a decision without evidence

	buf  []byte // for reading
	dec  []byte // for decoding
	out  []byte // decoded, not given yet; part of buf or dec
	hold []byte // octets that wait for evidence
	cuts []cut  // in the order of their places
	last []byte // a line of a single dot, with its end, that nothing followed yet
	head []byte // the begin of a line that begins with a dot, until it is clear what line it is

	inLine   bool // the last octet passed was no line end
	evidence evidence
	raw      bool // pass everything; only mark is wanted
	err      error
}

// cut is a dot in hold that may go.
type cut struct {
	at    int
	alone bool // the line is ".."
}

type evidence uint8

const (
	mayDouble      evidence = iota // every dot may be doubled
	mayDoubleLone                  // only a line ".." may be a doubled one
	doublesNothing                 // nothing is
)

const (
	maxHeld   = 1 << 20 // octets, with cutSize for each cut
	cutSize   = 16
	dotsChunk = 32 << 10 // octets read at once
)

func newDots(in io.Reader, raw bool, mark func(bool), note func(string)) *dots {
	return &dots{in: in, raw: raw, mark: mark, note: note}
}

// Read gives the decoded text.
func (d *dots) Read(p []byte) (int, error) {
	for len(d.out) == 0 {
		if d.err != nil {
			return 0, d.err
		}
		d.fill()
	}
	n := copy(p, d.out)
	d.out = d.out[n:]
	return n, nil
}

// WriteTo writes the decoded text in the pieces in which it comes.
func (d *dots) WriteTo(w io.Writer) (int64, error) {
	var total int64
	for {
		if len(d.out) > 0 {
			n, err := w.Write(d.out)
			total += int64(n)
			d.out = d.out[n:]
			if err != nil {
				return total, err
			}
			continue
		}
		switch d.err {
		case nil:
			d.fill()
		case io.EOF:
			return total, nil
		default:
			return total, d.err
		}
	}
}

// fill reads and decodes a piece.
func (d *dots) fill() {
	if d.buf == nil {
		d.buf = make([]byte, dotsChunk)
	}
	n, err := d.in.Read(d.buf)
	if n > 0 {
		d.out = d.take(d.buf[:n])
	}
	if err == nil {
		return
	}
	if err == io.EOF {
		d.finish()
	} else {
		d.settle(doublesNothing) // what came is given, then the error
		d.pass(d.head)
	}
	d.err = err
}

// take decodes a piece of the text and gives what of it is decided.
func (d *dots) take(b []byte) []byte {
	if !d.inLine && len(d.head) == 0 && len(d.last) == 0 && len(d.hold) == 0 && b[0] != '.' && !bytes.Contains(b, []byte("\n.")) {
		d.inLine = b[len(b)-1] != '\n'
		return b // nothing to decide: no copy
	}
	d.out = d.dec[:0]
	for len(b) > 0 {
		if !d.inLine && (len(d.head) > 0 || b[0] == '.') {
			d.head = append(d.head, b[0])
			b = b[1:]
			d.classify(false)
			continue
		}
		n := len(b)
		if i := bytes.Index(b, []byte("\n.")); i >= 0 {
			n = i + 1
		}
		d.pass(b[:n])
		d.inLine = b[n-1] != '\n'
		b = b[n:]
	}
	d.dec = d.out
	return d.out
}

// classify looks at the begin of a line that begins with a dot, and decides as soon as it can.
func (d *dots) classify(eof bool) {
	h := string(d.head)
	switch {
	case h == ".\n", h == ".\r\n", eof && (h == "." || h == ".\r"):
		d.lone()
	case h == "..\n", h == "..\r\n", eof && (h == ".." || h == "..\r"):
		d.doubled(true)
	case !eof && (h == "." || h == ".\r" || h == ".." || h == "..\r"):
		// not clear yet
	case h[1] == '.':
		d.doubled(false)
	default:
		d.one()
	}
}

// lone: a line of a single dot.
func (d *dots) lone() {
	line := d.head
	d.head = nil
	d.pass(nil) // one before it was no end mark
	if d.raw {
		d.pass(line)
	} else {
		d.last = append(d.last[:0], line...)
	}
	d.mark(true)
}

// doubled: a line that begins with two dots; alone where there is nothing else in it.
func (d *dots) doubled(alone bool) {
	line := d.head
	d.head = nil
	d.followed()
	if d.evidence == mayDouble || d.evidence == mayDoubleLone && alone {
		d.cuts = append(d.cuts, cut{len(d.hold), alone})
	}
	d.pass(line)
	d.inLine = line[len(line)-1] != '\n'
}

// one: a line of one dot and something else.
func (d *dots) one() {
	line := d.head
	d.head = nil
	d.followed()
	if d.evidence == mayDouble {
		d.settle(mayDoubleLone)
	}
	d.pass(line)
	d.inLine = line[len(line)-1] != '\n'
}

// followed: something comes after what may have been the end mark.
func (d *dots) followed() {
	if d.raw {
		d.evidence = doublesNothing
		d.mark(false)
		return
	}
	if len(d.last) == 0 {
		return
	}
	line := d.last
	d.last = nil
	d.settle(doublesNothing)
	d.out = append(d.out, line...)
	d.mark(false)
}

// pass hands on octets that need no decision themselves.
func (d *dots) pass(b []byte) {
	d.followed()
	if len(d.cuts) == 0 {
		d.out = append(d.out, b...)
		return
	}
	d.hold = append(d.hold, b...)
	if len(d.hold)+cutSize*len(d.cuts) > maxHeld {
		d.note("a text with doubled dots and no evidence what they mean: left as received")
		d.settle(doublesNothing)
	}
}

// settle takes note of evidence and hands on what it decides.
func (d *dots) settle(e evidence) {
	d.evidence = e
	free := len(d.hold)
	kept := d.cuts[:0]
	for _, c := range d.cuts {
		if e == mayDoubleLone && c.alone {
			if len(kept) == 0 {
				free = c.at
			}
			kept = append(kept, cut{c.at - free, true})
		}
	}
	d.cuts = kept
	d.out = append(d.out, d.hold[:free]...)
	d.hold = append(d.hold[:0], d.hold[free:]...)
}

// finish decides with all the evidence that there is.
func (d *dots) finish() {
	if len(d.head) > 0 {
		d.classify(true)
	}
	if len(d.last) == 0 {
		d.settle(doublesNothing)
		return
	}
	d.last = nil
	from := 0
	for _, c := range d.cuts {
		d.out = append(d.out, d.hold[from:c.at]...)
		from = c.at + 1
	}
	d.out = append(d.out, d.hold[from:]...)
	d.hold, d.cuts = nil, nil
}
