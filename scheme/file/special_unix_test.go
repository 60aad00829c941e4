//go:build unix

package file_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"locator/scheme"
)

// Every operation refuses devices, pipes and sockets without blocking.
//
// Covers: A12, P6, T155
func TestSpecialFiles(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "f") // short: the path of a socket is
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	pipe, socket := filepath.Join(dir, "pipe"), filepath.Join(dir, "socket")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := os.Symlink(pipe, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	c := disk(t)
	for path, want := range map[string]string{pipe: "named pipe", socket: "socket", filepath.Join(dir, "link"): "named pipe",
		"/dev/null": "device", "/dev/zero": "device"} {
		u := at(t, path)
		_, _, err := get(t, c, scheme.Request{URL: u})
		wantCode(t, err, scheme.CodeRefused)
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not contain %q: %v", want, err)
		}
		for _, err := range c.List(t.Context(), scheme.Request{URL: u}, nil) {
			wantCode(t, err, scheme.CodeRefused)
		}
		_, err = c.Replace(t.Context(), scheme.Request{URL: u}, body("x"), nil)
		wantCode(t, err, scheme.CodeRefused)
		_, err = c.Update(t.Context(), scheme.Request{URL: u}, body("x"), nil)
		wantCode(t, err, scheme.CodeRefused)
		if _, err := c.Attributes(t.Context(), scheme.Request{URL: u}, nil); err != nil {
			t.Errorf("attributes of %s: %v", path, err)
		}
		if info, err := os.Lstat(path); err != nil || info.Mode().IsRegular() {
			t.Errorf("%s was replaced", path)
		}
	}
	for e, err := range c.List(t.Context(), scheme.Request{URL: at(t, dir)}, nil) {
		if err != nil || e.Kind != scheme.KindUnknown {
			t.Errorf("%+v, %v", e, err)
		}
	}
}
