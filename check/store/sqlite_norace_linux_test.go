//go:build !race && !386 && !arm && !mips && !mipsle

package store_test

import (
	"context"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"locator/check"
	"locator/check/store"
	"locator/check/store/storetest"
	"locator/internal/peers"
)

// TestDiskFull fills the disk in mid-run. The work ends with an error, and goes on when there is
// room again.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=800k,mode=700"); err != nil {
		peers.Skip(t, "a full disk: a tmpfs needs root: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	s := open(t, store.Options{Folder: dir})
	r, err := s.Begin(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	links := storetest.Links(4_000, 50)
	_, err = r.Add(t.Context(), links)
	local(t, err, "full")
	before, err := r.Info(t.Context())
	if err != nil || before.Open == 0 {
		t.Fatalf("the run is %+v, %v", before, err)
	}
	var seen sync.Map
	err = r.Work(t.Context(), 4, storetest.Decide(&seen, check.OK))
	local(t, err, "full")
	if err := s.Close(); err != nil {
		t.Errorf("closing a store on a full disk: %v", err)
	}
	if err := unix.Mount("tmpfs", dir, "tmpfs", unix.MS_REMOUNT, "size=64m,mode=700"); err != nil {
		t.Fatal(err)
	}
	s = open(t, store.Options{Folder: dir})
	defer s.Close()
	if r, err = s.Open(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Add(t.Context(), links); err != nil {
		t.Fatal(err)
	}
	if err := r.Seal(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), storetest.Time)
	defer cancel()
	if err := r.Work(ctx, 4, storetest.Decide(&seen, check.OK)); err != nil {
		t.Fatal(err)
	}
	info, err := r.Info(t.Context())
	if err != nil || info.Open != 0 || info.Verdicts[check.OK] != int64(len(links)) {
		t.Errorf("the run is %+v, %v", info, err)
	}
}
