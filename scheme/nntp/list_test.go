package nntp_test

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/message"
	"locator/scheme/nntp/nntptest"
)

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
	got, err := names(t, c, s.GroupURL("g.test", 0), scheme.ListOptions{}, func(r *scheme.Resource) { notes = r.Notes })
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

// Very many articles take few round trips.
func TestLargeParts(t *testing.T) {
	t.Parallel()
	s := start(t, numbered(2500)...)
	if got, err := names(t, newClient(t), s.GroupURL("g.test", 0), scheme.ListOptions{Newest: true, Max: 100_000}); err != nil || len(got) != 2500 {
		t.Errorf("%d names, %v", len(got), err)
	}
	if lines := s.Lines(); !slices.Contains(lines, "OVER 1-2500") {
		t.Errorf("sent %q", lines)
	}
}

// A range is never another one: 0-0 and 5-3 have no articles.
//
// Covers: A9
func TestRanges(t *testing.T) {
	t.Parallel()
	s := start(t, numbered(5)...)
	c := newClient(t)
	for path, want := range map[string]string{"0-0": "", "5-3": "", "6-": "", "0-1": "s1", "2-3": "s2 s3", "4-": "s4 s5", "5-5": "s5", "5-9": "s5", "0-": "s1 s2 s3 s4 s5"} {
		u := at(t, s, "nntp", "g.test/"+path)
		if got, err := names(t, c, u, scheme.ListOptions{}); err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: %q, %v; want %s", path, got, err, want)
		}
		res, err := c.Access(t.Context(), scheme.Request{URL: u}, &scheme.AccessOptions{Raw: scheme.RawAll})
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(res.Body)
		res.Close()
		if err != nil || strings.Count(string(b), "\n") != len(strings.Fields(want)) {
			t.Errorf("%s: raw: %q, %v", path, b, err)
		}
	}
}

// Lines that are not rows of an overview become notes; missing sizes stay unknown.
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
	for e, err := range client.Entries(newClient(t).List(t.Context(), scheme.Request{URL: s.GroupURL("g.test", 0)}, nil)) {
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
	s := start(t, append(numbered(1), nntptest.Article("h.test", text("h@b.example", "s", "")))...)
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
	for e, err := range client.Entries(c.List(t.Context(), scheme.Request{URL: groupsOf(s)}, nil)) {
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

// Subjects in the character set that a hierarchy had before MIME.
//
// Covers: A9
func TestCharsetOfGroup(t *testing.T) {
	t.Parallel()
	s := start(t, nntptest.Article("fido7.test", strings.Replace(text("1@b.example", "\xf0\xd2\xc9\xd7\xc5\xd4", "x\r\n"), "g.test", "fido7.test", 1)))
	c := newClient(t)
	if got, err := names(t, c, s.GroupURL("fido7.test", 0), scheme.ListOptions{}); err != nil || !slices.Equal(got, []string{"Привет"}) {
		t.Errorf("%q, %v", got, err)
	}
	latin := scheme.ListOptions{Accept: scheme.Accept{Charset: "windows-1251"}}
	if got, err := names(t, c, s.GroupURL("fido7.test", 0), latin); err != nil || got[0] == "Привет" {
		t.Errorf("%q, %v", got, err)
	}
	res, err := c.Attributes(t.Context(), scheme.Request{URL: s.GroupURL("fido7.test", 1)}, nil)
	if err != nil || !slices.ContainsFunc(res.Attr.More, func(a scheme.Attribute) bool { return a.Value == "Привет" }) {
		t.Errorf("%+v, %v", res, err)
	}
}

// A line of an overview with too few fields, in another order, or with too many is shown, and never
// taken for what it is not.
//
// Covers: P6
func TestOverviewOrder(t *testing.T) {
	t.Parallel()
	s := start(t, nntptest.Reply("GROUP", "211 5 1 5 g.test\r\n"), nntptest.Reply("OVER", "224 list\r\n"+
		"1\ta@b\t<x@y>\tsubject\t1 Dec 1994 12:00:00 GMT\t\t100\t7\r\n"+
		"2\tsubject\ta@b\t1 Dec 1994 12:00:00 GMT\t\t<x@y>\t100\t7\r\n"+
		"3\tsubject\ta@b\t1 Dec 1994 12:00:00 GMT\r\n"+
		"4\tmany\ta@b\t1 Dec 1994 12:00:00 GMT\t<x4@y>\t<x@y>\t100\t7"+strings.Repeat("\tXref: h g:1", 5000)+"\r\n"+
		"5\tno id\ta@b\t1 Dec 1994 12:00:00 GMT\t\t\t100\t7\r\n.\r\n"))
	got := ""
	for e, err := range client.Entries(newClient(t).List(t.Context(), scheme.Request{URL: s.GroupURL("g.test", 0)}, nil)) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Unread {
			got += "? "
			continue
		}
		got += e.Name + " "
	}
	if got != "? ? ? many no id " {
		t.Errorf("%q", got)
	}
}

// The list of a group of two million articles says that it is longer than the limit, before it
// begins.
//
// Covers: P6
func TestMillions(t *testing.T) {
	t.Parallel()
	row := "1\ts\ta@b\t1 Dec 1994 12:00:00 GMT\t<x@y>\t\t100\t7\r\n"
	s := start(t, nntptest.Reply("GROUP", "211 2000000 1 2000000 g.test\r\n"), nntptest.Endless("OVER", "224 list\r\n", row))
	c := newClient(t)
	began, n := "", 0
	list, err := c.List(t.Context(), scheme.Request{URL: s.GroupURL("g.test", 0)}, nil)
	if err == nil {
		began = strings.Join(list.Notes, " ")
	}
	for _, err := range client.Entries(list, err) {
		if n++; err != nil || n == 1000 {
			break
		}
	}
	if n != 1000 || !strings.Contains(began, "about 2000000 articles, more than the limit of 1000000 entries; list a range of it, or the newest") {
		t.Errorf("%d entries, notes %q", n, began)
	}
	c = newClient(t, func(o *client.Options) { o.Limits.Entries = 5000 })
	got, err := names(t, c, s.GroupURL("g.test", 0), scheme.ListOptions{})
	if wantCode(t, err, scheme.CodeBroken, "more entries than the limit of 5000"); len(got) != 5000 {
		t.Errorf("%d entries came before the error", len(got))
	}
}

// Covers: A9
func TestRawListing(t *testing.T) {
	t.Parallel()
	for _, options := range [][]nntptest.Option{nil, {nntptest.Old()}} {
		s := start(t, append(numbered(2), options...)...)
		c := newClient(t)
		res, err := c.Access(t.Context(), scheme.Request{URL: s.GroupURL("g.test", 0)}, &scheme.AccessOptions{Raw: scheme.RawAll})
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

// The description of a group is decoded as the subjects in it are: UTF-8, else the character set of
// the hierarchy or Windows-1252.
//
// Covers: A9
func TestDescriptions(t *testing.T) {
	t.Parallel()
	s := start(t, nntptest.Reply("LIST ACTIVE", "215 list\r\na.latin 1 1 y\r\na.utf 1 1 y\r\nfido7.x 1 1 y\r\n.\r\n"), nntptest.Reply("GROUP", "211 1 1 1 a.latin\r\n"),
		nntptest.Reply("LIST NEWSGROUPS", "215 list\r\na.latin\tThe big group \xe4\xf6 \x80\r\na.utf\tGr\u00fc\u00dfe\r\nfido7.x\t\xf4\xc5\r\n.\r\n"))
	want := map[string]string{"a.latin": "The big group äö €", "a.utf": "Grüße", "fido7.x": "Те"}
	c := newClient(t)
	n := 0
	for e, err := range client.Entries(c.List(t.Context(), scheme.Request{URL: at(t, s, "news", "*")}, nil)) {
		if n++; err != nil || e.Attr.Abstract != want[e.Name] {
			t.Errorf("%s: %q, want %q, %v", e.Name, e.Attr.Abstract, want[e.Name], err)
		}
	}
	res, err := c.Attributes(t.Context(), scheme.Request{URL: at(t, s, "nntp", "a.latin")}, nil)
	if err != nil || n != len(want) || res.Attr.Abstract != want["a.latin"] {
		t.Errorf("%d groups; %+v, %v", n, res, err)
	}
	for e := range client.Entries(c.List(t.Context(), scheme.Request{URL: at(t, s, "news", "*")}, &scheme.ListOptions{Accept: scheme.Accept{Charset: "iso-8859-2"}})) {
		if e.Name == "fido7.x" && e.Attr.Abstract != "ôĹ" {
			t.Errorf("%q", e.Attr.Abstract)
		}
	}
}

// Older messages are listed by their numbers, at the server whose numbers they are.
func TestBefore(t *testing.T) {
	var options []nntptest.Option
	for i := range 7 {
		options = append(options, nntptest.Article("g.test", text(fmt.Sprintf("%d@x.example", i), fmt.Sprint("m", i+1), "")))
	}
	s, other := start(t, options...), start(t, options[:1]...)
	news := locator.MustParse("news:g.test")
	addr, _ := s.ServerURL().Addr()
	c := newClient(t, func(o *client.Options) {
		o.Servers = map[string][]locator.URL{news.Scheme(): {other.ServerURL(), s.ServerURL()}}
	})
	for _, u := range []locator.URL{s.GroupURL("g.test", 0), news} {
		var before message.Position
		if u == news {
			before = message.Position{List: addr + "/g.test", Number: 8}
		}
		var got []string
		for range 4 {
			res, err := c.Access(t.Context(), scheme.Request{URL: u}, &scheme.AccessOptions{Newest: 3, Before: before})
			for e, err := range client.Entries(res, err) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, e.Name)
				before = e.Position
			}
			got = append(got, "/")
		}
		if text := strings.Join(got, " "); text != "m7 m6 m5 / m4 m3 m2 / m1 / /" {
			t.Errorf("%s: %s", u.Text(), text)
		}
	}
}

// A draft says whether a server is known for it.
func TestReady(t *testing.T) {
	s := start(t)
	news := locator.MustParse("news:g.test")
	for _, servers := range [][]locator.URL{nil, {s.ServerURL()}} {
		c := newClient(t, func(o *client.Options) { o.Servers = map[string][]locator.URL{news.Scheme(): servers} })
		for u, want := range map[locator.URL]bool{news: servers != nil, s.GroupURL("g.test", 0): true} {
			if d, err := c.Draft(t.Context(), scheme.Request{URL: u}); err != nil || d.Ready != want {
				t.Errorf("%s, %v: %v, %v", u.Text(), servers, d, err)
			}
		}
	}
}
