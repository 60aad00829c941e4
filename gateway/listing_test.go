package gateway

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/scheme/ftp/ftptest"
	"locator/schemetest/peer"
)

// menu is a gopher server that sends each request to a function.
func menu(t *testing.T, handle func(selector string, w io.Writer)) locator.URL {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				c.SetDeadline(time.Now().Add(2 * time.Minute)) // a busy machine reads long menus slowly
				line, _ := bufio.NewReader(c).ReadString('\n')
				handle(strings.TrimRight(line, "\r\n"), c)
			}()
		}
	}()
	t.Cleanup(func() { l.Close(); <-done })
	return locator.MustParse("gopher://" + l.Addr().String() + "/1")
}

func item(kind byte, text, selector string) string {
	return fmt.Sprintf("%c%s\t%s\t127.0.0.1\t70\r\n", kind, text, selector)
}

// The first rows stand on the page while the server still sends.
func TestStream(t *testing.T) {
	more := make(chan struct{})
	u := menu(t, func(_ string, w io.Writer) {
		io.WriteString(w, item('0', "the first", "/1")+item('0', "the second", "/2")) // a row may depend on the next one
		<-more
		io.WriteString(w, item('0', "the last", "/2")+".\r\n")
	})
	s := serve(t, Options{}, u)
	res, err := http.Get("http://" + s.addr + string(pathOf(viewPage, u)))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	seen, buf := "", make([]byte, 4096)
	start := time.Now()
	for !strings.Contains(seen, "the first") {
		n, err := res.Body.Read(buf)
		if seen += string(buf[:n]); err != nil {
			t.Fatalf("the page ends without a row: %v", err)
		}
	}
	if d := time.Since(start); d > 2*time.Second {
		t.Errorf("the first row came after %v", d)
	}
	close(more)
	rest, err := io.ReadAll(res.Body)
	if text := string(rest); err != nil || !strings.Contains(text, "the last") || !strings.Contains(text, "3 entries") || !strings.HasSuffix(strings.TrimSpace(text), "</html>") {
		t.Errorf("%v: %s", err, text)
	}
}

// Covers: G2
func TestMenu(t *testing.T) {
	u := menu(t, func(_ string, w io.Writer) {
		io.WriteString(w, item('i', "  a   drawing", "")+item('1', "folder <b>", "/d")+item('7', "search", "/s")+item('8', "bbs", "")+
			item('h', "web", "URL:http://host.dom/?a=1&b='2'")+item('h', "script", "URL:javascript:alert(1)")+item('0', "bidi \u202e\x1b[31m", "/x?a b#c")+item('0', "signs", "/a(b)'c")+".\r\n")
	})
	s := serve(t, Options{}, u)
	res := s.page(u)
	for _, want := range []string{"  a   drawing", "folder &lt;b&gt;", `href="/gopher://127.0.0.1/7/s"`, `href="/telnet://127.0.0.1:70`, "%272%27", "/0/a(b)&#39;c\"", "8 entries"} {
		if !strings.Contains(res.body, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	for _, bad := range []string{"<b>", "\x1b", "\u202e", `href="javascript`} {
		if strings.Contains(res.body, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	if t.Failed() {
		t.Log(res.body)
	}
}

// Sorted and filtered pages need no script.
func TestSorted(t *testing.T) {
	var tree []peer.File
	for i, name := range []string{"b.txt", "C.txt", "a.txt", "d.bin"} {
		tree = append(tree, peer.File{Path: []string{name}, Content: strings.Repeat("x", 10*(i+1)), Modified: time.Date(2020, 1, 1+i, 0, 0, 0, 0, time.UTC)})
	}
	files, err := ftptest.Start(tree)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(files.Close)
	s := serve(t, Options{}, files.URL())
	for opts, want := range map[string]string{
		"sort=name": "a.txt b.txt C.txt d.bin", "sort=size": "d.bin a.txt C.txt b.txt", "filter=TXT&sort=name": "a.txt b.txt C.txt", "filter=none": "",
	} {
		q, _ := url.ParseQuery(opts)
		res := s.get(string(pathWith(files.URL(""), q)))
		var names []string
		for _, part := range strings.Split(res.body, "<tr><td>")[1:] {
			_, name, _ := strings.Cut(part, `">`)
			_, name, _ = strings.Cut(name, `">`)
			name, _, _ = strings.Cut(name, "<")
			names = append(names, name)
		}
		if got := strings.Join(names, " "); res.status != 200 || got != want {
			t.Errorf("%s: %d %q, want %q", opts, res.status, got, want)
		}
	}
	go2 := s.get("/-/go?" + url.Values{"url": {files.URL("").Text()}, "filter": {"bin"}, "sort": {"name"}}.Encode())
	if to := go2.header.Get("Location"); go2.status != http.StatusSeeOther || !strings.HasPrefix(to, "/-/view/filter=bin&sort=name/ftp://") {
		t.Errorf("the form leads to %d %q", go2.status, to)
	}
}

// An error after the first row is a row.
func TestListingError(t *testing.T) {
	u := menu(t, func(_ string, w io.Writer) {
		io.WriteString(w, item('0', "the first", "/1")+strings.Repeat("x", 4<<20))
	})
	s := serve(t, Options{}, u)
	for _, path := range []string{string(pathOf(viewPage, u)), string(pathWith(u, url.Values{"sort": {"name"}}))} {
		res := s.get(path)
		if res.status != 200 || !strings.Contains(res.body, "the first") || !strings.Contains(res.body, "The listing ends here: ") || !strings.Contains(res.body, "</html>") {
			t.Errorf("%s: %d %s", path, res.status, res.body)
		}
	}
}

// The README of a folder stands below its listing.
func TestReadme(t *testing.T) {
	tree := []peer.File{{Path: []string{"a.txt"}, Content: "a"}, {Path: []string{"README.txt"}, Content: "see <ftp://host.dom/pub>"}}
	files, err := ftptest.Start(tree)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(files.Close)
	s := serve(t, Options{}, files.URL())
	if res := s.page(files.URL("")); !strings.Contains(res.body, `see &lt;<a href="/ftp://host.dom/pub">`) && !strings.Contains(res.body, `<a href="/ftp://host.dom/pub">&lt;ftp://host.dom/pub&gt;</a>`) {
		t.Errorf("%s", res.body)
	}
}

// Long listings stand in blocks of rows, in whatever order, so that browsers can leave out the layout of most of them.
func TestBlocks(t *testing.T) {
	u := menu(t, func(_ string, w io.Writer) {
		for i := range 2*blockRows + 1 {
			io.WriteString(w, item('0', fmt.Sprintf("item %d", i), fmt.Sprintf("/%d", i)))
		}
		io.WriteString(w, ".\r\n")
	})
	var tree []peer.File
	for i := range 2 * blockRows {
		tree = append(tree, peer.File{Path: []string{fmt.Sprintf("file %d", i)}})
	}
	files, err := ftptest.Start(tree)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(files.Close)
	s := serve(t, Options{}, u, files.URL())
	for _, x := range []struct {
		of         locator.URL
		begin, end string
		rows       string
		want       int
	}{{u, `<div class="block">`, "</div>\n<div class=\"block\">", `<div class="item">`, 3}, {files.URL(""), `<tbody class="block">`, "</tbody>\n<tbody class=\"block\">", "<tr><td>", 2}} {
		for _, opts := range []url.Values{nil, {"sort": {"name"}}} {
			res := s.get(string(pathWith(x.of, opts)))
			parts := strings.Split(res.body, x.begin)[1:]
			if len(parts) != x.want || strings.Count(res.body, x.end) != x.want-1 {
				t.Errorf("%s, %v: %d blocks, want %d", x.of, opts, len(parts), x.want)
				continue
			}
			for _, part := range parts[:len(parts)-1] {
				if n := strings.Count(part, x.rows); n != blockRows {
					t.Errorf("%s, %v: a block has %d rows", x.of, opts, n)
				}
			}
		}
	}
}
