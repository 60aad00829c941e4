package archive

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"locator/client"
	"locator/internal/peers"
	"locator/scheme"
	"locator/scheme/message"
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

// On a full disk, an archive keeps what is stored. When there is room, it goes on: each message is
// there once.
//
// Covers: P4, P6
func TestFullDiskArchive(t *testing.T) {
	t.Parallel()
	for _, f := range Formats() {
		t.Run(f.String(), func(t *testing.T) {
			t.Parallel()
			dir := tmpfs(t, "1m")
			name := filepath.Join(dir, "box")
			fill := func(from, to int) (stored int, err error) {
				a, err := Open(name, f, Options{})
				if err != nil {
					t.Fatal(err)
				}
				for stored = from; stored < to && err == nil; stored++ {
					if _, err = a.add(article("h/g", int64(stored)+1, fmt.Sprint(stored, "@b"), strings.Repeat("text\r\n", 300)), "", 0); err != nil {
						stored--
					}
				}
				return stored, errors.Join(err, a.Close())
			}
			n, err := fill(0, 2000)
			if client.CodeOf(err) != scheme.CodeLocal {
				t.Errorf("a full disk: %v", err)
			}
			if n < 100 {
				t.Fatalf("%d messages", n)
			}
			if err := unix.Mount("", dir, "", unix.MS_REMOUNT, "size=20m"); err != nil {
				t.Fatal(err)
			}
			if n, err = fill(n, 2000); err != nil {
				t.Fatal(err)
			}
			a, err := Open(name, f, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if have := a.have(true); n != 2000 || len(a.journal.ids) != 2000 || len(have) != 1 || len(have[0].Spans) != 1 || have[0].Spans[0] != (message.Span{First: 1, Last: 2000}) {
				t.Errorf("%d messages, %d Message-IDs, %v", n, len(a.journal.ids), have)
			}
			a.Close()
			ids := 0
			if f.IsFolder() {
				names, _ := filepath.Glob(filepath.Join(name, "new", "*"))
				ids = len(names)
			} else {
				b, _ := os.ReadFile(name)
				ids = bytes.Count(b, []byte("Message-ID: <"))
			}
			if ids != 2000 {
				t.Errorf("%d messages in the archive", ids)
			}
		})
	}
}
