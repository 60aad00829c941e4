package browser

import (
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"locator/check"
	"locator/check/report"
)

// results returns a result of each verdict for several hosts, and those that strangers would like to be in a report.
func results() iter.Seq2[*check.Result, error] {
	return func(yield func(*check.Result, error) bool) {
		n := 0
		for _, verdict := range check.Verdicts() {
			for _, host := range []string{"http://a.example", "ftp://b.example", "gopher://a-long-name-of-a-host." + strings.Repeat("very-", 12) + "long.example"} {
				for range 3 {
					n++
					name, _, _ := strings.Cut(host, ":")
					r := &check.Result{
						URL: fmt.Sprintf("%s/folder/page-%d?x=%s", host, n, strings.Repeat("y", n*3)), Verdict: verdict, Scheme: name, MS: int64(n * n * 7), Attempts: 2, Bytes: -1,
						Sources: []check.Place{{File: "docs/guide.md", Line: n, Column: 3}, {File: "docs/" + strings.Repeat("deep/", n) + "x.html", Line: 1}},
					}
					switch verdict {
					case check.Broken:
						r.Why, r.Status, r.Reply, r.Before = check.WhyNotFound, "404", "404 Not Found", check.OK
					case check.Blocked:
						r.Why, r.Status = check.WhyWall, "403"
					case check.Unsure:
						r.Why, r.Note = check.WhyServer, "<script>alert(1)</script> \x1b[2J \u202e"+strings.Repeat("long", 100)
					case check.Moved:
						r.To, r.Final = host+"/new", host+"/new"
					}
					if !yield(r, nil) {
						return
					}
				}
			}
		}
	}
}

// axe-core finds nothing in the HTML report, with findings and without, and no part of it is wider than the window.
func TestReport(t *testing.T) {
	t.Parallel()
	begun := time.Date(2026, 11, 28, 8, 0, 0, 0, time.UTC)
	run := check.RunInfo{Number: 7, Begun: begun, Ended: begun.Add(95 * time.Second), Sealed: true}
	tab := axeTab(t)
	for name, r := range map[string]report.Report{
		"report":       {Run: run, Before: &check.RunInfo{Number: 6, Verdicts: map[check.Verdict]int64{check.OK: 7, check.Broken: 2}}, Results: results(), Redirects: true},
		"report-empty": {Run: run, Results: func(func(*check.Result, error) bool) {}},
	} {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			f, _ := report.FormatNamed("html")
			var page strings.Builder
			if err := f.Write(&page, r); err != nil {
				t.Error(err)
			}
			io.WriteString(w, page.String())
		}))
		defer srv.Close()
		t.Run(name, func(t *testing.T) {
			tab := tab.of(t)
			tab.Open(srv.URL)
			if text := tab.Text("body"); name == "report" && !strings.Contains(text, "page-19") {
				t.Errorf("the page lacks its findings: %.200s", text)
			}
			tab.keepsRules(name)
		})
	}
}
