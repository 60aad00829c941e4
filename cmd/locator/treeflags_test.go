package main

import (
	"testing"

	"locator/tree"
)

func TestRecursionPatterns(t *testing.T) {
	t.Parallel()
	r := recursion{on: true, patterns: pathPatterns{tree.Patterns{Include: []string{"*.txt", "docs/**"}, Exclude: []string{"**/old", "*~", "x/{a,b}.txt"}}}}
	if err := r.check(); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{
		"a.txt": true, "sub/a.txt": true, "a.bin": false, "docs/a.bin": true, "docs/b/c.bin": true, "docs": true,
		"a.txt~": false, "x/a.txt": false, "x/c.txt": true, "old": false, "sub/old": false,
	} {
		if got := r.patterns.Wants(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
	for _, bad := range []recursion{
		{on: true, patterns: pathPatterns{tree.Patterns{Include: []string{"[a"}}}}, {on: true, depth: -1}, {depth: 2}, {patterns: pathPatterns{tree.Patterns{Include: []string{"*"}}}}, {noRobots: true},
	} {
		if err := bad.check(); err == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
}
