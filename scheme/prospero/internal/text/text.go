package text

import (
	"bufio"
	"errors"
	"io"
	"strings"
)

var (
	// ErrUnclosed is returned for a text that ends within quotes.
	ErrUnclosed = errors.New("the text ends within a quoted token")
	// ErrTooLong is returned for a line that is longer than the limit.
	ErrTooLong = errors.New("a line is too long")
)

// Quote returns a token in quotes, if it needs them. A token may contain any byte, a line feed too.
func Quote(s string) string {
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return r <= ' ' || strings.ContainsRune("'+,/\x7f", r) }) < 0 {
		return s
	}
	return quoted(s)
}

// QuoteEnd returns a token in quotes from the first byte that needs them, as the servers of 1994
// wrote it.
func QuoteEnd(s string) string {
	i := strings.IndexAny(s, " \t\n\v\f\r'+,/")
	switch {
	case s == "":
		i = 0
	case i < 0:
		return s
	}
	return s[:i] + quoted(s[i:])
}

func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// Scanner reads tokens. It is for one goroutine.
type Scanner struct {
	r    *bufio.Reader
	max  int  // bytes of the tokens of a line
	left int  // of max
	line bool // a line has begun
	cut  bool // the last line had no line feed
}

// NewScanner returns a Scanner of r. Lines may have max bytes, but for the tokens that Value reads.
func NewScanner(r io.Reader, max int) *Scanner { return &Scanner{r: bufio.NewReader(r), max: max} }

// Cut reports whether the text ended within the last line or value, behind which there was no line
// feed.
func (s *Scanner) Cut() bool { return s.cut }

// Line reads the rest of the line, or the next line if none has begun. Lines without tokens are
// skipped. At the end of the text it returns io.EOF.
func (s *Scanner) Line() ([]string, error) {
	tokens, _, err := s.Tokens(-1)
	return tokens, err
}

// Tokens reads up to n tokens of a line, all if n is negative. more reports that the line has not
// ended; another token may follow.
func (s *Scanner) Tokens(n int) (tokens []string, more bool, err error) {
	if !s.line {
		s.left = s.max
	}
	for len(tokens) != n {
		v := value{s: s}
		var b strings.Builder
		for v.err == nil {
			c, ok := v.next()
			if !ok {
				continue
			}
			if s.left--; s.left < 0 {
				return tokens, false, ErrTooLong
			}
			b.WriteByte(c)
		}
		if v.err != io.EOF && v.err != errLine && v.err != errText {
			return tokens, false, v.err
		}
		if v.begun {
			if s.left--; s.left < 0 { // an empty token needs memory, too
				return tokens, false, ErrTooLong
			}
			tokens = append(tokens, b.String())
			s.line = true
		}
		switch {
		case v.err == errText && s.line, v.err == errLine && s.line:
			s.line, s.cut = false, v.err == errText
			return tokens, false, nil
		case v.err == errText:
			return tokens, false, io.EOF
		}
	}
	return tokens, true, nil
}

// The ends of a token besides io.EOF, behind which the line goes on.
var (
	errLine = errors.New("end of the line")
	errText = errors.New("end of the text")
)

// Value returns a reader of the next token of the line, which may have any length. It must be read
// to its end before the Scanner is used again.
func (s *Scanner) Value() io.Reader { return &value{s: s} }

// value reads a token.
type value struct {
	s      *Scanner
	quoted bool
	begun  bool  // the token has begun, even if it is empty
	err    error // io.EOF, errLine, errText, or that of the text
}

// Read implements io.Reader.
func (v *value) Read(p []byte) (n int, err error) {
	for n < len(p) && v.err == nil && (n == 0 || v.s.r.Buffered() > 0) { // what is there is returned at once
		if c, ok := v.next(); ok {
			p[n] = c
			n++
		}
	}
	switch {
	case n > 0:
		return n, nil
	case v.err == errLine || v.err == errText:
		v.s.line, v.s.cut = false, v.err == errText
		return 0, io.EOF
	}
	return 0, v.err
}

// next reads a byte. ok is false if it is not part of the token.
func (v *value) next() (c byte, ok bool) {
	c, err := v.s.r.ReadByte()
	switch {
	case err == io.EOF && v.quoted:
		v.err = ErrUnclosed
	case err == io.EOF:
		v.err = errText
	case err != nil:
		v.err = err
	case c == '\'' && v.quoted:
		if next, err := v.s.r.Peek(1); err == nil && next[0] == '\'' {
			_, _ = v.s.r.Discard(1) // it was peeked
			return c, true
		}
		v.quoted = false // an error of Peek is that of the next read
	case c == '\'':
		v.quoted, v.begun = true, true
	case v.quoted:
		return c, true
	case c == '\n' || c == '\r':
		v.err = errLine
	case c == ' ' || c == '\t' || c == '\v' || c == '\f':
		if v.begun {
			v.err = io.EOF
		}
	default:
		v.begun = true
		return c, true
	}
	return 0, false
}
