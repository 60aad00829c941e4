package storetest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"
	"testing"
	"time"

	"locator/check"
)

func empty(t *testing.T, s check.Store) {
	if _, err := s.Open(t.Context(), 0); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Open of a store without runs: %v", err)
	}
	if list := must[[]check.RunInfo](t)(s.Runs(t.Context())); len(list) != 0 {
		t.Errorf("Runs of a store without runs: %v", list)
	}
	r := begin(t, s, nil)
	seal(t, r)
	finish(t, r, func(context.Context, check.Bucket) error { return errors.New("do was called for an empty run") })
	must[int](t)(r.Add(t.Context(), Links(1, 1)))
	if info := must[check.RunInfo](t)(r.Info(t.Context())); info.Open != 1 || !info.Ended.IsZero() {
		t.Errorf("a run with a URL that was added after its end: %+v", info)
	}
	finish(t, r, Decide(new(sync.Map), check.OK))
	if _, err := s.Open(t.Context(), 7); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Open of a run that is not there: %v", err)
	}
}

func add(t *testing.T, s check.Store) {
	r := begin(t, s, Links(3000, 70))
	if n := must[int](t)(r.Add(t.Context(), Links(3100, 70))); n != 100 {
		t.Errorf("a second Add: %d URLs were new, want 100", n)
	}
	if n := must[int](t)(r.Add(t.Context(), slices.Repeat(Links(3101, 70)[3100:], 3))); n != 1 {
		t.Errorf("Add of a URL three times: %d were new, want 1", n)
	}
	info := must[check.RunInfo](t)(r.Info(t.Context()))
	if info.Number != 1 || info.Open != 3101 || info.Decided() != 0 || info.Sealed || string(info.Settings) != `{"a":1}` || time.Since(info.Begun) > time.Hour {
		t.Errorf("info: %+v", info)
	}
	again := must[check.Run](t)(s.Open(t.Context(), 0))
	if info := must[check.RunInfo](t)(again.Info(t.Context())); info.Number != 1 || info.Open != 3101 {
		t.Errorf("info of the run that was opened: %+v", info)
	}
}

func done(t *testing.T, s check.Store) {
	links := Links(200, 3)
	for i := range links {
		if i%2 == 0 {
			links[i].Done = &check.Result{URL: links[i].URL, Verdict: check.Skipped, Why: check.WhyExcluded}
		}
	}
	r := begin(t, s, links)
	seal(t, r)
	var seen sync.Map
	finish(t, r, Decide(&seen, check.OK))
	info := must[check.RunInfo](t)(r.Info(t.Context()))
	if info.Verdicts[check.Skipped] != 100 || info.Verdicts[check.OK] != 100 {
		t.Errorf("verdicts: %v", info.Verdicts)
	}
	for i, res := range results(t, r) {
		if res.URL != links[i].URL || (res.Verdict == check.Skipped) != (i%2 == 0) {
			t.Fatalf("result %d: %+v", i, res)
		}
	}
}

func places(t *testing.T, s check.Store) {
	url := check.Link{Key: "x://a/", URL: "x://a/", Host: "a"}
	var links []check.Link
	for i := range check.MaxPlaces + 50 {
		l := url
		l.Place = check.Place{File: fmt.Sprint("file", i%50), Line: 1 + i/50, Column: 2}
		links = append(links, l)
	}
	r := begin(t, s, []check.Link{url})
	for range 2 {
		if n := must[int](t)(r.Add(t.Context(), links)); n != 0 {
			t.Errorf("%d URLs were new, want none", n)
		}
	}
	seal(t, r)
	var seen sync.Map
	finish(t, r, Decide(&seen, check.OK))
	list := results(t, r)
	if len(list) != 1 || len(list[0].Sources) != check.MaxPlaces {
		t.Fatalf("%d results, the first with %d places", len(list), len(list[0].Sources))
	}
	if p := list[0].Sources[0]; p != links[0].Place {
		t.Errorf("the first place is %+v, want %+v", p, links[0].Place)
	}
	for i, p := range list[0].Sources {
		if slices.Contains(list[0].Sources[:min(i, 100)], p) {
			t.Fatalf("place %+v is there twice", p)
		}
	}
}

func work(t *testing.T, s check.Store) {
	links := Links(2000, 90)
	r := begin(t, s, links)
	seal(t, r)
	var seen sync.Map
	finish(t, r, Decide(&seen, check.OK))
	once(t, &seen, links)
	for i, res := range results(t, r) {
		if res.URL != links[i].URL || !slices.Equal(res.Sources, []check.Place{links[i].Place}) {
			t.Fatalf("result %d is %+v, want that of %s", i, res, links[i].URL)
		}
	}
	if list := must[[]check.RunInfo](t)(s.Runs(t.Context())); len(list) != 1 || list[0].Verdicts[check.OK] != 2000 || list[0].Ended.IsZero() {
		t.Errorf("runs: %+v", list)
	}
}

// once fails the test if a link was not decided exactly once.
func once(t *testing.T, seen *sync.Map, links []check.Link) {
	t.Helper()
	for _, l := range links {
		if n, ok := seen.Load(l.Key); !ok || *n.(*int64) != 1 {
			t.Fatalf("%s was not decided once", l.Key)
		}
	}
}

// again tests that a URL that was put off comes again when it is due.
func again(t *testing.T, s check.Store) {
	r := begin(t, s, Links(5, 1))
	seal(t, r)
	var mu sync.Mutex
	at := make(map[int64]time.Time)
	seen := make(map[int64]int)
	finish(t, r, func(ctx context.Context, b check.Bucket) error {
		mu.Lock()
		defer mu.Unlock()
		tasks, err := b.Tasks(ctx, "host0.example", 10)
		if err != nil {
			return err
		}
		var list []check.Done
		for _, task := range tasks {
			seen[task.ID]++
			if first := task.URL == Links(1, 1)[0].URL; task.Attempts == 0 && task.PutOff != (first && seen[task.ID] == 2) {
				t.Errorf("%s, time %d: put off %t", task.URL, seen[task.ID], task.PutOff)
			}
			if counts := seen[task.ID] > 1 || task.URL != Links(1, 1)[0].URL; task.Attempts < 2 {
				at[task.ID] = time.Now().Add(300 * time.Millisecond)
				task.PutOff = !counts
				list = append(list, check.Done{Task: task, Again: at[task.ID], Counts: counts})
				continue
			}
			if time.Now().Before(at[task.ID]) {
				t.Errorf("task %d came too early", task.ID)
			}
			list = append(list, check.Done{Task: task, Result: &check.Result{URL: task.URL, Verdict: check.Broken, Attempts: task.Attempts + 1}})
		}
		return b.Commit(ctx, list, nil)
	})
	for _, res := range results(t, r) {
		if res.Attempts != 3 {
			t.Errorf("%d attempts, want 3", res.Attempts)
		}
	}
	total := 0
	for _, n := range seen {
		total += n
	}
	if total != 5*3+1 {
		t.Errorf("the tasks came %d times, want 3 for each, and one for an attempt that does not count", total)
	}
}

// order tests that tasks come in the order in which they were added, those that failed last.
func order(t *testing.T, s check.Store) {
	r := begin(t, s, Links(6, 1))
	seal(t, r)
	var urls []string
	finish(t, r, func(ctx context.Context, b check.Bucket) error {
		for {
			tasks, err := b.Tasks(ctx, "host0.example", 2)
			if err != nil || len(tasks) == 0 {
				return err
			}
			for _, task := range tasks {
				d := check.Done{Task: task, Result: &check.Result{URL: task.URL, Verdict: check.OK}}
				if task.Attempts == 0 && (task.URL == "x://host0.example/0" || task.URL == "x://host0.example/3") {
					d = check.Done{Task: task, Again: time.Now().Add(-time.Second), Counts: true}
				} else {
					urls = append(urls, task.URL[len(task.URL)-1:])
				}
				if err := b.Commit(ctx, []check.Done{d}, nil); err != nil {
					return err
				}
			}
		}
	})
	if got := fmt.Sprint(urls); got != "[1 2 4 5 0 3]" && got != "[1 2 4 5 3 0]" {
		t.Errorf("the order was %s", got)
	}
}
