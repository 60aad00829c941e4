//go:build !linux

package main

import (
	"runtime"
	"testing"

	"locator/internal/peers"
)

// smallDisk needs Linux.
func smallDisk(t *testing.T) (dir string, grow func() (shrink func())) {
	t.Helper()
	peers.Skip(t, "a full disk: there is no tmpfs on %s", runtime.GOOS)
	return "", nil
}
