package bnf

import (
	"fmt"
	"strings"
)

type op uint8

const (
	opLiteral op = iota // text
	opRef               // text names a rule
	opSeq               // all kids in order
	opAlt               // one of the kids
	opOption            // the kid or nothing
	opRepeat            // the kid, min times or more, up to max
	opSet               // one byte of set
)

// A node is an expression of the right side of a rule.
type node struct {
	op   op
	text string
	kids []*node
	min  int
	max  int  // 0: without end
	fold bool // opLiteral: case does not count

	// Filled by resolve.
	rule  *rule    // opRef: what it names, nil if the text does not say
	set   *byteSet // the bytes, if the node matches exactly one byte
	bytes []byte   // the members of set
	short int      // length of its shortest sentence
	cost  int      // states it takes in an automaton
}

// maxCost bounds the automaton of one rule. The rules of RFC 1738 take some
// hundreds of states.
const maxCost = 1 << 16

// resolve links the names below r and fills what depends on other rules.
func (g *Grammar) resolve(r *rule) error {
	switch r.mark {
	case done:
		return nil
	case open:
		return fmt.Errorf("bnf: line %d: rule %s leads back to itself", r.line, r.Name)
	}
	r.mark = open
	if err := g.link(r.body); err != nil {
		return err
	}
	if r.body.cost > maxCost {
		return fmt.Errorf("bnf: line %d: rule %s is too large to run", r.line, r.Name)
	}
	r.mark = done
	return nil
}

func (g *Grammar) link(n *node) error {
	for _, k := range n.kids {
		if err := g.link(k); err != nil {
			return err
		}
	}
	switch n.op {
	case opLiteral:
		n.short, n.cost = len(n.text), len(n.text)
		if len(n.text) == 1 {
			n.set = new(byteSet)
			n.set.add(n.text[0])
			if n.fold {
				*n.set = n.set.folded()
			}
		}
	case opSet:
		n.short = 1
	case opRef:
		if n.rule = g.rules[n.text]; n.rule == nil {
			return nil
		}
		if err := g.resolve(n.rule); err != nil {
			return err
		}
		n.set, n.short, n.cost = n.rule.body.set, n.rule.body.short, n.rule.body.cost
	case opSeq:
		for _, k := range n.kids {
			n.short += k.short
			n.cost += k.cost
		}
	case opAlt:
		n.short, n.set = n.kids[0].short, new(byteSet)
		for _, k := range n.kids {
			n.short = min(n.short, k.short)
			n.cost += k.cost
			if n.set != nil && k.set != nil {
				n.set.union(*k.set)
			} else {
				n.set = nil
			}
		}
		n.cost++
	case opOption:
		n.cost = n.kids[0].cost + 1
	case opRepeat:
		n.short = n.min * n.kids[0].short
		n.cost = max(n.min+1, n.max)*(n.kids[0].cost+1) + 1
	}
	if n.set != nil {
		n.cost, n.bytes = 1, n.set.bytes()
	}
	n.cost = min(n.cost, maxCost+1) // so that no sum or product overflows
	n.short = min(n.short, maxCost+1)
	return nil
}

// A byteSet is a set of byte values.
type byteSet [4]uint64

func (s *byteSet) add(b byte)      { s[b>>6] |= 1 << (b & 63) }
func (s *byteSet) has(b byte) bool { return s[b>>6]&(1<<(b&63)) != 0 }

func (s *byteSet) union(t byteSet) {
	for i := range s {
		s[i] |= t[i]
	}
}

// folded returns s with the other case of each letter.
func (s byteSet) folded() byteSet {
	for b := byte('a'); b <= 'z'; b++ {
		if s.has(b) {
			s.add(b - 'a' + 'A')
		} else if s.has(b - 'a' + 'A') {
			s.add(b)
		}
	}
	return s
}

// bytes returns the members in order.
func (s *byteSet) bytes() []byte {
	var list []byte
	for i := range 256 {
		if s.has(byte(i)) {
			list = append(list, byte(i))
		}
	}
	return list
}

// schemeRule is the rule below which case does not count.
const schemeRule = "scheme"

// foldedPrefix returns how many bytes at the start of a literal are the name
// of a scheme, where case does not count.
func foldedPrefix(literal string) int {
	name, _, ok := strings.Cut(literal, ":")
	if !ok {
		return 0
	}
	return len(name)
}
