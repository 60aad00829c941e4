//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"locator/internal/peers"
)

// A configuration file that another user can have written is refused, unless the user names it. It may set commands that are run.
//
// Covers: P6, T159
func TestForeignConfig(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "locator", "config.toml")
	os.Mkdir(filepath.Dir(file), 0o700)
	if err := os.WriteFile(file, []byte("quiet = true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	parse := func(args ...string) (errs string, status int) {
		var out, e bytes.Buffer
		env := map[string]string{"XDG_CONFIG_HOME": dir}
		status = run(t.Context(), append(args, "parse", "http://h.example/"), world{In: strings.NewReader(""), Out: &out, Err: &e, Getenv: func(name string) string { return env[name] }})
		return e.String(), status
	}
	if errs, status := parse(); status != 0 {
		t.Errorf("the user's own file: status %d, %s", status, errs)
	}
	refused := func(what string) {
		t.Helper()
		if errs, status := parse(); status != 11 || !strings.Contains(errs, "another user") || !strings.Contains(errs, "--config") {
			t.Errorf("%s: status %d, %s", what, status, errs)
		}
		if errs, status := parse("--config", file); status != 0 {
			t.Errorf("%s, named: status %d, %s", what, status, errs)
		}
	}
	os.Chmod(file, 0o646)
	refused("a file that everyone can write to")
	os.Chmod(file, 0o664) // groups of one user are common
	if errs, status := parse(); status != 0 {
		t.Errorf("a file of a group: status %d, %s", status, errs)
	}
	if os.Geteuid() != 0 {
		peers.Skip(t, "a file of another user: only root can make one")
	}
	const other = 65534
	os.Chown(file, other, other)
	refused("a file of another user")
	os.Chown(file, 0, 0)
	os.Chmod(filepath.Dir(file), 0o777|os.ModeSticky)
	os.Rename(file, filepath.Join(dir, "target"))
	os.Symlink(filepath.Join(dir, "target"), file)
	os.Lchown(file, other, other)
	if errs, status := parse(); status != 11 || !strings.Contains(errs, "symbolic link of another user") {
		t.Errorf("a link of another user: status %d, %s", status, errs)
	}
}
