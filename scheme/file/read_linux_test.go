package file_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"locator/client"
	"locator/scheme"
)

// A file without read permission is an error of code CodeLocal. The thread drops root's privileges
// over files, so that the test also works as root; other goroutines never run on it again.
//
// Covers: A12
func TestUnreadable(t *testing.T) {
	t.Parallel()
	base, err := os.MkdirTemp("", "f") // t.TempDir may be inaccessible to others
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(base) })
	dir, hidden := filepath.Join(base, "dir"), filepath.Join(base, "hidden")
	path := write(t, filepath.Join(base, "a.txt"), "text")
	for _, d := range []string{dir, hidden} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(d, "b.txt"), "text")
	}
	modes := map[string]fs.FileMode{base: 0o755, path: 0, dir: 0o744, hidden: 0o711}
	if os.Geteuid() != 0 { // the owner reads them
		modes[dir], modes[hidden] = 0o400, 0o100
	}
	for name, mode := range modes {
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		for _, d := range []string{dir, hidden} {
			os.Chmod(d, 0o755) // else they cannot be removed
		}
	})
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		const nobody = 65534
		if os.Geteuid() == 0 {
			syscall.RawSyscall(syscall.SYS_SETFSUID, nobody, 0, 0)
		}
		c := disk(t)
		for _, name := range []string{path, hidden, filepath.Join(dir, "b.txt")} {
			_, _, err := get(t, c, scheme.Request{URL: at(t, name)})
			if err == nil {
				t.Errorf("%s could be read", name)
				continue
			}
			wantCode(t, err, scheme.CodeLocal)
			if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), name) {
				t.Errorf("%v", err)
			}
		}
		// Files without permission are listed.
		n := 0
		for e, err := range client.Entries(c.List(t.Context(), scheme.Request{URL: at(t, dir)}, nil)) {
			if n++; err != nil || e.Name != "b.txt" || e.Kind != scheme.KindUnknown || e.URL.IsZero() {
				t.Errorf("%+v, %v", e, err)
			}
		}
		if n != 1 {
			t.Errorf("%d entries", n)
		}
		if os.Geteuid() == 0 { // where the owner is somebody else
			for _, do := range []func() (*scheme.Resource, error){
				func() (*scheme.Resource, error) {
					return c.Replace(t.Context(), scheme.Request{URL: at(t, path)}, body("x"), nil)
				},
				func() (*scheme.Resource, error) {
					return c.Update(t.Context(), scheme.Request{URL: at(t, path)}, body("x"), nil)
				},
			} {
				if _, err := do(); err == nil {
					t.Error("it could be written")
				} else {
					wantCode(t, err, scheme.CodeLocal)
				}
			}
		}
	}()
	<-done
}

// Files in /proc have size 0 but are not empty.
//
// Covers: A12, T156
func TestProc(t *testing.T) {
	t.Parallel()
	res, text, err := get(t, disk(t), scheme.Request{URL: at(t, "/proc/self/status")})
	if err != nil || !strings.HasPrefix(text, "Name:") {
		t.Fatalf("%q, %v", text, err)
	}
	if n, known := res.Attr.Size.Get(); known {
		t.Errorf("the size is %d", n)
	}
}
