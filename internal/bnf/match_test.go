package bnf

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestMatch(t *testing.T) {
	t.Parallel()
	tests := []struct {
		grammar, input string
		ok             bool
		viable         int
	}{
		{`s = "abc"`, "", false, 0},
		{`s = "abc"`, "ab", false, 2},
		{`s = "abc"`, "abc", true, 3},
		{`s = "abc"`, "abcd", false, 3},
		{`s = "abc"`, "aBc", false, 1},
		{`s = "abc" | "abd"`, "abd", true, 3},
		{`s = "abc" | "abd"`, "abe", false, 2},
		{`s = "abcd" | "ab"`, "abcx", false, 3},
		{`s = [ "a" ] "b"`, "b", true, 1},
		{`s = [ "a" ] "b"`, "aa", false, 1},
		{`s = *"a"`, "", true, 0},
		{`s = *[ "a" ]`, "aaaa", true, 4},
		{`s = 1*[ "a" ]`, "", false, 0},
		{`s = 1*[ "a" | "b" ]`, "ab", true, 2},
		{`s = 3*x x = "a"`, "aa", false, 2},
		{`s = 3*x x = "a"`, "aaa", true, 3},
		{`s = 3*x x = "a"`, "aaaaa", true, 5},
		{`s = *[ *[ "a" ] ] "b"`, "aab", true, 3},
		{`s = *[ [ "a" ] ] "b"`, "aac", false, 2},
		{`s = 2*[ [ "a" ] ]`, "", true, 0},
		{`s = *x "ab" x = "a" | "b"`, "aabbab", true, 6},
		{`s = *x "ab" x = "a" | "b"`, "aabba", false, 5},
		{`s = <"> *x <"> x = "a"`, `"aa"`, true, 4},
		{`s = "x-y:z"`, "X-y:z", true, 5},
		{`s = "x-y:z"`, "X-y:Z", false, 4},
		{`s = scheme "a" scheme = *[ "b" ]`, "bBBa", true, 4},
		{`s = scheme "a" scheme = *[ "b" ]`, "bBBA", false, 3},
		{`s = scheme "a" scheme = "b"`, "Ba", true, 2},
	}
	for _, tt := range tests {
		ok, viable := parse(t, tt.grammar).Match("s", tt.input)
		if ok != tt.ok || viable != tt.viable {
			t.Errorf("%s on %q: got %v, %d, want %v, %d", tt.grammar, tt.input, ok, viable, tt.ok, tt.viable)
		}
	}
}

func TestMatchPanics(t *testing.T) {
	t.Parallel()
	g := parse(t, `a = "x" b`)
	for _, tt := range []struct {
		name string
		f    func()
		want string
	}{
		{"unknown rule", func() { g.Match("c", "") }, `bnf: no rule "c"`},
		{"undefined name", func() { g.Match("a", "") }, "bnf: rule b is used but not defined"},
		{"generate", func() { g.Generate("a", newRand(1), 1) }, "bnf: rule b is used but not defined"},
		{"productions", func() { g.Productions("c") }, `bnf: no rule "c"`},
	} {
		func() {
			defer func() {
				if got := recover(); got != tt.want {
					t.Errorf("%s: got panic %v, want %s", tt.name, got, tt.want)
				}
			}()
			tt.f()
		}()
	}
}

// newRand returns the same random numbers for the same seed.
func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(1738, seed)) }

// tiny are grammars small enough to try every text on, with the ambiguities
// that the RFC has: a part that may be the start of two others, a last label
// unlike the ones before it, a repetition that may be empty.
func tiny() []string {
	return []string{
		`s = *[ l "." ] t   l = "a" | "1" | [ "a" | "1" ] *[ "a" | "1" | "-" ] "1"   t = "a" | "a" *[ "a" | "-" ] "a"`,
		`s = [ u [ "." u ] "-" ] h   u = *[ "a" | "1" ]   h = "a" *[ "." "a" ] | "1" "." "1"`,
		`s = "*" | g | m   g = "a" *[ "a" | "." ]   m = 1*[ "a" | "1" ] "-" "a"`,
		`s = *[ *"a" "1" [ *"-" ] ] 2*[ "a" | "." ]`,
		`s = [ "a" [ "1" [ "a" | "-" ] "." ] ] | 1*[ "1" *[ "a" "a" ] ]`,
	}
}

// Viability by brute force: a text is viable if some longer text that begins
// with it is a sentence. Any viable prefix of these grammars has an end within
// four bytes.
func TestViableBruteForce(t *testing.T) {
	t.Parallel()
	const alphabet, short, more = "a1.-", 4, 4
	for _, text := range tiny() {
		g := parse(t, text)
		viable := map[string]bool{}
		var all func(s string)
		all = func(s string) {
			if ends(g.rules["s"].body, s) {
				for i := range len(s) + 1 {
					viable[s[:i]] = true
				}
			}
			if len(s) < short+more {
				for i := range len(alphabet) {
					all(s + alphabet[i:i+1])
				}
			}
		}
		all("")
		var check func(s string)
		check = func(s string) {
			want := len(s)
			for !viable[s[:want]] {
				want--
			}
			ok, got := g.Match("s", s)
			if got != want || ok != ends(g.rules["s"].body, s) {
				t.Errorf("%s on %q: got %v, %d, want %v, %d", text, s, ok, got, !ok, want)
			}
			if len(s) < short {
				for i := range len(alphabet) {
					check(s + alphabet[i:i+1])
				}
			}
		}
		check("")
	}
}

// Each state of each automaton of the RFC can reach the accepting state, and
// can be reached.
func TestStatesUseful(t *testing.T) {
	t.Parallel()
	for _, r := range RFC1738().order {
		a := compile(r)
		if len(a.states) > r.body.cost+1 {
			t.Errorf("%s: %d states, more than the cost %d that bounds them", r.Name, len(a.states), r.body.cost)
		}
		from := make([][]int32, len(a.states))
		to := make([][]int32, len(a.states))
		for i, s := range a.states {
			out := s.free
			if s.set != nil {
				out = []int32{s.next}
				if *s.set == (byteSet{}) {
					t.Errorf("%s: state %d takes no byte", r.Name, i)
				}
			}
			to[i] = out
			for _, j := range out {
				from[j] = append(from[j], int32(i))
			}
		}
		if n := count(to, a.start); n != len(a.states) {
			t.Errorf("%s: %d of %d states can be reached", r.Name, n, len(a.states))
		}
		if n := count(from, accept); n != len(a.states) {
			t.Errorf("%s: %d of %d states lead to the end", r.Name, n, len(a.states))
		}
	}
}

// count returns how many states edges lead to from start.
func count(edges [][]int32, start int32) int {
	seen := make([]bool, len(edges))
	todo, n := []int32{start}, 0
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[i] {
			continue
		}
		seen[i] = true
		n++
		todo = append(todo, edges[i]...)
	}
	return n
}

// A matcher that may keep hardly any set of states says the same, and keeps no
// more than it may.
func TestMatcherBounded(t *testing.T) {
	t.Parallel()
	g := RFC1738()
	r := newRand(2)
	m := newMatcher(compile(g.rules["url"]), 3)
	for range 2000 {
		s := Mutate(r, RandomURL(r, 60))
		ok, viable := m.match(s)
		wantOK, want := g.Match("url", s)
		if ok != wantOK || viable != want {
			t.Fatalf("%q: got %v, %d, want %v, %d", s, ok, viable, wantOK, want)
		}
		if len(m.sets) > 3+1 { // the start comes back with each reset
			t.Fatalf("%d sets kept", len(m.sets))
		}
	}
}

// The RFC's rules need few sets of states, so none is ever thrown away.
func TestSetsFew(t *testing.T) {
	t.Parallel()
	g := parse(t, text)
	r := newRand(3)
	for range 20000 {
		s := Mutate(r, RandomURL(r, 60))
		g.Match("url", s)
	}
	if n := len(g.matchers["url"].sets); n >= maxSets*3/4 {
		t.Errorf("%d sets of states, too near the bound %d", n, maxSets)
	}
}

func TestMatchConcurrent(t *testing.T) {
	t.Parallel()
	g := parse(t, text)
	done := make(chan struct{})
	for seed := range uint64(4) {
		go func() {
			defer func() { done <- struct{}{} }()
			r := newRand(seed)
			for range 500 {
				s := g.Generate("url", r, 40)
				if ok, viable := g.Match("url", s); !ok || viable != len(s) {
					t.Errorf("%q: got %v, %d", s, ok, viable)
				}
			}
		}()
	}
	for range 4 {
		<-done
	}
}

func BenchmarkMatch(b *testing.B) {
	s := "http://" + strings.Repeat("www.", 20) + "example.com:8080/" + strings.Repeat("a%20b/", 100) + "?q=1"
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		if _, ok, _ := URL(s); !ok {
			b.Fatal("refused")
		}
	}
}
