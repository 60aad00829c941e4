package waisserver

import (
	"errors"
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"
	"time"
)

// partly is a folder of which some cannot be read.
type partly struct{ fstest.MapFS }

func (p partly) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == "closed" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return p.MapFS.ReadDir(name)
}

// A folder or file that cannot be read is left out and reported.
//
// Covers: A11
func TestUnreadable(t *testing.T) {
	t.Parallel()
	folder := partly{fstest.MapFS{"a.txt": {Data: []byte("a")}, "closed/b.txt": {}, "secret.txt": {}, "sub/c.txt": {}, ".git/x": {}, "link": {Mode: fs.ModeSymlink}}}
	var skipped []error
	files, err := walk(folder, func(name string) (Content, error) {
		if name == "secret.txt" {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
		}
		return inMemory{}, nil
	}, func(err error) { skipped = append(skipped, err) })
	var got []string
	for _, f := range files {
		got = append(got, f.Name)
	}
	if want := []string{"a.txt", "sub/c.txt"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	if len(skipped) != 2 || !errors.Is(skipped[0], fs.ErrPermission) || !errors.Is(skipped[1], fs.ErrPermission) {
		t.Errorf("skipped %v", skipped)
	}
}

// A file that vanishes before it is indexed is reported, and does not keep the server from
// starting.
//
// Covers: A11
func TestVanished(t *testing.T) {
	t.Parallel()
	gone := File{Name: "gone.txt", Size: 4, Open: func() (Content, error) { return nil, fs.ErrNotExist }}
	var unread []error
	db, err := newDatabase("db", []File{gone, Memory("here.txt", "heron", time.Time{})}, func(err error) { unread = append(unread, err) })
	if err != nil || len(unread) != 1 || unread[0].Error() != "read gone.txt: file does not exist" {
		t.Fatal(err, unread)
	}
	if found, err := db.search("heron"); err != nil || len(db.rank(found)) != 1 {
		t.Errorf("%v, %v", found, err)
	}
	if _, err := NewDatabase("db", []File{gone}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
