//go:build !386 && !arm && !mips && !mipsle

package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3/driver"

	"locator"
	"locator/check"
	"locator/check/store"
	"locator/check/store/storetest"
	"locator/client"
	"locator/internal/clock"
	"locator/scheme"
	httpscheme "locator/scheme/http"
)

// local fails the test unless err has the code CodeLocal and contains words.
func local(t *testing.T, err error, words string) {
	t.Helper()
	if e, ok := errors.AsType[*scheme.Error](err); !ok || e.Code != scheme.CodeLocal || !strings.Contains(err.Error(), words) {
		t.Errorf("the error is %v, want one with CodeLocal and %q", err, words)
	}
}

func TestLock(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new", "folder")
	if _, err := store.Open(t.Context(), store.Options{Folder: dir, ReadOnly: true}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("reading a folder that is not there: %v", err)
	}
	s := open(t, store.Options{Folder: dir})
	_, err := store.Open(t.Context(), store.Options{Folder: dir})
	local(t, err, "another process works on the run in "+dir)
	if _, err := s.Begin(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	reader := open(t, store.Options{Folder: dir, ReadOnly: true})
	if list, err := reader.Runs(t.Context()); err != nil || len(list) != 1 {
		t.Errorf("runs seen by a reader: %v, %v", list, err)
	}
	_, err = reader.Begin(t.Context(), nil)
	local(t, err, "reading only")
	local(t, reader.Work(t.Context(), 1, nil), "reading only")
	for _, s := range []check.Store{reader, s} {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := open(t, store.Options{Folder: dir}).Close(); err != nil {
		t.Error(err)
	}
	if runtime.GOOS == "windows" {
		return // it has no such modes
	}
	modes := map[string]fs.FileMode{".": 0o700, "check.db": 0o600, "lock": 0o600}
	for name, want := range modes {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v; want mode %v", name, info.Mode(), err, want)
		}
	}
}

// rawSQLite returns the database of a folder.
func rawSQLite(t *testing.T, dir string) *sql.DB {
	t.Helper()
	db, err := driver.Open("file:" + filepath.ToSlash(filepath.Join(dir, "check.db")))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func TestNewer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	open(t, store.Options{Folder: dir}).Close()
	if _, err := rawSQLite(t, dir).ExecContext(t.Context(), "UPDATE schema_version SET version = 99"); err != nil {
		t.Fatal(err)
	}
	for _, readOnly := range []bool{false, true} {
		_, err := store.Open(t.Context(), store.Options{Folder: dir, ReadOnly: readOnly})
		local(t, err, "newer version")
	}
}

func TestOlder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	older(t, store.Options{Folder: dir}, func(statements string) {
		if _, err := rawSQLite(t, dir).ExecContext(t.Context(), statements); err != nil {
			t.Fatal(err)
		}
		reader := open(t, store.Options{Folder: dir, ReadOnly: true})
		defer reader.Close()
		if runs, err := reader.Runs(t.Context()); err != nil || len(runs) != 1 || runs[0].Open != 4 {
			t.Errorf("runs %+v, %v; want one with four open URLs", runs, err)
		}
	})
}

// older works on a run that an older version of the program has begun. execute executes statements
// in the store.
func older(t *testing.T, opts store.Options, execute func(statements string)) {
	t.Helper()
	links := storetest.Links(4, 2)
	s := open(t, opts)
	r, err := s.Begin(t.Context(), nil)
	if err == nil {
		_, err = r.Add(t.Context(), links)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	execute("ALTER TABLE hosts_1 DROP COLUMN answered; UPDATE schema_version SET version = 1")
	open(t, opts).Close()
	s = open(t, opts) // its tables are new
	defer s.Close()
	var seen sync.Map
	if r, err = s.Open(t.Context(), 0); err == nil {
		err = r.Seal(t.Context())
	}
	if err == nil {
		err = r.Work(t.Context(), 2, storetest.Decide(&seen, check.OK))
	}
	if err != nil {
		t.Fatal(err)
	}
	if info, err := r.Info(t.Context()); err != nil || info.Verdicts[check.OK] != 4 {
		t.Errorf("the run is %+v, %v; want four URLs that are ok", info, err)
	}
}

// TestNoDatabase opens a file that is no database.
func TestNoDatabase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "check.db"), []byte(strings.Repeat("no database\n", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := store.Open(t.Context(), store.Options{Folder: dir})
	local(t, err, "not a database")
}

// TestTakeover gives a bucket that is held to a second worker, as River does with the job of a
// worker that it takes for dead. The first one then comes back.
func TestTakeover(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, store.Options{Folder: dir})
	defer s.Close()
	db := rawSQLite(t, dir)
	takeover(t, s, s, func() error {
		_, err := db.ExecContext(t.Context(), "PRAGMA busy_timeout = 10000; UPDATE river_job SET state = 'available' WHERE state = 'running'")
		return err
	})
}

// takeover works on a run in two stores. rescue makes River give out jobs that are worked on.
func takeover(t *testing.T, one, two check.Store, rescue func() error) {
	t.Helper()
	const hosts = 5
	links := storetest.Links(60, hosts)
	r, err := one.Begin(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Add(t.Context(), links); err != nil {
		t.Fatal(err)
	}
	if err := r.Seal(t.Context()); err != nil {
		t.Fatal(err)
	}
	other, err := two.Open(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	var held, freed sync.WaitGroup
	held.Add(hosts) // each host has a bucket of its own
	freed.Add(1)
	var g sync.WaitGroup
	ctx, cancel := context.WithTimeout(t.Context(), storetest.Time)
	defer cancel()
	var once sync.Map
	g.Go(func() {
		var seen sync.Map
		do := storetest.Decide(&seen, check.Broken)
		err := r.Work(ctx, hosts, func(ctx context.Context, b check.Bucket) error {
			list, err := b.Hosts(ctx)
			if err != nil {
				return err
			}
			if _, again := once.LoadOrStore(list[0].Name, true); again {
				return do(ctx, b)
			}
			tasks, err := b.Tasks(ctx, list[0].Name, 3)
			if err != nil {
				return err
			}
			held.Done()
			freed.Wait()
			var done []check.Done
			for _, task := range tasks {
				done = append(done, check.Done{Task: task, Result: &check.Result{URL: task.URL, Verdict: check.Broken}})
			}
			// The run may have ended meanwhile, and ctx with it.
			if err := b.Commit(context.WithoutCancel(ctx), done, nil); !errors.Is(err, check.ErrLate) {
				t.Errorf("Commit of a bucket that was taken over: %v", err)
			}
			return check.ErrLate
		})
		if err != nil {
			t.Error(err)
		}
	})
	held.Wait()
	if err := rescue(); err != nil {
		t.Fatal(err)
	}
	var seen sync.Map
	if err := other.Work(ctx, hosts, storetest.Decide(&seen, check.OK)); err != nil {
		t.Error(err)
	}
	freed.Done()
	g.Wait()
	info, err := r.Info(t.Context())
	if err != nil || info.Verdicts[check.OK] != int64(len(links)) || info.Decided() != int64(len(links)) || info.Ended.IsZero() {
		t.Errorf("the run is %+v, %v; want %d URLs of the second worker", info, err, len(links))
	}
}

// shifted is a clock that shows another time.
type shifted struct {
	scheme.Clock
	by time.Duration
}

func (c shifted) Now() time.Time { return time.Now().Add(c.by) }

// TestClock opens a run again after the clock was set back by ten hours: it does not wait so long.
func TestClock(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, store.Options{Folder: dir, Clock: shifted{by: 10 * time.Hour}})
	r, err := s.Begin(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	links := storetest.Links(40, 20)
	if _, err := r.Add(t.Context(), links); err != nil {
		t.Fatal(err)
	}
	if err := r.Seal(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), storetest.Time)
	defer cancel()
	working, stop := context.WithCancel(ctx)
	var left sync.WaitGroup
	left.Add(20)
	go func() { left.Wait(); stop() }()
	if err := r.Work(working, 20, func(ctx context.Context, b check.Bucket) error {
		hosts, err := b.Hosts(ctx)
		if err != nil {
			return err
		}
		for _, h := range hosts {
			tasks, err := b.Tasks(ctx, h.Name, 2)
			if err != nil {
				return err
			}
			next := time.Now().Add(11 * time.Hour)
			h.Next = next
			if err := b.Commit(ctx, []check.Done{{Task: tasks[0], Again: next, Counts: true}}, []check.Host{h}); err != nil {
				return err
			}
			left.Done()
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	s.Close()
	s = open(t, store.Options{Folder: dir})
	defer s.Close()
	if r, err = s.Open(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	var seen sync.Map
	start := time.Now()
	if err := r.Work(ctx, 20, storetest.Decide(&seen, check.OK)); err != nil {
		t.Fatal(err)
	}
	if info, err := r.Info(t.Context()); err != nil || info.Open != 0 || time.Since(start) > 20*time.Second {
		t.Errorf("after %v: %+v, %v", time.Since(start), info, err)
	}
}

// TestDropped drops a run while it is worked on.
func TestDropped(t *testing.T) {
	t.Parallel()
	s := open(t, store.Options{Folder: t.TempDir()})
	defer s.Close()
	r, err := s.Begin(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Add(t.Context(), storetest.Links(10, 1)); err != nil {
		t.Fatal(err)
	}
	err = r.Work(t.Context(), 1, func(ctx context.Context, b check.Bucket) error {
		if err := s.Drop(ctx, 1); err != nil {
			t.Error(err)
		}
		_, err := b.Tasks(ctx, "host0.example", 1)
		return err
	})
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Work on a run that was dropped: %v", err)
	}
	if _, err := r.Add(t.Context(), storetest.Links(1, 1)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Add to a run that was dropped: %v", err)
	}
}

// jumpy is a clock that can be set while a run is under way. Timers and, as in a process, the
// times of a Worker do not follow it.
type jumpy struct {
	clock.System
	offset atomic.Int64
}

func (j *jumpy) Now() time.Time { return time.Now().Add(time.Duration(j.offset.Load())) }

// A clock that is set back, or jumps forward, in the middle of a run neither holds it up nor changes
// a verdict.
func TestClockJumps(t *testing.T) {
	t.Parallel()
	for name, jump := range map[string]time.Duration{"back": -time.Hour, "forward": time.Hour} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now := new(jumpy)
			var seen atomic.Int64
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				n := seen.Add(1)
				if n == 30 {
					now.offset.Store(int64(jump))
				}
				switch {
				case strings.HasPrefix(r.URL.Path, "/missing"):
					w.WriteHeader(404)
				case n == 25:
					w.Header().Set("Retry-After", "1")
					w.WriteHeader(429)
				}
			}))
			defer srv.Close()
			s := open(t, store.Options{Folder: t.TempDir(), Clock: now})
			defer s.Close()
			r, err := s.Begin(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			c := client.New(client.Options{Registry: scheme.NewRegistry(httpscheme.New("http"))})
			defer c.Close()
			var links []check.Link
			for i := range 40 {
				url := fmt.Sprintf("%s/%s/%d", srv.URL, []string{"page", "missing"}[i%2], i)
				links = append(links, check.NewLink(c, locator.Current.Parse, url, check.Place{}, false))
			}
			if _, err := r.Add(t.Context(), links); err != nil {
				t.Fatal(err)
			}
			if err := r.Seal(t.Context()); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), storetest.Time)
			defer cancel()
			w := &check.Worker{Checker: &check.Checker{Client: c, RetryAfter: 500 * time.Millisecond, Manners: func(string) check.Manners { return check.Manners{PerHost: 2, Interval: 5 * time.Millisecond} }}}
			if err := w.Run(ctx, r); err != nil || ctx.Err() != nil {
				t.Fatal(err, ctx.Err())
			}
			n := 0
			for res, err := range r.Results(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				n++
				want := check.OK
				if strings.Contains(res.URL, "/missing/") {
					want = check.Broken
				}
				if res.Verdict != want || want == check.Broken && res.Attempts != 2 {
					t.Errorf("%s: %s %s after %d attempts, want %s", res.URL, res.Verdict, res.Why, res.Attempts, want)
				}
			}
			if n != len(links) {
				t.Errorf("%d results, want %d", n, len(links))
			}
		})
	}
}
