package baseline

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"locator/check"
)

func TestCompare(t *testing.T) {
	t.Parallel()
	var lines strings.Builder
	for _, name := range []string{"gone", "known", "unsure", "worse", "works"} {
		verdict := "broken"
		if name == "worse" {
			verdict = "unsure"
		}
		fmt.Fprintf(&lines, `{"url":"http://a.example/%s","verdict":"%s","date":"2026-11-01","note":"%s"}`+"\n", name, verdict, name)
	}
	c := read(t, lines.String()).Compare(func(r *check.Result) bool { return r.Verdict == check.Broken }, time.Date(2026, 11, 28, 1, 0, 0, 0, time.UTC))
	for name, verdict := range map[string]check.Verdict{
		"known": check.Broken, "unsure": check.Unsure, "worse": check.Broken, "works": check.Moved, "new": check.Broken, "ok": check.OK, "late": check.Unsure,
	} {
		c.Add(&check.Result{URL: "http://a.example/" + name, Verdict: verdict, Why: check.WhyGone})
	}
	if list := c.Recovered(); len(list) != 1 || list[0].URL != "http://a.example/works" {
		t.Errorf("works again: %v", list)
	}
	updated, err := c.Updated()
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"url":"http://a.example/known","verdict":"broken","date":"2026-11-01","note":"known"}
{"url":"http://a.example/new","verdict":"broken","why":"gone","date":"2026-11-28"}
{"url":"http://a.example/unsure","verdict":"broken","date":"2026-11-01","note":"unsure"}
{"url":"http://a.example/worse","verdict":"broken","why":"gone","date":"2026-11-28","note":"worse"}
`
	if got := text(t, updated); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The first baseline is an update of none.
func TestCompareWithNone(t *testing.T) {
	t.Parallel()
	c := (*Baseline)(nil).Compare(func(*check.Result) bool { return true }, time.Date(2026, 11, 28, 1, 0, 0, 0, time.UTC))
	c.Add(&check.Result{URL: "http://user:****@a.example/", Verdict: check.Broken})
	updated, err := c.Updated()
	if err != nil || len(c.Recovered()) != 0 {
		t.Fatal(err, c.Recovered())
	}
	if got := text(t, updated); got != `{"url":"http://user:****@a.example/","verdict":"broken","date":"2026-11-28"}`+"\n" {
		t.Error(got)
	}
}
