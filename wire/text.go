package wire

import (
	"io"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/transform"
)

// Text filters a text that goes to a terminal (P6). Printable UTF-8, TAB and LF pass; CR LF becomes LF. Everything
// else is shown as [Escape] shows it, an octet as \xNN: control characters of C0 and C1, DEL, what is no UTF-8, line
// and paragraph separators, and the characters that turn the direction of writing. So a peer cannot move the cursor,
// set the title, or show a line other than it is. A backslash passes, for the sake of programs: what stands there is
// to be read, not to be read back.
//
// It holds a few KiB whatever the text. Where r stalls, all that r gave has been given, save the octets of a
// character that is not complete yet.
func Text(r io.Reader) io.Reader { return &textReader{r: r} }

// textReader is unlike [transform.Reader] in that it gives what it has before it waits for the rest of a character.
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
		// The filter takes all but a character that may still go on, and that only for want of more.
		n, taken, _ := terminal{}.Transform(t.dst[:], t.src[t.src0:t.src1], t.err == io.EOF)
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

// TextWriter is [Text] on the writing side. Close writes what is left of a text that ends within a character; it
// does not close w.
func TextWriter(w io.Writer) io.WriteCloser { return transform.NewWriter(w, terminal{}) }

// terminal is the filter. It keeps no state: what it cannot judge yet it leaves in the source.
type terminal struct{ transform.NopResetter }

// Transform meets [transform.Transformer].
func (terminal) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		rest := src[nSrc:]
		octets, shown := 1, false
		switch c := rest[0]; {
		case c == '\r':
			if len(rest) == 1 && !atEOF {
				return nDst, nSrc, transform.ErrShortSrc
			}
			if len(rest) > 1 && rest[1] == '\n' {
				nSrc++ // only the LF is left
				continue
			}
		case c < utf8.RuneSelf:
			shown = c >= ' ' && c < 0x7F || c == '\n' || c == '\t'
		case !utf8.FullRune(rest) && !atEOF:
			return nDst, nSrc, transform.ErrShortSrc
		default:
			var r rune
			r, octets = utf8.DecodeRune(rest)
			shown = octets > 1 && printable(r)
		}
		if shown {
			if nDst+octets > len(dst) {
				return nDst, nSrc, transform.ErrShortDst
			}
			nDst += copy(dst[nDst:], rest[:octets])
		} else {
			if nDst+4*octets > len(dst) {
				return nDst, nSrc, transform.ErrShortDst
			}
			for _, c := range rest[:octets] {
				nDst += copy(dst[nDst:], []byte{'\\', 'x', hexDigits[c>>4], hexDigits[c&15]})
			}
		}
		nSrc += octets
	}
	return nDst, nSrc, nil
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
