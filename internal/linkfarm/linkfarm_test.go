package linkfarm_test

import (
	"context"
	"crypto/tls"
	"testing"
	"time"

	"locator"
	"locator/check"
	"locator/client"
	"locator/internal/linkfarm"
	"locator/scheme"
	"locator/scheme/all"
)

// No link that works is called broken, and none that leads to nothing is missed; the verdict and
// its reason are right for all, and the manners hold.
func TestFarm(t *testing.T) {
	t.Parallel()
	f, err := linkfarm.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c := client.New(client.Options{
		Registry: all.Registry(), Resolver: f.Resolver(), TLS: &tls.Config{RootCAs: f.Roots()}, Servers: map[string][]locator.URL{"news": {f.News()}},
		Limits: scheme.Limits{Idle: 500 * time.Millisecond, LineTime: 500 * time.Millisecond},
	})
	defer c.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	run, err := check.NewMemory(nil).Begin(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	right := make(map[string]linkfarm.Link)
	var links []check.Link
	for _, l := range f.Links() {
		if l.Content {
			continue
		}
		x := check.NewLink(c, locator.Current.Parse, l.URL, check.Place{File: "farm", Line: len(links) + 1}, false)
		links = append(links, x)
		right[locator.Redact(x.URL)] = l
	}
	if _, err := run.Add(ctx, links); err != nil {
		t.Fatal(err)
	}
	if err := run.Seal(ctx); err != nil {
		t.Fatal(err)
	}
	w := &check.Worker{
		Checker: &check.Checker{
			Client: c, Mail: true, Agent: "locator", RetryAfter: 300 * time.Millisecond,
			Manners: func(string) check.Manners { return check.Manners{PerHost: 2, Interval: time.Millisecond} },
		},
	}
	if err := w.Run(ctx, run); err != nil || ctx.Err() != nil {
		t.Fatal(err, ctx.Err())
	}
	n, alarms, missed := 0, 0, 0
	for r, err := range run.Results(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		l := right[r.URL]
		broken := r.Verdict == check.Broken
		if broken && !l.Dead() {
			alarms++
		}
		if !broken && l.Dead() {
			missed++
		}
		if string(r.Verdict) != l.Verdict || string(r.Why) != l.Why {
			t.Errorf("%s (%s): %s %s (%s; %s; %s), want %s %s", r.URL, l.Does, r.Verdict, r.Why, r.Status, r.Reply, r.Note, l.Verdict, l.Why)
		}
	}
	count := f.Count() // a server sees the end of a request a moment later than the client
	if n != len(links) || n < 300 || alarms > 0 || missed > 0 || count.Early > 0 || count.Busiest > 3 {
		t.Errorf("%d results of %d links, %d false alarms, %d missed, %+v", n, len(links), alarms, missed, count)
	}
}
