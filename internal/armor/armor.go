package armor

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// A File is what was wrapped. Reading it to io.EOF has checked all that the form lets check; one that ends too early
// gives an error that matches io.ErrUnexpectedEOF.
type File struct {
	Name     string // as the wrapper has it: octets that are not safe for anything
	Size     int64  // octets, -1 where the form does not say
	LeftOut  int64  // octets of a resource fork, which is not read
	contents io.Reader
}

// Read gives the octets of the file.
func (f *File) Read(p []byte) (int, error) { return f.contents.Read(p) }

// ErrForm is matched by the errors of a text that is not in its form.
var ErrForm = errors.New("damaged, or not in the form that it should be")

func malformed(form, format string, args ...any) error {
	return fmt.Errorf("%s: %w: "+format, append([]any{form, ErrForm}, args...)...)
}

const (
	maxLine    = 4 << 10  // octets of a line
	maxPreface = 64 << 10 // octets before the wrapped file begins
)

// lines reads lines without their ends.
type lines struct {
	in   *bufio.Reader
	form string
}

func newLines(r io.Reader, form string) *lines {
	return &lines{in: bufio.NewReaderSize(r, maxLine), form: form}
}

// next gives a line, good until the next call; io.EOF is the end of the text.
func (l *lines) next() ([]byte, error) {
	line, err := l.in.ReadSlice('\n')
	switch {
	case err == bufio.ErrBufferFull:
		return nil, malformed(l.form, "a line is longer than %d octets", maxLine)
	case err == io.EOF && len(line) > 0, err == nil:
		return bytes.TrimRight(line, "\r\n"), nil
	}
	return nil, err
}

// find passes over what stands before the first line of which is says so, and gives that line.
func (l *lines) find(is func(line []byte) bool) ([]byte, error) {
	for passed := 0; passed < maxPreface; {
		line, err := l.next()
		if err == io.EOF {
			break
		}
		if err != nil || is(line) {
			return line, err
		}
		passed += len(line) + 1
	}
	return nil, malformed(l.form, "there is no line with which it begins")
}

// early makes the end of the text an error, for the file has not ended.
func early(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
