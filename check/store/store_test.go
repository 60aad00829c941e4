//go:build !386 && !arm && !mips && !mipsle

package store_test

import (
	"testing"

	"locator/check"
	"locator/check/store"
	"locator/check/store/storetest"
)

func TestMemory(t *testing.T) {
	storetest.Run(t, func(*testing.T) check.Store { return check.NewMemory(nil) })
}

func TestSQLite(t *testing.T) {
	storetest.Run(t, func(t *testing.T) check.Store { return open(t, store.Options{Folder: t.TempDir()}) })
}

func open(t *testing.T, opts store.Options) check.Store {
	t.Helper()
	s, err := store.Open(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
