package format_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	stdutf16 "unicode/utf16"

	"locator"
	"locator/find"
	"locator/find/format"
)

// read returns what is found in a source, a line each: the form, the URL with its fragment, and the
// bytes of the source. It checks the lines and columns.
func read(t *testing.T, name, source string, o format.Options) string {
	t.Helper()
	f := format.Lookup(name)
	if f == nil {
		t.Fatalf("there is no format %s", name)
	}
	var first string
	for _, chunked := range []bool{false, true} {
		var r = strings.NewReader(source)
		var b strings.Builder
		in := iotest.DataErrReader(r)
		if chunked {
			in = iotest.OneByteReader(r)
		}
		for u, err := range f.Read(t.Context(), in, o) {
			if err != nil {
				t.Fatal(err)
			}
			form := source[u.Offset : u.Offset+u.Length]
			before := source[:u.Offset]
			if line, column := strings.Count(before, "\n")+1, len(before)-strings.LastIndex(before, "\n"); u.Line != line || u.Column != column {
				t.Errorf("%s stands at %d:%d, want %d:%d", u.URL, u.Line, u.Column, line, column)
			}
			fmt.Fprintf(&b, "%v %s %q", u.Form, u.Text(), form)
			if u.Position != format.Exact {
				fmt.Fprintf(&b, " %v", u.Position)
			}
			if u.Reference != "" {
				fmt.Fprintf(&b, " reference %s", u.Reference)
			}
			if len(u.Alternatives) > 0 {
				fmt.Fprintf(&b, " or %s", strings.Join(u.Alternatives, " "))
			}
			b.WriteByte('\n')
		}
		if chunked && b.String() != first {
			t.Errorf("read byte by byte:\n%sat once:\n%s", b.String(), first)
		}
		first = b.String()
	}
	return first
}

// stalled is a reader that returns neither bytes nor an error.
type stalled struct{}

func (stalled) Read([]byte) (int, error) { return 0, nil }

// A reader that stalls after a part of the source is an error in every format, and what was found
// before is returned.
//
// Covers: F4
func TestStalledReader(t *testing.T) {
	t.Parallel()
	for _, f := range format.All() {
		if f.Name() == "pdf" { // another program reads it
			continue
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		count, last := 0, error(nil)
		for _, err := range f.Read(ctx, io.MultiReader(strings.NewReader("see \"http://h.example/a\"\n\n"), stalled{}), format.Options{}) {
			if last = err; err == nil {
				count++
			}
		}
		cancel()
		if !errors.Is(last, io.ErrNoProgress) {
			t.Errorf("%s: error %v, want io.ErrNoProgress", f.Name(), last)
		}
		if count != 1 && f.Name() != "markdown" { // Markdown is parsed whole
			t.Errorf("%s: found %d URLs, want 1", f.Name(), count)
		}
	}
}

// check compares what is found with the lines that are wanted.
func check(t *testing.T, name, source string, want ...string) {
	t.Helper()
	checkWith(t, name, source, format.Options{}, want...)
}

func checkWith(t *testing.T, name, source string, o format.Options, want ...string) {
	t.Helper()
	if got := read(t, name, source, o); got != strings.Join(want, "\n")+strings.Repeat("\n", min(len(want), 1)) {
		t.Errorf("%s %q:\n%swant\n%s", name, source, got, strings.Join(want, "\n"))
	}
}

// With the URL of the document, relative references are found, too; a base that the document names
// counts from then on.
func TestBase(t *testing.T) {
	o := format.Options{Base: locator.Current.MustParse("http://host/dir/page")}
	checkWith(t, "html", `<a href="a?b#c"><a href="#d"><a href="#"><a href=""><a href="javascript:x"><a title="e"><base href="/top/"><a href="f"><a href="#g">`, o,
		`attr http://host/dir/a?b#c "a?b#c" reference a?b`, `attr http://host/dir/page#d "#d" reference #d`,
		`attr http://host/top/ "/top/" reference /top/`, `attr http://host/top/f "f" reference f`)
	checkWith(t, "markdown", "[a](b.md#c) ![d](../e \"f\") [g](#h) [i][] <j>\n\n[i]: k\n\n<a href=l>\n", o,
		`attr http://host/dir/b.md#c "b.md#c" reference b.md`, `attr http://host/e "../e" reference ../e`, `attr http://host/dir/page#h "#h" reference #h`,
		`attr http://host/dir/k "k" reference k`, `attr http://host/dir/l "l" reference l`)
}

// Covers: F5
func TestHTML(t *testing.T) {
	check(t, "html", `<p>See <a href="http://host/a?b=1&amp;c=2#top">http://host/x</a>.`,
		`attr http://host/a?b=1&c=2#top "http://host/a?b=1&amp;c=2#top"`, `bare http://host/x "http://host/x"`)
	check(t, "html", "<A HREF = ' ftp://host/\n a '>x</A><img src=http://host/i.gif><form action=http://host/f/>",
		`attr ftp://host/ a "ftp://host/\n a"`, `attr http://host/i.gif "http://host/i.gif"`, `attr http://host/f/ "http://host/f/"`)
	check(t, "html", `<img srcset="http://host/a,b.gif 1x, http://host/c.gif, http://host/d 2x">`,
		`attr http://host/a,b.gif "http://host/a,b.gif"`, `attr http://host/c.gif "http://host/c.gif"`, `attr http://host/d "http://host/d"`)
	check(t, "html", `<meta http-equiv=Refresh content="5; URL='http://host/new'"><meta content="0;http://host/b" http-equiv=refresh><meta property="og:url" content="http://host/og">`,
		`attr http://host/new "http://host/new"`, `attr http://host/b "http://host/b"`, `attr http://host/og "http://host/og"`)
	check(t, "html", `<html xmlns="http://www.w3.org/1999/xhtml"><div style="background:url('http://host/bg')" title="http://host/t." onclick="location='http://host/js'">`,
		`bare http://host/bg "http://host/bg"`, `bare http://host/t "http://host/t"`, `bare http://host/js "http://host/js"`)
	check(t, "html", `<p>&lt;URL:<a href="gopher://host/1/a">gopher://host/1/a</a>&gt; and http&#58;//host/&#x61;<b>c</b>d<br>e http://host/&copy=1`,
		`wrapped gopher://host/1/a "&lt;URL:<a href=\"gopher://host/1/a\">gopher://host/1/a</a>&gt;"`,
		`attr gopher://host/1/a "gopher://host/1/a"`, `bare http://host/acd "http&#58;//host/&#x61;<b>c</b>d"`, `bare http://host/ "http://host/"`)
	check(t, "html", `<td>http://host/a<td>b</td><p>http://host/c<p>d<a href=x>http://host/e</a> <a href=y>f</a>`,
		`bare http://host/a "http://host/a"`, `bare http://host/c "http://host/c"`, `bare http://host/e "http://host/e"`)
	check(t, "html", `<!-- http://host/c --><script>x="http://host/s"</script><style>a{b:url(http://host/y)}</style><noscript><img src="http://host/n"></noscript><title>a&amp;b http://host/t?a&amp;b</title>`,
		`bare http://host/c "http://host/c"`, `bare http://host/s "http://host/s"`, `bare http://host/y "http://host/y"`, `attr http://host/n "http://host/n"`,
		`bare http://host/t?a&b "http://host/t?a&amp;b"`)
	check(t, "html", `<script type="application/ld+json">{"@context":"https:\/\/schema.org\/","u":"http://h\u006fst/\u0026a"}</script>`,
		`bare https://schema.org/ "https:\\/\\/schema.org\\/"`, `bare http://host/&a "http://h\\u006fst/\\u0026a"`)
	check(t, "html", `<base href="http://host/a/"><meta http-equiv=refresh content="0;url=next.html">`,
		`attr http://host/a/ "http://host/a/"`, `attr http://host/a/next.html "next.html" reference next.html`)
	check(t, "html", `<base href="http://host/a/b"><a href="../c?d#e">x</a><a href="javascript:void(0)">y</a><a href="#top">z</a><a href="ftp://other/">w</a>`,
		`attr http://host/a/b "http://host/a/b"`, `attr http://host/c?d#e "../c?d#e" reference ../c?d`, `attr ftp://other/ "ftp://other/"`)
	check(t, "html", `<a href="c">no base</a><a href="urn:isbn:1">no scheme that is known</a><a href="http://host/unclosed`,
		`attr http://host/unclosed "http://host/unclosed"`)
	check(t, "html", `<a href="htp://host/x">a typing error</a><img src="irc://host/y"><a href="javascript:z">b</a>`,
		`attr htp://host/x "htp://host/x"`, `attr irc://host/y "irc://host/y"`)
	check(t, "html", "<?xml version='1.0'?><!DOCTYPE x SYSTEM 'http://host/dtd'><?xml-stylesheet href='http://host/x.css'?><rss xmlns:a='http://host/ns'><link>http://host/l?a&amp;b</link><d><![CDATA[<a href='http://host/c?a&amp;b'>http://host/t</a> http://host/u]]></d></rss>",
		`bare http://host/x.css "http://host/x.css"`, `bare http://host/l?a&b "http://host/l?a&amp;b"`, `attr http://host/c?a&b "http://host/c?a&amp;b"`,
		`bare http://host/t "http://host/t"`, `bare http://host/u "http://host/u"`)
}

// Covers: F5
func TestMarkdown(t *testing.T) {
	check(t, "markdown", "A [link](http://host/a_b_c \"see http://host/t\"), ![image](<http://host/i j>), <http://host/auto>, http://host/bare_x_y, **http://host/bold**.\n",
		`attr http://host/a_b_c "http://host/a_b_c"`, `bare http://host/t "http://host/t"`, `attr http://host/i j "http://host/i j"`,
		`angled http://host/auto "<http://host/auto>"`, `bare http://host/bare_x_y "http://host/bare_x_y"`, `bare http://host/bold "http://host/bold"`)
	check(t, "markdown", "[a][1] and [b] text http://host/z\n\n> [1]: http://host/1 \"t\"\n[b]:\n   <ftp://host/b>\n",
		`bare http://host/z "http://host/z"`, `attr http://host/1 "http://host/1"`, `attr ftp://host/b "ftp://host/b"`)
	check(t, "markdown", "`http://host/code`\n\n    http://host/block\n\n```sh\ncurl http://host/fence\n```\n",
		`bare http://host/code "http://host/code"`, `bare http://host/block "http://host/block"`, `bare http://host/fence "http://host/fence"`)
	check(t, "markdown", "x <a href=\"http://host/raw\">y</a> <!-- http://host/c -->\n\n<div>\n<img src='http://host/i?a&amp;b'>\n</div>\n",
		`attr http://host/raw "http://host/raw"`, `bare http://host/c "http://host/c"`, `attr http://host/i?a&b "http://host/i?a&amp;b"`)
	check(t, "markdown", "> <URL:http://host/a\n> b> and [x](http://host/a\\_b&amp;c)\n\n- http://host/l\n  [u](relative) [v](#f)\n",
		`wrapped http://host/ab "<URL:http://host/a\n> b>"`, `attr http://host/a_b&c "http://host/a\\_b&amp;c"`, `bare http://host/l "http://host/l"`)
	check(t, "markdown", "[a](htp://host/x) [b](x-y:z) [c][d]\n\n[d]: irc://host/y\n", `attr htp://host/x "htp://host/x"`, `attr irc://host/y "irc://host/y"`)
	check(t, "markdown", "| a | b |\n|---|---|\n| http://host/a | [c](http://host/c) |\n",
		`bare http://host/a "http://host/a"`, `attr http://host/c "http://host/c"`)
	check(t, "markdown", "|a|b|\n|-|-|\n|http://host/a|~~http://host/b~~|\n\n- [x](http://host/x)\n- [ ] http://host/open\n- [x] http://host/done\n",
		`bare http://host/a "http://host/a"`, `bare http://host/b "http://host/b"`, `attr http://host/x "http://host/x"`, `bare http://host/open "http://host/open"`, `bare http://host/done "http://host/done"`)
	check(t, "markdown", "<URL:http://host/w> [http://host/t](http://host/d)[e](http://host/e)",
		`wrapped http://host/w "<URL:http://host/w>"`, `bare http://host/t "http://host/t"`, `attr http://host/d "http://host/d"`, `attr http://host/e "http://host/e"`)
}

// Covers: F5
func TestJSON(t *testing.T) {
	check(t, "json", `{"a\"b":"http:\/\/host\/\u0026x\ud83d\ude00", "c":["ftp://host/,\\", "<URL:http://host/a\n b>"]}`+"\n// see http://host/comment\n",
		`bare http://host/&x "http:\\/\\/host\\/\\u0026x"`, `bare ftp://host/ "ftp://host/"`, `wrapped http://host/ab "<URL:http://host/a\\n b>"`,
		`bare http://host/comment "http://host/comment"`)
	check(t, "json", "\"http://host/a\n\"http://host/b\"\n\"http://host/c\\", `bare http://host/a "http://host/a"`, `bare http://host/b "http://host/b"`, `bare http://host/c "http://host/c"`)
}

// Covers: F5
func TestCSV(t *testing.T) {
	check(t, "csv", "name,url\nx,http://host/a,y\n\"http://host/\"\"b\"\"c,d\",\"<URL:http://host/\ne>\"\r\n",
		`bare http://host/a "http://host/a"`, `bare http://host/ "http://host/"`, `wrapped http://host/e "<URL:http://host/\ne>"`)
	check(t, "csv", "1,http://host/a?,\" http://host/b#c. \",http://host/d.)\nhttp://host/e. and,\"http://host/f,http://host/g.\",http://host/%h", `bare http://host/a? "http://host/a?"`,
		`bare http://host/b#c. "http://host/b#c."`, `bare http://host/d "http://host/d"`, `bare http://host/e "http://host/e"`, `bare http://host/f "http://host/f"`, `bare http://host/g "http://host/g"`, `bare http://host/ "http://host/"`)
	check(t, "csv", "name\turl\nhttp://host/a,b\thttp://host/c\n", `bare http://host/a,b "http://host/a,b"`, `bare http://host/c "http://host/c"`)
}

// Covers: F5
func TestPaged(t *testing.T) {
	page := "\n\n\nBerners-Lee, Masinter & McCahill                                [Page 1]\n\f\nRFC 1738            Uniform Resource Locators (URL)        December 1994\n\n\n"
	check(t, "paged", "   <URL:http://host/a\n"+page+"   b>\n\nhttp://host/c\n", fmt.Sprintf("wrapped http://host/ab %q", "<URL:http://host/a\n"+page+"   b>"), `bare http://host/c "http://host/c"`)
	check(t, "paged", "http://host/a\n\n\nAuthor   [Page 9]\n\nhttp://host/b\n\fhttp://host/c", `bare http://host/a "http://host/a"`, `bare http://host/b "http://host/b"`, `bare http://host/c "http://host/c"`)
}

// Covers: F5
func TestNotations(t *testing.T) {
	check(t, "roff", `\fBhttp://host/a\-b\:c\fP. \%ftp://h\&ost/\(tik\[ti]; \(lahttp://host/x\(ra "http://host/\.y" http://host/\*(xz http://host/\f[B]q\f(CWr`,
		`bare http://host/a-bc "http://host/a\\-b\\:c"`, `bare ftp://host/~k~ "ftp://h\\&ost/\\(tik\\[ti]"`, `bare http://host/x "http://host/x"`,
		`bare http://host/.y "http://host/\\.y"`, `bare http://host/ "http://host/"`, `bare http://host/qr "http://host/\\f[B]q\\f(CWr"`)
	check(t, "roff", `\*(lqhttp://host/y\*(rq \s-1http://host/s\s0 \s+(10http://host/t\s[0]. \*a C:\shttp://host/u`, `bare http://host/y "http://host/y"`, `bare http://host/s "http://host/s"`, `bare http://host/t "http://host/t"`)
	check(t, "tex", `\url{http://host/a\_b\%20}, {\tt http://host/\~{}k}\\ http://host/\~u http://host/{\_}x{\_y \_http://host/\-z http://host/\textbf{a}`,
		`bare http://host/a_b%20 "http://host/a\\_b\\%20"`, `bare http://host/~k "http://host/\\~{}k"`, `bare http://host/~u "http://host/\\~u"`, `bare http://host/_x "http://host/{\\_}x"`,
		`bare http://host/z "http://host/\\-z"`, `bare http://host/ "http://host/"`)
	check(t, "calendar", "URL:http://ho\r\n st/a\nX:see http://host/b\\,c\\nd\\, http://host/\n\te\nht\n tp\\://host/f\n\r\n\\",
		`prefixed http://host/a "URL:http://ho\r\n st/a"`, `bare http://host/b,c "http://host/b\\,c"`, `bare http://host/e "http://host/\n\te"`, `bare http://host/f "ht\n tp\\://host/f"`)
	check(t, "po", "msgid \"\"\n\"the list at http://host/codecs.\"\n\"html#names.\\n\"\nmsgstr \"\\\"http://host/b\\\" \\\\ \\q\"\n\"x\"\r\n\"http://host/c\"",
		`bare http://host/codecs.html#names "http://host/codecs.\"\n\"html#names"`, `bare http://host/b "http://host/b"`)
	check(t, "properties", "a=http\\://host/?b\\=\\u0063 \\u00zz\nd=http\\:\\\n  //host/\\#e\\nf\\",
		`bare http://host/?b=c "http\\://host/?b\\=\\u0063"`, `bare http://host/#e "http\\:\\\n  //host/\\#e"`)
	for _, end := range []string{"\n", "\r", "\r\n"} { // a blank line ends a folded one
		check(t, "properties", "a=http\\://host/\\"+end+" \t"+end+"b=http\\://host/b"+end, `bare http://host/ "http\\://host/"`, `bare http://host/b "http\\://host/b"`)
	}
}

// Covers: F5
func TestDetect(t *testing.T) {
	for _, c := range []struct{ name, head, want string }{
		{"README.md", "x", "markdown"}, {"a/b/X.HTML", "", "html"}, {"rfc1738.txt", "x", "paged"}, {"", "<!DOCTYPE html>", "html"},
		{"-", "\ufeff\n<!-- x --><HTML lang=en>", "html"}, {"feed", "<?xml version='1.0'?><rss>", "html"}, {"x.txt", "Network\n\nA  [Page 1]\n\fRFC", "paged"}, {"x", "{\"a\":1}", "json"},
		{"x", "[Note] that", "text"}, {"x", "[10:02] <kim>", "text"}, {"x", "[    0.1] Linux", "text"}, {"x", "[[file:a]]", "text"}, {"x", "[[1.5e3, 2]]", "json"}, {"x", "[{\"a\":1}]", "json"}, {"x", "", "text"}, {"x.c", "a\x00b", ""}, {"x.md", "a\x00b", ""}, {"x", "\xff\xfea\x00b\x00", "text"}, {"x.csv", "a,b", "csv"},
		{"ls.1", ".TH LS 1", "roff"}, {"x.1", ".\n.\n.TH X 1", "roff"}, {"x", ".\n.x", "text"}, {"de.po", "#", "po"}, {"x", `'\" t`, "roff"}, {"syslog.1", "Jan 1", "text"}, {"a.bib", "@misc{", "tex"}, {"a", `\documentclass{a}`, "tex"}, {"x", "begin:vcard\n", "calendar"}, {"x.properties", "#", "properties"},
	} {
		got := ""
		if f := format.Detect(c.name, []byte(c.head)); f != nil {
			got = f.Name()
		}
		if got != c.want {
			t.Errorf("Detect(%q, %q) is %q, want %q", c.name, c.head, got, c.want)
		}
	}
}

// A note tells what is not read as its format says.
func TestNotes(t *testing.T) {
	var notes []string
	o := format.Options{Finder: &find.Finder{}, Note: func(err error) { notes = append(notes, err.Error()) }}
	checkWith(t, "markdown", "[x](http://host/a)\n"+strings.Repeat("> ", 200), o, `bare http://host/a "http://host/a"`)
	if want := "the Markdown would take too long to parse; it is read as plain text"; len(notes) != 2 || notes[0] != want {
		t.Errorf("notes %q, want %q twice", notes, want)
	}
}

// utf16 returns a text in UTF-16 with a byte order mark.
func utf16(s string, order binary.AppendByteOrder) string {
	b := order.AppendUint16(nil, 0xFEFF)
	for _, c := range stdutf16.Encode([]rune(s)) {
		b = order.AppendUint16(b, c)
	}
	return string(b)
}

// Covers: F5
func TestCharsets(t *testing.T) {
	for _, order := range []binary.AppendByteOrder{binary.BigEndian, binary.LittleEndian} {
		in := func(s string) string { return fmt.Sprintf("%q", utf16(s, order)[2:]) }
		check(t, "text", utf16("日本 <URL:http://host/a\n b> 😀 http://host/c", order), "wrapped http://host/ab "+in("<URL:http://host/a\n b>"), "bare http://host/c "+in("http://host/c"))
		check(t, "json", utf16(`{"é":"http:\/\/host\/"}`, order), "bare http://host/ "+in(`http:\/\/host\/`))
		check(t, "markdown", utf16("é [x](http://host/)", order), "attr http://host/ "+in("http://host/"))
	}
	iri := format.Options{Finder: &find.Finder{IRI: true}}
	checkWith(t, "html", "<meta charset=koi8-r><p>\xc1 http://host/\xc1&amp;\xc1", iri, "bare http://host/а&а \"http://host/\\xc1&amp;\\xc1\"")
	checkWith(t, "mail", "Content-Type: text/plain; charset=unicode\nContent-Transfer-Encoding: base64\n\naAB0AHQAcAA6AC8ALwBhAA==\n", iri, `bare http://a "aAB0AHQAcAA6AC8ALwBhAA" around`)
	checkWith(t, "mail", "Content-Type: text/plain; charset=shift_jis\n\n\x83\x65 http://host/\x83\x65\n", iri, "bare http://host/テ \"http://host/\\x83e\"")
	checkWith(t, "mail", "Content-Type: text/html; charset=iso-2022-jp\n\n<p>\x1b$B$\"\x1b(B http://host/\x1b$B$\"\x1b(B\n", iri, "bare http://host/あ \"http://host/\\x1b$B$\\\"\"")
}

// Covers: F5
func TestHostileMarkdown(t *testing.T) {
	nested := strings.Repeat("- ", 90) + "a\n"
	for _, text := range []string{"[](", "[a](", "> ", ">", "*a_ ", "1. ", "[a]: b\n", "[", "- - - - - - - - a\n", "`", "    - *a_\n", "a\n", "\n", "<!--", "***a ", "2. *a_\n", nested} {
		noted := false
		o := format.Options{Note: func(error) { noted = true }}
		source := strings.Repeat(text, (3<<20)/len(text)) + "\n\nhttp://host/"
		if text == nested {
			source = nested + strings.Repeat("\n", 1<<19) + "http://host/"
		}
		n := 0
		for _, err := range format.Lookup("markdown").Read(t.Context(), strings.NewReader(source), o) {
			if n++; err != nil {
				t.Fatal(err)
			}
		}
		if !noted || n != 1 {
			t.Errorf("%q: noted %v, %d URLs", text, noted, n)
		}
	}
	for _, text := range []string{
		"- [a_b_c](http://host/a_b_c) - **bold** and *more*\n", "[a_b]: http://host/x_y\n\n", "| [a](http://host/) | b | c |\n", "Some words, *more* of them, see <http://host/>.\nMore words.\n\n", strings.Repeat(" ", 300) + "x\n",
	} {
		source := strings.Repeat(text, (256<<10)/len(text))
		if strings.HasPrefix(text, "|") {
			source = "| a | b | c |\n|---|---|---|\n" + source
		}
		o := format.Options{Note: func(err error) { t.Errorf("%q: %v", text, err) }}
		for _, err := range format.Lookup("markdown").Read(t.Context(), strings.NewReader(source), o) {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}
