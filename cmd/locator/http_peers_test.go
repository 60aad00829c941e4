package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"locator/internal/peers"
)

// webServer is a real http server, and what it can do.
type webServer struct {
	name    string
	lists   bool // has index pages
	resumes bool // sends ranges
}

var webServers = []webServer{{"nginx", true, true}, {"caddy", true, true}, {"rclone", true, true}, {"rclonedav", true, true},
	{"minihttpd", true, false}, {"busybox", false, true}, {"webfs", true, true}}

// startWeb starts the servers, and makes a folder that they serve. It skips the test in a short
// run.
func startWeb(t *testing.T) (e *peers.Env, disk, path string) {
	t.Helper()
	peers.LongRun(t, "a web server")
	e = peers.Start(t, "nginx", "caddy", "rclone", "rclonedav", "minihttpd", "busybox", "webfs")
	path = "/incoming/web-" + strings.ToLower(rand.Text()[:8]) + "/"
	disk = filepath.Join(e.Tree, path)
	t.Cleanup(func() { os.RemoveAll(disk) })
	return e, disk, path
}

// putOld writes a file with a time of long ago.
func putOld(t *testing.T, name string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, content, 0o644); err != nil {
		t.Fatal(err)
	}
	old := time.Date(2020, 5, 6, 7, 8, 9, 0, time.UTC)
	if err := os.Chtimes(name, old, old); err != nil {
		t.Fatal(err)
	}
}

// Mirrors over 8 connections have all files, and a second run downloads none.
//
// Covers: A6
func TestWebServersMirror(t *testing.T) {
	e, disk, path := startWeb(t)
	for i := range 300 {
		content := make([]byte, i*17)
		rand.Read(content)
		putOld(t, filepath.Join(disk, fmt.Sprintf("d%d", i%7), fmt.Sprintf("file %03d.bin", i)), content)
	}
	for _, s := range webServers {
		if !s.lists {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			for run := range 5 {
				dir := t.TempDir()
				args := []string{"get", "-r", "--no-listings", "--parallel", "8", "--per-host", "8", "--dir", dir, "http://" + e.Addr(t, s.name) + path}
				if _, errs, status := runText(t, "", args...); status != 0 {
					t.Fatalf("run %d: status %d; %s", run, status, errs)
				}
				n := 0
				err := filepath.WalkDir(disk, func(name string, d fs.DirEntry, err error) error {
					if err != nil || d.IsDir() {
						return err
					}
					n++
					want, err := os.ReadFile(name)
					if err != nil {
						return err
					}
					rel, _ := filepath.Rel(disk, name)
					if got, err := os.ReadFile(filepath.Join(dir, rel)); err != nil || !bytes.Equal(got, want) {
						t.Errorf("run %d: %s: %d bytes, %v; want %d", run, rel, len(got), err, len(want))
					}
					return nil
				})
				if err != nil || n != 300 {
					t.Fatalf("%d files, %v", n, err)
				}
				if _, errs, status := runText(t, "", append([]string{"-v", "--json"}, args...)...); status != 0 || strings.Count(errs, "is up to date") != 300 {
					t.Errorf("run %d again: status %d, %d files are up to date; %.2000s", run, status, strings.Count(errs, "is up to date"), errs)
				}
			}
		})
	}
}

// A newer file is kept with --if-newer, and an older one is replaced. A .tar.gz has the bytes of
// the server. A partial download is resumed.
//
// Covers: A6
func TestWebServersFiles(t *testing.T) {
	e, disk, path := startWeb(t)
	var archive bytes.Buffer
	z := gzip.NewWriter(&archive)
	fmt.Fprintln(z, strings.Repeat("not really an archive ", 100))
	z.Close()
	big := make([]byte, 3<<20)
	rand.Read(big)
	putOld(t, filepath.Join(disk, "x.txt"), []byte("of the server\n"))
	putOld(t, filepath.Join(disk, "a.tar.gz"), archive.Bytes())
	putOld(t, filepath.Join(disk, "big.bin"), big)
	for _, s := range webServers {
		t.Run(s.name, func(t *testing.T) {
			base := "http://" + e.Addr(t, s.name) + path
			at := func(name string) string { return filepath.Join(t.TempDir(), name) }
			want := func(name string, content []byte, status int, args ...string) string {
				t.Helper()
				out, errs, got := runText(t, "", append(args, "-o", name)...)
				if have, err := os.ReadFile(name); got != status || !bytes.Equal(have, content) {
					t.Errorf("%q: status %d, %d bytes, %v; want %d, %d; %s%s", args, got, len(have), err, status, len(content), out, errs)
				}
				return errs
			}

			mine := at("x.txt")
			if err := os.WriteFile(mine, []byte("mine, newer\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			want(mine, []byte("mine, newer\n"), 0, "get", "--if-newer", base+"x.txt")
			if err := os.Chtimes(mine, time.Unix(1e9, 0), time.Unix(1e9, 0)); err != nil {
				t.Fatal(err)
			}
			want(mine, []byte("of the server\n"), 0, "get", "--if-newer", base+"x.txt")
			want(mine, []byte("of the server\n"), 0, "get", "--if-newer", base+"x.txt")

			want(at("a.tar.gz"), archive.Bytes(), 0, "get", "--sha256", fmt.Sprintf("%x", sha256.Sum256(archive.Bytes())), base+"a.tar.gz")

			part := at("big.bin")
			interrupted(t, part, base+"big.bin")
			if errs := want(part, big, 0, "--json", "get", "--continue", base+"big.bin"); strings.Contains(errs, `"resumed":true`) != s.resumes {
				t.Errorf("want resumed: %v; %s", s.resumes, errs)
			}
		})
	}
}

// interrupted downloads a URL into a file, until a part of it is there.
func interrupted(t *testing.T, name, u string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan int)
	go func() {
		done <- run(ctx, []string{"get", "-q", "--limit-rate", "1M", "-o", name, u}, world{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Getenv: func(string) string { return "" }})
	}()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if in, err := os.Stat(name + ".part"); err == nil && in.Size() > 200_000 {
			break
		}
	}
	cancel()
	if status := <-done; status == 0 {
		t.Errorf("%s was not interrupted", u)
	}
}

// caddy shows 10,000 entries of a folder. A longer one is an incomplete listing, and --delete
// removes nothing.
//
// Covers: A6
func TestCaddyPart(t *testing.T) {
	e, disk, path := startWeb(t)
	u, dir := "http://"+e.Addr(t, "caddy")+path, t.TempDir()
	fill := func(format string, from, to int) {
		for i := from; i < to; i++ {
			putOld(t, filepath.Join(disk, fmt.Sprintf(format, i)), nil)
		}
	}
	fill("a%d", 0, 20)
	get := []string{"get", "-r", "--no-listings", "--delete", "--include", "a*", "--dir", dir, u}
	if _, errs, status := runText(t, "", get...); status != 0 {
		t.Fatalf("status %d; %s", status, errs)
	}
	fill("b%d", 0, 9_979)
	if out, errs, status := runText(t, "", "list", u); status != 0 || strings.Count(out, "\n") != 9_999 {
		t.Errorf("status %d, %d entries; %.500s", status, strings.Count(out, "\n"), errs)
	}
	fill("b%d", 9_979, 15_000)
	if out, errs, status := runText(t, "", "list", u); status != 10 || strings.Count(out, "\n") != 10_000 || !strings.Contains(errs, "there may be more") {
		t.Errorf("status %d, %d entries; %.500s", status, strings.Count(out, "\n"), errs)
	}
	if _, errs, status := runText(t, "", get...); status != 10 || strings.Contains(errs, "removed") {
		t.Errorf("status %d; %.500s", status, errs)
	}
	for i := range 20 {
		if _, err := os.Stat(filepath.Join(dir, fmt.Sprintf("a%d", i))); err != nil {
			t.Error(err)
		}
	}
}
