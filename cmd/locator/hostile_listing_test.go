package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"locator/internal/faults"
	"locator/scheme/ftp/ftptest"
	"locator/scheme/http/httptest"
	"locator/schemetest/peer"
)

// listingFaults are faults of listings.
func listingFaults() []fault {
	return []fault{
		{"10,000 entries: MLSD, LIST, NLST, an http index", manyEntries},
		{"hostile, randomly generated listings: MLSD, LIST, http indexes", hostileListings},
	}
}

// Covers: R17
func manyEntries(t *testing.T) {
	const n = 10_000
	var files []peer.File
	for i := range n {
		files = append(files, peer.File{Path: []string{"dir", fmt.Sprintf("file %05d.txt", i)}, Content: "x",
			Modified: time.Date(1994, 12, 1, 0, 0, 0, 0, time.UTC)})
	}
	var urls []string
	for _, opts := range [][]ftptest.Option{nil, {ftptest.NoMLSD()}, {ftptest.NoLIST()}} {
		s, err := ftptest.Start(files, opts...)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		urls = append(urls, s.URL("dir", "").Text())
	}
	s, err := httptest.Start(files)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	urls = append(urls, s.URL("dir", "").Text())
	for _, url := range urls {
		for _, args := range [][]string{{"list"}, {"get", "--recursive", "--dry-run"}} {
			out, errs, status := runText(t, "", append(args, url)...)
			lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
			slices.Sort(lines)
			if status != 0 || len(slices.Compact(lines)) != n {
				t.Errorf("%s %s: status %d, %d lines: %s", args[0], url, status, len(lines), errs)
			}
		}
	}
}

// hostile composes text of pieces that have broken programs before.
func hostile(r *rand.Rand, pieces []string) string {
	var b strings.Builder
	for range 1 + r.IntN(12) {
		switch r.IntN(8) {
		case 0:
			for range r.IntN(20) {
				b.WriteByte(byte(r.IntN(256)))
			}
		case 1:
			b.WriteString(strings.Repeat(pieces[r.IntN(len(pieces))], r.IntN(300)))
		default:
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
	}
	return b.String()
}

var oddNames = []string{"..", "../x", "/etc/passwd", "a/b", "-rf", "~", ".", "", "CON", "nul.txt", "\x1b[2J", "\x07", "\u202e", "caf\xe9", "a\tb", "%2e%2e%2f", "%00", "x.part",
	"x.part.state", " x ", "a b", "\\..\\x", "C:x", "\x00", strings.Repeat("n", 300), "$(id)", "`id`", "';", "\u2028", "file.bin", "a", "b", "\r", "-> ../..", "name -> /etc/passwd"}

var oddMLSD = append([]string{"type=file;", "type=dir;", "type=cdir;", "Type=OS.unix=slink:/etc;", "size=-1;", "size=99999999999999999999;", "size=10;", "modify=99999999999999;",
	"modify=19941201000000;", "modify=;", ";", "=", " ", "  ", "unique=\x1b]0;x\x07;", "perm=flcdmpe;", "\r\n", "\n", "\r"}, oddNames...)

var oddLIST = append([]string{"-rw-r--r--   1 u g 5 Dec  1 1994 ", "drwxr-xr-x   2 u g 4096 Dec  1 1994 ", "lrwxrwxrwx   1 u g 9 Dec  1 1994 ", "crw-rw-rw- 1 root root 1, 3 Dec  1 00:00 ",
	"total 99999999999999999999\r\n", "12-01-94  12:00AM       <DIR>          ", "12-01-94  12:00AM  5 ", "+i1,m1,r,s5,\t", "Directory SYS$X:[000000]\r\n", "FILE.TXT;1 5/10 1-DEC-1994 12:00 [U,G] (RWED,,,)\r\n",
	"-rw-r--r-- 1 u g -5 Feb 30 1994 ", "-rw-r--r-- 1 u g 99999999999999999999 Dec 99 99:99 ", "\r\n", "\n", "\r\r\n", " ", "\t"}, oddNames...)

var oddPages = append([]string{`<a href="`, `">`, `</a>`, `<a href='`, `'>`, `<base href="//other.example/">`, `<base href="../../">`, `<a href="javascript:alert(1)">`, `<a href="ftp://127.0.0.1/x">`,
	`<a href="//127.0.0.1:1/x">`, `<a href="?C=N;O=D">`, `<a href="#x">`, `<a href="http://127.0.0.1:1/">`, `<a href="../">`, `<a href="%2e%2e/x">`, `<a href="/">`, `<a href="./a">a</a> 01-Dec-1994 00:00 5`,
	`<!--`, `-->`, `<script>`, `</script>`, `<![CDATA[`, `&#0;`, `&#x2e;&#x2e;/`, `&amp;`, `<pre>`, `<td>`, `<table>`, "\x00", `<a href=`, `<a`, `<`, ">"}, oddNames...)

// Covers: R18
func hostileListings(t *testing.T) {
	files := []peer.File{{Path: []string{"file.bin"}, Content: "file"}, {Path: []string{"a", "b"}, Content: "b"}}
	mlsd, err := ftptest.Start(files)
	if err != nil {
		t.Fatal(err)
	}
	defer mlsd.Close()
	list, err := ftptest.Start(files, ftptest.NoMLSD())
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	web, err := httptest.Start(files)
	if err != nil {
		t.Fatal(err)
	}
	defer web.Close()
	for kind, test := range []struct {
		name, target string
		pieces       []string
		start        func(string) (*faults.Proxy, error)
	}{{"ftp", mlsd.Addr(), oddMLSD, faults.FTP}, {"ftp", list.Addr(), oddLIST, faults.FTP}, {"http", web.Addr(), oddPages, faults.TCP}} {
		p, err := test.start(test.target)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		for n := range 100 {
			text := hostile(rand.New(rand.NewPCG(uint64(kind), uint64(n))), test.pieces)
			if test.name == "http" {
				text = fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", len(text), text)
			}
			p.Set(faults.Fault{Data: func(r io.Reader) io.Reader { return &instead{r: r, text: bytes.NewReader([]byte(text))} }})
			hostileListing(t, test.name+"://"+p.Addr()+"/", fmt.Sprintf("%s %d", test.name, n))
		}
	}
}

// instead sends a text instead of what the server sends, when that begins or ends.
type instead struct {
	r     io.Reader
	text  *bytes.Reader
	begun bool
}

func (i *instead) Read(p []byte) (int, error) {
	if !i.begun {
		i.begun = true
		i.r.Read(make([]byte, 1)) // an empty listing ends at once
		go io.Copy(io.Discard, i.r)
	}
	return i.text.Read(p)
}

// hostileListing mirrors a hostile listing.
func hostileListing(t *testing.T, url, what string) {
	t.Helper()
	box := t.TempDir()
	out, errs, status := runText(t, "", "get", "--recursive", "--retries", "0", "--timeout", "10s", "--depth", "2", "--ignore-robots", "--dir", filepath.Join(box, "in"), url)
	if !slices.Contains([]int{0, 1, 4, 6, 7, 8, 9, 10, 11, 12}, status) {
		t.Errorf("%s: status %d: %s", what, status, errs)
	}
	for _, text := range []string{out, errs} {
		if !utf8.ValidString(text) || strings.ContainsFunc(strings.ReplaceAll(text, "\n", ""), func(r rune) bool { return r < ' ' || r == 0x7F || r == '\u202e' || r == '\u2028' }) {
			t.Errorf("%s: a terminal would be told %q", what, text)
		}
	}
	err := filepath.WalkDir(box, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(box, path)
		switch {
		case err != nil:
			return err
		case rel == "." || rel == "in":
		case !strings.HasPrefix(rel, "in"+string(filepath.Separator)):
			t.Errorf("%s: %q lies outside", what, rel)
		case !d.IsDir() && !d.Type().IsRegular(), strings.HasPrefix(d.Name(), ".") && rel != filepath.Join("in", ".locator"), strings.ContainsFunc(d.Name(), unicode.IsControl):
			t.Errorf("%s: the name %q, %v", what, rel, d.Type())
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if _, err := os.Stat("/etc/passwd.part"); err == nil {
		t.Errorf("%s: a file stands beside /etc/passwd", what)
	}
}
