//go:build unix

package file_test

import (
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"locator"
	"locator/client"
	"locator/internal/peers"
	"locator/internal/symlink"
	"locator/scheme"
	"locator/tree"
)

// In a folder such as /tmp, a file is not written through a link of another user, and does not get
// the permissions that another user gave the file in its place.
//
// Covers: P6, T162
func TestPlanted(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		peers.Skip(t, "files of another user: only root can make them")
	}
	const other = 65534
	dir, mine := t.TempDir(), t.TempDir()
	os.Chmod(dir, 0o777|fs.ModeSticky)
	write(t, filepath.Join(mine, "file"), "mine")
	write(t, filepath.Join(dir, "planted"), "theirs")
	os.Chmod(filepath.Join(dir, "planted"), 0o777)
	os.Symlink(filepath.Join(mine, "file"), filepath.Join(dir, "link"))
	os.Symlink(mine, filepath.Join(dir, "folder"))
	for _, name := range []string{"planted", "link", "folder"} {
		if err := os.Lchown(filepath.Join(dir, name), other, other); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"link", "folder/file", "folder/new"} {
		for _, do := range []string{"replace", "update"} {
			r := scheme.Request{URL: at(t, filepath.Join(dir, name))}
			var err error
			if do == "replace" {
				_, err = disk(t).Replace(t.Context(), r, body("new"), nil)
			} else {
				_, err = disk(t).Update(t.Context(), r, body("new"), nil)
			}
			if wantCode(t, err, scheme.CodeLocal); !errors.Is(err, symlink.ErrForeign) {
				t.Errorf("%s %s: %v", do, name, err)
			}
		}
	}
	holds(t, mine, map[string]string{"file": "mine"})
	if _, err := disk(t).Replace(t.Context(), scheme.Request{URL: at(t, filepath.Join(dir, "planted"))}, body("new"), nil); err != nil {
		t.Fatal(err)
	}
	if in, err := os.Stat(filepath.Join(dir, "planted")); err != nil || in.Mode().Perm()&0o133 != 0 || !symlink.Owned(in) {
		t.Errorf("%v, %v", in.Mode(), err)
	}
}

// A folder, or the whole tree, is replaced by a link while the tree is being removed. Nothing
// behind the link is.
//
// Covers: P6, T116
func TestRemoveAllRace(t *testing.T) {
	t.Parallel()
	for _, swap := range []string{"tree/b", "tree"} {
		top, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range []string{"tree/b", "outside/b"} {
			if err := os.MkdirAll(filepath.Join(top, dir), 0o777); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range []string{"tree/b/a", "tree/b/precious", "outside/a", "outside/b/a", "outside/precious", "outside/b/precious"} {
			if err := os.WriteFile(filepath.Join(top, name), nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		c := disk(t)
		failed, swapped := 0, false
		err = tree.RemoveAll(t.Context(), c, scheme.Request{URL: at(t, top+"/tree")}, tree.RemoveAllOptions{
			Removed: func(locator.URL, bool) {
				if swapped {
					return
				}
				swapped = true
				if err := os.Rename(filepath.Join(top, swap), filepath.Join(top, "moved")); err != nil {
					t.Error(err)
				}
				if err := os.Symlink(filepath.Join(top, "outside"), filepath.Join(top, swap)); err != nil {
					t.Error(err)
				}
			},
			Failed: func(locator.URL, error) { failed++ },
		})
		for _, name := range []string{"outside/a", "outside/precious", "outside/b/a", "outside/b/precious"} {
			if _, there := os.Lstat(filepath.Join(top, name)); there != nil {
				t.Errorf("%s was replaced by a link: %v", swap, there)
			}
		}
		if err == nil || failed == 0 || !swapped {
			t.Errorf("%s: %v, %d failures", swap, err, failed)
		}
	}
}

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
		for _, err := range client.Entries(c.List(t.Context(), scheme.Request{URL: u}, nil)) {
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
	for e, err := range client.Entries(c.List(t.Context(), scheme.Request{URL: at(t, dir)}, nil)) {
		if err != nil || e.Kind != scheme.KindUnknown {
			t.Errorf("%+v, %v", e, err)
		}
	}
}

// With Within, links and ".." cannot leave the tree. Without it, they are followed as by the
// system.
//
// Covers: A12, P6, T157
func TestWithin(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	if err := os.MkdirAll(filepath.Join(top, "tree", "sub"), 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(top, "secret"), "secret")
	write(t, filepath.Join(top, "tree2"), "secret")
	write(t, filepath.Join(top, "tree", "sub", "x"), "x")
	for name, to := range map[string]string{
		"in": "sub/x", "in-folder": "sub", "out": "../secret", "out-folder": "..", "absolute": filepath.Join(top, "secret"), "nowhere": "no-such",
		"sub/back": "../sub/x",
	} {
		if err := os.Symlink(to, filepath.Join(top, "tree", name)); err != nil {
			t.Fatal(err)
		}
	}
	c, root := disk(t), at(t, filepath.Join(top, "tree"))
	for path, want := range map[string]scheme.Code{
		"tree/sub/x": scheme.CodeOK, "tree/in": scheme.CodeOK, "tree/in-folder/x": scheme.CodeOK, "tree/sub/back": scheme.CodeOK, "tree/sub/../in": scheme.CodeOK,
		"tree/out": scheme.CodeRefused, "tree/absolute": scheme.CodeRefused, "tree/out-folder/secret": scheme.CodeRefused, "tree/../secret": scheme.CodeRefused,
		"tree/sub/../../secret": scheme.CodeRefused, "secret": scheme.CodeRefused, "tree2": scheme.CodeRefused, "tree/nowhere": scheme.CodeNotFound, "tree/no": scheme.CodeNotFound,
	} {
		u := at(t, top+"/"+path) // not cleaned
		res, err := c.Access(t.Context(), scheme.Request{URL: u, Within: root}, nil)
		if client.CodeOf(err) != want {
			t.Errorf("%s: %v, want code %v", path, err, want)
		} else if err == nil {
			if b, err := io.ReadAll(res.Body); err != nil || string(b) != "x" {
				t.Errorf("%s: %q, %v", path, b, err)
			}
			res.Close()
		} else if want == scheme.CodeRefused && !strings.Contains(err.Error(), "leads out of the tree") {
			t.Errorf("%s: %v", path, err)
		}
		if _, err := c.Attributes(t.Context(), scheme.Request{URL: u, Within: root}, nil); client.CodeOf(err) != want {
			t.Errorf("attributes of %s: %v, want code %v", path, err, want)
		}
		if res, err := c.Access(t.Context(), scheme.Request{URL: u}, nil); want == scheme.CodeRefused && err != nil {
			t.Errorf("%s, without a tree: %v", path, err)
		} else if err == nil {
			res.Close()
		}
	}
	// Nothing is written with Within.
	for _, write := range []func(*client.Client, scheme.Request) (*scheme.Resource, error){
		func(c *client.Client, r scheme.Request) (*scheme.Resource, error) {
			return c.Replace(t.Context(), r, scheme.Body{Reader: strings.NewReader("y"), Size: scheme.Known(1)}, nil)
		},
		func(c *client.Client, r scheme.Request) (*scheme.Resource, error) {
			return c.Update(t.Context(), r, scheme.Body{Reader: strings.NewReader("y"), Size: scheme.Known(1)}, nil)
		},
	} {
		if _, err := write(c, scheme.Request{URL: at(t, top+"/tree/out"), Within: root}); client.CodeOf(err) != scheme.CodeUnsupported {
			t.Errorf("written within a tree: %v", err)
		}
	}
	inside := scheme.Request{URL: at(t, top+"/tree/sub/x"), Within: root}
	for _, err := range []error{c.Rename(t.Context(), inside, at(t, top+"/tree/y")),
		c.MakeDir(t.Context(), scheme.Request{URL: at(t, top+"/tree/made"), Within: root})} {
		if client.CodeOf(err) != scheme.CodeUnsupported {
			t.Errorf("changed within a tree: %v", err)
		}
	}
	if err := c.Remove(t.Context(), inside); err != nil {
		t.Error(err)
	}
	if err := c.Remove(t.Context(), scheme.Request{URL: at(t, top+"/tree/out-folder/secret"), Within: root}); client.CodeOf(err) != scheme.CodeRefused {
		t.Errorf("removed through a link: %v", err)
	}
	if b, err := os.ReadFile(filepath.Join(top, "secret")); err != nil || string(b) != "secret" {
		t.Errorf("what a link leads to holds %q, %v", b, err)
	}
	// A walk and io/fs omit files outside the tree.
	for v := range tree.Walk(t.Context(), c, scheme.Request{URL: at(t, filepath.Join(top, "tree")+"/")}, tree.WalkOptions{}) {
		if name := strings.Join(v.Path, "/"); strings.HasPrefix(name, "out-folder/") || strings.Contains(name, "secret") || v.Entry.Kind == scheme.KindObject && strings.HasPrefix(name, "out") {
			t.Errorf("a walk comes to %s", name)
		}
	}
	if b, err := c.FS(t.Context(), at(t, filepath.Join(top, "tree")+"/")).Open("out"); err == nil {
		b.Close()
		t.Error("io/fs opens what lies elsewhere")
	}
}
