package prosperoserver_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"locator/client"
	"locator/scheme"
	"locator/scheme/prospero"
	"locator/scheme/prospero/prosperoserver"
)

// Covers: A13
func TestDir(t *testing.T) {
	t.Parallel()
	dir, outside := t.TempDir(), t.TempDir()
	for name, content := range map[string]string{
		"a b.txt": "it's\n", "sub/x": "x", ".hidden": "no", "empty": "",
		".links": "# comment\nRFC\tftp://ftp.example.org/rfc/rfc1738.txt;type=a\nMenu\tgopher://gopher.example.org/11/docs\nBBS\ttelnet://guest@bbs.example.org:2323/\n" +
			"Doc\twais://wais.example.org/db/TEXT/a%3Bb\nFriends\tprospero://other.example.org//pub;OBJECT-VERSION=2\nWeb\thttp://www.example.org/\nno tab\nbad\t:\n+\tprospero://127.0.0.1:1/gone\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(outside, "secret"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(outside, "secret"), filepath.Join(dir, "away")); err != nil {
		t.Log(err) // a system without links
	}
	s, err := prosperoserver.Start(dir, "127.0.0.1:0", prosperoserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c := client.New(client.Options{Registry: scheme.NewRegistry(prospero.New())})
	defer c.Close()
	var got []string
	for e, err := range client.Entries(c.List(t.Context(), scheme.Request{URL: s.URL()}, nil)) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, strings.TrimSpace(e.Name+" "+strings.Replace(e.URL.Text(), s.URL().Text(), "", 1)))
	}
	want := []string{"a b.txt /a%20b.txt", "empty /empty", "sub /sub", "RFC ftp://ftp.example.org/rfc/rfc1738.txt;type=a", "Menu gopher://gopher.example.org:70/11/docs",
		"BBS telnet://bbs.example.org:2323/", "Doc wais://wais.example.org:210/db/TEXT/a%3Bb", "Friends prospero://other.example.org//pub;OBJECT-VERSION=2"}
	if len(got) != len(want)+1 || !slices.Equal(got[:len(want)], want) || !strings.Contains(got[len(want)], "cannot be read") {
		t.Errorf("listed\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for name, code := range map[string]scheme.Code{"a b.txt": scheme.CodeOK, "sub/x": scheme.CodeOK, ".hidden": scheme.CodeNotFound, ".links": scheme.CodeNotFound, "away": scheme.CodeNotFound,
		"../secret": scheme.CodeLoginNeeded, "sub/../../secret": scheme.CodeLoginNeeded} {
		res, err := c.Access(t.Context(), scheme.Request{URL: s.Named(prosperoserver.Root + "/" + name)}, nil)
		if client.CodeOf(err) != code {
			t.Errorf("%s: %v, want %v", name, err, code)
		}
		if err == nil {
			res.Close()
		}
	}
}
