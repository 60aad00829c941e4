package download

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"locator/client"
	"locator/scheme"
)

// Update with Resume keeps a file that was changed here or that nobody has downloaded. It replaces
// the one that the download of the part was allowed to replace, if that has not changed since.
//
// Covers: A5
func TestContinueKeepsOthers(t *testing.T) {
	t.Parallel()
	when := time.Date(2010, 1, 2, 3, 4, 5, 0, time.UTC)
	write := func(f File, text string, at time.Time) {
		f.Root.WriteFile("name", []byte(text), 0o666)
		f.Root.Chtimes("name", at, at)
	}
	for name, test := range map[string]struct {
		prepare func(t *testing.T, s *source, f *File)
		kept    bool
	}{
		"no part": {func(_ *testing.T, _ *source, f *File) { write(*f, "mine", when) }, true},
		"part of an allowed download": {func(t *testing.T, s *source, f *File) {
			write(*f, "mine", when)
			s.cut(t, *f)
		}, false},
		"another size since then": {func(t *testing.T, s *source, f *File) {
			write(*f, "mine", when)
			s.cut(t, *f)
			write(*f, "other", when)
		}, true},
		"another time since then": {func(t *testing.T, s *source, f *File) {
			write(*f, "mine", when)
			s.cut(t, *f)
			write(*f, "mime", when.Add(time.Second))
		}, true},
		"none then": {func(t *testing.T, s *source, f *File) {
			s.cut(t, *f)
			write(*f, "mine", when)
		}, true},
		"with an index": {func(t *testing.T, s *source, f *File) {
			write(*f, "mine", when)
			f.remember = func(record) error { return nil }
			s.cut(t, *f)
		}, true},
	} {
		s, f := newSource(octets(2<<20)), place(t)
		test.prepare(t, s, &f)
		before, _ := f.Root.ReadFile("name")
		out, err := s.fetch(t, f, Options{Resume: true, Existing: Update})
		if got, _ := f.Root.ReadFile("name"); test.kept && (!errors.Is(err, ErrExist) || string(got) != string(before)) {
			t.Errorf("%s: %+v, %v, the file has %d bytes", name, out, err, len(got))
		} else if !test.kept && (err != nil || !out.Resumed || len(got) != 2<<20) {
			t.Errorf("%s: %+v, %v, the file has %d bytes", name, out, err, len(got))
		}
	}
}

// cut leaves a part of half of the resource.
func (s *source) cut(t *testing.T, f File) {
	t.Helper()
	s.turns = []turn{{cut: 1 << 20}}
	_, err := s.fetch(t, f, Options{})
	wantCode(t, err, scheme.CodeBroken)
}

// A file gets the exact time of the server. A later listing in another time zone and to the minute
// is compared with what the listing said then, so that the second run requests nothing; a listing
// that changed is noticed.
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
