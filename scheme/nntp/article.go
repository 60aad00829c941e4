package nntp

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"

	"locator/internal/mailtext"
	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/wire"
)

// article requests an article, or its header, by the plan of the place: GROUP and ARTICLE in one
// write, if the number belongs to another group than the one that is selected. It returns the reply
// that begins the text.
func (s *session) article(l wire.Line, after string) (reply, error) {
	if s.place.number == 0 || s.selected == s.place.group {
		r, err := s.command(after, l)
		if err == nil && r.Class() != 2 {
			err = s.failed(after, r)
		}
		return r, err
	}
	if err := s.Send("GROUP", s.place.lines.group, l); err != nil {
		return reply{}, err
	}
	g, err := s.reply("GROUP")
	if err != nil {
		return g, err
	}
	r, err := s.reply(after)
	switch {
	case err != nil && g.Code == 211:
		return r, err
	case g.Code == 211:
		s.selected = s.place.group
		if r.Class() == 2 {
			return r, nil
		}
		if err := authenticate(after, r); err != nil {
			return r, err
		}
		return r, s.failed(after, r)
	case err == nil && r.Class() == 2: // the text of an article of the group that was selected before
		s.Unusable.Store(true)
	}
	if err := authenticate("GROUP", g); err != nil {
		return g, err
	}
	return g, s.failed("GROUP", g)
}

// text reads the lines of a response up to the line with a single dot (RFC 3977 3.1.1), and removes
// the dots that were added to lines. Everything else stays as it was sent: a line ends with CR LF,
// and a CR or LF alone is part of a line.
type text struct {
	s       *session
	head    []byte // read ahead
	err     error  // of reading ahead
	n       int64  // bytes read
	start   bool   // at the start of a line
	cr      bool   // the last byte was a CR
	rest    []byte // of the last chunk
	odd     bool   // a NUL, or a CR or LF alone, was read
	decoded bool   // it is read by a decoder, which says what is odd
	ended   bool
	last    error // what Read returns after the end

	goesOn bool // the session is not over at the end of the text
}

func (s *session) newText() *text { return &text{s: s, start: true} }

// chunk returns the next bytes, which are valid until the next call. A chunk ends at a line end at
// the latest.
func (t *text) chunk() ([]byte, error) {
	b, err := t.s.Wire.Reader().ReadSlice('\n')
	if len(b) == 0 && err != nil {
		return nil, err
	}
	if t.start {
		if string(b) == ".\r\n" {
			return nil, errEnd
		}
		b = bytes.TrimPrefix(b, []byte("."))
	}
	end := bytes.HasSuffix(b, []byte("\r\n")) || t.cr && string(b) == "\n"
	if !t.odd {
		line := bytes.TrimSuffix(bytes.TrimSuffix(b, []byte("\n")), []byte("\r"))
		t.odd = bytes.IndexByte(line, 0) >= 0 || bytes.IndexByte(line, '\r') >= 0 || !end && bytes.HasSuffix(b, []byte("\n"))
	}
	t.start, t.cr = end, bytes.HasSuffix(b, []byte("\r"))
	if err != nil && err != bufio.ErrBufferFull {
		t.err = err
	}
	return b, nil
}

// oddBytes are what no article may have (RFC 5536 2.2).
const oddBytes = "NUL bytes, or CR or LF alone, which articles must not have"

// errEnd says that the line that ends a text was read.
var errEnd = errors.New("the end of the text")

// Read implements io.Reader. It returns io.EOF only after the line that ends the text, else an
// error that matches io.ErrUnexpectedEOF.
func (t *text) Read(p []byte) (int, error) {
	if len(t.head) > 0 {
		n := copy(p, t.head)
		t.head = t.head[n:]
		return n, nil
	}
	n := 0
	for n < len(p) {
		if len(t.rest) == 0 {
			if n > 0 && !t.buffered() {
				break
			}
			var err error
			if t.rest, err = t.next(); err != nil {
				if n > 0 {
					break // the next Read returns the error
				}
				return 0, err
			}
		}
		k := copy(p[n:], t.rest)
		t.rest, n = t.rest[k:], n+k
	}
	return n, nil
}

// buffered reports whether the next chunk can be read without waiting.
func (t *text) buffered() bool {
	in := t.s.Wire.Reader()
	b, _ := in.Peek(in.Buffered()) // no more than there is
	return !t.ended && bytes.IndexByte(b, '\n') >= 0
}

// next returns the next chunk, and ends the text after the last.
func (t *text) next() ([]byte, error) {
	if t.ended {
		return nil, t.last
	}
	if t.err != nil {
		return nil, t.end(dialogue.Torn(t.n, t.err))
	}
	b, err := t.chunk()
	switch err {
	case nil:
		t.n += int64(len(b))
		return b, nil
	case errEnd:
		if t.odd && !t.decoded && !t.s.toldOdd {
			t.s.toldOdd = true
			t.s.env.Tell("the article has " + oddBytes + "; they are left as they are")
		}
		return nil, t.end(io.EOF)
	}
	return nil, t.end(dialogue.Torn(t.n, err))
}

// end ends the text. The connection can be used again if err is io.EOF.
func (t *text) end(err error) error {
	t.ended, t.last = true, err
	if err != io.EOF {
		t.s.Unusable.Store(true)
	}
	if !t.goesOn {
		t.s.release()
	}
	return err
}

// errClosed is the error of reading a closed body.
var errClosed = errors.New("the body is closed")

// Close ends the text. The connection is closed if the text has not been read to its end.
func (t *text) Close() error {
	if !t.ended {
		t.end(errClosed)
	}
	t.head, t.rest, t.last = nil, nil, errClosed
	return nil
}

// readHeader reads ahead to the empty line after the header, up to max bytes, and returns the
// header. An error is returned by Read, after the bytes before it.
func (t *text) readHeader(max int) []byte {
	defer t.s.Wire.StopLine()
	for len(t.head) < max {
		begin := t.start
		if begin {
			t.s.Wire.StartLine()
		}
		b, err := t.next()
		if err != nil {
			break
		}
		t.head = append(t.head, b...)
		if begin && string(b) == "\r\n" {
			break
		}
	}
	return t.head
}

// maxFields bounds how many fields of a header become attributes.
const maxFields = 1000

// attributes returns the attributes of an article: its header fields, with folded lines joined and
// encoded words decoded (RFC 2047).
func attributes(header []byte, charset string) scheme.Attr {
	attr := scheme.Attr{Type: "message/rfc822"}
	for name, value := range mailtext.Fields(string(header)) {
		if charset == "" && strings.EqualFold(name, "newsgroups") {
			charset = mailtext.GuessCharset(value)
		}
	}
	for name, value := range mailtext.Fields(string(header)) {
		if len(attr.More) == maxFields {
			break
		}
		switch strings.ToLower(name) {
		case "date":
			attr.Modified, attr.Precision = mailtext.Date(value)
		case "message-id":
			attr.ID = bareID(value)
		case "references":
			attr.References = references(value)
		case "from":
			attr.From = mailtext.Header(value, charset)
		case "lines":
			if n, ok := parseNumber(strings.TrimSpace(value)); ok {
				attr.Lines = scheme.Known(n)
			}
		}
		attr.More = append(attr.More, scheme.Attribute{Name: name, Value: mailtext.Header(value, charset)})
	}
	return attr
}

// bareID returns a message-id without its angle brackets.
func bareID(s string) string {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "<") && strings.HasSuffix(s, ">") {
		return s[1 : len(s)-1]
	}
	return s
}

// maxReferences bounds how many message-ids of a References field are kept: the first, and the last
// ones.
const maxReferences = 100

// references returns the message-ids in a References field, oldest first (RFC 5536 3.2.10).
func references(value string) []string {
	var list []string
	for len(value) > 0 {
		open := strings.IndexByte(value, '<')
		if open < 0 {
			break
		}
		id, rest, ok := strings.Cut(value[open+1:], ">")
		if !ok {
			break
		}
		if id != "" {
			list = append(list, id)
		}
		value = rest
	}
	if len(list) > maxReferences {
		list = append(list[:1:1], list[len(list)-maxReferences+1:]...)
	}
	return list
}
