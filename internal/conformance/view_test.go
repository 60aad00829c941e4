package conformance

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	"locator"
)

// show formats parts on one line: name=text, name=[a b], name={a=b c=d}; "-" for an absent text.
func show(parts []locator.Part) string {
	var list []string
	for _, p := range parts {
		switch p.Kind {
		case locator.PartText:
			text := "-"
			if s, ok := p.Text.Get(); ok {
				text = fmt.Sprintf("%q", s)
			}
			list = append(list, p.Name+"="+text)
		case locator.PartList:
			list = append(list, fmt.Sprintf("%s=%q", p.Name, p.List))
		case locator.PartPairs:
			list = append(list, fmt.Sprintf("%s=%q", p.Name, p.Pairs))
		}
	}
	return strings.Join(list, " ")
}

// views are URLs with their parts as written, and their views.
var views = []struct {
	text  string
	parts string
	view  locator.View
}{
	// Absent and empty (3.1), segments and typecode (3.2.2).
	{"ftp://h", `dirs=[] name=- type=-`, &locator.FTP{Login: at("h")}},
	{"ftp://h/", `dirs=[] name="" type=-`, &locator.FTP{Login: at("h"), Name: locator.Some("")}},
	{"ftp://h/a", `dirs=[] name="a" type=-`, &locator.FTP{Login: at("h"), Name: locator.Some("a")}},
	{
		"ftp://myname@host.dom/%2Fetc/motd", `dirs=["%2Fetc"] name="motd" type=-`,
		&locator.FTP{Login: locator.Login{User: locator.Some("myname"), Hostport: locator.Hostport{Host: "host.dom"}}, Dirs: []string{"/etc"}, Name: locator.Some("motd")},
	},
	{
		"ftp://:%3a@h:21//etc//%3Btype=a;type=I", `dirs=["" "etc" ""] name="%3Btype=a" type="I"`,
		&locator.FTP{
			Login: locator.Login{User: locator.Some(""), Password: locator.Some(":"), Hostport: locator.Hostport{Host: "h", Port: "21"}},
			Dirs:  []string{"", "etc", ""}, Name: locator.Some(";type=a"), Type: 'i',
		},
	},
	{"ftp://h/;type=d", `dirs=[] name="" type="d"`, &locator.FTP{Login: at("h"), Name: locator.Some(""), Type: 'd'}},
	// Path and search (3.3).
	{"http://h", `path=- search=-`, &locator.HTTP{Login: at("h")}},
	{"http://h/", `path="" search=-`, &locator.HTTP{Login: at("h"), Segments: []string{""}}},
	{"http://h/?", `path="" search=""`, &locator.HTTP{Login: at("h"), Segments: []string{""}, Search: locator.Some("")}},
	{
		"http://H:8/a%2Fb//c;d?e%3Ff&g=h", `path="a%2Fb//c;d" search="e%3Ff&g=h"`,
		&locator.HTTP{
			Login:    locator.Login{Hostport: locator.Hostport{Host: "H", Port: "8"}},
			Segments: []string{"a/b", "", "c;d"}, Search: locator.Some("e?f&g=h"),
		},
	},
	// Type, selector, search, Gopher+ string (3.4.1 to 3.4.3), and a form (3.4.9).
	{"gopher://h", `type=- selector=- search=- plus=-`, &locator.Gopher{Hostport: locator.Hostport{Host: "h"}}},
	{"gopher://h/", `type=- selector=- search=- plus=-`, &locator.Gopher{Hostport: locator.Hostport{Host: "h"}}},
	{
		"gopher://h/1", `type="1" selector="" search=- plus=-`,
		&locator.Gopher{Hostport: locator.Hostport{Host: "h"}, Type: locator.Some("1"), Selector: locator.Some("")},
	},
	{
		"gopher://h/00/a?b%0D%0A", `type="0" selector="0/a?b%0D%0A" search=- plus=-`,
		&locator.Gopher{Hostport: locator.Hostport{Host: "h"}, Type: locator.Some("0"), Selector: locator.Some("0/a?b\r\n")},
	},
	{
		"gopher://h/7s%09a%20b", `type="7" selector="s" search="a%20b" plus=-`,
		&locator.Gopher{Hostport: locator.Hostport{Host: "h"}, Type: locator.Some("7"), Selector: locator.Some("s"), Search: locator.Some("a b")},
	},
	{
		"gopher://h/0s%09%09+%091%0D%0A", `type="0" selector="s" search="" plus="+%091%0D%0A"`,
		&locator.Gopher{Hostport: locator.Hostport{Host: "h"}, Type: locator.Some("0"), Selector: locator.Some("s"), Search: locator.Some(""), Plus: locator.Some("+\t1\r\n")},
	},
	{
		"gopher://h/%09%2509%09%09", `type="%09" selector="%2509" search="" plus=""`,
		&locator.Gopher{Hostport: locator.Hostport{Host: "h"}, Type: locator.Some("\t"), Selector: locator.Some("%09"), Search: locator.Some(""), Plus: locator.Some("")},
	},
	// The address (3.5).
	{"mailto:a%25b@h", `address="a%25b@h"`, &locator.Mailto{Address: "a%b@h"}},
	{"mailto:a?b=c", `address="a?b=c"`, &locator.Mailto{Address: "a?b=c"}},
	// Group, message-id, all (3.6).
	{"news:*", `kind="all" group=- article=-`, &locator.News{Kind: locator.NewsAll}},
	{"news:alt.x", `kind="group" group="alt.x" article=-`, &locator.News{Kind: locator.NewsGroup, Group: "alt.x"}},
	{"news:a%40/b@H.x", `kind="article" group=- article="a%40/b@H.x"`, &locator.News{Kind: locator.NewsArticle, Article: "a@/b@H.x"}},
	{"news:*@h", `kind="article" group=- article="*@h"`, &locator.News{Kind: locator.NewsArticle, Article: "*@h"}},
	// Group and number (3.7).
	{"nntp://h/alt.x", `group="alt.x" article=-`, &locator.NNTP{Hostport: locator.Hostport{Host: "h"}, Group: "alt.x"}},
	{"nntp://h/alt.x/012", `group="alt.x" article="012"`, &locator.NNTP{Hostport: locator.Hostport{Host: "h"}, Group: "alt.x", Article: locator.Some("012")}},
	// Login (3.8).
	{"telnet://h", ``, &locator.Telnet{Login: at("h")}},
	{
		"telnet://u:p@h:1/", ``,
		&locator.Telnet{Login: locator.Login{User: locator.Some("u"), Password: locator.Some("p"), Hostport: locator.Hostport{Host: "h", Port: "1"}}},
	},
	// The three forms (3.9).
	{
		"wais://h/", `kind="database" database="" search=- wtype=- wpath=-`,
		&locator.WAIS{Hostport: locator.Hostport{Host: "h"}},
	},
	{
		"wais://h/d%2F?a%20b", `kind="search" database="d%2F" search="a%20b" wtype=- wpath=-`,
		&locator.WAIS{Hostport: locator.Hostport{Host: "h"}, Kind: locator.WAISSearch, Database: "d/", Search: "a b"},
	},
	{
		"wais://h/d/T%2F/%00", `kind="document" database="d" search=- wtype="T%2F" wpath="%00"`,
		&locator.WAIS{Hostport: locator.Hostport{Host: "h"}, Kind: locator.WAISDocument, Database: "d", Type: "T/", Path: "\x00"},
	},
	// Host and path (3.10).
	{"file:///", `segments=[""]`, &locator.File{Segments: []string{""}}},
	{"file://localhost/a%2Fb//c/", `segments=["a%2Fb" "" "c" ""]`, &locator.File{Host: "localhost", Segments: []string{"a/b", "", "c", ""}}},
	// hsoname and fields (3.11).
	{
		"prospero://host.dom//pros/name", `name="/pros/name" fields=[]`,
		&locator.Prospero{Hostport: locator.Hostport{Host: "host.dom"}, Name: "/pros/name"},
	},
	{
		"prospero://h/a%3Bb;v=1;=;w%3D=%3b", `name="a%3Bb" fields=[{"v" "1"} {"" ""} {"w%3D" "%3b"}]`,
		&locator.Prospero{Hostport: locator.Hostport{Host: "h"}, Name: "a;b", Fields: []locator.Pair{{Name: "v", Value: "1"}, {Name: "", Value: ""}, {Name: "w=", Value: ";"}}},
	},
	// Any other scheme (2.1).
	{"X-y:%41/b", `part="%41/b"`, &locator.Other{Name: "x-y", Part: "%41/b"}},
	{"https://h/a", `part="//h/a"`, &locator.Other{Name: "https", Part: "//h/a"}},
	{"x:", `part=""`, &locator.Other{Name: "x"}},
}

// at returns a login with only a host.
func at(host string) locator.Login { return locator.Login{Hostport: locator.Hostport{Host: host}} }

// Covers: S3, S6, S7, S8, S9, S10, S11, S12, S13, S14, S15, S16
func TestViews(t *testing.T) {
	t.Parallel()
	for _, c := range views {
		u := locator.MustParse(c.text)
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
	u, err := locator.Current.Parse("HTTPS://h:443/a%20b?c#d")
	if err != nil {
		t.Fatal(err)
	}
	want := &locator.HTTP{
		Secure: true, Login: locator.Login{Hostport: locator.Hostport{Host: "h", Port: "443"}}, Segments: []string{"a b"}, Search: locator.Some("c"),
	}
	if v, ok := locator.As[*locator.HTTP](u); !ok || !reflect.DeepEqual(v, want) {
		t.Errorf("view %v", v)
	}
	if got := show(u.Parts()); got != `path="a%20b" search="c"` {
		t.Errorf("parts %s", got)
	}
	if _, ok := locator.As[*locator.FTP](u); ok {
		t.Error("https is returned as ftp")
	}
}

// Covers: S19
func TestHierarchical(t *testing.T) {
	t.Parallel()
	want := map[string]bool{"ftp": true, "ftps": true, "http": true, "https": true, "file": true}
	for _, s := range locator.Schemes() {
		if s.Hierarchical != want[s.Name] {
			t.Errorf("%s: hierarchical is %v", s.Name, s.Hierarchical)
		}
	}
	for _, c := range views {
		u, _ := locator.Current.Parse(c.text)
		if u.Hierarchical() != want[u.Scheme()] {
			t.Errorf("%s: hierarchical is %v", c.text, u.Hierarchical())
		}
	}
}

// A view that is marshalled to JSON is the same afterwards, and is shown as its URL without the
// password.
func TestViewsJSON(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"ftp://me:s3cret@host.dom:21/a%2Fb/c;type=a", "ftp://host.dom/", "ftp://@host.dom/a", "http://host.dom/a/?", "http://host.dom/a?b", "gopher://host.dom:7070/7s%09find%09%2B",
		"ftp://h.dom/%FF%00/x%C3;type=i",
		"gopher://host.dom/0%FF%80%09s", "http://host.dom/%FF?%FE", "wais://host.dom/%FF?%E9", "file:///%FF/%25", "prospero://host.dom/%FF;k=%FE",
		"mailto:%FF@host.dom", "telnet://%FF:s3cret@host.dom/", "urn:isbn:1", "mid:a@b/c@d", "cid:a@b", "nfs://host.dom//a/%FF", "z39.50s://host.dom/%FF", "tn3270://me:s3cret@h.dom/",
		"ftps://h.dom/%FF", "gopher://host.dom", "mailto:me@host.dom", "news:comp.lang.c", "news:1738@host.dom", "news:*", "nntp://host.dom/comp.lang.c/42", "telnet://me:s3cret@host.dom:23/",
		"wais://host.dom/db", "wais://host.dom/db?words", "wais://host.dom/db/TEXT/1%3Da", "file:///etc/motd", "file://host.dom/a", "prospero://host.dom//pros/name;key=value",
	} {
		u := locator.Current.MustParse(text)
		view := u.View()
		data, err := json.Marshal(view)
		if err != nil {
			t.Errorf("%s: %v", u, err)
			continue
		}
		again := reflect.New(reflect.TypeOf(view).Elem()).Interface()
		if err := json.Unmarshal(data, again); err != nil || !reflect.DeepEqual(again, view) {
			t.Errorf("%s: %s gives %+v, want %+v (%v)", u, data, again, view, err)
		}
		built, err := locator.Build(view)
		if err != nil {
			t.Errorf("%s: %v", u, err)
		}
		var logged strings.Builder
		log := slog.New(slog.NewJSONHandler(&logged, nil))
		if log.Info("", "view", view, "value", reflect.ValueOf(view).Elem().Interface()); strings.Count(logged.String(), built.Redacted()) != 2 {
			t.Errorf("%s is logged as %s", u, logged.String())
		}
		for _, shown := range []string{fmt.Sprint(view), fmt.Sprintf("%+v", view), fmt.Sprintf("%v", reflect.ValueOf(view).Elem().Interface())} {
			if shown != built.Redacted() || strings.Contains(shown, "s3cret") {
				t.Errorf("%s is shown as %s", u, shown)
			}
		}
	}
	var f locator.FTP
	if data, err := json.Marshal(f); string(data) != `""` || err != nil {
		t.Errorf("the zero view is %s, %v", data, err)
	}
	if err := json.Unmarshal([]byte(`"gopher://me:s3cret@h/"`), &f); err == nil || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("a gopher URL is an FTP view: %v", err)
	}
	if data, err := json.Marshal(locator.Some("\xff")); err == nil {
		t.Errorf("lost a byte in %s", data)
	}
	var o locator.Optional
	if err := json.Unmarshal([]byte("1"), &o); err == nil {
		t.Error("a number is a part")
	}
}

// The error of a URL in JSON says which one is malformed, without its password and not at length.
func TestUnmarshalError(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"ftp://host.dom/a b":                      `malformed ftp URL "ftp://host.dom/a b" at byte 16`,
		"ftp://me:s3cret@host.dom/a b":            `"ftp://me:****@host.dom/a b" at byte 26`,
		"http://h/ " + strings.Repeat("x", 1<<20): `"http://h/ ` + strings.Repeat("x", 90) + `..." at byte 9`,
	} {
		var list []locator.URL
		data, _ := json.Marshal([]string{"http://h/", text})
		err := json.Unmarshal(data, &list)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cret") || len(err.Error()) > 1000 {
			t.Errorf("%.50s: %.300v, want %s", text, err, want)
		}
		if _, err := locator.Current.Parse(text); err == nil || strings.Contains(err.Error(), "host.dom") {
			t.Errorf("Parse: %.300v", err)
		}
	}
}
