package ftp_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"locator"
	"locator/client"
	"locator/internal/peers"
	"locator/scheme"
)

// tableRow is a row of the table of cases that ftp clients often get wrong.
type tableRow struct {
	what, path string
	lines      string // commands after the login, without those for data connections and features
	file       string // file of the served tree with the expected content
	list       string // expected names instead of content, sorted
	empty      bool   // the path has an empty segment, which some servers reject
	of         string // "" for all servers; "refuse" or "go home" for those that do so for an empty segment
}

var table = []tableRow{
	{what: "each segment", path: "/deep/1/2/3/4/5/6/7/8/leaf.txt", file: "deep/1/2/3/4/5/6/7/8/leaf.txt",
		lines: "CWD deep|CWD 1|CWD 2|CWD 3|CWD 4|CWD 5|CWD 6|CWD 7|CWD 8|TYPE A|RETR leaf.txt"},
	{what: "a file in the login directory", path: "/text.txt", file: "text.txt", lines: "TYPE A|RETR text.txt"},
	{what: "an escaped slash at the beginning", path: "/%2FROOTetc/motd", file: "etc/motd", lines: "CWD /ROOTetc|TYPE I|RETR motd"},
	{what: "an empty segment", path: "//text.txt", file: "text.txt", lines: "CWD |TYPE A|RETR text.txt", empty: true},
	{what: "an empty segment inside", path: "/etc//motd", file: "etc/motd", lines: "CWD etc|CWD |TYPE I|RETR motd", empty: true, of: "refuse"},
	{what: "an empty segment inside that leads home", path: "/etc//text.txt", file: "text.txt", lines: "CWD etc|CWD |TYPE A|RETR text.txt", empty: true, of: "go home"},
	{what: "an escaped slash inside", path: "/etc%2Fmotd", file: "etc/motd", lines: "TYPE I|RETR etc/motd"},
	{what: "type=a", path: "/text.txt;type=a", file: "text.txt", lines: "TYPE A|RETR text.txt"},
	{what: "type=i", path: "/crlf.txt;type=i", file: "crlf.txt", lines: "TYPE I|RETR crlf.txt"},
	{what: "type=d of a name", path: "/deep/1;type=d", list: "2", lines: "CWD deep|NLST 1"},
	{what: "type=d of a directory", path: "/deep/1/;type=d", list: "2", lines: "CWD deep|CWD 1|NLST"},
	{what: "two dots", path: "/names/../text.txt", file: "text.txt", lines: "CWD names|CWD ..|TYPE A|RETR text.txt"},
	{what: "a name with a space", path: "/names/a%20b.txt", file: "names/a b.txt", lines: "CWD names|TYPE A|RETR a b.txt"},
	{what: "a name with a semicolon", path: "/names/odd%3Btype=a", file: "names/odd;type=a", lines: "CWD names|TYPE I|RETR odd;type=a"},
	{what: "a name with an escaped percent sign", path: "/names/%252F.txt", file: "names/%2F.txt", lines: "CWD names|TYPE A|RETR %2F.txt"},
}

// realServer is a server of the table, and the properties of its logins.
type realServer struct {
	name   string
	login  string // of alice, with "@"; "" for anonymous
	root   func(e *peers.Env) string
	refuse string // code with which it rejects an empty CWD; "" if that goes home
}

// virtual returns the root of the tree for a login that is confined to it; machine returns it for a
// login that is not.
func virtual(*peers.Env) string { return "" }
func machine(e *peers.Env) string {
	return strings.TrimPrefix(e.Tree, "/") + "/"
}

var tableServers = []realServer{
	{"vsftpd", "", virtual, "550"}, {"proftpd", "alice@", machine, "501"}, {"pureftpd", "alice@", virtual, ""}, {"pyftpdlib", "alice@", virtual, ""},
}

// TestPeersSemantics runs each row of the table on four real servers, and checks the commands of
// RFC 1738 3.2.2, their order, and the content.
//
// Covers: A1, A2, A3, A4
func TestPeersSemantics(t *testing.T) {
	t.Parallel()
	for _, server := range tableServers {
		t.Run(server.name, func(t *testing.T) {
			t.Parallel()
			e := peers.Start(t, server.name)
			for _, row := range table {
				if row.of == "refuse" && server.refuse == "" || row.of == "go home" && server.refuse != "" {
					continue
				}
				server.meets(t, e, row, "ftp")
			}
			server.meets(t, e, table[0], "FTP")
			server.refusesInjection(t, e)
		})
	}
}

func (s realServer) meets(t *testing.T, e *peers.Env, row tableRow, name string) {
	t.Helper()
	var sent []string
	c := newClient(t, func(o *client.Options) {
		o.Mail, o.TLSMode = "me@example.org", scheme.TLSOff
		o.Logins = []scheme.LoginFunc{asked(e.Password)}
		o.Trace = &scheme.Trace{Sent: func(line string) { sent = append(sent, line) }}
	})
	root := s.root(e)
	path, lines := strings.ReplaceAll(row.path, "ROOT", strings.ReplaceAll(root, "/", "%2F")), strings.ReplaceAll(row.lines, "ROOT", root)
	res, err := c.Access(t.Context(), scheme.Request{URL: locator.MustParse(name + "://" + s.login + e.Addr(t, s.name) + path)}, nil)
	if err != nil {
		t.Errorf("%s: %v", row.what, err)
		return
	}
	notes := strings.Join(res.Notes, "; ")
	if refused := row.empty && s.refuse != ""; refused != strings.Contains(notes, "refuses an empty CWD ("+s.refuse+" ") || !refused && notes != "" {
		t.Errorf("%s: notes %q", row.what, notes)
	}
	got := drain(t, res)
	want := row.list
	if row.file != "" {
		b, err := os.ReadFile(filepath.Join(e.Tree, filepath.FromSlash(row.file)))
		if err != nil {
			t.Fatal(err)
		}
		want = string(b)
	} else {
		got = strings.Join(strings.Fields(got), " ")
	}
	if got != want {
		t.Errorf("%s: %.60q came, want %.60q", row.what, got, want)
	}
	user := "USER anonymous|PASS ****|"
	if s.login != "" {
		user = "USER alice|PASS ****|"
	}
	if got := strings.Join(traced(sent), "|"); got != user+lines {
		t.Errorf("%s: sent %q, want %q", row.what, got, user+lines)
	}
}

// traced returns the lines of a trace that are steps. The client sends SIZE after a file whose size
// was not announced.
func traced(sent []string) []string {
	return slices.DeleteFunc(slices.Clone(sent), func(l string) bool {
		verb, _, _ := strings.Cut(l, " ")
		return slices.Contains([]string{"EPSV", "PASV", "FEAT", "OPTS", "SIZE", "QUIT"}, verb)
	})
}

// refusesInjection checks that lines that would be two commands cause no connection and no change.
func (s realServer) refusesInjection(t *testing.T, e *peers.Env) {
	t.Helper()
	dials := 0
	c := newClient(t, func(o *client.Options) {
		o.Trace = &scheme.Trace{Connected: func(scheme.Connection) { dials++ }}
	})
	_, err := c.Access(t.Context(), scheme.Request{URL: locator.MustParse("ftp://" + s.login + e.Addr(t, s.name) + "/text.txt%0D%0ADELE%20text.txt")}, nil)
	if client.CodeOf(err) != scheme.CodeRefused || dials != 0 {
		t.Errorf("two lines in a name: %v, %d connections", err, dials)
	}
	if _, err := os.Stat(filepath.Join(e.Tree, "text.txt")); err != nil {
		t.Error(err)
	}
}

// TestPeersPasswords checks that the password of a user without one is asked for, an empty one is
// sent as such, escapes are decoded, and none is invented.
//
// Covers: A1, P3
func TestPeersPasswords(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		server, login string
		asked         string // the password of the LoginFunc; "" for none
		times         int    // number of calls of the LoginFunc
		lines         string
		code          scheme.Code
	}{
		{"vsftpd", "", "x", 0, "USER anonymous|PASS ****", scheme.CodeOK},
		{"proftpd", "alice@", "secret", 1, "USER alice|PASS ****", scheme.CodeOK},
		{"proftpd", "alice@", "", 1, "USER alice", scheme.CodeLoginNeeded},
		{"proftpd", "bob:@", "x", 0, "USER bob|PASS ", scheme.CodeOK},
		{"proftpd", "bob@", "", 1, "USER bob", scheme.CodeLoginNeeded},
		{"pureftpd", "alice@", "secret", 1, "USER alice|PASS ****", scheme.CodeOK},
		{"pureftpd", "alice:s%65cret@", "x", 0, "USER alice|PASS ****", scheme.CodeOK},
		{"pyftpdlib", "bob:@", "x", 0, "USER bob|PASS ", scheme.CodeOK},
		{"pyftpdlib", "carol:p%40%3A@", "x", 0, "USER carol|PASS ****", scheme.CodeOK},
		{"pyftpdlib", "carol@", "p@:", 1, "USER carol|PASS ****", scheme.CodeOK},
		{"pyftpdlib", "carol:p%2540@", "x", 0, "USER carol|PASS ****", scheme.CodeLoginNeeded},
	} {
		t.Run(net.JoinHostPort(test.server, test.login), func(t *testing.T) {
			t.Parallel()
			e := peers.Start(t, test.server)
			var sent []string
			times := 0
			c := newClient(t, func(o *client.Options) {
				o.TLSMode = scheme.TLSOff
				o.Trace = &scheme.Trace{Sent: func(line string) { sent = append(sent, line) }}
				o.Logins = []scheme.LoginFunc{func(_ context.Context, l scheme.LoginRequest) (string, string, bool, error) {
					if l.NonInteractive {
						return "", "", false, nil
					}
					times++
					return l.User.Or(""), test.asked, test.asked != "", nil
				}}
			})
			res, err := c.Access(t.Context(), scheme.Request{URL: locator.MustParse("ftp://" + test.login + e.Addr(t, test.server) + "/empty;type=i")}, nil)
			if client.CodeOf(err) != test.code || times != test.times {
				t.Errorf("%v, want code %v; asked %d times, want %d", err, test.code, times, test.times)
			}
			if err == nil {
				drain(t, res)
				test.lines += "|TYPE I|RETR empty"
			} else if strings.Contains(err.Error(), "secret") {
				t.Errorf("the error contains a password: %v", err)
			}
			if got := strings.Join(traced(sent), "|"); got != test.lines {
				t.Errorf("sent %q, want %q", got, test.lines)
			}
		})
	}
}
