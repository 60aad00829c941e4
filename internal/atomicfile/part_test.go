package atomicfile

import (
	"os"
	"testing"

	"locator/client"
	"locator/internal/leaks"
	"locator/scheme"
)

func TestMain(m *testing.M) { os.Exit(leaks.Guard{M: m}.Run()) }

// place returns a place in a new folder.
func place(t *testing.T) Place {
	t.Helper()
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return Place{Root: root, Name: "name"}
}

// A part that another download has just finished is not written to.
//
// Covers: T196
func TestLockOfAFinishedPart(t *testing.T) {
	t.Parallel()
	f := place(t)
	f.Root.WriteFile("name.part", []byte("whole"), 0o666)
	h, err := f.Root.OpenFile("name.part", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if err := f.Root.Rename("name.part", "name"); err != nil {
		t.Fatal(err)
	}
	if held, err := f.lockPart(h, false); held || err != nil {
		t.Errorf("held %v, %v", held, err)
	}
	if err := f.Root.Mkdir("name.part", 0o777); err != nil {
		t.Fatal(err)
	}
	_, err = f.OpenPart(true, 0)
	if client.CodeOf(err) != scheme.CodeLocal {
		t.Errorf("%v", err)
	}
}
