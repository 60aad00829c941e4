package format

import (
	"bytes"
	"encoding/base64"

	"locator/internal/octet"
)

// quotedPrintable decodes quoted-printable (RFC 2045 6.7), or the encoding Q of header fields
// (RFC 2047 4.2). It writes a "=" that begins no escape as it is.
type quotedPrintable struct {
	to     sink
	header bool
	held   held // "=" and what follows, of an escape or a soft line break
}

func (q *quotedPrintable) write(text []byte, at, _ int64) {
	for len(text) > 0 {
		if len(q.held.text) > 0 {
			n := q.escape(text, at)
			text, at = text[n:], at+int64(n)
			continue
		}
		n := bytes.IndexByte(text, '=')
		if q.header {
			n = bytes.IndexAny(text, "=_")
		}
		if n < 0 {
			n = len(text)
		}
		if n > 0 {
			q.to.write(text[:n], at, at+int64(n))
		} else if n = 1; text[0] == '_' {
			q.to.write([]byte{' '}, at, at+1)
		} else {
			q.held.add(at, '=')
		}
		text, at = text[n:], at+int64(n)
	}
}

// escape adds a byte to what is held, and returns how many bytes of text it took: 0 if the byte
// does not belong to it.
func (q *quotedPrintable) escape(text []byte, at int64) int {
	c, held := text[0], q.held.text
	isBreak := len(held) == 1 || held[1] <= ' ' // a soft line break, with white space before its line end
	switch {
	case isBreak && c == '\n':
		q.held.drop()
		return 1
	case isBreak && (c == ' ' || c == '\t' || c == '\r') && len(held) < 1000, len(held) == 1 && octet.IsHex(c):
		q.held.add(at, c)
		return 1
	case len(held) == 2 && octet.IsHex(held[1]) && octet.IsHex(c):
		q.to.write([]byte{octet.Hex(held[1])<<4 | octet.Hex(c)}, q.held.at, q.held.at+3)
		q.held.drop()
		return 1
	}
	q.flush()
	return 0
}

// flush writes what is held.
func (q *quotedPrintable) flush() { q.held.release(q.to) }

func (q *quotedPrintable) close() {
	q.flush()
	q.to.close()
}

// base64Decoder decodes base64 (RFC 2045 6.8). It skips all other bytes.
type base64Decoder struct {
	to   sink
	four [4]byte
	n    int
	at   int64
	end  int64
}

func (b *base64Decoder) write(text []byte, at, _ int64) {
	for i, c := range text {
		switch {
		case octet.IsAlphanumeric(c) || c == '+' || c == '/':
		case c == '=':
			b.flush()
			continue
		default:
			continue
		}
		if b.n == 0 {
			b.at = at + int64(i)
		}
		b.four[b.n] = c
		b.end = at + int64(i) + 1
		if b.n++; b.n == len(b.four) {
			b.flush()
		}
	}
}

// flush writes what the characters so far stand for.
func (b *base64Decoder) flush() {
	var three [3]byte
	if n, err := base64.RawStdEncoding.Decode(three[:], b.four[:b.n]); err == nil && n > 0 {
		b.to.write(three[:n], b.at, b.end)
	}
	b.n = 0
}

func (b *base64Decoder) close() {
	b.flush()
	b.to.close()
}
