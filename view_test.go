package locator

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// show formats parts on one line: name=text, name=[a b], name={a=b c=d}; "-" for an absent text.
func show(parts []Part) string {
	var list []string
	for _, p := range parts {
		switch p.Kind {
		case PartText:
			text := "-"
			if s, ok := p.Text.Get(); ok {
				text = fmt.Sprintf("%q", s)
			}
			list = append(list, p.Name+"="+text)
		case PartList:
			list = append(list, fmt.Sprintf("%s=%q", p.Name, p.List))
		case PartPairs:
			list = append(list, fmt.Sprintf("%s=%q", p.Name, p.Pairs))
		}
	}
	return strings.Join(list, " ")
}

// views are URLs with their parts as written, and their views.
var views = []struct {
	text  string
	parts string
	view  View
}{
	// Absent and empty (3.1), segments and typecode (3.2.2).
	{"ftp://h", `dirs=[] name=- type=-`, &FTP{Login: at("h")}},
	{"ftp://h/", `dirs=[] name="" type=-`, &FTP{Login: at("h"), Name: Some("")}},
	{"ftp://h/a", `dirs=[] name="a" type=-`, &FTP{Login: at("h"), Name: Some("a")}},
	{
		"ftp://myname@host.dom/%2Fetc/motd", `dirs=["%2Fetc"] name="motd" type=-`,
		&FTP{Login: Login{User: Some("myname"), Hostport: Hostport{Host: "host.dom"}}, Dirs: []string{"/etc"}, Name: Some("motd")},
	},
	{
		"ftp://:%3a@h:21//etc//%3Btype=a;type=I", `dirs=["" "etc" ""] name="%3Btype=a" type="I"`,
		&FTP{
			Login: Login{User: Some(""), Password: Some(":"), Hostport: Hostport{Host: "h", Port: "21"}},
			Dirs:  []string{"", "etc", ""}, Name: Some(";type=a"), Type: 'i',
		},
	},
	{"ftp://h/;type=d", `dirs=[] name="" type="d"`, &FTP{Login: at("h"), Name: Some(""), Type: 'd'}},
	// Path and search (3.3).
	{"http://h", `path=- search=-`, &HTTP{Login: at("h")}},
	{"http://h/", `path="" search=-`, &HTTP{Login: at("h"), Segments: []string{""}}},
	{"http://h/?", `path="" search=""`, &HTTP{Login: at("h"), Segments: []string{""}, Search: Some("")}},
	{
		"http://H:8/a%2Fb//c;d?e%3Ff&g=h", `path="a%2Fb//c;d" search="e%3Ff&g=h"`,
		&HTTP{
			Login:    Login{Hostport: Hostport{Host: "H", Port: "8"}},
			Segments: []string{"a/b", "", "c;d"}, Search: Some("e?f&g=h"),
		},
	},
	// Type, selector, search, Gopher+ string (3.4.1 to 3.4.3), and a form (3.4.9).
	{"gopher://h", `type=- selector=- search=- plus=-`, &Gopher{Hostport: Hostport{Host: "h"}}},
	{"gopher://h/", `type=- selector=- search=- plus=-`, &Gopher{Hostport: Hostport{Host: "h"}}},
	{
		"gopher://h/1", `type="1" selector="" search=- plus=-`,
		&Gopher{Hostport: Hostport{Host: "h"}, Type: Some("1"), Selector: Some("")},
	},
	{
		"gopher://h/00/a?b%0D%0A", `type="0" selector="0/a?b%0D%0A" search=- plus=-`,
		&Gopher{Hostport: Hostport{Host: "h"}, Type: Some("0"), Selector: Some("0/a?b\r\n")},
	},
	{
		"gopher://h/7s%09a%20b", `type="7" selector="s" search="a%20b" plus=-`,
		&Gopher{Hostport: Hostport{Host: "h"}, Type: Some("7"), Selector: Some("s"), Search: Some("a b")},
	},
	{
		"gopher://h/0s%09%09+%091%0D%0A", `type="0" selector="s" search="" plus="+%091%0D%0A"`,
		&Gopher{Hostport: Hostport{Host: "h"}, Type: Some("0"), Selector: Some("s"), Search: Some(""), Plus: Some("+\t1\r\n")},
	},
	{
		"gopher://h/%09%2509%09%09", `type="%09" selector="%2509" search="" plus=""`,
		&Gopher{Hostport: Hostport{Host: "h"}, Type: Some("\t"), Selector: Some("%09"), Search: Some(""), Plus: Some("")},
	},
	// The address (3.5).
	{"mailto:a%25b@h", `address="a%25b@h"`, &Mailto{Address: "a%b@h"}},
	{"mailto:a?b=c", `address="a?b=c"`, &Mailto{Address: "a?b=c"}},
	// Group, message-id, all (3.6).
	{"news:*", `kind="all" group=- article=-`, &News{Kind: NewsAll}},
	{"news:alt.x", `kind="group" group="alt.x" article=-`, &News{Kind: NewsGroup, Group: "alt.x"}},
	{"news:a%40/b@H.x", `kind="article" group=- article="a%40/b@H.x"`, &News{Kind: NewsArticle, Article: "a@/b@H.x"}},
	{"news:*@h", `kind="article" group=- article="*@h"`, &News{Kind: NewsArticle, Article: "*@h"}},
	// Group and number (3.7).
	{"nntp://h/alt.x", `group="alt.x" article=-`, &NNTP{Hostport: Hostport{Host: "h"}, Group: "alt.x"}},
	{"nntp://h/alt.x/012", `group="alt.x" article="012"`, &NNTP{Hostport: Hostport{Host: "h"}, Group: "alt.x", Article: Some("012")}},
	// Login (3.8).
	{"telnet://h", ``, &Telnet{Login: at("h")}},
	{
		"telnet://u:p@h:1/", ``,
		&Telnet{Login: Login{User: Some("u"), Password: Some("p"), Hostport: Hostport{Host: "h", Port: "1"}}},
	},
	// The three forms (3.9).
	{
		"wais://h/", `kind="database" database="" search=- wtype=- wpath=-`,
		&WAIS{Hostport: Hostport{Host: "h"}},
	},
	{
		"wais://h/d%2F?a%20b", `kind="search" database="d%2F" search="a%20b" wtype=- wpath=-`,
		&WAIS{Hostport: Hostport{Host: "h"}, Kind: WAISSearch, Database: "d/", Search: "a b"},
	},
	{
		"wais://h/d/T%2F/%00", `kind="document" database="d" search=- wtype="T%2F" wpath="%00"`,
		&WAIS{Hostport: Hostport{Host: "h"}, Kind: WAISDocument, Database: "d", Type: "T/", Path: "\x00"},
	},
	// Host and path (3.10).
	{"file:///", `segments=[""]`, &File{Segments: []string{""}}},
	{"file://localhost/a%2Fb//c/", `segments=["a%2Fb" "" "c" ""]`, &File{Host: "localhost", Segments: []string{"a/b", "", "c", ""}}},
	// hsoname and fields (3.11).
	{
		"prospero://host.dom//pros/name", `name="/pros/name" fields=[]`,
		&Prospero{Hostport: Hostport{Host: "host.dom"}, Name: "/pros/name"},
	},
	{
		"prospero://h/a%3Bb;v=1;=;w%3D=%3b", `name="a%3Bb" fields=[{"v" "1"} {"" ""} {"w%3D" "%3b"}]`,
		&Prospero{Hostport: Hostport{Host: "h"}, Name: "a;b", Fields: []Pair{{"v", "1"}, {"", ""}, {"w=", ";"}}},
	},
	// Any other scheme (2.1).
	{"X-y:%41/b", `part="%41/b"`, &Other{Name: "x-y", Part: "%41/b"}},
	{"https://h/a", `part="//h/a"`, &Other{Name: "https", Part: "//h/a"}},
	{"x:", `part=""`, &Other{Name: "x"}},
}

// at returns a login with only a host.
func at(host string) Login { return Login{Hostport: Hostport{Host: host}} }

// Covers: S3, S6, S7, S8, S9, S10, S11, S12, S13, S14, S15, S16
func TestViews(t *testing.T) {
	t.Parallel()
	for _, c := range views {
		u := MustParse(c.text)
		if got := show(u.Parts()); got != c.parts {
			t.Errorf("%s has the parts\n  %s, want\n  %s", c.text, got, c.parts)
		}
		got := u.View()
		if !reflect.DeepEqual(got, c.view) {
			t.Errorf("%s has the view %#v, want %#v", c.text, got, c.view)
		}
		if got.Scheme() != u.Scheme() {
			t.Errorf("the view of %s is of scheme %q", c.text, got.Scheme())
		}
	}
}

// Covers: S8
func TestViewHTTPS(t *testing.T) {
	t.Parallel()
	u, err := Current.Parse("HTTPS://h:443/a%20b?c#d")
	if err != nil {
		t.Fatal(err)
	}
	want := &HTTP{
		Secure: true, Login: Login{Hostport: Hostport{Host: "h", Port: "443"}}, Segments: []string{"a b"}, Search: Some("c"),
	}
	if v, ok := As[*HTTP](u); !ok || !reflect.DeepEqual(v, want) {
		t.Errorf("view %v", v)
	}
	if got := show(u.Parts()); got != `path="a%20b" search="c"` {
		t.Errorf("parts %s", got)
	}
	if _, ok := As[*FTP](u); ok {
		t.Error("https is returned as ftp")
	}
}

// Covers: S19
func TestHierarchical(t *testing.T) {
	t.Parallel()
	want := map[string]bool{"ftp": true, "ftps": true, "http": true, "https": true, "file": true}
	for _, s := range Schemes() {
		if s.Hierarchical != want[s.Name] {
			t.Errorf("%s: hierarchical is %v", s.Name, s.Hierarchical)
		}
	}
	for _, c := range views {
		u, _ := Current.Parse(c.text)
		if u.Hierarchical() != want[u.Scheme()] {
			t.Errorf("%s: hierarchical is %v", c.text, u.Hierarchical())
		}
	}
}

// What a program does with a Syntax changes nothing for others.
func TestSyntaxIsACopy(t *testing.T) {
	t.Parallel()
	for _, s := range append(Schemes(), SyntaxOf("ftp"), SyntaxOf("GOPHER")) {
		for i := range s.Ports {
			s.Ports[i] = 4242
		}
		s.Port, s.TLS, s.Family = 4242, !s.TLS, "x"
	}
	for _, s := range Schemes() {
		if slices.Contains(s.Ports, 4242) || s.Port == 4242 || s.Family == "x" || SyntaxOf(s.Name).Port == 4242 || s.Port != 0 && IsForeignPort(s.Name, s.Port) {
			t.Errorf("%s: %+v", s.Name, s)
		}
	}
	if !IsForeignPort("ftp", 25) || IsForeignPort("ftp", 21) || DefaultPort("ftp") != 21 {
		t.Error("the ports of ftp were changed")
	}
}

// Covers: S5, S20
func TestSyntaxOf(t *testing.T) {
	t.Parallel()
	var names, extensions []string
	for _, s := range Schemes() {
		if got := SyntaxOf(strings.ToUpper(s.Name)); !reflect.DeepEqual(got, s) {
			t.Errorf("SyntaxOf(%s) is %v", s.Name, got)
		}
		if s.Rule == "" || s.Section == "" || DefaultPort(s.Name) != s.Port {
			t.Errorf("%s: incomplete: %+v", s.Name, s)
		}
		if _, reserved := IsReserved(s.Name); reserved == strings.Contains(s.Productions, s.Rule) || reserved && s.Section != s.CurrentSection {
			t.Errorf("%s: incomplete for RFC1738: %+v", s.Name, s)
		}
		if s.CurrentSection == "" || !strings.Contains(s.Current, s.Rule) {
			t.Errorf("%s: incomplete for Current: %+v", s.Name, s)
		}
		if family := SyntaxOf(s.Family); family == nil || family.TLS || s.Extension && !s.TLS {
			t.Errorf("%s: got the family %q", s.Name, s.Family)
		}
		if s.Extension {
			extensions = append(extensions, s.Name)
		} else {
			names = append(names, s.Name)
		}
	}
	if got := strings.Join(names, " "); got != "ftp http gopher mailto news nntp telnet wais file prospero https mid cid nfs tn3270 z39.50r z39.50s" {
		t.Errorf("got the schemes %s", got)
	}
	for _, name := range []string{"ftps", "gophers", "telnets"} {
		if !slices.Contains(extensions, name) {
			t.Errorf("got the extensions %s", extensions)
		}
	}
	for _, name := range []string{"", "x-y", "afs", "mailserver", "z39.50", "prosperos", "mailservers"} {
		if SyntaxOf(name) != nil {
			t.Errorf("SyntaxOf(%q) is not nil", name)
		}
	}
	if RFC1738.Name() != "rfc1738" || Current.Name() != "current" {
		t.Error("the syntaxes have wrong names")
	}
}

// Covers: S20
func TestReserved(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"afs": "", "mid": "2392", "cid": "2392", "nfs": "2224", "tn3270": "6270", "mailserver": "6196", "z39.50": "",
		"z39.50r": "2056", "z39.50s": "2056",
	}
	if len(Reserved()) != len(want) {
		t.Errorf("%d reserved names", len(Reserved()))
	}
	for name, rfc := range want {
		r, ok := IsReserved(strings.ToUpper(name))
		if !ok || r.Name != name || r.RFC != rfc || r.Meaning == "" {
			t.Errorf("IsReserved(%s) is %v, %v", name, r, ok)
		}
		if _, err := Parse(name + "://h/x"); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"", "ftp", "x-nfs"} {
		if _, ok := IsReserved(name); ok {
			t.Errorf("%q is a reserved name", name)
		}
	}
	if !IsExperimental("X-mine") || !IsExperimental("x-") || IsExperimental("x") || IsExperimental("ax-b") {
		t.Error(`a scheme is experimental if and only if its name begins with "x-"`)
	}
}

func TestDecode(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"": "", "a": "a", "%41": "A", "a%2fb%2F": "a/b/", "%00%fF": "\x00\xff", "%2541": "%41", "%%41%4": "%A%4", "%": "%", "%zz": "%zz",
	} {
		if got := Decode(s); got != want {
			t.Errorf("Decode(%q) is %q", s, got)
		}
	}
}

func TestUnwrap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, url string
		cut       int
	}{
		{"ftp://h/", "ftp://h/", 0},
		{"URL:ftp://h/", "ftp://h/", 4},
		{"uRl:ftp://h/", "ftp://h/", 4},
		{"<URL:ftp://h/>", "ftp://h/", 5},
		{"<url:ftp://h/#a>", "ftp://h/#a", 5},
		{"URL:x", "x", 4}, // no scheme named url
		{"URL:", "", 4},
		{"<URL:>", "", 5},
		{"URL:URL:x", "URL:x", 4},
		{"<URL:ftp://h/", "<URL:ftp://h/", 0},
		{"URL:ftp://h/>", "ftp://h/>", 4},
		{"<ftp://h/>", "<ftp://h/>", 0},
		{"URL", "URL", 0},
		{"<", "<", 0},
		{"", "", 0},
	} {
		if url, cut := Unwrap(c.text); url != c.url || cut != c.cut || !strings.HasPrefix(c.text[cut:], url) {
			t.Errorf("Unwrap(%q) is %q, %d", c.text, url, cut)
		}
	}
}

// Policy decodes only URLs that MayBeUnsafe reports, so delimiters has to hold all bytes that a view looks for.
//
// Covers: P2
func TestMayBeUnsafe(t *testing.T) {
	t.Parallel()
	look := func(text string, v View) {
		v.commandParts(func(part, _, stops string) {
			if other := strings.Trim(stops, delimiters); other != "" {
				t.Errorf("%s: the %s may not hold %q", text, part, other)
			}
		})
	}
	for _, v := range views {
		look(v.text, v.view)
	}
	for text, want := range map[string]bool{
		"ftp://h/%2Fetc/a%41%7F%21": false, "ftp://h/a": false, "ftp://h/a%0d": true, "ftp://h/a%0A/b": true, "gopher://h/1%2500": false,
		"gopher://h/7a%09b": true, "news:a%20b@h": true, "mailto:a@h?x%3ay=z": true, "mailto:a@h?x:y=z": true, "ftp://u:p@h:21/": false, "file:///a%00": true,
	} {
		u, err := Current.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		look(text, u.View())
		if got := u.MayBeUnsafe(); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}
