package fix_test

import (
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"locator"
	"locator/check"
	"locator/check/fix"
	"locator/client"
	"locator/scheme"
)

// pages is a scheme whose resources are texts by URL. "-> URL" is a redirect.
type pages struct {
	name string
	text map[string]string
	at   *[]time.Time // of its requests
}

func (p pages) Syntax() *locator.Syntax { return locator.SyntaxOf(p.name) }

func (p pages) Access(_ context.Context, _ *scheme.Env, r scheme.Request, _ scheme.AccessOptions) (*scheme.Resource, error) {
	*p.at = append(*p.at, time.Now())
	text, ok := p.text[r.URL.Text()]
	if !ok {
		return nil, scheme.Fail(scheme.CodeNotFound, "no")
	}
	if to, moved := strings.CutPrefix(text, "-> "); moved {
		r.URL = locator.MustParse(to)
		if r.Follow != nil {
			if err := r.Follow(r.URL); err != nil {
				return nil, err
			}
		}
		*p.at = append(*p.at, time.Now())
		text = p.text[to]
	}
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindObject, Attr: scheme.Attr{Size: scheme.Known(int64(len(text)))}, Body: io.NopCloser(strings.NewReader(text))}, nil
}

// timers is the clock of the system, and counts its timers.
type timers struct{ n int }

func (*timers) Now() time.Time { return time.Now() }

func (c *timers) NewTimer(d time.Duration) (<-chan time.Time, func() bool) {
	c.n++
	t := time.NewTimer(d)
	return t.C, t.Stop
}

func TestPlan(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		text := map[string]string{
			"http://h/same": "text", "https://h/same": "text", "http://h/other": "text", "https://h/other": "test", "http://h/longer": "text", "https://h/longer": "text2",
			"http://h/only": "text", "http://h:80/port": "text", "https://h/port": "text", "http://h:81/port": "text", "https://h:81/port": "text", "http://h/empty": "", "https://h/empty": "",
			"http://h/moved": "text", "https://h/moved": "-> https://h/same",
		}
		var at []time.Time
		c := client.New(client.Options{Registry: scheme.NewRegistry(pages{"http", text, &at}, pages{"https", text, &at})})
		defer c.Close()
		const interval = 5 * time.Second
		clock := new(timers)
		p := &fix.Planner{Checker: &check.Checker{Client: c, Clock: clock, Manners: func(string) check.Manners { return check.Manners{Interval: interval} }}}
		for _, x := range []struct {
			r    check.Result
			want string
		}{
			{check.Result{URL: "http://h/a", Verdict: check.Moved, To: "http://h/b"}, "http://h/b"},
			{check.Result{URL: "http://h/a#x", Verdict: check.Moved, To: "https://i/b#y"}, "https://i/b#y"},
			{check.Result{URL: "http://u:****@h/a", Verdict: check.Moved, To: "http://h/b"}, ""},
			{check.Result{URL: "http://h/a", Verdict: check.Moved, To: "http://u@h/b"}, ""},
			{check.Result{URL: "http://h/a", Verdict: check.Moved, To: "mailto:a@b"}, ""},
			{check.Result{URL: "http://h/a", Verdict: check.Broken}, ""},
			{check.Result{URL: "http://h/a", Verdict: check.OK, Final: "http://h/a/"}, "http://h/a/"},
			{check.Result{URL: "http://h/A", Verdict: check.OK, Final: "http://h/a"}, "http://h/a"},
			{check.Result{URL: "http://h/a", Verdict: check.OK, Final: "http://h/b"}, ""},
			{check.Result{URL: "http://h/same", Verdict: check.OK}, "https://h/same"},
			{check.Result{URL: "http://h:80/port", Verdict: check.OK}, "https://h/port"},
			{check.Result{URL: "http://h:81/port", Verdict: check.OK}, ""},
			{check.Result{URL: "http://h/other", Verdict: check.OK}, ""},
			{check.Result{URL: "http://h/longer", Verdict: check.OK}, ""},
			{check.Result{URL: "http://h/only", Verdict: check.OK}, ""},
			{check.Result{URL: "http://h/empty", Verdict: check.OK}, ""},
			{check.Result{URL: "http://h/moved", Verdict: check.OK}, ""},
			{check.Result{URL: "https://h/same", Verdict: check.OK}, ""},
			{check.Result{URL: "ftp://h/same", Verdict: check.OK}, ""},
			{check.Result{URL: "mailto:a@b", Verdict: check.OK}, ""},
		} {
			change, ok := p.Plan(t.Context(), &x.r)
			if ok != (x.want != "") || ok && change.To.Text() != x.want {
				t.Errorf("%s: %v %v, want %q", x.r.URL, change.To, ok, x.want)
			}
		}
		for i := 1; i < len(at); i++ {
			if d := at[i].Sub(at[i-1]); d < interval {
				t.Errorf("request %d came %v after the one before, want %v", i+1, d, interval)
			}
		}
		if len(at) < 9 || clock.n != len(at)-1 {
			t.Errorf("%d requests, %d pauses", len(at), clock.n)
		}
	})
}
