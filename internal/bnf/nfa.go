package bnf

import "fmt"

// An automaton recognises one rule: an NFA after Thompson, with the rules that
// it uses copied in, which ends because no rule leads back to itself.
//
// Each state can reach the accepting one: each is built in front of a state
// that can, and an expression without sentences cannot be written. So a set
// of states that is not empty has a sentence before it, which is what makes
// the longest viable prefix exact.
type automaton struct {
	states []state
	start  int32
}

// accept is the index of the accepting state.
const accept = 0

// A state either consumes one byte of set and goes on to next, or (set is nil)
// goes on without input to all of free.
type state struct {
	set  *byteSet
	next int32
	free []int32
}

// compile builds the automaton of a rule. It panics when the rule uses a name
// that is not defined.
func compile(r *rule) *automaton {
	a := &automaton{states: make([]state, 1, r.body.cost+1)}
	a.start = a.before(r.body, accept, r.Name == schemeRule)
	return a
}

func (a *automaton) add(s state) int32 {
	a.states = append(a.states, s)
	return int32(len(a.states) - 1)
}

// one adds a state that consumes a byte of the set.
func (a *automaton) one(set byteSet, next int32, fold bool) int32 {
	if fold {
		set = set.folded()
	}
	return a.add(state{set: &set, next: next})
}

// before builds the states that consume n and continue at next. It returns the
// first of them.
func (a *automaton) before(n *node, next int32, fold bool) int32 {
	fold = fold || n.op == opRef && n.text == schemeRule
	if n.set != nil {
		return a.one(*n.set, next, fold)
	}
	switch n.op {
	case opLiteral:
		folded := foldedPrefix(n.text)
		for i := len(n.text) - 1; i >= 0; i-- {
			var set byteSet
			set.add(n.text[i])
			next = a.one(set, next, fold || n.fold || i < folded)
		}
		return next
	case opRef:
		if n.rule == nil {
			panic(fmt.Sprintf("bnf: rule %s is used but not defined", n.text))
		}
		return a.before(n.rule.body, next, fold)
	case opSeq:
		for i := len(n.kids) - 1; i >= 0; i-- {
			next = a.before(n.kids[i], next, fold)
		}
		return next
	case opAlt:
		s := state{}
		for _, k := range n.kids {
			s.free = append(s.free, a.before(k, next, fold))
		}
		return a.add(s)
	case opOption:
		return a.add(state{free: []int32{a.before(n.kids[0], next, fold), next}})
	case opRepeat:
		if n.max > 0 {
			end := next
			for range n.max - n.min {
				next = a.add(state{free: []int32{a.before(n.kids[0], next, fold), end}})
			}
			for range n.min {
				next = a.before(n.kids[0], next, fold)
			}
			return next
		}
		loop := a.add(state{})
		a.states[loop].free = []int32{a.before(n.kids[0], loop, fold), next}
		for range n.min {
			loop = a.before(n.kids[0], loop, fold)
		}
		return loop
	}
	panic("bnf: an expression without an automaton") // opSet has a set
}
