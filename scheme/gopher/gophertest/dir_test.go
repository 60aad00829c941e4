package gophertest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"locator/scheme/gopher/gophertest"
)

// folder writes files into a new folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func startDir(t *testing.T, dir string, opts ...gophertest.Option) *gophertest.Server {
	t.Helper()
	s, err := gophertest.Start(nil, append(opts, gophertest.Dir(dir))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// here replaces HERE by the address of the server.
func here(s *gophertest.Server, text string) string {
	return strings.ReplaceAll(text, "HERE", strings.Replace(s.Addr(), ":", "\t", 1))
}

// TestGophermap reads each kind of line of a gophermap.
//
// Covers: A7
func TestGophermap(t *testing.T) {
	t.Parallel()
	const end = ".\r\n"
	info := func(text string) string { return "i" + text + "\t\terror.host\t1\r\n" }
	files := map[string]string{"sub/a.txt": "a\n", "sub/b.foo": "b\n", "sub/secret.txt": "s\n", "sub/more": "Included\n0A\ta.txt\n", "sub/deep/c.txt": "c\n"}
	for text, want := range map[string]string{
		"":                             end,
		"Hello\n\nworld":               info("Hello") + info("") + info("world") + end,
		"0A\ta.txt":                    "0A\t/sub/a.txt\tHERE\t+\r\n" + end,
		"0a.txt\t":                     "0a.txt\t/sub/a.txt\tHERE\t+\r\n" + end,
		"0A\t/sub/a.txt\r\n":           "0A\t/sub/a.txt\tHERE\t+\r\n" + end,
		"0A\t/none\t\t":                "0A\t/none\tHERE\r\n" + end,
		"1Deep\tdeep/":                 "1Deep\t/sub/deep\tHERE\t+\r\n" + end,
		"1Up\t../../..":                "1Up\t/\tHERE\t+\r\n" + end,
		"1There\t\thost.invalid":       "1There\t\thost.invalid\t70\r\n" + end,
		"1There\t/x\thost.invalid\t71": "1There\t/x\thost.invalid\t71\r\n" + end,
		"1There\tx\thost.invalid\t+":   "1There\tx\thost.invalid\t70\r\n" + end,
		"0A\t/x\th\t70\t?\tmore":       "0A\t/x\th\t70\t?\r\n" + end,
		"hWeb\tURL:http://a.invalid/":  "hWeb\tURL:http://a.invalid/\tHERE\r\n" + end,
		"hWeb\tGET /x":                 "hWeb\tGET /x\tHERE\r\n" + end,
		"8Telnet\tguest\thost.invalid\t23\n2Names\t\thost.invalid\t105": "8Telnet\tguest\thost.invalid\t23\r\n2Names\t\thost.invalid\t105\r\n" + end,
		"7Search\t/search":                    "7Search\t/search\tHERE\r\n" + end,
		"iText\tx\ty\t9\n3No\t":               "iText\t\terror.host\t1\r\n3No\t\terror.host\t1\r\n" + end,
		"!Title\n!no title\n":                 "iTitle\tTITLE\terror.host\t1\r\n" + info("!no title") + end,
		"a\n# comment\nb\n.\nc":               info("a") + info("b") + end,
		"-----\n-none\n:x\n:a=bc\n=none":      info("-----") + info("-none") + info(":x") + info(":a=bc") + info("=none") + end,
		"=more\nafter":                        info("Included") + "0A\t/sub/a.txt\tHERE\t+\r\n" + info("after") + end,
		"-secret.txt\n-more\n:foo=0\n*\nlost": "1deep\t/sub/deep\tHERE\t+\r\n0a.txt\t/sub/a.txt\tHERE\t+\r\n0b.foo\t/sub/b.foo\tHERE\t+\r\n" + end,
		"0A\ta.txt\rx\t\x00":                  "0A\t/sub/a.txtx\tHERE\r\n" + end,
		"\tx\n\x01x\ty":                       info("") + info("") + end,
	} {
		files["sub/gophermap"] = text
		s := startDir(t, folder(t, files))
		want = here(s, want)
		if got := ask(t, s.Addr(), "/sub\r\n"); got != want {
			t.Errorf("%q gives\n%q, want\n%q", text, got, want)
		}
	}
}

// TestGophermapLoop reads a gophermap that includes itself.
//
// Covers: P6
func TestGophermapLoop(t *testing.T) {
	t.Parallel()
	s := startDir(t, folder(t, map[string]string{"gophermap": "x\n=gophermap\n"}))
	if n := strings.Count(ask(t, s.Addr(), "\r\n"), "ix\t"); n < 2 || n > 100 {
		t.Errorf("%d lines", n)
	}
}

// TestFolder serves a folder without a gophermap. Hidden files are not served.
//
// Covers: A7
func TestFolder(t *testing.T) {
	t.Parallel()
	s := startDir(t, folder(t, map[string]string{
		"README": "Read me\n", "blob": "\x00\xff", "pic.gif": "GIF89a", "page.html": "<p>\n", "x.hqx": "(This", "x.uu": "begin\n",
		"doc.txt": "one\n.\n",
		".hidden": "no", "dir/.git/x": "no", "a\tb": "no", "a\r\nb": "no", "dir/a": "a", "empty/x/y": "",
	}))
	if got, want := ask(t, s.Addr(), "\r\n"), here(s, "1dir\t/dir\tHERE\t+\r\n1empty\t/empty\tHERE\t+\r\n0README\t/README\tHERE\t+\r\n9blob\t/blob\tHERE\t+\r\n"+
		"0doc.txt\t/doc.txt\tHERE\t+\r\nhpage.html\t/page.html\tHERE\t+\r\ngpic.gif\t/pic.gif\tHERE\t+\r\n"+
		"4x.hqx\t/x.hqx\tHERE\t+\r\n6x.uu\t/x.uu\tHERE\t+\r\n7Search all names\t/search\tHERE\r\n.\r\n"); got != want {
		t.Errorf("the root is\n%q, want\n%q", got, want)
	}
	attributes := ask(t, s.Addr(), "/doc.txt\t!\r\n")
	for _, want := range []string{here(s, "+INFO: 0doc.txt\t/doc.txt\tHERE\t+\r\n"), " text/plain: <6b>\r\n"} {
		if !strings.Contains(attributes, want) {
			t.Errorf("attributes %q, want %q in them", attributes, want)
		}
	}
	if all := ask(t, s.Addr(), "\t$\r\n"); strings.Count(all, "+INFO: ") != 10 {
		t.Errorf("all attributes: %q", all)
	}
	for request, want := range map[string]string{
		"/README\r\n":     "Read me\r\n.\r\n",
		"/doc.txt\r\n":    "one\r\n..\r\n.\r\n",
		"/doc.txt\t+\r\n": "+6\r\none\n.\n",
		"/blob\r\n":       "\x00\xff",
		"/blob\t+\r\n":    "+2\r\n\x00\xff",
		"/search\tA\r\n":  here(s, "0README\t/README\tHERE\t+\r\n0a\t/dir/a\tHERE\t+\r\ngpage"),
		"/.hidden\r\n":    "3'",
		"/dir/.git/x\r\n": "3'",
		"/gophermap\r\n":  "3'",
		"/doc.txt/\r\n":   "3'",
		"/dir//a\r\n":     "3'",
		"/dir/\r\n":       here(s, "0a\t/dir/a\tHERE\t+\r\n.\r\n"),
	} {
		got := ask(t, s.Addr(), request)
		if got != want && !(strings.HasPrefix(request, "/search") || want == "3'") || want == "3'" && !strings.HasPrefix(got, want) {
			t.Errorf("%q returned %q, want %q", request, got, want)
		}
	}
}

// TestFolderKeepsIn checks that no selector and no symbolic link leads out of the folder.
//
// Covers: P5
func TestFolderKeepsIn(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{"secret": "the secret\n", "served/a": "a\n", "served/sub/b": "b\n"})
	for link, target := range map[string]string{
		"file": "../secret", "up": "..", "abs": filepath.Join(dir, "secret"), "in": "sub/b", "loop": "loop", "self": ".",
	} {
		if err := os.Symlink(target, filepath.Join(dir, "served", link)); err != nil {
			t.Fatal(err)
		}
	}
	s := startDir(t, filepath.Join(dir, "served"))
	for _, selector := range []string{
		"/../secret", "../secret", "/sub/../../secret", "/sub/../../../../../../../etc/passwd", "//secret", "/./../secret", "/file", "/up/secret",
		"/up", "/abs", "/loop", "/sub\\..\\..\\secret", "/a/../../secret", "0/../secret", "/..", "..", "/\x00/../secret", "/sub/..", dir + "/secret",
	} {
		for _, command := range []string{"", "\t+", "\t!", "\t$"} {
			got := ask(t, s.Addr(), selector+command+"\r\n")
			if strings.Contains(got, "secret\n") || strings.Contains(got, "root:") || strings.HasPrefix(got, "+") || got != "" && got[0] != '3' && got[0] != '-' {
				t.Errorf("%q%s gives %q", selector, command, got)
			}
		}
	}
	if got := ask(t, s.Addr(), "/in\r\n"); got != "b\r\n.\r\n" {
		t.Errorf("a link within: %q", got)
	}
	if got := ask(t, s.Addr(), "/search\tsecret\r\n"); got != ".\r\n" {
		t.Errorf("found %q", got)
	}
	if got := ask(t, s.Addr(), "/search\tb\r\n"); strings.Count(got, "\t/sub/b\t") != 1 { // the link "self" is a loop, and the search ends
		t.Errorf("found %q", got)
	}
	if _, err := gophertest.Start(nil, gophertest.Dir(filepath.Join(dir, "none"))); err == nil {
		t.Error("no error for a folder that does not exist")
	}
}
