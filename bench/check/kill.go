package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"locator/check"
)

// child is a process that works on the last run. The first one adds its URLs as well.
func child(ctx context.Context, o options) error {
	s, err := o.open(ctx)
	for range 20 { // Postgres may be down just now
		if err == nil || o.url == "" {
			break
		}
		time.Sleep(500 * time.Millisecond)
		s, err = o.open(ctx)
	}
	if err != nil {
		return err
	}
	defer s.Close()
	r, err := s.Open(ctx, 0)
	if err != nil {
		return err
	}
	info, err := r.Info(ctx)
	if err != nil {
		return err
	}
	if !info.Sealed {
		if err := fill(ctx, r, o.n); err != nil {
			return err
		}
	}
	var decided atomic.Int64
	do := at(&decided)
	return r.Work(ctx, o.buckets, func(ctx context.Context, b check.Bucket) error { return do(ctx, slow{b}) })
}

// slow is a bucket that gives out one task of a host at a time, so that a run lasts long enough.
type slow struct{ check.Bucket }

func (s slow) Tasks(ctx context.Context, host string, n int) ([]check.Task, error) {
	return s.Bucket.Tasks(ctx, host, min(n, 5))
}

func (s slow) Commit(ctx context.Context, done []check.Done, hosts []check.Host) error {
	fmt.Println("commit")
	return s.Bucket.Commit(ctx, done, hosts)
}

func kill(ctx context.Context, o options) error {
	s, err := o.open(ctx)
	if err != nil {
		return err
	}
	if _, err := s.Begin(ctx, nil); err != nil {
		return err
	}
	if err := s.Close(); err != nil {
		return err
	}
	start := time.Now()
	ends := make(chan error)
	kills := make(chan struct{}, o.workers)
	for range o.workers {
		go func() { ends <- lives(ctx, o, kills) }()
	}
	killed, restarted, running := 0, 0, o.workers
	for running > 0 {
		select {
		case err := <-ends:
			if err != nil {
				return err
			}
			running--
		case <-time.After(time.Duration(200+rand.IntN(1200)) * time.Millisecond):
			switch {
			case o.restart != "" && restarted < o.kills && restarted <= killed:
				if out, err := exec.CommandContext(ctx, "sh", "-c", o.restart).CombinedOutput(); err != nil {
					return fmt.Errorf("%s: %w: %s", o.restart, err, out)
				}
				restarted++
			case killed < o.kills:
				select {
				case kills <- struct{}{}:
					killed++
				default:
				}
			}
		}
	}
	fmt.Printf("kill: %d processes killed, %d restarts of the database, %.1f s\n", killed, restarted, time.Since(start).Seconds())
	if s, err = o.open(ctx); err != nil {
		return err
	}
	defer s.Close()
	return verify(ctx, s, o.n)
}

// lives starts processes until one ends by itself, and kills one for each value of kills.
func lives(ctx context.Context, o options, kills <-chan struct{}) error {
	for {
		cmd := exec.CommandContext(ctx, os.Args[0], "child", "-folder", o.folder, "-store", o.url, "-n", strconv.Itoa(o.n), "-buckets", strconv.Itoa(o.buckets))
		var words strings.Builder
		cmd.Stderr = &words
		out, err := cmd.StdoutPipe()
		if err != nil {
			return err
		}
		if err := cmd.Start(); err != nil {
			return err
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			io.Copy(io.Discard, bufio.NewReader(out))
		}()
		select {
		case <-ended:
		case <-kills:
			cmd.Process.Kill()
			<-ended
		}
		err = cmd.Wait()
		if err == nil {
			return nil
		}
		if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.Exited() {
			return fmt.Errorf("a process failed: %w: %s", err, words.String())
		}
	}
}
