package file_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"locator"
	"locator/scheme"
)

// wantTaken checks the error of a change to a name that exists.
func wantTaken(t *testing.T, err error) {
	t.Helper()
	wantCode(t, err, scheme.CodeUsage)
	if !errors.Is(err, fs.ErrExist) {
		t.Errorf("errors.Is(err, fs.ErrExist) is false: %v", err)
	}
}

// Covers: A12, A15
func TestRemove(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := disk(t)
	remove := func(path string) error { return c.Remove(t.Context(), scheme.Request{URL: at(t, path)}) }
	if err := os.MkdirAll(filepath.Join(dir, "folder", "full"), 0o777); err != nil {
		t.Fatal(err)
	}
	file := write(t, filepath.Join(dir, "folder", "full", "x"), "x")
	for path, code := range map[string]scheme.Code{
		dir + "/none": scheme.CodeNotFound, file + "/below": scheme.CodeNotFound, dir + "/folder/full": scheme.CodeUsage,
		dir + "/folder/full/": scheme.CodeUsage, file + "/": scheme.CodeNotFound, dir + "/folder/.": scheme.CodeUsage,
		dir + "/folder/full/..": scheme.CodeUsage, "/": scheme.CodeUsage,
	} {
		err := remove(path)
		wantCode(t, err, code)
		if errors.Is(err, fs.ErrNotExist) != (code == scheme.CodeNotFound) {
			t.Errorf("%s: %v", path, err)
		}
	}
	holds(t, filepath.Join(dir, "folder", "full"), map[string]string{"x": "x"})
	for _, path := range []string{file, dir + "/folder/full/", dir + "/folder"} {
		if err := remove(path); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	holds(t, dir, nil)
}

// Removing or renaming a link does not affect its target.
//
// Covers: A12, A15
func TestChangeLinks(t *testing.T) {
	t.Parallel()
	dir, other := t.TempDir(), t.TempDir()
	write(t, filepath.Join(other, "x"), "x")
	c := disk(t)
	for _, to := range []string{other, filepath.Join(other, "x"), filepath.Join(other, "none")} {
		link := filepath.Join(dir, "link")
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
		wantCode(t, c.Remove(t.Context(), scheme.Request{URL: at(t, link+"/")}), scheme.CodeNotFound)
		wantTaken(t, c.MakeDir(t.Context(), scheme.Request{URL: at(t, link)}))
		wantTaken(t, c.Rename(t.Context(), scheme.Request{URL: at(t, filepath.Join(other, "x"))}, at(t, link)))
		if err := c.Rename(t.Context(), scheme.Request{URL: at(t, link)}, at(t, link+"2")); err != nil {
			t.Error(err)
		}
		if got, err := os.Readlink(link + "2"); err != nil || got != to {
			t.Errorf("the renamed link leads to %q, %v; want %q", got, err, to)
		}
		if err := c.Remove(t.Context(), scheme.Request{URL: at(t, link+"2")}); err != nil {
			t.Error(err)
		}
		holds(t, dir, nil)
	}
	holds(t, other, map[string]string{"x": "x"})
}

// Covers: A15
func TestRename(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := disk(t)
	rename := func(from, to string) error {
		return c.Rename(t.Context(), scheme.Request{URL: at(t, from)}, at(t, to))
	}
	for _, name := range []string{"full", "empty"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	file := write(t, filepath.Join(dir, "full", "x"), "x")
	write(t, filepath.Join(dir, "y"), "y")
	for _, to := range []string{dir + "/y", dir + "/empty", dir + "/full", file} {
		wantTaken(t, rename(file, to))
	}
	wantTaken(t, rename(dir+"/full", dir+"/empty"))
	wantCode(t, rename(dir+"/none", dir+"/z"), scheme.CodeNotFound)
	wantCode(t, rename(file, dir+"/none/z"), scheme.CodeNotFound)
	wantCode(t, rename(file, dir+"/z/"), scheme.CodeUsage)
	wantCode(t, rename(file+"/", dir+"/z"), scheme.CodeNotFound)
	if runtime.GOOS != "windows" {
		wantCode(t, rename(dir+"/full", dir+"/full/itself"), scheme.CodeLocal)
	}
	for _, step := range [][2]string{{file, dir + "/empty/x"}, {dir + "/empty/", dir + "/full/sub/"}, {dir + "/full", dir + "/moved"}} {
		if err := rename(step[0], step[1]); err != nil {
			t.Errorf("%s to %s: %v", step[0], step[1], err)
		}
	}
	holds(t, filepath.Join(dir, "moved", "sub"), map[string]string{"x": "x"})
	// file:///x and file://localhost/x are files of the same host.
	to, err := locator.Current.Parse("file://localhost/" + at(t, dir+"/moved/y").SchemePart()[len("///"):])
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Rename(t.Context(), scheme.Request{URL: at(t, dir+"/y")}, to); err != nil {
		t.Error(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "moved", "y")); err != nil || string(got) != "y" {
		t.Errorf("%q, %v", got, err)
	}
}

// Covers: A15
func TestMakeDir(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := disk(t)
	mkdir := func(path string) error { return c.MakeDir(t.Context(), scheme.Request{URL: at(t, path)}) }
	file := write(t, filepath.Join(dir, "x"), "x")
	for _, path := range []string{dir + "/a", dir + "/b/", dir + "/a/c"} {
		if err := mkdir(path); err != nil {
			t.Error(err)
		}
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			t.Errorf("%s: %v, %v", path, info, err)
		}
		wantTaken(t, mkdir(path))
	}
	wantTaken(t, mkdir(file))
	wantCode(t, mkdir(dir+"/none/a"), scheme.CodeNotFound)
	wantCode(t, mkdir(file+"/a"), scheme.CodeNotFound)
	wantCode(t, mkdir(dir+"/a/.."), scheme.CodeUsage)
}
