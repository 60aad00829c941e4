package main

import (
	"strings"
	"testing"

	"golang.org/x/time/rate"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/all"
	"locator/tree"
)

func TestParseRate(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]rate.Limit{
		"1": 1, "500": 500, "500K": 500 << 10, "2m": 2 << 20, "1G": 1 << 30, "3KB": 3 << 10, "7b": 7,
		"": 0, "0": -1, "-1": -1, "K": -1, "1.5M": -1, "1KK": -1, "1 M": -1, "M1": -1, "1T": -1, "99999999999999999999": -1, "9007199254740993K": -1, "8589934592G": -1,
	} {
		l, err := parseRate(text)
		switch {
		case want < 0:
			if err == nil {
				t.Errorf("%q is taken", text)
			}
		case want == 0:
			if l != nil || err != nil {
				t.Errorf("%q: %v, %v", text, l, err)
			}
		case err != nil || l.Limit() != want || l.Burst() > 64<<10 || l.Burst() < 1:
			t.Errorf("%q: %v, %v, want %v", text, l, err, want)
		}
	}
}

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

func TestGetUsage(t *testing.T) {
	t.Parallel()
	sum := strings.Repeat("0a", 32)
	for _, args := range [][]string{
		{"--sha256", sum, "x:y"}, {"--sha256", "abc", "-o", "f", "x:y"}, {"--sha256", sum[1:] + "g", "-o", "f", "x:y"},
		{"--sha256", sum, "-r", "x:y"}, {"--continue", "x:y"}, {"--if-newer", "x:y"}, {"--retries", "-1", "x:y"},
		{"--parallel", "0", "x:y"}, {"--per-host", "0", "x:y"}, {"-o", "f", "-r", "x:y"}, {"--limit-rate", "fast", "x:y"},
		{"-r", "--depth", "-1", "x:y"}, {"-r", "--include", "{", "x:y"},
	} {
		if _, errs, status := runText(t, "", append([]string{"get"}, args...)...); status != scheme.CodeUsage.Exit() {
			t.Errorf("%q: status %d, %s", args, status, errs)
		}
	}
}

// With --decode a file has the name of its decoded content, in both syntaxes.
func TestUnwrapped(t *testing.T) {
	t.Parallel()
	for _, syntax := range []*locator.Parser{locator.RFC1738, locator.Current} {
		a := &app{}
		c := client.New(client.Options{Registry: all.Registry(), Syntax: syntax})
		defer c.Close()
		for text, want := range map[string]string{
			"gopher://h/4/a.hqx": "a", "gophers://h/6/a.uu": "a", "gophers://h/0/a.uu": "a.uu", "gophers://h/6/.uu": ".uu", "ftps://h/a.uu": "a.uu",
		} {
			u, err := a.read(text)
			if got := c.FileName(u, true); err != nil || got != want {
				t.Errorf("%s: %s: %q, %v; want %q", syntax.Name(), text, got, err, want)
			}
		}
	}
}
