package nntp_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/internal/leaks"
	"locator/scheme"
	"locator/scheme/nntp"
	"locator/scheme/nntp/nntptest"
	"locator/schemetest/peer"
)

// start starts a server that is closed at the end of the test.
func start(t testing.TB, options ...nntptest.Option) *nntptest.Server {
	t.Helper()
	s, err := nntptest.Start(nil, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// newClient returns a client for the four schemes.
func newClient(t testing.TB, change ...func(*client.Options)) *client.Client {
	t.Helper()
	o := client.Options{
		Registry: scheme.NewRegistry(nntp.New(), nntp.NewNews(), nntp.NewTLS(), nntp.NewNewsTLS()),
		Limits:   scheme.Limits{Idle: 10 * time.Second},
	}
	for _, f := range change {
		f(&o)
	}
	l := leaks.Watch(t)
	o.Dial = l.Dial(nil)
	c := client.New(o)
	l.Ends(c)
	return c
}

// get reads a URL.
func get(t testing.TB, c *client.Client, u locator.URL) (string, error) {
	t.Helper()
	res, err := c.Access(t.Context(), scheme.Request{URL: u}, nil)
	if err != nil {
		return "", err
	}
	defer res.Close()
	b, err := io.ReadAll(res.Body)
	return string(b), err
}

// names lists a URL.
func names(t testing.TB, c *client.Client, u locator.URL, o scheme.ListOptions) (list []string, err error) {
	t.Helper()
	for e, err := range c.List(t.Context(), scheme.Request{URL: u}, &o) {
		if err != nil {
			return list, err
		}
		list = append(list, e.Name)
	}
	return list, nil
}

// text returns an article with that subject.
func text(id, subject, body string) string {
	return fmt.Sprintf("From: a@b.example\r\nNewsgroups: g.test\r\nSubject: %s\r\nDate: 1 Dec 1994 12:00:00 GMT\r\nMessage-ID: <%s>\r\n\r\n%s", subject, id, body)
}

// numbered returns n articles of g.test.
func numbered(n int) (opts []nntptest.Option) {
	for i := range n {
		opts = append(opts, nntptest.Article("g.test", text(fmt.Sprintf("%d@b.example", i+1), fmt.Sprintf("s%d", i+1), "text\r\n")))
	}
	return opts
}

// wantCode fails unless err has the code and contains all texts.
func wantCode(t testing.TB, err error, code scheme.Code, texts ...string) {
	t.Helper()
	if client.CodeOf(err) != code {
		t.Errorf("code %v, want %v: %v", client.CodeOf(err), code, err)
		return
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("the error lacks %q: %v", text, err)
		}
	}
}

// Each class of replies has its code.
//
// Covers: A9, P6
func TestReplies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		verb, reply string
		code        scheme.Code
		text        string
	}{
		{"", "400 later\r\n", scheme.CodeUnavailable, "try again later"},
		{"", "502 go away\r\n", scheme.CodeLoginNeeded, "does not permit"},
		{"", "220 mail.example ESMTP\r\n", scheme.CodeProtocol, "makes no sense"},
		{"", "SSH-2.0-OpenSSH\r\n", scheme.CodeProtocol, "does not speak NNTP"},
		{"", "2000 ready\r\n", scheme.CodeProtocol, "does not speak NNTP"},
		{"", "\r\n", scheme.CodeProtocol, "does not speak NNTP"},
		{"", "200 no line end", scheme.CodeBroken, ""},
		{"CAPABILITIES", "101 list\r\nVERSION 2\r\n", scheme.CodeBroken, ""},
		{"GROUP", "411 none\r\n", scheme.CodeNotFound, "no such group"},
		{"GROUP", "480 who?\r\n", scheme.CodeLoginNeeded, "a login is needed"},
		{"GROUP", "483 TLS\r\n", scheme.CodeLoginNeeded, "requires TLS"},
		{"GROUP", "400 load\r\n", scheme.CodeUnavailable, "later"},
		{"GROUP", "403 fault\r\n", scheme.CodeUnavailable, "internal fault"},
		{"GROUP", "500 what\r\n", scheme.CodeUnsupported, "does not know"},
		{"GROUP", "502 no\r\n", scheme.CodeLoginNeeded, "does not permit"},
		{"GROUP", "499 odd\r\n", scheme.CodeUnavailable, "refused GROUP"},
		{"GROUP", "299 odd\r\n", scheme.CodeProtocol, "makes no sense after GROUP"},
		{"ARTICLE", "423 none\r\n", scheme.CodeNotFound, "no article with this number"},
		{"ARTICLE", "430 none\r\n", scheme.CodeNotFound, "message-id"},
		{"ARTICLE", "412 which\r\n", scheme.CodeProtocol, "lost the group"},
		{"ARTICLE", "420 none\r\n", scheme.CodeNotFound, ""},
		{"ARTICLE", "221 1 <a@b>\r\n\r\n.\r\n", scheme.CodeProtocol, "makes no sense"},
		{"ARTICLE", "111 20260101000000\r\n", scheme.CodeProtocol, "makes no sense"},
		{"ARTICLE", "501 bad\r\n", scheme.CodeUnsupported, ""},
		{"ARTICLE", "220 \x1b[2J\x00\r\nSubject: x\r\n\r\ntext", scheme.CodeBroken, "broke off"},
	} {
		t.Run(c.verb+" "+c.reply[:min(3, len(c.reply))], func(t *testing.T) {
			t.Parallel()
			s := start(t, append(numbered(1), nntptest.Reply(c.verb, c.reply), nntptest.Hangup(c.verb))...)
			_, err := get(t, newClient(t), s.GroupURL("g.test", 1))
			wantCode(t, err, c.code, c.text)
		})
	}
}

// Covers: A9
func TestListOrder(t *testing.T) {
	t.Parallel()
	for _, sparse := range []int64{1, 70_000} {
		s := start(t, append(numbered(120), nntptest.Sparse(sparse))...)
		c := newClient(t)
		u := s.GroupURL("g.test", 0)
		all, err := names(t, c, u, scheme.ListOptions{})
		if err != nil || len(all) != 120 || all[0] != "s1" || all[119] != "s120" {
			t.Fatalf("%d names, %v", len(all), err)
		}
		backward := slices.Clone(all)
		slices.Reverse(backward)
		for _, o := range []scheme.ListOptions{{Newest: true}, {Newest: true, Max: 3}, {Max: 3}, {Max: 100}, {Newest: true, Max: 119}} {
			want := all
			if o.Newest {
				want = backward
			}
			if o.Max > 0 {
				want = want[:o.Max]
			}
			if got, err := names(t, c, u, o); err != nil || !slices.Equal(got, want) {
				t.Errorf("%+v, %d apart: %d names, %.30q, %v; want %d", o, sparse, len(got), got, err, len(want))
			}
		}
	}
}

// The newest articles of a group with millions of numbers take few commands.
//
// Covers: A9, P6
func TestNewestIsCheap(t *testing.T) {
	t.Parallel()
	s := start(t, nntptest.Reply("GROUP", "211 2000000 1 2000000 g.test\r\n"), nntptest.Reply("OVER", "224 list\r\n2000000\tnew\ta@b\t1 Dec 1994 12:00:00 GMT\t<x@y>\t\t100\t1\r\n.\r\n"))
	got, err := names(t, newClient(t), s.GroupURL("g.test", 0), scheme.ListOptions{Newest: true, Max: 1})
	if err != nil || !slices.Equal(got, []string{"new"}) {
		t.Fatalf("%q, %v", got, err)
	}
	if lines := s.Lines(); !slices.Contains(lines, "OVER 1999951-2000000") {
		t.Errorf("sent %q", lines)
	}
}

// A group with more articles than the limit says so, and ends with an error.
//
// Covers: P6
func TestHugeGroup(t *testing.T) {
	t.Parallel()
	s := start(t, numbered(30)...)
	c := newClient(t, func(o *client.Options) { o.Limits.Entries = 10 })
	var notes []string
	got, err := names(t, c, s.GroupURL("g.test", 0), scheme.ListOptions{Began: func(r *scheme.Resource) { notes = r.Notes }})
	wantCode(t, err, scheme.CodeBroken, "limit of 10", "the newest")
	if len(got) != 10 || len(notes) != 1 || !strings.Contains(notes[0], "about 30 articles, more than the limit of 10") {
		t.Errorf("%q, notes %q", got, notes)
	}
	if got, err := names(t, c, s.GroupURL("g.test", 0), scheme.ListOptions{Newest: true, Max: 5}); err != nil || len(got) != 5 {
		t.Errorf("the newest: %q, %v", got, err)
	}
}

// Many articles are requested in parts, so that few are in memory.
//
// Covers: P6
func TestParts(t *testing.T) {
	t.Parallel()
	s := start(t, numbered(2500)...)
	for _, o := range []scheme.ListOptions{{Newest: true, Max: 2400}, {Max: 2400}} {
		if got, err := names(t, newClient(t), s.GroupURL("g.test", 0), o); err != nil || len(got) != 2400 {
			t.Errorf("%d names, %v", len(got), err)
		}
	}
	if lines := s.Lines(); slices.Contains(lines, "OVER 1-2400") || slices.Contains(lines, "OVER 101-2500") {
		t.Errorf("sent %q", lines)
	}
}

// Lines that are no overview become notes; missing sizes stay unknown.
//
// Covers: P6
func TestOverviewLines(t *testing.T) {
	t.Parallel()
	s := start(t, nntptest.Reply("GROUP", "211 5 1 5 g.test\r\n"), nntptest.Reply("OVER", "224 list\r\n"+
		"1\tgood\ta@b\t1 Dec 1994 12:00:00 EST\t<x@y>\t<r1@y> <r2@y>\t100\t7\tXref: h g:1\r\n"+
		"2\tno sizes\ta@b\tnever\t<x2@y>\r\n"+
		"3\ttoo short\r\n"+
		"..not a number\t\t\t\t\r\n"+
		"99999999999999999999\tbig\ta\tb\t<c@d>\r\n"+
		"4\t=?iso-8859-1?q?caf=E9?=\ta\tb\t<c@d>\t\tx\t-1\r\n"+
		"5\tcaf\xe9 \x1b[2J\ta\tb\tno id\r\n.\r\n"))
	var list []scheme.Entry
	for e, err := range newClient(t).List(t.Context(), scheme.Request{URL: s.GroupURL("g.test", 0)}, nil) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, e)
	}
	if len(list) != 7 {
		t.Fatalf("%d entries", len(list))
	}
	first := list[0].Attr
	if n, _ := first.Size.Get(); n != 100 || first.ID != "x@y" || !slices.Equal(first.References, []string{"r1@y", "r2@y"}) ||
		!first.Modified.Equal(time.Date(1994, 12, 1, 17, 0, 0, 0, time.UTC)) || first.From != "a@b" {
		t.Errorf("%+v", first)
	}
	if _, known := list[1].Attr.Size.Get(); known || !list[1].Attr.Modified.IsZero() || list[1].Kind != scheme.KindObject {
		t.Errorf("%+v", list[1])
	}
	for i, name := range map[int]string{2: "3\ttoo short", 3: ".not a number\t\t\t\t", 4: "99999999999999999999\tbig\ta\tb\t<c@d>"} {
		if e := list[i]; e.Kind != scheme.KindNote || !e.Unread || e.Name != name {
			t.Errorf("%d: %+v", i, e)
		}
	}
	if list[5].Name != "café" || list[6].Name != "café \x1b[2J" {
		t.Errorf("%q, %q", list[5].Name, list[6].Name)
	}
}

// An article keeps every byte, also those that articles must not have.
//
// Covers: A9
func TestArticleBytes(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		"", "a\r\n", ".\r\n", "..\r\n.\r\n", "a\n.\nb\r\n", "a\r.\r\n", "nul\x00\r\n", "a\n.\r\n", strings.Repeat("x", 40_000) + "\r\n.\r\n",
		strings.Repeat("y", 16<<10-1) + "\r\n.dot\r\n", "\r\n\r\n.\r\n", "a\r\r\n.b\r\n",
	} {
		want := text("1@b.example", "s", body)
		s := start(t, nntptest.Article("g.test", want))
		var notes []string
		c := newClient(t, func(o *client.Options) { o.Note = func(_ locator.URL, text string) { notes = append(notes, text) } })
		for range 2 { // the second time on the kept connection
			if got, err := get(t, c, s.GroupURL("g.test", 1)); err != nil || got != want {
				t.Errorf("%.20q: %d bytes, %v; want %d", body, len(got), err, len(want))
			}
		}
		if n := s.Connections(); n != 1 {
			t.Errorf("%.20q: %d connections", body, n)
		}
		odd := strings.Contains(body, "\x00") || strings.ContainsAny(strings.ReplaceAll(body, "\r\n", ""), "\r\n")
		if odd != (len(notes) > 0) {
			t.Errorf("%.20q: notes %q", body, notes)
		}
	}
}

// A LF alone ends no line of a header either: "LF . LF" in an article does not hide where the reply ends.
//
// Covers: A9, P6
func TestLineFeedInHeader(t *testing.T) {
	t.Parallel()
	odd := "Subject: odd\r\nX-Odd: a\n.\n211 9 1 9 g.test\r\nFrom: a@b\r\n\r\ntext\r\n"
	s := start(t, append([]nntptest.Option{nntptest.Article("g.test", odd), nntptest.Without("OVER", "XOVER", "HDR", "XHDR")}, numbered(2)...)...)
	c := newClient(t)
	for range 2 {
		res, err := c.Attributes(t.Context(), scheme.Request{URL: s.GroupURL("g.test", 1)}, nil)
		if err != nil || len(res.Attr.More) == 0 || res.Attr.More[0].Value != "odd" {
			t.Fatalf("%+v, %v", res, err)
		}
		if got, err := get(t, c, s.GroupURL("g.test", 2)); err != nil || !strings.Contains(got, "s1") {
			t.Errorf("%.40q, %v", got, err)
		}
		if got, err := names(t, c, s.GroupURL("g.test", 0), scheme.ListOptions{}); err != nil || !slices.Equal(got, []string{"odd", "s1", "s2"}) {
			t.Errorf("%q, %v", got, err)
		}
	}
	if n := s.Connections(); n != 1 {
		t.Errorf("%d connections", n)
	}
}

// GROUP is not sent again for the next article of the same group, and an article of another group is never taken for one of a
// group that is missing.
//
// Covers: A9
func TestPipelinedGroup(t *testing.T) {
	t.Parallel()
	s := start(t, numbered(2)...)
	c := newClient(t)
	for n := range 2 {
		if _, err := get(t, c, s.GroupURL("g.test", int64(n+1))); err != nil {
			t.Fatal(err)
		}
	}
	if got := slices.DeleteFunc(s.Lines(), func(l string) bool { return !strings.HasPrefix(l, "GROUP") }); len(got) != 1 {
		t.Errorf("sent %q", got)
	}
	_, err := get(t, c, s.GroupURL("g.none", 1))
	wantCode(t, err, scheme.CodeNotFound, "no such group")
	if got, err := get(t, c, s.GroupURL("g.test", 2)); err != nil || !strings.Contains(got, "s2") {
		t.Errorf("%.40q, %v", got, err)
	}
}

// A server that has closed a kept connection is asked again on another one.
//
// Covers: A9
func TestDroppedConnection(t *testing.T) {
	t.Parallel()
	s := start(t, numbered(1)...)
	c := newClient(t)
	for range 3 {
		if _, err := get(t, c, s.GroupURL("g.test", 1)); err != nil {
			t.Fatal(err)
		}
		s.Drop()
	}
}

// Covers: A9, S11
func TestServersInOrder(t *testing.T) {
	t.Parallel()
	first, second := start(t, numbered(1)...), start(t, nntptest.Article("g.other", text("only@b.example", "s", "text\r\n")))
	gone := start(t)
	gone.Close()
	servers := func(list ...*nntptest.Server) func(*client.Options) {
		return func(o *client.Options) {
			o.Servers = map[string][]locator.URL{}
			for _, s := range list {
				o.Servers["news"] = append(o.Servers["news"], s.ServerURL())
			}
		}
	}
	u := locator.MustParse("news:only@b.example")
	for _, list := range [][]*nntptest.Server{{second}, {first, second}, {gone, second}, {gone, first, second}} {
		if got, err := get(t, newClient(t, servers(list...)), u); err != nil || !strings.Contains(got, "only@b.example") {
			t.Errorf("%.40q, %v", got, err)
		}
	}
	_, err := get(t, newClient(t, servers(first, second)), locator.MustParse("news:none@b.example"))
	wantCode(t, err, scheme.CodeNotFound)
	_, err = get(t, newClient(t, servers(first, gone)), locator.MustParse("news:none@b.example"))
	wantCode(t, err, scheme.CodeUnreachable) // it may be there
	_, err = get(t, newClient(t), u)
	wantCode(t, err, scheme.CodeLocal, "--news-server", "NNTPSERVER")
}

// Covers: A9, P3
func TestLogins(t *testing.T) {
	t.Parallel()
	cert, err := peer.Certify()
	if err != nil {
		t.Fatal(err)
	}
	alice := func(o *client.Options) {
		o.Logins = []scheme.LoginFunc{client.FixedLogin(nntptest.Alice, nntptest.Password)}
	}
	mode := func(m scheme.TLSMode) func(*client.Options) {
		return func(o *client.Options) { o.TLSMode, o.TLS = m, &tls.Config{RootCAs: cert.Roots()} }
	}
	offers, only := nntptest.TLS(cert.Config()), nntptest.OnlyTLS(cert.Config())
	for name, c := range map[string]struct {
		server []nntptest.Option
		client []func(*client.Options)
		code   scheme.Code
		sends  string // a line that the server must see
		never  string // the begin of a line that it must not see
	}{
		"480, TLS offered":            {[]nntptest.Option{nntptest.Login(), offers}, []func(*client.Options){alice, mode(scheme.TLSAuto)}, scheme.CodeOK, "STARTTLS", ""},
		"480, no TLS":                 {[]nntptest.Option{nntptest.Login()}, []func(*client.Options){alice}, scheme.CodeLoginNeeded, "", "AUTHINFO"},
		"480, no TLS, allowed by try": {[]nntptest.Option{nntptest.Login()}, []func(*client.Options){alice, mode(scheme.TLSTry)}, scheme.CodeOK, "AUTHINFO USER alice", "STARTTLS"},
		"480, TLS off":                {[]nntptest.Option{nntptest.Login(), offers}, []func(*client.Options){alice, mode(scheme.TLSOff)}, scheme.CodeOK, "AUTHINFO USER alice", "STARTTLS"},
		"480, no login known":         {[]nntptest.Option{nntptest.Login(), offers}, []func(*client.Options){mode(scheme.TLSAuto)}, scheme.CodeLoginNeeded, "", "AUTHINFO"},
		"SASL":                        {[]nntptest.Option{nntptest.Login(), nntptest.SASL(), offers}, []func(*client.Options){alice, mode(scheme.TLSAuto)}, scheme.CodeOK, "STARTTLS", "AUTHINFO USER"},
		"480 after COMPRESS offered":  {[]nntptest.Option{nntptest.Login(), nntptest.Deflate(), offers}, []func(*client.Options){alice, mode(scheme.TLSAuto)}, scheme.CodeOK, "STARTTLS", ""},
		"483":                         {[]nntptest.Option{only}, []func(*client.Options){mode(scheme.TLSAuto)}, scheme.CodeOK, "STARTTLS", ""},
		"483, TLS off":                {[]nntptest.Option{only}, []func(*client.Options){mode(scheme.TLSOff)}, scheme.CodeLoginNeeded, "", "STARTTLS"},
		"483, then 480":               {[]nntptest.Option{only, nntptest.Login()}, []func(*client.Options){alice, mode(scheme.TLSAuto)}, scheme.CodeOK, "STARTTLS", ""},
		"TLS required":                {nil, []func(*client.Options){mode(scheme.TLSRequire)}, scheme.CodeUnsupported, "", "GROUP"},
		"TLS required and offered":    {[]nntptest.Option{offers, nntptest.ModeReader()}, []func(*client.Options){mode(scheme.TLSRequire)}, scheme.CodeOK, "STARTTLS", ""},
		"a certificate not trusted":   {[]nntptest.Option{offers}, []func(*client.Options){func(o *client.Options) { o.TLSMode = scheme.TLSRequire }}, scheme.CodeRefused, "", "GROUP"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, append(numbered(2), c.server...)...)
			cl := newClient(t, c.client...)
			_, err := get(t, cl, s.GroupURL("g.test", 1))
			wantCode(t, err, c.code)
			if _, err := names(t, cl, s.GroupURL("g.test", 0), scheme.ListOptions{}); client.CodeOf(err) != c.code {
				t.Errorf("list: %v", err)
			}
			if _, err := names(t, cl, groupsOf(s), scheme.ListOptions{}); client.CodeOf(err) != c.code {
				t.Errorf("list of groups: %v", err)
			}
			lines := s.Lines()
			if c.sends != "" && !slices.Contains(lines, c.sends) {
				t.Errorf("%q was not sent: %q", c.sends, lines)
			}
			if c.never != "" && slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, c.never) }) {
				t.Errorf("%s was sent: %q", c.never, lines)
			}
		})
	}
}

// A login can change what a server says that it can do.
//
// Covers: A9
func TestCapabilitiesAfterLogin(t *testing.T) {
	t.Parallel()
	s := start(t, append(numbered(2), nntptest.Login())...)
	c := newClient(t, func(o *client.Options) {
		o.TLSMode, o.Logins = scheme.TLSOff, []scheme.LoginFunc{client.FixedLogin(nntptest.Alice, nntptest.Password)}
	})
	if got, err := names(t, c, s.GroupURL("g.test", 0), scheme.ListOptions{}); err != nil || len(got) != 2 {
		t.Errorf("%q, %v", got, err)
	}
	if lines := s.Lines(); !slices.Contains(lines, "OVER 1-2") || slices.Contains(lines, "XOVER 1-2") {
		t.Errorf("sent %q", lines)
	}
}

// groupsOf returns the URL of the list of groups of a server.
func groupsOf(s *nntptest.Server) locator.URL {
	u, err := locator.Current.Parse("news://" + s.Addr() + "/*")
	if err != nil {
		panic(err)
	}
	return u
}

// Covers: A9
func TestGroups(t *testing.T) {
	t.Parallel()
	s := start(t, append(numbered(1), nntptest.Article("h.test", text("h@b.example", "s", "")), nntptest.Deflate())...)
	c := newClient(t)
	for pattern, want := range map[string][]string{"*": {"g.test", "h.test", "tree.nothing"}, "g.*": {"g.test"}, "*.test": {"g.test", "h.test"}, "x.*": nil} {
		u, err := locator.Current.Parse("news://" + s.Addr() + "/" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		got, err := names(t, c, u, scheme.ListOptions{})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v; want %q", pattern, got, err, want)
		}
	}
	for e, err := range c.List(t.Context(), scheme.Request{URL: groupsOf(s)}, nil) {
		if err != nil || e.Attr.Abstract != "The group "+e.Name || e.URL.Text() != "news://"+s.Addr()+"/"+e.Name || e.Kind != scheme.KindListing {
			t.Errorf("%+v, %v", e, err)
		}
	}
	old := start(t, append(numbered(1), nntptest.Article("h.test", text("h@b.example", "s", "")), nntptest.Old())...)
	for pattern, want := range map[string][]string{"*": {"g.test", "h.test", "tree.nothing"}, "*.test%2C%21g*": {"h.test"}} {
		u, err := locator.Current.Parse("news://" + old.Addr() + "/" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := names(t, c, u, scheme.ListOptions{}); err != nil || !slices.Equal(got, want) {
			t.Errorf("an old server, %s: %q, %v; want %q", pattern, got, err, want)
		}
	}
	bad, err := locator.Current.Parse("news://" + s.Addr() + "/a%5Bb*")
	if err != nil {
		t.Fatal(err)
	}
	_, err = names(t, c, bad, scheme.ListOptions{})
	wantCode(t, err, scheme.CodeRefused, "pattern")
}

// Covers: A9
func TestRawListing(t *testing.T) {
	t.Parallel()
	for _, options := range [][]nntptest.Option{nil, {nntptest.Old()}} {
		s := start(t, append(numbered(2), options...)...)
		c := newClient(t)
		res, err := c.Access(t.Context(), scheme.Request{URL: s.GroupURL("g.test", 0)}, &scheme.AccessOptions{Raw: true})
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(res.Body)
		res.Close()
		if err != nil || strings.Count(string(b), "\r\n") != 2 || !strings.HasPrefix(string(b), "1\ts1\t") {
			t.Errorf("%q, %v", b, err)
		}
	}
}

// A body that is closed early, or whose context ends, closes the connection.
//
// Covers: P6
func TestHalfRead(t *testing.T) {
	t.Parallel()
	s := start(t, nntptest.Article("g.test", text("1@b.example", "s", strings.Repeat("line\r\n", 100_000))))
	c := newClient(t)
	ctx, cancel := context.WithCancel(t.Context())
	res, err := c.Access(ctx, scheme.Request{URL: s.GroupURL("g.test", 1)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if res.Attr.ID != "1@b.example" || res.Attr.Type != "message/rfc822" {
		t.Errorf("%+v", res.Attr)
	}
	cancel()
	if _, err := io.Copy(io.Discard, res.Body); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	res.Close()
	if _, err := get(t, c, s.GroupURL("g.test", 1)); err != nil {
		t.Error(err)
	}
}

// The connection is kept after a decoded article, whose epilogue nobody reads. Damage and a torn article are errors.
//
// Covers: A9, P6
func TestDecodedArticle(t *testing.T) {
	t.Parallel()
	mixed := "From: a@b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\none\r\n--b--\r\nepilogue\r\n"
	s := start(t, nntptest.Article("g.test", mixed), nntptest.Article("g.test", strings.Replace(mixed, "--b--", "", 1)))
	c := newClient(t)
	for i, want := range []scheme.Code{scheme.CodeOK, scheme.CodeProtocol, scheme.CodeOK} {
		res, err := c.Access(t.Context(), scheme.Request{URL: s.GroupURL("g.test", int64(i%2+1))}, &scheme.AccessOptions{Decode: true})
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(res.Body)
		if client.CodeOf(err) != want || !strings.HasPrefix(string(b), "From: a@b\n\none\n") || res.Attr.Type != "text/plain; charset=utf-8" {
			t.Errorf("%d: %q, %v", i, b, err)
		}
		res.Close()
	}
	if n := s.Connections(); n != 1 {
		t.Errorf("%d connections", n)
	}
	torn := start(t, nntptest.Reply("ARTICLE", "220 1 <a@b>\r\nFrom: a@b\r\n\r\nhalf"), nntptest.Hangup("ARTICLE"), nntptest.Article("g.test", mixed))
	res, err := newClient(t).Access(t.Context(), scheme.Request{URL: torn.GroupURL("g.test", 1)}, &scheme.AccessOptions{Decode: true})
	if err != nil {
		t.Fatal(err)
	}
	defer res.Close()
	b, err := io.ReadAll(res.Body)
	if wantCode(t, err, scheme.CodeBroken); string(b) != "From: a@b\n\nhalf" || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%q, %v", b, err)
	}
}
