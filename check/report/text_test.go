package report

import (
	"strings"
	"testing"

	"locator/check"
)

func TestText(t *testing.T) {
	t.Parallel()
	const want = `broken (new): host c.example: name (no such host): 2 URLs, such as http://c.example/1
    in docs/b.md:3:7
    in docs/b.md:5:7
broken: http://a.example/gone: not found (404 Not Found) in 4 runs since 2026-11-20
    in a.md:12:3
    in docs/b.md:9:1
failing (new): gopher://d.example/: unreachable
blocked: http://e.example/: wall (403 Forbidden)
    in docs/b.md
unsure (new): http://a.example/x: server (503 Service Unavailable)
    in standard input:4
ok (works again): ftp://b.example/f

10 URLs: 2 ok, 1 moved, 3 broken, 1 failing, 1 blocked, 1 unsure, 1 skipped
before: 9 URLs: 7 ok, 2 broken
4 problems new, 1 URL works again
`
	if got := write(t, "text", example()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestTextOfARunThatGoesOn(t *testing.T) {
	t.Parallel()
	r := Report{
		Run:       check.RunInfo{Open: 5},
		Results:   seq(&check.Result{URL: "http://a.example/old", Verdict: check.Moved, To: "http://a.example/new"}, &check.Result{URL: "http://b.example/", Verdict: check.OK}),
		Redirects: true,
	}
	const want = `moved: http://a.example/old: to http://a.example/new

2 URLs: 1 ok, 1 moved
the run has not ended: 5 URLs are not checked yet
`
	if got := write(t, "text", r); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Results that make the check fail come first, and are listed whatever their verdict is.
func TestTextFails(t *testing.T) {
	t.Parallel()
	r := example()
	r.Fails = func(r *check.Result) bool { return r.Verdict == check.Skipped }
	if got := write(t, "text", r); !strings.HasPrefix(got, "skipped: x-y:z: unsupported\nbroken (new): ") {
		t.Error(got)
	}
}

// What is known is counted only.
func TestTextKnown(t *testing.T) {
	t.Parallel()
	r := example()
	r.Before = nil
	r.Known = func(r *check.Result) bool { return r.Verdict == check.Broken }
	const want = `failing: gopher://d.example/: unreachable
blocked: http://e.example/: wall (403 Forbidden)
    in docs/b.md
unsure: http://a.example/x: server (503 Service Unavailable)
    in standard input:4

10 URLs: 2 ok, 1 moved, 3 broken, 1 failing, 1 blocked, 1 unsure, 1 skipped
3 URLs are known and not listed
`
	if got := write(t, "text", r); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestTextManyPlaces(t *testing.T) {
	t.Parallel()
	r := &check.Result{URL: "http://a.example/", Verdict: check.Broken}
	for i := range maxPlaces + 7 {
		r.Sources = append(r.Sources, check.Place{File: "a.md", Line: i + 1})
	}
	got := write(t, "text", Report{Results: seq(r)})
	if n := strings.Count(got, "    in a.md:"); n != maxPlaces || !strings.Contains(got, "    and 7 more places\n") {
		t.Errorf("%d places in %s", n, got)
	}
}
