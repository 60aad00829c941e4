//go:build unix

package waisserver

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A file that becomes a named pipe, or a link to elsewhere, is not read, and nothing waits for it.
//
// Covers: A11, T104
func TestNamedPipe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"a.txt", "b.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("text\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	db, closeDir, err := Folder("db", dir, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	defer closeDir()
	NewHandler("x", db)
	for _, name := range []string{"a.txt", "b.txt"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "a.txt"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "b.txt")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.txt", "b.txt"} {
		f, ok := db.file(db.documentID("x", "0 5 "+name), "TEXT")
		if !ok {
			t.Fatalf("%s is not in the database", name)
		}
		if text, err := f.read(0, 5); err == nil {
			t.Errorf("%s: %q", name, text)
		}
	}
}
