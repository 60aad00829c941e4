package bnf

import (
	"slices"
	"strings"
	"testing"
)

// A walk is a second matcher, written to be obvious: it walks the expressions
// themselves and follows every way to read the text at once. Far is the
// furthest byte that any way consumed up to, and as every way can be ended,
// that is the longest viable prefix.
type walk struct {
	text string
	far  int
}

// at is a set of offsets into the text: true for those that are in it.
type at []bool

func (w *walk) none() at { return make(at, len(w.text)+1) }

func (w *walk) node(n *node, from at, fold bool) at {
	if !slices.Contains(from, true) {
		return from
	}
	switch n.op {
	case opLiteral:
		to := w.none()
		for i, in := range from {
			if !in {
				continue
			}
			k := 0
			for k < len(n.text) && i+k < len(w.text) && same(w.text[i+k], n.text[k], fold || n.fold || strings.IndexByte(n.text[k:], ':') > 0) {
				k++
			}
			w.far = max(w.far, i+k)
			if k == len(n.text) {
				to[i+k] = true
			}
		}
		return to
	case opSet:
		to := w.none()
		for i, in := range from {
			if in && i < len(w.text) && n.set.has(w.text[i]) {
				to[i+1] = true
				w.far = max(w.far, i+1)
			}
		}
		return to
	case opRef:
		return w.node(n.rule.body, from, fold || n.text == "scheme")
	case opSeq:
		for _, k := range n.kids {
			from = w.node(k, from, fold)
		}
		return from
	case opAlt:
		to := w.none()
		for _, k := range n.kids {
			to.add(w.node(k, from, fold))
		}
		return to
	case opOption:
		to := w.node(n.kids[0], from, fold)
		to.add(from)
		return to
	default:
		for range n.min {
			from = w.node(n.kids[0], from, fold)
		}
		to := w.none()
		for more := 0; to.add(from) && (n.max == 0 || more < n.max-n.min); more++ {
			from = w.node(n.kids[0], from, fold)
		}
		return to
	}
}

// add puts all of b into a and says whether one was new.
func (a at) add(b at) bool {
	more := false
	for i, in := range b {
		more = more || in && !a[i]
		a[i] = a[i] || in
	}
	return more
}

func same(a, b byte, fold bool) bool {
	return a == b || fold && strings.EqualFold(string(a), string(b)) && a < 0x80
}

// simple is Match by that matcher.
func simple(n *node, text string) (ok bool, viable int) {
	w := &walk{text: text}
	from := w.none()
	from[0] = true
	to := w.node(n, from, false)
	return to[len(text)], w.far
}

// ends reports whether text is a sentence of n.
func ends(n *node, text string) bool {
	ok, _ := simple(n, text)
	return ok
}

func compare(t *testing.T, g *Grammar, rule, input string) {
	t.Helper()
	ok, viable := g.Match(rule, input)
	// The reference to the rule makes the rule named scheme fold here as well.
	wantOK, want := simple(&node{op: opRef, text: rule, rule: g.rules[rule]}, input)
	if ok != wantOK || viable != want {
		t.Errorf("%s on %q: got %v, %d, want %v, %d", rule, input, ok, viable, wantOK, want)
	}
}

// Both matchers agree on generated and mutated texts.
func TestMatchSimple(t *testing.T) {
	t.Parallel()
	r := newRand(4)
	g := RFC1738()
	for _, rule := range g.Rules() {
		for range 30 {
			s := g.Generate(rule.Name, r, 20)
			compare(t, g, rule.Name, s)
			compare(t, g, rule.Name, Mutate(r, s))
		}
	}
	for range 300 {
		compare(t, g, "url", Mutate(r, RandomURL(r, 30)))
	}
}

func FuzzMatch(f *testing.F) {
	g := RFC1738()
	rules := g.Rules()
	for i := range rules {
		f.Add(uint8(i), "http://a.b-c.1.d:8/%41?~")
	}
	for _, tt := range urlTests() {
		f.Add(uint8(1), tt.input) // url
	}
	f.Fuzz(func(t *testing.T, i uint8, input string) {
		if len(input) > 40 {
			input = input[:40]
		}
		compare(t, g, rules[int(i)%len(rules)].Name, input)
	})
}
