package download

import (
	"os"
	"slices"
	"testing"
)

// A file is on disk before its name.
//
// Covers: P4
func TestOrder(t *testing.T) {
	t.Parallel()
	var got []string
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if _, err := newSource(octets(100)).fetch(t, File{Root: root, Name: "name", Sync: true, step: func(call, name string) { got = append(got, call+" "+name) }}, Options{}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, []string{"sync name.part", "rename name", "syncdir ."}) {
		t.Errorf("a download: %q", got)
	}
}
