package storetest

import (
	"cmp"
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

// hosts tests that the state of a host is kept, and that its bucket waits until its next time.
func hosts(t *testing.T, s check.Store) {
	r := begin(t, s, Links(2, 1))
	seal(t, r)
	var next time.Time
	answered := []string{"x://host0.example", "x://host0.example:81"}
	finish(t, r, func(ctx context.Context, b check.Bucket) error {
		if info := b.Run(); info.Number != 1 || string(info.Settings) != `{"a":1}` {
			t.Errorf("the bucket is of run %+v", info)
		}
		hosts, err := b.Hosts(ctx)
		if err != nil || len(hosts) != 1 {
			return cmp.Or(err, fmt.Errorf("hosts: %v", hosts))
		}
		h := hosts[0]
		if !next.IsZero() {
			if time.Now().Before(next.Add(-2 * time.Millisecond)) {
				t.Errorf("the bucket came %v too early", time.Until(next))
			}
			if h.Next.Sub(next).Abs() > 2*time.Millisecond || !h.Asked || !slices.Equal(h.Answered, answered) {
				t.Errorf("the host is %+v, want next %v, answered %q", h, next, answered)
			}
		}
		tasks, err := b.Tasks(ctx, h.Name, 1)
		if err != nil || len(tasks) != 1 {
			return cmp.Or(err, fmt.Errorf("tasks: %v", tasks))
		}
		first := next.IsZero()
		next = time.Now().Add(400 * time.Millisecond)
		h.Next, h.Asked, h.Answered = next, true, answered
		if first { // without a result
			return b.Commit(ctx, nil, []check.Host{h})
		}
		return b.Commit(ctx, []check.Done{{Task: tasks[0], Result: &check.Result{URL: tasks[0].URL, Verdict: check.OK}}}, []check.Host{h})
	})
}

// found tests that URLs that a commit adds are checked as well.
func found(t *testing.T, s check.Store) {
	r := begin(t, s, Links(1, 1))
	seal(t, r)
	var mu sync.Mutex
	n := 0
	finish(t, r, func(ctx context.Context, b check.Bucket) error {
		hosts, err := b.Hosts(ctx)
		if err != nil {
			return err
		}
		for _, h := range hosts {
			tasks, err := b.Tasks(ctx, h.Name, 10)
			if err != nil {
				return err
			}
			for _, task := range tasks {
				d := check.Done{Task: task, Result: &check.Result{URL: task.URL, Verdict: check.OK}}
				mu.Lock()
				if n++; n <= 30 {
					d.Found = []check.Link{{Key: fmt.Sprint("x://f", n, "/"), URL: fmt.Sprint("x://f", n, "/"), Host: fmt.Sprint("f", n)}, Links(1, 1)[0]}
				}
				mu.Unlock()
				if err := b.Commit(ctx, []check.Done{d}, nil); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if list := results(t, r); len(list) != 31 {
		t.Errorf("%d results, want 31", len(list))
	}
}

// late tests that a bucket that was given out again cannot be committed to, and that a task is not
// changed once it is decided.
func late(t *testing.T, s check.Store) {
	r := begin(t, s, Links(3, 1))
	seal(t, r)
	var old check.Bucket
	var tasks []check.Task
	finish(t, r, func(ctx context.Context, b check.Bucket) (err error) {
		if old == nil {
			old = b
			tasks, err = b.Tasks(ctx, "host0.example", 3)
			return err
		}
		if err := old.Commit(ctx, []check.Done{{Task: tasks[0], Result: &check.Result{URL: tasks[0].URL, Verdict: check.Broken}}}, nil); !errors.Is(err, check.ErrLate) {
			t.Errorf("Commit of a bucket that was given out again: %v", err)
		}
		now, err := b.Tasks(ctx, "host0.example", 3)
		if err != nil || len(now) != 3 {
			return cmp.Or(err, fmt.Errorf("tasks: %v", now))
		}
		if twice, err := b.Tasks(ctx, "host0.example", 3); err != nil || len(twice) != 0 {
			t.Errorf("tasks that are out: %v, %v", twice, err)
		}
		for _, verdict := range []check.Verdict{check.OK, check.Broken} {
			for _, task := range now {
				if err := b.Commit(ctx, []check.Done{{Task: task, Result: &check.Result{URL: task.URL, Verdict: verdict}}}, nil); err != nil {
					return err
				}
			}
		}
		return check.ErrLate // which is not an error of the work
	})
	if info := must[check.RunInfo](t)(r.Info(t.Context())); info.Verdicts[check.OK] != 3 || info.Decided() != 3 {
		t.Errorf("verdicts: %v", info.Verdicts)
	}
}

func history(t *testing.T, s check.Store) {
	since := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for i := range 3 {
		r := begin(t, s, Links(5, 2))
		seal(t, r)
		finish(t, r, func(ctx context.Context, b check.Bucket) error {
			for _, host := range []string{"host0.example", "host1.example"} {
				tasks, err := b.Tasks(ctx, host, 10)
				if err != nil {
					return err
				}
				for _, task := range tasks {
					if (task.Before == nil) != (i == 0) || i > 0 && (task.Before.Fails != i || !task.Before.Since.Equal(since)) {
						t.Errorf("run %d: before %+v", i, task.Before)
					}
					d := check.Done{Task: task, Result: &check.Result{URL: task.URL, Verdict: check.Failing, Memory: &check.Memory{Verdict: check.Failing, Fails: i + 1, Since: since}}}
					if err := b.Commit(ctx, []check.Done{d}, nil); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if i == 1 {
			if err := s.Drop(t.Context(), 2); err != nil {
				t.Error(err)
			}
		}
	}
}

// addWhileWorking adds URLs at the moment when buckets end.
func addWhileWorking(t *testing.T, s check.Store) {
	const n = 300
	r := begin(t, s, nil)
	links := Links(n, 1)
	var seen sync.Map
	finished := make(chan struct{})
	do := Decide(&seen, check.OK)
	var g sync.WaitGroup
	g.Go(func() {
		defer close(finished)
		finish(t, r, do)
	})
	for i := range n {
		if _, err := r.Add(t.Context(), links[i:i+1]); err != nil {
			t.Error(err)
		}
	}
	seal(t, r)
	g.Wait()
	once(t, &seen, links)
}

func drop(t *testing.T, s check.Store) {
	var seen sync.Map
	for range 3 {
		r := begin(t, s, Links(10, 3))
		seal(t, r)
		finish(t, r, Decide(&seen, check.OK))
	}
	if err := s.Drop(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	if err := s.Drop(t.Context(), 2); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a second Drop: %v", err)
	}
	var numbers []int64
	for _, info := range must[[]check.RunInfo](t)(s.Runs(t.Context())) {
		numbers = append(numbers, info.Number)
	}
	if !slices.Equal(numbers, []int64{1, 3}) {
		t.Errorf("runs %v, want 1 and 3", numbers)
	}
	if info := must[check.RunInfo](t)(must[check.Run](t)(s.Open(t.Context(), 0)).Info(t.Context())); info.Number != 3 {
		t.Errorf("the last run is %d, want 3", info.Number)
	}
}

func progress(t *testing.T, s check.Store) {
	var links []check.Link
	for i := range 15 {
		for j := range i + 1 {
			url := fmt.Sprintf("x://h%02d/%d", i, j)
			links = append(links, check.Link{Key: url, URL: url, Host: fmt.Sprintf("h%02d", i), Done: &check.Result{URL: url, Verdict: check.Broken}})
		}
	}
	r := begin(t, s, append(links, Links(4, 2)...))
	p := must[check.Progress](t)(r.Progress(t.Context()))
	if p.Hosts != 2 || p.Open != 4 || p.Verdicts[check.Broken] != 120 || len(p.Worst) != check.MaxWorst || p.Worst[0] != (check.HostCount{Host: "h14", Failed: 15}) || p.Worst[9].Host != "h05" {
		t.Errorf("progress: %+v", p)
	}
}

// stop tests that Work returns nil when the context ends, and that the run goes on later.
func stop(t *testing.T, s check.Store) {
	r := begin(t, s, Links(20, 1))
	seal(t, r)
	ctx, cancel := context.WithCancel(t.Context())
	var seen sync.Map
	n := 0
	err := r.Work(ctx, 2, func(ctx context.Context, b check.Bucket) error {
		if n++; n == 2 {
			cancel()
			<-ctx.Done()
			return ctx.Err()
		}
		tasks, err := b.Tasks(ctx, "host0.example", 5)
		if err != nil {
			return err
		}
		for _, task := range tasks {
			seen.Store(task.Key, count(1))
			if err := b.Commit(ctx, []check.Done{{Task: task, Result: &check.Result{URL: task.URL, Verdict: check.OK}}}, nil); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatalf("Work with a context that ended: %v", err)
	}
	if info := must[check.RunInfo](t)(r.Info(t.Context())); info.Open != 15 || !info.Ended.IsZero() {
		t.Errorf("info after the stop: %+v", info)
	}
	ctx, cancel = context.WithTimeout(t.Context(), Time)
	defer cancel()
	var g sync.WaitGroup
	g.Go(func() {
		defer cancel()
		for ctx.Err() == nil {
			if info, err := r.Info(ctx); err == nil && info.Open == 0 {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
	})
	if err := s.Work(ctx, 2, Decide(&seen, check.OK)); err != nil {
		t.Errorf("Work of the store: %v", err)
	}
	g.Wait()
	once(t, &seen, Links(20, 1))
}

func fails(t *testing.T, s check.Store) {
	r := begin(t, s, Links(2, 1))
	want := errors.New("the disk is gone")
	if err := r.Work(t.Context(), 2, func(context.Context, check.Bucket) error { return want }); !errors.Is(err, want) {
		t.Errorf("Work returned %v, want %v", err, want)
	}
}

// bytes tests that URLs and names that are not text are kept as they are.
func bytes(t *testing.T, s check.Store) {
	url := "x://a/\xff\x00\xc3\x28" + string(make([]byte, 4000)) + "end"
	r := begin(t, s, []check.Link{
		{Key: url + "key", URL: url, Host: "\xffhost\x00", Place: check.Place{File: "\xfe\x00", Line: 1}},
		{Key: "empty", URL: "empty", Depth: 3},
	})
	seal(t, r)
	var mu sync.Mutex
	var got []check.Task
	finish(t, r, func(ctx context.Context, b check.Bucket) error {
		for _, host := range []string{"\xffhost\x00", ""} {
			tasks, err := b.Tasks(ctx, host, 10)
			if err != nil {
				return err
			}
			for _, task := range tasks {
				mu.Lock()
				got = append(got, task)
				mu.Unlock()
				if err := b.Commit(ctx, []check.Done{{Task: task, Result: &check.Result{URL: "x", Verdict: check.OK, Reply: "\x00"}}}, nil); err != nil {
					return err
				}
			}
		}
		return nil
	})
	slices.SortFunc(got, func(a, b check.Task) int { return cmp.Compare(a.ID, b.ID) })
	if len(got) != 2 || got[0].URL != url || got[0].Key != url+"key" || got[0].Host != "\xffhost\x00" || got[1].Host != "" || got[1].Depth != 3 {
		t.Errorf("tasks: %.200q", fmt.Sprint(got))
	}
	if p := results(t, r)[0].Sources[0]; p != (check.Place{File: "\xfe\x00", Line: 1}) {
		t.Errorf("place: %+v", p)
	}
}
