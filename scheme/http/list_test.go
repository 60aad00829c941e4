package http_test

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/http"
)

var update = flag.Bool("update", false, "update the golden files")

// TestIndex parses index pages of servers and compares the entries with the .golden files.
//
// Covers: A6
func TestIndex(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/index/*.html")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			page, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s := newScript(t, "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=x\r\n\r\nHOLD"+hangUp)
			s.left[0] = strings.ReplaceAll(s.left[0], "HOLD", strings.ReplaceAll(string(page), "HOST", s.addr))
			dir := "/dir/"
			if strings.Contains(file, "nginx") {
				dir = "/a%20b/"
			}
			var b strings.Builder
			for e, err := range client.Entries(web(t).List(t.Context(), scheme.Request{URL: parse(t, "http://"+s.addr+dir)}, nil)) {
				if err != nil {
					t.Fatal(err)
				}
				modified := "-"
				if !e.Attr.Modified.IsZero() {
					modified = e.Attr.Modified.Format(time.RFC3339)
				}
				fmt.Fprintf(&b, "%q %s %v %s %d\n", e.Name, strings.ReplaceAll(e.URL.Text(), s.addr, "HOST"), e.Kind, modified, e.Attr.Size.Or(-1))
			}
			golden := strings.TrimSuffix(file, ".html") + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if b.String() != string(want) {
				t.Errorf("read\n%s\nwant\n%s", b.String(), want)
			}
		})
	}
}

// Covers: A6, P6
func TestListErrors(t *testing.T) {
	t.Parallel()
	page := func(body string) string {
		return "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body + hangUp
	}
	for _, tt := range []struct {
		name, reply string
		limits      scheme.Limits
		most        int
		entries     int
		code        scheme.Code
		want        string
	}{
		{name: "an empty page", reply: ok("", "Content-Type: text/html")},
		{name: "no page", reply: ok("x", "Content-Type: text/plain"), code: scheme.CodeUnsupported, want: "text/plain"},
		{name: "no type", reply: ok("x"), code: scheme.CodeUnsupported, want: "unknown"},
		{name: "xhtml", reply: ok("<a href='x'/>", "Content-Type: application/xhtml+xml"), entries: 1},
		{name: "too many entries", reply: page("<a href=1><a href=2><a href=3>"), limits: scheme.Limits{Entries: 2}, entries: 2, code: scheme.CodeBroken, want: "limit of 2 entries"},
		{name: "as many entries as allowed", reply: page("<a href=1><a href=2><a href=3>"), limits: scheme.Limits{Entries: 3}, entries: 3},
		{name: "no more than wished", reply: page("<a href=1><a href=2><a href=3>"), most: 2, entries: 2},
		{name: "too many octets", reply: page("<a href=1>" + strings.Repeat("text ", 1000)), limits: scheme.Limits{Listing: 1000}, code: scheme.CodeBroken, want: "limit of 1000 bytes"},
		{name: "a tag without an end", reply: page("<a href=1><a href=\"" + strings.Repeat("x", 2<<20)), entries: 0, code: scheme.CodeBroken, want: "longer than"},
		{name: "torn", reply: "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 99\r\n\r\n<a href=1><a href=2>" + hangUp, entries: 1, code: scheme.CodeBroken, want: "ended too early"},
		{name: "missing", reply: "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", code: scheme.CodeNotFound, want: "404"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newScript(t, tt.reply)
			tt.limits.Idle = 20 * time.Second
			c := web(t, func(o *client.Options) { o.Limits = tt.limits })
			n := 0
			var failed error
			for _, err := range client.Entries(c.List(t.Context(), scheme.Request{URL: parse(t, "http://"+s.addr+"/")}, &scheme.ListOptions{Max: tt.most})) {
				if failed = err; err == nil {
					n++
				}
			}
			if n != tt.entries {
				t.Errorf("%d entries, want %d", n, tt.entries)
			}
			if tt.code == scheme.CodeOK {
				if failed != nil {
					t.Error(failed)
				}
				return
			}
			wantCode(t, failed, tt.code)
			if !strings.Contains(failed.Error(), tt.want) {
				t.Errorf("the error does not contain %q: %v", tt.want, failed)
			}
		})
	}
}

// A page that ends with the connection and has no end tag may be cut: its last entry is a note that
// says so, and its listing does not count as complete.
//
// Covers: A6, P6
func TestListMayBeCut(t *testing.T) {
	t.Parallel()
	const head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
	const torn = "<html><body><pre><a href=1>1</a>\n<a href=2>2</a>\n"
	for _, tt := range []struct {
		name, reply string
		want        string
	}{
		{"no end", head + "\r\n" + torn + hangUp, "1 2 note"},
		{"in a tag", head + "\r\n" + torn + "<a hr" + hangUp, "1 2 note"},
		{"empty", head + "\r\n" + hangUp, "note"},
		{"cut after a row that may be a folder", head + "\r\n<html><pre><a href=\"sub\">sub</a>                 01Dec1994 10:20           4096\n" + hangUp, "sub note"},
		{"an end", head + "\r\n" + torn + "</pre>" + hangUp, "1 2"},
		{"an end in capitals", head + "\r\n<UL><LI><A HREF=1>1</A></UL>" + hangUp, "1"},
		{"a fragment", head + "\r\n<a href=1>1</a><a href=2>2</a>" + hangUp, "1 2"},
		{"a length", head + fmt.Sprintf("Content-Length: %d\r\n\r\n", len(torn)) + torn, "1 2"},
		{"chunks", head + fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(torn), torn), "1 2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, copied := range []bool{false, true} {
				s := newScript(t, tt.reply)
				o := &scheme.ListOptions{}
				if copied {
					o.Copy = io.Discard
				}
				var got []string
				for e, err := range client.Entries(web(t).List(t.Context(), scheme.Request{URL: parse(t, "http://"+s.addr+"/")}, o)) {
					switch {
					case err != nil:
						t.Fatal(err)
					case e.Unread && e.Kind == scheme.KindNote:
						got = append(got, "note")
					default:
						got = append(got, e.Name)
					}
				}
				if list := strings.Join(got, " "); list != tt.want {
					t.Errorf("copied %v: %s, want %s", copied, list, tt.want)
				}
			}
		})
	}
}

// A page that has only some of the entries of its folder ends with an error. The texts are those of
// caddy 2.6.2.
//
// Covers: A6
func TestListInPart(t *testing.T) {
	t.Parallel()
	item := func(text string) string { return "<span class=\"meta-item\">" + text + "</span>\n  " }
	for _, tt := range []struct {
		name, summary, want string
	}{
		{"all", item("<b>1</b> directory") + item("<b>9998</b> files"), ""},
		{"as many as caddy shows", item("<b>1</b> directory") + item("<b>9999</b> files") + item("<input>"), "there may be more"},
		{"no folder", item("<b>0</b> directories") + item("<b>10000</b> files"), "there may be more"},
		{"no file", item("<b>9999</b> directories") + item("<b>1</b> file"), "there may be more"},
		{"another limit", item("<b>0</b> directories") + item("<b>10001</b> files"), ""},
		{"said", item("<b>1</b> directory") + item("<b>50</b> files") + item("(of which only <b>10</b> are displayed)"),
			"it says \"1 directory 50 files (of which only 10 are displayed)\""},
		{"another page", "<span>1 directory 9999 files</span>", ""},
		{"no summary", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			page := "<html><body><h1><a href=\"../\">/</a></h1>" + tt.summary + "<table><tr><td><a href=\"./a\"><span class=\"name\">a</span></a></td></tr></table></body></html>"
			s := newScript(t, ok(page, "Content-Type: text/html"))
			n := 0
			var failed error
			for _, err := range client.Entries(web(t).List(t.Context(), scheme.Request{URL: parse(t, "http://"+s.addr+"/dir/")}, nil)) {
				if failed = err; err == nil {
					n++
				}
			}
			if n != 1 || (failed == nil) != (tt.want == "") {
				t.Errorf("%d entries, %v", n, failed)
			}
			if tt.want != "" {
				wantCode(t, failed, scheme.CodeUnsupported)
				if !strings.Contains(failed.Error(), tt.want) {
					t.Errorf("%v, want %q", failed, tt.want)
				}
			}
		})
	}
}

// A redirect instead of an index is returned as a Referral.
//
// Covers: A6
func TestListReferral(t *testing.T) {
	t.Parallel()
	s := start(t)
	res, err := http.New("http").List(t.Context(), testEnv(t), scheme.Request{URL: s.URL("names")}, scheme.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer res.Close()
	if res.Kind != scheme.KindReferral || res.Next[0].URL != s.URL("names", "") || !res.Permanent {
		t.Errorf("%+v", res)
	}
}

// The client follows the redirect of an index.
//
// Covers: A6
func TestListThroughRedirect(t *testing.T) {
	t.Parallel()
	s := start(t)
	n := 0
	for e, err := range client.Entries(web(t).List(t.Context(), scheme.Request{URL: s.URL("names")}, nil)) {
		if n++; err != nil || !strings.HasPrefix(e.URL.Text(), s.URL("names", "").Text()) {
			t.Errorf("%+v, %v", e, err)
		}
	}
	if n == 0 {
		t.Error("no entries")
	}
	for _, err := range client.Entries(web(t).List(t.Context(), scheme.Request{URL: s.URL("loop")}, nil)) {
		wantCode(t, err, scheme.CodeLoop)
	}
}

// Covers: T38
func FuzzIndex(f *testing.F) {
	files, _ := filepath.Glob("testdata/index/*.html")
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(b))
	}
	f.Add("<a href=x><a href=x>")
	f.Add("<base href=//><a href='/..//a/%2e%2e/'>")
	f.Add("<a href=//h.eXAMple/dir/0>")
	f.Fuzz(func(t *testing.T, page string) {
		limits := scheme.Limits{Entries: 100, Listing: 1 << 20}.WithDefaults()
		n, failed := 0, false
		for e, err := range http.Index(parse(t, "http://h.example/dir/"), strings.NewReader(page), limits) {
			if failed {
				t.Fatal("the sequence continues after an error")
			}
			if failed = err != nil; failed {
				continue
			}
			if n++; n > 100 {
				t.Fatal("the limit of entries was passed")
			}
			path, _ := e.URL.Path()
			if !strings.HasPrefix(locator.Decode(path), "dir/") || !strings.EqualFold(e.URL.Host(), "h.example") || e.Name == "" {
				t.Fatalf("the entry %q leads to %q, which is not below the page", e.Name, e.URL.Text())
			}
		}
	})
}
