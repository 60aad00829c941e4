package conformance

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"locator"
	"locator/internal/bnf"
	"locator/internal/octet"
)

// random generates random parts.
type random struct{ *rand.Rand }

// octets returns random bytes, reserved characters more often than others.
func (r random) octets() string {
	const special = "%/;?:@&=#~ \t\r\n\x00\"<>[]{}|\\^`.-_+,!*'()$"
	b := make([]byte, r.IntN(8))
	for i := range b {
		switch r.IntN(3) {
		case 0:
			b[i] = special[r.IntN(len(special))]
		case 1:
			b[i] = byte(r.IntN(256))
		default:
			b[i] = "abzABZ0123456789fF"[r.IntN(18)]
		}
	}
	return string(b)
}

// some returns random bytes, at least one.
func (r random) some() string { return r.octets() + string([]byte{byte(r.IntN(256))}) }

// tabless returns random bytes without tabs.
func (r random) tabless() string { return strings.ReplaceAll(r.octets(), "\t", "") }

// by returns a random sentence of a rule.
func (r random) by(rule string) string { return bnf.RFC1738().Generate(rule, r.Rand, 1+r.IntN(12)) }

// maybe returns s as a part that may be absent.
func (r random) maybe(s string) locator.Optional { return optional(s, r.IntN(2) == 0) }

func (r random) hostport() locator.Hostport {
	h := locator.Hostport{Host: r.by("host")}
	if r.IntN(2) == 0 {
		h.Port = r.by("port")
	}
	return h
}

func (r random) login() locator.Login {
	l := locator.Login{Hostport: r.hostport(), User: r.maybe(r.octets())}
	if l.User.IsSet() {
		l.Password = r.maybe(r.octets())
	}
	return l
}

// list returns n random segments.
func (r random) list(n int) (list []string) {
	for range n {
		list = append(list, r.octets())
	}
	return list
}

// randomViews generates, by scheme, random views with all bytes that its parts can contain.
var randomViews = map[string]func(r random) locator.View{
	"ftp": func(r random) locator.View {
		v := &locator.FTP{Login: r.login(), Name: r.maybe(r.octets())}
		if v.Name.IsSet() {
			v.Dirs, v.Type = r.list(r.IntN(4)), "\x00aid"[r.IntN(4)]
		}
		return v
	},
	"http": func(r random) locator.View {
		v := &locator.HTTP{Login: locator.Login{Hostport: r.hostport()}, Segments: r.list(r.IntN(4))}
		if v.Segments != nil {
			v.Search = r.maybe(r.octets())
		}
		return v
	},
	"gopher": func(r random) locator.View {
		v := &locator.Gopher{Hostport: r.hostport(), Type: r.maybe(r.some()[:1])}
		if v.Type.IsSet() {
			v.Selector, v.Search = locator.Some(r.tabless()), r.maybe(r.tabless())
			if v.Search.IsSet() {
				v.Plus = r.maybe(r.octets())
			}
		}
		return v
	},
	"mailto": func(r random) locator.View { return &locator.Mailto{Address: r.some()} },
	"news": func(r random) locator.View {
		switch locator.NewsKind(r.IntN(3)) {
		case locator.NewsGroup:
			return &locator.News{Kind: locator.NewsGroup, Group: r.by("group")}
		case locator.NewsArticle:
			return &locator.News{Kind: locator.NewsArticle, Article: r.some() + "@" + r.by("host")}
		}
		return &locator.News{Kind: locator.NewsAll}
	},
	"nntp": func(r random) locator.View {
		return &locator.NNTP{Hostport: r.hostport(), Group: r.by("group"), Article: r.maybe(r.by("digits"))}
	},
	"telnet": func(r random) locator.View { return &locator.Telnet{Login: r.login()} },
	"wais": func(r random) locator.View {
		v := &locator.WAIS{Hostport: r.hostport(), Kind: locator.WAISKind(r.IntN(3)), Database: r.octets()}
		switch v.Kind {
		case locator.WAISSearch:
			v.Search = r.octets()
		case locator.WAISDocument:
			v.Type, v.Path = r.octets(), r.octets()
		}
		return v
	},
	"file": func(r random) locator.View {
		v := &locator.File{Segments: r.list(1 + r.IntN(4))}
		if r.IntN(2) == 0 {
			v.Host = r.by("host")
		}
		return v
	},
	"prospero": func(r random) locator.View {
		v := &locator.Prospero{Hostport: r.hostport(), Name: r.octets()}
		for range r.IntN(3) {
			v.Fields = append(v.Fields, locator.Pair{Name: r.octets(), Value: r.octets()})
		}
		return v
	},
	"x-other": func(r random) locator.View {
		if r.IntN(2) == 0 {
			return &locator.Other{Name: "x-other", Part: r.by("ip-schemepart")}
		}
		return &locator.Other{Name: "x-other", Part: r.by("schemepart")}
	},
	"https": func(r random) locator.View { return &locator.Other{Name: "https", Part: r.by("schemepart")} },
}

// Build returns a URL that is valid by the grammar and parses to the same view, whatever bytes the parts contain.
//
// Covers: S17
func TestBuildRoundTrip(t *testing.T) {
	t.Parallel()
	for scheme, make := range randomViews {
		t.Run(scheme, func(t *testing.T) {
			t.Parallel()
			r := random{rand.New(rand.NewPCG(17, 38))}
			for range 3000 {
				v := make(r)
				u, err := locator.Build(v)
				if err != nil {
					t.Fatalf("%#v: %v", v, err)
				}
				if !agree(t, u.Text()) {
					t.Fatalf("%s is not a URL by the grammar", u.Text())
				}
				back := locator.MustParse(u.Text())
				if back != u || !reflect.DeepEqual(back.View(), v) {
					t.Fatalf("%q parses to a different view", u.Text())
				}
				if later, err := locator.Current.Parse(u.Text()); grammar(u) != "other" && (err != nil || !sameParts(later, u)) {
					t.Fatalf("%q parses with Current to a different view (%v)", u.Text(), err)
				}
				checkEscapes(t, u, v)
			}
		})
	}
}

// checkEscapes checks that Build escapes nothing without need: without any one of its escapes, the text is not a URL, or
// one of a different view.
func checkEscapes(t *testing.T, u locator.URL, v locator.View) {
	t.Helper()
	text := u.Text()
	if _, ok := v.(*locator.Other); ok {
		return // its part is not escaped
	}
	for i := range len(text) {
		c, ok := octet.At(text, i)
		if !ok {
			continue
		}
		plain, err := locator.Parse(text[:i] + string([]byte{c}) + text[i+3:])
		if err == nil && contradiction(plain) != "" {
			continue // Current would parse it differently
		}
		if err == nil && reflect.DeepEqual(plain.View(), v) {
			t.Fatalf("%q: the escape at %d is not needed", text, i)
		}
	}
}

// Build returns the original text for the view of each URL that the grammar generates.
//
// Covers: S17
func TestParseBuildParse(t *testing.T) {
	t.Parallel()
	seeded(t, 4, func(t *testing.T, r *rand.Rand) {
		for range 4000 {
			s := generate(r)
			u, err := locator.Parse(s)
			if err != nil {
				continue
			}
			built, err := locator.Build(u.View())
			if err != nil {
				t.Fatalf("%q: %v", s, err)
			}
			if !reflect.DeepEqual(built.View(), u.View()) {
				t.Fatalf("%q is built as %q, which has a different view", s, built.Text())
			}
		}
	})
}

// Build uses the syntax Current for views that RFC 1738 cannot express.
//
// Covers: S17
func TestBuildCurrent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		view locator.View
		want string
	}{
		{&locator.HTTP{Secure: true, Login: at("h")}, "https://h"},
		{&locator.HTTP{Secure: true, Login: at("h"), Segments: []string{"~", "/"}, Search: locator.Some("#")}, "https://h/%7E/%2F?%23"},
		{&locator.HTTP{Login: at("[::1]"), Segments: []string{""}}, "http://[::1]/"},
		{&locator.FTP{Login: locator.Login{User: locator.Some("u"), Hostport: locator.Hostport{Host: "[2001:DB8::192.0.2.1]", Port: "2121"}}}, "ftp://u@[2001:DB8::192.0.2.1]:2121"},
		{&locator.File{Host: "[::]", Segments: []string{"x"}}, "file://[::]/x"},
		{&locator.Other{Name: "x", Part: "//[::1]/"}, "x://[::1]/"},
		{&locator.Other{Name: "x", Part: "~"}, "x:~"},
		{&locator.FTP{Login: at("a_b.")}, "ftp://a_b."},
		{&locator.FTP{Login: at("0x7f.1")}, "ftp://0x7f.1"},
		{&locator.FTP{Login: at("[v1.a:b]")}, "ftp://[v1.a:b]"},
		{&locator.HTTP{Login: locator.Login{User: locator.Some("u:"), Password: locator.Some(":@"), Hostport: locator.Hostport{Host: "h"}}}, "http://u%3A:%3A%40@h"},
		{&locator.HTTP{Login: at("h"), Search: locator.Some("a/b")}, "http://h?a%2Fb"},
		{&locator.Mailto{To: []string{}}, "mailto:"},
		{&locator.Mailto{Address: "a,b@h", To: []string{"a,b@h"}}, "mailto:a%2Cb@h"},
		{&locator.Mailto{To: []string{"a", "b?&"}, Headers: []locator.Pair{{Name: "x=", Value: "=&#\r\n"}}}, "mailto:a,b%3F&?x%3D==%26%23%0D%0A"},
		{&locator.News{Kind: locator.NewsGroup, Group: "1a.*?"}, "news:1a.*%3F"},
		{&locator.News{Kind: locator.NewsGroup, Group: "a@b"}, "news:a%40b"},
		{&locator.News{Server: at("h")}, "news://h/*"},
		{&locator.News{Kind: locator.NewsArticle, Article: "//a@h"}, "news:%2F/a@h"},
		{&locator.News{Kind: locator.NewsArticle, Article: "a@[1.2.3.4]", Server: at("[::1]")}, "news://[::1]/a@%5B1.2.3.4%5D"},
		{&locator.NNTP{User: locator.Some("u"), Hostport: locator.Hostport{Host: "h"}, Group: "a*", Range: locator.Some("1-2")}, "nntp://u@h/a%2A/1-2"},
		{&locator.NNTP{Hostport: locator.Hostport{Host: "h"}, Group: "a", Range: locator.Some("1-")}, "nntp://h/a/1-"},
		{
			&locator.WAIS{Hostport: locator.Hostport{Host: "h"}, Kind: locator.WAISDocument, Type: "T", Size: locator.Some("4"), ID: []locator.Pair{{Name: "1", Value: "/;=%:"}, {Name: "2", Value: ""}}},
			"wais://h//T/4/1=/%3B%3D%25%3A;2=;",
		},
		{&locator.FTP{Secure: true, Login: at("h"), Dirs: []string{"a/b"}, Name: locator.Some("~"), Type: 'i'}, "ftps://h/a%2Fb/%7E;type=i"},
		{&locator.Gopher{Secure: true, Hostport: locator.Hostport{Host: "h"}, Type: locator.Some("0"), Selector: locator.Some("a b")}, "gophers://h/0a%20b"},
	} {
		u, err := locator.Build(c.view)
		if err != nil {
			t.Errorf("%#v: %v", c.view, err)
			continue
		}
		back, err := locator.Current.Parse(u.Text())
		if u.Text() != c.want || err != nil || back != u || !reflect.DeepEqual(back.View(), c.view) {
			t.Errorf("%#v is built as %s, want %s", c.view, u.Text(), c.want)
		}
	}
}

// A part that cannot contain its text is an error that names the part and the byte.
//
// Covers: S17, S3
func TestBuildErrors(t *testing.T) {
	t.Parallel()
	h := locator.Hostport{Host: "h"}
	gopher := func(gtype, selector, search, plus locator.Optional) locator.View {
		return &locator.Gopher{Hostport: h, Type: gtype, Selector: selector, Search: search, Plus: plus}
	}
	var none locator.Optional
	for _, c := range []struct {
		view   locator.View
		rule   string
		offset int
	}{
		{nil, "url", 0},
		{&locator.FTP{}, "host", 0},
		{&locator.FTP{Login: at("a b")}, "host", 1},
		{&locator.FTP{Login: at("%41")}, "host", 0}, // a view is decoded, so "%" is not an escape
		{&locator.FTP{Login: at("%2f")}, "host", 0}, // likewise
		{&locator.FTP{Login: at("%4")}, "host", 0},  // likewise
		{&locator.FTP{Login: at("b\u00fccher")}, "host", 0},
		{&locator.FTP{Login: at("[v1.]")}, "host", 4},
		{&locator.FTP{Login: at("u@h")}, "host", 1},
		{&locator.FTP{Login: at("a/b")}, "host", 1},
		{&locator.FTP{Login: at("h:21")}, "host", 1},
		{&locator.FTP{Login: at("[::g]")}, "host", 3},
		{&locator.FTP{Login: at("[::1]x")}, "host", 5},
		{&locator.FTP{Login: at("[::1")}, "host", 4},
		{&locator.FTP{Login: locator.Login{Hostport: locator.Hostport{Host: "h", Port: "2a"}}}, "port", 1},
		{&locator.FTP{Login: locator.Login{Hostport: locator.Hostport{Host: "h", Port: "-1"}}}, "port", 0},
		{&locator.FTP{Login: locator.Login{Hostport: h, Password: locator.Some("x")}}, "password", 0},
		{&locator.FTP{Login: at("h"), Dirs: []string{"a"}}, "fpath", 0},
		{&locator.FTP{Login: at("h"), Type: 'a'}, "ftptype", 0},
		{&locator.FTP{Login: at("h"), Name: locator.Some(""), Type: 'x'}, "ftptype", 0},
		{&locator.FTP{Login: at("h"), Name: locator.Some(""), Type: 'A'}, "ftptype", 0},
		{&locator.HTTP{Login: locator.Login{Hostport: h, Password: locator.Some("")}}, "password", 0},
		{&locator.HTTP{Login: at("h"), Segments: []string{}}, "hpath", 0},
		{gopher(locator.Some("0"), none, none, none), "selector", 0},
		{gopher(none, locator.Some(""), none, none), "selector", 0},
		{gopher(locator.Some(""), locator.Some(""), none, none), "gtype", 0},
		{gopher(locator.Some("01"), locator.Some(""), none, none), "gtype", 1},
		{gopher(locator.Some("0"), locator.Some("a\tb"), none, none), "selector", 1},
		{gopher(locator.Some("0"), locator.Some(""), locator.Some("ab\t"), none), "search", 2},
		{gopher(locator.Some("0"), locator.Some(""), none, locator.Some("+")), "gopher+_string", 0},
		{gopher(none, none, locator.Some(""), none), "search", 0},
		{&locator.Mailto{}, "encoded822addr", 0},
		{&locator.News{Kind: locator.NewsGroup}, "group", 0},
		{&locator.News{Kind: locator.NewsGroup, Group: "*"}, "group", 0},
		{&locator.News{Kind: locator.NewsGroup, Group: "a", Article: "a@b"}, "grouppart", 0},
		{&locator.News{Kind: locator.NewsAll, Group: "a"}, "grouppart", 0},
		{&locator.News{Kind: 7}, "grouppart", 0},
		{&locator.News{Kind: locator.NewsArticle}, "article", 0},
		{&locator.News{Kind: locator.NewsArticle, Article: "@h"}, "article", 0},
		{&locator.News{Kind: locator.NewsArticle, Article: "<a@h>"}, "article", 4},
		{&locator.News{Kind: locator.NewsArticle, Article: "a@"}, "article", 0},
		{&locator.News{Server: locator.Login{User: locator.Some("u")}}, "host", 0},
		{&locator.NNTP{Hostport: h}, "group", 0},
		{&locator.NNTP{Hostport: h, Group: "a", Range: locator.Some("1")}, "range", 1},
		{&locator.NNTP{Hostport: h, Group: "a", Range: locator.Some("-1")}, "range", 0},
		{&locator.NNTP{Hostport: h, Group: "a", Range: locator.Some("1-x")}, "range", 0},
		{&locator.NNTP{Hostport: h, Group: "a", Range: locator.Some("1-"), Article: locator.Some("1")}, "range", 0},
		{&locator.NNTP{Hostport: h, Group: "a", Password: locator.Some("x")}, "password", 0},
		{&locator.Mailto{Address: "a", To: []string{"b"}}, "to", 0},
		{&locator.Mailto{Address: "a", Headers: []locator.Pair{{}}}, "to", 0},
		{&locator.Mailto{To: []string{""}}, "to", 0},
		{&locator.Mailto{To: []string{"a"}, Headers: []locator.Pair{{Name: "cc", Value: "b"}, {Name: "To", Value: "c"}}}, "hfname", 0},
		{&locator.WAIS{Hostport: h, Kind: locator.WAISDocument, Path: "x", ID: []locator.Pair{{Name: "1", Value: ""}}, Size: locator.Some("1")}, "wpath", 0},
		{&locator.WAIS{Hostport: h, Kind: locator.WAISDocument, ID: []locator.Pair{{Name: "1", Value: ""}}}, "length", 0},
		{&locator.WAIS{Hostport: h, Kind: locator.WAISDocument, Size: locator.Some("1")}, "length", 0},
		{&locator.WAIS{Hostport: h, Kind: locator.WAISDocument, ID: []locator.Pair{{Name: "a", Value: ""}}, Size: locator.Some("1")}, "wfield", 0},
		{&locator.WAIS{Hostport: h, ID: []locator.Pair{{Name: "1", Value: ""}}, Size: locator.Some("1")}, "waisdoc", 0},
		{&locator.NNTP{Hostport: h, Group: "a", Article: locator.Some("")}, "digits", 0},
		{&locator.NNTP{Hostport: h, Group: "a", Article: locator.Some("1-2")}, "digits", 1},
		{&locator.Telnet{Login: locator.Login{Hostport: h, Password: locator.Some("")}}, "password", 0},
		{&locator.WAIS{Hostport: h, Kind: 7}, "waisurl", 0},
		{&locator.WAIS{Hostport: h, Search: "x"}, "search", 0},
		{&locator.WAIS{Hostport: h, Kind: locator.WAISSearch, Path: "x"}, "waisdoc", 0},
		{&locator.File{}, "fpath", 0},
		{&locator.File{Host: "a b", Segments: []string{""}}, "host", 1},
		{&locator.Prospero{}, "host", 0},
		{&locator.Other{}, "scheme", 0},
		{&locator.Other{Name: "X"}, "scheme", 0},
		{&locator.Other{Name: "a b"}, "scheme", 0},
		{&locator.Other{Name: "ftp", Part: "//h/"}, "scheme", 0},
		{&locator.Other{Name: "x", Part: "a b"}, "schemepart", 1},
		{&locator.Other{Name: "x", Part: "a#b"}, "schemepart", 1},
		{&locator.Other{Name: "x", Part: "%4"}, "escape", 2},
		{&locator.Other{Name: "https", Part: "//[::1]/"}, "schemepart", 2},
	} {
		u, err := locator.Build(c.view)
		var e *locator.SyntaxError
		if !errors.As(err, &e) {
			t.Errorf("%#v is built as %v (%v)", c.view, u, err)
			continue
		}
		if e.Rule != c.rule || e.Offset != c.offset || e.Msg == "" || e.Hint == "" || !strings.HasPrefix(e.Error(), "cannot build ") {
			t.Errorf("%#v: %s at %d, want %s at %d: %v", c.view, e.Rule, e.Offset, c.rule, c.offset, err)
		}
	}
}

// Build returns a URL with the same view for each URL of Current, or an error for a part that cannot have that meaning.
//
// Covers: S17
func TestParseBuildParseCurrent(t *testing.T) {
	t.Parallel()
	seeded(t, 4, func(t *testing.T, r *rand.Rand) {
		for range 5000 {
			u, err := locator.Current.Parse(currentText(r))
			if err != nil {
				continue
			}
			checkBuilt(t, u)
		}
	})
}

// checkBuilt checks that Build of the view of a URL of Current returns a URL with the same view.
func checkBuilt(t testing.TB, u locator.URL) {
	t.Helper()
	v := u.View()
	built, err := locator.Build(v)
	if err != nil {
		checkErrorOf(t, err)
		switch v := v.(type) {
		default: // a host that no resolver finds
			if e := err.(*locator.SyntaxError); e.Rule == "host" && strings.Trim(u.ASCIIHost(), "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._") != "" {
				return
			}
		case *locator.News: // angle brackets, and a group with the name of all groups
			if strings.HasPrefix(v.Article, "<") || v.Group == "*" || err.(*locator.SyntaxError).Rule == "host" {
				return
			}
		case *locator.Mailto: // an empty address
			if len(v.To) > 0 && v.To[0] == "" {
				return
			}
		}
		t.Fatalf("%q: %v", u.Text(), err)
	}
	back, err := locator.Current.Parse(built.Text())
	if err != nil {
		t.Fatalf("%q is built as %q: %v", u.Text(), built.Text(), err)
	}
	if grammar(u) == "mailto" || grammar(u) == "nntp" {
		built = back
	}
	if !reflect.DeepEqual(built.View(), v) || !reflect.DeepEqual(back.View(), v) {
		t.Fatalf("%q is built as %q, which has a different view: %#v, %#v, %#v", u.Text(), built.Text(), built.View(), back.View(), v)
	}
}

// Covers: T206
func FuzzBuild(f *testing.F) {
	f.Add(uint8(0), "h", "21", "u", "p", "a/b", "c;d", uint8(7))
	f.Add(uint8(2), "[::1]", "", "0", "\t", "\r\n", "+", uint8(3))
	f.Add(uint8(4), "h", "x", "a@b", "a", "*", "", uint8(1))
	f.Add(uint8(10), "x", "", "//u:p@h/", "", "", "", uint8(0))
	f.Fuzz(func(t *testing.T, scheme uint8, host, port, a, b, c, d string, bits uint8) {
		bit := func(i int) bool { return bits>>i&1 == 1 }
		opt := func(s string, i int) locator.Optional { return optional(s, bit(i)) }
		hostport := locator.Hostport{Host: host, Port: port}
		login := locator.Login{Hostport: hostport, User: opt(a, 0), Password: opt(b, 1)}
		views := []locator.View{
			&locator.FTP{Login: login, Dirs: []string{c}, Name: opt(d, 2), Type: bits >> 3 & 1 * 'a'},
			&locator.HTTP{Secure: bit(0), Login: locator.Login{Hostport: hostport, User: opt(a, 1)}, Segments: []string{b, c}, Search: opt(d, 2)},
			&locator.Gopher{Hostport: hostport, Type: opt(a, 0), Selector: opt(b, 1), Search: opt(c, 2), Plus: opt(d, 3)},
			&locator.Mailto{Address: a},
			&locator.News{Kind: locator.NewsKind(bits % 4), Group: a, Article: b},
			&locator.NNTP{Hostport: hostport, Group: a, Article: opt(b, 0)},
			&locator.Telnet{Login: login},
			&locator.WAIS{Hostport: hostport, Kind: locator.WAISKind(bits % 4), Database: a, Search: b, Type: c, Path: d},
			&locator.File{Host: host, Segments: []string{a, b, c}},
			&locator.Prospero{Hostport: hostport, Name: a, Fields: []locator.Pair{{Name: b, Value: c}}},
			&locator.Other{Name: host, Part: a},
		}
		v := views[int(scheme)%len(views)]
		u, err := locator.Build(v)
		if err != nil {
			var e *locator.SyntaxError
			if !errors.As(err, &e) || e.Offset < 0 || e.Rule == "" || e.Msg == "" {
				t.Fatalf("error %#v", err)
			}
			return
		}
		p := locator.RFC1738
		if _, err := p.Parse(u.Text()); err != nil || u.Scheme() == "https" && grammar(u) == "http" {
			p = locator.Current
		}
		back, err := p.Parse(u.Text())
		if err != nil || back != u || !reflect.DeepEqual(back.View(), v) {
			t.Fatalf("%#v is built as %q, which parses to %#v (%v)", v, u.Text(), back.View(), err)
		}
	})
}
