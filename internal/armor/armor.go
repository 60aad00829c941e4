package armor

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// A File is a decoded file. A read that returns io.EOF has verified the length and checksums that
// the format has; a truncated text returns an error that matches io.ErrUnexpectedEOF.
type File struct {
	Name     string // as in the encoded text; not a safe file name
	Size     int64  // in bytes; -1 if the format does not say
	LeftOut  int64  // bytes of the resource fork, which is skipped
	Part     int    // of a file in several articles, from 1; 0 means the whole file
	Parts    int    // how many there are; 0 if the format does not say
	contents io.Reader
}

// Read reads the decoded bytes of the file.
func (f *File) Read(p []byte) (int, error) { return f.contents.Read(p) }

// ErrForm is matched by the errors of a text that does not follow its format.
var ErrForm = errors.New("damaged, or not in the expected format")

func malformed(form, format string, args ...any) error {
	return fmt.Errorf("%s: %w: "+format, append([]any{form, ErrForm}, args...)...)
}

const (
	maxLine    = 4 << 10  // bytes of a line
	maxPreface = 64 << 10 // bytes before the encoded file
)

// lines reads lines without their line ends.
type lines struct {
	in   *bufio.Reader
	form string
}

func newLines(r io.Reader, form string) *lines {
	return &lines{in: bufio.NewReaderSize(r, maxLine), form: form}
}

// next returns the next line, which is valid until the next call. It returns io.EOF at the end of
// the text.
func (l *lines) next() ([]byte, error) {
	line, err := l.in.ReadSlice('\n')
	switch {
	case err == bufio.ErrBufferFull:
		return nil, malformed(l.form, "a line is longer than %d bytes", maxLine)
	case err == io.EOF && len(line) > 0, err == nil:
		return bytes.TrimRight(line, "\r\n"), nil
	}
	return nil, err
}

// find skips to the first line for which is reports true, and returns it.
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
	return nil, malformed(l.form, "the line that begins it is missing")
}

// early replaces io.EOF by io.ErrUnexpectedEOF, for the file has not ended.
func early(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
