package gateway

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/policy"
)

// Servers that reply without end, fast or slowly, at each step, keep no page open: each loop over replies has a count and a clock (the
// class of CVE-2026-44186).
//
// Covers: GWS15
func TestEndlessReplies(t *testing.T) {
	o := Policy().Options()
	o.Limits.Time, o.Limits.Idle = 700*time.Millisecond, 500*time.Millisecond
	endless := func(greeting, piece string, pause time.Duration) string {
		return scripted(t, func(in *bufio.Reader, c net.Conn) {
			if greeting == "" {
				in.ReadString('\n')
			}
			io.WriteString(c, greeting)
			for {
				if _, err := io.WriteString(c, piece); err != nil {
					return
				}
				time.Sleep(pause)
			}
		})
	}
	for _, x := range []struct{ url, greeting, piece string }{
		{"gopher://ADDR/1/", "", item('0', "more", "/1")},
		{"gopher://ADDR/0/a", "", "text\r\n"},
		{"ftp://ADDR/", "220-begin\r\n", " more\r\n"},
		{"ftp://ADDR/", "120 wait\r\n", "120 wait\r\n"},
		{"ftp://ADDR/", "220 ready\r\n", "150 more\r\n"},
		{"ftp://ADDR/a.txt", "220 ready\r\n", "331 password\r\n"},
		{"http://ADDR/", "", "HTTP/1.1 103 Early Hints\r\n\r\n"},
		{"http://ADDR/", "HTTP/1.1 200 OK\r\n", "X-More: 1\r\n"},
		{"http://ADDR/", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\na\r\n"},
		{"nntp://ADDR/a.b", "200 ready\r\n", "200 ready\r\n"},
		{"nntp://ADDR/a.b", "200 ready\r\n", "480 login\r\n"},
		{"wais://ADDR/db?x", "", "0000000010z2"},
	} {
		for _, pause := range []time.Duration{0, 20 * time.Millisecond} { // fast, or slowly enough for each clock of a line
			t.Run("", func(t *testing.T) {
				t.Parallel()
				u := locator.MustParse(strings.Replace(x.url, "ADDR", endless(x.greeting, x.piece, pause), 1))
				s := serve(t, Options{Policy: policy.New(o)}, u)
				for _, target := range []string{string(pathOf(viewPage, u)), u.Text()} {
					start := time.Now()
					res := s.get(target)
					if d := time.Since(start); d > 8*time.Second {
						t.Errorf("%s after %q: %v", target, x.piece, d)
					}
					if strings.HasPrefix(target, "/") && res.status == http.StatusOK && !strings.Contains(res.body, "</html>") {
						t.Errorf("%s after %q: the page has no end", target, x.piece)
					}
				}
			})
		}
	}
}
