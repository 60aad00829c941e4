package bnf

import (
	"fmt"
	"math/rand/v2"
)

// Generate returns a random sentence of the rule. Every alternative, option and repetition of the
// rule is taken sometimes, including empty and very long repetitions, and the name of a scheme is
// sometimes in mixed case. After size bytes, Generate takes the shortest way to an end. It panics
// if the grammar does not define the rule or a name that it uses.
func (g *Grammar) Generate(rule string, r *rand.Rand, size int) string {
	w := &writer{r: r, size: size, mixed: r.IntN(4) == 0}
	w.node(g.must(rule).body, rule == schemeRule)
	return string(w.out)
}

// A writer makes one random sentence.
type writer struct {
	r     *rand.Rand
	size  int
	mixed bool // write letters in either case where case does not count
	out   []byte
	took  func(n *node, choice int) // told of each choice, if not nil
}

func (w *writer) full() bool { return len(w.out) >= w.size }

// choose reports a choice to took, if it is set, and returns it.
func (w *writer) choose(n *node, choice int) int {
	if w.took != nil {
		w.took(n, choice)
	}
	return choice
}

func (w *writer) put(c byte, fold bool) {
	if fold && w.mixed && isLetter(c) && w.r.IntN(2) == 0 {
		c ^= 'a' ^ 'A'
	}
	w.out = append(w.out, c)
}

func (w *writer) node(n *node, fold bool) {
	fold = fold || n.op == opRef && n.text == schemeRule
	// Half of the time all bytes of a class are equally likely, so that letters are common;
	// otherwise all alternatives are, so that a class of few bytes is chosen as often as one of
	// many.
	if n.set != nil && n.op != opLiteral && w.r.IntN(2) == 0 {
		w.put(n.bytes[w.r.IntN(len(n.bytes))], fold)
		return
	}
	switch n.op {
	case opLiteral:
		folded := foldedPrefix(n.text)
		for i := range len(n.text) {
			w.put(n.text[i], fold || n.fold || i < folded)
		}
	case opRef:
		if n.rule == nil {
			panic(fmt.Sprintf("bnf: rule %s is used but not defined", n.text))
		}
		w.node(n.rule.body, fold)
	case opSeq:
		for _, k := range n.kids {
			w.node(k, fold)
		}
	case opAlt:
		i := w.r.IntN(len(n.kids))
		for w.full() && n.kids[i].short > n.short {
			i = (i + 1) % len(n.kids)
		}
		w.node(n.kids[w.choose(n, i)], fold)
	case opOption:
		i := w.r.IntN(2)
		if w.full() {
			i = 0
		}
		if w.choose(n, i) == 1 {
			w.node(n.kids[0], fold)
		}
	case opSet:
		w.put(n.bytes[w.r.IntN(len(n.bytes))], fold)
	case opRepeat:
		want := n.min + w.count()
		if n.max > 0 {
			want = min(want, n.max)
		}
		i := 0
		for ; i < n.min || i < want && !w.full(); i++ {
			w.node(n.kids[0], fold)
		}
		w.choose(n, i)
	}
}

// count returns how often to repeat beyond the least count: often not at all,
// mostly a few times, sometimes until the sentence is full.
func (w *writer) count() int {
	switch w.r.IntN(8) {
	case 0, 1:
		return 0
	case 2:
		return 1
	case 7:
		return w.size
	default:
		return w.r.IntN(8)
	}
}
