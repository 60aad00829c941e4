package file_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"locator/scheme"
)

func body(text string) scheme.Body {
	return scheme.Body{Reader: strings.NewReader(text), Size: scheme.Known(int64(len(text)))}
}

// holds checks that a folder contains exactly these files, and no partial one.
func holds(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if _, ok := want[e.Name()]; !ok {
			t.Errorf("%s is left over", e.Name())
		}
	}
	for name, content := range want {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != content {
			t.Errorf("%s holds %.40q, %v; want %.40q", name, got, err, content)
		}
	}
}

var errSource = errors.New("the source fails")

type failing struct{ text string }

func (f *failing) Read(p []byte) (int, error) {
	if f.text == "" {
		return 0, errSource
	}
	n := copy(p, f.text)
	f.text = f.text[n:]
	return n, nil
}

// Covers: A15
func TestReplace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := write(t, filepath.Join(dir, "a.txt"), "old")
	if err := os.Chmod(path, 0o750); err != nil {
		t.Fatal(err)
	}
	c := disk(t)
	u := at(t, path)
	for _, b := range []scheme.Body{
		{Reader: &failing{"half"}, Size: scheme.Known(8)}, {Reader: &failing{"half"}},
		{Reader: strings.NewReader("short"), Size: scheme.Known(8)}, {Reader: strings.NewReader("too long"), Size: scheme.Known(3)},
	} {
		_, err := c.Replace(t.Context(), scheme.Request{URL: u}, b, nil)
		wantCode(t, err, scheme.CodeLocal)
		holds(t, dir, map[string]string{"a.txt": "old"})
	}
	res, err := c.Replace(t.Context(), scheme.Request{URL: u}, body("new"), nil)
	if err != nil || res.URL != u || res.Attr.Size != scheme.Known(3) {
		t.Fatalf("%+v, %v", res, err)
	}
	res.Close()
	holds(t, dir, map[string]string{"a.txt": "new"})
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o750 {
		t.Errorf("the rights of the old file are lost: %v, %v", info.Mode(), err)
	}
	// A reader that has the old file open still reads all of it.
	old, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	if _, err := c.Replace(t.Context(), scheme.Request{URL: u}, body("newer"), nil); err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(old); err != nil || string(got) != "new" {
		t.Errorf("a reader of the old file sees %q, %v", got, err)
	}
	long := strings.Repeat("x", 250)
	if _, err := c.Replace(t.Context(), scheme.Request{URL: at(t, filepath.Join(dir, long))}, body("x"), nil); err != nil {
		t.Errorf("a long name: %v", err)
	}
}

// Covers: A15
func TestReplaceFollowsLinks(t *testing.T) {
	t.Parallel()
	dir, other := t.TempDir(), t.TempDir()
	write(t, filepath.Join(other, "real.txt"), "old")
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(other, "real.txt"), link); err != nil {
		t.Fatal(err)
	}
	if _, err := disk(t).Replace(t.Context(), scheme.Request{URL: at(t, link)}, body("new"), nil); err != nil {
		t.Fatal(err)
	}
	holds(t, other, map[string]string{"real.txt": "new"})
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
	if err := os.Remove(filepath.Join(other, "real.txt")); err != nil {
		t.Fatal(err)
	}
	_, err := disk(t).Replace(t.Context(), scheme.Request{URL: at(t, link)}, body("new"), nil)
	wantCode(t, err, scheme.CodeNotFound)
}

// Covers: A15
func TestUpdate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	c := disk(t)
	u := at(t, path)
	for i, text := range []string{"one\n", "", "two\n"} {
		if _, err := c.Update(t.Context(), scheme.Request{URL: u}, body(text), nil); err != nil {
			t.Fatalf("%d: %v", i, err)
		}
	}
	holds(t, dir, map[string]string{"a.txt": "one\ntwo\n"})
	_, err := c.Update(t.Context(), scheme.Request{URL: u}, scheme.Body{Reader: &failing{"half"}}, nil)
	wantCode(t, err, scheme.CodeLocal)
	if !errors.Is(err, errSource) {
		t.Errorf("the cause is lost: %v", err)
	}
	holds(t, dir, map[string]string{"a.txt": "one\ntwo\n"})
	// If another process has appended to the file, it is not truncated, and the error says so.
	_, err = c.Update(t.Context(), scheme.Request{URL: u}, scheme.Body{Reader: io.MultiReader(strings.NewReader("half"), &meddler{t, path})}, nil)
	wantCode(t, err, scheme.CodeLocal)
	if !strings.Contains(err.Error(), "may have 4 bytes") {
		t.Errorf("the error does not say what was left behind: %v", err)
	}
	holds(t, dir, map[string]string{"a.txt": "one\ntwo\nhalfother"})
}

// meddler is a body that appends to the file itself and then fails.
type meddler struct {
	t    *testing.T
	path string
}

func (m *meddler) Read([]byte) (int, error) {
	f, err := os.OpenFile(m.path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		m.t.Error(err)
		return 0, err
	}
	defer f.Close()
	if _, err := f.WriteString("other"); err != nil {
		m.t.Error(err)
	}
	return 0, errSource
}

// Covers: A15
func TestWriteErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.txt"), "old")
	c := disk(t)
	for _, tt := range []struct {
		path   string
		create bool
		code   scheme.Code
		want   string
	}{
		{dir, false, scheme.CodeUsage, "folder"},
		{dir + "/", false, scheme.CodeUsage, "folder"},
		{dir + "/..", false, scheme.CodeUsage, "folder"},
		{dir + "/none/b.txt", false, scheme.CodeNotFound, dir + "/none/"},
		{dir + "/a.txt/b.txt", true, scheme.CodeNotFound, ""},
		{dir + "/" + strings.Repeat("x", 300), false, scheme.CodeNotFound, ""},
	} {
		for _, do := range []func(context.Context, scheme.Request, scheme.Body, *scheme.WriteOptions) (*scheme.Resource, error){c.Replace, c.Update} {
			_, err := do(t.Context(), scheme.Request{URL: at(t, tt.path)}, body("x"), &scheme.WriteOptions{CreateDirs: tt.create})
			wantCode(t, err, tt.code)
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: the error does not contain %q: %v", tt.path, tt.want, err)
			}
		}
	}
	holds(t, dir, map[string]string{"a.txt": "old"})
	for i, do := range []func(context.Context, scheme.Request, scheme.Body, *scheme.WriteOptions) (*scheme.Resource, error){c.Replace, c.Update} {
		path := filepath.Join(dir, "made"+string(rune('0'+i)), "deep", "b.txt")
		if _, err := do(t.Context(), scheme.Request{URL: at(t, path)}, body("x"), &scheme.WriteOptions{CreateDirs: true}); err != nil {
			t.Error(err)
		}
		holds(t, filepath.Dir(path), map[string]string{"b.txt": "x"})
	}
}

// A blocked source does not delay cancellation, and no file is left behind.
//
// Covers: P6
func TestWriteFromSilence(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := write(t, filepath.Join(dir, "a.txt"), "old")
	c := disk(t)
	for _, do := range []func(context.Context, scheme.Request, scheme.Body, *scheme.WriteOptions) (*scheme.Resource, error){c.Replace, c.Update} {
		ctx, cancel := context.WithCancel(t.Context())
		silence, end := io.Pipe()
		done := make(chan error, 1)
		go func() {
			_, err := do(ctx, scheme.Request{URL: at(t, path)}, scheme.Body{Reader: silence}, nil)
			done <- err
		}()
		end.Write([]byte("half")) // returns when it was read
		cancel()
		wantCode(t, <-done, scheme.CodeInterrupted)
		end.Close()
	}
	holds(t, dir, map[string]string{"a.txt": "old"})
}
