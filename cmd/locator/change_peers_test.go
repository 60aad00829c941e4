package main

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"locator/internal/peers"
)

// TestPeersChange makes a directory, uploads a file, renames it, moves it and removes both again on
// real ftp servers.
//
// Covers: A15
func TestPeersChange(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"vsftps", "proftpd", "pureftpd", "pyftpdlib"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := peers.Start(t, name)
			folder := "locator " + strings.ToLower(rand.Text()[:8])
			disk := filepath.Join(e.Tree, "incoming", folder)
			t.Cleanup(func() { os.RemoveAll(disk) })
			start := "ftp://" + e.User + ":" + e.Password + "@"
			if name == "vsftps" { // it knows the anonymous user only
				start = "ftps://"
			}
			base := start + e.Addr(t, name) + "/incoming/" + strings.ReplaceAll(folder, " ", "%20")
			run := func(want int, stdin string, args ...string) {
				t.Helper()
				_, errs, status := runText(t, stdin, append([]string{"--insecure", "--tls", "off"}, args...)...)
				if status != want || strings.Contains(errs, e.Password) {
					t.Fatalf("%q: status %d, want %d; %s", args, status, want, errs)
				}
			}
			content := func(file, want string) {
				t.Helper()
				if got, err := os.ReadFile(filepath.Join(disk, file)); err != nil || string(got) != want {
					t.Errorf("%s has %q, %v; want %q", file, got, err, want)
				}
			}
			run(0, "", "mkdir", base, base+"/sub/")
			run(2, "", "mkdir", base+"/sub")
			run(0, "one", "put", base+"/a.txt")
			run(0, "two", "put", base+"/b.txt")
			run(2, "", "mv", base+"/a.txt", "b.txt")
			content("b.txt", "two")
			run(0, "", "mv", base+"/a.txt", "c%20%23.txt")
			content("c #.txt", "one")
			run(0, "", "mv", base+"/c%20%23.txt", base+"/sub/c.txt")
			content("sub/c.txt", "one")
			run(7, "", "mv", base+"/a.txt", "d.txt")
			run(7, "", "rm", base+"/a.txt")
			if _, _, status := runText(t, "", "--insecure", "--tls", "off", "rm", base+"/sub/"); status == 0 {
				t.Error("removed a directory that is not empty")
			}
			content("sub/c.txt", "one")
			run(0, base+"/sub/c.txt\n"+base+"/sub/\n"+base+"/b.txt\n"+base+"/\n", "rm", "-")
			if _, err := os.Stat(disk); !os.IsNotExist(err) {
				t.Errorf("%s is still there: %v", disk, err)
			}
		})
	}
}
