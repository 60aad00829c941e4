package mailfmt

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"mime/quotedprintable"
	"strings"
	"unicode/utf8"

	"locator/internal/hint"
	"locator/scheme"
)

// Bounds of what is read.
const (
	maxHeader = 256 << 10 // bytes of the header lines
	maxText   = 32 << 20  // bytes of a text that can be read only once
	maxLine   = 998       // bytes of a line without its end (RFC 5322 2.1.1)
	chunkSize = 64 << 10
)

// text is what follows the header lines.
type text struct {
	r     io.ReadSeeker
	start int64 // its position in r
	where string
	code  scheme.Code // of errors
	about findings
}

// findings are what a pass over a text finds.
type findings struct {
	empty    bool // no byte, or only line ends and blanks
	eightBit bool
	utf8     bool // it is valid UTF-8
	longest  int  // bytes of the longest line
	badLine  int  // the first line that is not UTF-8
	longLine int  // the first line that is too long
}

// textOf returns a text that is in memory.
func textOf(s, where string, code scheme.Code) (*text, error) {
	t := &text{r: strings.NewReader(s), where: where, code: code}
	return t, t.scan()
}

// readText reads the header lines and examines the text.
func readText(r io.Reader) (*text, *header, error) {
	t := &text{where: "the text", code: scheme.CodeUsage}
	if seek, ok := r.(io.ReadSeeker); ok {
		if at, err := seek.Seek(0, io.SeekCurrent); err == nil { // not so for a pipe
			t.r, t.start = seek, at
		}
	}
	if t.r == nil {
		if r == nil {
			r = strings.NewReader("")
		}
		b, err := io.ReadAll(io.LimitReader(r, maxText+1))
		if err != nil {
			return nil, nil, unreadable(err)
		}
		if len(b) > maxText {
			return nil, nil, scheme.Fail(scheme.CodeUsage, "the message is longer than %d MiB, the limit of one that is not in a file; write it to a file, and send that", maxText>>20)
		}
		t.r = bytes.NewReader(b)
	}
	h, n, err := readHeader(bufio.NewReaderSize(t.r, maxHeader))
	if err != nil {
		return nil, nil, err
	}
	t.start += n
	if err := t.rewind(); err != nil {
		return nil, nil, err
	}
	return t, h, t.scan()
}

// unreadable is the error of a text that cannot be read. Errors of a scheme.Source have their code
// already.
func unreadable(err error) error {
	if _, ok := errors.AsType[*scheme.Error](err); ok {
		return err
	}
	return scheme.Fail(scheme.CodeLocal, "cannot read the message: %w", err)
}

func (t *text) rewind() error {
	if _, err := t.r.Seek(t.start, io.SeekStart); err != nil {
		return unreadable(err)
	}
	return nil
}

// refuse is an error about a line of the text.
func (t *text) refuse(line int, format string, args ...any) *scheme.Error {
	return scheme.Fail(t.code, "line %d of %s "+format, append([]any{line, t.where}, args...)...)
}

// scan examines the text. It refuses what no message can carry.
func (t *text) scan() error {
	if err := t.rewind(); err != nil {
		return err
	}
	a := findings{empty: true, utf8: true}
	in := bufio.NewReaderSize(t.r, chunkSize)
	var carry []byte // the beginning of a character that the last piece did not complete
	length, line, cr := 0, 1, false
	for {
		piece, err := in.ReadSlice('\n')
		if err != nil && err != bufio.ErrBufferFull && err != io.EOF {
			return unreadable(err)
		}
		ends := bytes.HasSuffix(piece, []byte("\n"))
		body := bytes.TrimSuffix(piece, []byte("\n"))
		if cr && (len(body) > 0 || err == io.EOF) {
			return hint.On(hint.Attachment, t.refuse(line, "has a CR that does not end the line; a message is lines of text"))
		}
		if cr = false; bytes.HasSuffix(body, []byte("\r")) {
			body, cr = body[:len(body)-1], !ends
		}
		switch {
		case bytes.IndexByte(body, '\r') >= 0 || cr && err == io.EOF:
			return hint.On(hint.Attachment, t.refuse(line, "has a CR that does not end the line; a message is lines of text"))
		case bytes.IndexByte(body, 0) >= 0:
			return hint.On(hint.Attachment, t.refuse(line, "has a NUL byte; a message is lines of text"))
		}
		a.empty = a.empty && len(bytes.Trim(body, " \t")) == 0
		for _, c := range body {
			if c >= utf8.RuneSelf {
				a.eightBit = true
				break
			}
		}
		if length += len(body); length > a.longest {
			a.longest = length
		}
		if length > maxLine && a.longLine == 0 {
			a.longLine = line
		}
		if a.eightBit && a.utf8 {
			whole := append(carry, body...)
			n := 0
			if !ends {
				n = incomplete(whole)
			}
			if carry = bytes.Clone(whole[len(whole)-n:]); !utf8.Valid(whole[:len(whole)-n]) || err == io.EOF && n > 0 {
				a.utf8, a.badLine = false, line
			}
		}
		if ends {
			length = 0
			line++
		}
		if err == io.EOF {
			t.about = a
			return nil
		}
	}
}

// incomplete returns how many bytes at the end of b begin a character that goes on after it.
func incomplete(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if end := b[len(b)-n:]; utf8.RuneStart(end[0]) {
			if utf8.FullRune(end) {
				return 0
			}
			return n
		}
	}
	return 0
}

// encoder is a Content-Transfer-Encoding of a text.
type encoder uint8

const (
	asIs encoder = iota
	quoted
)

// write writes the text with CR LF as line ends; the last line has one, too.
func (t *text) write(w io.Writer, e encoder) error {
	if err := t.rewind(); err != nil {
		return err
	}
	if e == quoted {
		q := quotedprintable.NewWriter(w)
		if err := t.writeLines(q); err != nil {
			return err
		}
		return q.Close()
	}
	return t.writeLines(w)
}

func (t *text) writeLines(w io.Writer) error {
	in, out := bufio.NewReaderSize(t.r, chunkSize), bufio.NewWriterSize(w, chunkSize)
	for open := false; ; {
		piece, err := in.ReadSlice('\n')
		if err != nil && err != bufio.ErrBufferFull && err != io.EOF {
			return unreadable(err)
		}
		line, ends := bytes.CutSuffix(piece, []byte("\n"))
		_, _ = out.Write(bytes.TrimSuffix(line, []byte("\r"))) // scan has seen that an LF follows the CR; Flush returns the error
		if open = !ends && (open || len(line) > 0); ends || open && err == io.EOF {
			_, _ = out.WriteString("\r\n")
		}
		if err == io.EOF {
			return out.Flush()
		}
	}
}
