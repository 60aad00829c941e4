package main

import (
	"fmt"
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"locator/internal/peers"
)

// smallDisk mounts a file system with room for a third of the file. grow makes room for all of it, and shrink undoes that.
func smallDisk(t *testing.T) (dir string, grow func() (shrink func())) {
	t.Helper()
	if os.Geteuid() != 0 {
		peers.Skip(t, "a full disk: only root may mount a small file system")
	}
	dir = t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprint("size=", fileSize/3)); err != nil {
		peers.Skip(t, "a full disk: mount: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, 0); err != nil {
			t.Errorf("unmount %s: %v", dir, err)
		}
	})
	resize := func(n int) {
		t.Helper()
		if err := unix.Mount("", dir, "", unix.MS_REMOUNT, fmt.Sprint("size=", n)); err != nil {
			t.Fatal(err)
		}
	}
	return dir, func() func() {
		resize(4 * fileSize)
		return func() { resize(fileSize / 3) }
	}
}
