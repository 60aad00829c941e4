package filetree_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"locator/internal/filetree"
)

// tree makes a folder with files, whose text is their name or what follows a "=". A name that ends
// in "/" is a folder, and "a -> b" is a link.
func tree(t *testing.T, names ...string) string {
	t.Helper()
	root := t.TempDir()
	for _, name := range names {
		name, text, _ := strings.Cut(name, "=")
		link, target, isLink := strings.Cut(name, " -> ")
		full := filepath.Join(root, filepath.FromSlash(link))
		err := os.MkdirAll(filepath.Dir(full), 0o755)
		switch {
		case err != nil:
		case isLink:
			err = os.Symlink(target, full)
		case strings.HasSuffix(name, "/"):
			err = os.MkdirAll(full, 0o755)
		default:
			err = os.WriteFile(full, []byte(strings.ReplaceAll(text, ",", "\n")), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// walk returns the paths of the files that a walk visits, and what it reports.
func walk(t *testing.T, root string, o filetree.Options) (files, reports []string) {
	t.Helper()
	rel := func(name string) string {
		path, err := filepath.Rel(root, name)
		if err != nil {
			t.Fatal(err)
		}
		return filepath.ToSlash(path)
	}
	o.Skipped = func(name, reason string) { reports = append(reports, rel(name)+": "+reason) }
	o.Failed = func(name string, err error) {
		var at *fs.PathError
		if !errors.As(err, &at) {
			t.Errorf("%s: %v is no PathError", name, err)
		}
		reports = append(reports, rel(name)+": "+at.Err.Error())
	}
	filetree.Walk(t.Context(), root, o, func(name string) bool {
		files = append(files, rel(name))
		return true
	})
	return files, reports
}

func TestWalk(t *testing.T) {
	t.Parallel()
	all := []string{
		"b", "a", "a.d/x", "a/", ".hidden", ".h/x", "B/c", "z/y/x/w", "empty/", "out -> b", "dir -> z", "loop/self -> ..", "broken -> nothing",
		".git/config", "k.o", ".gitignore=*.log,*.o,/z/y/x", "e.log", "sub/f.log", ".ignore=!e.log,secret", "secret",
		"inner/.git/HEAD", "inner/g.log", "inner/h.o",
	}
	all = slices.DeleteFunc(all, func(s string) bool { return s == "a/" })
	root := tree(t, all...)
	for _, c := range []struct {
		name          string
		o             filetree.Options
		files, report string
	}{
		{"default", filetree.Options{}, "B/c a a.d/x b e.log inner/g.log inner/h.o", "broken: symbolic link, dir: symbolic link, loop/self: symbolic link, out: symbolic link"},
		{"hidden", filetree.Options{Hidden: true}, ".gitignore .h/x .hidden .ignore B/c a a.d/x b e.log inner/g.log inner/h.o", ""},
		{"no ignore", filetree.Options{NoIgnore: true}, "B/c a a.d/x b e.log inner/g.log inner/h.o k.o secret sub/f.log z/y/x/w", ""},
		{"depth", filetree.Options{NoIgnore: true, Depth: 1}, "B/c a a.d/x b e.log inner/g.log inner/h.o k.o secret sub/f.log", ""},
		{"want", filetree.Options{Want: func(p string) bool { return strings.HasSuffix(p, "x") }}, "a.d/x", ""},
		{"enter", filetree.Options{Enter: func(p string) bool { return p == "z" || p == "z/y" }, NoIgnore: true}, "a b e.log k.o secret", ""},
		{"follow", filetree.Options{Follow: true, NoIgnore: true, Enter: func(p string) bool { return p != "inner" && p != "z" && p != "a.d" }},
			"B/c a b dir/y/x/w e.log k.o out secret sub/f.log", "broken: no such file or directory, loop/self: symbolic link to a folder that contains it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			files, reports := walk(t, root, c.o)
			if got := strings.Join(files, " "); got != c.files {
				t.Errorf("visits %s\nwant   %s", got, c.files)
			}
			if got := strings.Join(reports, ", "); c.report != "" && got != c.report {
				t.Errorf("reports %s\nwant    %s", got, c.report)
			}
		})
	}
}

// A folder within a work tree obeys the rules of the folders above.
func TestWalkBelowRules(t *testing.T) {
	t.Parallel()
	root := tree(t, ".git/HEAD", ".gitignore=*.log,/a/b/c", ".ignore=x", "a/b/c", "a/b/d", "a/b/e.log", "a/b/x", "a/.ignore=!x")
	files, _ := walk(t, filepath.Join(root, "a", "b"), filetree.Options{})
	if got := strings.Join(files, " "); got != "d x" {
		t.Errorf("visits %s, want d x", got)
	}
}

// Walk reports files that cannot be read, and visits the others.
func TestWalkUnreadable(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 {
		files, reports := walk(t, filepath.Join(t.TempDir(), "nothing"), filetree.Options{})
		if files != nil || len(reports) != 1 || !strings.Contains(reports[0], "no such file") {
			t.Error(files, reports)
		}
		return
	}
	root := tree(t, "a", "b/c", "d")
	if err := os.Chmod(filepath.Join(root, "b"), 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(filepath.Join(root, "b"), 0o755)
	files, reports := walk(t, root, filetree.Options{})
	if fmt.Sprint(files) != "[a d]" || len(reports) != 1 {
		t.Error(files, reports)
	}
}

// A walk ends when visit says so.
func TestWalkStops(t *testing.T) {
	t.Parallel()
	root := tree(t, "a/b/c", "a/b/d", "a/e", "f")
	n := 0
	filetree.Walk(t.Context(), root, filetree.Options{}, func(string) bool { n++; return false })
	if n != 1 {
		t.Errorf("%d files are visited after the first", n-1)
	}
}

// A file with too many rules is reported and not used, also if only those of all folders together
// are too many.
//
// Covers: P6
func TestWalkManyRules(t *testing.T) {
	t.Parallel()
	var names []string
	for i := range 20 {
		names = append(names, strings.Repeat("d/", i)+"f", strings.Repeat("d/", i)+".ignore="+strings.Repeat("xy,", 50_000))
	}
	files, reports := walk(t, tree(t, names...), filetree.Options{})
	if len(files) != 20 || len(reports) < 10 || len(reports) == 20 || !strings.Contains(reports[0], "d/.ignore: too many ignore rules") {
		t.Errorf("%d files, %d reports %.100q", len(files), len(reports), reports)
	}
	large := ".ignore=,,," + strings.Repeat("fxx,", 1<<20) // the first 4 MiB end in "f"
	files, reports = walk(t, tree(t, "f", "x", large), filetree.Options{})
	if strings.Join(files, " ") != "f x" || len(reports) != 1 {
		t.Errorf("%q, %.100q", files, reports)
	}
}
