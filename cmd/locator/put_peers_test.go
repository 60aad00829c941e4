package main

import (
	"bytes"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"locator/internal/peers"
)

// incoming is a new folder for uploads on a real server.
type incoming struct {
	t    *testing.T
	e    *peers.Env
	disk string // the folder here
	url  string // ends in a slash
}

// newIncoming starts a server and makes the folder, which any user may write to.
func newIncoming(t *testing.T, name string) *incoming {
	t.Helper()
	e := peers.Start(t, name)
	folder := "locator-" + strings.ToLower(rand.Text()[:8])
	x := &incoming{t: t, e: e, disk: filepath.Join(e.Tree, "incoming", folder)}
	t.Cleanup(func() { os.RemoveAll(x.disk) })
	start := "ftp://" + e.User + ":" + e.Password + "@"
	switch name { // those that know the anonymous user only
	case "vsftps":
		start = "ftps://"
	case "vsftpd":
		start = "ftp://"
	case "nginx":
		start = "http://"
	}
	x.url = start + e.Addr(t, name) + "/incoming/" + folder + "/"
	if name != "nginx" && name != "vsftpd" {
		x.run(0, "mkdir", x.url)
		return x
	}
	err := os.Mkdir(x.disk, 0o777)
	if err == nil {
		err = os.Chmod(x.disk, 0o777)
	}
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// run runs the program and returns all that it prints.
func (x *incoming) run(want int, args ...string) string {
	x.t.Helper()
	out, errs, status := runText(x.t, "", append([]string{"--insecure", "--tls", "off"}, args...)...)
	if status != want || strings.Contains(errs, x.e.Password) {
		x.t.Fatalf("%q: status %d, want %d; %s%s", args, status, want, out, errs)
	}
	return out + errs
}

// An upload that was interrupted is continued on real ftp servers, and the next run sends nothing.
// The file has the octets and, where the server can set it, the time of the local one.
//
// Covers: K2
func TestPeersPutContinue(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"vsftps", "proftpd", "pureftpd", "pyftpdlib"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := newIncoming(t, name)
			file, content := filepath.Join(t.TempDir(), "file"), bytes.Repeat([]byte(rand.Text()), 20_000)
			modified := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
			err := os.WriteFile(file, content, 0o600)
			if err == nil {
				err = os.Chtimes(file, modified, modified)
			}
			if err != nil {
				t.Fatal(err)
			}
			u := x.url + "file.bin"
			x.run(8, "put", "--continue", "--limit-rate", "100K", "--max-time", "3", file, u)
			if shown := x.run(0, "put", "--continue", "--json", file, u); !strings.Contains(shown, `"resumed":true`) {
				t.Errorf("it says %s", shown)
			}
			got, err := os.ReadFile(filepath.Join(x.disk, "file.bin"))
			if err != nil || !bytes.Equal(got, content) {
				t.Errorf("%d bytes, %v; want %d", len(got), err, len(content))
			}
			if in, err := os.Stat(filepath.Join(x.disk, "file.bin")); err != nil || !in.ModTime().Equal(modified) {
				t.Errorf("the time %v, %v", in.ModTime(), err)
			}
			if shown := x.run(0, "put", "--continue", "--json", file, u); !strings.Contains(shown, `"action":"current"`) {
				t.Errorf("again: %s", shown)
			}
			if list, err := os.ReadDir(x.disk); err != nil || len(list) != 1 {
				t.Errorf("%v, %v", list, err)
			}
		})
	}
}

// A folder is uploaded to real servers with its octets and, where the server can set them, its
// times. The second run sends nothing, the third what has changed; with the server stopped, the run
// fails.
//
// Covers: A15
func TestPeersPutTree(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"vsftps", "proftpd", "pureftpd", "pyftpdlib", "nginx"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := newIncoming(t, name)
			dir := filepath.Join(t.TempDir(), "site")
			old := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
			files := map[string]string{"a.txt": "one", ".hidden": "dot", "b #%?.bin": "two\r\n", "sub/deep/c": strings.Repeat("three", 50_000), "sub/d": ""}
			if name == "nginx" { // it makes no folders
				delete(files, "sub/deep/c")
				delete(files, "sub/d")
				err := os.Mkdir(filepath.Join(x.disk, "site"), 0o777)
				if err == nil {
					err = os.Chmod(filepath.Join(x.disk, "site"), 0o777)
				}
				if err != nil {
					t.Fatal(err)
				}
			} else if err := os.MkdirAll(filepath.Join(dir, "empty"), 0o700); err != nil {
				t.Fatal(err)
			}
			write := func(file, content string, at time.Time) {
				t.Helper()
				file = filepath.Join(dir, file)
				err := os.MkdirAll(filepath.Dir(file), 0o700)
				if err == nil {
					err = os.WriteFile(file, []byte(content), 0o600)
				}
				if err == nil {
					err = os.Chtimes(file, at, at)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			for file, content := range files {
				write(file, content, old)
			}
			same := func(at time.Time) {
				t.Helper()
				for file, content := range files {
					file = filepath.Join(x.disk, file)
					if got, err := os.ReadFile(file); err != nil || string(got) != content {
						t.Errorf("%s: %d bytes, %v, want %d", file, len(got), err, len(content))
					}
					if in, err := os.Stat(file); name != "nginx" && (err != nil || !in.ModTime().Equal(at)) {
						t.Errorf("%s: the time %v, %v", file, in.ModTime(), err)
					}
				}
			}
			if shown := x.run(0, "put", "-r", dir, x.url+"site"); name != "nginx" && !strings.HasSuffix(shown, "; made 4 folders\n") {
				t.Errorf("it says %s", shown)
			}
			x.disk = filepath.Join(x.disk, "site")
			same(old)
			if in, err := os.Stat(filepath.Join(x.disk, "empty")); name != "nginx" && (err != nil || !in.IsDir()) {
				t.Errorf("no empty folder: %v", err)
			}
			if shown := x.run(0, "put", "-r", dir, x.url+"site"); shown != "" {
				t.Errorf("the second run says %s", shown)
			}
			files = map[string]string{"a.txt": "another", ".hidden": "new"}
			now := time.Now().Truncate(time.Second).Add(time.Minute)
			for file, content := range files {
				write(file, content, now)
			}
			if shown := x.run(0, "put", "-r", dir, x.url+"site/"); !strings.Contains(shown, "locator: 2 files, 10 bytes in ") {
				t.Errorf("after a change it says %s", shown)
			}
			same(now)
		})
	}
}

// A file that is put again, with the same and with another content, of which nginx answers 204 in
// place of 201, is that of the last put.
//
// Covers: A15
func TestPeersPutAgain(t *testing.T) {
	t.Parallel()
	x := newIncoming(t, "nginx")
	file := filepath.Join(t.TempDir(), "a.txt")
	for _, content := range []string{"first\n", "first\n", strings.Repeat("longer\n", 100<<10), "short\n", ""} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		x.run(0, "put", file, x.url+"a.txt")
		if got, err := os.ReadFile(filepath.Join(x.disk, "a.txt")); string(got) != content || err != nil {
			t.Errorf("after %d bytes the server has %d, %v", len(content), len(got), err)
		}
	}
}

// A server that is stopped is an error, once.
func TestPeersPutTreeStopped(t *testing.T) {
	t.Parallel()
	e := peers.Own(t, "proftpd")
	u := "ftp://" + e.User + ":" + e.Password + "@" + e.Addr(t, "proftpd") + "/incoming/stopped/"
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, errs, status := runText(t, "", "put", "-r", "--tls", "off", dir, u); status != 0 {
		t.Fatalf("status %d, %s", status, errs)
	}
	e.Kill(t, "proftpd")
	if _, errs, status := runText(t, "", "put", "-r", "--tls", "off", dir, u); status != 5 || strings.Count(errs, "\n") != 1 {
		t.Errorf("status %d, %s", status, errs)
	}
}

// A tree is removed from real ftp servers with the links in it, and nothing of what the links lead
// to. The second run finds nothing.
//
// Covers: A15, P6
func TestPeersRemoveTree(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"vsftps", "proftpd", "pureftpd", "pyftpdlib"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := newIncoming(t, name)
			dir := t.TempDir()
			for _, file := range []string{"tree/one", "tree/sub/a #%?", "tree/sub/deep/three", "kept/it"} {
				file = filepath.Join(dir, file)
				err := os.MkdirAll(filepath.Dir(file), 0o700)
				if err == nil {
					err = os.WriteFile(file, []byte("text"), 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			x.run(0, "mkdir", "--parents", x.url+"up/up/", x.url)
			x.run(0, "put", "-q", "-r", dir, x.url+"up/up/")
			tree := filepath.Join(x.disk, "up", "up", "tree")
			for link, target := range map[string]string{"folder": "../kept", "sub/file": "../../kept/it"} {
				if err := os.Symlink(target, filepath.Join(tree, link)); err != nil {
					t.Fatal(err)
				}
			}
			x.run(0, "rm", "-r", "--dry-run", x.url+"up/up/tree/")
			if shown := x.run(0, "rm", "-r", x.url+"up/up/tree/"); !strings.Contains(shown, "and 3 folders") && !strings.Contains(shown, "and 4 folders") {
				t.Errorf("it says %s", shown)
			}
			if _, err := os.Lstat(tree); !os.IsNotExist(err) {
				t.Errorf("%s is still there: %v", tree, err)
			}
			if _, err := os.Stat(filepath.Join(x.disk, "up", "up", "kept", "it")); err != nil {
				t.Error(err)
			}
			x.run(7, "rm", "-r", x.url+"up/up/tree/")
			link := filepath.Join(x.disk, "up", "up", "link") // a link that the server does not remove leads to nothing that rm removes
			if err := errors.Join(os.Symlink("kept", link), os.Chmod(filepath.Dir(link), 0o555)); err != nil {
				t.Fatal(err)
			}
			if out, errs, status := runText(t, "", "--insecure", "--tls", "off", "rm", "-r", x.url+"up/up/link/"); status == 0 {
				t.Errorf("it says %s%s", out, errs)
			}
			_, _, _ = runText(t, "", "--insecure", "--tls", "off", "rm", "-r", x.url+"up/up/link") // some servers may remove it
			if _, err := os.Stat(filepath.Join(x.disk, "up", "up", "kept", "it")); err != nil {
				t.Error(err)
			}
			if err := os.Chmod(filepath.Dir(link), 0o777); err != nil {
				t.Fatal(err)
			}
			x.run(0, "rm", "-r", x.url+"up")
		})
	}
}
