package http_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"locator/client"
	"locator/scheme"
	"locator/scheme/http"
)

// TestTarget checks the request line: path and search are sent as written in the URL.
//
// Covers: S8, S17, P2, A6
func TestTarget(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ url, target string }{
		{"", "/"},
		{"/", "/"},
		{"//", "//"},
		{"//x", "//x"},
		{"//elsewhere.example/x", "//elsewhere.example/x"},
		{"/a//b///", "/a//b///"},
		{"/a/../b/./c", "/a/../b/./c"},
		{"/%2e%2e/%2E", "/%2e%2e/%2E"},
		{"/a%2Fb", "/a%2Fb"},
		{"/a%2fb", "/a%2fb"},
		{"/%0D%0AX-Evil:%20yes", "/%0D%0AX-Evil:%20yes"},
		{"/%00", "/%00"},
		{"/a%20b", "/a%20b"},
		{"/50%25", "/50%25"},
		{"/caf%E9", "/caf%E9"},
		{"/caf%C3%A9", "/caf%C3%A9"},
		{"/%7Euser/%41", "/%7Euser/%41"},
		{"/~user", "/~user"},
		{"/;a=b,c&d@e:f", "/;a=b,c&d@e:f"},
		{"/$-_.+!*'(),", "/$-_.+!*'(),"},
		{"/x?", "/x?"},
		{"/?", "/?"},
		{"/x?a+b", "/x?a+b"},
		{"/x?a%0D%0Ab", "/x?a%0D%0Ab"},
		{"/x?y;z=%3F&&=", "/x?y;z=%3F&&="},
		{"/x#fragment", "/x"},
		{"/x?y#fragment", "/x?y"},
		{"/*", "/*"},
	} {
		t.Run(tt.url, func(t *testing.T) {
			t.Parallel()
			s := newScript(t, ok("here"))
			_, body, err := get(t, web(t), scheme.Request{URL: parse(t, "http://"+s.addr+tt.url)})
			if err != nil || body != "here" {
				t.Fatalf("%q, %v", body, err)
			}
			want := "GET " + tt.target + " HTTP/1.1\r\nHost: " + s.addr + "\r\nUser-Agent: locator-test\r\nAccept-Encoding: gzip\r\n\r\n"
			if got := s.requests(); len(got) != 1 || got[0] != want {
				t.Errorf("sent %q\nwant %q", got, want)
			}
		})
	}
}

// Covers: A6
func TestRequestFields(t *testing.T) {
	t.Parallel()
	since := time.Date(1994, 12, 1, 1, 2, 3, 0, time.FixedZone("", 3600))
	for _, tt := range []struct {
		name   string
		o      scheme.AccessOptions
		header []string
		want   string // the header fields after Host
	}{
		{"range", scheme.AccessOptions{Range: scheme.Range{Offset: 5, Length: 3}}, nil,
			"User-Agent: locator-test\r\nAccept-Encoding: identity\r\nRange: bytes=5-7\r\n"},
		{"open range", scheme.AccessOptions{Range: scheme.Range{Offset: 5}}, nil,
			"User-Agent: locator-test\r\nAccept-Encoding: identity\r\nRange: bytes=5-\r\n"},
		{"range past all numbers", scheme.AccessOptions{Range: scheme.Range{Offset: 1<<63 - 1, Length: 9}}, nil,
			"User-Agent: locator-test\r\nAccept-Encoding: identity\r\nRange: bytes=9223372036854775807-\r\n"},
		{"conditions", scheme.AccessOptions{If: scheme.Conditions{ModifiedSince: since, NoneMatch: `W/"x"`}}, nil,
			"User-Agent: locator-test\r\nIf-Modified-Since: Thu, 01 Dec 1994 00:02:03 GMT\r\nIf-None-Match: W/\"x\"\r\nAccept-Encoding: gzip\r\n"},
		{"wishes", scheme.AccessOptions{Accept: scheme.Accept{Types: []string{"text/html", "*/*"}, Languages: []string{"de", "en", "fr"}}}, nil,
			"User-Agent: locator-test\r\nAccept: text/html, */*;q=0.9\r\nAccept-Language: de, en;q=0.9, fr;q=0.8\r\nAccept-Encoding: gzip\r\n"},
		{"own header lines", scheme.AccessOptions{Accept: scheme.Accept{Types: []string{"text/html"}}},
			[]string{"accept: text/plain", "X-Two: 1", "X-Two:2", "User-Agent: mine"},
			"User-Agent: mine\r\nAccept: text/plain\r\nX-Two: 1\r\nX-Two: 2\r\nAccept-Encoding: gzip\r\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newScript(t, ok(""))
			c := web(t, func(o *client.Options) { o.Header = tt.header })
			if res, err := c.Access(t.Context(), scheme.Request{URL: parse(t, "http://"+s.addr+"/")}, &tt.o); err == nil {
				res.Close()
			}
			want := "GET / HTTP/1.1\r\nHost: " + s.addr + "\r\n" + tt.want + "\r\n"
			if got := s.requests(); len(got) != 1 || got[0] != want {
				t.Errorf("sent %q\nwant %q", got, want)
			}
		})
	}
}

// Header lines and options that contain line ends are refused.
//
// Covers: P2, T64
func TestRequestRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		o      scheme.AccessOptions
		header string
		code   scheme.Code
	}{
		{"CR LF in a header line", scheme.AccessOptions{}, "X-A: b\r\nX-C: d", scheme.CodeRefused},
		{"NUL in a header line", scheme.AccessOptions{}, "X-A: b\x00", scheme.CodeRefused},
		{"an octet that no field holds", scheme.AccessOptions{}, "X-A: b\x7f", scheme.CodeRefused},
		{"no colon", scheme.AccessOptions{}, "X-A", scheme.CodeUsage},
		{"no name", scheme.AccessOptions{}, ": x", scheme.CodeUsage},
		{"a blank in the name", scheme.AccessOptions{}, "X A: b", scheme.CodeUsage},
		{"what follows from the body", scheme.AccessOptions{}, "Transfer-Encoding: chunked", scheme.CodeUsage},
		{"CR LF in an entity tag", scheme.AccessOptions{If: scheme.Conditions{NoneMatch: "\"x\"\r\nX-C: d"}}, "X-A: b", scheme.CodeRefused},
		{"CR LF in a media type", scheme.AccessOptions{Accept: scheme.Accept{Types: []string{"a\r\nX-C: d"}}}, "X-A: b", scheme.CodeRefused},
		{"LF in a language", scheme.AccessOptions{Accept: scheme.Accept{Languages: []string{"a\nX-C: d"}}}, "X-A: b", scheme.CodeRefused},
		{"a negative range", scheme.AccessOptions{Range: scheme.Range{Offset: -1}}, "X-A: b", scheme.CodeUsage},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newScript(t, ok(""))
			c := web(t, func(o *client.Options) { o.Header = []string{tt.header} })
			_, err := c.Access(t.Context(), scheme.Request{URL: parse(t, "http://"+s.addr+"/")}, &tt.o)
			wantCode(t, err, tt.code)
			if n := s.connections(); n != 0 {
				t.Errorf("%d connections were made", n)
			}
		})
	}
}

// The trace shows requests and responses in order, escaped and without credentials.
//
// Covers: P3, P6, T77
func TestTrace(t *testing.T) {
	t.Parallel()
	s := newScript(t,
		"HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"a pl\xe9ce\"\r\nContent-Length: 0\r\n\r\n",
		"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 Fine\r\nx-Odd-CASE: 1\r\nB: \xe9\r\nA: 2\r\n  folded\r\nContent-Location: ftp://u:s3cret@h/x@y\r\nContent-Length: 2\r\n\r\nhi")
	var lines []string
	lock := make(chan struct{}, 1)
	note := func(mark string) func(string) {
		return func(line string) {
			lock <- struct{}{}
			lines = append(lines, mark+line)
			<-lock
		}
	}
	c := web(t, func(o *client.Options) {
		o.Trace = &scheme.Trace{Sent: note("> "), Received: note("< ")}
		o.Header = []string{"Cookie: s3cret-cookie"}
		o.Logins = []scheme.LoginFunc{client.FixedLogin("alice", "s3cret-pw")}
	})
	res, body, err := get(t, c, scheme.Request{URL: parse(t, "http://"+s.addr+"/a%20b")})
	if err != nil || body != "hi" {
		t.Fatalf("%q, %v", body, err)
	}
	want := strings.ReplaceAll(`> GET /a%20b HTTP/1.1
> Host: HOST
> User-Agent: locator-test
> Cookie: ****
> Accept-Encoding: gzip
< HTTP/1.1 401 Unauthorized
< WWW-Authenticate: Basic realm="a pl\xe9ce"
< Content-Length: 0
> GET /a%20b HTTP/1.1
> Host: HOST
> User-Agent: locator-test
> Authorization: ****
> Cookie: ****
> Accept-Encoding: gzip
< HTTP/1.1 103 Early Hints
< Link: </a>
< HTTP/1.1 200 Fine
< x-Odd-CASE: 1
< B: \xe9
< A: 2
<   folded
< Content-Location: ftp://u:****@h/x@y
< Content-Length: 2`, "HOST", s.addr)
	lock <- struct{}{}
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("traced\n%s\nwant\n%s", got, want)
	}
	more := fmt.Sprint(res.Attr.More)
	if want := fmt.Sprint([]scheme.Attribute{{Name: "x-Odd-CASE", Value: "1"}, {Name: "B", Value: "\xe9"},
		{Name: "A", Value: "2 folded"}, {Name: "Content-Location", Value: "ftp://u:****@h/x@y"}, {Name: "Content-Length", Value: "2"}}); more != want {
		t.Errorf("attributes %q, want %q in the server's order", more, want)
	}
	if reqs := s.requests(); len(reqs) != 2 || strings.Contains(reqs[0], "Authorization") ||
		!strings.Contains(reqs[1], "\r\nAuthorization: Basic YWxpY2U6czNjcmV0LXB3\r\n") {
		t.Errorf("the login was not sent at the second request, and only there: %q", reqs)
	}
}

// Non-ASCII characters are percent-encoded, and a host name is converted to its ASCII form.
//
// Covers: S21f, A6
func TestBeyondASCII(t *testing.T) {
	t.Parallel()
	s := newScript(t, ok(""))
	if _, _, err := get(t, web(t), scheme.Request{URL: parse(t, "http://"+s.addr+"/stra\u00dfe/%41?\u00fc")}); err != nil {
		t.Fatal(err)
	}
	reqs := s.requests()
	if want := "GET /stra%C3%9Fe/%41?%C3%BC HTTP/1.1\r\n"; !strings.HasPrefix(reqs[0], want) {
		t.Errorf("sent %q, want %q", reqs[0], want)
	}
	steps, err := http.New("http").Steps(parse(t, "http://b%C3%BCcher.example:8080/\u00e9"))
	if got, want := strings.Join(steps, "\n"), "CONNECT xn--bcher-kva.example:8080\nGET /%C3%A9 HTTP/1.1\nHost: xn--bcher-kva.example:8080"; err != nil || got != want {
		t.Errorf("steps\n%s\nwant\n%s (%v)", got, want, err)
	}
}

// Covers: S5, S4
func TestHostField(t *testing.T) {
	t.Parallel()
	s := newScript(t, ok(""), ok(""), ok(""))
	_, port, _ := strings.Cut(s.addr, ":")
	c := web(t)
	for _, host := range []string{"127.0.0.1:0" + port, "LOCALhost:" + port} {
		u := parse(t, "http://"+host+"/")
		if _, _, err := get(t, c, scheme.Request{URL: u}); err != nil {
			t.Fatalf("%s: %v", host, err)
		}
		reqs := s.requests()
		name, _, _ := strings.Cut(host, ":")
		if want := "\r\nHost: " + name + ":" + port + "\r\n"; !strings.Contains(reqs[len(reqs)-1], want) {
			t.Errorf("%s: sent %q, want %q", host, reqs[len(reqs)-1], want)
		}
	}
}
