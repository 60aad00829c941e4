package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"locator/internal/peers"
)

// longFTP starts an ftp server that is tried in a long run only, and returns a new folder on it.
func longFTP(t *testing.T, name string) *incoming {
	t.Helper()
	peers.LongRun(t, name)
	x := newIncoming(t, name)
	if err := os.Chmod(x.disk, 0o777); err != nil {
		t.Fatal(err)
	}
	return x
}

// write writes a file into the folder on the server.
func (x *incoming) write(name string, content []byte) {
	x.t.Helper()
	file := filepath.Join(x.disk, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		x.t.Fatal(err)
	}
	if err := os.WriteFile(file, content, 0o666); err != nil {
		x.t.Fatal(err)
	}
	for at := filepath.Dir(file); strings.HasPrefix(at, x.disk); at = filepath.Dir(at) {
		if err := os.Chmod(at, 0o777); err != nil {
			x.t.Fatal(err)
		}
	}
}

// Servers written in Python and JavaScript: a file, a tree twice, an upload, a tree with --delete,
// and the removal of a tree with links.
//
// Covers: A5, A15, P6
func TestPeersOtherFTP(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"aioftp", "twisted", "ftpsrv"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := longFTP(t, name)
			content := bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
			for i := range 20 {
				x.write("tree/sub/f"+strconv.Itoa(i), []byte(strconv.Itoa(i)))
			}
			x.write("tree/big.bin", content)
			dir := t.TempDir()
			file := filepath.Join(dir, "big.bin")
			x.run(0, "get", "-o", file, x.url+"tree/big.bin")
			if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, content) {
				t.Errorf("big.bin has %d bytes, %v", len(got), err)
			}
			mirror := filepath.Join(dir, "mirror")
			if shown := x.run(0, "get", "-r", "--dir", mirror, x.url+"tree/"); !strings.Contains(shown, "21 files, ") {
				t.Errorf("the first run says %s", shown)
			}
			if shown := x.run(0, "get", "-r", "--delete", "--dir", mirror, x.url+"tree/"); shown != "" {
				t.Errorf("the second run says %s", shown)
			}
			for _, again := range []bool{false, true} {
				x.run(0, "put", "-r", "--create-dirs", mirror, x.url+"up/")
				if got, err := os.ReadFile(filepath.Join(x.disk, "up", "big.bin")); err != nil || !bytes.Equal(got, content) {
					t.Errorf("again %v: up/big.bin has %d bytes, %v", again, len(got), err)
				}
			}
			if err := os.Remove(filepath.Join(mirror, "sub", "f7")); err != nil {
				t.Fatal(err)
			}
			if name == "aioftp" { // "451 file system error" for a folder as for a link
				if shown := x.run(12, "put", "-r", "--delete", mirror, x.url+"up/"); !strings.Contains(shown, "/up/sub/f7: sub may be a link, so nothing in it was removed") {
					t.Errorf("--delete says %s", shown)
				}
			} else if shown := x.run(0, "put", "-r", "--delete", mirror, x.url+"up/"); strings.Count(shown, "removed ") != 1 || !strings.Contains(shown, "/up/sub/f7") {
				t.Errorf("--delete says %s", shown)
			}
			x.removesNothingBehindLinks(name)
		})
	}
}

// removesNothingBehindLinks removes a tree with a link to a folder beside it, which the server
// shows as a folder.
func (x *incoming) removesNothingBehindLinks(name string) {
	t := x.t
	x.write("site/a", nil)
	x.write("site/sub/b", nil)
	x.write("keep/c", []byte("kept"))
	x.write("keep/deep/d", []byte("kept"))
	if err := os.Symlink("../keep", filepath.Join(x.disk, "site", "link")); err != nil {
		t.Fatal(err)
	}
	want, refused := 6, "site/link: the server refused to "
	if name == "aioftp" {
		want, refused = 12, "site: the server refused to " // "451 file system error"
	}
	x.run(0, "rm", "-r", "--dry-run", x.url+"site/")
	if shown := x.run(want, "rm", "-r", x.url+"site/"); !strings.Contains(shown, refused) || !strings.Contains(shown, "it may be a link, so nothing in it was removed") {
		t.Errorf("rm -r says %s", shown)
	}
	for _, file := range []string{"keep/c", "keep/deep/d"} {
		if got, err := os.ReadFile(filepath.Join(x.disk, file)); string(got) != "kept" {
			t.Errorf("%s has %q, %v", file, got, err)
		}
	}
	if _, err := os.Stat(filepath.Join(x.disk, "site", "a")); (err == nil) != (name == "aioftp") {
		t.Errorf("site/a: %v", err)
	}
}

// A download that was stopped goes on where it stopped, if the server can begin within a file.
//
// Covers: A5
func TestPeersOtherFTPResume(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"ftpsrv", "pyftpdlib"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := longFTP(t, name)
			content := bytes.Repeat([]byte("0123456789abcdef"), 1<<19)
			x.write("big.bin", content)
			then := time.Now().Add(-time.Hour)
			if err := os.Chtimes(filepath.Join(x.disk, "big.bin"), then, then); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "big.bin")
			ctx, stop := context.WithCancel(t.Context())
			go func() {
				defer stop()
				for begun := int64(0); begun < 1<<20 && ctx.Err() == nil; time.Sleep(10 * time.Millisecond) {
					if in, err := os.Stat(file + ".part"); err == nil {
						begun = in.Size()
					}
				}
				if _, err := os.Stat(file + ".part.state"); err != nil {
					t.Errorf("a run that is killed now cannot be resumed: %v", err)
				}
			}()
			var shown bytes.Buffer
			run(ctx, []string{"--tls", "off", "get", "--limit-rate", "4M", "-o", file, x.url + "big.bin"},
				world{In: strings.NewReader(""), Out: &shown, Err: &shown, Getenv: func(string) string { return "" }})
			if shown := x.run(0, "get", "--continue", "-o", file, x.url+"big.bin"); !strings.Contains(shown, "resumed at ") {
				t.Errorf("it says %s", shown)
			}
			if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, content) {
				t.Errorf("%d bytes, %v", len(got), err)
			}
		})
	}
}

// pure-ftpd leaves entries out of long listings, and says so: what is not listed is not removed.
//
// Covers: A15
func TestPeersTruncated(t *testing.T) {
	t.Parallel()
	x := longFTP(t, "pureshort")
	for i := range 120 {
		x.write("tree/f"+strconv.Itoa(i), nil)
	}
	const says = "the server sent only the beginning of the listing"
	mirror := filepath.Join(t.TempDir(), "mirror")
	for _, args := range [][]string{{"list", x.url + "tree/"}, {"list", "-r", x.url + "tree/"}, {"get", "-r", "--dir", mirror, x.url + "tree/"},
		{"get", "-r", "--delete", "--dir", mirror, x.url + "tree/"}, {"rm", "-r", x.url + "tree/"}, {"put", "-r", "--delete", mirror, x.url + "tree/"}} {
		if shown := x.run(10, args...); !strings.Contains(shown, says) || strings.Contains(shown, "removed ") {
			t.Errorf("%q says %s", args, shown)
		}
	}
	if files, err := os.ReadDir(filepath.Join(x.disk, "tree")); err != nil || len(files) != 120 {
		t.Errorf("the server has %d files, %v", len(files), err)
	}
}
