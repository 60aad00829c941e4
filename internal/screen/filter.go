package screen

import (
	"unicode"
	"unicode/utf8"
)

// Bounds of a sequence, in bytes. A longer control sequence is dropped; a longer control string
// ends, and what follows is text.
const (
	maxSequence = 64
	maxString   = 4 << 10
)

// Filter filters text, in UTF-8, that comes in pieces of any length. The zero value is a filter for
// a terminal in UTF-8. It is not safe for concurrent use.
type Filter struct {
	// ASCII replaces all other characters by "?". It is for a terminal in another character set,
	// which could take a byte within a character of UTF-8 for a control function of 8 bits.
	ASCII bool

	state   state
	seq     []byte // of the sequence so far, with ESC
	skipped int    // bytes of a control string
	partial []byte // of a character
	used    used   // what the terminal must be rid of at the end
}

type state uint8

const (
	ground     state = iota
	escape           // after ESC, and intermediate bytes
	control          // in a control sequence, after CSI
	text             // in a control string: OSC, DCS, SOS, PM or APC
	textCloses       // after ESC in a control string
)

const (
	esc = 0x1B
	can = 0x18
	sub = 0x1A
	bel = 0x07
)

// Append appends what the terminal may get of src to dst. It keeps an incomplete character or
// sequence for the next call.
func (f *Filter) Append(dst, src []byte) []byte {
	for len(src) > 0 {
		if len(f.partial) == 0 && src[0] < utf8.RuneSelf {
			dst = f.ascii(dst, src[0])
			src = src[1:]
			continue
		}
		n := min(utf8.UTFMax-len(f.partial), len(src))
		b := append(f.partial, src[:n]...)
		if !utf8.FullRune(b) {
			f.partial = b
			return dst
		}
		r, size := utf8.DecodeRune(b)
		if kept := len(f.partial); size < kept { // the kept bytes begin no character after all
			f.partial = append(f.partial[:0], b[size:kept]...)
		} else {
			f.partial, src = f.partial[:0], src[size-kept:]
		}
		dst = f.character(dst, r)
	}
	return dst
}

// character handles a character beyond ASCII. RuneError is a byte that is not UTF-8.
func (f *Filter) character(dst []byte, r rune) []byte {
	switch {
	case f.state == text || f.state == textCloses:
		return f.inText(dst, byte(min(r, 0xFF)), r == 0x9C)
	case r >= 0x80 && r < 0xA0: // a C1 control function is ESC and another byte in 7 bits (ECMA-48 5.3)
		dst = f.ascii(dst, esc)
		return f.ascii(dst, byte(r)-0x40)
	}
	f.state, f.seq = ground, f.seq[:0] // it ends a sequence
	switch {
	case f.ASCII:
		return append(dst, '?')
	case unicode.Is(unicode.Cf, r) && r != 0xAD && r != 0x200C && r != 0x200D, r == 0x2028, r == 0x2029: // they may change the direction of text
		return dst
	}
	return utf8.AppendRune(dst, r)
}

// ascii handles a byte below 0x80.
func (f *Filter) ascii(dst []byte, c byte) []byte {
	switch {
	case f.state == text || f.state == textCloses:
		return f.inText(dst, c, false)
	case c == esc:
		f.state, f.seq = escape, append(f.seq[:0], c)
		return dst
	case c == can || c == sub:
		f.state, f.seq = ground, f.seq[:0]
		return dst
	case c < ' ' || c == 0x7F: // within a sequence the terminal obeys it at once
		return f.c0(dst, c)
	case f.state == ground:
		return append(dst, c)
	}
	if f.seq = append(f.seq, c); len(f.seq) > maxSequence {
		f.state, f.seq = ground, f.seq[:0]
		return dst
	}
	if f.state == escape {
		return f.afterEscape(dst, c)
	}
	if c >= 0x40 { // the final byte of a control sequence
		return f.finish(dst, f.allowControl(f.seq[2:]))
	}
	return dst
}

// afterEscape handles the last byte of f.seq, which begins with ESC.
func (f *Filter) afterEscape(dst []byte, c byte) []byte {
	if len(f.seq) == 2 {
		switch c {
		case '[':
			f.state = control
			return dst
		case ']', 'P', 'X', '^', '_':
			f.state, f.skipped = text, 0
			return dst
		}
	}
	if c < '0' { // an intermediate byte
		return dst
	}
	return f.finish(dst, f.allowEscape(f.seq[1:]))
}

// finish ends a sequence, and passes it if it is allowed.
func (f *Filter) finish(dst []byte, allowed bool) []byte {
	if allowed {
		dst = append(dst, f.seq...)
	}
	f.state, f.seq = ground, f.seq[:0]
	return dst
}

// inText handles a byte of a control string, which is dropped. It ends with ST, ESC and a
// backslash; OSC ends with BEL, too. Any other sequence ends it as well.
func (f *Filter) inText(dst []byte, c byte, st bool) []byte {
	f.skipped++
	switch {
	case st, c == can, c == sub, c == bel && f.seq[1] == ']', f.skipped > maxString:
		f.state, f.seq = ground, f.seq[:0]
	case f.state == textCloses && c == '\\':
		f.state, f.seq = ground, f.seq[:0]
	case f.state == textCloses:
		f.state, f.seq = ground, f.seq[:0]
		if c < utf8.RuneSelf {
			dst = f.ascii(f.ascii(dst, esc), c)
		}
	case c == esc:
		f.state = textCloses
	}
	return dst
}

// c0 handles a control character other than ESC, CAN and SUB. ENQ makes a terminal send its
// answerback; others may stop the output (DC3), or mean something different to each terminal.
func (f *Filter) c0(dst []byte, c byte) []byte {
	switch c {
	case bel, '\b', '\t', '\n', '\v', '\f', '\r':
		return append(dst, c)
	case 0x0E, 0x0F: // SO and SI select a character set, such as that of line drawing
		f.used.shifted = c == 0x0E
		return append(dst, c)
	}
	return dst
}
