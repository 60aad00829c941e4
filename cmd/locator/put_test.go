package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"locator/scheme/ftp/ftptest"
	"locator/schemetest/peer"
)

// A file whose upload breaks off is sent again; data of a pipe are not, and the message says why it failed.
//
// Covers: K2
func TestPutRetries(t *testing.T) {
	t.Parallel()
	s, err := ftptest.Start(peer.Tree())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	u := s.LoginURL(ftptest.Alice, ftptest.Password, "new.bin").Text()
	content := bytes.Repeat([]byte("0123456789"), 30_000)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	s.TearUploads(1, 100_000)
	out, errs, status := runText(t, "", "put", file, u)
	if got, _ := s.File("new.bin"); status != 0 || !bytes.Equal(got, content) || strings.Count(errs, "try 2 of 3 in 1s") != 1 {
		t.Errorf("status %d, %d bytes, %s%s", status, len(got), out, errs)
	}
	s.TearUploads(1, 100_000)
	if _, errs, status := runText(t, "", "put", "--retries", "0", file, u); status != 8 && status != 13 || strings.Contains(errs, "try 2") {
		t.Errorf("without retries: status %d, %s", status, errs)
	}
	s.TearUploads(1, 100_000)
	var o, e bytes.Buffer
	pipe := struct{ io.Reader }{bytes.NewReader(content)} // no io.Seeker
	status = run(t.Context(), []string{"put", u}, world{In: pipe, Out: &o, Err: &e, Getenv: func(string) string { return "" }})
	if got, _ := s.File("new.bin"); status != 0 || !bytes.Equal(got, content) || strings.Count(e.String(), "try 2 of 3 in 1s") != 1 {
		t.Errorf("from a pipe: status %d, %s", status, e.String())
	}
	s.TearUploads(1, 100_000)
	if _, errs, status := runText(t, "", "put", "--append", file, u); status != 8 && status != 13 || strings.Contains(errs, "try 2") {
		t.Errorf("--append: status %d, %s", status, errs)
	}
}

// In a tree, too, an upload that breaks off is tried again; with --continue behind what has arrived.
//
// Covers: K2
func TestPutTreeRetries(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"--continue"}} {
		s, err := ftptest.Start(peer.Tree())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		dir, content := t.TempDir(), bytes.Repeat([]byte("0123456789"), 30_000)
		for _, name := range []string{"a", "b", "c"} {
			if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s.TearUploads(2, 100_000)
		u := s.LoginURL(ftptest.Alice, ftptest.Password, "tree", "").Text()
		_, errs, status := runText(t, "", slices.Concat([]string{"put", "-r", "--tls", "off"}, args, []string{dir, u})...)
		if status != 0 || strings.Count(errs, "try 2 of 3 in 1s") != 2 || !strings.Contains(errs, "locator: 3 files, ") {
			t.Errorf("status %d, %s", status, errs)
		}
		for _, name := range []string{"a", "b", "c"} {
			if got, _ := s.File("tree", name); !bytes.Equal(got, content) {
				t.Errorf("%s has %d bytes", name, len(got))
			}
		}
		if resumed := strings.Count(errs, ", resumed at "); resumed != 2*len(args) {
			t.Errorf("%d uploads were resumed: %s", resumed, errs)
		}
	}
}
