package wire

import (
	"io"
	"unicode"
	"unicode/utf8"
)

// Text returns a reader that filters text from r for a terminal (P6). Printable UTF-8, TAB and LF are unchanged; CR LF becomes
// LF. Every other byte is escaped as \xNN: C0 and C1 control characters, DEL, invalid UTF-8, line and paragraph separators,
// and characters that change the direction of text. So a server cannot move the cursor, set the title, or disguise a line.
// Backslashes are unchanged, so the output cannot be decoded unambiguously.
//
// The reader uses a few KiB of memory, whatever the length of the text. It does not hold back data while r blocks, except
// the bytes of an incomplete character.
func Text(r io.Reader) io.Reader { return &textReader{r: r} }

// TextLine returns s filtered as by [Text], on one line: LF and TAB are escaped, too.
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

// textReader implements Text.
type textReader struct {
	r          io.Reader
	err        error // from r
	src        [2 << 10]byte
	dst        [2 << 10]byte
	src0, src1 int // src[src0:src1] is not yet filtered
	dst0, dst1 int // dst[dst0:dst1] is not yet returned
}

// Read implements io.Reader.
func (t *textReader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for idle := 0; t.dst0 == t.dst1; idle++ {
		// The filter leaves an incomplete character and what does not fit in dst.
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

// filter writes filtered src to dst and returns the number of bytes used of both. It stops before a character that does not
// fit in dst and, unless atEOF, before one that may be incomplete. If line is true, it escapes LF and TAB.
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
				nSrc++ // drop the CR of CR LF
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

// printable reports whether a non-ASCII character can be shown on a terminal and does not change the direction of text.
// Unassigned and private characters are not printable, since terminals differ on them.
func printable(r rune) bool {
	switch r {
	case '\u200C', '\u200D', // joiners, needed for Persian, Hindi and emoji
		'\u200E', '\u200F', '\u061C', // direction marks, which affect only adjacent characters
		'\u00AD': // soft hyphen
		return true
	}
	return unicode.IsPrint(r) || unicode.Is(unicode.Zs, r)
}
