package bnf

import (
	"fmt"
	"sync"
)

// A Rule is one production.
type Rule struct {
	Name string // the left side
	Text string // the right side without comments, one space between its parts
}

// String returns the production on one line, in the form that Parse reads.
func (r Rule) String() string { return r.Name + " = " + r.Text }

// A Grammar is a set of productions without recursion. It is safe for use by
// several goroutines.
type Grammar struct {
	order []*rule
	rules map[string]*rule

	mu       sync.Mutex
	matchers map[string]*matcher // by rule, made when first asked for
}

// A rule is a production as read.
type rule struct {
	Rule
	line int // its line in the text
	body *node
	mark mark
}

type mark uint8

const (
	unseen mark = iota
	open        // being resolved: met again, it is a recursion
	done
)

// Parse reads productions in the notation that the package comment describes.
// A production may use names that the text does not define, so that a part of
// a grammar can be read and compared with the whole. The error says the line
// and what is wrong: bad notation, a name defined twice, a recursion, or a
// rule too large to run.
func Parse(text string) (*Grammar, error) {
	g := &Grammar{rules: map[string]*rule{}, matchers: map[string]*matcher{}}
	if err := g.read(text); err != nil {
		return nil, err
	}
	for _, r := range g.order {
		if err := g.resolve(r); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// Rules returns all productions in the order of the text.
func (g *Grammar) Rules() []Rule {
	list := make([]Rule, len(g.order))
	for i, r := range g.order {
		list[i] = r.Rule
	}
	return list
}

// Rule returns the production of that name; ok says whether there is one.
func (g *Grammar) Rule(name string) (r Rule, ok bool) {
	if have := g.rules[name]; have != nil {
		return have.Rule, true
	}
	return Rule{}, false
}

// Productions returns the production of that name and all that it leads to, in
// the order of the text. Names that the grammar does not define are left out;
// Productions panics when name itself is one.
func (g *Grammar) Productions(name string) []Rule {
	used := map[string]bool{}
	var walk func(n *node)
	enter := func(name string) {
		if r := g.rules[name]; r != nil && !used[name] {
			used[name] = true
			walk(r.body)
		}
	}
	walk = func(n *node) {
		if n.op == opRef {
			enter(n.text)
		}
		for _, k := range n.kids {
			walk(k)
		}
	}
	enter(g.must(name).Name)
	var list []Rule
	for _, r := range g.order {
		if used[r.Name] {
			list = append(list, r.Rule)
		}
	}
	return list
}

// Diff compares a part of a grammar with the whole g: one line for each
// production of part that g lacks or words differently, nil if there is none.
// Order, comments and white space do not count.
func (g *Grammar) Diff(part *Grammar) []string {
	var list []string
	for _, r := range part.Rules() {
		switch have, ok := g.Rule(r.Name); {
		case !ok:
			list = append(list, fmt.Sprintf("%s: not in the grammar", r.Name))
		case have != r:
			list = append(list, fmt.Sprintf("%s: have %s, want %s", r.Name, r.Text, have.Text))
		}
	}
	return list
}

// must returns the rule of that name. Only tests ask, so a missing one is a
// mistake in the test.
func (g *Grammar) must(name string) *rule {
	r := g.rules[name]
	if r == nil {
		panic(fmt.Sprintf("bnf: no rule %q", name))
	}
	return r
}
