package file_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"locator/client"
	"locator/scheme"
)

// Covers: A12
func TestList(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"b.txt", "a b", "50%", "caf\xe9", "x;y", "#", "new\nline"} {
		write(t, filepath.Join(dir, name), "x")
	}
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"to-file": "b.txt", "to-folder": "sub", "to-nowhere": "none"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	base := at(t, dir).Text() + "/"
	want := []string{
		"# object " + base + "%23", "50% object " + base + "50%25", "a b object " + base + "a%20b", "b.txt object " + base + "b.txt",
		"caf\xe9 object " + base + "caf%E9", "new\nline object " + base + "new%0Aline", "sub listing " + base + "sub/",
		"to-file object " + base + "to-file", "to-folder listing " + base + "to-folder/", "to-nowhere unknown " + base + "to-nowhere",
		"x;y object " + base + "x%3By",
	}
	for _, path := range []string{dir, dir + "/"} {
		for name, list := range map[string]func(c *client.Client, r scheme.Request) func(func(scheme.Entry, error) bool){
			"List": func(c *client.Client, r scheme.Request) func(func(scheme.Entry, error) bool) {
				return client.Entries(c.List(t.Context(), r, nil))
			},
			"Access": func(c *client.Client, r scheme.Request) func(func(scheme.Entry, error) bool) {
				res, err := c.Access(t.Context(), r, nil)
				if err != nil || res.Kind != scheme.KindListing {
					t.Fatalf("%+v, %v", res, err)
				}
				return res.Entries
			},
		} {
			var got []string
			for e, err := range list(disk(t), scheme.Request{URL: at(t, path)}) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, e.Name+" "+e.Kind.String()+" "+e.URL.Text())
				if e.Kind == scheme.KindObject && e.Attr.Size != scheme.Known(1) {
					t.Errorf("%s: %+v", e.Name, e.Attr)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s of %s:\n%q\nwant\n%q", name, path, got, want)
			}
		}
	}
}

// Covers: P6
func TestListLimits(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"a", "b", "c"} {
		write(t, filepath.Join(dir, name), "x")
	}
	for _, tt := range []struct {
		limit, most, entries int
		code                 scheme.Code
	}{
		{3, 0, 3, scheme.CodeOK}, {2, 0, 2, scheme.CodeBroken}, {2, 1, 1, scheme.CodeOK}, {10, 2, 2, scheme.CodeOK},
	} {
		c := disk(t, func(o *client.Options) { o.Limits.Entries = tt.limit })
		n := 0
		var failed error
		for _, err := range client.Entries(c.List(t.Context(), scheme.Request{URL: at(t, dir)}, &scheme.ListOptions{Max: tt.most})) {
			if failed = err; err == nil {
				n++
			}
		}
		if n != tt.entries {
			t.Errorf("%+v: %d entries", tt, n)
		}
		if tt.code != scheme.CodeOK {
			wantCode(t, failed, tt.code)
		} else if failed != nil {
			t.Errorf("%+v: %v", tt, failed)
		}
	}
}
