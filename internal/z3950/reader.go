package z3950

import (
	"errors"
	"fmt"
	"io"
)

// A Reader reads a SearchResponse from a connection, one record at a time. It can be used for
// several responses, one after the other.
type Reader struct {
	r    counted
	max  int
	user int64 // bytes of the user information that are left
	buf  []byte
	text []byte // holds the text of a document
	used bool   // text is part of a record of this response
}

// counted reads the bytes of a packet.
type counted struct {
	r    io.Reader
	left int64
}

// full fills b. Less is an error: malformed if the packet is too short for it.
func (c *counted) full(b []byte) error {
	if int64(len(b)) > c.left {
		return fmt.Errorf("%w: the packet ends within an element", ErrMalformed)
	}
	n, err := io.ReadFull(c.r, b)
	c.left -= int64(n)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// Begin begins to read an APDU of n bytes, n > 0, and returns the begin of the response. A record
// may have max bytes.
func (c *Reader) Begin(r io.Reader, n int64, max int) (*SearchResponse, error) {
	c.r, c.max, c.user, c.used = counted{r: r, left: n}, max, 0, false
	var size [2]byte
	if err := c.r.full(size[:]); err != nil {
		return nil, err
	}
	header := make([]byte, bigEndian(size[:]))
	if err := c.r.full(header); err != nil {
		return nil, err
	}
	d := decoder{header, "response"}
	typ, err := d.fixed(1)
	if err != nil {
		return nil, err
	}
	if byte(typ) != TypeSearchResponse {
		return nil, d.fail("type %d instead of %d, SearchResponse", typ, TypeSearchResponse)
	}
	return parseResponse(d)
}

// Left returns how many bytes of the packet have not been read.
func (c *Reader) Left() int64 { return c.r.left }

// Next returns the next record. It returns io.EOF after the last one; the whole packet has then
// been read. After any other error the Reader cannot be used.
func (c *Reader) Next() (Record, error) {
	for c.user == 0 { // other elements than the user information are skipped
		if c.r.left == 0 {
			return nil, io.EOF
		}
		tag, err := c.integer()
		if err != nil {
			return nil, err
		}
		n, err := c.length(c.r.left)
		if err != nil {
			return nil, err
		}
		if Tag(tag) == TagUserInformation {
			c.user = n
			continue
		}
		if err := c.skip(n); err != nil {
			return nil, err
		}
	}
	before := c.r.left
	tag, err := c.integer()
	if err != nil {
		return nil, err
	}
	if Tag(tag) == TagDiagnostic {
		r, err := c.diagnostic(c.user - (before - c.r.left))
		c.user -= before - c.r.left
		return r, err
	}
	n, err := c.length(c.user - (before - c.r.left))
	if err != nil {
		return nil, err
	}
	buf := &c.buf
	if Tag(tag) == TagDocumentText {
		if buf = &c.text; c.used {
			buf = new([]byte)
		}
		c.used = true
	}
	value, err := c.value(n, buf)
	if err != nil {
		return nil, err
	}
	c.user -= before - c.r.left
	return parseRecord(Tag(tag), value)
}

func overrun(n int64) error {
	return fmt.Errorf("%w: an element of %d bytes exceeds the one around it", ErrMalformed, n)
}

// integer reads a compressed integer.
func (c *Reader) integer() (int, error) {
	var b [maxCompressedBytes]byte
	for i := range b {
		if err := c.r.full(b[i : i+1]); err != nil {
			return 0, err
		}
		if b[i] < 0x80 {
			d := decoder{b[:i+1], "element"}
			return d.compressed()
		}
	}
	return 0, fmt.Errorf("%w: a tag or length is too large", ErrMalformed)
}

// length reads the length of an element, of which at most left bytes with the length itself are
// there.
func (c *Reader) length(left int64) (int64, error) {
	before := c.r.left
	n, err := c.integer()
	if err == nil && int64(n) > left-(before-c.r.left) {
		err = overrun(int64(n))
	}
	return int64(n), err
}

// value reads n bytes into a buffer.
func (c *Reader) value(n int64, buf *[]byte) ([]byte, error) {
	if n > int64(c.max) {
		return nil, fmt.Errorf("%w: a record of %d bytes, more than %d", ErrTooLong, n, c.max)
	}
	if cap(*buf) < int(n) { // max is small, so a false length wastes little
		*buf = make([]byte, n)
	}
	b := (*buf)[:n]
	return b, c.r.full(b)
}

func (c *Reader) skip(n int64) error {
	k, err := io.CopyN(io.Discard, c.r.r, n)
	c.r.left -= k
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// diagnostic reads what follows the tag of a diagnostic: a length of two bytes, a code of two
// bytes, the text, a byte, and a byte that the length does not count.
func (c *Reader) diagnostic(left int64) (Record, error) {
	var size [2]byte
	if err := c.r.full(size[:]); err != nil {
		return nil, err
	}
	n := int64(bigEndian(size[:]))
	if n < 3 {
		return nil, fmt.Errorf("%w: a diagnostic of %d bytes", ErrMalformed, n)
	}
	if n+3 > left {
		return nil, overrun(n)
	}
	v, err := c.value(n+1, &c.buf)
	if err != nil {
		return nil, err
	}
	if v[n] != diagnosticEnd {
		return nil, fmt.Errorf("%w: a diagnostic ends with the byte %#x", ErrMalformed, v[n])
	}
	return &Diagnostic{Code: string(v[:2]), Text: string(v[2 : n-1]), Surrogate: v[n-1]}, nil
}
