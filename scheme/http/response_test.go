package http_test

import (
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/http"
	"locator/scheme/http/httptest"
	"locator/schemetest"
)

// TestAnswers is a table of responses and their results.
//
// Covers: A6, P6, T56, T58, T59, T62, T82
func TestAnswers(t *testing.T) {
	t.Parallel()
	status := func(line string, fields ...string) string {
		return "HTTP/1.1 " + line + "\r\n" + strings.Join(append(fields, ""), "\r\n") + "Content-Length: 4\r\n\r\nbody"
	}
	ranged := scheme.AccessOptions{Range: scheme.Range{Offset: 2, Length: 2}}
	conditional := scheme.AccessOptions{If: scheme.Conditions{NoneMatch: `"x"`}}
	for _, tt := range []struct {
		name, reply string
		o           scheme.AccessOptions
		body        string
		code        scheme.Code
		want        string // expected in the error or note
	}{
		{name: "200", reply: status("200 OK"), body: "body"},
		{name: "200 without a phrase", reply: status("200"), body: "body"},
		{name: "203", reply: status("203 Non-Authoritative"), body: "body"},
		{name: "204", reply: "HTTP/1.1 204 No Content\r\n\r\n"},
		{name: "300 with a page", reply: status("300 Multiple Choices"), body: "body"},
		{name: "HTTP/1.0 to the end of the connection", reply: "HTTP/1.0 200 OK\r\n\r\nbody" + hangUp, body: "body"},
		{name: "LF line ends", reply: "HTTP/1.1 200 OK\nContent-Length: 4\n\nbody", body: "body"},
		{name: "chunks", reply: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nbo\r\n2\r\ndy\r\n0\r\n\r\n", body: "body"},
		{name: "401 without a challenge", reply: status("401 Unauthorized"), code: scheme.CodeLoginNeeded, want: "no supported method"},
		{name: "401 Negotiate", reply: status("401 Unauthorized", `WWW-Authenticate: Negotiate`), code: scheme.CodeLoginNeeded, want: "Negotiate"},
		{name: "401 Digest, none known", reply: status("401 Unauthorized", `WWW-Authenticate: Digest realm="x", nonce="y"`), code: scheme.CodeLoginNeeded, want: `login required (realm "x")`},
		{name: "401 Digest of tomorrow", reply: status("401 Unauthorized", `WWW-Authenticate: Digest realm="x", nonce="y", algorithm=SHA-3`), code: scheme.CodeLoginNeeded, want: "no supported method"},
		{name: "401 Basic, none known", reply: status("401 Unauthorized", `WWW-Authenticate: Basic realm="the area"`), code: scheme.CodeLoginNeeded, want: "the area"},
		{name: "403", reply: status("403 Forbidden"), code: scheme.CodeLoginNeeded, want: "403 Forbidden"},
		{name: "404", reply: status("404 Not Found"), code: scheme.CodeNotFound, want: "404 Not Found"},
		{name: "405", reply: status("405 Method Not Allowed"), code: scheme.CodeUnsupported},
		{name: "406", reply: status("406 Not Acceptable"), code: scheme.CodeUnsupported},
		{name: "407", reply: status("407 Proxy Authentication Required"), code: scheme.CodeLoginNeeded},
		{name: "408", reply: status("408 Request Timeout"), code: scheme.CodeUnavailable},
		{name: "410", reply: status("410 Gone"), code: scheme.CodeGone},
		{name: "416 unasked", reply: status("416 Range Not Satisfiable"), code: scheme.CodeProtocol},
		{name: "429", reply: status("429 Too Many Requests", "Retry-After: 120"), code: scheme.CodeUnavailable, want: "Retry-After: 120"},
		{name: "400", reply: status("400 Bad Request"), code: scheme.CodeProtocol},
		{name: "418", reply: status("418 I'm a teapot"), code: scheme.CodeProtocol},
		{name: "451", reply: status("451 Unavailable For Legal Reasons"), code: scheme.CodeLoginNeeded},
		{name: "500", reply: status("500 Internal Server Error"), code: scheme.CodeUnavailable, want: "failed to carry out"},
		{name: "501", reply: status("501 Not Implemented"), code: scheme.CodeUnavailable, want: "failed to carry out"},
		{name: "503", reply: status("503 Service Unavailable"), code: scheme.CodeUnavailable, want: "temporarily unavailable"},
		{name: "504", reply: status("504 Gateway Timeout"), code: scheme.CodeUnavailable, want: "temporarily unavailable"},
		{name: "599", reply: status("599 Own"), code: scheme.CodeUnavailable, want: "failed to carry out"},
		{name: "600", reply: status("600 What"), code: scheme.CodeProtocol},
		{name: "101", reply: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", code: scheme.CodeProtocol},
		{name: "304 unasked", reply: "HTTP/1.1 304 Not Modified\r\n\r\n", code: scheme.CodeProtocol},
		{name: "304", o: conditional, reply: "HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n"},
		{name: "redirect without a target", reply: status("302 Found"), code: scheme.CodeProtocol, want: "without a Location"},
		{name: "redirect to no URL", reply: status("302 Found", "Location: http://[x/"), code: scheme.CodeProtocol, want: "invalid URL"},
		{name: "redirect to a scheme that is not there", reply: status("302 Found", "Location: x-echo:a"), code: scheme.CodeUnsupported},
		{name: "a reply that holds escapes", reply: "HTTP/1.1 404 \x1b[2J\xe9\r\nContent-Length: 0\r\n\r\n", code: scheme.CodeNotFound, want: `\x1b[2J\xe9`},
		{name: "another protocol", reply: "220 ftp.example ready\r\n" + hangUp, code: scheme.CodeProtocol, want: "220 ftp.example ready"},
		{name: "an escape sequence as an answer", reply: "\x1b[31m\r\n" + hangUp, code: scheme.CodeProtocol, want: `\x1b[31m`},
		{name: "HTTP/0.9", reply: "<html>" + hangUp, code: scheme.CodeProtocol, want: "<html>"},
		{name: "nothing", reply: hangUp, code: scheme.CodeBroken, want: "without a response"},
		{name: "half a head", reply: "HTTP/1.1 200 OK\r\nContent-" + hangUp, code: scheme.CodeBroken},
		{name: "a bad field", reply: "HTTP/1.1 200 OK\r\nno colon\r\n\r\n", code: scheme.CodeProtocol},
		{name: "two lengths", reply: "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", code: scheme.CodeProtocol},
		{name: "a head without an end", reply: "HTTP/1.1 200 OK\r\n" + strings.Repeat("A: b\r\n", 5000), code: scheme.CodeBroken, want: "limit of 16384"},
		{name: "early hints without an end", reply: strings.Repeat("HTTP/1.1 103 E\r\nLink: <x>\r\n\r\n", 2000), code: scheme.CodeBroken, want: "limit of 16384"},
		{name: "torn", reply: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbody" + hangUp, body: "body", code: scheme.CodeBroken, want: "after 4 bytes"},
		{name: "torn chunks", reply: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nbody" + hangUp, body: "body", code: scheme.CodeBroken, want: "after 4 bytes"},
		{name: "chunks without their end", reply: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n" + hangUp, body: "body", code: scheme.CodeBroken},
		{name: "bad chunks", reply: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n" + hangUp, code: scheme.CodeProtocol, want: "malformed"},
		{name: "no gzip", reply: "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 16\r\n\r\nthis is not gzip", code: scheme.CodeProtocol, want: "gzip"},
		{name: "206", o: ranged, reply: status("206 Partial Content", "Content-Range: bytes 2-5/9"), code: scheme.CodeProtocol, want: "other than the requested range"},
		{name: "206 of other octets", o: ranged, reply: "HTTP/1.1 206 Partial Content\r\nContent-Length: 2\r\nContent-Range: bytes 3-4/9\r\n\r\nab", code: scheme.CodeProtocol, want: "other than the requested range"},
		{name: "206 of another length", o: ranged, reply: status("206 Partial Content", "Content-Range: bytes 2-3/9"), code: scheme.CodeProtocol},
		{name: "206 of nothing", o: ranged, reply: "HTTP/1.1 206 Partial Content\r\nContent-Length: 0\r\nContent-Range: bytes 2-3/9\r\n\r\n", code: scheme.CodeProtocol, want: "partial content of 0 bytes"},
		{name: "206 without Content-Range", o: ranged, reply: status("206 Partial Content"), code: scheme.CodeProtocol},
		{name: "206 in several parts", o: ranged, reply: status("206 Partial Content", "Content-Type: multipart/byteranges; boundary=x"), code: scheme.CodeProtocol},
		{name: "206 unasked", reply: status("206 Partial Content", "Content-Range: bytes 0-3/9"), code: scheme.CodeProtocol, want: "no range was requested"},
		{name: "206 right", o: ranged, reply: "HTTP/1.1 206 Partial Content\r\nContent-Length: 2\r\nContent-Range: bytes 2-3/9\r\n\r\ndy", body: "dy"},
		{name: "206 shorter, of unknown size", o: ranged, reply: "HTTP/1.1 206 Partial Content\r\nContent-Length: 1\r\nContent-Range: Bytes 2-2/*\r\n\r\nd", body: "d"},
		{name: "200 for a range", o: ranged, reply: status("200 OK"), body: "body", want: "whole body"},
		{name: "416 at the end", o: ranged, reply: status("416 Range Not Satisfiable", "Content-Range: bytes */2")},
		{name: "416 past the end", o: ranged, reply: status("416 Range Not Satisfiable", "Content-Range: bytes */1"), code: scheme.CodeUsage, want: "1 bytes"},
		{name: "416 and nothing else", o: ranged, reply: status("416 Range Not Satisfiable"), code: scheme.CodeUsage},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newScript(t, tt.reply)
			c := web(t, func(o *client.Options) { o.Limits.Header = 16 << 10 })
			res, body, err := get(t, c, scheme.Request{URL: parse(t, "http://"+s.addr+"/x")}, tt.o)
			if body != tt.body {
				t.Errorf("body %q, want %q", body, tt.body)
			}
			if tt.code != scheme.CodeOK {
				wantCode(t, err, tt.code)
				if !strings.Contains(err.Error(), tt.want) {
					t.Errorf("the error does not contain %q: %v", tt.want, err)
				}
				if tt.code == scheme.CodeBroken && !strings.Contains(tt.want, "limit") && !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Errorf("the error is not io.ErrUnexpectedEOF: %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if res.Kind != scheme.KindObject || res.NotModified != (tt.name == "304") {
				t.Errorf("kind %v, not modified %v", res.Kind, res.NotModified)
			}
			if notes := strings.Join(res.Notes, "; "); !strings.Contains(notes, tt.want) {
				t.Errorf("notes %q, want %q", notes, tt.want)
			}
		})
	}
}

// Covers: P6, T60
func TestStalls(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, reply, want string }{
		{"no answer", stall, "no response"},
		{"half a head", "HTTP/1.1 200 OK\r\nX-A" + stall, "no response"},
		{"half a body", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbody" + stall, "stalled after 4 bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newScript(t, tt.reply)
			c := web(t, func(o *client.Options) { o.Limits.Idle = time.Second })
			_, _, err := get(t, c, scheme.Request{URL: parse(t, "http://"+s.addr+"/x")})
			wantCode(t, err, scheme.CodeBroken)
			if !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "1s") {
				t.Errorf("the error does not contain %q and the timeout: %v", tt.want, err)
			}
		})
	}
}

// start runs the test server of this package.
func start(t *testing.T, opts ...httptest.Option) *httptest.Server {
	t.Helper()
	s, err := httptest.Start(schemetest.Tree(), opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// Covers: A6, A15
func TestAttributes(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := web(t)
	a, err := c.Attributes(t.Context(), scheme.Request{URL: s.URL("text.txt")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if size, known := a.Attr.Size.Get(); !known || size != 29 || a.Attr.Type != "text/plain" || !a.Attr.Ranges || a.Attr.ETag == "" ||
		!a.Attr.Modified.Equal(time.Date(1994, 12, 1, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("%+v", a)
	}
	if got := s.Lines(); len(got) != 1 || got[0] != "HEAD /text.txt HTTP/1.1" {
		t.Errorf("sent %q", got)
	}
	// A redirect is followed; a missing resource is an error.
	if a, err = c.Attributes(t.Context(), scheme.Request{URL: s.URL("redirect")}, nil); err != nil || a.Attr.Type != "text/plain" {
		t.Errorf("through a redirect: %+v, %v", a, err)
	}
	_, err = c.Attributes(t.Context(), scheme.Request{URL: s.URL("none")}, nil)
	wantCode(t, err, scheme.CodeNotFound)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no fs.ErrNotExist: %v", err)
	}
}

// If the server does not implement HEAD, Attributes sends a GET and does not read the body.
//
// Covers: A6, A15
func TestAttributesWithoutHead(t *testing.T) {
	t.Parallel()
	for _, status := range []string{"405 Method Not Allowed", "501 Not Implemented"} {
		s := newScript(t, "HTTP/1.1 "+status+"\r\nConnection: close\r\n\r\n"+hangUp,
			"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\nContent-Type: text/plain\r\n\r\nx"+stall)
		a, err := web(t).Attributes(t.Context(), scheme.Request{URL: parse(t, "http://"+s.addr+"/x")}, nil)
		if err != nil || a.Attr.Size != scheme.Known(1000000) || a.Attr.Type != "text/plain" {
			t.Errorf("%s: %+v, %v", status, a, err)
		}
	}
}

// Covers: A6
func TestGzip(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := web(t)
	u := s.URL("gzip", "big.bin")
	res, body, err := get(t, c, scheme.Request{URL: u})
	want, _ := s.File("big.bin")
	if err != nil || body != string(want) {
		t.Fatalf("%d bytes, %v; want %d", len(body), err, len(want))
	}
	if n, known := res.Attr.Size.Get(); known {
		t.Errorf("the size is %d, which is that of the compressed body", n)
	}
	encoded := false
	for _, f := range res.Attr.More {
		encoded = encoded || f.Name == "Content-Encoding" && f.Value == "gzip"
	}
	if !encoded {
		t.Errorf("the server did not compress: %v", res.Attr.More)
	}
	// A range applies to the uncompressed body.
	res, body, err = get(t, c, scheme.Request{URL: u}, scheme.AccessOptions{Range: scheme.Range{Offset: 100, Length: 20}})
	if err != nil || body != string(want[100:120]) || res.Range != (scheme.Range{Offset: 100, Length: 20}) || res.Attr.Size != scheme.Known(int64(len(want))) {
		t.Errorf("range %+v of %v: %q, %v", res.Range, res.Attr.Size, body, err)
	}
}

// The bytes of a file are those that the server sends: no compression is asked for, and what is
// compressed all the same stays so.
//
// Covers: A6
func TestBytesOfTheServer(t *testing.T) {
	t.Parallel()
	var packed strings.Builder
	z := gzip.NewWriter(&packed)
	io.WriteString(z, "text")
	z.Close()
	file := scheme.AccessOptions{Type: 'i'}
	for _, tt := range []struct {
		path   string
		o      scheme.AccessOptions
		coding string // of the response
		asked  string // Accept-Encoding
		whole  bool   // the bytes of the server
		note   string
	}{
		{"/a.tar.gz", file, "gzip", "identity", true, ""},
		{"/a.tar.gz", scheme.AccessOptions{}, "gzip", "identity", true, ""},
		{"/a.TGZ", scheme.AccessOptions{}, "x-gzip", "identity", true, ""},
		{"/a.html", file, "gzip", "identity", true, "the server sends it compressed (Content-Encoding: gzip), and its bytes are kept"},
		{"/a.html", file, "", "identity", true, ""},
		{"/a.html", file, "identity", "identity", true, ""},
		{"/a.html", scheme.AccessOptions{}, "gzip", "gzip", false, ""},
		{"/a.html", scheme.AccessOptions{}, "br", "gzip", true, "the server sends it compressed (Content-Encoding: br), and its bytes are kept"},
		{"/a.html?b=c.gz", scheme.AccessOptions{}, "gzip", "gzip", false, ""},
	} {
		fields := []string{"Content-Encoding: " + tt.coding}
		if tt.coding == "" {
			fields = nil
		}
		s := newScript(t, ok(packed.String(), fields...))
		res, body, err := get(t, web(t), scheme.Request{URL: parse(t, "http://"+s.addr+tt.path)}, tt.o)
		if err != nil {
			t.Errorf("%s, %s: %v", tt.path, tt.coding, err)
			continue
		}
		want, size := "text", scheme.Count{}
		if tt.whole {
			want, size = packed.String(), scheme.Known(int64(packed.Len()))
		}
		if body != want || res.Attr.Size != size || strings.Join(res.Notes, ";") != tt.note || !strings.Contains(s.requests()[0], "\r\nAccept-Encoding: "+tt.asked+"\r\n") {
			t.Errorf("%s, %s: %q of size %v, notes %q, asked by\n%s", tt.path, tt.coding, body, res.Attr.Size, res.Notes, s.requests()[0])
		}
	}
}

// Covers: A6, T55
func TestRedirects(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := web(t)
	res, body, err := get(t, c, scheme.Request{URL: s.URL("redirect")})
	if err != nil || body != "line one\nline two\nline three\n" || res.URL != s.URL("text.txt") {
		t.Fatalf("%q from %v, %v", body, res, err)
	}
	_, _, err = get(t, c, scheme.Request{URL: s.URL("loop")})
	wantCode(t, err, scheme.CodeLoop)
	if got := len(s.Lines()); got != 2+(scheme.Limits{}).WithDefaults().Hops+1 {
		t.Errorf("%d requests for a redirect and a loop", got)
	}
	// A folder URL without its final slash.
	if res, _, err = get(t, c, scheme.Request{URL: s.URL("names")}); err != nil || res.URL != s.URL("names", "") {
		t.Errorf("%+v, %v", res, err)
	}
}

// TestReferral checks the Referral that the scheme returns for a redirect.
//
// Covers: A6
func TestReferral(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		status, location, url, want string
		moved                       bool
	}{
		{"301 Moved Permanently", "http://h.example/x", "/a", "http://h.example/x", true},
		{"308 Permanent Redirect", "/x?y", "/a", "http://HOST/x?y", true},
		{"302 Found", "x", "/a/b/c?d", "http://HOST/a/b/x", false},
		{"303 See Other", "../x", "/a/b/c", "http://HOST/a/x", false},
		{"307 Temporary Redirect", "?q", "/a/b", "http://HOST/a/b?q", false},
		{"302 Found", "//h.example:81/x", "/a", "http://h.example:81/x", false},
		{"302 Found", "https://h.example", "/a", "https://h.example", false},
		{"302 Found", "ftp://h.example/x;type=a", "/a", "ftp://h.example/x;type=a", false},
		{"302 Found", "/x", "/a#part", "http://HOST/x#part", false},
		{"302 Found", "/x#own", "/a#part", "http://HOST/x#own", false},
		{"302 Found", " /a b/caf\xc3\xa9/50%/[x]|<y>\\ ", "/a", "http://HOST/a%20b/caf%C3%A9/50%25/%5Bx%5D%7C%3Cy%3E/", false},
		{"302 Found", "/a//b/../%2e%2e/c", "/a", "http://HOST/a//%2e%2e/c", false},
		{"300 Multiple Choices", "/x", "/a", "http://HOST/x", false},
	} {
		t.Run(tt.status+" "+tt.location, func(t *testing.T) {
			t.Parallel()
			s := newScript(t, "HTTP/1.1 "+tt.status+"\r\nLocation: "+tt.location+"\r\nContent-Length: 4\r\n\r\nbody")
			env := testEnv(t)
			res, err := http.New("http").Access(t.Context(), env, scheme.Request{URL: parse(t, "http://"+s.addr+tt.url)}, scheme.AccessOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer res.Close()
			want := strings.ReplaceAll(tt.want, "HOST", s.addr)
			if res.Kind != scheme.KindReferral || res.Permanent != tt.moved || res.Hop != scheme.HopRedirect || len(res.Next) != 1 ||
				res.Next[0].URL.Text() != want {
				t.Errorf("%+v, want %s", res, want)
			}
		})
	}
}

// Covers: A15
func TestSyntax(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"http", "https"} {
		if got := http.New(name).Syntax(); got == nil || got.Name != name || got.Port != locator.DefaultPort(name) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("New did not panic for another scheme")
		}
	}()
	http.New("gopher")
}

// A part has the size that its Content-Range announces.
//
// Covers: A6, T62
func TestPartShort(t *testing.T) {
	t.Parallel()
	for _, reply := range []string{
		"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-9/20\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n0\r\n\r\n",
		"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-9/20\r\nTransfer-Encoding: chunked\r\n\r\nf\r\n0123456789abcde\r\n0\r\n\r\n",
		"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-9/20\r\nConnection: close\r\n\r\n01234" + hangUp,
	} {
		s := newScript(t, reply)
		res, err := web(t).Access(t.Context(), scheme.Request{URL: parse(t, "http://"+s.addr+"/a")}, &scheme.AccessOptions{Range: scheme.Range{Length: 10}})
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(res.Body)
		res.Close()
		if err == nil {
			t.Errorf("%q without an error: %q", reply, got)
		}
	}
}
