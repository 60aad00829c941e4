package gopher

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"locator/scheme"
)

// TestObjects reads items that are not menus, and errors in their place.
//
// Covers: A7
func TestObjects(t *testing.T) {
	t.Parallel()
	const page = gophernicusPage + "iso-8859-1\">\n</HEAD>\n<BODY>\n"
	const footer = "____\r\n    Gophered by Gophernicus/3.1.1 on Debian/12 x86_64\r\n"
	const geomyidaeWords = "Sorry, but the requested token '/a' could not be found."
	const geomyidae = "3" + geomyidaeWords + "\tErr\tlocalhost\t70"
	tests := []struct {
		name, path, reply string
		want              string // the body, or the server's text
		code              scheme.Code
		media             string
	}{
		{"text", "0/a.txt", "a\r\n..b\r\n.\r\n", "a\r\n.b\r\n", scheme.CodeOK, "text/plain"},
		{"binary is not touched", "9/a", "..a\r\n.\r\n", "..a\r\n.\r\n", scheme.CodeOK, "application/octet-stream"},
		{"HTML is not touched", "h/a", "..a\r\n.\r\n", "..a\r\n.\r\n", scheme.CodeOK, "text/html"},
		{"a text that is a binary (umn-3.0.5, 01)", "09/a.ps", "..a\r\n.\r\n", "..a\r\n", scheme.CodeOK, "application/postscript"},
		{"a text whose name begins so", "095.txt", "..a\r\n.\r\n", ".a\r\n", scheme.CodeOK, "text/plain"},
		{"nothing", "0/a", "", "", scheme.CodeOK, "text/plain"},
		{"nothing, binary", "9/a", "", "", scheme.CodeOK, "application/octet-stream"},
		{"unknown type", "Z/a", "a", "a", scheme.CodeOK, "application/octet-stream"},
		{"an image that is one", "I/a", "\x89PNG\r\n\x1a\nrest", "\x89PNG\r\n\x1a\nrest", scheme.CodeOK, "image/png"},
		{"an image by its name", "I/a.gif", "odd octets", "odd octets", scheme.CodeOK, "image/gif"},
		{"p that is a PDF", "p/a", "%PDF-1.4 ...", "%PDF-1.4 ...", scheme.CodeOK, "application/pdf"},
		{"d that is PostScript", "d/a", "%!PS-Adobe", "%!PS-Adobe", scheme.CodeOK, "application/postscript"},
		{"a short one", "I/a", "BM", "BM", scheme.CodeOK, "image/bmp"},

		{"pygopherd (10)", "0/a", "3'/a' does not exist\t\terror.host\t1\r\n", "'/a' does not exist", scheme.CodeNotFound, ""},
		{"UMN (26)", "0/a", "0'/a' does not exist!!\t\terror.host\t1\r\n.\r\n", "'/a' does not exist!!", scheme.CodeNotFound, ""},
		{"for a binary", "9/a", "3no\t\terror.host\t1\r\n", "no", scheme.CodeNotFound, ""},
		{"for HTML (gophernicus, 13b)", "h/a", "3no\tTITLE\tnull.host\t1\r\ni____\t\tnull.host\t1\r\nix\t\tnull.host\t1\r\n.\r\n", "no", scheme.CodeNotFound, ""},
		{"without line end", "0/a", "3no\t\terror.host\t1", "no", scheme.CodeNotFound, ""},
		{"gophernicus (10)", "0/a", "Error: File or directory not found! (null)\r\n" + footer, "Error: File or directory not found! (null)", scheme.CodeNotFound, ""},
		{"gophernicus refuses", "0/a", "Error: Access denied!\r\n" + footer, "Error: Access denied!", scheme.CodeNotFound, ""},
		{"gophernicus without footer", "0/a", "Error: File or directory not found!\r\n", "Error: File or directory not found!", scheme.CodeNotFound, ""},

		{"gophernicus, HTML", "h/a", page + "<STRONG>Error: File or directory not found! (null)</STRONG>\n<PRE>____\n  Gophered by Gophernicus/3.1.1\n</PRE>\n", "Error: File or directory not found! (null)", scheme.CodeNotFound, ""},
		{"another page of it", "h/a", page + "<STRONG>Error: none</STRONG>\n", page + "<STRONG>Error: none</STRONG>\n", scheme.CodeOK, "text/html"},

		{"geomyidae, a text", "0/a", geomyidae + "\r\n", geomyidaeWords, scheme.CodeNotFound, ""},
		{"geomyidae, a binary", "9/a", geomyidae + "\r\n", geomyidaeWords, scheme.CodeNotFound, ""},
		{"geomyidae, an image", "I/a.png", geomyidae + "\r\n", geomyidaeWords, scheme.CodeNotFound, ""},
		{"geomyidae, a GIF", "g/a.gif", geomyidae + "\r\n", geomyidaeWords, scheme.CodeNotFound, ""},
		{"geomyidae, HTML", "h/a", geomyidae + "\r\n", geomyidaeWords, scheme.CodeNotFound, ""},
		{"an older geomyidae", "9/a", geomyidae + "\r\n.\r\n\r\n", geomyidaeWords, scheme.CodeNotFound, ""},
		{"geomyidae without line end", "0/a", geomyidae, geomyidaeWords, scheme.CodeNotFound, ""},
		{"a text with geomyidae's error and another line", "0/a", geomyidae + "\r\nis its error\r\n", geomyidae + "\r\nis its error\r\n", scheme.CodeOK, "text/plain"},
		{"a binary with geomyidae's error and a byte", "9/a", geomyidae + "\r\n\x00", geomyidae + "\r\n\x00", scheme.CodeOK, "application/octet-stream"},
		{"a line like geomyidae's error on another port", "0/a", geomyidae + "70\r\n", geomyidae + "70\r\n", scheme.CodeOK, "text/plain"},
		{"a line like geomyidae's error of another type", "0/a", "0a\t/a\tlocalhost\t70\r\n", "0a\t/a\tlocalhost\t70\r\n", scheme.CodeOK, "text/plain"},
		{"a line like geomyidae's error with another field", "0/a", geomyidae + "\t+\r\n", geomyidae + "\t+\r\n", scheme.CodeOK, "text/plain"},

		{"a text of four lines", "0/a", "3no\t\terror.host\t1\r\na\r\nb\r\nc\r\n", "3no\t\terror.host\t1\r\na\r\nb\r\nc\r\n", scheme.CodeOK, "text/plain"},
		{"a text about a menu", "0/a", "3no\t\th.dom\t70\r\n", "3no\t\th.dom\t70\r\n", scheme.CodeOK, "text/plain"},
		{"a text that begins with 3", "0/a", "3 apples\r\n", "3 apples\r\n", scheme.CodeOK, "text/plain"},
		{"a text about errors", "0/a", "Error: File or directory not found!\r\nis what it says\r\nwhen\r\nthere is none\r\n", "Error: File or directory not found!\r\nis what it says\r\nwhen\r\nthere is none\r\n", scheme.CodeOK, "text/plain"},
		{"a text that begins with E", "0/a", "Error: none\r\n", "Error: none\r\n", scheme.CodeOK, "text/plain"},
		{"a long line that begins with 3", "0/a", "3" + strings.Repeat("x", 2*maxError), "3" + strings.Repeat("x", 2*maxError), scheme.CodeOK, "text/plain"},
		{"HTTP", "9/a", "HTTP/1.1 200 OK\r\nx: y\r\n\r\n", "", scheme.CodeProtocol, ""},
		{"a text about HTTP", "0/a", "HTTP/1.1 is a protocol\r\n", "HTTP/1.1 is a protocol\r\n", scheme.CodeOK, "text/plain"},
	}
	for _, tt := range tests {
		for name, in := range map[string]io.Reader{
			"whole": strings.NewReader(tt.reply), "octets": iotest.OneByteReader(strings.NewReader(tt.reply)),
			"with EOF": iotest.DataErrReader(strings.NewReader(tt.reply)),
		} {
			s := &script{replies: []io.Reader{in}}
			res, err := s.access(t, request1(t, "gopher://h/"+tt.path))
			if codeOf(err) != tt.code {
				t.Errorf("%s, %s: %v, want %v", tt.name, name, err, tt.code)
				continue
			}
			if err != nil {
				if e, _ := errors.AsType[*scheme.Error](err); e.Reply != tt.want || s.closed != 1 {
					t.Errorf("%s: the server's text is %q, want %q; %d closed", tt.name, e.Reply, tt.want, s.closed)
				}
				continue
			}
			if got := bodyOf(t, res); got != tt.want || res.Attr.Type != tt.media {
				t.Errorf("%s, %s: %q, %q; want %q, %q", tt.name, name, got, res.Attr.Type, tt.want, tt.media)
			}
			if (tt.reply == "") != (len(res.Notes) > 0) {
				t.Errorf("%s: notes %q", tt.name, res.Notes)
			}
			res.Close()
			res.Close()
			if s.closed != 1 {
				t.Errorf("%s: %d connections closed, want 1", tt.name, s.closed)
			}
		}
	}
}

// TestRaw reads menus and texts as received, with end marks and dots.
//
// Covers: A7
func TestRaw(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ url, reply, want string }{
		{"gopher://h/1", "0A\t/a\th\t70\r\n.\r\n", "0A\t/a\th\t70\r\n.\r\n"},
		{"gopher://h/1", "0A\t/a\th\t70\n\x1b[1m", "0A\t/a\th\t70\n\x1b[1m"},
		{"gopher://h/0", "..a\r\n.\r\n", "..a\r\n.\r\n"},
		{"gopher://h/1%09%09+", "+-1\r\n0A\t/a\th\t70\r\n.\r\n", "0A\t/a\th\t70\r\n.\r\n"},
		{"gopher://h/1%09%09+", "+12\r\n0A\t/a\th\t70\r\n.\r\n", "0A\t/a\th\t70\r\n"},
		{"gopher://h/1%09%09$", "+-1\r\n+INFO: 0A\t/a\th\t70\r\n.\r\n", "+INFO: 0A\t/a\th\t70\r\n.\r\n"},
	} {
		res, err := say(tt.reply).access(t, request1(t, tt.url), scheme.AccessOptions{Raw: scheme.RawAll})
		if err != nil {
			t.Errorf("%s, %q: %v", tt.url, tt.reply, err)
			continue
		}
		if got := bodyOf(t, res); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.url, got, tt.want)
		}
		if strings.Contains(tt.url, "/1") && !strings.HasPrefix(res.Attr.Type, "application/gopher") {
			t.Errorf("%s: type %q", tt.url, res.Attr.Type)
		}
	}
	if _, err := say("3no\t\terror.host\t1\r\n").access(t, request1(t, "gopher://h/1"), scheme.AccessOptions{Raw: scheme.RawAll}); codeOf(err) != scheme.CodeNotFound {
		t.Errorf("an error reply was not reported as an error: %v", err)
	}
}

// TestRawListing reads a menu as received, and a text without its end mark.
//
// Covers: A7
func TestRawListing(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ url, reply, want string }{
		{"gopher://h/1", "0A\t/a\th\t70\r\n.\r\n", "0A\t/a\th\t70\r\n.\r\n"},
		{"gopher://h/1%09%09$", "+-1\r\n+INFO: 0A\t/a\th\t70\r\n.\r\n", "+INFO: 0A\t/a\th\t70\r\n.\r\n"},
		{"gopher://h/0", "..a\r\n.\r\n", ".a\r\n"},
	} {
		res, err := say(tt.reply).access(t, request1(t, tt.url), scheme.AccessOptions{Raw: scheme.RawListing, Detail: true})
		if err != nil {
			t.Fatalf("%s: %v", tt.url, err)
		}
		if got := bodyOf(t, res); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.url, got, tt.want)
		}
	}
}

// TestOtherProtocols accesses types without a gopher request: a referral or an error, without a
// connection.
//
// Covers: A7, T148
func TestOtherProtocols(t *testing.T) {
	t.Parallel()
	s := say()
	for url, want := range map[string]string{
		"gopher://h.dom:23/8": "telnet://h.dom/", "gopher://h.dom/8guest": "telnet://guest@h.dom:70/", "gopher://h.dom:23/Tx": "tn3270://x@h.dom/",
	} {
		res, err := s.access(t, request1(t, url))
		if err != nil || res.Kind != scheme.KindReferral || res.Permanent || res.Hop != scheme.HopReferral || res.Next[0].URL.Text() != want || res.Next[0].Kind != scheme.KindSession {
			t.Errorf("%s: %+v, %v; want %s", url, res, err, want)
		}
	}
	for _, url := range []string{"gopher://h/3x", "gopher://h/ix", "gopher://h/ux", "gopher://h/!x"} {
		if _, err := s.access(t, request1(t, url)); codeOf(err) != scheme.CodeUnsupported {
			t.Errorf("%s: %v", url, err)
		}
		for _, err := range listed(New().List(t.Context(), s.env(t), request1(t, url), scheme.ListOptions{})) {
			if codeOf(err) != scheme.CodeUnsupported {
				t.Errorf("listing %s: %v", url, err)
			}
		}
	}
	if _, err := s.access(t, request1(t, "gopher://h.dom:23/8a%0D%0Ab")); codeOf(err) != scheme.CodeRefused {
		t.Errorf("a login name of two lines: %v", err)
	}
	if len(s.requests()) != 0 {
		t.Errorf("sent %q", s.requests())
	}
}

// TestContextEnds checks that the end of the context is the error, whatever the connection returns.
func TestContextEnds(t *testing.T) {
	t.Parallel()
	gone := errors.New("gone fishing")
	for _, url := range []string{"gopher://h/0", "gopher://h/1", "gopher://h/9%09%09+", "gopher://h/0%09%09!"} {
		for _, begin := range []string{"", "+", "+-1\r\n0A\t/a\th\t70\r\n"} {
			ctx, cancel := context.WithCancelCause(t.Context())
			in, out := io.Pipe()
			go func() {
				io.WriteString(out, begin)
				cancel(gone)
			}()
			s := &script{replies: []io.Reader{in}}
			res, err := New().Access(ctx, s.env(t), request1(t, url), scheme.AccessOptions{})
			if err == nil {
				if res.Body != nil {
					_, err = io.ReadAll(res.Body)
				} else {
					for _, err = range res.Entries {
					}
				}
				res.Close()
			}
			if !errors.Is(err, gone) {
				t.Errorf("%s, %q: %v", url, begin, err)
			}
			cancel(nil)
		}
	}
}

// TestDialFails checks that the error of a failed Dial or Write is returned unchanged.
func TestDialFails(t *testing.T) {
	t.Parallel()
	if _, err := say().access(t, request1(t, "gopher://h/0")); err == nil || !strings.Contains(err.Error(), "no more replies") {
		t.Errorf("got %v", err)
	}
}

func TestMediaCharset(t *testing.T) {
	t.Parallel()
	res, err := say("x").access(t, request1(t, "gopher://h/0/a.txt"), scheme.AccessOptions{Accept: scheme.Accept{Charset: "ISO-8859-1"}})
	if err != nil || res.Attr.Type != "text/plain; charset=iso-8859-1" {
		t.Errorf("%+v, %v", res, err)
	}
}

// BenchmarkText decodes a text without and with lines that begin with dots.
func BenchmarkText(b *testing.B) {
	for name, line := range map[string]string{"plain": "a line of text, of usual length, with a dot at its end.\n", "dotted": ".a line of text that begins with a dot, and has an end.\n"} {
		text := bytes.Repeat([]byte(line), 20000)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := newTextDecoder(bytes.NewReader(text), false, func(bool) {}, func(string) {}).WriteTo(io.Discard); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
