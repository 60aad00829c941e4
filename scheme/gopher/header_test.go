package gopher

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"locator/scheme"
)

// Covers: A7, T145
func TestParseHeader(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxHeader)
	tests := []struct {
		in   string
		v    verdict // with more to come
		eof  verdict // with nothing to come
		h    header
		rest string
	}{
		{"+43\r\nGIF", isHeader, isHeader, header{size: 43}, "GIF"},
		{"+0\r\n", isHeader, isHeader, header{}, ""},
		{"+-1\r\nx", isHeader, isHeader, header{size: toMark}, "x"},
		{"+-2\nx", isHeader, isHeader, header{size: toClose}, "x"},
		{"+5 \r\nx", isHeader, isHeader, header{size: 5}, "x"},
		{"--1\r\n1 x", isHeader, isHeader, header{failed: true, size: toMark}, "1 x"},
		{"--2\r\n", isHeader, isHeader, header{failed: true, size: toClose}, ""},
		{"-1 no such item\r\n", isHeader, isHeader, header{failed: true, size: toClose, code: 1, text: "no such item"}, ""},
		{"-2\r\n", isHeader, isHeader, header{failed: true, size: toClose, code: 2}, ""},
		{"", needMore, noHeader, header{}, ""},
		{"+", needMore, noHeader, header{}, ""},
		{"+-", needMore, noHeader, header{}, ""},
		{"+1", needMore, noHeader, header{}, ""},
		{"+1\r", needMore, noHeader, header{}, ""},
		{"-1 no", needMore, noHeader, header{failed: true}, ""},
		{"+5 points\r\n", noHeader, noHeader, header{}, ""},
		{"+x\r\n", noHeader, noHeader, header{}, ""},
		{"+\r\n", noHeader, noHeader, header{}, ""},
		{"+-\r\n", noHeader, noHeader, header{}, ""},
		{"Hello", noHeader, noHeader, header{}, ""},
		{"+1x\r\n", noHeader, noHeader, header{}, ""},
		{"----\r\n", noHeader, noHeader, header{}, ""},
		{"-1 " + long, noHeader, noHeader, header{}, ""},
		{"+" + strings.Repeat("1", maxHeader), noHeader, noHeader, header{}, ""},
		{"+99999999999999999999\r\n", badHeader, badHeader, header{}, ""},
		{"+9223372036854775808\r\n", badHeader, badHeader, header{}, ""},
		{"+9000000000000000000\r\nx", isHeader, isHeader, header{size: 9e18}, "x"},
		{"+-3\r\n", badHeader, badHeader, header{}, ""},
		{"+-99\r\n", badHeader, badHeader, header{}, ""},
		{"+--1\r\n", noHeader, noHeader, header{}, ""},
		{strings.Repeat("+", 600) + "\r\n", noHeader, noHeader, header{}, ""},
		{"--9\r\n", badHeader, badHeader, header{}, ""},
	}
	for _, tt := range tests {
		for _, eof := range []bool{false, true} {
			want := tt.v
			if eof {
				want = tt.eof
			}
			h, n, v := parseHeader([]byte(tt.in), eof)
			if v != want {
				t.Errorf("%.40q, eof %v: verdict %d, want %d", tt.in, eof, v, want)
			}
			if v == isHeader && (h != tt.h || tt.in[n:] != tt.rest) {
				t.Errorf("%.40q: %+v and %q, want %+v and %q", tt.in, h, tt.in[n:], tt.h, tt.rest)
			}
		}
	}
}

// FuzzHeader checks that a verdict does not change when more bytes arrive, and that only the line
// of a header is read.
//
// Covers: A7, T145
func FuzzHeader(f *testing.F) {
	for _, s := range []string{"+43\r\nGIF", "+-1\r\n", "--1\r\n1 x\r\n", "-1 x\r\n", "+5 points\n", "--\n", "+\n"} {
		f.Add([]byte(s), 3)
	}
	f.Fuzz(func(t *testing.T, b []byte, n int) {
		h, length, v := parseHeader(b, false)
		if v == isHeader && (length > len(b) || length > maxHeader || b[length-1] != '\n' || h.size < toClose) {
			t.Fatalf("%q: %+v, %d", b, h, length)
		}
		if n < 0 || n >= len(b) {
			return
		}
		switch _, _, early := parseHeader(b[:n], false); {
		case early == needMore:
		case early != v:
			t.Fatalf("%q: verdict %d after %d bytes, then %d", b, early, n, v)
		}
	})
}

// TestPlusBodies reads bodies of every kind of length.
//
// Covers: A7, P6, T145
func TestPlusBodies(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, url, reply string
		want             string
		code             scheme.Code // of reading
	}{
		{"counted", "0%09%09+", "+5\r\na\n.\nb", "a\n.\nb", scheme.CodeOK},
		{"counted, more follows (umn-3.0.5, 08)", "0%09%09+", "+3\r\na\nb.\r\n", "a\nb", scheme.CodeOK},
		{"counted, stuffed as it looks", "0%09%09+", "+8\r\n..a\n\n.\r\nxx", "..a\n\n.\r\n", scheme.CodeOK},
		{"counted, too short", "9%09%09+", "+5\r\nabc", "abc", scheme.CodeBroken},
		{"counted, nothing", "9%09%09+", "+5\r\n", "", scheme.CodeBroken},
		{"counted, of nothing", "9%09%09+", "+0\r\n", "", scheme.CodeOK},
		{"huge count", "9%09%09+", "+9223372036854775807\r\nabc", "abc", scheme.CodeBroken},
		{"to the mark", "0%09%09+", "+-1\r\na\r\n..\r\n.\r\n", "a\r\n.\r\n", scheme.CodeOK},
		{"to the mark, none (umn-2.3.0, 29)", "0%09%09+", "+-1\r\na\r\n", "a\r\n", scheme.CodeOK},
		{"to the mark, a binary", "9%09%09+", "+-1\r\na\r\n.\r\n", "a\r\n", scheme.CodeOK},
		{"to the close", "0%09%09+", "+-2\r\na\r\n..\r\n.\r\n", "a\r\n..\r\n.\r\n", scheme.CodeOK},
		{"no header", "0%09%09+", "a\r\n.\r\n", "a\r\n", scheme.CodeOK},
		{"no header, a sign", "0%09%09+", "+5 points\r\n.\r\n", "+5 points\r\n", scheme.CodeOK},
		{"no header, a binary", "9%09%09+", "a\r\n.\r\n", "a\r\n.\r\n", scheme.CodeOK},
		{"no header, nothing", "0%09%09+", "", "", scheme.CodeOK},
	}
	for _, tt := range tests {
		for name, in := range map[string]io.Reader{
			"whole": strings.NewReader(tt.reply), "octets": iotest.OneByteReader(strings.NewReader(tt.reply)),
			"with EOF": iotest.DataErrReader(strings.NewReader(tt.reply)),
		} {
			for _, how := range []string{"Read", "WriteTo"} {
				s := &script{replies: []io.Reader{in}}
				if seeker, ok := in.(io.Seeker); ok {
					seeker.Seek(0, io.SeekStart)
				} else if how == "WriteTo" {
					continue
				}
				res, err := s.access(t, request1(t, "gopher://h/"+tt.url))
				if err != nil {
					t.Errorf("%s, %s: %v", tt.name, name, err)
					continue
				}
				var got strings.Builder
				if how == "Read" {
					_, err = io.Copy(struct{ io.Writer }{&got}, struct{ io.Reader }{res.Body})
				} else {
					_, err = res.Body.(io.WriterTo).WriteTo(&got)
				}
				if got.String() != tt.want || codeOf(err) != tt.code || tt.code == scheme.CodeBroken && !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Errorf("%s, %s, %s: %q, %v; want %q, %v", tt.name, name, how, got.String(), err, tt.want, tt.code)
				}
				if noHeader := strings.HasPrefix(tt.name, "no header"); noHeader != (len(res.Notes) > 0) {
					t.Errorf("%s: notes %q", tt.name, res.Notes)
				}
			}
		}
	}
}

// TestCountedInPieces reads large bodies in pieces of any size. WriteTo after Read continues where
// Read ended.
func TestCountedInPieces(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("0123456789abcdef", 20000)
	for _, header := range []string{"+320000\r\n", "+-2\r\n", ""} {
		url := "gopher://h/9%09%09+"
		if header == "" {
			url = "gopher://h/9"
		}
		res, err := say(header+body).access(t, request1(t, url))
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		if _, err := io.CopyN(&got, struct{ io.Reader }{res.Body}, 5); err != nil {
			t.Fatal(err)
		}
		if n, err := res.Body.(io.WriterTo).WriteTo(&got); err != nil || n != int64(len(body)-5) || got.String() != body {
			t.Errorf("%q: %d bytes, %v", header, n, err)
		}
	}
}

// TestPlusErrors reads the errors of Gopher+ and an item that has moved.
//
// Covers: A7, T150
func TestPlusErrors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, reply string
		code        scheme.Code
		words       string
		next        string
	}{
		{"not there (umn-2.3.0, 27)", "--1\r\n1 Test Administrator <gopher@localhost>\r\n'/nope' does not exist!!\r\n.\r\n", scheme.CodeNotFound, "'/nope' does not exist!!", ""},
		{"not there, to close (pygopherd, 11)", "--2\r\n1 Admin <a@b>\r\n'/nope' does not exist\r\n", scheme.CodeNotFound, "'/nope' does not exist", ""},
		{"not there, no words", "--1\r\n1 Admin <a@b>\r\n.\r\n", scheme.CodeNotFound, "Admin <a@b>", ""},
		{"busy", "--1\r\n2 Admin <a@b>\r\nToo many\r\nconnections\r\n.\r\n", scheme.CodeUnavailable, "Too many connections", ""},
		{"on the header's line", "-1 No such item\r\n", scheme.CodeNotFound, "No such item", ""},
		{"on the header's line, busy", "-2 Try later\r\n", scheme.CodeUnavailable, "Try later", ""},
		{"other code", "--1\r\n7 Admin <a@b>\r\nOdd\r\n.\r\n", scheme.CodeProtocol, "Odd", ""},
		{"no code", "--1\r\nOdd\r\n.\r\n", scheme.CodeProtocol, "", ""},
		{"nothing more", "--1\r\n", scheme.CodeProtocol, "", ""},
		{"words of a terminal", "--1\r\n1 x\r\n\x1b[31mno\r\n.\r\n", scheme.CodeNotFound, `\x1b[31mno`, ""},
		{"moved", "--1\r\n3 0New place\t0/new\tnew.host\t70\t+\r\n.\r\n", scheme.CodeOK, "", "object|New place|gopher://new.host/00/new%09%09+\n"},
		{"moved, on the next line", "--1\r\n3 Admin <a@b>\r\n1New\t/new\tnew.host\t7070\r\n.\r\n", scheme.CodeOK, "", "listing|New|gopher://new.host:7070/1/new\n"},
		{"moved nowhere", "--1\r\n3 Admin <a@b>\r\nnobody knows\r\n.\r\n", scheme.CodeGone, "Admin <a@b>", ""},
		{"moved to nowhere", "--1\r\n3 0New\t0/new\terror.host\t1\r\n.\r\n", scheme.CodeGone, `0New\x090/new\x09error.host\x091`, ""},
		{"bad length", "+-7\r\n", scheme.CodeProtocol, "+-7", ""},
		{"an error of plain gopher (umn-2.3.0, 47)", "0Malformed command\t\terror.host\t1\r\n.\r\n", scheme.CodeNotFound, "Malformed command", ""},
		{"HTTP", "HTTP/1.0 200 OK\r\n\r\n", scheme.CodeProtocol, "", ""},
	}
	for _, tt := range tests {
		for _, url := range []string{"gopher://h/0/x%09%09+", "gopher://h/1/x%09%09+", "gopher://h/0/x%09%09!", "gopher://h/0/x%09%09?"} {
			s := say(tt.reply, tt.reply)
			r := request1(t, url)
			res, err := s.access(t, r)
			if codeOf(err) != tt.code {
				t.Errorf("%s, %s: %v, want %v", tt.name, url, err, tt.code)
				continue
			}
			if e, ok := errors.AsType[*scheme.Error](err); ok {
				if e.Reply != tt.words {
					t.Errorf("%s, %s: the server's text is %q, want %q", tt.name, url, e.Reply, tt.words)
				}
			} else if res.Kind != scheme.KindReferral || !res.Permanent || res.Hop != scheme.HopRedirect || line(res.Next[0]) != tt.next {
				t.Errorf("%s, %s: %+v, want %s", tt.name, url, res, tt.next)
			}
			moved, err := New().Attributes(t.Context(), s.env(t), r, scheme.AttributesOptions{})
			if (err == nil) != (tt.next != "") || err == nil && (moved.Kind != scheme.KindReferral || line(moved.Next[0]) != tt.next) {
				t.Errorf("%s, %s: attributes returned %+v, %v", tt.name, url, moved, err)
			}
			if tt.next == "" && codeOf(err) != tt.code {
				t.Errorf("%s, %s: Attributes returned %v, want %v", tt.name, url, err, tt.code)
			}
			if s.closed != 2 {
				t.Errorf("%s, %s: %d of 2 connections closed", tt.name, url, s.closed)
			}
		}
	}
	moved, err := New().List(t.Context(), say("--1\r\n3 1New\t/new\tnew.host\t70\r\n").env(t), request1(t, "gopher://h/1%09%09+"), scheme.ListOptions{})
	if err != nil || moved.Kind != scheme.KindReferral || moved.Next[0].URL.Text() != "gopher://new.host/1/new" {
		t.Errorf("listing a moved item: %+v, %v", moved, err)
	}
}
