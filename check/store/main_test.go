//go:build !386 && !arm && !mips && !mipsle

package store_test

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"

	"locator/check"
	"locator/check/store"
	"locator/check/store/storetest"
)

// The variables that make this binary a process that works on a run, and is killed.
const (
	childFolder = "LOCATOR_STORE_FOLDER"
	childURL    = "LOCATOR_STORE_URL"
)

const (
	childLinks = 1800
	childHosts = 40
)

func TestMain(m *testing.M) {
	opts := store.Options{Folder: os.Getenv(childFolder), URL: os.Getenv(childURL), Name: "child"}
	if opts.Folder == "" && opts.URL == "" {
		os.Exit(m.Run())
	}
	if err := child(context.Background(), opts); err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
}

// child adds the links to the last run, works on it, and prints a line for each commit.
func child(ctx context.Context, opts store.Options) error {
	s, err := store.Open(ctx, opts)
	if err != nil {
		return err
	}
	defer s.Close()
	r, err := s.Open(ctx, 0)
	if err != nil {
		return err
	}
	fmt.Println("open")
	links := storetest.Links(childLinks, childHosts)
	for len(links) > 0 {
		if _, err := r.Add(ctx, links[:100]); err != nil {
			return err
		}
		fmt.Println("added")
		links = links[100:]
	}
	if err := r.Seal(ctx); err != nil {
		return err
	}
	var seen sync.Map
	do := storetest.Decide(&seen, check.OK)
	return r.Work(ctx, 4, func(ctx context.Context, b check.Bucket) error { return do(ctx, printing{b}) })
}

// printing is a bucket that prints a line for each commit, and commits few results at once.
type printing struct{ check.Bucket }

func (p printing) Tasks(ctx context.Context, host string, n int) ([]check.Task, error) {
	return p.Bucket.Tasks(ctx, host, min(n, 7))
}

func (p printing) Commit(ctx context.Context, done []check.Done, hosts []check.Host) error {
	err := p.Bucket.Commit(ctx, done, hosts)
	fmt.Println("commit", err)
	return err
}
