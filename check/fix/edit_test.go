package fix_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"locator"
	"locator/check"
	"locator/check/fix"
	"locator/find/search"
)

// change returns the change of a URL at all its places in files.
func change(t *testing.T, from, to string, names ...string) fix.Change {
	t.Helper()
	c := fix.Change{From: locator.Current.MustParse(from), To: locator.Current.MustParse(to)}
	for m, err := range (&search.Search{}).All(t.Context(), names...) {
		if err != nil {
			t.Fatal(err)
		}
		if m.Find.URL == from {
			c.Sites = append(c.Sites, check.Place{File: m.Text.Name, Line: m.Line, Column: m.Column})
		}
	}
	return c
}

// made is what an Editor did.
type made struct {
	n    int
	diff string
	left []string
}

func edit(t *testing.T, e *fix.Editor, changes ...fix.Change) (m made) {
	t.Helper()
	e.Diff = func(text []byte) error { m.diff += string(text); return nil }
	e.Left = func(at check.Place, reason error) { m.left = append(m.left, reason.Error()) }
	n, err := e.Apply(t.Context(), changes)
	if err != nil {
		t.Fatal(err)
	}
	m.n = n
	return m
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
}

func wants(t *testing.T, name, text string) {
	t.Helper()
	got, err := os.ReadFile(name)
	if err != nil || string(got) != text {
		t.Errorf("%s: %q, want %q, error %v", filepath.Base(name), got, text, err)
	}
}

const (
	from = "http://old.example/a"
	to   = "http://new.example/longer/b"
)

func TestApply(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct{ file, text, want, left string }{
		"text":              {"a.txt", "See " + from + ".\n", "See " + to + ".\n", ""},
		"CRLF":              {"a.txt", "x\r\nSee " + from + " now\r\nend\r\n", "x\r\nSee " + to + " now\r\nend\r\n", ""},
		"CR":                {"a.txt", "x\rSee " + from + " now\rend", "x\rSee " + to + " now\rend", ""},
		"mark":              {"a.txt", "\uFEFF" + from + "\n", "\uFEFF" + to + "\n", ""},
		"Latin-1":           {"a.txt", "caf\xe9 " + from + " caf\xe9\n", "caf\xe9 " + to + " caf\xe9\n", ""},
		"Latin-1 in HTML":   {"a.html", "<meta charset=iso-8859-1><p>caf\xe9 <a href='" + from + "'>caf\xe9</a>", "<meta charset=iso-8859-1><p>caf\xe9 <a href='" + to + "'>caf\xe9</a>", ""},
		"UTF-16":            {"a.txt", "\xff\xfe" + strings.Join(strings.Split("x "+from+" y", ""), "\x00") + "\x00", "", "line breaks"},
		"two on a line":     {"a.txt", from + "x " + from + " " + from + "/y\n", from + "x " + to + " " + from + "/y\n", ""},
		"twice on a line":   {"a.txt", from + " " + from + "\n", to + " " + to + "\n", ""},
		"fragment":          {"a.txt", from + "#part\n", to + "#part\n", ""},
		"Markdown":          {"a.md", "[" + from + "](" + from + " \"title\") and <" + from + ">\n\n[x]: " + from + "\n", "[" + to + "](" + to + " \"title\") and <" + to + ">\n\n[x]: " + to + "\n", ""},
		"wrapped":           {"a.txt", "<URL:" + from + ">\n", "<URL:" + to + ">\n", ""},
		"wrapped with line": {"a.txt", "<URL:http://old.example\n/a>\n", "", "line breaks"},
		"escaped in HTML":   {"a.html", "<a href='http://old.example&#47;a'>x</a>", "", "line breaks"},
		"no newline":        {"a.txt", from, to, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file := filepath.Join(dir, x.file)
			put(t, file, x.text)
			c := change(t, from, to, dir)
			if len(c.Sites) == 0 {
				t.Fatal("not found")
			}
			m := edit(t, &fix.Editor{Named: []string{dir}}, c)
			wants(t, file, x.text)
			if x.left == "" && (m.n != len(c.Sites) || len(m.left) > 0 || !strings.Contains(m.diff, "\n+") || !strings.Contains(m.diff, "+++ "+file+"\n@@ ")) {
				t.Errorf("shown: %+v", m)
			}
			m = edit(t, &fix.Editor{Named: []string{file}, Write: true}, c)
			if x.left != "" {
				x.want = x.text
				if m.n > 0 || len(m.left) == 0 || !strings.Contains(m.left[0], x.left) {
					t.Errorf("%+v", m)
				}
			}
			wants(t, file, x.want)
			in, err := os.Stat(file)
			if err != nil || in.Mode().Perm() != 0o640 {
				t.Errorf("mode %v, error %v", in.Mode(), err)
			}
			if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
				t.Errorf("%v, error %v", list, err)
			}
		})
	}
}

// A new URL that could mean more than a URL where it stands is not written.
func TestUnsafe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "a.sh")
	text := "curl " + from + "\n"
	put(t, file, text)
	for _, to := range []string{"http://h/;reboot", "http://h/$(reboot)", "http://h/a'b", "http://h/a)b", "http://h/a&b", "http://h/a*b"} {
		if m := edit(t, &fix.Editor{Named: []string{dir}, Write: true}, change(t, from, to, dir)); m.n != 0 || len(m.left) != 1 || m.diff != "" {
			t.Errorf("%s: %+v", to, m)
		}
	}
	wants(t, file, text)
	page := filepath.Join(dir, "a.html")
	put(t, page, "<a href='http://h/?a=1&b=2'>x</a>")
	if m := edit(t, &fix.Editor{Named: []string{dir}, Write: true}, change(t, "http://h/?a=1&b=2", "http://h/?a=1&copy", page)); m.n != 0 || len(m.left) != 1 {
		t.Errorf("an entity: %+v", m)
	}
}

// A file that has changed is not written, and those that are not to be written are not.
func TestLeft(t *testing.T) {
	t.Parallel()
	text := "x " + from + "\n"
	for name, x := range map[string]struct {
		before func(dir, file string) error
		left   string
	}{
		"changed":       {func(_, file string) error { return os.WriteFile(file, []byte("xx "+from+"\n"), 0o600) }, "has changed"},
		"longer":        {func(_, file string) error { return os.WriteFile(file, []byte("x "+from+"bc\n"), 0o600) }, "has changed"},
		"shorter":       {func(_, file string) error { return os.WriteFile(file, nil, 0o600) }, "has changed"},
		"removed":       {func(_, file string) error { return os.Remove(file) }, "no such file"},
		"read-only":     {func(_, file string) error { return os.Chmod(file, 0o444) }, "read-only"},
		"part":          {func(_, file string) error { return os.WriteFile(file+".part", []byte("mine"), 0o600) }, "in the way"},
		"hard link":     {func(dir, file string) error { return os.Link(file, dir+"x") }, "hard link"},
		"symbolic link": {func(dir, file string) error { return errors.Join(os.Rename(file, dir+"y"), os.Symlink(dir+"y", file)) }, "symbolic link"},
		"folder outside": {func(dir, file string) error {
			return errors.Join(os.Rename(filepath.Dir(file), dir+"z"), os.Symlink(dir+"z", filepath.Dir(file)))
		}, "escapes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "named")
			file := filepath.Join(dir, "sub", "a.txt")
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			put(t, file, text)
			c := change(t, from, to, dir)
			if err := x.before(dir, file); err != nil {
				t.Fatal(err)
			}
			before, _ := os.ReadFile(file)
			m := edit(t, &fix.Editor{Named: []string{dir}, Write: true}, c)
			if m.n != 0 || len(m.left) != 1 || !strings.Contains(m.left[0], x.left) {
				t.Errorf("%+v, want %s", m, x.left)
			}
			if after, err := os.ReadFile(file); err == nil && string(after) != string(before) || err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%q became %q, error %v", before, after, err)
			}
		})
	}
}

// Nothing outside of what was named is changed.
func TestOutside(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.txt"), filepath.Join(dir, "b.txt")
	put(t, a, from)
	put(t, b, from)
	c := change(t, from, to, dir)
	c.Sites = append(c.Sites, check.Place{File: "-", Line: 1, Column: 1}, check.Place{})
	if m := edit(t, &fix.Editor{Named: []string{a, "nothing"}, Write: true}, c); m.n != 1 || !slices.Equal(m.left, []string{"the file is not in what was named, or a symbolic link"}) {
		t.Errorf("%+v", m)
	}
	wants(t, a, to)
	wants(t, b, from)
}
