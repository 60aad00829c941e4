package ftp_test

import (
	"io"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/ftp/ftptest"
	"locator/schemetest"
)

func copyTo(w io.Writer, r io.Reader) (int64, error) { return io.Copy(w, r) }

// TestSemantics covers the cases that ftp clients often get wrong: the commands for each URL, and the result. The logins of
// the server do not start at its root.
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

// TestPassword covers the cases about passwords: none is invented, and none is sent that the server did not ask for.
//
// Covers: A1, P3
func TestPassword(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what, user string
		opts       []ftptest.Option
		password   string // the password of the LoginFunc
		lines      string
		code       scheme.Code
	}{
		{what: "anonymous", lines: "USER anonymous,PASS me@example.org"},
		{what: "anonymous, not asked", opts: []ftptest.Option{ftptest.NoPassword()}, lines: "USER anonymous"},
		{what: "user, asked", user: "alice@", password: ftptest.Password, lines: "USER alice,PASS s3cret-pw"},
		{what: "user, unknown", user: "alice@", lines: "USER alice", code: scheme.CodeLoginNeeded},
		{what: "user, not asked", user: "alice@", opts: []ftptest.Option{ftptest.NoPassword()}, password: "x", lines: "USER alice"},
		{what: "empty password", user: "bob:@", opts: []ftptest.Option{ftptest.User("bob", "")}, password: "x", lines: "USER bob,PASS "},
		{what: "escaped password", user: "carol:p%40%3A@", opts: []ftptest.Option{ftptest.User("carol", "p@:")}, lines: "USER carol,PASS p@:"},
		{what: "empty user", user: "@", opts: []ftptest.Option{ftptest.User("", "e")}, password: "e", lines: "USER ,PASS e"},
		{what: "wrong password", user: "alice:no@", password: ftptest.Password, lines: "USER alice,PASS no", code: scheme.CodeLoginNeeded},
		{what: "account, unknown", user: "alice:s3cret-pw@", opts: []ftptest.Option{ftptest.Account("acc")}, lines: "USER alice,PASS s3cret-pw", code: scheme.CodeLoginNeeded},
		{what: "account", user: "alice:s3cret-pw@", opts: []ftptest.Option{ftptest.Account("acc")}, password: "acc", lines: "USER alice,PASS s3cret-pw,ACCT acc"},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			s := start(t, c.opts...)
			cl := newClient(t, func(o *client.Options) {
				o.Mail, o.TLSMode = "me@example.org", scheme.TLSOff
				if c.password != "" {
					o.Logins = []scheme.LoginFunc{asked(c.password)}
				}
			})
			res, err := cl.Access(t.Context(), scheme.Request{URL: locator.MustParse("ftp://" + c.user + s.Addr() + "/empty;type=i")}, nil)
			if client.CodeOf(err) != c.code {
				t.Fatalf("%v, want code %v", err, c.code)
			}
			want := c.lines
			if err == nil {
				drain(t, res)
				want += ",TYPE I,EPSV,RETR empty"
			} else if strings.Contains(err.Error(), ftptest.Password) {
				t.Errorf("the error contains a password: %v", err)
			}
			got := slices.DeleteFunc(s.Lines(), func(l string) bool { return l == "QUIT" })
			if got := strings.Join(got, ","); got != want {
				t.Errorf("sent %q, want %q", got, want)
			}
		})
	}
}

// TestInjection uses the URLs of known injection attacks on clients.
//
// Covers: P2, T12
func TestInjection(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := newClient(t)
	for _, path := range []string{"/a%0D%0ADELE%20text.txt", "/%0D%0ADELE%20text.txt/b", "/a%0ADELE%20x;type=d", "/a%00", "/%0D/"} {
		u := locator.MustParse("ftp://" + s.Addr() + path)
		for what, err := range map[string]error{
			"access":     fail(c.Access(t.Context(), scheme.Request{URL: u}, nil)),
			"attributes": fail(c.Attributes(t.Context(), scheme.Request{URL: u}, nil)),
			"replace":    fail(c.Replace(t.Context(), scheme.Request{URL: u}, scheme.Body{Reader: strings.NewReader("x"), Size: scheme.Known(1)}, nil)),
		} {
			if client.CodeOf(err) != scheme.CodeRefused {
				t.Errorf("%s %s: %v, want code refused", what, path, err)
			}
		}
	}
	if n := s.Connections(); n != 0 {
		t.Errorf("got %d connections", n)
	}
}

func fail[T any](_ T, err error) error { return err }

// TestThirdHost uses a server whose reply to PASV has the address of another host.
//
// Covers: P5, T1
func TestThirdHost(t *testing.T) {
	t.Parallel()
	s := start(t, ftptest.ForeignPASV(netip.MustParseAddr("192.0.2.1")))
	var dialled, noted []string
	c := newClient(t, func(o *client.Options) {
		o.Trace = &scheme.Trace{
			Connected: func(c scheme.Connection) { dialled = append(dialled, c.Remote) },
			Note:      func(text string) { noted = append(noted, text) },
		}
	})
	res, err := c.Access(t.Context(), scheme.Request{URL: s.URL("text.txt")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := drain(t, res); got != "line one\nline two\nline three\n" {
		t.Errorf("got %q", got)
	}
	if len(dialled) != 2 || !strings.HasPrefix(dialled[1], "127.0.0.1:") {
		t.Errorf("dialled %q", dialled)
	}
	if len(noted) != 1 || !strings.Contains(noted[0], "192.0.2.1") {
		t.Errorf("noted %q", noted)
	}
}
