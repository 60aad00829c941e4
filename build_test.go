package locator

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

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
func (r random) maybe(s string) Optional { return optional(s, r.IntN(2) == 0).tidy() }

// tidy removes the text of an absent part, so that absent parts are equal.
func (o Optional) tidy() Optional {
	if !o.set {
		return Optional{}
	}
	return o
}

func (r random) hostport() Hostport {
	h := Hostport{Host: r.by("host")}
	if r.IntN(2) == 0 {
		h.Port = r.by("port")
	}
	return h
}

func (r random) login() Login {
	l := Login{Hostport: r.hostport(), User: r.maybe(r.octets())}
	if l.User.set {
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
var randomViews = map[string]func(r random) View{
	"ftp": func(r random) View {
		v := &FTP{Login: r.login(), Name: r.maybe(r.octets())}
		if v.Name.set {
			v.Dirs, v.Type = r.list(r.IntN(4)), "\x00aid"[r.IntN(4)]
		}
		return v
	},
	"http": func(r random) View {
		v := &HTTP{Login: Login{Hostport: r.hostport()}, Segments: r.list(r.IntN(4))}
		if v.Segments != nil {
			v.Search = r.maybe(r.octets())
		}
		return v
	},
	"gopher": func(r random) View {
		v := &Gopher{Hostport: r.hostport(), Type: r.maybe(r.some()[:1])}
		if v.Type.set {
			v.Selector, v.Search = Some(r.tabless()), r.maybe(r.tabless())
			if v.Search.set {
				v.Plus = r.maybe(r.octets())
			}
		}
		return v
	},
	"mailto": func(r random) View { return &Mailto{Address: r.some()} },
	"news": func(r random) View {
		switch NewsKind(r.IntN(3)) {
		case NewsGroup:
			return &News{Kind: NewsGroup, Group: r.by("group")}
		case NewsArticle:
			return &News{Kind: NewsArticle, Article: r.some() + "@" + r.by("host")}
		}
		return &News{Kind: NewsAll}
	},
	"nntp": func(r random) View {
		return &NNTP{Hostport: r.hostport(), Group: r.by("group"), Article: r.maybe(r.by("digits"))}
	},
	"telnet": func(r random) View { return &Telnet{Login: r.login()} },
	"wais": func(r random) View {
		v := &WAIS{Hostport: r.hostport(), Kind: WAISKind(r.IntN(3)), Database: r.octets()}
		switch v.Kind {
		case WAISSearch:
			v.Search = r.octets()
		case WAISDocument:
			v.Type, v.Path = r.octets(), r.octets()
		}
		return v
	},
	"file": func(r random) View {
		v := &File{Segments: r.list(1 + r.IntN(4))}
		if r.IntN(2) == 0 {
			v.Host = r.by("host")
		}
		return v
	},
	"prospero": func(r random) View {
		v := &Prospero{Hostport: r.hostport(), Name: r.octets()}
		for range r.IntN(3) {
			v.Fields = append(v.Fields, Pair{Name: r.octets(), Value: r.octets()})
		}
		return v
	},
	"x-other": func(r random) View {
		if r.IntN(2) == 0 {
			return &Other{Name: "x-other", Part: r.by("ip-schemepart")}
		}
		return &Other{Name: "x-other", Part: r.by("schemepart")}
	},
	"https": func(r random) View { return &Other{Name: "https", Part: r.by("schemepart")} },
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
				u, err := Build(v)
				if err != nil {
					t.Fatalf("%#v: %v", v, err)
				}
				if !agree(t, u.Text()) {
					t.Fatalf("%s is not a URL by the grammar", u.Text())
				}
				back := MustParse(u.Text())
				if back != u || !reflect.DeepEqual(back.View(), v) {
					t.Fatalf("%q parses to a different view", u.Text())
				}
				if later, err := Current.Parse(u.Text()); u.grammar() != otherGrammar && (err != nil || !sameParts(later, u)) {
					t.Fatalf("%q parses with Current to a different view (%v)", u.Text(), err)
				}
				checkEscapes(t, u, v)
			}
		})
	}
}

// checkEscapes checks that Build escapes nothing without need: without any one of its escapes, the text is not a URL, or
// one of a different view.
func checkEscapes(t *testing.T, u URL, v View) {
	t.Helper()
	text := u.Text()
	if _, ok := v.(*Other); ok {
		return // its part is not escaped
	}
	for i := range len(text) {
		c, ok := octet.At(text, i)
		if !ok {
			continue
		}
		plain, err := Parse(text[:i] + string([]byte{c}) + text[i+3:])
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
			u, err := Parse(s)
			if err != nil {
				continue
			}
			built, err := Build(u.View())
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
		view View
		want string
	}{
		{&HTTP{Secure: true, Login: at("h")}, "https://h"},
		{&HTTP{Secure: true, Login: at("h"), Segments: []string{"~", "/"}, Search: Some("#")}, "https://h/%7E/%2F?%23"},
		{&HTTP{Login: at("[::1]"), Segments: []string{""}}, "http://[::1]/"},
		{&FTP{Login: Login{User: Some("u"), Hostport: Hostport{Host: "[2001:DB8::192.0.2.1]", Port: "2121"}}}, "ftp://u@[2001:DB8::192.0.2.1]:2121"},
		{&File{Host: "[::]", Segments: []string{"x"}}, "file://[::]/x"},
		{&Other{Name: "x", Part: "//[::1]/"}, "x://[::1]/"},
		{&Other{Name: "x", Part: "~"}, "x:~"},
		{&FTP{Login: at("a_b.")}, "ftp://a_b."},
		{&FTP{Login: at("0x7f.1")}, "ftp://0x7f.1"},
		{&FTP{Login: at("[v1.a:b]")}, "ftp://[v1.a:b]"},
		{&HTTP{Login: Login{User: Some("u:"), Password: Some(":@"), Hostport: Hostport{Host: "h"}}}, "http://u%3A:%3A%40@h"},
		{&HTTP{Login: at("h"), Search: Some("a/b")}, "http://h?a%2Fb"},
		{&Mailto{To: []string{}}, "mailto:"},
		{&Mailto{Address: "a,b@h", To: []string{"a,b@h"}}, "mailto:a%2Cb@h"},
		{&Mailto{To: []string{"a", "b?&"}, Headers: []Pair{{"x=", "=&#\r\n"}}}, "mailto:a,b%3F&?x%3D==%26%23%0D%0A"},
		{&News{Kind: NewsGroup, Group: "1a.*?"}, "news:1a.*%3F"},
		{&News{Kind: NewsGroup, Group: "a@b"}, "news:a%40b"},
		{&News{Server: at("h")}, "news://h/*"},
		{&News{Kind: NewsArticle, Article: "//a@h"}, "news:%2F/a@h"},
		{&News{Kind: NewsArticle, Article: "a@[1.2.3.4]", Server: at("[::1]")}, "news://[::1]/a@%5B1.2.3.4%5D"},
		{&NNTP{User: Some("u"), Hostport: Hostport{Host: "h"}, Group: "a*", Range: Some("1-2")}, "nntp://u@h/a%2A/1-2"},
		{&NNTP{Hostport: Hostport{Host: "h"}, Group: "a", Range: Some("1-")}, "nntp://h/a/1-"},
		{
			&WAIS{Hostport: Hostport{Host: "h"}, Kind: WAISDocument, Type: "T", Size: Some("4"), ID: []Pair{{"1", "/;=%:"}, {"2", ""}}},
			"wais://h//T/4/1=/%3B%3D%25%3A;2=;",
		},
		{&FTP{Secure: true, Login: at("h"), Dirs: []string{"a/b"}, Name: Some("~"), Type: 'i'}, "ftps://h/a%2Fb/%7E;type=i"},
		{&Gopher{Secure: true, Hostport: Hostport{Host: "h"}, Type: Some("0"), Selector: Some("a b")}, "gophers://h/0a%20b"},
	} {
		u, err := Build(c.view)
		if err != nil {
			t.Errorf("%#v: %v", c.view, err)
			continue
		}
		back, err := Current.Parse(u.Text())
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
	h := Hostport{Host: "h"}
	gopher := func(gtype, selector, search, plus Optional) View {
		return &Gopher{Hostport: h, Type: gtype, Selector: selector, Search: search, Plus: plus}
	}
	var none Optional
	for _, c := range []struct {
		view   View
		rule   string
		offset int
	}{
		{nil, "url", 0},
		{&FTP{}, "host", 0},
		{&FTP{Login: at("a b")}, "host", 1},
		{&FTP{Login: at("%41")}, "host", 0}, // a view is decoded, so "%" is not an escape
		{&FTP{Login: at("%2f")}, "host", 0}, // likewise
		{&FTP{Login: at("%4")}, "host", 0},  // likewise
		{&FTP{Login: at("b\u00fccher")}, "host", 0},
		{&FTP{Login: at("[v1.]")}, "host", 4},
		{&FTP{Login: at("u@h")}, "host", 1},
		{&FTP{Login: at("a/b")}, "host", 1},
		{&FTP{Login: at("h:21")}, "host", 1},
		{&FTP{Login: at("[::g]")}, "host", 3},
		{&FTP{Login: at("[::1]x")}, "host", 5},
		{&FTP{Login: at("[::1")}, "host", 4},
		{&FTP{Login: Login{Hostport: Hostport{Host: "h", Port: "2a"}}}, "port", 1},
		{&FTP{Login: Login{Hostport: Hostport{Host: "h", Port: "-1"}}}, "port", 0},
		{&FTP{Login: Login{Hostport: h, Password: Some("x")}}, "password", 0},
		{&FTP{Login: at("h"), Dirs: []string{"a"}}, "fpath", 0},
		{&FTP{Login: at("h"), Type: 'a'}, "ftptype", 0},
		{&FTP{Login: at("h"), Name: Some(""), Type: 'x'}, "ftptype", 0},
		{&FTP{Login: at("h"), Name: Some(""), Type: 'A'}, "ftptype", 0},
		{&HTTP{Login: Login{Hostport: h, Password: Some("")}}, "password", 0},
		{&HTTP{Login: at("h"), Segments: []string{}}, "hpath", 0},
		{gopher(Some("0"), none, none, none), "selector", 0},
		{gopher(none, Some(""), none, none), "selector", 0},
		{gopher(Some(""), Some(""), none, none), "gtype", 0},
		{gopher(Some("01"), Some(""), none, none), "gtype", 1},
		{gopher(Some("0"), Some("a\tb"), none, none), "selector", 1},
		{gopher(Some("0"), Some(""), Some("ab\t"), none), "search", 2},
		{gopher(Some("0"), Some(""), none, Some("+")), "gopher+_string", 0},
		{gopher(none, none, Some(""), none), "search", 0},
		{&Mailto{}, "encoded822addr", 0},
		{&News{Kind: NewsGroup}, "group", 0},
		{&News{Kind: NewsGroup, Group: "*"}, "group", 0},
		{&News{Kind: NewsGroup, Group: "a", Article: "a@b"}, "grouppart", 0},
		{&News{Kind: NewsAll, Group: "a"}, "grouppart", 0},
		{&News{Kind: 7}, "grouppart", 0},
		{&News{Kind: NewsArticle}, "article", 0},
		{&News{Kind: NewsArticle, Article: "@h"}, "article", 0},
		{&News{Kind: NewsArticle, Article: "<a@h>"}, "article", 4},
		{&News{Kind: NewsArticle, Article: "a@"}, "article", 0},
		{&News{Server: Login{User: Some("u")}}, "host", 0},
		{&NNTP{Hostport: h}, "group", 0},
		{&NNTP{Hostport: h, Group: "a", Range: Some("1")}, "range", 1},
		{&NNTP{Hostport: h, Group: "a", Range: Some("-1")}, "range", 0},
		{&NNTP{Hostport: h, Group: "a", Range: Some("1-x")}, "range", 0},
		{&NNTP{Hostport: h, Group: "a", Range: Some("1-"), Article: Some("1")}, "range", 0},
		{&NNTP{Hostport: h, Group: "a", Password: Some("x")}, "password", 0},
		{&Mailto{Address: "a", To: []string{"b"}}, "to", 0},
		{&Mailto{Address: "a", Headers: []Pair{{}}}, "to", 0},
		{&Mailto{To: []string{""}}, "to", 0},
		{&Mailto{To: []string{"a"}, Headers: []Pair{{"cc", "b"}, {"To", "c"}}}, "hfname", 0},
		{&WAIS{Hostport: h, Kind: WAISDocument, Path: "x", ID: []Pair{{"1", ""}}, Size: Some("1")}, "wpath", 0},
		{&WAIS{Hostport: h, Kind: WAISDocument, ID: []Pair{{"1", ""}}}, "length", 0},
		{&WAIS{Hostport: h, Kind: WAISDocument, Size: Some("1")}, "length", 0},
		{&WAIS{Hostport: h, Kind: WAISDocument, ID: []Pair{{"a", ""}}, Size: Some("1")}, "wfield", 0},
		{&WAIS{Hostport: h, ID: []Pair{{"1", ""}}, Size: Some("1")}, "waisdoc", 0},
		{&NNTP{Hostport: h, Group: "a", Article: Some("")}, "digits", 0},
		{&NNTP{Hostport: h, Group: "a", Article: Some("1-2")}, "digits", 1},
		{&Telnet{Login: Login{Hostport: h, Password: Some("")}}, "password", 0},
		{&WAIS{Hostport: h, Kind: 7}, "waisurl", 0},
		{&WAIS{Hostport: h, Search: "x"}, "search", 0},
		{&WAIS{Hostport: h, Kind: WAISSearch, Path: "x"}, "waisdoc", 0},
		{&File{}, "fpath", 0},
		{&File{Host: "a b", Segments: []string{""}}, "host", 1},
		{&Prospero{}, "host", 0},
		{&Other{}, "scheme", 0},
		{&Other{Name: "X"}, "scheme", 0},
		{&Other{Name: "a b"}, "scheme", 0},
		{&Other{Name: "ftp", Part: "//h/"}, "scheme", 0},
		{&Other{Name: "x", Part: "a b"}, "schemepart", 1},
		{&Other{Name: "x", Part: "a#b"}, "schemepart", 1},
		{&Other{Name: "x", Part: "%4"}, "escape", 2},
		{&Other{Name: "https", Part: "//[::1]/"}, "schemepart", 2},
	} {
		u, err := Build(c.view)
		var e *SyntaxError
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
			u, err := Current.Parse(currentText(r))
			if err != nil {
				continue
			}
			checkBuilt(t, u)
		}
	})
}

// checkBuilt checks that Build of the view of a URL of Current returns a URL with the same view.
func checkBuilt(t testing.TB, u URL) {
	t.Helper()
	v := u.View()
	built, err := Build(v)
	if err != nil {
		checkErrorOf(t, err)
		switch v := v.(type) {
		default: // a host that no resolver finds
			if e := err.(*SyntaxError); e.Rule == "host" && strings.Trim(u.ASCIIHost(), "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._") != "" {
				return
			}
		case *News: // angle brackets, and a group with the name of all groups
			if strings.HasPrefix(v.Article, "<") || v.Group == "*" || err.(*SyntaxError).Rule == "host" {
				return
			}
		case *Mailto: // an empty address
			if len(v.To) > 0 && v.To[0] == "" {
				return
			}
		}
		t.Fatalf("%q: %v", u.Text(), err)
	}
	back, err := Current.Parse(built.Text())
	if err != nil {
		t.Fatalf("%q is built as %q: %v", u.Text(), built.Text(), err)
	}
	if u.grammar() == mailtoGrammar || u.grammar() == nntpGrammar {
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
		opt := func(s string, i int) Optional { return optional(s, bit(i)).tidy() }
		hostport := Hostport{Host: host, Port: port}
		login := Login{Hostport: hostport, User: opt(a, 0), Password: opt(b, 1)}
		views := []View{
			&FTP{Login: login, Dirs: []string{c}, Name: opt(d, 2), Type: bits >> 3 & 1 * 'a'},
			&HTTP{Secure: bit(0), Login: Login{Hostport: hostport, User: opt(a, 1)}, Segments: []string{b, c}, Search: opt(d, 2)},
			&Gopher{Hostport: hostport, Type: opt(a, 0), Selector: opt(b, 1), Search: opt(c, 2), Plus: opt(d, 3)},
			&Mailto{Address: a},
			&News{Kind: NewsKind(bits % 4), Group: a, Article: b},
			&NNTP{Hostport: hostport, Group: a, Article: opt(b, 0)},
			&Telnet{Login: login},
			&WAIS{Hostport: hostport, Kind: WAISKind(bits % 4), Database: a, Search: b, Type: c, Path: d},
			&File{Host: host, Segments: []string{a, b, c}},
			&Prospero{Hostport: hostport, Name: a, Fields: []Pair{{b, c}}},
			&Other{Name: host, Part: a},
		}
		v := views[int(scheme)%len(views)]
		u, err := Build(v)
		if err != nil {
			var e *SyntaxError
			if !errors.As(err, &e) || e.Offset < 0 || e.Rule == "" || e.Msg == "" {
				t.Fatalf("error %#v", err)
			}
			return
		}
		p := RFC1738
		if _, err := p.Parse(u.Text()); err != nil || u.Scheme() == "https" && u.grammar() == httpGrammar {
			p = Current
		}
		back, err := p.Parse(u.Text())
		if err != nil || back != u || !reflect.DeepEqual(back.View(), v) {
			t.Fatalf("%#v is built as %q, which parses to %#v (%v)", v, u.Text(), back.View(), err)
		}
	})
}
