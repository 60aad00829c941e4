package gateway

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/url"
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

// What servers say in any place of a reply is text in a page, without sequences of terminals, and with nothing that turns it around.
//
// Covers: G2
func TestHostileWords(t *testing.T) {
	o := Policy().Options()
	o.Limits.Idle, o.Limits.LineTime = 2*time.Second, 2*time.Second // some wait for more
	const evil = "<script>alert(1)</script>\u202e\x1b[31m\u009b1m\u2066\"'"
	once := func(greeting string, replies ...string) string {
		return scripted(t, func(in *bufio.Reader, c net.Conn) {
			io.WriteString(c, greeting)
			for i := 0; ; i++ {
				if _, err := in.ReadString('\n'); err != nil || i >= 40 {
					return
				}
				io.WriteString(c, strings.ReplaceAll(replies[min(i, len(replies)-1)], "EVIL", evil))
				if greeting == "" {
					return
				}
			}
		})
	}
	gopherPlus := "+INFO: 0EVIL\t/x\thost.dom\t70\t+\r\n+ADMIN:\r\n Admin: EVIL <a@b>\r\n Mod-Date: EVIL <20200101000000>\r\n+ABSTRACT:\r\n EVIL\r\n EVIL\r\n+VIEWS:\r\n Text/plain EVIL: <1k>\r\n EVIL: <1k>\r\n+EVIL:\r\n EVIL\r\n"
	for _, x := range []struct {
		url, greeting string
		replies       []string
	}{
		{"ftp://ADDR/", "220 " + evil + "\r\n", []string{"331 EVIL\r\n", "230-EVIL\r\n EVIL\r\n230 EVIL\r\n", "550 EVIL\r\n"}},
		{"ftp://ADDR/", "421 " + evil + "\r\n", []string{"421 EVIL\r\n"}},
		{"ftp://ADDR/a.txt", "220 x\r\n", []string{"530 EVIL\r\n"}},
		{"gopher://ADDR/1/", "", []string{"3EVIL\t\terror.host\t1\r\n.\r\n"}},
		{"gopher://ADDR/1/%09%09+", "", []string{"--1\r\n1 EVIL\r\nEVIL\r\n.\r\n"}},
		{"gopher://ADDR/1/%09%09+", "", []string{"--2\r\n3 EVIL <EVIL>\r\nEVIL\r\n.\r\n"}},
		{"gopher://ADDR/1/%09%09$", "", []string{"+-1\r\n" + gopherPlus + ".\r\n"}},
		{"gopher://ADDR/0/x%09%09!", "", []string{"+-1\r\n" + gopherPlus + "+ASK:\r\n Ask: EVIL\tEVIL\r\n Choose: EVIL\tEVIL\tEVIL2\r\n AskL: EVIL\tEVIL\r\n.\r\n"}},
		{"gopher://ADDR/0/x%09%09+", "", []string{"+-1\r\n" + gopherPlus + ".\r\n"}},
		{"http://ADDR/a", "", []string{"HTTP/1.0 404 EVIL\r\nContent-Type: text/plain\r\n\r\nEVIL"}},
		{"http://ADDR/a", "", []string{"HTTP/1.0 200 OK\r\nContent-Type: text/EVIL; x=EVIL\r\nContent-Language: EVIL\r\nETag: \"EVIL\"\r\nServer: EVIL\r\nX-EVIL: EVIL\r\nWarning: EVIL\r\n\r\nEVIL"}},
		{"http://ADDR/a", "", []string{"HTTP/1.0 301 EVIL\r\nLocation: javascript:EVIL\r\nRefresh: EVIL\r\n\r\nEVIL"}},
		{"http://ADDR/a", "", []string{"HTTP/1.0 401 EVIL\r\nWWW-Authenticate: Basic realm=\"EVIL\"\r\n\r\nEVIL"}},
		{"nntp://ADDR/a.b", "200 " + evil + "\r\n", []string{"411 EVIL\r\n"}},
		{"nntp://ADDR/a.b", "502 " + evil + "\r\n", []string{"502 EVIL\r\n"}},
		{"nntp://ADDR/a.b", "200 x\r\n", []string{"480 EVIL\r\n"}},
		{"wais://ADDR/db?x", "", []string{"0000000010zEVILEVILEVILEVIL"}},
	} {
		u := locator.MustParse(strings.Replace(x.url, "ADDR", once(x.greeting, x.replies...), 1))
		s := serve(t, Options{Policy: policy.New(o)}, u)
		for _, path := range []string{string(pathOf(viewPage, u)), string(pathWith(u, url.Values{"detail": {"1"}})), string(pathWith(u, url.Values{"sort": {"name"}})), string(pathOf(viewRaw, u))} {
			res := s.get(path)
			if strings.HasPrefix(res.header.Get("Content-Type"), "text/plain") {
				continue // the bytes of the server
			}
			for _, bad := range []string{"<script>a", "\u202e", "\x1b", "\u009b", "\u2066"} {
				if at := strings.Index(res.body, bad); at >= 0 {
					t.Errorf("%s %q: %q: %q", path, x.replies, bad, res.body[max(0, at-200):at+20])
				}
			}
			for name, values := range res.header {
				if strings.ContainsAny(strings.Join(values, ""), "\u202e\x1b\u009b") {
					t.Errorf("%s: %s: %q", path, name, values)
				}
			}
		}
	}
}
