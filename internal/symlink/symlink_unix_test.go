//go:build unix

package symlink

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"locator/internal/peers"
)

// other is the id of another user.
const other = 65534

// folders makes a sticky folder that everyone can write to, and beside it a folder "mine" with a
// file.
func folders(t *testing.T) (sticky, mine string) {
	t.Helper()
	if os.Geteuid() != 0 {
		peers.Skip(t, "links of another user: only root can make them")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	sticky, mine = filepath.Join(dir, "sticky"), filepath.Join(dir, "mine")
	for _, d := range []string{sticky, mine, filepath.Join(mine, "sub")} {
		if err := os.Mkdir(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(sticky, 0o777|fs.ModeSticky); err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{"file", "sub/file"} {
		if err := os.WriteFile(filepath.Join(mine, f), []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return sticky, mine
}

// link makes a link of that user.
func link(t *testing.T, to, name string, owner int) string {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Fatal(err)
	}
	if err := os.Lchown(name, owner, owner); err != nil {
		t.Fatal(err)
	}
	return name
}

// A link of another user in a sticky folder that everyone can write to is not followed, at the end
// of a path or in the middle; all others are.
//
// Covers: P6, T162
func TestForeignLink(t *testing.T) {
	t.Parallel()
	sticky, mine := folders(t)
	link(t, filepath.Join(mine, "file"), filepath.Join(sticky, "theirs"), other)
	link(t, mine, filepath.Join(sticky, "folder"), other)
	link(t, "/nothing/there", filepath.Join(sticky, "dangling"), other)
	link(t, filepath.Join(sticky, "theirs"), filepath.Join(mine, "chain"), 0)
	for _, name := range []string{sticky + "/theirs", sticky + "/folder/file", sticky + "/./folder/sub/file", sticky + "/folder/", sticky + "/dangling", mine + "/chain", sticky + "/folder/../mine/file"} {
		if got, err := Resolve(name); !errors.Is(err, ErrForeign) {
			t.Errorf("Resolve(%q): %q, %v", name, got, err)
		}
		if h, err := Open(name); !errors.Is(err, ErrForeign) {
			t.Errorf("Open(%q): %v, %v", name, h, err)
		}
		if r, err := OpenRoot(name); !errors.Is(err, ErrForeign) {
			t.Errorf("OpenRoot(%q): %v, %v", name, r, err)
		}
	}
	link(t, mine, filepath.Join(sticky, "own"), 0)
	link(t, "../mine", filepath.Join(sticky, "relative"), 0)
	plain := filepath.Join(mine, "plain") // not sticky
	if err := os.Mkdir(plain, 0o777); err != nil {
		t.Fatal(err)
	}
	os.Chmod(plain, 0o777)
	link(t, mine, filepath.Join(plain, "theirs"), other)
	want := filepath.Join(mine, "file")
	for _, name := range []string{sticky + "/own/file", sticky + "/relative/file", plain + "/theirs/file", mine + "/sub/../file"} {
		if got, err := Resolve(name); got != want || err != nil {
			t.Errorf("Resolve(%q): %q, %v", name, got, err)
		}
		h, err := Open(name)
		if err != nil {
			t.Errorf("Open(%q): %v", name, err)
			continue
		}
		h.Close()
	}
	theirs := filepath.Join(mine, "..", "their-sticky") // the folder of the user whose link it is
	if err := os.Mkdir(theirs, 0o777); err != nil {
		t.Fatal(err)
	}
	os.Chown(theirs, other, other)
	os.Chmod(theirs, 0o777|fs.ModeSticky)
	link(t, mine, filepath.Join(theirs, "theirs"), other)
	if got, err := Resolve(theirs + "/theirs/file"); got != want || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

// Check applies the same rule below an os.Root.
//
// Covers: P6, T162
func TestCheck(t *testing.T) {
	t.Parallel()
	sticky, _ := folders(t)
	os.Mkdir(filepath.Join(sticky, "sub"), 0o700)
	link(t, "sub", filepath.Join(sticky, "theirs"), other)
	link(t, "sub", filepath.Join(sticky, "own"), 0)
	root, err := os.OpenRoot(sticky)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for name, refused := range map[string]bool{"theirs": true, "theirs/new": true, "own/new": false, "sub": false, "sub/../theirs/x": true, "new/sub": false} {
		if err := Check(root, name); errors.Is(err, ErrForeign) != refused {
			t.Errorf("Check(%q): %v", name, err)
		}
	}
}

// Paths that are not links, lead to nothing or are not paths of files are resolved as far as they
// go.
func TestResolve(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	os.Symlink("nothing", dir+"/dangling")
	os.Symlink("loop", dir+"/loop")
	for name, want := range map[string]string{
		dir + "/new":         dir + "/new",
		dir + "/no/../new/x": dir + "/no/../new/x",
		dir + "/dangling":    dir + "/dangling",
		dir + "/dangling/x":  dir + "/dangling/x",
		"":                   ".",
		"/":                  "/",
		"..":                 "..",
		dir + "//./":         dir,
		"/dev/null":          "/dev/null",
	} {
		if got, err := Resolve(name); got != want || err != nil {
			t.Errorf("Resolve(%q): %q, %v; want %q", name, got, err, want)
		}
	}
	if got, err := Resolve(dir + "/loop"); !errors.Is(err, syscall.ELOOP) {
		t.Errorf("%q, %v", got, err)
	}
	r, w, err := os.Pipe() // a process substitution of the shell
	if err != nil {
		t.Fatal(err)
	}
	w.WriteString("secret\n")
	w.Close()
	defer r.Close()
	h, err := Open("/dev/fd/" + strconv.Itoa(int(r.Fd())))
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	b := make([]byte, 7)
	if _, err := h.Read(b); err != nil || string(b) != "secret\n" {
		t.Errorf("%q, %v", b, err)
	}
}
