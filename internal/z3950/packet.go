package z3950

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// HeaderSize is the number of bytes of a packet header.
const HeaderSize = 25

// A Header is the header of a packet.
type Header struct {
	Length int64 // bytes after the header; 0 means a request that the server could not carry out
	// Echo has the bytes between the length and the checksum: the type of message, the version, the
	// server and the encodings. A server copies those of the request.
	Echo string
}

// echo is what a client sends: type z, version 2, the server "wais", no compression and no
// encoding.
const echo = "z2wais        "

// ParseHeader decodes the header of a packet. The length is in decimal and may have leading blanks.
func ParseHeader(b []byte) (Header, error) {
	d := decoder{b: b, what: "packet header"}
	if len(b) != HeaderSize {
		return Header{}, d.fail("it has %d bytes instead of %d", len(b), HeaderSize)
	}
	digits := strings.TrimLeft(string(b[:10]), " ")
	n, err := strconv.ParseUint(digits, 10, 63)
	if err != nil {
		return Header{}, d.fail("the length is not a number")
	}
	h := Header{Length: int64(n), Echo: string(b[10:24])}
	switch {
	case b[10]|0x20 != 'z':
		return h, d.fail("the message is not of type z")
	case b[22] != ' ' || b[23] != ' ':
		return h, d.fail("the message is compressed or encoded")
	}
	return h, nil
}

// AppendPacket appends a packet with the APDU. echo is the Echo of the header that it replies to,
// "" for a request.
func AppendPacket(b []byte, echoed string, apdu []byte) []byte {
	b = slices.Grow(b, HeaderSize+len(apdu))
	return append(AppendHeader(b, echoed, len(apdu)), apdu...)
}

// AppendHeader appends the header of a packet with an APDU of size bytes. echo is as in
// AppendPacket.
func AppendHeader(b []byte, echoed string, size int) []byte {
	if echoed == "" {
		echoed = echo
	}
	return append(append(fmt.Appendf(b, "%010d", size), echoed...), '0')
}

// ReadPacket reads a packet of at most max bytes after its header. It returns io.EOF only if there
// is no byte. Memory grows with what arrives, not with the length that the header announces.
func ReadPacket(r io.Reader, max int64) (Header, []byte, error) {
	h, err := ReadHeader(r, max)
	if err != nil {
		return h, nil, err
	}
	apdu, err := io.ReadAll(io.LimitReader(r, h.Length))
	if err == nil && int64(len(apdu)) < h.Length {
		err = io.ErrUnexpectedEOF
	}
	return h, apdu, err
}

// ReadHeader reads the header of a packet that has at most max bytes after it. It returns io.EOF
// only if there is no byte.
func ReadHeader(r io.Reader, max int64) (Header, error) {
	var b [HeaderSize]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return Header{}, err
	}
	h, err := ParseHeader(b[:])
	if err == nil && h.Length > max {
		err = fmt.Errorf("%w: a packet of %d bytes, more than %d", ErrTooLong, h.Length, max)
	}
	return h, err
}

// The types of APDU.
const (
	TypeInit           byte = 20
	TypeInitResponse   byte = 21
	TypeSearch         byte = 22
	TypeSearchResponse byte = 23
)

// begin appends the fields that every APDU begins with. The length is set by end.
func begin(b []byte, typ byte) []byte { return append(b, 0, 0, typ) }

// end sets the length of the APDU header, which begins at start: the bytes after the length itself.
func end(b []byte, start int) ([]byte, error) {
	n := len(b) - start - 2
	if n > 0xffff {
		return nil, fmt.Errorf("%w: an APDU header of %d bytes", ErrTooLong, n)
	}
	b[start], b[start+1] = byte(n>>8), byte(n)
	return b, nil
}

// split returns the type of an APDU, the rest of its header, and the user information after it.
func split(apdu []byte) (typ byte, header, user decoder, err error) {
	d := decoder{b: apdu, what: "APDU"}
	n, err := d.fixed(2)
	if err != nil {
		return 0, header, user, err
	}
	h, err := d.take(int(n))
	if err != nil {
		return 0, header, user, err
	}
	if len(h) == 0 {
		return 0, header, user, d.fail("it has no type")
	}
	return h[0], decoder{h[1:], "APDU header"}, decoder{d.b, "user information"}, nil
}

// An Unknown is an APDU of another type, such as Present (24), which WAIS does not use.
type Unknown struct {
	Type byte
	APDU []byte
}

// ParseRequest decodes the APDU of a request into an *Init, a *Search or an *Unknown.
func ParseRequest(apdu []byte) (any, error) {
	typ, header, user, err := split(apdu)
	switch {
	case err != nil:
		return nil, err
	case typ == TypeInit:
		return parseInit(header)
	case typ == TypeSearch:
		return parseSearch(header, user)
	}
	return &Unknown{typ, apdu}, nil
}
