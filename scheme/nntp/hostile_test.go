package nntp_test

import (
	"context"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/internal/hang"
	"locator/scheme"
	"locator/scheme/nntp/nntptest"
)

// No part of a URL becomes a further command or argument: what cannot be sent is refused before
// anything is dialled.
//
// Covers: P1, P2, T93
func TestInjection(t *testing.T) {
	t.Parallel()
	s := start(t, numbered(1)...)
	c := newClient(t, func(o *client.Options) { o.Servers = map[string][]locator.URL{"news": {s.ServerURL()}} })
	long := strings.Repeat("x", 500)
	refused := 0
	for _, text := range []string{
		"nntp://HOST/g%0D%0AQUIT", "nntp://HOST/g%0AQUIT/1", "nntp://HOST/g%0D", "nntp://HOST/g%00", "nntp://HOST/g%20h", "nntp://HOST/g%09h/1", "nntp://HOST/" + long,
		"news:a%0D%0AQUIT@b.example", "news:a%0A@b.example", "news:a%00@b.example", "news:a%20b@c.example", "news:a%3E%20%3Cb@c.example", "news:a%3E@b.example", "news:%3Ca@b.example",
		"news:a@b.example%0D%0AQUIT", "news:" + long + "@b.example", "news:g%0D%0AQUIT", "news:g.*%0D%0AQUIT", "news:g.*%20h", "news:g.%5Ba%5D*", "news:" + long + "*",
		"news://HOST/g%0D%0AQUIT", "nntp://u%0D%0AQUIT:p@HOST/g", "nntp://u:p%0D%0AQUIT@HOST/g",
	} {
		u, err := locator.Current.Parse(strings.Replace(text, "HOST", s.Addr(), 1))
		if err != nil {
			continue // the parser refuses it
		}
		refused++
		for _, o := range []scheme.AccessOptions{{}, {Raw: scheme.RawAll}, {Decode: true}} {
			if _, err := c.Access(t.Context(), scheme.Request{URL: u}, &o); client.CodeOf(err) != scheme.CodeRefused {
				t.Errorf("%.60s: %v", text, err)
			}
		}
		if _, err := c.Attributes(t.Context(), scheme.Request{URL: u}, nil); client.CodeOf(err) != scheme.CodeRefused {
			t.Errorf("attributes of %.60s: %v", text, err)
		}
	}
	if n := s.Connections(); n != 0 || refused < 8 {
		t.Errorf("%d connections, %d refused: %q", n, refused, s.Lines())
	}
}

// at returns a URL of a server.
func at(t testing.TB, s *nntptest.Server, name, path string) locator.URL {
	t.Helper()
	u, err := locator.Current.Parse(name + "://127.0.0.1:" + strconv.Itoa(int(s.Port())) + "/" + path)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// Whatever a server sends without end, the operation ends at a limit, with an error of its code and
// what came before.
//
// Covers: P6, T91
func TestEndless(t *testing.T) {
	t.Parallel()
	hang.Within(t, time.Minute)
	long, group := strings.Repeat("x", 4096), nntptest.Reply("GROUP", "211 5 1 5 g.test\r\n")
	row := "1\ts\ta@b\t1 Dec 1994 12:00:00 GMT\t<x@y>\t\t100\t7\r\n"
	const article = "220 1 <a@b>\r\nSubject: s\r\n"
	limited := func(o *client.Options) {
		o.Limits.Body, o.Limits.Listing, o.Limits.Header = 1<<16, 1<<16, 1<<16
		o.TLSMode, o.Logins = scheme.TLSOff, []scheme.LoginFunc{client.FixedLogin(nntptest.Alice, nntptest.Password)}
	}
	for name, c := range map[string]struct {
		options []nntptest.Option
		do      func(*client.Client, *nntptest.Server) (string, error)
		text    string // of the error
		kept    string // what comes before it
	}{
		"greeting":               {[]nntptest.Option{nntptest.Endless("", "200 ", long)}, getFirst, "line", ""},
		"CAPABILITIES":           {[]nntptest.Option{nntptest.Endless("CAPABILITIES", "101 list\r\n", "X\r\n")}, getFirst, "limit", ""},
		"CAPABILITIES, a line":   {[]nntptest.Option{nntptest.Endless("CAPABILITIES", "101 list\r\n", long)}, getFirst, "line", ""},
		"MODE":                   {[]nntptest.Option{nntptest.ModeReader(), nntptest.Endless("MODE", "200 ", long)}, getFirst, "line", ""},
		"AUTHINFO":               {[]nntptest.Option{nntptest.Login(), nntptest.Endless("AUTHINFO", "381 ", long)}, getFirst, "line", ""},
		"GROUP":                  {[]nntptest.Option{nntptest.Endless("GROUP", "211 1 1 1 ", long)}, getFirst, "line", ""},
		"ARTICLE":                {[]nntptest.Option{nntptest.Endless("ARTICLE", article+"\r\n", "text\r\n")}, getFirst, "limit of 65536 bytes", "Subject: s\r\n\r\ntext\r\n"},
		"ARTICLE, a line":        {[]nntptest.Option{nntptest.Endless("ARTICLE", article+"\r\n", long)}, getFirst, "limit of 65536 bytes", "Subject: s\r\n\r\nxxx"},
		"ARTICLE, a header":      {[]nntptest.Option{nntptest.Endless("ARTICLE", article, "X: y\r\n")}, getFirst, "limit of 65536 bytes", "Subject: s\r\nX: y\r\n"},
		"ARTICLE, CR":            {[]nntptest.Option{nntptest.Endless("ARTICLE", article, "\r")}, getFirst, "limit of 65536 bytes", "Subject: s\r\n\r\r"},
		"text":                   {[]nntptest.Option{nntptest.Endless("ARTICLE", article+"\r\n", "text\r\n")}, decodeFirst, "limit of 65536 bytes", "Subject: s\n\ntext\n"},
		"header, decoded":        {[]nntptest.Option{nntptest.Endless("ARTICLE", article, "X: y\r\n")}, decodeFirst, "much longer than the limit", ""},
		"base64 of nothing":      {[]nntptest.Option{nntptest.Endless("ARTICLE", article+"Content-Transfer-Encoding: base64\r\n\r\n", "---\r\n")}, decodeFirst, "much longer than the limit", "Subject: s\n\n"},
		"white space":            {[]nntptest.Option{nntptest.Endless("ARTICLE", article+"Content-Transfer-Encoding: quoted-printable\r\n\r\n", "=\r\n")}, decodeFirst, "much longer than the limit", "Subject: s\n\n"},
		"quoted-printable":       {[]nntptest.Option{nntptest.Endless("ARTICLE", article+"Content-Transfer-Encoding: quoted-printable\r\n\r\n", "=20=\r\n")}, decodeFirst, "limit", "Subject: s\n\n"},
		"preamble":               {[]nntptest.Option{nntptest.Endless("ARTICLE", article+"Content-Type: multipart/mixed; boundary=b\r\n\r\n", "text\r\n")}, decodeFirst, "much longer than the limit", "Subject: s\n\n"},
		"header of a part":       {[]nntptest.Option{nntptest.Endless("ARTICLE", article+"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n", "X: y\r\n")}, decodeFirst, "much longer than the limit", "Subject: s\n\n"},
		"attachment":             {[]nntptest.Option{nntptest.Endless("ARTICLE", article+"Content-Type: image/gif\r\n\r\n", "GIF\r\n")}, decodeFirst, "much longer than the limit", "Subject: s\n\n"},
		"yEnc":                   {[]nntptest.Option{nntptest.Endless("ARTICLE", article+"\r\n=ybegin line=128 size=3 name=a\r\n", "abc\r\n")}, decodeFirst, "much longer than the limit", "Subject: s\n\n"},
		"uuencode":               {[]nntptest.Option{nntptest.Endless("ARTICLE", article+"\r\nbegin 644 a\r\n", "#1TE&\r\n")}, decodeFirst, "much longer than the limit", "Subject: s\n\n"},
		"HEAD":                   {[]nntptest.Option{nntptest.Endless("HEAD", "221 head\r\n", "X: y\r\n")}, attrFirst, "limit", ""},
		"HEAD, a line":           {[]nntptest.Option{nntptest.Endless("HEAD", "221 head\r\n", long)}, attrFirst, "limit", ""},
		"OVER":                   {[]nntptest.Option{group, nntptest.Endless("OVER", "224 list\r\n", row)}, listAll, "limit", "s s s"},
		"OVER, a line":           {[]nntptest.Option{group, nntptest.Endless("OVER", "224 list\r\n"+row, long)}, listAll, "limit", "s"},
		"OVER, raw":              {[]nntptest.Option{group, nntptest.Endless("OVER", "224 list\r\n", row)}, listRaw, "limit of 65536 bytes", row + row},
		"HEAD for each article":  {[]nntptest.Option{group, nntptest.Without("OVER", "XOVER"), nntptest.Endless("HEAD", "221 head\r\n", "X: y\r\n")}, listAll, "limit", ""},
		"LIST":                   {[]nntptest.Option{nntptest.Endless("LIST", "215 list\r\n", "g 5 1 y\r\n")}, listGroups, "limit", ""},
		"LIST, a line":           {[]nntptest.Option{nntptest.Endless("LIST", "215 list\r\n", long)}, listGroups, "limit", ""},
		"description of a group": {[]nntptest.Option{nntptest.Endless("LIST", "215 list\r\n", "g text\r\n")}, attrGroup, "limit", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, append(numbered(1), c.options...)...)
			kept, err := c.do(newClient(t, limited), s)
			wantCode(t, err, scheme.CodeBroken, c.text)
			if !strings.HasPrefix(kept, c.kept) {
				t.Errorf("%.100q came before the error, want %q", kept, c.kept)
			}
		})
	}
}

// A response that ends without its last line is an error, and so is one of the wrong kind. What
// came before is kept.
//
// Covers: P6
func TestNoLastLine(t *testing.T) {
	t.Parallel()
	group := nntptest.Reply("GROUP", "211 5 1 5 g.test\r\n")
	row := "1\ts\ta@b\t1 Dec 1994 12:00:00 GMT\t<x@y>\t\t100\t7\r\n"
	for name, c := range map[string]struct {
		verb, reply string
		without     []string
		do          func(*client.Client, *nntptest.Server) (string, error)
		kept        string
	}{
		"ARTICLE":          {"ARTICLE", "220 1 <a@b>\r\nSubject: s\r\n\r\nhalf a li", nil, getFirst, "Subject: s\r\n\r\nhalf a li"},
		"ARTICLE, LF":      {"ARTICLE", "220 1 <a@b>\r\nSubject: s\r\n\r\nend\n.\n", nil, getFirst, "Subject: s\r\n\r\nend\n.\n"},
		"ARTICLE, decoded": {"ARTICLE", "220 1 <a@b>\r\nSubject: s\r\n\r\nhalf a li", nil, decodeFirst, "Subject: s\n\nhalf a li"},
		"HEAD":             {"HEAD", "221 1 <a@b>\r\nSubject: s\r\n", nil, attrFirst, ""},
		"OVER":             {"OVER", "224 list\r\n" + row + row, nil, listAll, "s s"},
		"OVER, raw":        {"OVER", "224 list\r\n" + row, nil, listRaw, row},
		"XOVER":            {"XOVER", "224 list\r\n" + row, []string{"CAPABILITIES", "OVER"}, listAll, "s"},
		"LIST":             {"LIST", "215 list\r\ng 5 1 y\r\n", nil, listGroups, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, append(numbered(1), group, nntptest.Without(c.without...), nntptest.Reply(c.verb, c.reply), nntptest.Hangup(c.verb))...)
			kept, err := c.do(newClient(t), s)
			if wantCode(t, err, scheme.CodeBroken); kept != c.kept {
				t.Errorf("%q came before the error, want %q", kept, c.kept)
			}
		})
	}
}

// What is read from a server, as text: of an article its bytes, of a listing the names of its
// entries.

func getFirst(c *client.Client, s *nntptest.Server) (string, error) {
	return read(c, s.GroupURL("g.test", 1), scheme.AccessOptions{})
}

func decodeFirst(c *client.Client, s *nntptest.Server) (string, error) {
	return read(c, s.GroupURL("g.test", 1), scheme.AccessOptions{Decode: true})
}

func listRaw(c *client.Client, s *nntptest.Server) (string, error) {
	return read(c, s.GroupURL("g.test", 0), scheme.AccessOptions{Raw: scheme.RawAll})
}

func read(c *client.Client, u locator.URL, o scheme.AccessOptions) (string, error) {
	res, err := c.Access(context.Background(), scheme.Request{URL: u}, &o)
	if err != nil {
		return "", err
	}
	defer res.Close()
	b, err := io.ReadAll(res.Body)
	return string(b), err
}

func attrFirst(c *client.Client, s *nntptest.Server) (string, error) {
	_, err := c.Attributes(context.Background(), scheme.Request{URL: s.GroupURL("g.test", 1)}, nil)
	return "", err
}

func attrGroup(c *client.Client, s *nntptest.Server) (string, error) {
	_, err := c.Attributes(context.Background(), scheme.Request{URL: s.GroupURL("g.test", 0)}, nil)
	return "", err
}

func listAll(c *client.Client, s *nntptest.Server) (string, error) {
	return namesOf(c, s.GroupURL("g.test", 0))
}

func listGroups(c *client.Client, s *nntptest.Server) (string, error) { return namesOf(c, groupsOf(s)) }

func namesOf(c *client.Client, u locator.URL) (string, error) {
	var list []string
	for e, err := range client.Entries(c.List(context.Background(), scheme.Request{URL: u}, nil)) {
		if err != nil {
			return strings.Join(list, " "), err
		}
		list = append(list, e.Name)
	}
	return strings.Join(list, " "), nil
}
