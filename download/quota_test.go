package download

import (
	"errors"
	"fmt"
	"os"
	"testing"
	"testing/synctest"

	"locator/scheme"
	"locator/transfer"
)

// A quota ends a file whose announced size is over it before its first byte, and any other at the first byte over it. What a
// retry or a later run stores again counts once.
//
// Covers: P6, T85
func TestQuota(t *testing.T) {
	t.Parallel()
	s, f := newSource(octets(1<<20)), place(t)
	if _, err := s.fetch(t, f, Options{Quota: transfer.NewQuota(1<<20 - 1), Retries: 3}); !errors.Is(err, transfer.ErrQuota) || len(s.asked) != 1 {
		t.Errorf("an announced size: %v, after %d requests", err, len(s.asked))
	} else {
		wantCode(t, err, scheme.CodeBroken)
	}
	wantFiles(t, f)

	synctest.Test(t, func(t *testing.T) {
		s, f := newSource(octets(1<<20)), place(t)
		s.turns = []turn{{cut: 900 << 10}, {cut: 950 << 10}}
		if _, err := s.fetch(t, f, Options{Quota: transfer.NewQuota(1 << 20), Retries: 2}); err != nil {
			t.Errorf("a file that just fits, in three parts: %v", err)
		}
		wantWhole(t, f, s.content)
	})

	s, f = newSource(octets(1<<20)), place(t)
	s.turns = []turn{{cut: 900 << 10}}
	s.fetch(t, f, Options{})
	if _, err := s.fetch(t, f, Options{Resume: true, Quota: transfer.NewQuota(1<<20 - 1)}); !errors.Is(err, transfer.ErrQuota) {
		t.Errorf("a part of an earlier run does not count: %v", err)
	}
}

// Mirror begins no file after its quota has refused a byte, and deletes nothing.
//
// Covers: P6, T85
func TestQuotaOfMirror(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tr := fixedTree{
		"/":  {entries: []scheme.Entry{entry(t, "/c"), entry(t, "/a"), entry(t, "/b"), entry(t, "/d")}},
		"/a": {body: "1234"}, "/b": {body: "5678"}, "/c": {body: "9"}, "/d": {body: "0"},
	}
	c, r := newTreeClient(t, tr), scheme.Request{URL: parse(t, "x-tree://h/")}
	err := Mirror(t.Context(), c, r, openFolder(t, dir), MirrorOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b", "d"} {
		if err := os.Remove(dir + "/" + name); err != nil {
			t.Fatal(err)
		}
	}
	tr["/"] = node{entries: tr["/"].entries[1:]} // c is gone
	err = Mirror(t.Context(), c, r, openFolder(t, dir), MirrorOptions{Delete: true, Options: Options{Quota: transfer.NewQuota(6), Existing: Sync}})
	if !errors.Is(err, transfer.ErrQuota) {
		t.Errorf("%v, want %v", err, transfer.ErrQuota)
	}
	got := files(t, dir)
	delete(got, IndexName)
	if got["a"] != "1234" || got["b.part"] != "56" || got["c"] != "9" || len(got) != 3 {
		t.Errorf("files %q", got)
	}
}

// Empty files count too: their names are in the index and in folders. Files of an earlier run do not count again.
//
// Covers: P6, T114
func TestQuotaOfNames(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	root, tr := node{}, fixedTree{}
	for i := range 20 {
		path := fmt.Sprintf("/%02d", i)
		root.entries = append(root.entries, entry(t, path))
		tr[path] = node{body: ""}
	}
	tr["/"] = root
	c, r := newTreeClient(t, tr), scheme.Request{URL: parse(t, "x-tree://h/")}
	mirror := func(names int64) error {
		q := quotaOf(t, 1000, names)
		to := openFolder(t, dir)
		if err := to.UseIndex(); err != nil {
			t.Fatal(err)
		}
		return Mirror(t.Context(), c, r, to, MirrorOptions{Options: Options{Quota: q, Existing: Sync}})
	}
	err := mirror(3000)
	wantCode(t, err, scheme.CodeBroken)
	if got := len(files(t, dir)); !errors.Is(err, transfer.ErrQuota) || got < 5 || got > 13 {
		t.Errorf("%v, %d files", err, got)
	}
	if err := mirror(6000); err != nil {
		t.Error(err)
	}
	if err := mirror(100); err != nil {
		t.Errorf("nothing is new: %v", err)
	}
}

// quotaOf returns a quota of limit bytes that has so many bytes left for names, each of which costs 256 more.
func quotaOf(t *testing.T, limit, names int64) *transfer.Quota {
	t.Helper()
	q := transfer.NewQuota(limit)
	if err := q.AddName(int(limit + 32<<20 - names - 256)); err != nil {
		t.Error(err)
	}
	return q
}
