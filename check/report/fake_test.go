package report

import (
	"bytes"
	"iter"
	"testing"
	"time"

	"locator/check"
)

func day(n int) time.Time { return time.Date(2026, 11, n, 8, 0, 0, 0, time.UTC) }

func seq(results ...*check.Result) iter.Seq2[*check.Result, error] {
	return func(yield func(*check.Result, error) bool) {
		for _, r := range results {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// example is a run of all verdicts, beside the run before.
func example() Report {
	place := func(file string, line, column int) check.Place {
		return check.Place{File: file, Line: line, Column: column}
	}
	return Report{
		Run:    check.RunInfo{Number: 7, Begun: day(28), Ended: day(28).Add(95 * time.Second), Sealed: true},
		Before: &check.RunInfo{Number: 6, Verdicts: map[check.Verdict]int64{check.OK: 7, check.Broken: 2}},
		Results: seq(
			&check.Result{URL: "http://a.example/", Verdict: check.OK, Scheme: "http", Status: "200", Bytes: 10, MS: 30, Attempts: 1, At: day(28), Before: check.OK,
				Sources: []check.Place{place("a.md", 1, 1)}},
			&check.Result{URL: "ftp://b.example/f", Verdict: check.OK, Scheme: "ftp", Status: "213", Bytes: -1, MS: 220, Attempts: 1, Before: check.Broken},
			&check.Result{URL: "http://a.example/old", Verdict: check.Moved, Scheme: "http", Status: "301", To: "http://a.example/new", Final: "http://a.example/new",
				MS: 90, Attempts: 1, Before: check.OK},
			&check.Result{URL: "http://a.example/x", Verdict: check.Unsure, Why: check.WhyServer, Scheme: "http", Status: "503", Reply: "Service Unavailable",
				MS: 1200, Attempts: 3, Before: check.OK, Sources: []check.Place{place("-", 4, 0)}},
			&check.Result{URL: "http://c.example/1", Verdict: check.Broken, Why: check.WhyName, Scheme: "http", Note: "no such host", Attempts: 2, Before: check.OK,
				Sources: []check.Place{place("docs/b.md", 3, 7)}},
			&check.Result{URL: "http://a.example/gone", Verdict: check.Broken, Why: check.WhyNotFound, Scheme: "http", Status: "404", Reply: "Not Found", MS: 45,
				Attempts: 2, Before: check.Broken, Since: day(20), Fails: 4, Sources: []check.Place{place("a.md", 12, 3), place("docs/b.md", 9, 1)}},
			&check.Result{URL: "http://C.example/2", Verdict: check.Broken, Why: check.WhyName, Scheme: "http", Note: "no such host", Attempts: 2, Before: check.OK,
				Sources: []check.Place{place("docs/b.md", 5, 7)}},
			&check.Result{URL: "gopher://d.example/", Verdict: check.Failing, Why: check.WhyUnreachable, Scheme: "gopher", Attempts: 2, Before: check.OK},
			&check.Result{URL: "http://e.example/", Verdict: check.Blocked, Why: check.WhyWall, Scheme: "http", Status: "403", Reply: "403 Forbidden", Attempts: 1,
				Before: check.Blocked, Sources: []check.Place{place("docs/b.md", 0, 0)}},
			&check.Result{URL: "x-y:z", Verdict: check.Skipped, Why: check.WhyUnsupported, Bytes: -1},
		),
	}
}

func write(t *testing.T, name string, r Report) string {
	t.Helper()
	f, ok := FormatNamed(name)
	if !ok {
		t.Fatalf("no format %q", name)
	}
	var b bytes.Buffer
	if err := f.Write(&b, r); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return b.String()
}

// hostile is what strangers may put into each field.
const hostile = "::error file=x::y\r\n::set-env name=a::b%0A##[add-mask]x\x1b[2J\x07\u202e\xff`</style><script>alert(1)</script>]]>&\"'|[a](javascript:1){0}=1+1\t@user"

func hostileReport() Report {
	r := &check.Result{
		URL: "http://h.example/" + hostile, Verdict: check.Broken, Why: check.WhyNotFound, Scheme: hostile, Status: hostile, Reply: hostile, Final: hostile,
		To: hostile, Hops: []string{hostile}, Addr: hostile, Type: hostile, ETag: hostile, Digest: hostile, Note: hostile,
		Sources: []check.Place{{File: hostile, Line: 1, Column: 2}, {File: "=cmd|' /C calc'!A0", Line: 3}},
	}
	script := &check.Result{URL: "javascript:alert(1)", Verdict: check.Unsure, Why: check.WhyServer}
	return Report{Results: seq(r, script)}
}
