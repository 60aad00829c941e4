package format

import (
	"bytes"
	"errors"

	"locator/internal/octet"
)

// Bounds of Markdown. The parser takes quadratic time for some texts and much memory for others; a
// text that exceeds a bound is read as plain text. docs/internals/decisions/0104 has what was
// measured.
const (
	maxMarkdown = 16 << 20 // bytes
	maxLines    = 256 << 10
	maxMarks    = 512 << 10     // characters that begin or end markup, and items of lists
	maxDepth    = 100           // of quotations and lists within each other
	maxCost     = 2_000_000_000 // nanoseconds of what is not linear
	depthCost   = 300           // nanoseconds for a line within a quotation or a list
)

var errMarkdown = errors.New("the Markdown would take too long to parse")

// CheckMarkdown estimates what it costs to parse a Markdown document with goldmark. The error says
// why it would take too long.
func CheckMarkdown(source []byte) error {
	if len(source) > maxMarkdown {
		return errors.New("the Markdown is longer than 16 MiB")
	}
	lines, marks, steps, depth := 0, 0, 0, 0
	var p paragraphCost
	for text := range bytes.Lines(source) {
		lines++
		steps += depthCost * depth
		if trimmed := bytes.TrimLeft(text, " \t\r\n"); len(trimmed) == 0 {
			marks, steps = marks+p.marks, steps+p.steps()
			p = paragraphCost{}
		} else {
			p.add(text, trimmed)
			here := markers(text)
			marks += here
			if here > 0 { // the indentation may be that of lists around it
				here += (len(text) - len(trimmed)) / 2
			}
			if depth = max(depth, here); here == 0 && p.lines == 1 { // lists and quotations end
				depth = 0
			}
		}
		if depth > maxDepth || lines > maxLines || marks+p.marks > maxMarks || steps+p.steps() > maxCost {
			return errMarkdown
		}
	}
	return nil
}

// paragraphCost counts what is expensive in lines without a blank line between them.
type paragraphCost struct {
	lines       int
	marks       int // characters that begin or end markup
	emphases    int // runs of characters that begin or end emphasis, since the last line that begins an item of a list
	squares     int // of emphases before
	definitions int // lines that define a link
	links       int // bytes of lines that the ends of link texts precede
}

func (p *paragraphCost) add(text, trimmed []byte) {
	p.lines++
	if len(text)-len(trimmed) < 4 && len(trimmed) > 2 && bytes.IndexByte([]byte("-*+"), trimmed[0]) >= 0 && trimmed[1] == ' ' && trimmed[2] > ' ' {
		p.squares += p.emphases * p.emphases
		p.emphases = 0
	}
	marks, links := 0, 0
	last := byte(0)
	for _, c := range text {
		switch c {
		case '*', '_':
			if marks++; c != last {
				p.emphases++
			}
		case '(':
			if last == ']' {
				links++
			}
		case '[', ']', '<', '!', '`', '&', '\\', '@', '>':
			marks++
		}
		last = c
	}
	p.marks += marks
	p.links += links * len(text)
	if trimmed[0] == '[' {
		p.definitions++
	}
}

// steps returns the time in nanoseconds that the parser takes besides what is linear.
func (p *paragraphCost) steps() int {
	return 2*p.links + 2*(p.squares+p.emphases*p.emphases) + 4*p.definitions*p.lines
}

// markers counts the characters at the beginning of a line that can open a quotation or a list.
func markers(text []byte) int {
	n, digits := 0, false
	for i, c := range text {
		before := i+1 < len(text) && text[i+1] <= ' ' // white space
		switch {
		case c <= ' ':
		case c == '>', (c == '*' || c == '-' || c == '+') && before, (c == '.' || c == ')') && before && digits:
			n++
		case c < '0' || c > '9':
			return n
		}
		digits = octet.IsDigit(c)
	}
	return n
}
