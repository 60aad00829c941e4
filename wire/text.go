package wire

import (
	"io"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/transform"
)

// Text returns a reader that filters text from r for a terminal. Printable UTF-8, TAB and LF are
// unchanged; CR LF becomes LF. Every other byte is escaped as \xNN: C0 and C1 control characters,
// DEL, invalid UTF-8, line and paragraph separators, and characters that change the direction of
// text. So a server cannot move the cursor, set the title, or disguise a line. Backslashes are
// unchanged, so the output cannot be decoded unambiguously.
//
// The reader uses a few KiB of memory, whatever the length of the text. It does not hold back data
// while r blocks, except the bytes of an incomplete character. If r returns neither data nor an
// error a hundred times, the error is [io.ErrNoProgress].
func Text(r io.Reader) io.Reader { return transform.NewReader(&patient{r: r}, textFilter{}) }

// patient is a reader that ends if r returns nothing again and again.
type patient struct {
	r     io.Reader
	empty int // successive reads without a result
}

func (p *patient) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	if p.empty++; n > 0 || err != nil || len(b) == 0 {
		p.empty = 0
	}
	if p.empty >= 100 {
		err = io.ErrNoProgress
	}
	return n, err
}

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
	n, _, _ := filter(dst, []byte(s), true, true)
	return string(dst[:n])
}

// textFilter is the transformer of Text.
type textFilter struct{ transform.NopResetter }

// Transform implements transform.Transformer.
func (textFilter) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	nDst, nSrc, err = filter(dst, src, atEOF, false)
	if err == transform.ErrShortSrc && nDst > 0 {
		err = transform.ErrShortDst // so that the reader returns what it has before it reads more
	}
	return nDst, nSrc, err
}

// escapedLen is the length of an escaped byte.
const escapedLen = len(`\xNN`)

// filter writes filtered src to dst, as a transform.Transformer. It stops before a character that
// does not fit in dst and, unless atEOF, before one that may be incomplete. If line is true, it
// escapes LF and TAB.
func filter(dst, src []byte, atEOF, line bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		rest := src[nSrc:]
		octets, shown := 1, false
		switch c := rest[0]; {
		case c == '\r':
			if len(rest) == 1 && !atEOF {
				return nDst, nSrc, transform.ErrShortSrc
			}
			if len(rest) > 1 && rest[1] == '\n' {
				nSrc++ // drop the CR of CR LF
				continue
			}
		case c < utf8.RuneSelf:
			shown = c >= ' ' && c < 0x7F || !line && (c == '\n' || c == '\t')
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
			if nDst+escapedLen*octets > len(dst) {
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

// printable reports whether a non-ASCII character can be shown on a terminal and does not change
// the direction of text. Unassigned and private characters are not printable, since terminals
// differ on them.
func printable(r rune) bool {
	switch r {
	case '\u200C', '\u200D', // joiners, needed for Persian, Hindi and emoji
		'\u200E', '\u200F', '\u061C', // direction marks, which affect only adjacent characters
		'\u00AD': // soft hyphen
		return true
	}
	return unicode.IsPrint(r) || unicode.Is(unicode.Zs, r)
}
