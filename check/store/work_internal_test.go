//go:build !386 && !arm && !mips && !mipsle

package store

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"locator/check"
)

// tardy is a database in which some buckets cannot be returned in time.
type tardy struct {
	database
	left atomic.Int64 // how many
}

func (d *tardy) update(ctx context.Context, do func(querier) error) error {
	if end, ok := ctx.Deadline(); ok && time.Until(end) <= endTime && d.left.Add(-1) >= 0 {
		return context.DeadlineExceeded
	}
	return d.database.update(ctx, do)
}

// A bucket that is not returned in time does not end the work.
func TestReturnLate(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), Options{Folder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	d := &tardy{database: s.(*store).db}
	d.left.Store(2)
	s.(*store).db = d
	r, err := s.Begin(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var links []check.Link
	for _, host := range []string{"a.example", "b.example", "c.example"} {
		for _, path := range []string{"/x", "/y"} {
			links = append(links, check.Link{Key: "http://" + host + path, URL: "http://" + host + path, Host: host})
		}
	}
	if _, err := r.Add(t.Context(), links); err != nil {
		t.Fatal(err)
	}
	if err := r.Seal(t.Context()); err != nil {
		t.Fatal(err)
	}
	err = r.Work(t.Context(), 8, func(ctx context.Context, b check.Bucket) error { // decides one URL of each host
		hosts, err := b.Hosts(ctx)
		if err != nil {
			return err
		}
		var done []check.Done
		for _, h := range hosts {
			tasks, err := b.Tasks(ctx, h.Name, 1)
			if err != nil {
				return err
			}
			for _, x := range tasks {
				done = append(done, check.Done{Task: x, Result: &check.Result{URL: x.URL, Verdict: check.OK, Memory: &check.Memory{}}})
			}
		}
		return b.Commit(ctx, done, nil)
	})
	if err != nil {
		t.Fatal(err)
	}
	if info, err := r.Info(t.Context()); err != nil || info.Verdicts[check.OK] != int64(len(links)) || d.left.Load() > 0 {
		t.Errorf("%+v, error %v, %d left", info, err, d.left.Load())
	}
}
