package gopher

import (
	"bufio"
	"bytes"
	"io"
	"strconv"

	"locator/scheme"
	"locator/wire"
)

// lines reads the lines of a menu or of attribute blocks, without the end mark.
//
// QUIRK: lines may end in LF alone or, if the reply has no LF, in CR alone. The end mark may be
// missing (pygopherd, 01). If lines follow a single dot, it was not the end mark.
type lines struct {
	in      *bufio.Reader
	lineEnd byte       // 0 until the first line is read
	max     int        // bytes of a line; the rest is cut off
	budget  int64      // bytes that may still come
	sawMark func(bool) // called with whether the last line read is an end mark
	note    func(string)
	conn    *wire.Conn // whose reader is below in, for the time of a line; may be nil

	cut    bool    // noted: a line was cut
	dots   bool    // noted: a single dot within the lines
	more   bool    // noted: lines after an end mark
	marked bool    // the last line that is not empty is a single dot
	blank  int     // empty lines after it
	held   *string // the first line after them, if it has been read
	line   []byte  // the line that is being read
	err    error   // what every further read returns
}

// cutFactor bounds a line that is cut. A line of so many times the limit is an error.
const cutFactor = 16

// newLines returns the lines of in. All of them may have budget bytes.
func newLines(in *bufio.Reader, max int, budget int64, mark func(bool), note func(string)) *lines {
	return &lines{in: in, max: max, budget: budget, sawMark: mark, note: note}
}

// read returns the next line without its end. The error io.EOF ends the lines. Errors repeat.
func (l *lines) read() (string, error) {
	if l.held != nil {
		line := *l.held
		if l.blank > 0 {
			l.blank--
			return "", nil
		}
		l.held = nil
		return line, nil
	}
	for l.err == nil {
		line, err := l.one()
		switch {
		case err != nil:
			l.err = err
		case line == endMark:
			if l.marked {
				l.noteOnce(&l.dots, "a line that is a single dot within the lines is skipped")
			}
			l.marked, l.blank = true, 0
			l.sawMark(true)
		case !l.marked:
			return line, nil
		case line == "":
			l.blank++
		default:
			l.noteOnce(&l.more, "the lines go on after an end mark")
			l.marked = false
			l.sawMark(false)
			l.held = &line
			return l.read()
		}
	}
	return "", l.err
}

// one reads a line. A line that is too long is cut.
func (l *lines) one() (string, error) {
	if l.conn != nil {
		l.conn.StartLine()
		defer l.conn.StopLine()
	}
	l.line = l.line[:0]
	if l.lineEnd == 0 {
		l.lineEnd = '\n'
		l.in.Peek(1)
		begin, _ := l.in.Peek(l.in.Buffered())
		if cr := bytes.IndexByte(begin, '\r'); cr >= 0 && cr+1 < len(begin) && bytes.IndexByte(begin, '\n') < 0 {
			l.lineEnd = '\r'
		}
	}
	for total := 0; ; {
		part, err := l.in.ReadSlice(l.lineEnd)
		total += len(part)
		l.budget -= int64(len(part))
		l.line = append(l.line, part[:min(len(part), max(0, l.max+2-len(l.line)))]...)
		switch {
		case l.budget < 0:
			return "", scheme.Fail(scheme.CodeBroken, "the reply passed the limit of its length")
		case total > cutFactor*l.max:
			return "", scheme.Fail(scheme.CodeBroken, "a line of the reply passed %d times the limit of %d bytes", cutFactor, l.max)
		case err == bufio.ErrBufferFull:
			continue
		case err != nil && (err != io.EOF || total == 0):
			return "", err
		}
		break
	}
	line := bytes.TrimSuffix(l.line, []byte{l.lineEnd})
	if l.lineEnd == '\n' {
		line = bytes.TrimSuffix(line, []byte{'\r'})
	}
	if len(line) > l.max {
		line = line[:l.max]
		l.noteOnce(&l.cut, "a line is longer than "+strconv.Itoa(l.max)+" bytes: it is cut there, and others may be")
	}
	return string(line), nil
}

// noteOnce notes a text unless *noted. A server could cause a million notes.
func (l *lines) noteOnce(noted *bool, text string) {
	if !*noted {
		*noted = true
		l.note(text)
	}
}
