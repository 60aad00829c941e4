package bnf

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// coreRules are the rules of RFC 5234 appendix B.1 that URIs need. A grammar that uses one without
// defining it gets it from here.
const coreRules = `
ALPHA  = %x41-5A / %x61-7A
DIGIT  = %x30-39
HEXDIG = DIGIT / "A" / "B" / "C" / "D" / "E" / "F"
DQUOTE = %x22
SP     = %x20
`

// ParseABNF reads productions in the notation of RFC 5234, with the strings of RFC 7405: "text" in
// either case, %s"text" in this case, %x41, %x41-5A, %d10, %b1, %x41.42; a / b; ( a b ); [ a ]; n*m
// a; n a; name =/ more. A value over 127 is the character of that code, encoded in UTF-8 (RFC 3987
// 2.2). The layout does not matter. Prose in angle brackets is an error, since it cannot be
// executed. Errors are like those of Parse.
func ParseABNF(text string) (*Grammar, error) {
	g := &Grammar{rules: map[string]*rule{}, matchers: map[string]*matcher{}}
	if err := g.readABNF(text); err != nil {
		return nil, err
	}
	core := &Grammar{rules: map[string]*rule{}}
	if err := core.readABNF(coreRules); err != nil {
		return nil, err
	}
	for _, r := range core.order {
		if g.rules[r.Name] == nil { // not in order, so not among Rules
			g.rules[r.Name] = r
		}
	}
	for _, r := range g.order {
		if err := g.resolve(r); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// scanABNF cuts the text into tokens; the last one is of kindEnd.
func scanABNF(text string) ([]token, error) {
	var list []token
	line := 1
	for i := 0; i < len(text); {
		c, rest := text[i], text[i:]
		t := token{line: line, src: rest[:1]}
		var err error
		switch {
		case c == '\n':
			line++
			i++
			continue
		case c == ' ' || c == '\t' || c == '\r':
			i++
			continue
		case c == ';':
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			i += n
			continue
		case strings.HasPrefix(rest, "=/"):
			t.kind, t.src = kindMore, "=/"
		case c == '=':
			t.kind = kindEqual
		case c == '/':
			t.kind = kindBar
		case c == '(':
			t.kind = kindGroup
		case c == ')':
			t.kind = kindGroupEnd
		case c == '[':
			t.kind = kindOpen
		case c == ']':
			t.kind = kindClose
		case c == '"', strings.HasPrefix(rest, `%s"`), strings.HasPrefix(rest, `%i"`):
			t, err = scanString(rest, line)
		case c == '%':
			t, err = scanValue(rest, line)
		case c == '*' || isDigit(c):
			t, err = scanRepeat(rest, line)
		case isLetter(c):
			t.kind, t.src = kindName, rest[:span(rest, isABNFNameByte)]
			t.text = t.src
		default:
			err = fmt.Errorf("bnf: line %d: %q has no meaning here", line, c)
		}
		if err != nil {
			return nil, err
		}
		i += len(t.src)
		list = append(list, t)
	}
	return append(list, token{kind: kindEnd, line: line}), nil
}

func isABNFNameByte(c byte) bool { return isLetter(c) || isDigit(c) || c == '-' }

// scanString reads "text", %s"text" or %i"text".
func scanString(s string, line int) (token, error) {
	quote := strings.IndexByte(s, '"')
	n := strings.IndexByte(s[quote+1:], '"')
	if n <= 0 || strings.ContainsFunc(s[quote+1:quote+1+n], notPrintable) {
		return token{}, fmt.Errorf("bnf: line %d: a string needs printable ASCII between two quotation marks on one line", line)
	}
	return token{
		kind: kindLiteral, text: s[quote+1 : quote+1+n], fold: s[:quote] != "%s", src: s[:quote+n+2], line: line,
	}, nil
}

// scanValue reads a number, a range of numbers or numbers with dots between them.
func scanValue(s string, line int) (token, error) {
	bad := fmt.Errorf("bnf: line %d: a value is %%x, %%d or %%b and characters by their codes", line)
	if len(s) < 3 {
		return token{}, bad
	}
	base := map[byte]int{'x': 16, 'd': 10, 'b': 2}[s[1]|0x20]
	if base == 0 {
		return token{}, bad
	}
	i := 2
	var codes []rune
	var joint byte
	for {
		n := span(s[i:], func(c byte) bool { return isDigit(c) || isLetter(c) })
		code, err := strconv.ParseUint(s[i:i+n], base, 32)
		if err != nil || code > utf8.MaxRune || code >= 0xD800 && code < 0xE000 {
			return token{}, bad
		}
		codes = append(codes, rune(code))
		if i += n; i == len(s) || s[i] != '.' && s[i] != '-' || joint != 0 && (joint != s[i] || joint == '-') {
			break
		}
		joint = s[i]
		i++
	}
	t := token{kind: kindLiteral, src: s[:i], line: line, text: string(codes)}
	if joint != '.' {
		t.kind, t.low, t.high = kindRange, codes[0], codes[len(codes)-1]
		if t.low > t.high {
			return token{}, bad
		}
	}
	return t, nil
}

// scanRepeat reads n, n*, *m or n*m.
func scanRepeat(s string, line int) (token, error) {
	n := span(s, isDigit)
	m, star := 0, 0
	if n < len(s) && s[n] == '*' {
		star = 1
		m = span(s[n+1:], isDigit)
	}
	t := token{kind: kindRepeat, src: s[:n+star+m], line: line}
	least, errLeast := strconv.Atoi("0" + s[:n])
	most, errMost := strconv.Atoi("0" + s[n+star:n+star+m])
	t.n, t.most, t.bound = least, most, m > 0
	if star == 0 {
		t.most, t.bound = least, true
	}
	if errLeast != nil || errMost != nil || least > maxRepeat || most > maxRepeat || t.bound && t.most < least {
		return token{}, fmt.Errorf("bnf: line %d: repetition %s ends before it begins, or is over %d", line, t.src, maxRepeat)
	}
	return t, nil
}

// readABNF adds the productions of the text to g.
func (g *Grammar) readABNF(text string) error {
	list, err := scanABNF(text)
	if err != nil {
		return err
	}
	rd := &abnfReader{reader{list: list}}
	for rd.peek().kind != kindEnd {
		if !rd.atRule() {
			return rd.fail("a rule begins with its name and =")
		}
		name, equal := rd.next(), rd.next()
		rest := rd.list
		body, err := rd.alternatives()
		if err != nil {
			return err
		}
		if k := rd.peek().kind; k == kindClose || k == kindGroupEnd {
			return rd.fail("a closing bracket without an opening one")
		}
		text := join(rest[:len(rest)-len(rd.list)])
		old := g.rules[name.text]
		switch {
		case equal.kind == kindMore && old == nil:
			return fmt.Errorf("bnf: line %d: rule %s is not defined yet, so nothing can be added", name.line, name.text)
		case equal.kind == kindMore:
			old.body = &node{op: opAlt, kids: []*node{old.body, body}}
			old.Text += " / " + text
			continue
		case old != nil:
			return fmt.Errorf("bnf: line %d: rule %s is defined twice, first in line %d", name.line, name.text, old.line)
		}
		r := &rule{line: name.line, body: body}
		r.Name, r.Text = name.text, text
		g.order = append(g.order, r)
		g.rules[r.Name] = r
	}
	return nil
}

// An abnfReader parses tokens of RFC 5234 into rules.
type abnfReader struct{ reader }

func (rd *abnfReader) atRule() bool {
	return rd.list[0].kind == kindName && (rd.list[1].kind == kindEqual || rd.list[1].kind == kindMore)
}

// alternatives reads sequences between slashes.
func (rd *abnfReader) alternatives() (*node, error) {
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

// sequence reads elements up to a slash, a bracket or the next rule.
func (rd *abnfReader) sequence() (*node, error) {
	n := &node{op: opSeq}
	for {
		ends := []kind{kindEnd, kindBar, kindClose, kindGroupEnd}
		if slices.Contains(ends, rd.peek().kind) || rd.atRule() {
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

func (rd *abnfReader) element() (*node, error) {
	t := rd.peek()
	switch t.kind {
	case kindName:
		rd.next()
		return &node{op: opRef, text: t.text}, nil
	case kindLiteral:
		rd.next()
		return &node{op: opLiteral, text: t.text, fold: t.fold}, nil
	case kindRange:
		rd.next()
		return rangeNode(t.low, t.high), nil
	case kindOpen:
		k, err := rd.bracketed(kindClose)
		return &node{op: opOption, kids: []*node{k}}, err
	case kindGroup:
		return rd.bracketed(kindGroupEnd)
	case kindRepeat:
		rd.next()
		if k := rd.peek().kind; k == kindRepeat || k == kindEnd || rd.atRule() {
			return nil, rd.fail("a repetition needs an element")
		}
		k, err := rd.element()
		if t.bound && t.most == 0 {
			return &node{op: opSeq}, err // of nothing
		}
		return &node{op: opRepeat, min: t.n, max: t.most, kids: []*node{k}}, err
	}
	return nil, rd.fail("a name, a string, a value, a bracket or a repetition is expected")
}

// bracketed reads alternatives in brackets up to the closing one.
func (rd *abnfReader) bracketed(end kind) (*node, error) {
	if rd.depth++; rd.depth > maxDepth {
		return nil, rd.fail("too many brackets within brackets")
	}
	rd.next()
	n, err := rd.alternatives()
	if err != nil {
		return nil, err
	}
	if rd.peek().kind != end {
		return nil, rd.fail("a closing bracket is missing before it")
	}
	rd.next()
	rd.depth--
	return n, nil
}

// rangeNode returns the node for the characters from low to high, those over 127 in UTF-8.
func rangeNode(low, high rune) *node {
	n := &node{op: opAlt}
	for _, last := range []rune{0x7F, 0x7FF, 0xFFFF, utf8.MaxRune} { // the last of each length
		if low <= last && low <= high {
			n.kids = append(n.kids, sameLength(low, min(high, last))...)
			low = last + 1
		}
	}
	return single(n)
}

// sameLength splits a range of characters whose UTF-8 has one length into sequences of ranges of
// bytes.
func sameLength(low, high rune) []*node {
	for i := 1; i < utf8.RuneLen(high); i++ {
		m := rune(1)<<(6*i) - 1 // the bits of the last i bytes
		if low&^m == high&^m {
			continue
		}
		if low&m != 0 {
			return append(sameLength(low, low|m), sameLength(low|m+1, high)...)
		}
		if high&m != m {
			return append(sameLength(low, high&^m-1), sameLength(high&^m, high)...)
		}
	}
	from, to := string(low), string(high)
	seq := &node{op: opSeq}
	for i := range len(from) {
		set := new(byteSet)
		for c := int(from[i]); c <= int(to[i]); c++ {
			set.add(byte(c))
		}
		seq.kids = append(seq.kids, &node{op: opSet, set: set})
	}
	return []*node{single(seq)}
}
