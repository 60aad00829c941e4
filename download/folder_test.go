package download

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// The names of servers become safe ones, and each is given once: two files never share a name, nor
// do a file and a folder, or a file and the part of another.
//
// Covers: P6, T39
func TestFolderNames(t *testing.T) {
	t.Parallel()
	f, err := OpenFolder(filepath.Join(t.TempDir(), "new"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	f.Portable = true
	u := parse(t, "x-tree://h/f")
	for _, test := range []struct{ name, want string }{
		{"a", "a"}, {"a", "a~2"}, {"A", "A~3"},
		{"sub|b", "sub/b"}, {"sub|c", "sub/c"}, {"sub|b", "sub/b~2"},
		{"sub", "sub~2"},                   // a file, beside the folder
		{"a|x", "a~4/x"}, {"a|y", "a~4/y"}, // a folder, beside the files
		{"b:|x", "b_/x"}, {"b?|x", "b_~2/x"}, {"b:|y", "b_/y"}, // two folders that look alike when they are safe
		{"..|x", "index/x"}, {"../../etc/passwd", "_._.._etc_passwd"}, {"CON", "_CON"}, {"x\x1b[2J", "x_[2J"},
		{"f.part", "f.part_"}, {"f", "f"}, {"F.PART.STATE", "F.PART.STATE_"}, {"f.part_", "f~2.part_"},
		{"g.part|x", "g.part_/x"}, {"g.part|y", "g.part_/y"}, {"g", "g"}, {"s.PART.state|x", "s.PART.state_/x"},
		{"", "index~2"}, {"caf\xe9", "caf_"},
	} {
		to, err := f.File(u, strings.Split(test.name, "|"))
		if err != nil || to.Path() != filepath.Join(f.path, test.want) {
			t.Errorf("%q gives %+v, %v; want %q", test.name, to, err, test.want)
		}
		if reserved(to.Name) {
			t.Errorf("%q may be the part of another file", to.Name)
		}
	}
	if _, err := f.File(u, append(slices.Repeat([]string{strings.Repeat("x", 150)}, 20), "y")); err == nil {
		t.Error("a path of 3,000 bytes is accepted")
	}
	if in, err := f.root.Stat("b_~2"); err != nil || !in.IsDir() {
		t.Errorf("a folder was not made: %v", err)
	}
}

// The folders of a tree stay open while files in them are in use, and few of them for longer.
// Errors name the folder.
//
// Covers: P6, T195
func TestOpenDirs(t *testing.T) {
	t.Parallel()
	f, err := OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var files []File
	for i := range 3 * maxIdleDirs {
		for _, name := range []string{"x", "y"} {
			to, err := f.File(parse(t, "x-tree://h/f"), []string{"a", fmt.Sprint(i), name})
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, to)
		}
	}
	if len(f.open) != 3*maxIdleDirs {
		t.Errorf("%d folders are open, and files go into %d", len(f.open), 3*maxIdleDirs)
	}
	for i, to := range files {
		_, err := Write(to, 0, func(w io.Writer) (int64, error) {
			n, err := io.WriteString(w, to.Path())
			return int64(n), err
		})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(to.Path()); string(got) != to.Path() || err != nil {
			t.Errorf("in %s stands %q, %v", to.Path(), got, err)
		}
		if to.Close(); i == len(files)/2 && len(f.open) < maxIdleDirs {
			t.Errorf("%d folders are open", len(f.open))
		}
	}
	if len(f.open) != maxIdleDirs {
		t.Errorf("%d folders are open, and no file goes into them; want %d", len(f.open), maxIdleDirs)
	}
	again, err := f.File(parse(t, "x-tree://h/f"), []string{"a", "0", "z"}) // closed or not
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if err := os.Mkdir(again.Path()+".part", 0o777); err != nil {
		t.Fatal(err)
	}
	_, err = Write(again, 0, func(io.Writer) (int64, error) { return 0, nil })
	if err == nil || !strings.Contains(err.Error(), "a/0/z.part exists") {
		t.Errorf("a folder in its place: %v", err)
	}
	gone, err := f.File(parse(t, "x-tree://h/f"), []string{"gone", "x"})
	if err != nil {
		t.Fatal(err)
	}
	defer gone.Close()
	if err := os.Remove(filepath.Dir(gone.Path())); err == nil { // not every system removes an open folder
		_, err = Write(gone, 0, func(io.Writer) (int64, error) { return 0, nil })
		if err == nil || !strings.Contains(err.Error(), "gone/x.part") {
			t.Errorf("the folder is gone: %v", err)
		}
	}
}

// No name leads out of the folder, not even through a link.
//
// Covers: P6, T37
func TestFolderBounds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.Symlink(t.TempDir(), filepath.Join(dir, "out")); err == nil { // not every system has links
		if to, err := f.File(parse(t, "x-tree://h/f"), []string{"out", "x"}); err == nil {
			t.Errorf("a link leads out of the folder: %+v", to)
		}
		if _, err := Write(File{Root: f.root, Name: "out/x"}, 0, nil); err == nil {
			t.Error("a link leads out of the folder")
		}
	}
}

// A name that was not used is given again, with and without an index.
func TestFolderUnused(t *testing.T) {
	t.Parallel()
	f := openFolder(t, t.TempDir())
	if err := f.UseIndex(); err != nil {
		t.Fatal(err)
	}
	u := parse(t, "x-tree://h/link")
	for i, unused := range []bool{true, false, true} {
		file, err := f.File(u, []string{"link"})
		if err != nil {
			t.Fatal(err)
		}
		if want := []string{"link", "link", "link~2"}[i]; file.Name != want {
			t.Errorf("%d: %s, want %s", i, file.Name, want)
		}
		file.Close()
		if unused {
			f.unused(file)
		}
	}
}

// Names are given in the order of Reserve, which holds no folder open.
func TestReserve(t *testing.T) {
	t.Parallel()
	f := openFolder(t, t.TempDir())
	var all []Reserved
	for i := range 100 {
		all = append(all, f.Reserve(parse(t, fmt.Sprintf("x-source:%d", i)), []string{fmt.Sprint("dir", i%50), "name"}))
	}
	if len(f.open) != 0 {
		t.Errorf("%d folders are open", len(f.open))
	}
	if list, _ := os.ReadDir(f.path); len(list) != 0 {
		t.Errorf("%d folders were made", len(list))
	}
	for i, r := range slices.Backward(all) {
		want := fmt.Sprintf("dir%d/name", i%50)
		if i >= 50 {
			want += "~2"
		}
		file, err := r.File()
		if err != nil || filepath.ToSlash(file.inFolder) != want {
			t.Errorf("%d: %s, %v; want %s", i, file.inFolder, err, want)
		}
		file.Close()
	}
}

// The guide to mirrors lists the names that change.
func TestNamesOfTheGuide(t *testing.T) {
	t.Parallel()
	for served, want := range map[string]string{".hidden": "_hidden", "-x": "_x", "--help": "_-help", "~user": "_user", "a\x1bb": "a_b", "...": "index", "---": "index", "~~": "index",
		"x.part": "x.part_", "x.part.state": "x.part.state_", "x.part.mode": "x.part.mode_", "a b; c$": "a b; c$", "end.": "end.", "CON": "CON", "x.partial": "x.partial"} {
		if runtime.GOOS == "windows" && (served == "end." || served == "CON") {
			continue
		}
		f := openFolder(t, t.TempDir())
		f.Portable = false
		if got := f.take("", served); got != want {
			t.Errorf("%q becomes %q, want %q", served, got, want)
		}
	}
}
