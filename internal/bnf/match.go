package bnf

import (
	"encoding/binary"
	"slices"
	"sync"
)

// Match reports whether input is a sentence of the rule. viable is the length of the longest viable
// prefix: the offset of the first byte with which no sentence of the rule can continue, or
// len(input) if input is a sentence or the beginning of one. Match panics if the grammar does not
// define the rule or a name that it uses.
func (g *Grammar) Match(rule, input string) (ok bool, viable int) {
	return g.matcher(rule).match(input)
}

// matcher returns the one matcher of a rule.
func (g *Grammar) matcher(rule string) *matcher {
	g.mu.Lock()
	defer g.mu.Unlock()
	m := g.matchers[rule]
	if m == nil {
		m = newMatcher(compile(g.must(rule)), maxSets)
		g.matchers[rule] = m
	}
	return m
}

// maxSets bounds the sets of states that a matcher keeps, at 2 KiB each. The
// rules of RFC 1738 need some dozens, url as a whole some hundreds.
const maxSets = 1024

// A matcher runs an automaton by sets of states (the subset construction),
// makes the sets as they are met and keeps a bounded number of them.
type matcher struct {
	a *automaton

	mu    sync.Mutex
	sets  map[string]*set // by their members
	limit int
	start *set
	seen  []bool // scratch: states already in the set that is being made
}

// A set is a set of states that the automaton may be in.
type set struct {
	states []int32 // those that consume a byte, in order
	accept bool
	next   [256]*set // nil where not yet known; an empty set is a dead end
}

func newMatcher(a *automaton, limit int) *matcher {
	m := &matcher{a: a, limit: limit, seen: make([]bool, len(a.states))}
	m.reset()
	return m
}

func (m *matcher) reset() {
	m.sets = map[string]*set{}
	m.start = m.keep([]int32{m.a.start})
}

func (m *matcher) match(input string) (ok bool, viable int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	cur := m.start
	for i := range len(input) {
		next := cur.next[input[i]]
		if next == nil {
			next = m.step(cur, input[i])
		}
		if len(next.states) == 0 && !next.accept {
			return false, i
		}
		cur = next
	}
	return cur.accept, len(input)
}

// step makes the set that follows cur on c.
func (m *matcher) step(cur *set, c byte) *set {
	var to []int32
	for _, i := range cur.states {
		if s := &m.a.states[i]; s.set.has(c) {
			to = append(to, s.next)
		}
	}
	if len(m.sets) >= m.limit {
		m.reset() // cur goes with the old ones
	}
	next := m.keep(to)
	cur.next[c] = next
	return next
}

// keep returns the set of the given states and all that follow them without
// input.
func (m *matcher) keep(todo []int32) *set {
	s := &set{}
	var seen []int32
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if m.seen[i] {
			continue
		}
		m.seen[i] = true
		seen = append(seen, i)
		switch st := &m.a.states[i]; {
		case i == accept:
			s.accept = true
		case st.set != nil:
			s.states = append(s.states, i)
		default:
			todo = append(todo, st.free...)
		}
	}
	for _, i := range seen {
		m.seen[i] = false
	}
	slices.Sort(s.states)
	key := make([]byte, 0, 1+4*len(s.states))
	if s.accept {
		key = append(key, 1)
	} else {
		key = append(key, 0)
	}
	for _, i := range s.states {
		key = binary.LittleEndian.AppendUint32(key, uint32(i))
	}
	if old := m.sets[string(key)]; old != nil {
		return old
	}
	m.sets[string(key)] = s
	return s
}
