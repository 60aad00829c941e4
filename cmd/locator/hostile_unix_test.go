//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	nethttptest "net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"locator/internal/faults"
	"locator/scheme/ftp/ftptest"
	"locator/schemetest/peer"
)

// hostileNames are names of entries that have led programs out of a folder, to other files, or into
// the terminal.
var hostileNames = append([]string{"../../x", "..\\..\\x", "/", "//x", "./x", "...", "x/", "x/../../y", "/proc/self/environ", "/dev/tcp/x", "sub", "sub/x", "sub/../x", "link.txt", "link.txt.part",
	".locator", ".bashrc", ".ssh/authorized_keys", "COM1", "aux.", "x ", " ", "\t", "a\r\nDELE file.bin", "a\nDELE file.bin", "a\rDELE file.bin", "a\x00b", "\xff\xfe", "\u009b2J", "a\x7fb",
	"\x1b]0;title\x07", strings.Repeat("../", 200) + "etc/passwd", strings.Repeat("x", 5000)}, oddNames...)

// TestHostileNames mirrors and lists a server that sends each hostile name in each form of listing,
// into a folder in which links to elsewhere wait. Nothing outside the folder changes, no line of
// the client holds a delimiter or a command of the server's, and no control character reaches the
// terminal.
//
// Covers: P2, P6, T37
func TestHostileNames(t *testing.T) {
	t.Parallel()
	files := []peer.File{{Path: []string{"file.bin"}, Content: "file"}, {Path: []string{"link.txt"}, Content: "new"}, {Path: []string{"sub", "x"}, Content: "new"}}
	for form, test := range map[string]struct {
		line string
		opts []ftptest.Option
	}{
		"MLSD": {"type=file;size=3; %s\r\n", nil},
		"LIST": {"-rw-r--r--   1 u g 3 Dec  1 1994 %s\r\n", []ftptest.Option{ftptest.NoMLSD()}},
		"NLST": {"%s\r\n", []ftptest.Option{ftptest.NoLIST()}},
	} {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			s, err := ftptest.Start(files, test.opts...)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			p, err := faults.FTP(s.Addr())
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			for _, name := range hostileNames {
				box := t.TempDir()
				in, out := filepath.Join(box, "in"), filepath.Join(box, "out")
				for _, dir := range []string{in, out} {
					if err := os.Mkdir(dir, 0o777); err != nil {
						t.Fatal(err)
					}
				}
				os.WriteFile(filepath.Join(out, "secret"), []byte("secret"), 0o666)
				os.Symlink(out, filepath.Join(in, "sub"))
				os.Symlink(filepath.Join(out, "secret"), filepath.Join(in, "link.txt.part"))
				listing := fmt.Sprintf(test.line, name) + fmt.Sprintf(test.line, "link.txt")
				p.Set(faults.Fault{Data: func(r io.Reader) io.Reader { return &instead{r: r, text: bytes.NewReader([]byte(listing))} }})
				for _, args := range [][]string{
					{"get", "--recursive", "--force", "--retries", "0", "--timeout", "10s", "--depth", "2", "--dir", in, "ftp://" + p.Addr() + "/"},
					{"list", "--timeout", "10s", "ftp://" + p.Addr() + "/"},
				} {
					o, e, _ := runText(t, "", args...)
					for _, text := range []string{o, e} {
						if !utf8.ValidString(text) || strings.ContainsFunc(strings.ReplaceAll(text, "\n", ""), func(r rune) bool { return unicode.IsControl(r) || r == '\u202e' }) {
							t.Errorf("%.80q: a terminal would be told %.200q", name, text)
						}
					}
				}
				wantInside(t, name, box)
			}
			for _, line := range s.Lines() {
				if strings.ContainsAny(line, "\r\n\x00") || strings.HasPrefix(line, "DELE") {
					t.Errorf("sent %.80q", line)
				}
			}
		})
	}
}

// wantInside checks that in the folder box, out has what it had, and in has only regular files,
// folders and the links from before.
func wantInside(t *testing.T, what, box string) {
	t.Helper()
	if got, err := os.ReadFile(filepath.Join(box, "out", "secret")); string(got) != "secret" {
		t.Errorf("%.80q: the file outside has %q, %v", what, got, err)
	}
	if list, err := os.ReadDir(filepath.Join(box, "out")); err != nil || len(list) != 1 {
		t.Errorf("%.80q: %d files are outside, %v", what, len(list), err)
	}
	if list, err := os.ReadDir(box); err != nil || len(list) != 2 {
		t.Errorf("%.80q: %d files are beside the folder, %v", what, len(list), err)
	}
	err := filepath.WalkDir(filepath.Join(box, "in"), func(path string, d fs.DirEntry, err error) error {
		switch rel, _ := filepath.Rel(box, path); {
		case err != nil:
			return err
		case rel == filepath.Join("in", "sub") || rel == filepath.Join("in", "link.txt.part"): // from before
		case !d.IsDir() && !d.Type().IsRegular(), strings.ContainsFunc(d.Name(), unicode.IsControl), strings.HasPrefix(d.Name(), ".") && d.Name() != ".locator":
			t.Errorf("%.80q: the name %q, %v", what, rel, d.Type())
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestNameOfServer downloads with -O what a server names in Content-Disposition. The name comes
// from the URL, and is safe.
//
// Covers: P6, T41
func TestNameOfServer(t *testing.T) {
	t.Parallel()
	s := nethttptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="../out/secret"; filename*=UTF-8''..%2Fout%2Fsecret`)
		io.WriteString(w, "body")
	}))
	defer s.Close()
	for _, path := range []string{"/a.txt", "/..%2fout%2fsecret", "/%2e%2e", "/..", "/.bashrc", "/-rf", "/a%00b", "/a%0d%0ab", "/a%1b%5b2J", "/..%5cout%5csecret", "/%2fetc%2fpasswd", "/x.part",
		"/" + strings.Repeat("x", 5000), "/%ff%fe", "/a?name=../out/secret", "/"} {
		box := t.TempDir()
		in, out := filepath.Join(box, "in"), filepath.Join(box, "out")
		os.Mkdir(in, 0o777)
		os.Mkdir(out, 0o777)
		os.WriteFile(filepath.Join(out, "secret"), []byte("secret"), 0o666)
		_, errs, status := runText(t, "", "get", "-O", "--dir", in, s.URL+path)
		wantInside(t, path, box)
		list, err := os.ReadDir(in)
		list = slices.DeleteFunc(list, func(e os.DirEntry) bool { return e.Name() == ".locator" })
		if err != nil || status != 0 || len(list) != 1 || list[0].Name() == "secret" {
			t.Errorf("%.80s: status %d, %v, %v: %s", path, status, list, err, errs)
		}
	}
}
