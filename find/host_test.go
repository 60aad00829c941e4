package find

import (
	"strings"
	"testing"
)

// checkRows compares what a finder finds in texts, with Text of each, with what is wanted.
func checkRows(t *testing.T, f *Finder, rows [][2]string) {
	t.Helper()
	for _, row := range rows {
		var list []string
		for u := range f.All(row[0]) {
			list = append(list, u.Text())
		}
		if got := strings.Join(list, " "); got != row[1] {
			t.Errorf("%q: got %q, want %q", row[0], got, row[1])
		}
	}
}

// A URL that would be cut within its host names another host, so it is not found.
func TestNoOtherHost(t *testing.T) {
	t.Parallel()
	checkRows(t, &Finder{Web: true, Mail: true}, [][2]string{
		{"http://münchen.example/x http://b", "http://b"},
		{"at http://shop.εταιρία.example", ""},
		{"http://a.example\u0301/", ""},
		{"http://exam\u00ADple.org/", ""},
		{"http://a\u200Db.example/", ""},
		{"https://news.한국", ""},
		{"http://xn--はじめ.example/", ""},
		{"http://店日本.example/ http://a日本.example/", ""},
		{"http://a.example\uFF11/", ""},
		{"https://evil[.]example[.]com/a", ""},
		{"https://evil(dot)example(dot)com/a", ""},
		{"http://host[1]/x http://host{n}/x http://a.example[1]:80/ http://a.example{n}/", ""},
		{"http://api.{region}.example/x http://api.[zone]/x http://www.<domain>/x", ""},
		{"http://host:port/json http://h.example:$PORT/ http://h.example:%d/ http://h:ü/", ""},
		{"http://api-<region>.example/x http://eu*.example/ http://a$.example/ http://a=.example/", ""},
		{"http://bank\uFF0Eexample/ http://bank\uFF61example/ http://bank.example\u200B.host.example/ http://bank.example\uFEFF.host.example/", ""},
		{"http://a;x.example/ http://a,b-c.example http://a'b.example/", ""},
		{"https://user:secret@na@me.example/ http://me@ ", ""},
		{`http://host\.example/ http://a.${domain}/ http://a%s.example/`, ""},
		{"mailto:me@münchen.example", ""},
		{"me@mail.münchen.example me@mail.host[.]example me@host.example:dir", ""},
		{"www.mail.münchen.example www.host.example[.]com", ""},
	})
}

// The host of a URL ends where the text around it goes on.
func TestEndOfHost(t *testing.T) {
	t.Parallel()
	checkRows(t, &Finder{}, [][2]string{
		{"见http://a.example查看 http://a.example로 http://a.exampleへ。 http://a.exampleที่", "http://a.example http://a.example http://a.example http://a.example"},
		{"http://a.example—see http://b.example… http://c.example👍 “http://d.example”", "http://a.example http://b.example http://c.example http://d.example"},
		{"http://a.example: the http://b.example:http://c.example: http://d.example:80:x", "http://a.example http://b.example http://c.example http://d.example:80"},
		{"*http://a.example*.x http://b.example\uFF0E http://c.example\u200Bx http://d.example-<br> 'http://e.example'.length",
			"http://a.example http://b.example http://c.example http://d.example http://e.example"},
		{"**http://a.example:** @http://b.example@ http://c.example<br>x http://d.example.<br>x", "http://a.example http://b.example http://c.example http://d.example"},
		{"https://a.example[Example] https://b.example[Example], https://c.example[1].", "https://a.example https://b.example https://c.example"},
		{`"http://a.example\n" "http://b.example\" http://c.example(x)`, "http://a.example http://b.example http://c.example"},
		{"http://a.example- where http://b.example-/x http://c.example~ http://d.example,x http://e.example;x", "http://a.example http://b.example-/x http://c.example http://d.example http://e.example"},
		{"http://a.example'x http://b.example&x=1 http://c.example$ http://d.example=x http://u,v:p;q@h/", "http://a.example http://b.example http://c.example http://d.example http://u,v:p;q@h/"},
		{"http://a.example[1](/x) [a](http://b.example)[b]/x http://c.example[1]?", "http://a.example http://b.example http://c.example"},
		{"http://a,b http://b;c http://c&#46;d (http://d).x", "http://a http://b http://c http://d"},
		{"http://u@h- http://[::1]:80 mailto:me@a.example, http://a/ü", "http://u@h http://[::1]:80 mailto:me@a.example http://a/"},
	})
	checkRows(t, &Finder{IRI: true}, [][2]string{
		{"http://münchen.example/ü http://店日本.example/", "http://münchen.example/ü http://店日本.example/"},
		{"http://a.پاکستان/\u202C\u2069 http://a.b/x\u200B http://a.b/x\u200E. http://a.b/x\uFEFF", "http://a.پاکستان/ http://a.b/x http://a.b/x http://a.b/x"},
		{"http://a.b/می\u200Cخواهم http://a.b/x\u200D", "http://a.b/می\u200Cخواهم http://a.b/x"},
	})
}

// Brackets in pairs and a second "#" belong to a URL, which has escapes for them.
func TestRepaired(t *testing.T) {
	t.Parallel()
	rows := [][2]string{
		{"http://h/Blur_[band]_(x). Next", "http://h/Blur_%5Bband%5D_(x)"},
		{"http://h/a[1].png, http://h/?a[]=1&b[c]=2#d", "http://h/a%5B1%5D.png http://h/?a%5B%5D=1&b%5Bc%5D=2#d"},
		{"http://h/{id}/x http://h/?q={a{b}c}", "http://h/%7Bid%7D/x http://h/?q=%7Ba%7Bb%7Dc%7D"},
		{"https://matrix.example/#/#room:h.example or http://h/#a#b!", "https://matrix.example/#/%23room:h.example http://h/#a%23b"},
		{"http://h/?a[]=1", "http://h/?a%5B%5D=1"},
		{"http://h/x_[a]/" + strings.Repeat("b", 2000) + "[c]d", "http://h/x_%5Ba%5D/" + strings.Repeat("b", 2000) + "%5Bc%5Dd"},
	}
	checkRows(t, &Finder{}, rows)
	for _, row := range rows {
		for u := range new(Finder).All(row[0]) {
			if !u.Repaired {
				t.Errorf("%s: not reported as repaired", u.Text())
			}
		}
	}
	plain := [][2]string{
		{"http://h/a]b http://h/a} {http://h/b} [http://h/c] http://h/d[e http://h/f{g", "http://h/a http://h/a http://h/b http://h/c http://h/d http://h/f"},
		{"https://h.example/docs[Docs] https://h.example/[Home], http://h/a[1].", "https://h.example/docs https://h.example/ http://h/a"},
		{"http://h/a{http://i/}b http://h/c[x=http://j/]d", "http://h/a http://i/ http://h/c http://j/"},
		{`"http://h/#{x}" "https://h/dl/${V}/x" http://h/#a# #http://h/a#http://h/b#`, "http://h/ https://h/dl/ http://h/#a http://h/a#http://h/b"},
		{"http://h/{a\"b} http://h/[a b] http://[::1]/x http://h[a]", "http://h/ http://h/ http://[::1]/x http://h"},
	}
	checkRows(t, &Finder{}, plain)
	for _, row := range plain {
		for u := range new(Finder).All(row[0]) {
			if u.Repaired {
				t.Errorf("%s: reported as repaired", u.Text())
			}
		}
	}
}

// Apostrophes in pairs belong to a URL; the ends of comments and what a shell runs next do not.
func TestQuotesAndComments(t *testing.T) {
	t.Parallel()
	checkRows(t, &Finder{}, [][2]string{
		{"http://h/a_'quoted' http://h/'_(x)' http://h/a'b' 'http://h/c'd'", "http://h/a_'quoted' http://h/'_(x)' http://h/a'b' http://h/c"},
		{"http://h/a' http://h/it's http://h/'a'b'", "http://h/a http://h/it http://h/'a'b"},
		{"/* http://h/c*/ x http://h/c&&tar http://h/?a&&b=1", "http://h/c http://h/c http://h/?a&&b=1"},
	})
}

// Names and addresses begin after any character that is not part of one. What is only a part of an
// address is not found.
func TestBeginOfAddress(t *testing.T) {
	t.Parallel()
	checkRows(t, &Finder{Web: true, Mail: true}, [][2]string{
		{"“www.a.example” «me@h.dom» （www.b.example） 、www.c.example", "http://www.a.example mailto:me@h.dom http://www.b.example http://www.c.example"},
		{"\u00A0www.a.example —me@h.dom •www.b.example \xFFwww.c.example éwww.d.example émail@h.dom", "http://www.a.example mailto:me@h.dom http://www.b.example"},
		{"o'neil@h.dom 'me@h.dom' u'me@h.dom' x='me@h.dom'", "mailto:o'neil@h.dom mailto:me@h.dom mailto:me@h.dom mailto:me@h.dom"},
		{`a."b".me@h.dom some?me@h.dom "me@h.dom" x?to=me@h.dom`, "mailto:me@h.dom mailto:me@h.dom"},
		{"a..b@h.dom a.@h.dom ...me@h.dom ~me@h.dom _me@h.dom ~me@h.dom~", "mailto:me@h.dom mailto:~me@h.dom mailto:_me@h.dom mailto:me@h.dom"},
	})
	checkRows(t, &Finder{Mail: true, IRI: true}, [][2]string{{"（me@h.dom） me@h.dom日本", "mailto:me@h.dom"}})
}
