package ftp_test

import (
	"io"
	"strings"
	"testing"

	"locator"
	"locator/scheme"
	"locator/scheme/ftp/ftptest"
	"locator/schemetest"
)

func copyTo(w io.Writer, r io.Reader) (int64, error) { return io.Copy(w, r) }

// TestSemantics covers the cases that ftp clients often get wrong: the commands for each URL, and
// the result. The logins of the server do not start at its root.
//
// Covers: A1, A2, A3, A4
func TestSemantics(t *testing.T) {
	t.Parallel()
	tree := schemetest.Tree()
	for path, content := range map[string]string{
		"home/text.txt": "home\ntext\n", "home/a/b/c": "abc", "home/sub/deep.txt": "deep\n", "home/pub/sub/x": "x",
	} {
		tree = append(tree, schemetest.File{Path: strings.Split(path, "/"), Content: content, Modified: tree[0].Modified})
	}
	refuses, odd := []ftptest.Option{ftptest.RefuseEmptyCWD(550)}, []ftptest.Option{ftptest.RefuseEmptyCWD(501)}
	for _, c := range []struct {
		what, url string
		opts      []ftptest.Option
		lines     string // commands after the login, without those for data connections
		body      string
	}{
		{"each segment", "ftp://HOST/a/b/c", nil, "CWD a,CWD b,TYPE I,RETR c", "abc"},
		{"home is not the root", "ftp://HOST/text.txt", nil, "TYPE A,RETR text.txt", "home\ntext\n"},
		{"an escaped slash", "ftp://HOST/%2Fetc/motd", nil, "CWD /etc,TYPE I,RETR motd", "the file of RFC 1738 3.2.2\n"},
		{"a null segment", "ftp://HOST//text.txt", nil, "CWD ,TYPE A,RETR text.txt", "home\ntext\n"},
		{"a null segment, refused", "ftp://HOST//text.txt", refuses, "CWD ,TYPE A,RETR text.txt", "home\ntext\n"},
		{"a null segment inside, refused", "ftp://HOST/sub//deep.txt", odd, "CWD sub,CWD ,TYPE A,RETR deep.txt", "deep\n"},
		{"an escaped slash in the name", "ftp://HOST/sub%2Fdeep.txt", nil, "TYPE A,RETR sub/deep.txt", "deep\n"},
		{"type=a", "ftp://HOST/text.txt;type=a", nil, "TYPE A,RETR text.txt", "home\ntext\n"},
		{"type=i", "ftp://HOST/text.txt;type=i", nil, "TYPE I,RETR text.txt", "home\ntext\n"},
		{"type=d", "ftp://HOST/pub/sub;type=d", nil, "CWD pub,NLST sub", "x\n"},
		{"type=d of a directory", "ftp://HOST/pub/sub/;type=d", nil, "CWD pub,CWD sub,NLST", "x\n"},
		{"type=d with dots", "ftp://HOST/pub/sub;type=d", []ftptest.Option{ftptest.Names(ftptest.WithDots)}, "CWD pub,NLST sub", "x\n"},
		{"type=d with bare names", "ftp://HOST/pub/sub;type=d", []ftptest.Option{ftptest.Names(ftptest.BareName)}, "CWD pub,NLST sub", "x\n"},
		{"type=d with absolute names", "ftp://HOST/pub/sub;type=d", []ftptest.Option{ftptest.Names(ftptest.Absolute)}, "CWD pub,NLST sub", "x\n"},
		{"two dots", "ftp://HOST/sub/../text.txt", nil, "CWD sub,CWD ..,TYPE A,RETR text.txt", "home\ntext\n"},
		{"upper case", "FTP://HOST/a/b/c", nil, "CWD a,CWD b,TYPE I,RETR c", "abc"},
		{"a name that is a directory", "ftp://HOST/pub", nil, "TYPE I,RETR pub,CWD pub,MLSD", "sub\n"},
		{"no name", "ftp://HOST/pub/", nil, "CWD pub,MLSD", "sub\n"},
		{"no path", "ftp://HOST", nil, "MLSD", "a\npub\nsub\ntext.txt\n"},
		{"an old server", "ftp://HOST/", []ftptest.Option{ftptest.NoFEAT()}, "LIST", "a\npub\nsub\ntext.txt\n"},
		{"a server with names only", "ftp://HOST/", []ftptest.Option{ftptest.NoLIST()}, "LIST,NLST", "a\npub\nsub\ntext.txt\n"},
		{"a Microsoft server", "ftp://HOST/", []ftptest.Option{ftptest.NoMLSD(), ftptest.Form(ftptest.DOS)}, "LIST", "a\npub\nsub\ntext.txt\n"},
		{"a Bernstein server", "ftp://HOST/", []ftptest.Option{ftptest.NoMLSD(), ftptest.Form(ftptest.EPLF)}, "LIST", "a\npub\nsub\ntext.txt\n"},
		{"a server of unknown form", "ftp://HOST/", []ftptest.Option{ftptest.NoMLSD(), ftptest.Form(ftptest.Odd)}, "LIST,SYST,NLST", "a\npub\nsub\ntext.txt\n"},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			s, err := ftptest.Start(tree, append([]ftptest.Option{ftptest.Home("home")}, c.opts...)...)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(s.Close)
			res, err := newClient(t).Access(t.Context(), scheme.Request{URL: locator.MustParse(strings.Replace(c.url, "HOST", s.Addr(), 1))}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := drain(t, res); got != c.body {
				t.Errorf("got %q, want %q", got, c.body)
			}
			if got := strings.Join(plain(s.Lines())[2:], ","); got != c.lines {
				t.Errorf("sent %q, want %q", got, c.lines)
			}
		})
	}
}

func fail[T any](_ T, err error) error { return err }
