package download

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"locator/client"
	"locator/scheme"
)

// A file gets the exact time of the server. A later listing in another time zone and to the minute is compared with what the
// listing said then, so that the second run requests nothing; a listing that changed is noticed.
//
// Covers: A5
func TestListedTime(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := newSource([]byte("text"))
	c := s.client()
	defer c.Close()
	listed := s.modified.Add(3*time.Hour + 40*time.Second).Truncate(time.Minute)
	run := func(listed time.Time) Outcome {
		t.Helper()
		to, err := OpenFolder(dir)
		if err == nil {
			err = to.UseIndex()
		}
		if err != nil {
			t.Fatal(err)
		}
		defer to.Close()
		f, err := to.File(s.request(t).URL, []string{"name"})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		out, err := Fetch(t.Context(), c, s.request(t), f, Options{Existing: Update, Access: scheme.AccessOptions{
			Known: scheme.Attr{Size: scheme.Known(4), Modified: listed, Precision: time.Minute}}})
		if client.CodeOf(err) != scheme.CodeOK {
			t.Fatal(err)
		}
		return out
	}
	if out := run(listed); out.UpToDate || !s.asked[0].Detail {
		t.Errorf("%+v, %+v", out, s.asked)
	}
	if in, err := os.Stat(filepath.Join(dir, "name")); err != nil || !in.ModTime().Equal(s.modified) {
		t.Errorf("%v, %v, want %v", in.ModTime(), err, s.modified)
	}
	if out := run(listed); !out.UpToDate || len(s.asked) != 1 {
		t.Errorf("the second run: %+v, %d accesses", out, len(s.asked))
	}
	if out := run(listed.Add(time.Minute)); out.UpToDate || len(s.asked) != 2 {
		t.Errorf("after a change: %+v, %d accesses", out, len(s.asked))
	}
}
