package armor

import (
	"bytes"
	"encoding/base64"
	"io"
	"strings"
)

const uuForm = "uuencoded file"

// UU decodes the first file of a uuencoded text: the lines between "begin MODE NAME" and "end", or
// in base64 between "begin-base64 MODE NAME" and "====". It skips other lines.
func UU(r io.Reader) (*File, error) {
	u := &uu{lines: newLines(r, uuForm)}
	line, err := u.lines.find(func(line []byte) bool {
		f := bytes.Fields(line)
		u.base64 = len(f) > 0 && string(f[0]) == "begin-base64"
		return len(f) >= 3 && (u.base64 || string(f[0]) == "begin") && isMode(f[1])
	})
	if err != nil {
		return nil, err
	}
	name := string(line)
	for range 2 { // the word that begins it, and the mode
		name = strings.TrimLeft(name, " \t\f\v\r")
		name = name[strings.IndexAny(name, " \t\f\v\r"):]
	}
	return &File{Name: strings.TrimSpace(name), Size: -1, contents: u}, nil
}

// isMode reports whether b is an access mode in octal.
func isMode(b []byte) bool {
	return len(b) >= 3 && len(b) <= 6 && len(bytes.Trim(b, "01234567")) == 0
}

type uu struct {
	lines  *lines
	base64 bool
	buf    []byte // the bytes of the last line
	rest   []byte // the part of buf that is not returned yet
	err    error
}

// Read implements io.Reader.
func (u *uu) Read(p []byte) (int, error) {
	for len(u.rest) == 0 {
		if u.err != nil {
			return 0, u.err
		}
		line, err := u.lines.next()
		if err == nil {
			if u.base64 {
				err = u.fill64(line)
			} else {
				err = u.fill(line)
			}
		} else {
			err = early(err)
		}
		u.err = err
	}
	n := copy(p, u.rest)
	u.rest = u.rest[n:]
	return n, nil
}

// fill decodes a line: the first character is the number of bytes, and each four of the others hold
// three bytes.
//
// QUIRK: spaces at the end of a line, which stand for zeros, were often lost in transit.
func (u *uu) fill(line []byte) error {
	if len(line) == 0 || string(line) == "end" {
		if len(line) > 0 {
			return io.EOF
		}
		return nil
	}
	n, ok := sextet(line[0])
	if !ok {
		return malformed(uuForm, "a line begins with the byte %#02x", line[0])
	}
	if n == 0 {
		return nil // "end" follows
	}
	u.buf = u.buf[:0]
	for line = line[1:]; len(u.buf) < int(n); line = line[min(4, len(line)):] {
		var word uint32
		for i := range 4 {
			var c byte
			if i < len(line) {
				if c, ok = sextet(line[i]); !ok {
					return malformed(uuForm, "a line has the byte %#02x", line[i])
				}
			}
			word = word<<6 | uint32(c)
		}
		u.buf = append(u.buf, byte(word>>16), byte(word>>8), byte(word))
	}
	u.rest = u.buf[:n]
	return nil
}

// sextet returns the value of a character of a line. A grave accent counts as a space.
func sextet(c byte) (byte, bool) {
	return (c - ' ') & 0x3F, c >= ' ' && c <= '`'
}

func (u *uu) fill64(line []byte) error {
	if string(line) == "====" {
		return io.EOF
	}
	if need := base64.StdEncoding.DecodedLen(len(line)); cap(u.buf) < need {
		u.buf = make([]byte, need)
	}
	n, err := base64.StdEncoding.Decode(u.buf[:cap(u.buf)], line)
	if err != nil {
		return malformed(uuForm, "a line is not base64")
	}
	u.rest = u.buf[:n]
	return nil
}
