package download

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"locator/internal/peers"
	"locator/scheme"
)

// tmpfs mounts a file system of that size.
func tmpfs(t *testing.T, size string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		peers.Skip(t, "a full disk: only root may mount a small file system")
	}
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		peers.Skip(t, "a full disk: mount: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, 0); err != nil {
			t.Errorf("unmount %s: %v", dir, err) // a descriptor is open
			unix.Unmount(dir, unix.MNT_DETACH)
		}
	})
	return dir
}

// On a full disk the download fails at once with CodeLocal. The part is kept and can be resumed
// when there is room.
//
// Covers: T194
func TestFullDisk(t *testing.T) {
	t.Parallel()
	dir := tmpfs(t, "1m")
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	f := File{Root: root, Name: "name"}
	s := newSource(octets(3 << 20))
	for _, o := range []Options{{Retries: 5}, {Retries: 5, Resume: true}, {Resume: true, Events: Events{Progress: func(int) {}}}} {
		out, err := s.fetch(t, f, o)
		wantCode(t, err, scheme.CodeLocal)
		if out.Kept < 900<<10 || out.Kept > 1<<20 || !out.Resumable {
			t.Errorf("%+v, %v", out, err)
		}
	}
	if len(s.asked) != 3 {
		t.Errorf("%d requests: a full disk is tried again", len(s.asked))
	}
	wantFiles(t, f, "name.part", "name.part.state")
	if err := unix.Mount("", dir, "", unix.MS_REMOUNT, "size=10m"); err != nil {
		t.Fatal(err)
	}
	out, err := s.fetch(t, f, Options{Resume: true})
	if err != nil || !out.Resumed {
		t.Errorf("%+v, %v", out, err)
	}
	wantWhole(t, f, s.content)
}
