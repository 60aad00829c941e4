package armor

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"
)

const binHexForm = "BinHex file"

// binHexBegin begins the line before the file (RFC 1741 3).
//
// QUIRK: not every program continues with "with BinHex 4.0)"; binhex of macutils 2.0b3 does not.
const binHexBegin = "(This file must be converted"

// BinHex decodes the data fork of a BinHex 4.0 file (RFC 1741 appendix A). It skips the resource
// fork.
func BinHex(r io.Reader) (*File, error) {
	l := newLines(r, binHexForm)
	if _, err := l.find(func(line []byte) bool { return bytes.Contains(line, []byte(binHexBegin)) }); err != nil {
		return nil, err
	}
	b := &binHex{in: &runs{in: &sextets{in: l.in}}}
	var length [1]byte
	if err := b.full(length[:]); err != nil {
		return nil, err
	}
	// The header is name, version, type, creator, flags, length of the data fork, length of the
	// resource fork.
	head := make([]byte, int(length[0])+1+4+4+2+4+4)
	if err := b.full(head); err != nil {
		return nil, err
	}
	if err := b.check("the header"); err != nil {
		return nil, err
	}
	sizes := head[len(head)-8:]
	data, resource := binary.BigEndian.Uint32(sizes), binary.BigEndian.Uint32(sizes[4:])
	b.left = int64(data)
	return &File{Name: string(head[:length[0]]), Size: b.left, LeftOut: int64(resource), contents: b}, nil
}

// binHex reads the forks of the file and verifies the checksum of each.
type binHex struct {
	in   io.Reader
	crc  uint16
	left int64 // bytes of the data fork
	err  error
}

// Read reads the data fork. It verifies the checksum before it returns io.EOF.
func (b *binHex) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	if b.left == 0 {
		if b.err = b.check("the file"); b.err == nil {
			b.err = io.EOF
		}
		return 0, b.err
	}
	n, err := b.in.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	b.sum(p[:n])
	b.err = early(err)
	return n, b.err
}

// full reads len(p) bytes.
func (b *binHex) full(p []byte) error {
	if _, err := io.ReadFull(b.in, p); err != nil {
		return early(err)
	}
	b.sum(p)
	return nil
}

// check reads a checksum and compares it with that of the bytes before it.
func (b *binHex) check(what string) error {
	want := b.crc
	b.crc = 0
	var p [2]byte
	if _, err := io.ReadFull(b.in, p[:]); err != nil {
		return early(err)
	}
	if binary.BigEndian.Uint16(p[:]) != want {
		return malformed(binHexForm, "the checksum of %s is wrong", what)
	}
	return nil
}

// sum adds p to the CCITT checksum: x^16 + x^12 + x^5 + 1.
func (b *binHex) sum(p []byte) {
	for _, c := range p {
		b.crc ^= uint16(c) << 8
		for range 8 {
			if b.crc&0x8000 != 0 {
				b.crc = b.crc<<1 ^ 0x1021
			} else {
				b.crc <<= 1
			}
		}
	}
}

// runs decodes run lengths: a byte, 0x90 and a count n stand for n copies of the byte; 0x90 and 0
// stand for 0x90.
type runs struct {
	in   io.ByteReader
	last byte
	more int // further copies of last to return
}

const runMark = 0x90

// Read implements io.Reader.
func (r *runs) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if r.more > 0 {
			r.more--
			p[n] = r.last
			n++
			continue
		}
		c, err := r.in.ReadByte()
		if err != nil {
			return n, err
		}
		if c != runMark {
			r.last = c
		} else {
			count, err := r.in.ReadByte()
			if err != nil {
				return n, early(err)
			}
			if count > 0 {
				r.more = int(count) - 1
				continue
			}
			r.last = runMark
		}
		p[n] = r.last
		n++
	}
	return n, nil
}

// sextets decodes the characters between two colons, each of which holds six bits.
type sextets struct {
	in    io.ByteReader
	begun bool
	bits  uint32
	have  int // bits that are not returned yet
}

// binHexAlphabet is the list of characters in the order of their values.
const binHexAlphabet = "!\"#$%&'()*+,-012345689@ABCDEFGHIJKLMNPQRSTUVXYZ[`abcdefhijklmpqr"

// ReadByte implements io.ByteReader. It returns io.EOF at the second colon.
func (s *sextets) ReadByte() (byte, error) {
	for s.have < 8 {
		c, err := s.in.ReadByte()
		if err != nil {
			return 0, early(err)
		}
		switch {
		case c == '\r' || c == '\n' || c == '\t' || c == ' ':
			continue
		case c == ':' && !s.begun:
			s.begun = true
			continue
		case c == ':':
			return 0, io.EOF
		case !s.begun:
			return 0, malformed(binHexForm, "the colon that begins the data is missing")
		}
		v := strings.IndexByte(binHexAlphabet, c)
		if v < 0 {
			return 0, malformed(binHexForm, "the data has the byte %#02x", c)
		}
		s.bits = s.bits<<6 | uint32(v)
		s.have += 6
	}
	s.have -= 8
	return byte(s.bits >> s.have), nil
}
