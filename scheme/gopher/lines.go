package gopher

import (
	"bufio"
	"bytes"
	"io"

	"locator/scheme"
)

// lines reads the lines of a menu or of attribute blocks. The end mark is not among them.
//
// QUIRK: lines may end in LF alone, or, where the reply holds no LF, in CR alone. The end mark may be missing
// (pygopherd, 01), and lines may follow it: then it was none.
type lines struct {
	in   *bufio.Reader
	sep  byte
	max  int        // octets of a line that are kept; the rest is cut off
	left int64      // octets that may still come
	mark func(bool) // told whether an end mark is the last that was read
	note func(string)

	marked bool
	blank  int    // empty lines after what may be the end mark
	next   []byte // a line that was read to see that these are not the end
	line   []byte // a line that did not fit into the buffer of in
}

// cutFactor bounds a line that is cut: a line of so many times the limit is no line.
const cutFactor = 16

// newLines reads lines from in. begin is the begin of them, as far as it is known.
func newLines(in *bufio.Reader, begin []byte, max int, left int64, mark func(bool), note func(string)) *lines {
	l := &lines{in: in, sep: '\n', max: max, left: left, mark: mark, note: note}
	if bytes.IndexByte(begin, '\n') < 0 && bytes.IndexByte(begin, '\r') >= 0 {
		l.sep = '\r'
	}
	return l
}

// read gives the next line, without its end; it is good until the next call. The error io.EOF ends the lines.
func (l *lines) read() ([]byte, error) {
	if l.blank > 0 && l.next != nil {
		l.blank--
		return nil, nil
	}
	if l.next != nil {
		line := l.next
		l.next = nil
		return line, nil
	}
	for {
		line, err := l.one()
		if err != nil {
			return nil, err
		}
		if string(line) == endMark {
			if l.marked {
				l.note("a line that is a single dot stands within the lines: skipped")
			}
			l.marked, l.blank = true, 0
			l.mark(true)
			continue
		}
		if !l.marked {
			return line, nil
		}
		if len(line) == 0 {
			l.blank++
			continue
		}
		l.note("the lines go on after an end mark")
		l.marked = false
		l.mark(false)
		if l.blank > 0 {
			l.next = append([]byte(nil), line...)
			l.blank--
			return nil, nil
		}
		return line, nil
	}
}

// one reads a line as it stands, cut where it is too long.
func (l *lines) one() ([]byte, error) {
	l.line = l.line[:0]
	total := 0
	for {
		part, err := l.in.ReadSlice(l.sep)
		total += len(part)
		l.left -= int64(len(part))
		switch {
		case l.left < 0:
			return nil, scheme.Fail(scheme.Broken, "the reply passed the limit of its length")
		case total > cutFactor*l.max:
			return nil, scheme.Fail(scheme.Broken, "a line of the reply passed %d times the limit of %d octets", cutFactor, l.max)
		case err == nil && len(l.line) == 0:
			return l.trim(part), nil
		case err == nil || err == bufio.ErrBufferFull:
			l.line = append(l.line, part[:min(len(part), max(0, l.max-len(l.line)))]...)
			if err == nil {
				return l.trim(l.line), nil
			}
		case err == io.EOF && total > 0:
			return l.trim(append(l.line, part...)), nil
		default:
			return nil, err
		}
	}
}

// trim takes the line end away and cuts what is too long.
func (l *lines) trim(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte{l.sep})
	if l.sep == '\n' {
		line = bytes.TrimSuffix(line, []byte{'\r'})
	}
	if len(line) > l.max {
		line = line[:l.max]
	}
	return line
}
