//go:build !race && !386 && !arm && !mips && !mipsle

package store_test

import (
	"context"
	"crypto/rand"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"locator/check"
	"locator/check/store"
	"locator/check/store/storetest"
	"locator/internal/peers"
)

// newDatabase creates a database for a test, and returns its URL.
func newDatabase(t *testing.T, e *peers.Env) string {
	t.Helper()
	server := "postgres://" + e.User + ":" + e.Password + "@" + e.Addr(t, "postgres") + "/"
	conn, err := pgx.Connect(t.Context(), server+"postgres")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	name := "test" + strings.ToLower(rand.Text())
	if _, err := conn.Exec(t.Context(), "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	return server + name
}

func TestPostgres(t *testing.T) {
	t.Parallel()
	e := peers.Start(t, "postgres")
	storetest.Run(t, func(t *testing.T) check.Store {
		return open(t, store.Options{URL: newDatabase(t, e), Name: "suite"})
	})
}

func TestPostgresNewer(t *testing.T) {
	t.Parallel()
	e := peers.Start(t, "postgres")
	url := newDatabase(t, e)
	open(t, store.Options{URL: url}).Close()
	execute(t, url, "UPDATE locator_check.schema_version SET version = 99")
	_, err := store.Open(t.Context(), store.Options{URL: url})
	local(t, err, "newer version")
}

func TestPostgresOlder(t *testing.T) {
	t.Parallel()
	e := peers.Start(t, "postgres")
	url := newDatabase(t, e)
	older(t, store.Options{URL: url}, func(statements string) { execute(t, url, "SET search_path = locator_check; "+statements) })
}

func execute(t *testing.T, url, statement string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

// TestPostgresUnreachable opens a database that is not there. The password is in no error.
func TestPostgresUnreachable(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"postgres://alice:hidden@127.0.0.1:1/test", "postgres://alice:hidden@[::1/test", "postgres://alice:hid den@127.0.0.1:x/test"} {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		_, err := store.Open(ctx, store.Options{URL: url})
		cancel()
		if err == nil || strings.Contains(err.Error(), "hid") {
			t.Errorf("%s: %v", url, err)
		}
	}
}

func TestPostgresTakeover(t *testing.T) {
	t.Parallel()
	e := peers.Start(t, "postgres")
	url := newDatabase(t, e)
	one, two := open(t, store.Options{URL: url}), open(t, store.Options{URL: url})
	defer one.Close()
	defer two.Close()
	takeover(t, one, two, func() error {
		execute(t, url, "UPDATE locator_check.river_job SET state = 'available' WHERE state = 'running'")
		return nil
	})
}

// TestPostgresNames tests that histories of two names are apart, and that a store without a name
// works on all.
func TestPostgresNames(t *testing.T) {
	t.Parallel()
	e := peers.Start(t, "postgres")
	url := newDatabase(t, e)
	for _, name := range []string{"one", "two"} {
		s := open(t, store.Options{URL: url, Name: name})
		defer s.Close()
		r, err := s.Begin(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Add(t.Context(), storetest.Links(50, 10)); err != nil {
			t.Fatal(err)
		}
		if err := r.Seal(t.Context()); err != nil {
			t.Fatal(err)
		}
		if list, err := s.Runs(t.Context()); err != nil || len(list) != 1 || list[0].Number != 1 {
			t.Errorf("runs of %s: %+v, %v", name, list, err)
		}
	}
	all := open(t, store.Options{URL: url})
	defer all.Close()
	ctx, cancel := context.WithTimeout(t.Context(), storetest.Time)
	defer cancel()
	var seen sync.Map
	var decided atomic.Int64
	do := storetest.Decide(&seen, check.OK)
	if err := all.Work(ctx, 4, func(ctx context.Context, b check.Bucket) error {
		return do(ctx, counting{b, func(n int) {
			if decided.Add(int64(n)) == 100 {
				cancel()
			}
		}})
	}); err != nil {
		t.Fatal(err)
	}
	if n := decided.Load(); n != 100 {
		t.Errorf("%d URLs were decided, want 100", n)
	}
}

// counting is a bucket that counts results that were committed.
type counting struct {
	check.Bucket
	count func(n int)
}

func (c counting) Commit(ctx context.Context, done []check.Done, hosts []check.Host) error {
	err := c.Bucket.Commit(ctx, done, hosts)
	if err == nil {
		c.count(len(done))
	}
	return err
}

// TestPostgresRestart kills Postgres while two workers and a process that adds URLs are at work. It
// is not parallel: the other tests need Postgres.
func TestPostgresRestart(t *testing.T) {
	e := peers.Own(t, "postgres")
	url := newDatabase(t, e)
	one, two := open(t, store.Options{URL: url, Name: "child"}), open(t, store.Options{URL: url, Name: "child"})
	defer one.Close()
	defer two.Close()
	r, err := one.Begin(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	other, err := two.Open(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), storetest.Time)
	defer cancel()
	tokens := make(chan struct{}, 100) // for commits, so that the run does not end before the last kill
	var g sync.WaitGroup
	for _, r := range []check.Run{r, other} {
		var seen sync.Map
		do := storetest.Decide(&seen, check.OK)
		g.Go(func() {
			if err := r.Work(ctx, 4, func(ctx context.Context, b check.Bucket) error {
				return do(ctx, few{b, tokens})
			}); err != nil {
				t.Error(err)
			}
		})
	}
	g.Go(func() {
		for i, links := 0, storetest.Links(childLinks, childHosts); i < len(links); i += 100 {
			if _, err := r.Add(ctx, links[i:i+100]); err != nil {
				t.Error(err)
			}
		}
		if err := r.Seal(ctx); err != nil {
			t.Error(err)
		}
	})
	for range 3 {
		for range 100 {
			select {
			case tokens <- struct{}{}:
			case <-ctx.Done():
				t.Fatal("the work does not go on")
			}
		}
		e.Kill(t, "postgres")
		e.Restart(t, "postgres")
	}
	close(tokens)
	g.Wait()
	decided(t, one)
}

// few is a bucket that gives out few tasks at once, and takes a token for each commit.
type few struct {
	check.Bucket
	tokens <-chan struct{}
}

func (f few) Tasks(ctx context.Context, host string, n int) ([]check.Task, error) {
	return f.Bucket.Tasks(ctx, host, min(n, 2))
}

func (f few) Commit(ctx context.Context, done []check.Done, hosts []check.Host) error {
	select {
	case <-f.tokens:
		return f.Bucket.Commit(ctx, done, hosts)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// TestPostgresOneConnection works with as few connections as a URL can ask for.
func TestPostgresOneConnection(t *testing.T) {
	t.Parallel()
	e := peers.Start(t, "postgres")
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	s, err := store.Open(ctx, store.Options{URL: newDatabase(t, e) + "?pool_max_conns=1"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r, err := s.Begin(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Add(ctx, storetest.Links(100, 20)); err != nil {
		t.Fatal(err)
	}
	if err := r.Seal(ctx); err != nil {
		t.Fatal(err)
	}
	var seen sync.Map
	if err := r.Work(ctx, 16, storetest.Decide(&seen, check.OK)); err != nil {
		t.Fatal(err)
	}
	if info, err := r.Info(ctx); err != nil || info.Open > 0 || info.Ended.IsZero() {
		t.Errorf("the run is %+v, %v", info, err)
	}
}

// TestPostgresLocked waits for a lock, and not for ever.
func TestPostgresLocked(t *testing.T) {
	t.Parallel()
	e := peers.Start(t, "postgres")
	url := newDatabase(t, e)
	for _, tt := range []struct{ more, limit string }{{"", "30s"}, {"?lock_timeout=200", "200ms"}} {
		s := open(t, store.Options{URL: url + tt.more})
		defer s.Close()
		for name, want := range map[string]string{"lock_timeout": tt.limit, "idle_in_transaction_session_timeout": "1min", "tcp_keepalives_idle": "30", "search_path": "locator_check",
			"enable_seqscan": "off", "enable_hashjoin": "off", "enable_mergejoin": "off", "enable_bitmapscan": "off", "enable_sort": "off", "enable_material": "off",
			"max_parallel_workers_per_gather": "0", "jit": "off", "plan_cache_mode": "force_generic_plan"} {
			if got, err := store.Setting(t.Context(), s, name); err != nil || got != want {
				t.Errorf("%s is %s, %v; want %s", name, got, err, want)
			}
		}
		r, err := s.Begin(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		conn, err := pgx.Connect(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(context.WithoutCancel(t.Context()))
		tx, err := conn.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tx.Exec(t.Context(), "SELECT * FROM locator_check.runs FOR UPDATE"); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Second, func() { _ = tx.Rollback(t.Context()) })
		if err := r.Seal(t.Context()); err != nil {
			t.Error(err)
		}
		timer.Stop()
	}
}
