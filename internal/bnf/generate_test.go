package bnf

import (
	"slices"
	"strings"
	"testing"
)

// Each generated sentence matches its rule, and each prefix of it is viable.
func TestGenerate(t *testing.T) {
	t.Parallel()
	g := RFC1738()
	for _, rule := range g.Rules() {
		t.Run(rule.Name, func(t *testing.T) {
			t.Parallel()
			r := newRand(5)
			for range 300 {
				s := g.Generate(rule.Name, r, 40)
				if ok, viable := g.Match(rule.Name, s); !ok || viable != len(s) {
					t.Fatalf("%q: got %v, %d", s, ok, viable)
				}
				for i := range len(s) {
					if _, viable := g.Match(rule.Name, s[:i]); viable != i {
						t.Fatalf("%q, start of %q: viable up to %d", s[:i], s, viable)
					}
				}
			}
		})
	}
}

// Each alternative is taken, each option both ways, each repetition the least
// number of times, a few times and often.
func TestGenerateCoverage(t *testing.T) {
	t.Parallel()
	g := parse(t, text)
	took := map[*node]map[int]bool{}
	r := newRand(6)
	for _, rule := range g.order {
		for range 500 {
			w := &writer{r: r, size: 200}
			w.took = func(n *node, choice int) {
				if took[n] == nil {
					took[n] = map[int]bool{}
				}
				took[n][choice] = true
			}
			w.node(rule.body, false)
		}
	}
	var check func(rule string, n *node)
	check = func(rule string, n *node) {
		var want []int
		switch n.op {
		case opAlt:
			for i := range n.kids {
				want = append(want, i)
			}
		case opOption:
			want = []int{0, 1}
		case opRepeat:
			want = []int{n.min, n.min + 1, n.min + 2, n.min + 7}
		}
		for _, choice := range want {
			if !took[n][choice] {
				t.Errorf("%s: choice %d never taken", rule, choice)
			}
		}
		if n.op == opRepeat {
			most := 0
			for choice := range took[n] {
				most = max(most, choice)
			}
			if most < 12 {
				t.Errorf("%s: a repetition of at most %d", rule, most)
			}
		}
		for _, k := range n.kids {
			check(rule, k)
		}
	}
	for _, rule := range g.order {
		check(rule.Name, rule.body)
	}
}

// Escapes come in both cases, schemes too.
func TestGenerateCase(t *testing.T) {
	t.Parallel()
	r := newRand(7)
	want := []string{"%a", "%A", "HTTP://", "http://", "hTtp://", "MAILTO:"}
	for range 50000 {
		s := RandomURL(r, 30)
		want = slices.DeleteFunc(want, func(w string) bool { return strings.Contains(s, w) })
		if len(want) == 0 {
			return
		}
	}
	t.Errorf("never met: %q", want)
}

func TestGenerateBounded(t *testing.T) {
	t.Parallel()
	g := RFC1738()
	r := newRand(8)
	for _, size := range []int{-1, 0, 1, 10, 100, 2000} {
		longest := 0
		for range 1000 {
			longest = max(longest, len(g.Generate("url", r, size)))
		}
		// The longest necessary rest: a scheme, and what must follow it.
		if most := max(size, 0) + len("prospero://a.a.a.a//") + 10; longest > most {
			t.Errorf("size %d: a sentence of %d bytes", size, longest)
		}
		if longest < size {
			t.Errorf("size %d: no sentence is longer than %d", size, longest)
		}
	}
}

// The same seed generates the same texts, so that a failure can be repeated.
func TestGenerateRepeats(t *testing.T) {
	t.Parallel()
	a, b := newRand(9), newRand(9)
	for range 100 {
		x, y := Mutate(a, RandomURL(a, 50)), Mutate(b, RandomURL(b, 50))
		if x != y {
			t.Fatalf("got %q and %q", x, y)
		}
	}
}

// Mutate produces what parsers must be tested with: some mutated URLs are still valid, most are
// not, they go wrong at every early offset, and all kinds of damage occur.
func TestMutate(t *testing.T) {
	t.Parallel()
	r := newRand(10)
	const n = 20000
	right, short := 0, 0
	offsets := map[int]bool{}
	octets := map[byte]bool{}
	for range n {
		s := RandomURL(r, 40)
		m := Mutate(r, s)
		if len(m) > 8*len(s)+3*16 {
			t.Fatalf("%q grew to %q", s, m)
		}
		_, ok, offset := URL(m)
		switch {
		case ok:
			right++
		case offset == len(m):
			short++
		default:
			offsets[offset] = true
			octets[m[offset]] = true
		}
	}
	if right < n/10 || right > n*9/10 {
		t.Errorf("%d of %d mutated URLs are valid", right, n)
	}
	if short < n/100 {
		t.Errorf("%d of %d mutated URLs stop too early", short, n)
	}
	for i := range 40 {
		if !offsets[i] {
			t.Errorf("no mutated URL goes wrong at offset %d", i)
		}
	}
	for i := range 256 {
		if c := byte(i); !octets[c] && !isLetter(c) && !isDigit(c) {
			t.Errorf("byte %#02x is never the wrong one", c)
		}
	}
	for range 200 { // no text is too short
		Mutate(r, "")
		Mutate(r, "%")
	}
}
