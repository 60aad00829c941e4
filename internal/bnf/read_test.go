package bnf

import (
	"slices"
	"strings"
	"testing"
)

func parse(t testing.TB, text string) *Grammar {
	t.Helper()
	g, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestParse(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text, want string
	}{
		{"nothing", " ; only a comment", ""},
		{"literal", `a = "x"`, `a = "x"`},
		{"quotation mark", `a = "<" | ">" | <">`, `a = "<" | ">" | <">`},
		{"specials in literals", `a = ";" | "|" | "[" | "]" | "=" | "*" | "\" | " "`, `a = ";" | "|" | "[" | "]" | "=" | "*" | "\" | " "`},
		{"continued", "a = b |\n   c ; why\n d\n\n", "a = b | c d"},
		{"layout does not matter", "\ta =\r\n\tb\tc\n\td = e f=g", "a = b c\nd = e\nf = g"},
		{"brackets touch", `a=[b[c]]`, `a = [ b [ c ] ]`},
		{"repetitions", `a = *b 1*c 12*[ d|e ] * [f]`, `a = *b 1*c 12*[ d | e ] *[ f ]`},
		{"names", "ip-part = gopher+_string encoded822addr", "ip-part = gopher+_string encoded822addr"},
		{"comment before a rule", "a = b\n; not c\nd = e", "a = b\nd = e"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := print(parse(t, tt.text)); got != tt.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, tt.want)
			}
		})
	}
}

func print(g *Grammar) string {
	var lines []string
	for _, r := range g.Rules() {
		lines = append(lines, r.String())
	}
	return strings.Join(lines, "\n")
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text, want string
	}{
		{`a = b / c`, "line 1: '/' has no meaning here; a literal is quoted"}, // what erratum 5118 corrects
		{"\n\na = \"b", "line 3: a literal needs"},
		{"a = \"b\nc\"", "line 1: a literal needs"},
		{`a = ""`, "line 1: a literal needs"},
		{"a = \"\u00e9\"", "line 1: a literal needs"},
		{`"a" = b`, `line 1: at "a": a rule begins with its name and =`},
		{`a b`, "a rule begins with its name and ="},
		{`a =`, "line 1: at the end: something is missing before it"},
		{`a = | b`, "at |: something is missing"},
		{`a = b | c =`, "at c: something is missing"},
		{`a = [ ]`, "at ]: something is missing"},
		{`a = [ b`, "at the end: ] is missing"},
		{`a = b ]`, "at ]: ] without ["},
		{`a = *`, "at the end: a repetition needs an element"},
		{"a = *\nb = c", "at b: a repetition needs an element"},
		{`a = **b`, "at *: a repetition needs an element"},
		{`a = 2b`, `"2" is not a repetition: * is missing`},
		{`a = 256*b`, "repetition 256 is over 255"},
		{`a = 99999999999999999999*b`, "is over 255"},
		{`a = b = c`, "at b: something is missing"},
		{`a = "b" = c`, "at =: a name, a literal, [ or a repetition is expected"},
		{"a = b\na = c", "line 2: rule a is defined twice, first in line 1"},
		{"a = a", "line 1: rule a leads back to itself"},
		{"a = b\nb = \"x\" [ *c ]\nc = a", "leads back to itself"},
		{"a = " + strings.Repeat("[", 65) + "b" + strings.Repeat("]", 65), "too many brackets"},
		{"a = 255*b\nb = 255*c\nc = 255*d\nd = \"xy\"", "too large to run"},
	}
	for _, tt := range tests {
		_, err := Parse(tt.text)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Parse(%q): got error %v, want %s", tt.text, err, tt.want)
		}
	}
}

func TestProductions(t *testing.T) {
	t.Parallel()
	g := RFC1738()
	var names []string
	for _, r := range g.Productions("nntpurl") {
		names = append(names, r.Name)
	}
	want := []string{"hostport", "host", "hostname", "domainlabel", "toplabel", "alphadigit", "hostnumber", "port",
		"group", "nntpurl", "lowalpha", "hialpha", "alpha", "digit", "digits"}
	if !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
	if r, ok := g.Rule("gopherurl"); !ok ||
		r.Text != `"gopher://" hostport [ "/" [ gtype [ selector [ "%09" search [ "%09" gopher+_string ] ] ] ] ]` {
		t.Errorf("gopherurl reads %q", r.Text)
	}
	if r, ok := g.Rule("national"); !ok || r.Text != `"{" | "}" | "|" | "\" | "^" | "~" | "[" | "]" | "`+"`"+`"` {
		t.Errorf("national reads %q", r.Text)
	}
	if _, ok := g.Rule("uri"); ok {
		t.Error("a rule that is not there was found")
	}
	// A part may use what it does not define.
	part := parse(t, "a = b\nb = c [ a2 ]\nd = b\na2 = c")
	if got := part.Productions("a"); len(got) != 3 || got[2].Name != "a2" {
		t.Errorf("got %v", got)
	}
}

func TestDiff(t *testing.T) {
	t.Parallel()
	part := parse(t, `
		waisdoc  = "wais://" hostport "/" database "/" wtype "/" wpath ; the third form
		wpath    = *xchar
		waisfoo  = wpath
		database = *uchar`)
	want := []string{"wpath: have *xchar, want *uchar", "waisfoo: not in the grammar"}
	if got := RFC1738().Diff(part); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := RFC1738().Diff(RFC1738()); got != nil {
		t.Errorf("the grammar differs from itself: %q", got)
	}
}

// Every name that the RFC's rules use is defined, and url leads to every rule,
// save the two classes that say what URLs may not contain.
func TestRFC1738Complete(t *testing.T) {
	t.Parallel()
	g := RFC1738()
	var walk func(n *node)
	walk = func(n *node) {
		if n.op == opRef && n.rule == nil {
			t.Errorf("%s is not defined", n.text)
		}
		for _, k := range n.kids {
			walk(k)
		}
	}
	for _, r := range g.order {
		walk(r.body)
	}
	var unused []string
	used := g.Productions("url")
	for _, r := range g.Rules() {
		if !slices.Contains(used, r) {
			unused = append(unused, r.Name)
		}
	}
	if want := []string{"national", "punctuation"}; !slices.Equal(unused, want) {
		t.Errorf("unused: %v, want %v", unused, want)
	}
}

// FuzzParse: what Parse takes, it prints in a form that means the same.
func FuzzParse(f *testing.F) {
	f.Add(text[:strings.Index(text, "; URL schemeparts")])
	f.Add("a = b | \"c\" [ *d 2*[ e ] ] ; f\ng = <\">")
	f.Add("a = [[[b]]] = ] c")
	f.Fuzz(func(t *testing.T, text string) {
		g, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(print(g))
		if err != nil {
			t.Fatalf("%v\n%s", err, print(g))
		}
		if !slices.Equal(g.Rules(), again.Rules()) {
			t.Errorf("got:\n%s\nwant:\n%s", print(again), print(g))
		}
	})
}
