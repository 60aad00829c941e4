package conformance

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"locator"
)

var update = flag.Bool("update", false, "update the golden files")

// golden compares text with a file under testdata, or updates the file with -update.
func golden(t *testing.T, name, text string) {
	t.Helper()
	name = filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if text != string(want) {
		t.Errorf("%s differs; with -update it becomes\n%s", name, text)
	}
}

// All URLs in RFC 1738 itself are valid.
//
// Covers: S1, S3, S7, S8, S9, S16
func TestParseRFCExamples(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"http://www.acl.lanl.gov/URI/archive/uri-archive.index.html",
		"ftp://@host.com/", "ftp://host.com/", "ftp://foo:@host.com/",
		"ftp://myname@host.dom/%2Fetc/motd", "ftp://myname@host.dom/etc/motd", "ftp://myname@host.dom//etc/motd",
		"news:*", "news:comp.infosystems.www.misc",
		"file://vms.host.edu/disk$user/my/notes/note12345.txt",
		"prospero://host.dom//pros/name",
		"ftp://info.cern.ch/pub/www/doc;type=d", "ftp://ds.internic.net/rfc",
		"http://ds.internic.net/instructions/overview.html",
		"ftp://ds.internic.net/rfc/rfc1436.txt;type=a",
		"gopher://h/0sel%09%09+%091%0D%0A+-1%0D%0Aanswer%0D%0A.%0D%0A",
		"gopher://h/0sel%09%09+application/postscript%20Es_ES", "gopher://h/0sel%09%09!+ABSTRACT%20+SMELL",
	} {
		u, err := locator.Parse(s)
		if err != nil {
			t.Error(err)
			continue
		}
		if u.Text() != s {
			t.Errorf("the text of %q is %q", s, u.Text())
		}
		checkParts(t, u)
	}
	if _, err := locator.Parse("http://ds.internic.net/instructions/overview.html#WARNING"); err == nil {
		t.Error("a fragment is accepted as part of a URL")
	}
}

// syntaxErrors are malformed texts with the offset, worked out by hand, and the rule.
var syntaxErrors = []struct {
	text   string
	offset int
	rule   string
	hint   string // what the hint begins with
}{
	// The scheme (2.1).
	{"", 0, "scheme", "begin with a scheme"},
	{":", 0, "scheme", "begin with a scheme"},
	{"/x", 0, "scheme", "begin with"},
	{"ftp", 3, "scheme", "begin with a scheme"},
	{"ht~tp://h", 2, "scheme", "begin with a scheme"},
	{"h%74tp://h/", 1, "scheme", "begin with a scheme"},
	{" http://h/", 0, "scheme", "begin with"},
	{"<URL:http://h/>", 0, "scheme", "begin with"},
	{"ftp:", 4, "ftpurl", `put "//"`},
	{"ftp:/x", 5, "ftpurl", `put "//"`},
	{"FTP:x", 4, "ftpurl", `put "//"`},
	// Bytes that must be escaped (2.2).
	{"ftp://host.dom/~x", 15, "fsegment", "%7E"},
	{"http://h/a b", 10, "hsegment", "%20"},
	{"http://h/\x00", 9, "hsegment", "%00"},
	{"http://h/a\r\nb", 10, "hsegment", "%0D"},
	{"http://h/\xc3\xa9", 9, "hsegment", "%C3"},
	{"http://h/a#b", 10, "hsegment", "%23"},
	{"x-y:a|b", 5, "schemepart", "%7C"},
	{"http://h/%", 10, "escape", "%25"},
	{"http://h/%4", 11, "escape", "%25"},
	{"http://h/%g1", 10, "escape", "%25"},
	{"http://h/%4g", 11, "escape", "%25"},
	{"http://h/100%/x", 13, "escape", "%25"},
	// User and password (3.1): the error is late while the text may still be a user.
	{"ftp://a_b", 9, "login", "a host is"},
	{"ftp://a_b/x", 9, "login", "a host is"},
	{"ftp://a%41/", 10, "login", "a host is"},
	{"ftp://u@v@h/", 9, "host", "a host is"},
	{"ftp://a:b:c@h/", 9, "password", "write it as %XX"},
	{"ftp://u:pa/ss@h/", 10, "port", "write it as %XX"},
	{"ftp://u:p w@h/", 9, "password", "write it as %XX"},
	{"ftp://u w@h/", 7, "user", "%20"},
	{"ftp://h:80:80/", 10, "password", "%3A"},
	{"ftp://:@/", 8, "host", "a host is"},
	{"ftp://", 6, "host", "a host is"},
	{"ftp:///x", 6, "host", "a host is"},
	{"http://user:pw@h/", 12, "port", "leave out"},
	{"http://user@h/", 11, "host", "leave out"},
	{"gopher://user@h/", 13, "host", "leave out"},
	// Host and port (3.1).
	{"http://", 7, "host", "a host is"},
	{"http:///", 7, "host", "a host is"},
	{"http://-h/", 7, "host", "a host is"},
	{"http://h-/", 9, "host", "a host is"},
	{"http://h-.x/", 9, "host", "a host is"},
	{"http://a..b/", 9, "host", "a host is"},
	{"http://host.dom./", 16, "host", "a host is"},
	{"http://h_1/", 8, "host", "a host is"},
	{"http://host.1a/", 14, "host", "a host is"},
	{"http://1.2.3/", 12, "host", "a host is"},
	{"http://1.2.3.4.5/", 16, "host", "a host is"},
	{"http://h%41/", 8, "host", "a host is"},
	{"http://[::1]/", 7, "host", "a host is"},
	{"http://h:", 9, "port", "write the port"},
	{"http://h:/", 9, "port", "write the port"},
	{"http://h:8a/", 10, "port", "write the port"},
	{"http://h:80:80/", 11, "port", "write the port"},
	{"ftp://h:", 8, "port", "write the port"},
	{"ftp://h:8x/", 10, "port", "write the port"},
	{"http://h?x", 8, "hostport", `put "/" before`},
	{"http://h:80?x", 11, "hostport", `put "/" before`},
	// ftp (3.2).
	{"ftp://h/a;b", 10, "ftpurl", `end with ";type=a"`},
	{"ftp://h/a;type", 14, "ftpurl", `end with ";type=a"`},
	{"ftp://h/a;TYPE=a", 10, "ftpurl", "end with"},
	{"ftp://h/a;type=", 15, "ftptype", `end with ";type=a"`},
	{"ftp://h/a;type=x", 15, "ftptype", `end with ";type=a"`},
	{"ftp://h/a;type=ab", 16, "ftpurl", `end with ";type=a"`},
	{"ftp://h/a;x/b", 10, "ftpurl", `end with ";type=a"`},
	// http (3.3).
	{"http://h/?a?b", 11, "search", "%3F"},
	{"http://h/?a/b", 11, "search", "%2F"},
	// gopher (3.4).
	{"gopher://h/~", 11, "gtype", "%7E"},
	{"gopher://h/0a\tb", 13, "selector", "%09"},
	// mailto (3.5).
	{"mailto:", 7, "encoded822addr", "add "},
	{"mailto:a b", 8, "encoded822addr", "%20"},
	{"mailto:a%b", 10, "escape", "%25"},
	// news and nntp (3.6, 3.7): the error is late while the text may still be a message-id.
	{"news:", 5, "grouppart", "a group begins"},
	{"news:1a", 7, "article", "a group begins"},
	{"news:**", 7, "article", "a group begins"},
	{"news:a%41", 9, "article", "a group begins"},
	{"news:@h", 5, "article", "a group begins"},
	{"news:a@", 7, "host", "a host is"},
	{"news:a@b/", 8, "host", "a host is"},
	{"news:a@b@c", 8, "host", `an "@" before`},
	{"news:<a@b>", 5, "grouppart", "%3C"},
	{"nntp://h", 8, "nntpurl", "add"},
	{"nntp://h/", 9, "group", "add"},
	{"nntp://h/1", 9, "group", "put "},
	{"nntp://h/*", 9, "group", "put"},
	{"nntp://h/a%2e", 10, "group", "a group is"},
	{"nntp://h/a/", 11, "digits", "add "},
	{"nntp://h/a/x", 11, "digits", "put "},
	{"nntp://h/a/1-2", 12, "digits", "write the number"},
	// telnet (3.8).
	{"telnet://h/x", 11, "telneturl", "end after"},
	{"telnet://h//", 11, "telneturl", "end after"},
	// wais (3.9).
	{"wais://h", 8, "waisurl", "add "},
	{"wais://h/d;x", 10, "database", "%3B"},
	{"wais://h/d/t", 12, "waisdoc", "write database"},
	{"wais://h/d/t?", 12, "wtype", "%3F"},
	{"wais://h/d/t/p/q", 14, "wpath", "%2F"},
	{"wais://h/d?a/b", 12, "search", "%2F"},
	// file (3.10).
	{"file:", 5, "fileurl", `put "//"`},
	{"file:/etc/motd", 6, "fileurl", "put"},
	{"file://", 7, "host", "write "},
	{"file://h", 8, "fileurl", "a file URL has"},
	{"file://h:80/", 8, "fileurl", "a file URL has"},
	{"file://u@h/", 8, "fileurl", "leave out"},
	{"file:///a;b", 9, "fsegment", "%3B"},
	// prospero (3.11).
	{"prospero://h", 12, "prosperourl", "add "},
	{"prospero://h/a;", 15, "fieldspec", "a field is"},
	{"prospero://h/a;b", 16, "fieldspec", "a field is"},
	{"prospero://h/a;b;c=d", 16, "fieldspec", "a field is"},
	{"prospero://h/a;b/c=d", 16, "fieldname", "%2F"},
	{"prospero://h/a;b=c=d", 18, "fieldvalue", "%3D"},
	{"prospero://h/a#b", 14, "psegment", "%23"},
}

// Covers: S2, S4, S22
func TestParseErrors(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for _, c := range syntaxErrors {
		_, err := locator.Parse(c.text)
		if err == nil {
			t.Errorf("Parse(%q): no error", c.text)
			continue
		}
		e := checkError(t, c.text, err)
		if e.Offset != c.offset || e.Rule != c.rule || !strings.HasPrefix(e.Hint, c.hint) || e.Section != "5" {
			t.Errorf("Parse(%q):\n  offset %d, rule %s, section %s, hint %q\n  want %d, %s, 5, %q...",
				c.text, e.Offset, e.Rule, e.Section, e.Hint, c.offset, c.rule, c.hint)
		}
		agree(t, c.text)
		fmt.Fprintf(&all, "%q\n\t%s\n", c.text, e)
	}
	golden(t, "syntax-errors.golden", all.String())
}

// The length of an error message is bounded, whatever the text.
//
// Covers: T205
func TestParseErrorShort(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 1<<20)
	for _, s := range []string{long, long + ":~", "ftp://" + long + "_", "http://h/" + long + "~", "news:1" + long} {
		if _, err := locator.Parse(s); err == nil || len(err.Error()) > 400 {
			t.Errorf("%.20q...: %.500v", s, err)
		}
	}
}

// A URL of a predefined scheme must match its own rule, even if it matches genericurl.
//
// Covers: S1
func TestPredefinedNotGeneric(t *testing.T) {
	t.Parallel()
	for _, s := range locator.Schemes() {
		_, err := locator.Parse(s.Name + ":")
		if other := s.Productions == "" || s.Name == "https"; (err == nil) != other {
			t.Errorf("%s: got %v", s.Name, err)
		}
	}
	for _, s := range []string{"x-y:;;", "x-y:", "1:", "+.-:x", "X-Y:x", "https:x", "url:x", "nfs:x"} {
		u, err := locator.Parse(s)
		if err != nil {
			t.Error(err)
			continue
		}
		if v, ok := locator.As[*locator.Other](u); !ok || u.Scheme() != strings.ToLower(s[:strings.IndexByte(s, ':')]) || v.Part != u.SchemePart() {
			t.Errorf("%q parses as %v", s, u)
		}
	}
}

// A digit group over 255, a port over 65535 and leading zeros are grammatical.
//
// Covers: S4, S5
func TestPortsAndNumbers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		port uint16
		ok   bool
	}{
		{"http://999.256.1.00000/", 80, true},
		{"http://h:65535/", 65535, true},
		{"http://h:65536/", 0, false},
		{"http://h:99999999999999999999999/", 0, false},
		{"http://h:0/", 0, false},
		{"http://h:000/", 0, false},
		{"http://h:00080/", 80, true},
		{"ftp://h", 21, true},
		{"gopher://h", 70, true},
		{"nntp://h/a", 119, true},
		{"telnet://h", 23, true},
		{"wais://h/", 210, true},
		{"prospero://h/", 1525, true},
		{"file:///", 0, false},
		{"mailto:a", 0, false},
		{"news:a", 0, false},
		{"nntps://h/a", 563, true},
		{"x-y://h/", 0, false},
		{"x-y://h:7/", 7, true},
	} {
		u := locator.MustParse(c.text)
		if port, ok := u.PortNumber(); port != c.port || ok != c.ok {
			t.Errorf("the port of %s is %d, %v", c.text, port, ok)
		}
	}
	for _, s := range locator.Schemes() {
		if locator.DefaultPort(s.Name) != s.Port || locator.DefaultPort(strings.ToUpper(s.Name)) != s.Port {
			t.Errorf("%s: default port %d, syntax says %d", s.Name, locator.DefaultPort(s.Name), s.Port)
		}
	}
	if locator.DefaultPort("x-y") != 0 || locator.DefaultPort("") != 0 {
		t.Error("an unknown scheme has a default port")
	}
}

// Covers: S3, S6
func TestURLParts(t *testing.T) {
	t.Parallel()
	const none = "(none)"
	or := func(s string, ok bool) string {
		if ok {
			return s
		}
		return none
	}
	for _, c := range []struct {
		text                                     string
		scheme, user, password, host, port, path string
	}{
		{"ftp://@host.com/", "ftp", "", none, "host.com", "", ""},
		{"ftp://host.com/", "ftp", none, none, "host.com", "", ""},
		{"ftp://host.com", "ftp", none, none, "host.com", "", none},
		{"ftp://foo:@host.com/", "ftp", "foo", "", "host.com", "", ""},
		{"ftp://:@host.com:21/a", "ftp", "", "", "host.com", "21", "a"},
		{"FTP://a%3Ab:c%40d@Host.Com:021//x;type=A", "ftp", "a%3Ab", "c%40d", "Host.Com", "021", "/x;type=A"},
		{"http://h/a/b?c", "http", none, none, "h", "", "a/b"},
		{"telnet://u:p@h:23/", "telnet", "u", "p", "h", "23", ""},
		{"file:///x", "file", none, none, "", "", "x"},
		{"mailto:a@b", "mailto", none, none, "", "", none},
		{"news:a@b", "news", none, none, "", "", none},
		{"x-y://u:p@h:1/a/b", "x-y", "u", "p", "h", "1", "a/b"},
		{"x-y://u:p@h_/a/b", "x-y", none, none, "", "", none},
		{"x-y:u:p@h/a/b", "x-y", none, none, "", "", none},
		{"https://h/a?b", "https", none, none, "h", "", "a?b"},
	} {
		u := locator.MustParse(c.text)
		checkParts(t, u)
		got := []string{u.Scheme(), or(u.User()), or(u.Password()), u.Host(), u.Port(), or(u.Path())}
		want := []string{c.scheme, c.user, c.password, c.host, c.port, c.path}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s: %q, want %q", c.text, got, want)
		}
	}
	var zero locator.URL
	if !zero.IsZero() || zero.Scheme() != "" || zero.Text() != "" || zero.SchemePart() != "" || zero.Host() != "" || zero.View() != nil ||
		zero.Parts() != nil || !zero.Canonical().IsZero() || zero.Redacted() != "" || zero.HasHost() || zero.Hierarchical() {
		t.Error("the zero URL has parts")
	}
	text := "ftp://h/"
	if u := locator.MustParse(text); u != locator.MustParse(strings.Clone(text)) || u == locator.MustParse("ftp://H/") {
		t.Error("URLs of the same text are not ==, or URLs of different texts are")
	}
}
