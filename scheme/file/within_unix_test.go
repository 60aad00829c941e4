//go:build unix

package file_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"locator/client"
	"locator/scheme"
	"locator/tree"
)

// With Within, links and ".." cannot leave the tree. Without it, they are followed as by the system.
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
