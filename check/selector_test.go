package check_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"locator/check"
)

func TestSelector(t *testing.T) {
	t.Parallel()
	result := func(v check.Verdict, w check.Why, before check.Verdict) *check.Result {
		return &check.Result{Verdict: v, Why: w, Before: before}
	}
	gone := result(check.Broken, check.WhyGone, check.OK)
	for _, test := range []struct {
		list string
		r    *check.Result
		want bool
	}{
		{"broken", gone, true},
		{"Broken", gone, true},
		{"gone", gone, true},
		{"not found, gone", gone, true},
		{"not found", gone, false},
		{"not-found", result(check.Broken, check.WhyNotFound, ""), true},
		{"blocked,unsure", gone, false},
		{"name", result(check.Unsure, check.WhyName, ""), true},
		{"changed", result(check.OK, check.WhyChanged, check.OK), true},
		{"new", gone, true},
		{"new", result(check.Unsure, check.WhyTime, ""), true},
		{"new", result(check.Broken, check.WhyGone, check.Broken), false},
		{"new,broken", result(check.Broken, check.WhyGone, check.Broken), true},
		{"new", result(check.OK, "", check.Broken), false},
		{"new", result(check.OK, "", ""), false},
		{"new", result(check.Skipped, check.WhyRobots, ""), false},
	} {
		s, err := check.ParseSelector(test.list)
		if err != nil {
			t.Errorf("%q: %v", test.list, err)
		} else if got := s.Match(test.r); got != test.want {
			t.Errorf("%q matches %+v: %t, want %t", test.list, test.r, got, test.want)
		}
	}
	if (check.Selector{}).Match(gone) {
		t.Error("the zero Selector selects a result")
	}
}

func TestSelectorUnknownWord(t *testing.T) {
	t.Parallel()
	for _, list := range []string{"", "broken,", "brokn", "broken;gone", "new\x1b[2J"} {
		_, err := check.ParseSelector(list)
		if err == nil {
			t.Errorf("%q: no error", list)
			continue
		}
		for _, word := range []string{"broken", "skipped", "not found", "robots", "new"} {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%q: the error does not name %q: %v", list, word, err)
			}
		}
		if strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%q: control characters in the error: %v", list, err)
		}
	}
}

// Verdicts and Whys have all constants of their types.
func TestSelectorHasAllWords(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "result.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		typ, _ := spec.Type.(*ast.Ident)
		word, isText := spec.Values[0].(*ast.BasicLit)
		if typ == nil || !isText {
			return true
		}
		text, err := strconv.Unquote(word.Value)
		if err != nil {
			t.Fatal(err)
		}
		switch typ.Name {
		case "Verdict":
			count++
			if !slices.Contains(check.Verdicts(), check.Verdict(text)) {
				t.Errorf("Verdicts lacks %q", text)
			}
		case "Why":
			count++
			if !slices.Contains(check.Whys(), check.Why(text)) {
				t.Errorf("Whys lacks %q", text)
			}
		}
		return true
	})
	if want := len(check.Verdicts()) + len(check.Whys()); count != want {
		t.Errorf("%d constants, want %d", count, want)
	}
}

func TestRecovered(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		now, before check.Verdict
		want        bool
	}{
		{check.OK, check.Broken, true},
		{check.Moved, check.Failing, true},
		{check.OK, check.Unsure, false},
		{check.OK, "", false},
		{check.Broken, check.Broken, false},
		{check.Blocked, check.Broken, false},
	} {
		if got := (&check.Result{Verdict: test.now, Before: test.before}).Recovered(); got != test.want {
			t.Errorf("%s after %s: %t, want %t", test.now, test.before, got, test.want)
		}
	}
}
