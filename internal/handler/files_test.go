package handler

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"locator/internal/peers"
)

// The files of a package satisfy the programs of others that check them.
func TestFilesAreValid(t *testing.T) {
	t.Parallel()
	peers.Packages(t, "desktop-file-utils", "systemd")
	self, err := os.Executable() // the path in a unit has to exist
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, program := range map[string]string{"a": self, "b": filepath.Join(dir, `a "b" $c 100% \d`)} {
		if program != self {
			if err := os.Symlink(self, program); err != nil {
				t.Fatal(err)
			}
		}
		if err := NewProgram(program, []string{"ftp", "gopher"}).WriteFiles(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		files := func(pattern string) []string {
			found, err := filepath.Glob(filepath.Join(dir, name, pattern))
			if err != nil || found == nil {
				t.Fatal(pattern, err)
			}
			return found
		}
		// The pages of the manual are not installed here.
		for _, args := range [][]string{
			append([]string{"desktop-file-validate"}, files("*.desktop")...), append([]string{"systemd-analyze", "--user", "--man=no", "verify"}, files("locator-*")...),
		} {
			cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
			cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+dir)
			if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("%s: %v\n%s", args, err, out)
			}
		}
	}
}
