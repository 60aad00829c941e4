package ph

import (
	"errors"
	"io"
	"net"
	"strings"
	"testing"

	"locator/scheme"
	"locator/wire"
)

// server is a connection to a server that has sent its reply already.
type server struct {
	net.Conn
	reply  *strings.Reader
	sent   strings.Builder
	closed int
}

func (s *server) Read(p []byte) (int, error)  { return s.reply.Read(p) }
func (s *server) Write(p []byte) (int, error) { return s.sent.Write(p) }
func (s *server) Close() error                { s.closed++; return nil }

// dial returns a Conn to a server with a given reply.
func dial(reply string) (*Conn, *server) {
	s := &server{reply: strings.NewReader(reply)}
	limits := scheme.Limits{Listing: 1 << 20}.WithDefaults()
	text := func(s string) string { return strings.Map(printable, strings.ToValidUTF8(s, "?")) }
	failed := func(err error) error { return scheme.Fail(scheme.CodeBroken, "%w", err) }
	return NewConn(wire.NewConn(s, wire.Options{MaxLine: limits.Line}), Options{Limits: limits, Text: text, Failed: failed, Close: s.Close}), s
}

func printable(r rune) rune {
	if r < ' ' {
		return '\uFFFD'
	}
	return r
}

func codeOf(err error) scheme.Code {
	if e, ok := errors.AsType[*scheme.Error](err); ok {
		return e.Code
	}
	return scheme.CodeOK
}

// Next and Text handle the replies of name servers, valid or not.
//
// Covers: A7, P6
func TestReplies(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, reply string
		want        string
		code        scheme.Code
	}{
		{"LF, blanks, progress", "100:wait\n-200 :1: name : A \n-200:1: : B\n-508:1: x: Not present in entry.\n-503:1: y: You may not view this field.\n200:Ok\n", "name: A\n  B\n", scheme.CodeOK},
		{"a colon in a value", "-200:1:url: http://h/:x\r\n200:Ok\r\n", "url: http://h/:x\n", scheme.CodeOK},
		{"controls", "-200:1:name: a\x1b[2Jb\r\n200:Ok\r\n", "name: a\uFFFD[2Jb\n", scheme.CodeOK},
		{"nothing", "501:No matches to your query.\r\n", "", scheme.CodeOK},
		{"too many", "502:Too many matches.\r\n", "", scheme.CodeUsage},
		{"not indexed", "515:No indexed field in query.\r\n", "", scheme.CodeUsage},
		{"a login", "506:You must be logged in.\r\n", "", scheme.CodeLoginNeeded},
		{"busy", "475:Database unavailable; try later.\r\n", "", scheme.CodeUnavailable},
		{"an unknown command", "598:Command unknown.\r\n", "", scheme.CodeUnsupported},
		{"an unknown code", "599:x\r\n", "", scheme.CodeUsage},
		{"another unknown code", "777:\x1b[2J\r\n", "", scheme.CodeProtocol},
		{"an error behind an entry", "-200:1:name: A\r\n520:CPU usage exceeded.\r\n", "name: A\n", scheme.CodeUnavailable},
		{"closed", "", "", scheme.CodeBroken},
		{"torn", "-200:1:name: A\r\n-200:2:na", "name: A\n", scheme.CodeBroken},
		{"a gopher server", "3 no such thing\t\terror.host\t1\r\n", "", scheme.CodeProtocol},
		{"HTTP", "HTTP/1.0 400 Bad Request\r\n", "", scheme.CodeProtocol},
		{"a line too long", "-200:1:name: " + strings.Repeat("x", 9000) + "\r\n", "", scheme.CodeBroken},
		{"an entry too long", strings.Repeat("-200:1:name: "+strings.Repeat("x", 4000)+"\r\n", 100), "", scheme.CodeBroken},
		{"an entry of lines with nothing in them", strings.Repeat("-200:1:\r\n", 60_000) + "200:Ok\r\n", "", scheme.CodeBroken},
		{"an entry of names without values", strings.Repeat("-200:1:a:\r\n", 60_000) + "200:Ok\r\n", "", scheme.CodeBroken},
		{"without an end", strings.Repeat("100:wait\r\n", 200_000), "", scheme.CodeBroken},
	}
	for _, tt := range tests {
		c, s := dial(tt.reply)
		var got []byte
		text, err := c.Text()
		if err == nil {
			got, err = io.ReadAll(text)
			text.Close()
		}
		if string(got) != tt.want || codeOf(err) != tt.code || err != nil && strings.ContainsAny(err.Error(), "\x1b\r\n") {
			t.Errorf("%s: %q, %v; want %q, %v", tt.name, got, err, tt.want, tt.code)
		}
		if s.closed != 1 {
			t.Errorf("%s: closed %d times", tt.name, s.closed)
		}
		if quit := s.sent.String() == "quit\r\n"; quit != (tt.code == scheme.CodeOK) {
			t.Errorf("%s: sent %q", tt.name, s.sent.String())
		}
		if _, again := c.Next(); again == nil {
			t.Errorf("%s: Next did not repeat its error", tt.name)
		}
	}
}

// Covers: A7, P6
func TestDescribe(t *testing.T) {
	t.Parallel()
	for reply, want := range map[string]struct {
		attrs int
		code  scheme.Code
	}{
		"-200:1:administrator:a@b\r\n200:Ok.\r\n-200:1:name:max 64\r\n-200:1:name:A name.\r\n200:Ok.\r\n": {3, scheme.CodeOK},
		"598:no\r\n598:no\r\n":                           {0, scheme.CodeOK},
		"200:Ok.\r\n":                                    {0, scheme.CodeBroken},
		strings.Repeat("-200:1:a:b\r\n", 60_000):         {0, scheme.CodeBroken},
		"-200:1:a:" + strings.Repeat("x", 9000) + "\r\n": {0, scheme.CodeBroken},
	} {
		c, s := dial(reply)
		attrs, err := c.Describe()
		if len(attrs) != want.attrs || codeOf(err) != want.code {
			t.Errorf("%.40q: %+v, %v", reply, attrs, err)
		}
		if want.code == scheme.CodeOK && s.sent.String() != "siteinfo\r\nfields\r\nquit\r\n" {
			t.Errorf("sent %q", s.sent.String())
		}
	}
}

// Covers: P2
func TestQuery(t *testing.T) {
	t.Parallel()
	if l, err := Query("alan return email"); err != nil || l.String() != "query alan return email" {
		t.Errorf("%s, %v", l, err)
	}
	if _, err := Query("a\r\nadd x=y"); err == nil {
		t.Error("a query of two lines")
	}
}

// Covers: P6
func FuzzReply(f *testing.F) {
	f.Add("-200:1:         alias: s-dorner\r\n-200:1:              : more\r\n200:Ok.\r\n")
	f.Add("102:There was 1 match\n-508:2:x:\n501:\n")
	f.Add("-200:99999999999:\r\n200:")
	f.Fuzz(func(t *testing.T, reply string) {
		c, _ := dial(reply)
		c.opt.Limits.Entries = 10
		for n := 0; ; n++ {
			e, err := c.Next()
			if err != nil {
				if _, again := c.Next(); again != err {
					t.Errorf("%v after %v", again, err)
				}
				break
			}
			if n == 10 || len(e) == 0 {
				t.Errorf("entry %d: %+v", n, e)
			}
			for _, a := range append(e, scheme.Attribute{Name: e.Name()}) {
				if strings.ContainsAny(a.Name, "\r\n\x1b\x00") || strings.ContainsAny(a.Value, "\r\x1b\x00") {
					t.Errorf("%+v", a)
				}
			}
		}
		c, _ = dial(reply)
		if text, err := c.Text(); err == nil {
			io.Copy(io.Discard, text)
			text.Close()
		}
	})
}
