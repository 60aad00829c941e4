package nntp_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/nntp/nntptest"
)

// An article keeps every byte, also those that articles must not have.
//
// Covers: A9
func TestArticleBytes(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		"", "a\r\n", ".\r\n", "..\r\n.\r\n", "a\n.\nb\r\n", "a\r.\r\n", "nul\x00\r\n", "a\n.\r\n", strings.Repeat("x", 40_000) + "\r\n.\r\n",
		strings.Repeat("y", 16<<10-1) + "\r\n.dot\r\n", "\r\n\r\n.\r\n", "a\r\r\n.b\r\n",
	} {
		want := text("1@b.example", "s", body)
		s := start(t, nntptest.Article("g.test", want))
		var notes []string
		c := newClient(t, func(o *client.Options) { o.Note = func(_ locator.URL, text string) { notes = append(notes, text) } })
		for range 2 { // the second time on the kept connection
			if got, err := get(t, c, s.GroupURL("g.test", 1)); err != nil || got != want {
				t.Errorf("%.20q: %d bytes, %v; want %d", body, len(got), err, len(want))
			}
		}
		if n := s.Connections(); n != 1 {
			t.Errorf("%.20q: %d connections", body, n)
		}
		odd := strings.Contains(body, "\x00") || strings.ContainsAny(strings.ReplaceAll(body, "\r\n", ""), "\r\n")
		if odd != (len(notes) > 0) {
			t.Errorf("%.20q: notes %q", body, notes)
		}
	}
}

// An article with a NUL, or a CR or LF alone, is delivered whole. Decoded, it ends with an error
// after all of it.
//
// Covers: A9, P6
func TestOddBytesDecoded(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{"nul\x00\r\nend\r\n": "nul\x00\nend\n", "a\rb\r\nend\r\n": "a\rb\nend\n", "a\nb\r\nend\r\n": "a\nb\nend\n"} {
		s := start(t, nntptest.Article("g.test", text("1@b.example", "s", body)))
		c := newClient(t)
		for range 2 {
			got, err := decodeFirst(c, s)
			wantCode(t, err, scheme.CodeProtocol, "the article has NUL bytes, or CR or LF alone", "without decoding")
			if _, got, _ = strings.Cut(got, "\n\n"); got != want {
				t.Errorf("%q, want %q", got, want)
			}
			if got, err := getFirst(c, s); err != nil || !strings.HasSuffix(got, body) {
				t.Errorf("%q, %v", got, err)
			}
		}
		if n := s.Connections(); n != 1 {
			t.Errorf("%d connections", n)
		}
	}
}

// A LF alone ends no line of a header either: "LF . LF" in an article does not hide where the reply
// ends.
//
// Covers: A9, P6
func TestLineFeedInHeader(t *testing.T) {
	t.Parallel()
	odd := "Subject: odd\r\nX-Odd: a\n.\n211 9 1 9 g.test\r\nFrom: a@b\r\n\r\ntext\r\n"
	s := start(t, append([]nntptest.Option{nntptest.Article("g.test", odd), nntptest.Without("OVER", "XOVER")}, numbered(2)...)...)
	c := newClient(t)
	for range 2 {
		res, err := c.Attributes(t.Context(), scheme.Request{URL: s.GroupURL("g.test", 1)}, nil)
		if err != nil || len(res.Attr.More) == 0 || res.Attr.More[0].Value != "odd" {
			t.Fatalf("%+v, %v", res, err)
		}
		if got, err := get(t, c, s.GroupURL("g.test", 2)); err != nil || !strings.Contains(got, "s1") {
			t.Errorf("%.40q, %v", got, err)
		}
		if got, err := names(t, c, s.GroupURL("g.test", 0), scheme.ListOptions{}); err != nil || !slices.Equal(got, []string{"odd", "s1", "s2"}) {
			t.Errorf("%q, %v", got, err)
		}
	}
	if n := s.Connections(); n != 1 {
		t.Errorf("%d connections", n)
	}
}

// GROUP is not sent again for the next article of the same group, and an article of another group
// is never taken for one of a group that is missing.
//
// Covers: A9
func TestPipelinedGroup(t *testing.T) {
	t.Parallel()
	s := start(t, numbered(2)...)
	c := newClient(t)
	for n := range 2 {
		if _, err := get(t, c, s.GroupURL("g.test", int64(n+1))); err != nil {
			t.Fatal(err)
		}
	}
	if got := slices.DeleteFunc(s.Lines(), func(l string) bool { return !strings.HasPrefix(l, "GROUP") }); len(got) != 1 {
		t.Errorf("sent %q", got)
	}
	_, err := get(t, c, s.GroupURL("g.none", 1))
	wantCode(t, err, scheme.CodeNotFound, "no such group")
	if got, err := get(t, c, s.GroupURL("g.test", 2)); err != nil || !strings.Contains(got, "s2") {
		t.Errorf("%.40q, %v", got, err)
	}
}

// A body that is closed early, or whose context ends, closes the connection.
//
// Covers: P6
func TestHalfRead(t *testing.T) {
	t.Parallel()
	s := start(t, nntptest.Article("g.test", text("1@b.example", "s", strings.Repeat("line\r\n", 100_000))))
	c := newClient(t)
	ctx, cancel := context.WithCancel(t.Context())
	res, err := c.Access(ctx, scheme.Request{URL: s.GroupURL("g.test", 1)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if res.Attr.ID != "1@b.example" || res.Attr.Type != "message/rfc822" {
		t.Errorf("%+v", res.Attr)
	}
	cancel()
	if _, err := io.Copy(io.Discard, res.Body); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	res.Close()
	if _, err := get(t, c, s.GroupURL("g.test", 1)); err != nil {
		t.Error(err)
	}
}

// The connection is kept after a decoded article, whose epilogue nobody reads. Damage and a torn
// article are errors.
//
// Covers: A9, P6
func TestDecodedArticle(t *testing.T) {
	t.Parallel()
	mixed := "From: a@b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\none\r\n--b--\r\nepilogue\r\n"
	s := start(t, nntptest.Article("g.test", mixed), nntptest.Article("g.test", strings.Replace(mixed, "--b--", "", 1)))
	c := newClient(t)
	for i, want := range []scheme.Code{scheme.CodeOK, scheme.CodeProtocol, scheme.CodeOK} {
		res, err := c.Access(t.Context(), scheme.Request{URL: s.GroupURL("g.test", int64(i%2+1))}, &scheme.AccessOptions{Decode: true})
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(res.Body)
		if client.CodeOf(err) != want || !strings.HasPrefix(string(b), "From: a@b\n\none\n") || res.Attr.Type != "text/plain; charset=utf-8" {
			t.Errorf("%d: %q, %v", i, b, err)
		}
		res.Close()
	}
	if n := s.Connections(); n != 1 {
		t.Errorf("%d connections", n)
	}
	torn := start(t, nntptest.Reply("ARTICLE", "220 1 <a@b>\r\nFrom: a@b\r\n\r\nhalf"), nntptest.Hangup("ARTICLE"), nntptest.Article("g.test", mixed))
	res, err := newClient(t).Access(t.Context(), scheme.Request{URL: torn.GroupURL("g.test", 1)}, &scheme.AccessOptions{Decode: true})
	if err != nil {
		t.Fatal(err)
	}
	defer res.Close()
	b, err := io.ReadAll(res.Body)
	if wantCode(t, err, scheme.CodeBroken); string(b) != "From: a@b\n\nhalf" || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%q, %v", b, err)
	}
}
