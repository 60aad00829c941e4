package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html"

	"locator"
)

// A file that grows, shrinks and is replaced while it is read does no harm, and the others are
// read.
//
// Covers: F5
func TestFindChangingFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "a.txt")
	text := bytes.Repeat([]byte("see http://host.dom/x and <URL:ftp://host.dom/\n  y> "), 1<<15)
	if err := os.WriteFile(filepath.Join(dir, "b.txt"), []byte("http://host.dom/last"), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		var err error
		for i := 0; ctx.Err() == nil && err == nil; i++ {
			if err = os.WriteFile(name, text[:len(text)*(i%7)/7], 0o666); err == nil {
				err = os.Truncate(name, int64(i%3)*10000)
			}
			if i%5 == 4 {
				err = os.Remove(name)
			}
		}
		done <- err
	}()
	for range 50 {
		out, errs, status := runText(t, "", "find", "--with-context", dir)
		if missing := strings.Contains(errs, "a.txt: no such file or directory"); !strings.Contains(out, "b.txt:1:1:http://host.dom/last\n") || (status != 0 || errs != "") && !missing {
			t.Fatalf("status %d, %q", status, errs)
		}
	}
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// URLs are printed before the program waits for more input, and an interrupt ends the wait.
//
// Covers: F5, P4
func TestFindFromPipe(t *testing.T) {
	t.Parallel()
	in, feed := io.Pipe()
	defer in.Close()
	result, out := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	status := make(chan int)
	go func() {
		status <- run(ctx, []string{"find"}, world{In: in, Out: out, Err: io.Discard, Getenv: func(string) string { return "" }})
	}()
	go fmt.Fprintf(feed, "see http://host.dom/1 %s\n", strings.Repeat("and more text ", 1<<15))
	line := make(chan string)
	go func() {
		b := make([]byte, 100)
		n, _ := result.Read(b)
		line <- string(b[:n])
	}()
	select {
	case got := <-line:
		if got != "http://host.dom/1\n" {
			t.Errorf("prints %q", got)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("prints nothing")
	}
	cancel()
	select {
	case got := <-status:
		if got != 130 {
			t.Errorf("status %d", got)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it goes on")
	}
}

// What was found before a read fails is printed, and a message says what failed.
//
// Covers: F5
func TestFindBeforeError(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"see http://host.dom/1 ", strings.Repeat("and more text ", 1<<14) + "http://host.dom/1 "} {
		var out, errs strings.Builder
		in := io.MultiReader(strings.NewReader(text), iotest.ErrReader(errors.New("the disk is broken")))
		status := run(t.Context(), []string{"find"}, world{In: in, Out: &out, Err: &errs, Getenv: func(string) string { return "" }})
		if out.String() != "http://host.dom/1\n" || status != 11 || !strings.Contains(errs.String(), "the disk is broken") {
			t.Errorf("%d bytes: prints %q and %q, status %d", len(text), out.String(), errs.String(), status)
		}
	}
	name := filepath.Join(t.TempDir(), "a.pdf")
	if err := os.WriteFile(name, []byte("%PDF-1.4\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	command := filepath.Join(filepath.Dir(name), "none")
	if _, errs, status := runText(t, "", "find", "--pdf-command", command, name); status != 11 || !strings.Contains(errs, command+": no such file") {
		t.Errorf("a command that is not there: status %d, %q", status, errs)
	}
	if err := os.WriteFile(command, []byte("echo http://host.dom/2; printf 'no page\\0332\\nand more\\n' >&2; exit 3"), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, errs, status := runText(t, "", "find", "--pdf-command", "sh "+command, name); out != "http://host.dom/2\n" || status != 11 || !strings.HasSuffix(errs, `: exit status 3: no page\x1b2`+"\n") {
		t.Errorf("a command that fails: prints %q and %q, status %d", out, errs, status)
	}
}

// linkified are texts for --linkify, with the links that they must have.
var linkified = []struct {
	text  string
	hrefs []string
}{
	{"see http://host.dom/?a=b&c='d'\"e, <URL:ftp://host.dom/\n x#y>", []string{"http://host.dom/?a=b&c='d'", "ftp://host.dom/x#y"}},
	{"<URL:javascript:alert(1)> <javascript:alert(1)> <URL:data:text/html,<script>alert(1)</script>> file:///etc/passwd vbscript:x", nil},
	{`http://host.dom/"onclick="alert(1) <URL:http://host.dom/'><img src=x onerror=alert(1)>`, []string{"http://host.dom/", "http://host.dom/'"}},
	{"</pre><script>alert(1)</script> &lt; &amp; \x00 \xff \u202e http://bank.example@evil.example/ http://user:pw@host.dom/", nil},
	{"http://127.1/ http://host.dom:25/ mailto:a@b.example?bcc=c@d.example telnet://host.dom/ gopher://host.dom:70/1/x", []string{"gopher://host.dom/1/x"}},
	{"http://münchen.example/x https://paypal[.]example/ http://user@ex@mple.example/ http://host:port/x http://a.b\u00AD.example/", nil},
	{"http://host.dom/a[1].png", []string{"http://host.dom/a%5B1%5D.png"}},
	{"http://host.dom/?a=1&copy", []string{"http://host.dom/?a=1&copy"}},
	{"\r\nhttp://host.dom/a\r\n\tb\x1b[31m\x9b", []string{"http://host.dom/a"}},
}

// The links of --linkify are safe, nothing else is markup, and the text is all there.
//
// Covers: F4, T202
func TestLinkify(t *testing.T) {
	t.Parallel()
	for _, c := range linkified {
		if hrefs := checkLinkified(t, c.text); !slices.Equal(hrefs, c.hrefs) {
			t.Errorf("%q has the links %q, want %q", c.text, hrefs, c.hrefs)
		}
	}
}

// Covers: T202
func FuzzLinkify(f *testing.F) {
	for _, c := range linkified {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkLinkified(t, text) })
}

// checkLinkified parses the page for a text as a browser does, and returns the targets of its
// links.
func checkLinkified(t *testing.T, text string) (hrefs []string) {
	t.Helper()
	out, errs, status := runText(t, text, "find", "--linkify")
	if status != 0 || errs != "" || !utf8.ValidString(out) {
		t.Fatalf("%.200q: status %d, %s", text, status, errs)
	}
	page, err := html.Parse(strings.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	var shown strings.Builder
	for n := range page.Descendants() {
		switch {
		case n.Type == html.TextNode && n.Parent.Data != "title":
			shown.WriteString(n.Data)
		case n.Type != html.ElementNode:
		case n.Data == "a":
			rel := html.Attribute{Key: "rel", Val: "nofollow noopener noreferrer ugc"}
			if len(n.Attr) != 2 || n.Attr[0].Key != "href" || n.Attr[1] != rel {
				t.Fatalf("%q gives a link with %q", text, n.Attr)
			}
			u, err := locator.Current.Parse(n.Attr[0].Val)
			if err != nil || !slices.Contains(strings.Fields("http https ftp ftps gopher gophers mailto news nntp snews nntps wais prospero"), u.Scheme()) {
				t.Fatalf("%q gives a link to %q, %v", text, n.Attr[0].Val, err)
			}
			hrefs = append(hrefs, n.Attr[0].Val)
		case !slices.Contains([]string{"html", "head", "meta", "title", "body", "pre"}, n.Data):
			t.Fatalf("%q gives the element %s", text, n.Data)
		}
	}
	got := strings.Trim(shown.String(), "\n")
	want := strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r < ' ' || r >= 0x7F && r < 0xA0 || r >= '\u202A' && r <= '\u202E' || r >= '\u2066' && r <= '\u2069':
			return utf8.RuneError
		}
		return r
	}, strings.ReplaceAll(text, "\r\n", "\n"))
	if got != strings.Trim(want, "\n") {
		t.Fatalf("%.200q shows %.200q, want %.200q", text, got, want)
	}
	return hrefs
}

// URLs that are too long are reported once per file, with their number and the place of the first.
//
// Covers: F5
func TestFindTooLong(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	long := "<URL:http://host.dom/" + strings.Repeat("x", 600) + ">\n"
	for name, text := range map[string]string{"a.txt": "and " + long + long + long, "b.txt": long, "c.txt": "http://host.dom/\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	_, errs, status := runText(t, "", "find", "--parallel", "1", "--max-wrapper", "512", dir)
	want := "locator: " + filepath.Join(dir, "a.txt") + ": 3 URLs, the first at byte 4, are longer than 512 bytes; only their beginnings were read; use --max-wrapper\n" +
		"locator: " + filepath.Join(dir, "b.txt") + ": a URL at byte 0 is longer than 512 bytes; only its beginning was read; use --max-wrapper\n"
	if errs != want || status != 0 {
		t.Errorf("status %d, %s, want %s", status, errs, want)
	}
}

// bzipped is "see <URL:ftp://host.dom/b\n  z> and\n".
const bzipped = "425a6839314159265359d067f05900000f5f80001040018015000412003743cc1020002281a01a1a34f50a00311a69a34be1e752f552ca721adee3354c8320bd1c52a03f8bb9229c28486833f82c80"

// zipped returns a file of gzip with a text.
func zipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// With --decompress, the texts of compressed files are searched by their own names, in folders too,
// and places count in the text.
//
// Covers: F5
func TestFindDecompress(t *testing.T) {
	bz, err := hex.DecodeString(bzipped)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	page := "<p>\n<a href='http://host.dom/?a&amp;b'>x</a>"
	long := strings.Repeat("and more text\n", 1<<14) + "http://host.dom/last\n"
	whole := zipped(t, long)
	for name, text := range map[string]string{
		"a.bz2": string(bz), "b.html.GZ": zipped(t, page), "c": zipped(t, "http://host.dom/1 ") + zipped(t, "http://host.dom/2"), "d.gz": zipped(t, "\x00http://host.dom/binary"),
		"e.txt.gz": whole, "f.txt": "http://host.dom/plain",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	want := "./a.bz2:1:5:ftp://host.dom/bz\n./b.html.GZ:2:10:http://host.dom/?a&b\n./c:1:1:http://host.dom/1\n./c:1:19:http://host.dom/2\n./e.txt.gz:16385:1:http://host.dom/last\n./f.txt:1:1:http://host.dom/plain\n"
	if out, errs, status := runText(t, "", "find", "-z", "."); out != want || errs != "" || status != 0 {
		t.Errorf("status %d, %s, prints %q, want %q", status, errs, out, want)
	}
	if out, _, _ := runText(t, "", "find", "."); out != "./f.txt:1:1:http://host.dom/plain\n" {
		t.Errorf("without the flag, prints %q", out)
	}
	if out, _, status := runText(t, whole, "find", "-z", "--with-context"); out != "http://host.dom/last\n    http://host.dom/last\n" || status != 0 {
		t.Errorf("standard input: status %d, prints %q", status, out)
	}
	if out, _, status := runText(t, "", "find", "-z", "--json", "b.html.GZ"); !strings.Contains(out, `"offset":13,"length":24,"line":2,"column":10,"form":"attr"`) || !strings.Contains(out, `"format":"html","position":"extracted"`) || status != 0 {
		t.Errorf("--json: status %d, prints %q", status, out)
	}
	if _, errs, _ := runText(t, whole, "find"); errs != "locator: standard input is compressed, and is searched as it is; to search its text, use --decompress\n" {
		t.Errorf("without the flag: %s", errs)
	}
	for name, file := range map[string]string{"short": whole[:len(whole)-20], "wrong": whole[:len(whole)-5] + "xxxxx", "more": whole + "xxxxxxxxxxxxxxxxx", "head": "\x1F\x8B\x08\xFF", "bzip2": string(bz[:40])} {
		out, errs, status := runText(t, file, "find", "-z")
		if !strings.HasPrefix(errs, "locator: standard input: cannot decompress it: ") || strings.Count(errs, "\n") != 1 || status != 11 {
			t.Errorf("%s: status %d, %s", name, status, errs)
		}
		if early := strings.Contains(errs, "it ends too early, as after a download that broke off"); early != (name == "short" || name == "head" || name == "bzip2") {
			t.Errorf("%s: %s", name, errs)
		}
		if found := out != ""; found == (name == "head" || name == "bzip2") {
			t.Errorf("%s: prints %q", name, out)
		}
	}
}
