package http_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"locator/client"
	"locator/internal/units"
	"locator/scheme"
	"locator/scheme/http"
)

// TestPlainIndex lists a folder of mini_httpd, which links to a folder as to a file. Only the rows
// that may be folders are asked about.
//
// Covers: A6
func TestPlainIndex(t *testing.T) {
	t.Parallel()
	page := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<pre>\n"
	for _, row := range []string{"sub 4096", "a.txt 5", "gone 512", "large 90001", "away 8192", "other 1024", "z 4096"} {
		name, size, _ := strings.Cut(row, " ")
		page += fmt.Sprintf("<a href=%q>%-32s</a>    22Sep2020 18:40%15s\n", name, name, size)
	}
	s := newScript(t, page+"</pre>"+hangUp,
		"HTTP/1.1 302 Found\r\nLocation: /dir/sub/\r\nConnection: close\r\n\r\n"+hangUp,
		"HTTP/1.1 200 OK\r\nContent-Length: 24\r\nLast-Modified: Wed, 23 Sep 2020 10:11:12 GMT\r\nConnection: close\r\n\r\n"+hangUp,
		"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"+hangUp,
		"HTTP/1.1 302 Found\r\nLocation: /elsewhere/\r\nConnection: close\r\n\r\n"+hangUp,
		"HTTP/1.1 501 Not Implemented\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"+hangUp, // micro_httpd
		"HTTP/1.1 302 Found\r\nLocation: /dir/other/\r\nConnection: close\r\n\r\n"+hangUp,
		"HTTP/1.1 200 OK\r\nContent-Length: 4096\r\nConnection: close\r\n\r\n"+hangUp,
	)
	var got []string
	for e, err := range client.Entries(web(t).List(t.Context(), scheme.Request{URL: parse(t, "http://"+s.addr+"/dir/")}, nil)) {
		if err != nil {
			t.Fatal(err)
		}
		path, _ := e.URL.Path()
		got = append(got, fmt.Sprintf("%s %s %v %s %d", e.Name, path, e.Kind, e.Attr.Modified.Format(time.DateTime), e.Attr.Size.Or(-1)))
	}
	want := []string{
		"large dir/large object 2020-09-22 18:40:00 90001",
		"sub dir/sub/ listing 2020-09-22 18:40:00 -1",
		"a.txt dir/a.txt object 2020-09-23 10:11:12 24",
		"gone dir/gone unknown 2020-09-22 18:40:00 512",
		"away dir/away object 2020-09-22 18:40:00 8192",
		"other dir/other/ listing 2020-09-22 18:40:00 -1",
		"z dir/z object 2020-09-22 18:40:00 4096",
	}
	if !slices.Equal(got, want) {
		t.Errorf("listed\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestWebfsDates parses dates without a year.
//
// Covers: A6
func TestWebfsDates(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 2, 3, 4, 5, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"-rw-r--r--  root      root      Feb 03 04:05    24  B  ": "2026-02-03 04:05 minute 24",
		"-rw-r--r--  root      root      Sep 22 18:40    24  B  ": "2025-09-22 18:40 minute 24",
		"-rw-r--r--  1000      1000      Sep 22  2020    87 kB  ": "2020-09-22 00:00 day -1",
		"drwxrwsr-t  root      root      Sep 22  2020    <DIR>  ": "2020-09-22 00:00 day -1",
		"-rw-r--r--  root      root      Sep 99  2020    24  B  ": "",
		"-rw-r--r--  root      Sep 22  2020    24  B  ":           "",
		"of the root      root      Sep 22  2020    24  B  ":      "",
		"": "",
	} {
		got := ""
		if a, ok := http.ParseWebfs(text, now); ok {
			got = fmt.Sprintf("%s %v %d", a.Modified.Format("2006-01-02 15:04"), units.Precision(a.Precision), a.Size.Or(-1))
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
