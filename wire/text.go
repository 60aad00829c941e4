package wire

import (
	"io"
	"unicode"
	"unicode/utf8"
)

// Text filters a text that goes to a terminal (P6). Printable UTF-8, TAB and LF pass; CR LF becomes LF. Everything
// else is shown as [Escape] shows it, a byte as \xNN: control characters of C0 and C1, DEL, invalid UTF-8, line and
// paragraph separators, and the characters that change the direction of writing. So a server cannot move the cursor,
// set the title, or show a line other than it is. A backslash passes, for the sake of program text: the output is for
// people and cannot be decoded.
//
// The reader needs a few KiB, whatever the length of the text. When r blocks, everything that r returned has been
// returned, except for the bytes of an incomplete character.
func Text(r io.Reader) io.Reader { return &textReader{r: r} }

// TextLine returns s as [Text] shows it, on one line: LF and TAB are escaped as well.
func TextLine(s string) string {
	plain := true
	for i := 0; i < len(s) && plain; i++ {
		plain = ' ' <= s[i] && s[i] < 0x7F
	}
	if plain {
		return s
	}
	dst := make([]byte, escapedLen*len(s))
	n, _ := filter(dst, []byte(s), true, true)
	return string(dst[:n])
}

// textReader returns what it has before it waits for the rest of a character.
type textReader struct {
	r          io.Reader
	err        error // from r
	src        [2 << 10]byte
	dst        [2 << 10]byte
	src0, src1 int // src[src0:src1] is not yet judged
	dst0, dst1 int // dst[dst0:dst1] is not yet given
}

// Read gives filtered text.
func (t *textReader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for idle := 0; t.dst0 == t.dst1; idle++ {
		// The filter leaves only what dst has no room for and a character that is incomplete.
		n, taken := filter(t.dst[:], t.src[t.src0:t.src1], t.err == io.EOF, false)
		t.dst0, t.dst1, t.src0 = 0, n, t.src0+taken
		if n > 0 {
			break
		}
		if t.err != nil {
			return 0, t.err
		}
		if idle > 100 {
			return 0, io.ErrNoProgress
		}
		t.src1 = copy(t.src[:], t.src[t.src0:t.src1])
		t.src0 = 0
		n, t.err = t.r.Read(t.src[t.src1:])
		t.src1 += n
	}
	n := copy(p, t.dst[t.dst0:t.dst1])
	t.dst0 += n
	return n, nil
}

// escapedLen is the length of an escaped byte.
const escapedLen = len(`\xNN`)

// filter writes to dst what may be shown of src, and returns how many bytes of both it used. It stops before a character
// that dst has no room for and, unless atEOF, before one that may be incomplete. In a line, LF and TAB are escaped.
func filter(dst, src []byte, atEOF, line bool) (nDst, nSrc int) {
	for nSrc < len(src) {
		rest := src[nSrc:]
		octets, shown := 1, false
		switch c := rest[0]; {
		case c == '\r':
			if len(rest) == 1 && !atEOF {
				return nDst, nSrc
			}
			if len(rest) > 1 && rest[1] == '\n' {
				nSrc++ // only the LF is left
				continue
			}
		case c < utf8.RuneSelf:
			shown = c >= ' ' && c < 0x7F || !line && (c == '\n' || c == '\t')
		case !utf8.FullRune(rest) && !atEOF:
			return nDst, nSrc
		default:
			var r rune
			r, octets = utf8.DecodeRune(rest)
			shown = octets > 1 && printable(r)
		}
		if shown {
			if nDst+octets > len(dst) {
				return nDst, nSrc
			}
			nDst += copy(dst[nDst:], rest[:octets])
		} else {
			if nDst+escapedLen*octets > len(dst) {
				return nDst, nSrc
			}
			for _, c := range rest[:octets] {
				nDst += copy(dst[nDst:], []byte{'\\', 'x', hexDigits[c>>4], hexDigits[c&15]})
			}
		}
		nSrc += octets
	}
	return nDst, nSrc
}

// printable reports whether a character beyond ASCII shows as itself and turns nothing round. Unassigned and private
// characters do not: what a terminal makes of them is not known.
func printable(r rune) bool {
	switch r {
	case '\u200C', '\u200D', // joiners, without which Persian, Hindi and emoji cannot be written
		'\u200E', '\u200F', '\u061C', // marks of direction, which turn nothing but their neighbours
		'\u00AD': // soft hyphen
		return true
	}
	return unicode.IsPrint(r) || unicode.Is(unicode.Zs, r)
}
