// Command check measures the store of runs of package check.
//
//	go run ./check add    [-folder DIR | -store URL] [-n URLS]            add URLs
//	go run ./check decide [-folder DIR | -store URL] [-n URLS] [-hold]    decide them at once
//	go run ./check kill   [-folder DIR | -store URL] [-n URLS] [-kills N] [-workers N] [-restart COMMAND]
//	go run ./check mixed  -locator FILE -folder DIR [-n URLS]             check URLs of all schemes
//	go run ./check pages  -locator FILE -folder DIR [-n BYTES]            check a gigabyte of HTML
//	go run ./check crowd                                                  two fast hosts beside a thousand slow ones
//	go run ./check second -locator FILE -folder DIR -store URL [-n URLS]  a second worker, where answers are slow
//
// decide -hold keeps a foreign transaction open meanwhile. kill kills the processes that work on a
// run, and runs COMMAND as often, which kills and restarts Postgres. Each prints one line per
// figure. The folder must be empty.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"locator/check"
	"locator/check/store"
)

type options struct {
	folder, url, restart string
	locator              string
	n, kills, workers    int
	buckets              int
	hold                 bool
}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: check add|decide|kill|mixed|pages|crowd|second [flags]")
		os.Exit(2)
	}
	var o options
	set := flag.NewFlagSet(os.Args[1], flag.ExitOnError)
	set.StringVar(&o.folder, "folder", "", "folder of SQLite")
	set.StringVar(&o.url, "store", "", "URL of Postgres")
	set.StringVar(&o.restart, "restart", "", "command that kills and restarts Postgres")
	set.StringVar(&o.locator, "locator", "locator", "the program")
	set.IntVar(&o.n, "n", 1_000_000, "URLs, or bytes of pages")
	set.IntVar(&o.kills, "kills", 50, "kills")
	set.IntVar(&o.workers, "workers", 1, "processes")
	set.IntVar(&o.buckets, "buckets", 256, "buckets that are worked on at once")
	set.BoolVar(&o.hold, "hold", false, "keep a foreign transaction open")
	set.Parse(os.Args[2:])
	do := map[string]func(context.Context, options) error{"add": add, "decide": decide, "kill": kill, "child": child, "mixed": mixed, "pages": pages, "crowd": crowd, "second": second}[os.Args[1]]
	if do == nil {
		fmt.Fprintf(os.Stderr, "check: no verb %q\n", os.Args[1])
		os.Exit(2)
	}
	if err := do(context.Background(), o); err != nil {
		fmt.Fprintln(os.Stderr, "check:", err)
		os.Exit(1)
	}
}

func (o options) open(ctx context.Context) (check.Store, error) {
	return store.Open(ctx, store.Options{Folder: o.folder, URL: o.url, Name: "bench"})
}

// hosts is how many hosts the URLs have.
const hosts = 5000

func link(i int) check.Link {
	host := fmt.Sprintf("host%d.example.com", i%hosts)
	url := fmt.Sprintf("http://%s/some/path/of/page%d.html", host, i)
	return check.Link{Key: url, URL: url, Host: host, Place: check.Place{File: fmt.Sprintf("docs/page%d.md", i/50), Line: i%50 + 1, Column: 3}}
}

// fill adds the URLs to a run.
func fill(ctx context.Context, r check.Run, n int) error {
	const batch = 10_000
	links := make([]check.Link, 0, batch)
	for i := range n {
		if links = append(links, link(i)); len(links) == batch || i == n-1 {
			if _, err := r.Add(ctx, links); err != nil {
				return err
			}
			links = links[:0]
		}
	}
	return r.Seal(ctx)
}

func add(ctx context.Context, o options) error {
	s, err := o.open(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	r, err := s.Begin(ctx, nil)
	if err != nil {
		return err
	}
	start := time.Now()
	if err := fill(ctx, r, o.n); err != nil {
		return err
	}
	d := time.Since(start)
	fmt.Printf("add: %d URLs in %.1f s, %.0f/s, peak %d MiB\n", o.n, d.Seconds(), float64(o.n)/d.Seconds(), peak())
	return nil
}

// at decides the tasks of a bucket at once, in commits of at most a hundred for all its hosts.
func at(decided *atomic.Int64) func(context.Context, check.Bucket) error {
	return func(ctx context.Context, b check.Bucket) error {
		list, err := b.Hosts(ctx)
		if err != nil {
			return err
		}
		begun := time.Now()
		var done []check.Done
		var states []check.Host
		flush := func() error {
			err := b.Commit(ctx, done, states)
			if err == nil {
				decided.Add(int64(len(done)))
			}
			done, states = done[:0], states[:0]
			return err
		}
		for _, h := range list {
			for time.Since(begun) < 20*time.Second {
				tasks, err := b.Tasks(ctx, h.Name, 100-len(done))
				if err != nil {
					return err
				}
				if len(tasks) == 0 {
					break
				}
				for _, t := range tasks {
					done = append(done, check.Done{Task: t, Result: &check.Result{
						URL: t.URL, Verdict: check.OK, Scheme: "http", Status: "200", Addr: "127.0.0.1:80", Type: "text/html", Bytes: 1234, MS: 5, Attempts: 1, At: time.Now(),
						Memory: &check.Memory{Verdict: check.OK, At: time.Now(), Worked: time.Now(), Bytes: 1234},
					}})
				}
				states = append(states, check.Host{Name: h.Name, Next: time.Now()})
				if len(done) >= 100 {
					if err := flush(); err != nil {
						return err
					}
				}
			}
		}
		if len(done) == 0 {
			return nil
		}
		return flush()
	}
}

func decide(ctx context.Context, o options) error {
	s, err := o.open(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	r, err := s.Begin(ctx, nil)
	if err != nil {
		return err
	}
	if err := fill(ctx, r, o.n); err != nil {
		return err
	}
	if o.hold {
		conn, err := pgx.Connect(ctx, o.url)
		if err != nil {
			return err
		}
		defer conn.Close(ctx)
		if _, err := conn.Exec(ctx, "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM pg_class"); err != nil {
			return err
		}
	}
	start := time.Now()
	var decided atomic.Int64
	stop := make(chan struct{})
	go func() {
		last := int64(0)
		for tick := time.NewTicker(10 * time.Second); ; {
			select {
			case <-tick.C:
				n := decided.Load()
				fmt.Printf("decide: after %.0f s %d URLs, %d/s\n", time.Since(start).Seconds(), n, (n-last)/10)
				last = n
			case <-stop:
				return
			}
		}
	}()
	if err := r.Work(ctx, o.buckets, at(&decided)); err != nil {
		return err
	}
	close(stop)
	d := time.Since(start)
	fmt.Printf("decide: %d URLs in %.1f s, %.0f/s, peak %d MiB\n", o.n, d.Seconds(), float64(o.n)/d.Seconds(), peak())
	return verify(ctx, s, o.n)
}

// verify checks that each URL has one result.
func verify(ctx context.Context, s check.Store, n int) error {
	r, err := s.Open(ctx, 0)
	if err != nil {
		return err
	}
	info, err := r.Info(ctx)
	if err != nil {
		return err
	}
	seen := make(map[string]bool, n)
	start := time.Now()
	for res, err := range r.Results(ctx) {
		if err != nil {
			return err
		}
		if seen[res.URL] || len(res.Sources) != 1 {
			return fmt.Errorf("%s is there twice, or has sources %v", res.URL, res.Sources)
		}
		seen[res.URL] = true
	}
	if len(seen) != n || info.Verdicts[check.OK] != int64(n) || info.Open != 0 || info.Ended.IsZero() {
		return fmt.Errorf("%d results of %d URLs; the run is %+v", len(seen), n, info)
	}
	fmt.Printf("verify: %d URLs have one result each, read in %.1f s\n", n, time.Since(start).Seconds())
	return nil
}
