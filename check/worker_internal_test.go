package check

import (
	"context"
	"fmt"
	"io"
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"locator"
	"locator/scheme"
)

// A request that takes long lends its slot to another one, but no more than maxSlow do.
func TestLend(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		slow      int64 // requests that have lent their slots
		fastFirst bool
	}{{0, true}, {maxSlow - 1, true}, {maxSlow, false}} {
		synctest.Test(t, func(t *testing.T) {
			c := fake(func(_ context.Context, u locator.URL) (*scheme.Resource, error) {
				if u.Host() == "a.example" {
					time.Sleep(10 * time.Second)
				}
				return there(u)
			}).client(t)
			r := runOf(t, c, "http://a.example/", "http://b.example/")
			w := &Worker{Checker: &Checker{Client: c}, Parallel: 1}
			w.slow.Store(tt.slow)
			if err := w.Run(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			list := resultsOf(t, r)
			if first := list[1].At.Before(list[0].At); first != tt.fastFirst {
				t.Errorf("%d slow ones: the fast URL was first: %t, want %t", tt.slow, first, tt.fastFirst)
			}
			if n := w.slow.Load(); n != tt.slow || len(w.slots) > 0 {
				t.Errorf("%d slow ones at the end, want %d; %d slots are held", n, tt.slow, len(w.slots))
			}
		})
	}
}

// Many slow hosts hardly hold up a fast one.
func TestFastBesideSlow(t *testing.T) {
	t.Parallel()
	took := func(slow int) time.Duration {
		var d time.Duration
		synctest.Test(t, func(t *testing.T) {
			c := fake(func(_ context.Context, u locator.URL) (*scheme.Resource, error) {
				if u.Host() != "fast.example" {
					time.Sleep(3 * time.Second)
				}
				return there(u)
			}).client(t)
			var urls []string
			for i := range slow {
				for j := range 5 {
					urls = append(urls, fmt.Sprintf("http://slow%d.example/%d", i, j))
				}
			}
			for i := range 100 {
				urls = append(urls, fmt.Sprintf("http://fast.example/%d", i))
			}
			r := runOf(t, c, urls...)
			w := &Worker{Checker: &Checker{Client: c, Manners: func(string) Manners { return Manners{Interval: 20 * time.Millisecond} }}, Parallel: 16}
			start := time.Now()
			w.Decided = func(r *Result) {
				if at := r.At.Sub(start); strings.Contains(r.URL, "fast") {
					d = max(d, at)
				}
			}
			if err := w.Run(t.Context(), r); err != nil {
				t.Fatal(err)
			}
		})
		return d
	}
	if alone, beside := took(0), took(30); beside > alone*12/10 {
		t.Errorf("%v alone, %v beside slow hosts", alone, beside)
	}
}

// A host that is known to be slow lends its slot at once, not after as long as an unknown one or one
// that was fast.
func TestLendSlow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var last time.Time
		gap := time.Duration(0)
		c := fake(func(_ context.Context, u locator.URL) (*scheme.Resource, error) {
			if u.Host() != "fast.example" {
				time.Sleep(3 * time.Second)
			} else if now := time.Now(); !last.IsZero() {
				gap = max(gap, now.Sub(last))
			}
			if u.Host() == "fast.example" {
				last = time.Now()
			}
			return there(u)
		}).client(t)
		var urls []string
		for i := range 20 {
			urls = append(urls, fmt.Sprintf("http://fast.example/%d", i))
		}
		for i := range 6 {
			urls = append(urls, fmt.Sprintf("http://slow%d.example/%d", i%2, i))
		}
		w := &Worker{Parallel: 2, Checker: &Checker{Client: c, Manners: func(string) Manners { return Manners{PerHost: 1, Interval: 500 * time.Millisecond} }}}
		if err := w.Run(t.Context(), runOf(t, c, urls...)); err != nil {
			t.Fatal(err)
		}
		if most := 500*time.Millisecond + lendUnknown; gap > most {
			t.Errorf("%v between two requests to the fast host, want at most %v", gap, most)
		}
	})
}

// The body of a page is kept only for the links in it. A URL that is to be followed reads the page
// again if it is not.
func TestPageBody(t *testing.T) {
	t.Parallel()
	asked := 0
	c := &Checker{Fragments: true, Scope: Scope{"http://a.example/"}}
	c.Client = fake(func(_ context.Context, u locator.URL) (*scheme.Resource, error) {
		asked++
		return &scheme.Resource{URL: u, Kind: scheme.KindObject, Attr: scheme.Attr{Type: "text/html"}, Body: io.NopCloser(strings.NewReader(`<p id="a"><p id="b"><a href="more">More</a>`))}, nil
	}).client(t)
	m := &machine{rules: c.newRules()}
	for _, tt := range []struct {
		task  Task
		kept  bool
		found int
		asked int
	}{
		{Task{URL: "http://a.example/1#a"}, false, 0, 1}, {Task{URL: "http://a.example/1#b", Depth: 1}, false, 1, 1},
		{Task{URL: "http://a.example/2#a", Depth: 1}, true, 1, 1}, {Task{URL: "http://a.example/2#b"}, true, 0, 0},
	} {
		asked = 0
		a := c.attempt(t.Context(), tt.task, m, nil)
		p, ok := c.pages.peek(c.pageKey(tt.task, locator.Current.MustParse(tt.task.URL)))
		if !ok || p.body != nil != tt.kept || len(a.found) != tt.found || asked != tt.asked {
			t.Errorf("%s: known %t, body %q, %d links, %d requests; want %+v", tt.task.URL, ok, p.body, len(a.found), asked, tt)
		}
	}
}

// The outcome of a request that takes longer than a bucket is held is used in a later turn, and one
// without an end is given up.
func TestLongRequest(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		takes   time.Duration
		verdict Verdict
		why     Why
		least   time.Duration
		most    time.Duration
	}{
		{"two turns", 40 * time.Second, OK, "", 40 * time.Second, 42 * time.Second},
		{"no end", time.Hour, Unsure, WhyTime, maxFlight, maxFlight + 2*time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			var asked atomic.Int64
			c := fake(func(ctx context.Context, u locator.URL) (*scheme.Resource, error) {
				asked.Add(1)
				select {
				case <-time.After(tt.takes):
					return there(u)
				case <-ctx.Done():
					return nil, ctx.Err()
				}
			}).client(t)
			r := runOf(t, c, "http://a.example/")
			w := &Worker{Checker: &Checker{Client: c, RetryAfter: -1}}
			begun := time.Now()
			if err := w.Run(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			res := resultsOf(t, r)[0]
			if took := time.Since(begun); res.Verdict != tt.verdict || res.Why != tt.why || took < tt.least || took > tt.most || asked.Load() != 1 {
				t.Errorf("%s: %s %s (%s) after %v and %d requests", tt.name, res.Verdict, res.Why, res.Note, took, asked.Load())
			}
			if len(w.flights) > 0 {
				t.Errorf("%s: %d requests are remembered", tt.name, len(w.flights))
			}
		})
	}
}

// The outcomes of requests that nobody takes are forgotten.
func TestForgetFlights(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &Checker{Client: fake(func(_ context.Context, u locator.URL) (*scheme.Resource, error) { return there(u) }).client(t)}
		w := &Worker{Checker: c}
		w.init()
		q := &queue{name: "a.example"}
		m := w.machines.of(q.name, c)
		for i := range int64(8 * manyKept) {
			if i%manyKept == 0 {
				time.Sleep(forgetAfter)
			}
			w.slots <- struct{}{}
			m.active++
			<-w.launch(t.Context(), c, q, m, flightKey{1, i}, Task{URL: "http://a.example/"}, nil).ended
		}
		if n := len(w.flights); n > 3*manyKept {
			t.Errorf("%d requests are kept", n)
		}
		if w.take(flightKey{1, 8*manyKept - 1}) == nil {
			t.Error("the last request is forgotten")
		}
	})
}

// The interval of a host is also kept between the requests for one URL: those for names that cannot
// exist, and those for the links of a page.
func TestIntervalWithin(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		content  bool
		requests int
		verdict  Verdict // of two URLs
	}{{true, 7, Broken}, {false, 6, OK}} {
		synctest.Test(t, func(t *testing.T) {
			const interval = 300 * time.Millisecond
			var at []time.Time
			c := fake(func(_ context.Context, u locator.URL) (*scheme.Resource, error) {
				at = append(at, time.Now())
				text := "Nothing of this name was found here, we are sorry."
				if path, _ := u.Path(); path == "" {
					text = `This is the front page, with <a href="a">links</a> to <a href="b">others</a> of this site.`
				}
				return &scheme.Resource{URL: u, Kind: scheme.KindObject, Attr: scheme.Attr{Type: "text/html"}, Body: io.NopCloser(strings.NewReader(text))}, nil
			}).client(t)
			r, err := NewMemory(nil).Begin(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			l := NewLink(c, locator.Current.Parse, "http://a.example/", Place{}, false)
			l.Depth = 2
			if _, err := r.Add(t.Context(), []Link{l}); err != nil {
				t.Fatal(err)
			}
			if err := r.Seal(t.Context()); err != nil {
				t.Fatal(err)
			}
			w := &Worker{Checker: &Checker{
				Client: c, Content: tt.content, RetryAfter: -1, Scope: Scope{"http://a.example/"},
				Manners: func(string) Manners { return Manners{PerHost: 2, Interval: interval} },
			}}
			if err := w.Run(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			if info, err := r.Info(t.Context()); err != nil || info.Verdicts[tt.verdict] < 2 {
				t.Errorf("%v, %v; want two URLs that are %s", info.Verdicts, err, tt.verdict)
			}
			if len(at) != tt.requests {
				t.Errorf("%d requests, want %d", len(at), tt.requests)
			}
			for i := 1; i < len(at); i++ {
				if d := at[i].Sub(at[i-1]); d < interval {
					t.Errorf("request %d came %v after the one before, want %v", i+1, d, interval)
				}
			}
		})
	}
}

// A page is read once for all its fragments, and once more for those that it does not have.
func TestFragmentsOfOnePage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		asked := make(map[string]int)
		var mu sync.Mutex
		c := fake(func(_ context.Context, u locator.URL) (*scheme.Resource, error) {
			mu.Lock()
			defer mu.Unlock()
			path, _ := u.Path()
			asked[path]++
			if path == "limited" && asked[path] == 1 {
				return nil, scheme.Fail(scheme.CodeLimited, "slow down")
			}
			if path == "gone" {
				return nil, scheme.Fail(scheme.CodeNotFound, "not found")
			}
			text := `<p id="a">` + strings.Repeat("A text. ", 100) + `<p id="b"><a href="more">More</a>`
			return &scheme.Resource{URL: u, Kind: scheme.KindObject, Attr: scheme.Attr{Type: "text/html"}, Body: io.NopCloser(strings.NewReader(text))}, nil
		}).client(t)
		r, err := NewMemory(nil).Begin(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var links []Link
		for _, name := range []string{"fine#a", "fine#b", "limited#a", "limited#b", "lacks#a", "lacks#c", "lacks#d", "gone#a", "gone#b"} {
			l := NewLink(c, locator.Current.Parse, "http://a.example/"+name, Place{}, true)
			l.Depth = 1
			links = append(links, l)
		}
		if _, err := r.Add(t.Context(), links); err != nil {
			t.Fatal(err)
		}
		if err := r.Seal(t.Context()); err != nil {
			t.Fatal(err)
		}
		w := &Worker{Checker: &Checker{Client: c, Fragments: true, Scope: Scope{"http://a.example/"}}}
		if err := w.Run(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, res := range resultsOf(t, r) {
			got = append(got, string(res.Verdict))
		}
		if got := strings.Join(got, " "); got != "ok ok ok ok ok unsure unsure broken broken ok" {
			t.Errorf("verdicts %s", got)
		}
		if want := map[string]int{"fine": 1, "limited": 2, "lacks": 2, "gone": 2, "more": 1}; !maps.Equal(asked, want) {
			t.Errorf("requests %v, want %v", asked, want)
		}
	})
}

// The fragments of a page that was read take neither a request nor the pause before one, and its
// links are followed once.
func TestManyFragments(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const many = 200
		asked, found := 0, 0
		c := &Checker{Fragments: true, Scope: Scope{"http://a.example/"}, Manners: func(string) Manners { return Manners{Interval: time.Second} }}
		c.Client = fake(func(_ context.Context, u locator.URL) (*scheme.Resource, error) {
			asked++
			text := "<p>A text."
			if path, _ := u.Path(); path == "page" {
				text += `<a href="more">More</a>`
				for i := range many {
					text += fmt.Sprintf("<p id=%d>", i)
				}
			}
			return &scheme.Resource{URL: u, Kind: scheme.KindObject, Attr: scheme.Attr{Type: "text/html"}, Body: io.NopCloser(strings.NewReader(text))}, nil
		}).client(t)
		r, err := NewMemory(nil).Begin(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range many {
			l := NewLink(c.Client, locator.Current.Parse, fmt.Sprintf("http://a.example/page#%d", i), Place{}, true)
			l.Depth = 1
			if _, err := r.Add(t.Context(), []Link{l}); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.Seal(t.Context()); err != nil {
			t.Fatal(err)
		}
		c.Excluded = func(text string) bool { found++; return false }
		begun := time.Now()
		if err := (&Worker{Checker: c}).Run(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if info, err := r.Info(t.Context()); err != nil || info.Verdicts[OK] != many+1 {
			t.Errorf("%v, error %v", info.Verdicts, err)
		}
		if took := time.Since(begun); took > 5*time.Second || asked != 2 || found != 1 {
			t.Errorf("%d requests in %v, %d links found; want 2, at most 5s and 1", asked, took, found)
		}
	})
}

// Pauses that are longer than MaxWait are not those that a server asks for: they are waited for, and
// their bucket rests meanwhile.
func TestLongInterval(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var asked []time.Time
		c := &Checker{}
		c.Client = fake(func(_ context.Context, u locator.URL) (*scheme.Resource, error) {
			asked = append(asked, time.Now())
			return &scheme.Resource{URL: u, Kind: scheme.KindObject}, nil
		}).client(t)
		holds := 0
		c.Manners = func(host string) Manners {
			if holds++; host == "a.example" {
				return Manners{Interval: 2 * MaxWait}
			}
			return Manners{Interval: time.Minute}
		}
		r, err := NewMemory(nil).Begin(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var links []Link
		for _, text := range []string{"http://a.example/1", "http://a.example/2", "http://a.example/3", "http://b.example/1", "http://b.example/2"} {
			links = append(links, NewLink(c.Client, locator.Current.Parse, text, Place{}, true))
		}
		if _, err := r.Add(t.Context(), links); err != nil {
			t.Fatal(err)
		}
		if err := r.Seal(t.Context()); err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		if err := (&Worker{Checker: c}).Run(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if info, err := r.Info(t.Context()); err != nil || info.Verdicts[OK] != 5 {
			t.Errorf("%v, error %v", info.Verdicts, err)
		}
		if took := time.Since(begun); took < 4*MaxWait || took > 5*MaxWait || len(asked) != 5 || holds > 100 {
			t.Errorf("%d requests in %v, limits of %d hosts; want 5 in 20 minutes", len(asked), took, holds)
		}
	})
}

// A worker that helps judges a run by the settings that it keeps. It skips local files, which may be
// those of another machine, and reads a page once for fragments of several turns.
func TestHelps(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var asked []time.Time
		c := fake(func(_ context.Context, u locator.URL) (*scheme.Resource, error) {
			asked = append(asked, time.Now())
			return &scheme.Resource{URL: u, Kind: scheme.KindObject, Attr: scheme.Attr{Type: "text/html"}, Body: io.NopCloser(strings.NewReader(`<p id="a"><p id="b">`))}, nil
		}).client(t)
		s := NewMemory(nil)
		r, err := s.Begin(t.Context(), []byte(`{"fragments":true,"interval":10000000000,"no_robots":true}`))
		if err != nil {
			t.Fatal(err)
		}
		var links []Link
		for _, text := range []string{"http://a.example/#a", "http://a.example/#b", "http://a.example/other"} {
			links = append(links, NewLink(c, locator.Current.Parse, text, Place{}, true))
		}
		links = append(links, Link{Key: "f", URL: "file:///etc/none"})
		if _, err := r.Add(t.Context(), links); err != nil {
			t.Fatal(err)
		}
		if err := r.Seal(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 55*time.Second)
		defer cancel()
		w := &Worker{Checker: &Checker{Client: c}, Helps: true}
		if err := w.Work(ctx, s); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, res := range resultsOf(t, r) {
			got = append(got, string(res.Verdict))
		}
		if got := strings.Join(got, " "); got != "ok ok ok skipped" {
			t.Errorf("verdicts %s", got)
		}
		if len(asked) != 2 || asked[1].Sub(asked[0]) < 10*time.Second {
			t.Errorf("requests at %v, want one for both fragments, and one 10 seconds later", asked)
		}
	})
}

// A worker that helps with two runs asks a host for each as its own settings say.
func TestHelpsTwoRuns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var at []time.Time
		c := fake(func(_ context.Context, u locator.URL) (*scheme.Resource, error) {
			at = append(at, time.Now())
			return there(u)
		}).client(t)
		s := NewMemory(nil)
		for _, interval := range []time.Duration{time.Second, 5 * time.Second} {
			r, err := s.Begin(t.Context(), fmt.Appendf(nil, `{"interval":%d,"no_robots":true}`, interval))
			if err != nil {
				t.Fatal(err)
			}
			for i := range 3 {
				if _, err := r.Add(t.Context(), []Link{NewLink(c, locator.Current.Parse, fmt.Sprintf("http://a.example/%d", i), Place{}, false)}); err != nil {
					t.Fatal(err)
				}
			}
			if err := r.Seal(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := (&Worker{Checker: &Checker{Client: c}, Helps: true}).Work(ctx, s); err != nil {
			t.Fatal(err)
		}
		if len(at) != 6 || at[2].Sub(at[0]) > 4*time.Second || at[5].Sub(at[3]) < 10*time.Second {
			t.Errorf("requests at %v", at)
		}
	})
}
