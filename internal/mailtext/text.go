package mailtext

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"
)

// text decodes a text, and the files within it. flow joins its lines; it may be nil.
func (d *decoder) text(r io.Reader, charset string, flow *flowed) error {
	e := TextEncoding(charset, d.o.Charset)
	if IsUTF16(e) { // its lines do not end in LF alone
		r, e = transform.NewReader(r, e.NewDecoder()), nil
	}
	in, lines := bufio.NewReaderSize(r, lineSize), lineDecoder{e: e, other: orWindows1252(d.charset)}
	for begins := true; ; {
		if begins {
			if open := fileBegins(in); open != nil {
				if err := d.write(flow.end()); err != nil {
					return err
				}
				if err := d.textFile(open, in); err != nil {
					return err
				}
				continue
			}
		}
		line, err := in.ReadSlice('\n')
		more, text := err == bufio.ErrBufferFull, ""
		if text = lines.decode(line, more); flow != nil && len(line) > 0 {
			text = flow.join(text, begins, more)
		}
		if len(line) > 0 {
			begins = line[len(line)-1] == '\n'
		}
		if err := d.write(text); err != nil {
			return err
		}
		switch {
		case err == nil || err == bufio.ErrBufferFull:
			continue
		case d.source.err != nil:
			return d.source.err
		case err != io.EOF:
			return d.damaged("the text", err)
		case !begins:
			return d.write("\n")
		}
		return d.write(flow.end())
	}
}

// lineDecoder decodes lines, in pieces if they are long. Without an encoding they are UTF-8, or in
// another encoding if they are not: many texts that claim to be ASCII or UTF-8 are not.
type lineDecoder struct {
	e, other encoding.Encoding
	dec      *encoding.Decoder // of the line
	rest     []byte            // the bytes of a character that the last piece did not complete
}

// decode decodes a piece of a line; more reports that another piece follows.
func (l *lineDecoder) decode(piece []byte, more bool) string {
	piece = append(l.rest, piece...)
	l.rest = nil
	end := ""
	if n := len(piece); n > 0 && piece[n-1] == '\n' {
		piece, end = bytes.TrimRight(piece, "\r\n"), "\n"
	}
	if l.e == nil {
		if more {
			n := len(piece) - incomplete(piece)
			piece, l.rest = piece[:n], slices.Clone(piece[n:])
		}
		e := iso2022JP(piece)
		switch {
		case e != nil:
		case utf8.Valid(piece):
			return string(piece) + end
		default:
			e = l.other
		}
		return decodeBy(e, string(piece)) + end
	}
	if l.dec == nil {
		l.dec = l.e.NewDecoder()
	}
	out := make([]byte, utf8.UTFMax*(len(piece)+1))
	n, read, err := l.dec.Transform(out, piece, !more)
	switch {
	case more && err == transform.ErrShortSrc:
		l.rest = slices.Clone(piece[read:])
	case err != nil:
		out = append(out[:n], piece[read:]...)
		n = len(out)
	}
	if !more {
		l.dec = nil
	}
	return string(out[:n]) + end
}

// incomplete returns how many bytes at the end of b begin a character of UTF-8 that goes on after
// it.
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
