package bnf

import (
	"fmt"
	"strconv"
	"strings"
)

type kind uint8

const (
	kindEnd     kind = iota
	kindName         // text is the name
	kindLiteral      // text is its value
	kindRepeat       // n is the least count
	kindEqual
	kindBar
	kindOpen
	kindClose

	// Of RFC 5234 only.
	kindMore     // =/
	kindRange    // low to high
	kindGroup    // (
	kindGroupEnd // )
)

// A token is one mark of the notation.
type token struct {
	kind kind
	text string
	n    int
	src  string // as written
	line int

	most      int  // of kindRepeat: the greatest count
	bound     bool // of kindRepeat: there is a greatest count
	fold      bool // of kindLiteral: case does not count
	low, high rune // of kindRange
}

// Bounds on what a text may ask for.
const (
	maxRepeat = 255 // least count of a repetition
	maxDepth  = 64  // brackets within brackets
)

// scan cuts the text into tokens; the last one is of kindEnd.
func scan(text string) ([]token, error) {
	var list []token
	line := 1
	for i := 0; i < len(text); {
		c, rest := text[i], text[i:]
		t := token{line: line}
		switch {
		case c == '\n':
			line++
			i++
			continue
		case c == ' ' || c == '\t' || c == '\r':
			i++
			continue
		case c == ';':
			if n := strings.IndexByte(rest, '\n'); n >= 0 {
				i += n
			} else {
				i = len(text)
			}
			continue
		case c == '=':
			t.kind, t.src = kindEqual, "="
		case c == '|':
			t.kind, t.src = kindBar, "|"
		case c == '[':
			t.kind, t.src = kindOpen, "["
		case c == ']':
			t.kind, t.src = kindClose, "]"
		case strings.HasPrefix(rest, `<">`):
			t.kind, t.src, t.text = kindLiteral, `<">`, `"`
		case c == '"':
			n := strings.IndexByte(rest[1:], '"')
			if n >= 0 {
				t.text = rest[1 : 1+n]
			}
			if n <= 0 || strings.ContainsFunc(t.text, notPrintable) {
				return nil, fmt.Errorf("bnf: line %d: a literal needs printable ASCII between two quotation marks on one line", line)
			}
			t.kind, t.src = kindLiteral, rest[:n+2]
		case c == '*' || isDigit(c):
			n := span(rest, isDigit)
			if n == len(rest) || rest[n] != '*' {
				return nil, fmt.Errorf("bnf: line %d: %q is not a repetition: * is missing", line, rest[:n])
			}
			if n > 0 {
				least, err := strconv.Atoi(rest[:n])
				if err != nil || least > maxRepeat {
					return nil, fmt.Errorf("bnf: line %d: repetition %s is over %d", line, rest[:n], maxRepeat)
				}
				t.n = least
			}
			t.kind, t.src = kindRepeat, rest[:n+1]
		case isLetter(c):
			t.kind, t.src = kindName, rest[:span(rest, isNameByte)]
			t.text = t.src
		default:
			return nil, fmt.Errorf("bnf: line %d: %q has no meaning here; a literal is quoted", line, c)
		}
		i += len(t.src)
		list = append(list, t)
	}
	return append(list, token{kind: kindEnd, line: line}), nil
}

func notPrintable(r rune) bool { return r < ' ' || r > '~' }
func isDigit(c byte) bool      { return '0' <= c && c <= '9' }
func isLetter(c byte) bool     { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// isNameByte allows what the RFC has in its names: ip-schemepart,
// gopher+_string, encoded822addr.
func isNameByte(c byte) bool {
	return isLetter(c) || isDigit(c) || c == '-' || c == '+' || c == '_'
}

// span returns how many bytes at the start of s satisfy f.
func span(s string, f func(byte) bool) int {
	n := 0
	for n < len(s) && f(s[n]) {
		n++
	}
	return n
}

// A reader parses tokens into rules.
type reader struct {
	list  []token
	depth int
}

// read adds the productions of the text to g.
func (g *Grammar) read(text string) error {
	list, err := scan(text)
	if err != nil {
		return err
	}
	rd := &reader{list: list}
	for rd.peek().kind != kindEnd {
		if !rd.atRule() {
			return rd.fail("a rule begins with its name and =")
		}
		name := rd.next()
		rd.next()
		rest := rd.list
		body, err := rd.alternatives()
		if err != nil {
			return err
		}
		if rd.peek().kind == kindClose {
			return rd.fail("] without [")
		}
		if old := g.rules[name.text]; old != nil {
			return fmt.Errorf("bnf: line %d: rule %s is defined twice, first in line %d", name.line, name.text, old.line)
		}
		r := &rule{line: name.line, body: body}
		r.Name, r.Text = name.text, join(rest[:len(rest)-len(rd.list)])
		g.order = append(g.order, r)
		g.rules[r.Name] = r
	}
	return nil
}

// join writes tokens with one space between them, none after a repetition.
func join(list []token) string {
	var b strings.Builder
	for i, t := range list {
		if i > 0 && list[i-1].kind != kindRepeat {
			b.WriteByte(' ')
		}
		b.WriteString(t.src)
	}
	return b.String()
}

func (rd *reader) peek() token { return rd.list[0] }

func (rd *reader) next() token {
	t := rd.list[0]
	if t.kind != kindEnd {
		rd.list = rd.list[1:]
	}
	return t
}

// atRule says whether a rule begins here: only there an = follows a name, so
// the layout of the text does not matter.
func (rd *reader) atRule() bool {
	return rd.list[0].kind == kindName && rd.list[1].kind == kindEqual
}

func (rd *reader) fail(msg string) error {
	t := rd.peek()
	if t.kind == kindEnd {
		return fmt.Errorf("bnf: line %d: at the end: %s", t.line, msg)
	}
	return fmt.Errorf("bnf: line %d: at %s: %s", t.line, t.src, msg)
}

// alternatives reads sequences between bars.
func (rd *reader) alternatives() (*node, error) {
	n := &node{op: opAlt}
	for {
		k, err := rd.sequence()
		if err != nil {
			return nil, err
		}
		n.kids = append(n.kids, k)
		if rd.peek().kind != kindBar {
			return single(n), nil
		}
		rd.next()
	}
}

// sequence reads elements up to a bar, a bracket or the next rule.
func (rd *reader) sequence() (*node, error) {
	n := &node{op: opSeq}
	for {
		t := rd.peek()
		if t.kind == kindEnd || t.kind == kindBar || t.kind == kindClose || rd.atRule() {
			if len(n.kids) == 0 {
				return nil, rd.fail("something is missing before it")
			}
			return single(n), nil
		}
		k, err := rd.element()
		if err != nil {
			return nil, err
		}
		n.kids = append(n.kids, k)
	}
}

func (rd *reader) element() (*node, error) {
	switch t := rd.peek(); t.kind {
	case kindName:
		rd.next()
		return &node{op: opRef, text: t.text}, nil
	case kindLiteral:
		rd.next()
		return &node{op: opLiteral, text: t.text}, nil
	case kindOpen:
		k, err := rd.group()
		return &node{op: opOption, kids: []*node{k}}, err
	case kindRepeat:
		rd.next()
		var k *node
		var err error
		switch next := rd.peek(); {
		case next.kind == kindOpen:
			k, err = rd.group() // brackets after a repetition only group
		case next.kind == kindLiteral, next.kind == kindName && !rd.atRule():
			k, err = rd.element()
		default:
			err = rd.fail("a repetition needs an element")
		}
		return &node{op: opRepeat, min: t.n, kids: []*node{k}}, err
	default:
		return nil, rd.fail("a name, a literal, [ or a repetition is expected")
	}
}

// group reads [ alternatives ].
func (rd *reader) group() (*node, error) {
	if rd.depth++; rd.depth > maxDepth {
		return nil, rd.fail("too many brackets within brackets")
	}
	rd.next()
	n, err := rd.alternatives()
	if err != nil {
		return nil, err
	}
	if rd.peek().kind != kindClose {
		return nil, rd.fail("] is missing before it")
	}
	rd.next()
	rd.depth--
	return n, nil
}

// single replaces a list of one by its only member.
func single(n *node) *node {
	if len(n.kids) == 1 {
		return n.kids[0]
	}
	return n
}
