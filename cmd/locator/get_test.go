package main

import (
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/time/rate"

	"locator"
	"locator/client"
	"locator/download"
	"locator/scheme"
	"locator/scheme/all"
)

// Names of peers become safe ones, each for one thing: two files never share a name, nor a file and a folder, nor a file
// and the part of another.
//
// Covers: P6
func TestFolderNames(t *testing.T) {
	t.Parallel()
	f, err := openFolder(filepath.Join(t.TempDir(), "new"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	for _, test := range []struct{ peer, want string }{
		{"a", "a"}, {"a", "a~2"}, {"A", "A~3"},
		{"sub|b", "sub/b"}, {"sub|c", "sub/c"}, {"sub|b", "sub/b~2"},
		{"sub", "sub~2"},                   // a file, beside the folder
		{"a|x", "a~4/x"}, {"a|y", "a~4/y"}, // a folder, beside the files
		{"b:|x", "b_/x"}, {"b?|x", "b_~2/x"}, {"b:|y", "b_/y"}, // two folders that look alike when they are safe
		{"..|x", "index/x"}, {"../../etc/passwd", "_._.._etc_passwd"}, {"CON", "_CON"}, {"x\x1b[2J", "x_[2J"},
		{"f.part", "f.part_"}, {"f", "f"}, {"F.PART.STATE", "F.PART.STATE_"}, {"f.part_", "f~2.part_"},
		{"", "index~2"}, {"caf\xe9", "caf_"},
	} {
		to, err := f.file(strings.Split(test.peer, "|"), false)
		if err != nil || path.Join(to.file.Dir, to.file.Name) != test.want {
			t.Errorf("%q gives %+v, %v; want %q", test.peer, to.file, err, test.want)
		}
		if download.Reserved(to.file.Name) {
			t.Errorf("%q may be the part of another file", to.file.Name)
		}
	}
	if _, err := f.file(append(slices.Repeat([]string{strings.Repeat("x", 150)}, 20), "y"), false); err == nil {
		t.Error("a path of 3,000 octets is taken")
	}
	if in, err := f.root.Stat("b_~2"); err != nil || !in.IsDir() {
		t.Errorf("a folder was not made: %v", err)
	}
}

// The folders of a tree stay open while files go into them, and few for longer; what goes wrong in one is told with its name.
//
// Covers: P6
func TestFolderBelow(t *testing.T) {
	t.Parallel()
	f, err := openFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	var places []place
	for i := range 3 * maxBelow {
		for _, name := range []string{"x", "y"} {
			to, err := f.file([]string{"a", fmt.Sprint(i), name}, false)
			if err != nil {
				t.Fatal(err)
			}
			places = append(places, to)
		}
	}
	if len(f.below) != 3*maxBelow {
		t.Errorf("%d folders are open, and files go into %d", len(f.below), 3*maxBelow)
	}
	for i, to := range places {
		_, err := download.Write(*to.file, func(w io.Writer) (int64, error) {
			n, err := io.WriteString(w, to.shown)
			return int64(n), err
		})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(to.shown); string(got) != to.shown || err != nil {
			t.Errorf("in %s stands %q, %v", to.shown, got, err)
		}
		if to.release(); i == len(places)/2 && len(f.below) < maxBelow {
			t.Errorf("%d folders are open", len(f.below))
		}
	}
	if len(f.below) != maxBelow {
		t.Errorf("%d folders are open, and no file goes into them; want %d", len(f.below), maxBelow)
	}
	again, err := f.file([]string{"a", "0", "z"}, false) // closed or not
	if err != nil {
		t.Fatal(err)
	}
	defer again.release()
	if err := os.Mkdir(again.shown+".part", 0o777); err != nil {
		t.Fatal(err)
	}
	_, err = download.Write(*again.file, func(io.Writer) (int64, error) { return 0, nil })
	if err == nil || !strings.Contains(err.Error(), "a/0/z.part is there") {
		t.Errorf("a folder in its place: %v", err)
	}
	gone, err := f.file([]string{"gone", "x"}, false)
	if err != nil {
		t.Fatal(err)
	}
	defer gone.release()
	if err := os.Remove(filepath.Dir(gone.shown)); err == nil { // not every system removes an open folder
		_, err = download.Write(*gone.file, func(io.Writer) (int64, error) { return 0, nil })
		if err == nil || !strings.Contains(err.Error(), "gone/x.part") {
			t.Errorf("the folder is gone: %v", err)
		}
	}
}

// Thousands of names that come to one are told apart, and soon.
//
// Covers: P6
func TestFolderManyAlike(t *testing.T) {
	t.Parallel()
	f, err := openFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	seen := make(map[string]bool)
	for range 20_000 {
		to, err := f.file([]string{strings.Repeat("long", 80) + ".txt"}, true)
		if err != nil || seen[to.file.Name] {
			t.Fatalf("%+v, %v: %d names before", to, err, len(seen))
		}
		seen[to.file.Name] = true
	}
}

// A file of an earlier run is not replaced unless it may be; no name leads out of the folder, not by a link either.
//
// Covers: P6
func TestFolderKeeps(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "old"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := openFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	if _, err := f.file([]string{"old"}, false); err == nil || !strings.Contains(err.Error(), "--force") {
		t.Errorf("a file of an earlier run may be replaced: %v", err)
	}
	if err := os.Symlink(t.TempDir(), filepath.Join(dir, "out")); err == nil { // not every system has links
		if to, err := f.file([]string{"out", "x"}, true); err == nil {
			t.Errorf("a link leads out of the folder: %+v", to.file)
		}
		if _, err := download.Write(download.File{Root: f.root, Name: "out/x"}, nil); err == nil {
			t.Error("a link leads out of the folder")
		}
	}
	g, err := openFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer g.close()
	if to, err := g.file([]string{"old"}, true); err != nil || to.file.Name != "old" {
		t.Errorf("%+v, %v", to, err)
	}
}

func TestParseRate(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]rate.Limit{
		"1": 1, "500": 500, "500K": 500 << 10, "2m": 2 << 20, "1G": 1 << 30, "3KB": 3 << 10, "7b": 7,
		"": 0, "0": -1, "-1": -1, "K": -1, "1.5M": -1, "1KK": -1, "1 M": -1, "M1": -1, "1T": -1, "99999999999999": -1,
	} {
		l, err := parseRate(text)
		switch {
		case want < 0:
			if err == nil {
				t.Errorf("%q is taken", text)
			}
		case want == 0:
			if l != nil || err != nil {
				t.Errorf("%q: %v, %v", text, l, err)
			}
		case err != nil || l.Limit() != want || l.Burst() > 64<<10 || l.Burst() < 1:
			t.Errorf("%q: %v, %v, want %v", text, l, err, want)
		}
	}
}

func TestRecursionPatterns(t *testing.T) {
	t.Parallel()
	r := recursion{on: true, include: []string{"*.txt", "docs/**"}, exclude: []string{"**/old", "*~", "x/{a,b}.txt"}}
	if err := r.check(); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{
		"a.txt": true, "sub/a.txt": true, "a.bin": false, "docs/a.bin": true, "docs/b/c.bin": true, "docs": true,
		"a.txt~": false, "x/a.txt": false, "x/c.txt": true, "old": false, "sub/old": false,
	} {
		if got := r.wants(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
	for _, bad := range []recursion{{on: true, include: []string{"[a"}}, {on: true, depth: -1}, {depth: 2}, {include: []string{"*"}}, {noRobots: true}} {
		if err := bad.check(); err == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
}

func TestGetUsage(t *testing.T) {
	t.Parallel()
	sum := strings.Repeat("0a", 32)
	for _, args := range [][]string{
		{"--sha256", sum, "x:y"}, {"--sha256", "abc", "-o", "f", "x:y"}, {"--sha256", sum[1:] + "g", "-o", "f", "x:y"},
		{"--sha256", sum, "-r", "x:y"}, {"--continue", "x:y"}, {"--if-newer", "x:y"}, {"--retries", "-1", "x:y"},
		{"--parallel", "0", "x:y"}, {"--per-host", "0", "x:y"}, {"-o", "f", "-r", "x:y"}, {"--limit-rate", "fast", "x:y"},
		{"-r", "--depth", "-1", "x:y"}, {"-r", "--include", "{", "x:y"},
	} {
		if _, errs, status := runText(t, "", append([]string{"get"}, args...)...); status != scheme.CodeUsage.Exit() {
			t.Errorf("%q: status %d, %s", args, status, errs)
		}
	}
}

func TestSizes(t *testing.T) {
	t.Parallel()
	var got []string
	for _, n := range []int64{0, 1, 1023, 1024, 1 << 20, 5<<30 + 1<<29} {
		got = append(got, size(n))
	}
	if want := []string{"0 octets", "1 octets", "1023 octets", "1.0 KiB", "1.0 MiB", "5.5 GiB"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// With --decode a file has the name of what is taken out of it, whatever syntax read the URL.
func TestUnwrapped(t *testing.T) {
	t.Parallel()
	for _, syntax := range []*locator.Parser{locator.RFC1738, locator.Current} {
		a := &app{}
		c := client.New(client.Options{Registry: all.Registry(), Syntax: syntax})
		defer c.Close()
		for text, want := range map[string]string{
			"gopher://h/4/a.hqx": "a", "gophers://h/6/a.uu": "a", "gophers://h/0/a.uu": "a.uu", "gophers://h/6/.uu": ".uu", "ftps://h/a.uu": "a.uu",
		} {
			u, err := a.read(c, text)
			if got := c.FileName(u, true); err != nil || got != want {
				t.Errorf("%s: %s: %q, %v; want %q", syntax.Name(), text, got, err, want)
			}
		}
	}
}

func TestFileName(t *testing.T) {
	t.Parallel()
	c := client.New(client.Options{Registry: all.Registry()})
	defer c.Close()
	for text, want := range map[string]string{
		"ftp://h/a/b;type=i": "b", "ftps://h/a/b%2Fc;type=a": "b/c", "ftps://h/a/;type=d": "a", "ftps://h": "", "http://h/a/b;type=i": "b;type=i", "gopher://h/0/x%20y": "x y",
	} {
		u, err := locator.Current.Parse(text)
		if got := c.FileName(u, false); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", text, got, err, want)
		}
	}
}
