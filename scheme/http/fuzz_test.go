package http

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"locator/scheme"
)

func TestChallenges(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		field string
		want  string
	}{
		{``, `[]`},
		{`Basic realm="a"`, `[{Basic map[realm:a]}]`},
		{`basic REALM=a`, `[{basic map[realm:a]}]`},
		{`Basic realm = "a" , charset="UTF-8"`, `[{Basic map[charset:UTF-8 realm:a]}]`},
		{`Newauth realm="apps", type=1, title="Login to \"apps\"", Basic realm="simple"`,
			`[{Newauth map[realm:apps title:Login to "apps" type:1]} {Basic map[realm:simple]}]`}, // RFC 9110 11.6.1
		{`Negotiate, Basic realm="a, b"`, `[{Negotiate map[]} {Basic map[realm:a, b]}]`},
		{`Negotiate YWJj==, Basic realm=a`, `[{Negotiate map[]} {Basic map[realm:a]}]`},
		{`Negotiate YWJj==`, `[{Negotiate map[]}]`},
		{`Basic`, `[{Basic map[]}]`},
		{`Basic realm="a`, `[{Basic map[realm:a]}]`},
		{`Basic realm="a\`, `[{Basic map[realm:a\]}]`},
		{`,,, Basic ,realm=x,`, `[{Basic map[realm:x]}]`},
		{`realm="a"`, `[{realm map[]} {a map[]}]`},
		{`"Basic realm=x"`, `[{Basic map[realm:x]}]`},
	} {
		if got := fmt.Sprint(challenges(tt.field)); got != tt.want {
			t.Errorf("%s\nhave %s\nwant %s", tt.field, got, tt.want)
		}
	}
}

func FuzzChallenges(f *testing.F) {
	for _, s := range []string{`Basic realm="a", Digest x=y`, `a b=, c`, `"`, `=`, `a=`, `Negotiate YWJj==, b`, "\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n := 0
		for _, c := range challenges(s) {
			if c.scheme == "" {
				t.Fatalf("%q: a challenge without a name", s)
			}
			for k, v := range c.params {
				n += len(k) + len(v)
			}
			n += len(c.scheme)
		}
		if n > len(s) {
			t.Fatalf("%q: %d bytes out of %d", s, n, len(s))
		}
	})
}

func TestContentRange(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		field string
		want  string // first last size; "" is an error
	}{
		{"bytes 0-0/1", "0 0 1"},
		{"bytes 2-3/9", "2 3 9"},
		{"BYTES  2-3/*", "2 3 -1"},
		{"bytes 2-3/3", ""},
		{"bytes 3-2/9", ""},
		{"bytes 2-3", ""},
		{"bytes */9", ""},
		{"bytes=2-3/9", ""},
		{"bytes -3/9", ""},
		{"bytes 2-/9", ""},
		{"bytes +2-3/9", ""},
		{"bytes 2-3/9x", ""},
		{"bytes 2-99999999999999999999/*", ""},
		{"lines 2-3/9", ""},
		{"", ""},
	} {
		first, last, size, ok := contentRange(tt.field)
		got := ""
		if ok {
			got = fmt.Sprint(first, last, size.Or(-1))
		}
		if got != tt.want {
			t.Errorf("%q: %q, want %q", tt.field, got, tt.want)
		}
	}
}

func FuzzContentRange(f *testing.F) {
	f.Add("bytes 2-3/9")
	f.Add("bytes 0-9223372036854775807/*")
	f.Fuzz(func(t *testing.T, s string) {
		first, last, size, ok := contentRange(s)
		if ok && (first < 0 || last < first || size.Or(last) < 0) {
			t.Fatalf("%q: %d to %d of %v", s, first, last, size)
		}
	})
}

func TestRow(t *testing.T) {
	t.Parallel()
	at := time.Date(1994, 12, 1, 10, 20, 0, 0, time.UTC)
	for _, tt := range []struct {
		text string
		at   time.Time
		size int64 // -1 is unknown
	}{
		{"   01-Dec-1994 10:20      29", at, 29},
		{"   01-Dec-1994 10:20       -", at, -1},
		{" 1994-12-01 10:20  1.2K ", at, -1},
		{" 1994-12-01 10:20  29 a file of 2001-01-01 10:10 5", at, 29},
		{" 1994-Dec-01 10:20:00 0 application/octet-stream", at, 0},
		{"1994-12-01 10:20", at, -1},
		{"01Dec1994 10:20           4096", at, 4096},
		{" 24 1994-12-01\u00a0\u00a010:20 ", at, 24},
		{" 24k 1994-12-01\u00a0\u00a010:20 ", at, -1},
		{" a 24 1994-12-01 10:20 ", at, -1},
		{"29", time.Time{}, -1},
		{"", time.Time{}, -1},
		{"99-Dec-1994 10:20 29", time.Time{}, -1},
		{"01-Dec-1994 25:20 29", time.Time{}, -1},
		{"01-Dec-1994 10:20 99999999999999999999", at, -1},
	} {
		a, _ := parseRow(strings.Fields(tt.text))
		if !a.Modified.Equal(tt.at) || a.Size.Or(-1) != tt.size || a.Precision != time.Minute && !tt.at.IsZero() {
			t.Errorf("%q: %v, want %v %d to the minute", tt.text, a, tt.at, tt.size)
		}
	}
}

// FuzzHead feeds response headers in pieces: the result must not depend on where they are cut.
//
// Covers: T56
func FuzzHead(f *testing.F) {
	for _, s := range []string{"HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\nbody", "HTTP/1.1 100 C\r\n\r\nHTTP/1.1 200 OK\n\n", "\r\n\r\n", "x", "HTTP/1.1 1", " \n \n\n"} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, s string, cut int) {
		const limit = 1 << 10
		whole, parts := newTap(nil, limit), newTap(nil, limit)
		whole.begin(&scheme.Trace{}, scheme.Limits{}.WithDefaults(), false)
		parts.begin(&scheme.Trace{}, scheme.Limits{}.WithDefaults(), false)
		_, _, err1 := whole.record([]byte(s))
		cut = min(max(cut, 0), len(s))
		_, _, err2 := parts.record([]byte(s[:cut]))
		if err2 == nil {
			_, _, err2 = parts.record([]byte(s[cut:]))
		}
		if (err1 == nil) != (err2 == nil) || fmt.Sprint(fields(whole.received().head)) != fmt.Sprint(fields(parts.received().head)) {
			t.Fatalf("%q cut at %d: %v %q, whole: %v %q", s, cut, err2, parts.received().head, err1, whole.received().head)
		}
		n := 0
		for _, line := range whole.received().head {
			n += len(line)
		}
		if n > limit {
			t.Fatalf("%d bytes kept, the limit is %d", n, limit)
		}
	})
}
