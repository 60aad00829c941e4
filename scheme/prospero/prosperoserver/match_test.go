package prosperoserver

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// Covers: A13
func TestMatcher(t *testing.T) {
	t.Parallel()
	names := []string{"hello.txt", "helloxtxt", "data.bin", "docs", "a+b.txt", "(x)", "caf\xe9.txt", "new\nline", "[a]", "h*", "a]", "x-y", "\\", "aa"}
	for pattern, want := range map[string]string{
		"hello.txt": "hello.txt", "h*": "hello.txt,helloxtxt,h*", "*.txt": "hello.txt,a+b.txt,caf\xe9.txt", "d?cs": "docs", "*": strings.Join(names, ","), "a+b.txt": "a+b.txt",
		"caf?.txt": "caf\xe9.txt", "new?line": "new\nline", "?": "\\", "zzz*": "", "": "",
		"(^h.*)": "hello.txt,helloxtxt,h*", "(^[hd].*)": "hello.txt,helloxtxt,data.bin,docs,h*", `(^hello\.txt$)`: "hello.txt", "(hello.txt)": "hello.txt,helloxtxt", "(a+b)": "a+b.txt",
		"(x)": "hello.txt,helloxtxt,a+b.txt,(x),caf\xe9.txt,x-y", "(^a*$)": "aa", "(^*)": "", "([]])": "[a],a]", "([^a-z.+]$)": "(x),[a],h*,a],\\", "(x-)": "x-y", `(^\(a\)a)`: "aa", "([+-])": "a+b.txt,x-y",
		"(^caf[\xe0-\xff])": "caf\xe9.txt", `(\\)`: "\\", "(b$x)": "", "()": strings.Join(names, ","), "(e.*e)": "new\nline",
	} {
		match, _, err := matcher(pattern)
		if err != nil {
			t.Errorf("%q: %v", pattern, err)
			continue
		}
		var got []string
		for _, n := range names {
			if match(n) {
				got = append(got, n)
			}
		}
		if strings.Join(got, ",") != want {
			t.Errorf("%q matches %q, want %q", pattern, got, want)
		}
	}
	for _, pattern := range []string{"([a)", "([z-a])", `(\(a)`, `(\))`, `(\(a\)\1)`, strings.Repeat("*", maxPattern+1), "(" + strings.Repeat("a*", maxPattern) + ")"} {
		if _, _, err := matcher(pattern); err == nil {
			t.Errorf("%q can be used", pattern)
		}
	}
}

// No pattern takes long for a name, however it is nested.
//
// Covers: A13, P6, T100
func TestMatcherIsLinear(t *testing.T) {
	t.Parallel()
	name := strings.Repeat("a", 255)
	for _, pattern := range []string{"(" + strings.Repeat("a*", maxPattern/2-2) + "b)", strings.Repeat("*a", maxPattern/2-1) + "b", "(" + strings.Repeat(".*", maxPattern/2-2) + "b)"} {
		match, _, err := matcher(pattern)
		if err != nil {
			t.Fatal(err)
		}
		var took []time.Duration
		for range 5 {
			begun := time.Now()
			match(name)
			took = append(took, time.Since(begun))
		}
		if best := slices.Min(took); best > 50*time.Millisecond {
			t.Errorf("%q takes %v", pattern, best)
		} else {
			t.Logf("%q: %v", pattern, best)
		}
	}
}

// A matcher fails or matches its own name, whatever the name.
func FuzzMatcher(f *testing.F) {
	f.Add("(^[hd].*)", "hello")
	f.Add("*.t?t", "a.txt")
	f.Fuzz(func(t *testing.T, pattern, name string) {
		match, exact, err := matcher(pattern)
		if err != nil {
			return
		}
		if !match(pattern) || exact && match(name) != (name == pattern) {
			t.Errorf("%q, %q", pattern, name)
		}
	})
}
