package peers

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestListed checks that test.sh installs every server that a test uses. A server that is not on its list would be
// installed while the tests run, within their time limits.
func TestListed(t *testing.T) {
	t.Parallel()
	script, err := find("test.sh")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, list := range regexp.MustCompile(`(?m)^(?:long_)?servers=\((.*?)\)`).FindAllSubmatch(text, -1) {
		listed = append(listed, strings.Fields(string(list[1]))...)
	}
	if len(listed) == 0 {
		t.Fatal("test.sh has no list of servers")
	}
	root := filepath.Dir(script)
	table, err := os.ReadFile(filepath.Join(root, "internal", "peers", "peers"))
	if err != nil {
		t.Fatal(err)
	}
	var known []string
	for _, m := range regexp.MustCompile(`(?m)^(?:table="| {7})([a-z]+) +[0-9]+(?: |$)`).FindAllSubmatch(table, -1) {
		known = append(known, string(m[1]))
	}
	if len(known) < 10 {
		t.Fatalf("read only %q from the table of internal/peers/peers", known)
	}
	for _, name := range listed {
		if !slices.Contains(known, name) {
			t.Errorf("test.sh lists %s, which internal/peers/peers does not know", name)
		}
	}
	if err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, "_test.go") || filepath.Dir(path) == filepath.Join(root, "internal", "peers") {
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(source, []byte(`"locator/internal/peers"`)) {
			return err
		}
		for _, name := range known {
			if !slices.Contains(listed, name) && bytes.Contains(source, []byte(`"`+name+`"`)) {
				t.Errorf("%s uses %s, which is not on the list of servers in test.sh", path, name)
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}
