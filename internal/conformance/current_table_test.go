package conformance

import "locator"

// currentViews are URLs with the results of Current: parts as written, "|" and the fragment; the
// view if it is new; the offsets and sections of the clauses that allow what RFC 1738 does not.
var currentViews = []struct {
	text    string
	parts   string
	clauses string
	view    locator.View
}{
	// http and https (S21a).
	{"http://h/~a?~b#~c", `path="~a" search="~b" | ~c`, "9 RFC 3986 2.3, 14 RFC 3986 3.5", nil},
	{"https://h", `path=- search=- | -`, "0 RFC 9110 4.2.2", nil},
	{"https://h#", `path=- search=- | `, "0 RFC 9110 4.2.2, 9 RFC 3986 3.5", nil},
	{
		"http://u:p:q@h:/?/?", `path="" search="/?" | -`, "7 RFC 3986 3.2.1, 10 RFC 3986 3.2.1, 14 RFC 3986 3.2.3, 17 RFC 3986 3.4",
		&locator.HTTP{Login: locator.Login{User: locator.Some("u"), Password: locator.Some("p:q"), Hostport: locator.Hostport{Host: "h"}}, Segments: []string{""}, Search: locator.Some("/?")},
	},
	{"http://h?a=b", `path=- search="a=b" | -`, "8 RFC 9110 4.2.1", &locator.HTTP{Login: at("h"), Search: locator.Some("a=b")}},
	{"http://[1:2:3:4:5:6:7:8]/", `path="" search=- | -`, "7 RFC 3986 3.2.2", nil},
	{"http://[1::8]:00080/", `path="" search=- | -`, "7 RFC 3986 3.2.2", nil},
	{"http://[1:2:3:4:5:6:7::]/", `path="" search=- | -`, "7 RFC 3986 3.2.2", nil},
	{"http://[::2:3:4:5:6:7:8]/", `path="" search=- | -`, "7 RFC 3986 3.2.2", nil},
	{"http://[1:2:3:4:5:6:7.7.7.7]", `path=- search=- | -`, "7 RFC 3986 3.2.2", nil},
	{"http://[v1F.a:b;c]/", `path="" search=- | -`, "7 RFC 3986 3.2.2", &locator.HTTP{Login: at("[v1F.a:b;c]"), Segments: []string{""}}},
	{"http://a_b.example./", `path="" search=- | -`, "7 RFC 3986 3.2.2", &locator.HTTP{Login: at("a_b.example."), Segments: []string{""}}},
	{"http://0x7f.1/", `path="" search=- | -`, "7 RFC 3986 3.2.2", nil},
	{"http://%41%2f%c3%bc/", `path="" search=- | -`, "7 RFC 3986 3.2.2", &locator.HTTP{Login: at("A%2F%C3%BC"), Segments: []string{""}}},
	{"http://b%C3%BCcher.example/", `path="" search=- | -`, "7 RFC 3986 3.2.2", &locator.HTTP{Login: at("xn--bcher-kva.example"), Segments: []string{""}}},
	{
		"HTTP://B\u00dcCHER\u3002example/\u00e9?\ue000#\u00fc", "path=\"\u00e9\" search=\"\\ue000\" | \u00fc",
		"7 RFC 3987 2.2, 25 RFC 3987 2.2, 31 RFC 3986 3.5",
		&locator.HTTP{Login: at("xn--bcher-kva.example"), Segments: []string{"\u00e9"}, Search: locator.Some("\ue000")},
	},
	// ftp, gopher, telnet, wais, prospero (S21b).
	{"ftp://~u:~p@h/~a;type=i#x", `dirs=[] name="~a" type="i" | x`, "6 RFC 3986 2.3, 23 RFC 3986 3.5", nil},
	{"ftp://u:p:q@h/", `dirs=[] name="" type=- | -`, "9 RFC 3986 3.2.1", nil},
	{"ftp://h/a?b/c", `dirs=["a?b"] name="c" type=- | -`, "", nil}, // as in RFC 1738
	{"FTP://[::ffff:192.0.2.1]/", `dirs=[] name="" type=- | -`, "6 RFC 3986 3.2.2", nil},
	{"gopher://[::1]:70/0~", `type="0" selector="~" search=- plus=- | -`, "9 RFC 3986 3.2.2, 19 RFC 3986 2.3", nil},
	{"gopher://h:/1\u00e9", "type=\"1\" selector=\"\u00e9\" search=- plus=- | -", "10 RFC 3986 3.2.3, 13 RFC 3987 2.2", nil},
	{"telnet://u@[::1]:23", ` | -`, "11 RFC 3986 3.2.2", nil},
	{"telnet://-l/", ` | -`, "9 RFC 3986 3.2.2", &locator.Telnet{Login: at("-l")}},
	{"wais://[::1]/~?~/?", `kind="search" database="~" search="~/?" wtype=- wpath=- | -`, "7 RFC 3986 3.2.2, 13 RFC 3986 2.3, 16 RFC 3986 3.4", nil},
	{
		"wais://h:210/d/TEXT/40/1=h%3A210;2=/srv/d;3=0%2040%20/a.txt;7=%00;",
		`kind="document" database="d" search=- wtype="TEXT" wpath="40/1=h%3A210;2=/srv/d;3=0%2040%20/a.txt;7=%00;" size="40" fields=[{"1" "h%3A210"} {"2" "/srv/d"} {"3" "0%2040%20/a.txt"} {"7" "%00"}] | -`, "20 RFC 4156 2",
		&locator.WAIS{
			Hostport: locator.Hostport{Host: "h", Port: "210"}, Kind: locator.WAISDocument, Database: "d", Type: "TEXT", Size: locator.Some("40"),
			ID: []locator.Pair{{Name: "1", Value: "h:210"}, {Name: "2", Value: "/srv/d"}, {Name: "3", Value: "0 40 /a.txt"}, {Name: "7", Value: "\x00"}},
		},
	},
	{"wais://h/d/T/1/1=", `kind="document" database="d" search=- wtype="T" wpath="1/1=" size="1" fields=[{"1" ""}] | -`, "13 RFC 4156 2", nil},
	{
		"wais://h/d/T/1/1=h:210;2=a%3Ab:c", `kind="document" database="d" search=- wtype="T" wpath="1/1=h:210;2=a%3Ab:c" size="1" fields=[{"1" "h:210"} {"2" "a%3Ab:c"}] | -`, "13 RFC 4156 2",
		&locator.WAIS{Hostport: locator.Hostport{Host: "h"}, Kind: locator.WAISDocument, Database: "d", Type: "T", Size: locator.Some("1"), ID: []locator.Pair{{Name: "1", Value: "h:210"}, {Name: "2", Value: "a:b:c"}}},
	},
	{"wais://h/d/T/12", `kind="document" database="d" search=- wtype="T" wpath="12" | -`, "", nil},
	{"prospero://[::1]/~;~=~", `name="~" fields=[{"~" "~"}] | -`, "11 RFC 3986 3.2.2, 17 RFC 3986 2.3", nil},
	// mailto (S21c), including the examples of RFC 6068 6.
	{"mailto:~a@b#c", `address="~a@b" to=["~a@b"] headers=[] | c`, "7 RFC 3986 2.3, 11 RFC 3986 3.5", &locator.Mailto{Address: "~a@b", To: []string{"~a@b"}}},
	{"mailto:chris@example.com", `address="chris@example.com" to=["chris@example.com"] headers=[] | -`, "", nil},
	{
		"mailto:infobot@example.com?subject=current-issue", `address="infobot@example.com" to=["infobot@example.com"] headers=[{"subject" "current-issue"}] | -`,
		"26 RFC 6068 2", &locator.Mailto{Address: "infobot@example.com", To: []string{"infobot@example.com"}, Headers: []locator.Pair{{Name: "subject", Value: "current-issue"}}},
	},
	{
		"mailto:infobot@example.com?body=send%20current-issue%0D%0Asend%20index",
		`address="infobot@example.com" to=["infobot@example.com"] headers=[{"body" "send%20current-issue%0D%0Asend%20index"}] | -`, "26 RFC 6068 2",
		&locator.Mailto{
			Address: "infobot@example.com", To: []string{"infobot@example.com"},
			Headers: []locator.Pair{{Name: "body", Value: "send current-issue\r\nsend index"}},
		},
	},
	{
		"mailto:list@example.org?In-Reply-To=%3C3469A91.D10AF4C@example.com%3E",
		`address="list@example.org" to=["list@example.org"] headers=[{"In-Reply-To" "%3C3469A91.D10AF4C@example.com%3E"}] | -`, "23 RFC 6068 2", nil,
	},
	{
		"mailto:addr1@an.example,addr2@an.example", `address=- to=["addr1@an.example" "addr2@an.example"] headers=[] | -`, "23 RFC 6068 2",
		&locator.Mailto{To: []string{"addr1@an.example", "addr2@an.example"}},
	},
	{
		"mailto:?to=joe@example.com&cc=bob@example.com&body=hello", `address="joe@example.com" to=["joe@example.com"] headers=[{"cc" "bob@example.com"} {"body" "hello"}] | -`,
		"7 RFC 6068 2, 7 RFC 6068 2",
		&locator.Mailto{Address: "joe@example.com", To: []string{"joe@example.com"}, Headers: []locator.Pair{{Name: "cc", Value: "bob@example.com"}, {Name: "body", Value: "hello"}}},
	},
	{
		"mailto:good@a?to=evil@b", `address=- to=["good@a" "evil@b"] headers=[] | -`, "13 RFC 6068 2",
		&locator.Mailto{To: []string{"good@a", "evil@b"}},
	},
	{
		"mailto:a@b,c@d?%74O=e%2Cf@g,h@i&to=&x=y&TO=j@k", `address=- to=["a@b" "c@d" "e%2Cf@g" "h@i" "j@k"] headers=[{"x" "y"}] | -`, "10 RFC 6068 2, 14 RFC 6068 2",
		&locator.Mailto{To: []string{"a@b", "c@d", "e,f@g", "h@i", "j@k"}, Headers: []locator.Pair{{Name: "x", Value: "y"}}},
	},
	{"mailto:", `address=- to=[] headers=[] | -`, "7 RFC 6068 2", &locator.Mailto{To: []string{}}},
	{
		"mailto:gorby%25kremvax@example.com", `address="gorby%25kremvax@example.com" to=["gorby%25kremvax@example.com"] headers=[] | -`, "",
		&locator.Mailto{Address: "gorby%kremvax@example.com", To: []string{"gorby%kremvax@example.com"}},
	},
	{
		"mailto:unlikely%3Faddress@example.com?blat=foop", `address="unlikely%3Faddress@example.com" to=["unlikely%3Faddress@example.com"] headers=[{"blat" "foop"}] | -`,
		"37 RFC 6068 2", nil,
	},
	{ // erratum 7919
		"mailto:Mike&family@example.org", `address="Mike&family@example.org" to=["Mike&family@example.org"] headers=[] | -`, "",
		&locator.Mailto{Address: "Mike&family@example.org", To: []string{"Mike&family@example.org"}},
	},
	{
		"mailto:%22not%40me%22@example.org", `address="%22not%40me%22@example.org" to=["%22not%40me%22@example.org"] headers=[] | -`, "",
		&locator.Mailto{Address: `"not@me"@example.org`, To: []string{`"not@me"@example.org`}},
	},
	{
		"mailto:user@example.org?subject=caf%C3%A9", `address="user@example.org" to=["user@example.org"] headers=[{"subject" "caf%C3%A9"}] | -`, "23 RFC 6068 2",
		&locator.Mailto{Address: "user@example.org", To: []string{"user@example.org"}, Headers: []locator.Pair{{Name: "subject", Value: "caf\u00e9"}}},
	},
	{"mailto:a%2Cb@h,c@h", `address=- to=["a%2Cb@h" "c@h"] headers=[] | -`, "14 RFC 6068 2", &locator.Mailto{To: []string{"a,b@h", "c@h"}}},
	{"mailto:a@h?x=a=b/?&=", `address="a@h" to=["a@h"] headers=[{"x" "a=b/?"} {"" ""}] | -`, "10 RFC 6068 2", nil},
	// news and nntp, including the examples of RFC 5538.
	{"news:~a@b#c/?d", `kind="article" group=- article="~a@b" | c/?d`, "5 RFC 3986 2.3, 9 RFC 3986 3.5", nil},
	{"news://news.server.example/*", `kind="all" group=- article=- | -`, "5 RFC 5538 4", &locator.News{Server: at("news.server.example")}},
	{"news://news.server.example/", `kind="all" group=- article=- | -`, "5 RFC 5538 4, 27 RFC 5538 4", &locator.News{Server: at("news.server.example")}},
	{
		"news://wild.server.example/example.group.th%3Fse", `kind="group" group="example.group.th%3Fse" article=- | -`, "5 RFC 5538 4, 27 RFC 5538 4",
		&locator.News{Kind: locator.NewsGroup, Group: "example.group.th?se", Server: at("wild.server.example")},
	},
	{"news:example.group.*", `kind="group" group="example.group.*" article=- | -`, "5 RFC 5538 4", &locator.News{Kind: locator.NewsGroup, Group: "example.group.*"}},
	{"news:example.group.this", `kind="group" group="example.group.this" article=- | -`, "", nil},
	{"news:", `kind="all" group=- article=- | -`, "5 RFC 5538 4", &locator.News{}},
	{
		"news://news.gmane.org/p0624081dc30b8699bf9b@%5B10.20.30.108%5D", `kind="article" group=- article="p0624081dc30b8699bf9b@%5B10.20.30.108%5D" | -`,
		"5 RFC 5538 4, 44 RFC 5538 4", &locator.News{Kind: locator.NewsArticle, Article: "p0624081dc30b8699bf9b@[10.20.30.108]", Server: at("news.gmane.org")},
	},
	{
		"news://u:p@h:563/a/b@c", `kind="article" group=- article="a/b@c" | -`, "5 RFC 5538 4, 7 RFC 3986 3.2.1",
		&locator.News{Kind: locator.NewsArticle, Article: "a/b@c", Server: locator.Login{User: locator.Some("u"), Password: locator.Some("p"), Hostport: locator.Hostport{Host: "h", Port: "563"}}},
	},
	{"news:a/b@c_d", `kind="article" group=- article="a/b@c_d" | -`, "9 RFC 5538 4", nil},
	{"nntp://[::1]/a/1", `group="a" article="1" range=- | -`, "7 RFC 3986 3.2.2", nil},
	{"nntp://news.server.example/example.group.this/12345", `group="example.group.this" article="12345" range=- | -`, "", nil},
	{
		"nntp://wild.server.example/example.group.n%2Fa/12345", `group="example.group.n%2Fa" article="12345" range=- | -`, "27 RFC 5538 3",
		&locator.NNTP{Hostport: locator.Hostport{Host: "wild.server.example"}, Group: "example.group.n/a", Article: locator.Some("12345")},
	},
	{
		"nntp://u@h/a/100-200", `group="a" article=- range="100-200" | -`, "7 RFC 3986 3.2.1, 13 RFC 3977 8.3",
		&locator.NNTP{User: locator.Some("u"), Hostport: locator.Hostport{Host: "h"}, Group: "a", Range: locator.Some("100-200")},
	},
	{"nntp://h/a/100-", `group="a" article=- range="100-" | -`, "11 RFC 3977 8.3", nil},
	{"nntp://h/4chan", `group="4chan" article=- range=- | -`, "9 RFC 5538 3", nil},
	// file (S21d), including the examples of RFC 8089.
	{"file://[::1]/~/", `segments=["~" ""] | -`, "7 RFC 3986 3.2.2, 13 RFC 3986 2.3", nil},
	{"file:///path/to/file", `segments=["path" "to" "file"] | -`, "", nil},
	{"file:/path/to/file", `segments=["path" "to" "file"] | -`, "5 RFC 8089 2", &locator.File{Segments: []string{"path", "to", "file"}}},
	{"file://host.example.com/path/to/file", `segments=["path" "to" "file"] | -`, "", nil},
	{"file:c:/path/to/file", `segments=["c:" "path" "to" "file"] | -`, "5 RFC 8089 E.2", &locator.File{Segments: []string{"c:", "path", "to", "file"}}},
	{"file:///c:/path/to/file", `segments=["c:" "path" "to" "file"] | -`, "", nil},
	{"file:/c:/a;b", `segments=["c:" "a;b"] | -`, "5 RFC 8089 2, 10 RFC 8089 2", nil},
	{"file:////host.example.com/path", `segments=["" "host.example.com" "path"] | -`, "", nil},
	{"file:/", `segments=[""] | -`, "5 RFC 8089 2", nil},
	{"file://a_b/", `segments=[""] | -`, "7 RFC 3986 3.2.2", &locator.File{Host: "a_b", Segments: []string{""}}},
	// The schemes of the reserved names (S21e).
	{"tn3270://u:p@h:23/", `part="//u:p@h:23/" | -`, "0 RFC 6270 2", &locator.Other{Name: "tn3270", Part: "//u:p@h:23/"}},
	// RFC 6196 defines no parts of a mailserver URL.
	{"mailserver:a%2Fb@c/get%20x?y", `part="a%2Fb@c/get%20x?y" | -`, "", &locator.Other{Name: "mailserver", Part: "a%2Fb@c/get%20x?y"}},
	{"mailserver://u:p@h/~", `part="//u:p@h/~" | -`, "19 RFC 3986 2.3", &locator.Other{Name: "mailserver", Part: "//u:p@h/~"}},
	{"mailserver:", `part="" | -`, "", &locator.Other{Name: "mailserver"}},
	{"mid:960830.1639@XIson.com/partA.960830.1639@XIson.com", `part="960830.1639@XIson.com/partA.960830.1639@XIson.com" | -`, "0 RFC 2392 2", &locator.Other{Name: "mid", Part: "960830.1639@XIson.com/partA.960830.1639@XIson.com"}},
	{"mid:a@b", `part="a@b" | -`, "0 RFC 2392 2", &locator.Other{Name: "mid", Part: "a@b"}},
	{"cid:foo4%25foo1@bar.net", `part="foo4%25foo1@bar.net" | -`, "0 RFC 2392 2", &locator.Other{Name: "cid", Part: "foo4%25foo1@bar.net"}},
	{"nfs://server/d1/d2/f", `part="//server/d1/d2/f" | -`, "0 RFC 2224", &locator.Other{Name: "nfs", Part: "//server/d1/d2/f"}},
	{"nfs://h//a%2Fb", `part="//h//a%2Fb" | -`, "0 RFC 2224", &locator.Other{Name: "nfs", Part: "//h//a%2Fb"}},
	{"nfs://h:2049", `part="//h:2049" | -`, "0 RFC 2224", &locator.Other{Name: "nfs", Part: "//h:2049"}},
	{"nfs:a/b", `part="a/b" | -`, "0 RFC 2224", &locator.Other{Name: "nfs", Part: "a/b"}},
	{"z39.50r://h:210/a+b%2B?id;esn=F;rs=usmarc+sutrs", `part="//h:210/a+b%2B?id;esn=F;rs=usmarc+sutrs" | -`, "0 RFC 2056", &locator.Other{Name: "z39.50r", Part: "//h:210/a+b%2B?id;esn=F;rs=usmarc+sutrs"}},
	{"z39.50s://h", `part="//h" | -`, "0 RFC 2056", &locator.Other{Name: "z39.50s", Part: "//h"}},
	// TLS twins.
	{
		"ftps://u:p@h/a%2Fb/~;type=A", `dirs=["a%2Fb"] name="~" type="A" | -`, "0 RFC 1738 3.2, 19 RFC 3986 2.3",
		&locator.FTP{Secure: true, Login: locator.Login{User: locator.Some("u"), Password: locator.Some("p"), Hostport: locator.Hostport{Host: "h"}}, Dirs: []string{"a/b"}, Name: locator.Some("~"), Type: 'a'},
	},
	{
		"GOPHERS://h:70/7a%09b", `type="7" selector="a" search="b" plus=- | -`, "0 RFC 1738 3.4",
		&locator.Gopher{Secure: true, Hostport: locator.Hostport{Host: "h", Port: "70"}, Type: locator.Some("7"), Selector: locator.Some("a"), Search: locator.Some("b")},
	},
	// All other schemes (S21f).
	{"x-y://u:p@[::1]:1/a#b", `part="//u:p@[::1]:1/a" | b`, "10 RFC 3986 3.2.2, 19 RFC 3986 3.5", nil},
	{"x-y://[1::]", `part="//[1::]" | -`, "6 RFC 3986 3.2.2", nil},
	{"x-y:///a?b/c", `part="///a?b/c" | -`, "4 RFC 3986 3.2", nil},
	{"x-y://:1/~", `part="//:1/~" | -`, "9 RFC 3986 2.3", nil},
	{"urn:\u00e9:~", "part=\"\u00e9:~\" | -", "4 RFC 3987 2.2, 7 RFC 3986 2.3", nil},
}

// currentErrors are texts that Current rejects.
var currentErrors = []struct {
	text   string
	offset int
	rule   string
}{
	{"http://h/#a b", 11, "fragment"},
	{"http://h/#a#b", 11, "fragment"},
	{"http://h/#%", 11, "escape"},
	{"http://#", 7, "host"},
	{"ftp:#", 4, "ftpurl"},
	{"#", 0, "scheme"},
	{"1x:y", 0, "scheme"},
	{"+:", 0, "scheme"},
	{"https:x", 6, "httpsurl"},
	{"http:///", 7, "host"},
	{"http://:80/", 10, "authority"},
	{"http://a:b/", 10, "authority"},
	{"http://a:b", 10, "authority"},
	{"http://u@v@h/", 10, "host"},
	{"http://u@h:8x/", 12, "port"},
	{"http://h/[", 9, "hsegment"},
	{"http://h/|", 9, "hsegment"},
	{"http://h/?[", 10, "search"},
	{"http://h|/", 8, "host"},
	{"http://[", 8, "IPv6address"},
	{"http://[]", 8, "IPv6address"},
	{"http://[::1", 11, "IPv6address"},
	{"http://[::1]x", 12, "host"},
	{"http://[::1]:x", 13, "port"},
	{"http://[v", 9, "IPvFuture"},
	{"http://[v.", 9, "IPvFuture"},
	{"http://[v1.]", 11, "IPvFuture"},
	{"http://[v1.%41]", 11, "IPvFuture"},
	{"http://[fe80::1%25eth0]/", 15, "IPv6address"},
	{"http://h/\xff", 9, "hsegment"},
	{"http://h/\xc3", 10, "ucschar"},
	{"http://h/\xe2\x80x", 11, "ucschar"},
	{"http://h/\ue000", 9, "hsegment"}, // private characters are allowed only after "?"
	{"http://h/\U000E0001", 10, "ucschar"},
	{"http://h/\ufffe", 11, "ucschar"},
	{"ftp://[::1]@h/", 11, "host"},
	{"ftp://a?b@h/", 7, "hostport"}, // a user of RFC 1738
	{"ftp://h/a;b", 10, "ftpurl"},
	{"ftp://h/a;TYPE=a", 10, "ftpurl"},
	{"gopher://u@h/", 10, "host"},
	{"telnet://h/x", 11, "telneturl"},
	{"wais://h/d/T/x/1=a", 14, "wpath"},
	{"wais://h/d/T/1/x", 15, "wfield"},
	{"wais://h/d/T/1/1", 16, "wfield"},
	{"wais://h/d/T/1/1=a;;", 19, "wfield"},
	{"wais://h/d/T/1/1=a&", 18, "wfield"},
	{"wais://h/d/T/1/1:=a", 16, "wfield"},
	{"wais://h/d/T/1:/1=a", 14, "wpath"},
	{"mailto:a b", 8, "to"},
	{"mailto:a?b", 10, "hfield"},
	{"mailto:a?", 9, "hfield"},
	{"mailto:a?b&", 10, "hfield"},
	{"mailto:a?b=c&", 13, "hfield"},
	{"mailto:a?b c=d", 10, "hfname"},
	{"mailto:a?b=c d", 12, "hfvalue"},
	{"news:a@[::1]", 7, "article"},
	{"news:a@b@c", 8, "article"},
	{"news:@b", 5, "article"},
	{"news:a/b", 8, "article"},
	{"news:a b", 6, "newsgroups"},
	{"news://h", 8, "newsurl"},
	{"news:///a", 7, "host"},
	{"nntp://h/", 9, "group"},
	{"nntp://h/*", 9, "group"},
	{"nntp://h/a/-1", 11, "digits"},
	{"nntp://h/a/1-2-3", 14, "digits"},
	{"file:a", 6, "fileurl"},
	{"file:1:/", 5, "fileurl"},
	{"file:c:", 7, "fileurl"},
	{"file:cd:/", 6, "fileurl"},
	{"file:c|/", 6, "fileurl"},
	{"file://h:80/", 8, "fileurl"},
	{"file://h", 8, "fileurl"},
	{"file://u@h/", 8, "fileurl"},
	{"mailserver:[", 11, "path"},
	{"nfs://h/[", 8, "path"},
	{"tn3270://h:x", 12, "authority"},
	{"mailserver://a:b/", 16, "authority"},
	{"ftps:h", 5, "ftpsurl"},
	{"ftps://h/;x", 10, "ftpsurl"},
	{"gophers:h", 8, "gophersurl"},
	{"gophers://u@h/", 11, "host"},
	{"x:[", 2, "path"},
	{"x:a?[", 4, "query"},
	{"x://a[", 5, "host"},
	{"x://a:b:c[", 9, "authority"},
	{"x://[::1]/[", 10, "path"},
	{"x://a/[::1]", 6, "path"},
	{"x://a?[", 6, "query"},
}
