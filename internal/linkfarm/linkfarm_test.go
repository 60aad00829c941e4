package linkfarm_test

import (
	"context"
	"crypto/tls"
	"sync"
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
	testFarm(t, false)
}

// The same holds where the content is read, and then for the pages that only say that they were not
// found, too.
func TestFarmContent(t *testing.T) {
	t.Parallel()
	testFarm(t, true)
}

// patience returns how long a client waits for a link. A link that hangs is waited for in vain; for
// the others a short time would be too short on a machine that is busy.
func patience(l linkfarm.Link) time.Duration {
	switch {
	case l.Why == string(check.WhyTime):
		return 300 * time.Millisecond
	case l.HangsHead:
		return time.Second
	}
	return 20 * time.Second
}

// testFarm checks the links of a farm, those of each patience for themselves; those whose verdict
// depends on the content only if that is read.
func testFarm(t *testing.T, content bool) {
	f, err := linkfarm.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	groups := make(map[time.Duration][]linkfarm.Link)
	n := 0
	for _, l := range f.Links() {
		if content || !l.Content {
			n++
			groups[patience(l)] = append(groups[patience(l)], l)
		}
	}
	var sides sync.WaitGroup
	for idle, links := range groups {
		sides.Go(func() { judge(t, f, &check.Checker{Content: content}, links, idle) })
	}
	sides.Wait()
	count := f.Count() // a server sees the end of a request a moment later than the client
	if n < 450 || len(groups) != 3 || count.Early > 0 || count.Busiest > 3 {
		t.Errorf("%d links in %d groups, %+v", n, len(groups), count)
	}
}

// judge checks links with a client that waits that long for an answer.
func judge(t *testing.T, f *linkfarm.Farm, ch *check.Checker, wanted []linkfarm.Link, idle time.Duration) {
	c := client.New(client.Options{
		Registry: all.Registry(), Resolver: f.Resolver(), TLS: &tls.Config{RootCAs: f.Roots()}, Servers: map[string][]locator.URL{"news": {f.News()}},
		Limits: scheme.Limits{Idle: idle, LineTime: idle},
	})
	defer c.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	run, err := check.NewMemory(nil).Begin(ctx, nil)
	if err != nil {
		t.Error(err)
		return
	}
	right := make(map[string]linkfarm.Link)
	var links []check.Link
	for _, l := range wanted {
		x := check.NewLink(c, locator.Current.Parse, l.URL, check.Place{File: "farm", Line: len(links) + 1}, false)
		links = append(links, x)
		right[locator.Redact(x.URL)] = l
	}
	if _, err := run.Add(ctx, links); err != nil {
		t.Error(err)
	}
	if err := run.Seal(ctx); err != nil {
		t.Error(err)
	}
	ch.Client, ch.Mail, ch.Agent, ch.RetryAfter = c, true, "locator", 300*time.Millisecond
	ch.Manners = func(string) check.Manners { return check.Manners{PerHost: 2, Interval: time.Millisecond} }
	if err := (&check.Worker{Checker: ch}).Run(ctx, run); err != nil || ctx.Err() != nil {
		t.Error(err, ctx.Err())
	}
	n, alarms, missed := 0, 0, 0
	for r, err := range run.Results(ctx) {
		if err != nil {
			t.Error(err)
			return
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
		reset := r.Why == check.WhyUnreachable && l.Why == string(check.WhyServer) // the kernel may report it before it reports the connection
		if string(r.Verdict) != l.Verdict || string(r.Why) != l.Why && !reset {
			t.Errorf("%s (%s): %s %s (%s; %s; %s), want %s %s", r.URL, l.Does, r.Verdict, r.Why, r.Status, r.Reply, r.Note, l.Verdict, l.Why)
		}
	}
	if n != len(links) || alarms > 0 || missed > 0 {
		t.Errorf("%d results of %d links, %d false alarms, %d missed", n, len(links), alarms, missed)
	}
}
