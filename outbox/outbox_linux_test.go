package outbox

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"locator/internal/peers"
	"locator/scheme"
)

// On a full disk a message is refused with the error of the system, and nothing of it is left. A
// message that is queued stays so. On a disk that can only be read, what is there can be read.
//
// Covers: O1, T47
func TestFullDisk(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		peers.Skip(t, "a full disk: only root may mount a small file system")
	}
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=64k,mode=700"); err != nil {
		peers.Skip(t, "a full disk: mount: %v", err)
	}
	t.Cleanup(func() {
		err := unix.Unmount(dir, 0)
		for end := time.Now().Add(5 * time.Second); err == unix.EBUSY && time.Now().Before(end); err = unix.Unmount(dir, 0) {
			time.Sleep(10 * time.Millisecond) // a process that another test starts has all files until it runs its program
		}
		if err != nil { // such as for an open file
			t.Errorf("unmount %s: %v", dir, err)
			_ = unix.Unmount(dir, unix.MNT_DETACH)
		}
	})
	b, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	e := addTo(t, b, note(t, 1))
	large := note(t, 2)
	large.Content = append(large.Content, make([]byte, 1<<20)...)
	if _, err := b.Add(large); code(err) != scheme.CodeLocal || !errors.Is(err, syscall.ENOSPC) {
		t.Error(err)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
		t.Errorf("%d files, %v", len(list), err)
	}
	remount := func(flags uintptr, data string) {
		t.Helper()
		if err := unix.Mount("", dir, "", unix.MS_REMOUNT|flags, data); err != nil {
			t.Fatal(err)
		}
	}
	remount(unix.MS_RDONLY, "")
	if _, err := b.Add(note(t, 3)); code(err) != scheme.CodeLocal || !errors.Is(err, syscall.EROFS) {
		t.Error(err)
	}
	s := &server{}
	if _, err := b.Send(t.Context(), s, e.ID, SendOptions{}); code(err) != scheme.CodeLocal || len(s.to) != 0 {
		t.Error(err)
	}
	if err := b.SendDue(t.Context(), s, SendOptions{}, func(got Entry, err error) {
		if got.ID != e.ID || code(err) != scheme.CodeLocal {
			t.Errorf("%+v, %v", got, err)
		}
	}); err != nil {
		t.Error(err)
	}
	var path *fs.PathError
	if err := b.Drop(e.ID); code(err) != scheme.CodeLocal || !errors.As(err, &path) {
		t.Error(err)
	}
	wantState(t, b, e.ID, Queued)
	remount(0, "size=64k")
	if _, err := b.Send(t.Context(), s, e.ID, SendOptions{}); err != nil {
		t.Error(err)
	}
}
