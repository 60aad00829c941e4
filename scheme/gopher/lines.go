package gopher

import (
	"bufio"
	"bytes"
	"io"
	"strconv"

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

	cut    bool // a line was cut, and that was noted
	dots   bool // noted: a dot within the lines
	more   bool // noted: lines after an end mark
	marked bool
	blank  int     // empty lines after what may be the end mark
	next   *string // a line that was read to see that these are not the end
	line   []byte  // the line that is being read
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

// read gives the next line, without its end. The error io.EOF ends the lines.
func (l *lines) read() (string, error) {
	if l.blank > 0 && l.next != nil {
		l.blank--
		return "", nil
	}
	if l.next != nil {
		line := *l.next
		l.next = nil
		return line, nil
	}
	for {
		line, err := l.one()
		if err != nil {
			return "", err
		}
		if line == endMark {
			if l.marked {
				l.noteOnce(&l.dots, "a line that is a single dot stands within the lines: skipped")
			}
			l.marked, l.blank = true, 0
			l.mark(true)
			continue
		}
		if !l.marked {
			return line, nil
		}
		if line == "" {
			l.blank++
			continue
		}
		l.noteOnce(&l.more, "the lines go on after an end mark")
		l.marked = false
		l.mark(false)
		if l.blank > 0 {
			after := line
			l.next = &after
			l.blank--
			return "", nil
		}
		return line, nil
	}
}

// one reads a line. A line that is too long is cut.
func (l *lines) one() (string, error) {
	l.line = l.line[:0]
	total := 0
	for {
		part, err := l.in.ReadSlice(l.sep)
		total += len(part)
		l.left -= int64(len(part))
		l.line = append(l.line, part[:min(len(part), max(0, l.max+2-len(l.line)))]...)
		switch {
		case l.left < 0:
			return "", errTooMuch()
		case total > cutFactor*l.max:
			return "", l.errTooLong()
		case err == bufio.ErrBufferFull:
		case err == nil || err == io.EOF && total > 0:
			return l.trim(string(bytes.TrimSuffix(l.line, []byte{l.sep}))), nil
		default:
			return "", err
		}
	}
}

func errTooMuch() error {
	return scheme.Fail(scheme.CodeBroken, "the reply passed the limit of its length")
}

func (l *lines) errTooLong() error {
	return scheme.Fail(scheme.CodeBroken, "a line of the reply passed %d times the limit of %d octets", cutFactor, l.max)
}

// trim takes the rest of the line end away and cuts what is too long.
func (l *lines) trim(line string) string {
	if n := len(line); l.sep == '\n' && n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	if len(line) > l.max {
		line = line[:l.max]
		l.noteOnce(&l.cut, "a line is longer than "+strconv.Itoa(l.max)+" octets: it is cut there, and others may be")
	}
	return line
}

// noteOnce notes a text unless *noted: a reply may give reason for a million notes.
func (l *lines) noteOnce(noted *bool, text string) {
	if !*noted {
		*noted = true
		l.note(text)
	}
}
