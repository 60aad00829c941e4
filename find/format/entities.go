package format

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/net/html"

	"locator/internal/octet"
)

// maxEntity is longer than the name of every character reference, with its "&" and ";".
const maxEntity = 40

// unescape decodes the character references of HTML in text at pos, and writes the result to a
// sink.
func (h *htmlReader) unescape(to sink, raw []byte, pos int64, attribute bool) {
	for len(raw) > 0 {
		i := bytes.IndexByte(raw, '&')
		if i < 0 {
			i = len(raw)
		}
		if i > 0 {
			h.from.copy(to, pos, raw[:i])
			raw, pos = raw[i:], pos+int64(i)
			continue
		}
		text, n := characterReference(raw, attribute)
		if n <= 1 {
			n = 1
			h.from.copy(to, pos, raw[:1])
		} else {
			at, end, _ := h.from.locate(pos, int64(n))
			to.write([]byte(text), at, end)
		}
		raw, pos = raw[n:], pos+int64(n)
	}
}

// characterReference decodes the character reference that raw begins with (HTML 13.2.5.72), and
// returns its length; 0 if it is not one. The names are those of golang.org/x/net/html.
func characterReference(raw []byte, attribute bool) (text string, n int) {
	if len(raw) > 1 && raw[1] == '#' {
		return numericReference(raw)
	}
	n = 1
	for n < len(raw) && n < maxEntity && octet.IsAlphanumeric(raw[n]) {
		n++
	}
	ends := n < len(raw) && raw[n] == ';'
	if ends {
		n++
	}
	if n == 1 || attribute && !ends && n < len(raw) && raw[n] == '=' {
		return "", 0
	}
	text = html.UnescapeString(string(raw[:n]))
	switch runes := utf8.RuneCountInString(text); {
	case text == string(raw[:n]):
		return "", 0
	case runes == 1 || runes == 2 && ends && text[len(text)-1] != ';':
		return text, n
	case attribute:
		return "", 0
	}
	for n = min(n-1, 8); n > 1; n-- { // a name without its semicolon begins the word, as in &notit
		if text = html.UnescapeString(string(raw[:n])); utf8.RuneCountInString(text) == 1 {
			return text, n
		}
	}
	return "", 0
}

// numericReference decodes a reference such as &#58; or &#x3A;.
func numericReference(raw []byte) (text string, n int) {
	digits := []byte("0123456789")
	n = 2
	if n < len(raw) && raw[n]|0x20 == 'x' {
		digits = []byte("0123456789abcdefABCDEF")
		n++
	}
	start := n
	for n < len(raw) && bytes.IndexByte(digits, raw[n]) >= 0 {
		n++
	}
	if n == start {
		return "", 0
	}
	if n < len(raw) && raw[n] == ';' {
		n++
	}
	return html.UnescapeString(string(raw[:n])), n
}
