package report

import (
	"strings"
	"testing"

	"locator/check"
)

func TestReason(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		r    check.Result
		want string
	}{
		{check.Result{Verdict: check.Broken, Why: check.WhyNotFound, Status: "404", Reply: "Not Found"}, "not found (404 Not Found)"},
		{check.Result{Verdict: check.Broken, Why: check.WhyNotFound, Status: "550", Reply: "550 No such file"}, "not found (550 No such file)"},
		{check.Result{Verdict: check.Broken, Why: check.WhyNotFound, Status: "404"}, "not found (404)"},
		{check.Result{Verdict: check.Unsure, Why: check.WhyName, Note: "SERVFAIL"}, "name (SERVFAIL)"},
		{check.Result{Verdict: check.Unsure, Reply: "x", Note: "x"}, "(x)"},
		{check.Result{Verdict: check.Broken, Why: check.WhyGone, Reply: "a", Note: "b", Final: "http://b.example/"}, "gone (a; b) after a redirect to http://b.example/"},
		{check.Result{Verdict: check.Moved, Status: "301", To: "http://b.example/", Final: "http://c.example/"}, "to http://b.example/"},
		{check.Result{Verdict: check.OK, Why: check.WhyChanged, Note: "other size"}, "changed (other size)"},
		{check.Result{Verdict: check.OK, Status: "200"}, ""},
	} {
		if got := (&finding{Result: test.r, urls: 1}).reason(); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

// A text that is too long is cut between characters.
func TestLine(t *testing.T) {
	t.Parallel()
	got := line("a" + strings.Repeat("é", maxWords))
	if want := "a" + strings.Repeat("é", (maxWords-1)/2) + "..."; got != want {
		t.Errorf("got %q", got)
	}
}

func TestPlaceText(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]check.Place{
		"a.md:1:2": {File: "a.md", Line: 1, Column: 2}, "a.md:1": {File: "a.md", Line: 1}, "a.md": {File: "a.md", Column: 2}, "standard input:3": {File: "-", Line: 3},
		`a\x1b`: {File: "a\x1b"},
	} {
		if got := placeText(p); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
