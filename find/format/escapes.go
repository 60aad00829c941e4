package format

import (
	"bytes"
	"strconv"
	"strings"
)

// A notation is how a format of text writes characters that it cannot have as they are.
type notation struct {
	begins string // the bytes that may begin an escape
	// decode returns what an escape, of which at least the first byte is known, stands for. With
	// wait, it may go on; with over, its last byte is not part of it. Other text stands for itself.
	decode func(escape string) (text string, state escapeState)
}

type escapeState uint8

const (
	done escapeState = iota
	wait
	over
)

// maxEscape is the length of the longest escape in bytes.
const maxEscape = 32

// read finds in text with escapes.
func (n *notation) read(s *scanner) error {
	s.copyTo(&unescaper{to: s.text(), notation: n}, s.in)
	return nil
}

// unescaper decodes the escapes of a notation.
type unescaper struct {
	to sink
	*notation
	escape  []byte // that has begun
	at, end int64  // its source
}

func (u *unescaper) write(text []byte, at, end int64) {
	from := 0 // of what was not passed on
	for i := 0; i < len(text); i++ {
		if len(u.escape) == 0 {
			n := bytes.IndexAny(text[i:], u.begins)
			if n < 0 {
				break
			}
			if i += n; from < i {
				a, e := part(len(text), at, end, from, i)
				u.to.write(text[from:i], a, e)
			}
			u.at, _ = part(len(text), at, end, i, i+1)
		}
		from = i + 1
		u.escape = append(u.escape, text[i])
		_, e := part(len(text), at, end, i, i+1)
		decoded, state := u.decode(string(u.escape))
		switch {
		case state == wait && len(u.escape) < maxEscape:
			u.end = e
			continue
		case state == wait: // too long
			decoded = string(u.escape)
		case state == over: // the byte is read again
			i, from, e = i-1, i, u.end
		}
		u.pass(decoded, e)
	}
	if len(u.escape) == 0 && from < len(text) {
		a, e := part(len(text), at, end, from, len(text))
		u.to.write(text[from:], a, e)
	}
}

// pass writes what the escape stands for.
func (u *unescaper) pass(text string, end int64) {
	if u.escape = u.escape[:0]; text != "" {
		u.to.write([]byte(text), u.at, end)
	}
}

func (u *unescaper) close() {
	if len(u.escape) > 0 {
		u.pass(string(u.escape), u.end)
	}
	u.to.close()
}

// roff is the notation of manual pages: "\-" for a hyphen, "\:" where a line may break, "\fB" for a
// font, "\s-1" for a size, "\*x" for a string (groff(7)).
var roff = notation{`\`, func(e string) (string, escapeState) {
	if len(e) == 1 {
		return "", wait
	}
	name, kind := e[1:], e[1]
	switch kind {
	case 'f', '*':
		name = e[2:]
	case 's': // -1, +1
		name = strings.TrimLeft(e[2:], "+-")
	}
	switch { // the forms of names are x, (xx and [name]
	case strings.HasSuffix(name, "\n"):
		return e[:len(e)-1], over
	case name == "", name[0] == '[' && !strings.HasSuffix(name, "]"), name[0] == '(' && len(name) < 3:
		return "", wait
	case kind == 's' && strings.IndexByte("0123456789[(", name[0]) < 0: // no size
		return e, done
	case kind == 'f' || kind == 's':
		return "", done
	case kind == '*': // mostly a quotation mark
		return `"`, done
	case name[0] == '[' || name[0] == '(':
		if glyph := glyphs[strings.Trim(name, "([]")]; glyph != "" {
			return glyph, done
		}
		return e, done
	case strings.Contains("&%:/,|^)", name):
		return "", done
	case strings.Contains("-.'`\\", name):
		return name, done
	case strings.Contains(" ~0", name):
		return " ", done
	}
	return e, done
}}

// glyphs are the special characters of roff that a URL may contain (groff_char(7)).
var glyphs = map[string]string{
	"ti": "~", "hy": "-", "mi": "-", "aq": "'", "sh": "#", "at": "@", "sl": "/", "ul": "_", "Do": "$", "eq": "=", "pl": "+", "co": ",",
}

// tex is the notation of TeX and BibTeX: "\_", also in braces, and "\~{}" or "\~", which hyperref
// reads as a tilde.
var tex = notation{`\{`, func(e string) (string, escapeState) {
	inner := strings.TrimPrefix(e, "{")
	switch {
	case inner == "" || inner == `\` || inner == `\~` || inner == `\~{`:
		return "", wait
	case inner[0] != '\\':
		return "{", over
	case inner == `\~{}`:
		return e[:len(e)-len(inner)] + "~", done
	case strings.HasPrefix(inner, `\~`):
		return e[:len(e)-len(inner)] + "~", over
	case strings.IndexByte("_#%&$", inner[1]) >= 0:
		switch {
		case len(inner) == len(e): // without a brace
			return inner[1:], done
		case len(inner) == 2:
			return "", wait
		case inner[2] == '}':
			return inner[1:2], done
		}
		return "{" + inner[1:2], over
	case strings.IndexByte("-/", inner[1]) >= 0: // where a word may break, and the end of italics
		return e[:len(e)-len(inner)], done
	}
	return e, done
}}

// calendar is the notation of iCalendar and vCard (RFC 5545 3.1, 3.3.11): a line that begins with a
// blank goes on with the one before.
var calendar = notation{"\\\r\n", func(e string) (string, escapeState) {
	switch {
	case e == `\` || e == "\r" || e == "\n" || e == "\r\n":
		return "", wait
	case e[0] == '\\' && strings.IndexByte(`,;:\`, e[1]) >= 0:
		return e[1:], done
	case e == `\n` || e == `\N`:
		return "\n", done
	case e[0] == '\\':
		return e, done
	case e[0] == '\r' && e[1] != '\n', e[len(e)-1] != ' ' && e[len(e)-1] != '\t':
		return e[:len(e)-1], over
	}
	return "", done
}}

// properties is the notation of the property files of Java (java.util.Properties): "http\://".
var properties = notation{`\`, func(e string) (string, escapeState) {
	switch {
	case len(e) == 1:
		return "", wait
	case e[1] == 'u':
		if len(e) < 6 {
			return "", wait
		}
		if n, err := strconv.ParseUint(e[2:], 16, 16); err == nil {
			return string(rune(n)), done
		}
		return e, done
	case isFold(e[1:]):
		return "", wait
	case isFold(e[1 : len(e)-1]): // after the line break and the blanks at the beginning of the next line
		return "", over
	case strings.IndexByte("nrt", e[1]) >= 0:
		return "\n", done
	}
	return e[1:], done
}}

// po is the notation of the catalogs of gettext: a string may go on in quotes on the next line.
var po = notation{"\\\"", func(e string) (string, escapeState) {
	switch {
	case e == `\` || e == `"` || e == "\"\n" || e == "\"\r" || e == "\"\r\n":
		return "", wait
	case e[0] == '"' && e[len(e)-1] == '"' && len(e) > len(`""`):
		return "", done
	case e[0] == '"':
		return e[:len(e)-1], over
	case strings.IndexByte("nrt", e[1]) >= 0:
		return "\n", done
	case e[1] == '"' || e[1] == '\\':
		return e[1:], done
	}
	return e, done
}}

// isFold reports whether a text is one line break, perhaps with blanks behind it.
func isFold(text string) bool {
	text = strings.TrimRight(text, " \t\f")
	return text == "\n" || text == "\r" || text == "\r\n"
}

// isRoff reports whether a text begins like a manual page, perhaps after lines of a "." alone, as those of ronn.
func isRoff(head []byte) bool {
	for bytes.HasPrefix(head, []byte(".\n")) || bytes.HasPrefix(head, []byte(".\r\n")) {
		_, head, _ = bytes.Cut(head, []byte{'\n'})
	}
	for _, begin := range []string{`.\"`, `'\"`, ".TH ", ".Dd ", ".so "} {
		if bytes.HasPrefix(head, []byte(begin)) {
			return true
		}
	}
	return false
}

// isTeX reports whether a text begins like a document of LaTeX.
func isTeX(head []byte) bool { return bytes.HasPrefix(head, []byte(`\document`)) }

// isCalendar reports whether a text begins like iCalendar or vCard.
func isCalendar(head []byte) bool {
	return bytes.HasPrefix(bytes.ToUpper(head[:min(len(head), 8)]), []byte("BEGIN:VC"))
}
