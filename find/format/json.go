package format

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"locator/internal/octet"
)

// readJSON finds in the strings of JSON (RFC 8259), JSON lines and JSON with comments.
func readJSON(s *scanner) error {
	s.copyTo(&jsonReader{to: s.text()}, s.in)
	return nil
}

// jsonReader writes the strings of JSON to a sink, each as a text of its own, with their escapes
// decoded. What is between the strings is a text, too: it can be a comment. A string ends at a line
// end, which JSON does not allow in it; the next line is then read whole.
type jsonReader struct {
	to      sink
	inside  bool   // of a string
	escape  []byte // that has begun
	at, end int64  // its source
	high    rune   // the first half of a surrogate pair, if not 0
	highAt  int64  // its source
	highEnd int64
}

func (j *jsonReader) write(text []byte, at, end int64) {
	from := 0 // of what was not passed on
	pass := func(k int) {
		if from < k {
			a, e := part(len(text), at, end, from, k)
			j.to.write(text[from:k], a, e)
		}
		from = k
	}
	for i, c := range text {
		a, e := part(len(text), at, end, i, i+1)
		if len(j.escape) > 0 {
			if j.more(c, e) {
				from = i + 1
				continue
			}
			from = i // the byte is not part of it
		}
		switch {
		case c == '"' || c == '\n' && j.inside:
			pass(i)
			j.flush()
			j.to.close()
			j.inside = c == '"' && !j.inside
			from = i + 1
		case c == '\\' && j.inside:
			pass(i)
			j.escape, j.at, j.end = append(j.escape[:0], c), a, e
			from = i + 1
		case j.high != 0:
			j.flush()
		}
	}
	if len(j.escape) == 0 {
		pass(len(text))
	}
}

// more adds a byte to an escape. It reports false if the byte does not belong to it.
func (j *jsonReader) more(c byte, end int64) bool {
	if len(j.escape) >= 2 && !octet.IsHex(c) || c == '\n' {
		j.to.write(j.escape, j.at, j.end)
		j.escape = j.escape[:0]
		return false
	}
	j.escape, j.end = append(j.escape, c), end
	switch e := j.escape; {
	case len(e) == 2 && c != 'u':
		j.flush()
		if i := strings.IndexByte("bfnrt", c); i >= 0 {
			c = "\b\f\n\r\t"[i]
		}
		j.to.write([]byte{c}, j.at, j.end)
	case len(e) == 6:
		n, _ := strconv.ParseUint(string(e[2:]), 16, 16)
		j.character(rune(n))
	default:
		return true
	}
	j.escape = j.escape[:0]
	return true
}

// character writes the character of an escape \uXXXX.
func (j *jsonReader) character(c rune) {
	if full := utf16.DecodeRune(j.high, c); full != utf8.RuneError {
		j.high = 0
		j.to.write(utf8.AppendRune(nil, full), j.highAt, j.end)
		return
	}
	j.flush()
	if c >= 0xD800 && c < 0xDC00 {
		j.high, j.highAt, j.highEnd = c, j.at, j.end
		return
	}
	j.to.write(utf8.AppendRune(nil, c), j.at, j.end)
}

// flush writes half a surrogate pair, which is not a character.
func (j *jsonReader) flush() {
	if j.high != 0 {
		j.high = 0
		j.to.write([]byte("\uFFFD"), j.highAt, j.highEnd)
	}
}

func (j *jsonReader) close() {
	j.flush()
	if len(j.escape) > 0 {
		j.to.write(j.escape, j.at, j.end)
		j.escape = j.escape[:0]
	}
	j.to.close()
	j.inside = false
}
