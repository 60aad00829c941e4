package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"locator/internal/faults"
	"locator/scheme/ftp/ftptest"
	"locator/scheme/http/httptest"
	"locator/schemetest/peer"
)

// fault is a row of the table in docs/internals/reliability.md. Its function cites the row's ID.
type fault struct {
	what string
	run  func(t *testing.T)
}

// TestFaults breaks transfers in every way of the table in docs/internals/reliability.md. After
// each the exit status is the right one, what has come is kept as a part where it is of use,
// nothing stands under the final name that is not whole, and once the fault is gone --continue
// brings the file with the same digest.
//
// Covers: P4, P6, T4, T7, T9, T11, T23, T38, T79, T197
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, f := range slices.Concat(connectionFaults(), dialogueFaults(), listingFaults(), realFaults()) {
		t.Run(f.what, func(t *testing.T) {
			t.Parallel()
			f.run(t)
		})
	}
}

// octetsOf returns n bytes in which no two places are alike.
func octetsOf(n int, seed string) []byte {
	b := make([]byte, n)
	_, _ = rand.NewChaCha8(sha256.Sum256([]byte(seed))).Read(b) // it never fails
	return b
}

func digestOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// fileSize is the size of the file: more than the buffers of a connection hold.
const fileSize = 2 << 20

// site is a server behind a proxy that breaks connections.
type site struct {
	name    string
	proxy   *faults.Proxy
	url     string // of the file
	content []byte
	replace func(t *testing.T, content []byte) // changes the file
	ftp     *ftptest.Server
	http    *httptest.Server
}

// contentTree returns the files of a site: the file, and two in other folders.
func contentTree(content []byte) []peer.File {
	modified := time.Date(1994, 12, 1, 0, 0, 0, 0, time.UTC)
	return []peer.File{
		{Path: []string{"file.bin"}, Content: string(content), Modified: modified},
		{Path: []string{"a", "one.txt"}, Content: "one\n", Modified: modified},
		{Path: []string{"b", "two.txt"}, Content: "two\n", Modified: modified},
		{Path: []string{"c", "three.txt"}, Content: "three\n", Modified: modified},
	}
}

func ftpSite(t *testing.T, opts ...ftptest.Option) *site {
	t.Helper()
	content := octetsOf(fileSize, "file")
	s, err := ftptest.Start(contentTree(content), opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	p, err := faults.FTP(s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	x := &site{name: "ftp", proxy: p, url: "ftp://" + p.Addr() + "/file.bin", content: content, ftp: s}
	x.replace = func(t *testing.T, content []byte) {
		put(t, s.LoginURL(ftptest.Alice, ftptest.Password, "file.bin").Text(), content)
	}
	return x
}

func httpSite(t *testing.T) *site {
	t.Helper()
	content := octetsOf(fileSize, "file")
	s, err := httptest.Start(contentTree(content))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	p, err := faults.TCP(s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	x := &site{name: "http", proxy: p, url: "http://" + p.Addr() + "/file.bin", content: content, http: s}
	x.replace = func(t *testing.T, content []byte) { put(t, s.URL("file.bin").Text(), content) }
	return x
}

// put changes a file on the server.
func put(t *testing.T, url string, content []byte) {
	t.Helper()
	if out, errs, status := runText(t, string(content), "put", url); status != 0 {
		t.Fatalf("put: status %d: %s%s", status, out, errs)
	}
}

// sites returns one site of each scheme.
func sites(t *testing.T) []*site {
	t.Helper()
	return []*site{ftpSite(t), httpSite(t)}
}

// scene is one download that fails, and its resumption.
type scene struct {
	*site
	t    *testing.T
	file string
	old  []byte // what stood under the name before
}

func (x *site) scene(t *testing.T) *scene {
	t.Helper()
	s := &scene{site: x, t: t, file: filepath.Join(t.TempDir(), "file"), old: []byte("old")}
	if err := os.WriteFile(s.file, s.old, 0o666); err != nil {
		t.Fatal(err)
	}
	return s
}

// What a failed download must leave.
type left int

const (
	noPart  left = iota
	aPart        // the beginning of the file
	perhaps      // that, or nothing
)

// fails runs a download that must fail, and checks what it leaves.
func (s *scene) fails(what string, status int, want left, flags ...string) (errs string) {
	s.t.Helper()
	args := append([]string{"get", "--retries", "0", "--timeout", "10s", "-o", s.file}, append(flags, s.url)...)
	_, errs, got := runText(s.t, "", args...)
	if got != status {
		s.t.Errorf("%s, %s: status %d, want %d: %s", s.name, what, got, status, errs)
	}
	if !strings.HasPrefix(errs, "locator: ") || strings.ContainsFunc(strings.ReplaceAll(errs, "\n", ""), func(r rune) bool { return r < ' ' }) {
		s.t.Errorf("%s, %s: it says %q", s.name, what, errs)
	}
	if b, err := os.ReadFile(s.file); err != nil || !bytes.Equal(b, s.old) {
		s.t.Errorf("%s, %s: there is a file of %d bytes, %v", s.name, what, len(b), err)
	}
	part, err := os.ReadFile(s.file + ".part")
	switch {
	case err != nil && (!errors.Is(err, fs.ErrNotExist) || want == aPart):
		s.t.Errorf("%s, %s: no part is kept: %v", s.name, what, err)
	case err == nil && want == noPart:
		s.t.Errorf("%s, %s: a part of %d bytes is kept", s.name, what, len(part))
	case err == nil && (len(part) == 0 || !bytes.HasPrefix(s.content, part)):
		s.t.Errorf("%s, %s: the part of %d bytes is not the beginning of the file", s.name, what, len(part))
	}
	return errs
}

// heals ends the fault and resumes the download. Without a part, --continue would not replace the
// old file.
func (s *scene) heals(what string, flags ...string) (errs string) {
	s.t.Helper()
	s.proxy.Set(faults.Fault{})
	if _, err := os.Stat(s.file + ".part.state"); err == nil {
		flags = append([]string{"--continue"}, flags...)
	}
	return s.works(what, flags...)
}

// works runs a download that must succeed.
func (s *scene) works(what string, flags ...string) (errs string) {
	s.t.Helper()
	_, errs, status := runText(s.t, "", append([]string{"get", "--timeout", "10s", "-o", s.file}, append(flags, s.url)...)...)
	b, err := os.ReadFile(s.file)
	if status != 0 || err != nil || digestOf(b) != digestOf(s.content) {
		s.t.Errorf("%s, %s: status %d, %d bytes, %v: %s", s.name, what, status, len(b), err, errs)
	}
	if list, err := os.ReadDir(filepath.Dir(s.file)); err != nil || len(list) != 1 {
		s.t.Errorf("%s, %s: %d files are left, %v", s.name, what, len(list), err)
	}
	return errs
}
