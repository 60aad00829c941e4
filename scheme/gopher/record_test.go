package gopher

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/scheme"
)

const docBlocks = "+INFO: 0doc\t0/doc\tlocalhost\t7072\t+\r\n+ADMIN:\r\n Admin: Test <gopher@localhost>\r\n Mod-Date: Fri Nov 20 07:43:39 2026 <20261120074339>\r\n" +
	"+VIEWS:\r\n Text/plain Fr_FR: <.1k>\r\n application/postscript En_US: <512b>\r\n Text/plain En_US: <.1k>\r\n+ABSTRACT:\r\n One.\r\n  Two.\r\n"

// attributesOf requests attributes. The reply has the header "+-1".
func attributesOf(t *testing.T, url, blocks string) (scheme.Attr, *script, error) {
	t.Helper()
	s := say("+-1\r\n" + blocks + ".\r\n")
	if !strings.Contains(blocks, "\n") {
		s = say("+-2\r\n" + blocks)
	}
	res, err := New().Attributes(t.Context(), s.env(t), request1(t, url), scheme.AttributesOptions{})
	if err != nil {
		return scheme.Attr{}, s, err
	}
	return res.Attr, s, nil
}

// Covers: A7, A15
func TestAttributes(t *testing.T) {
	t.Parallel()
	a, s, err := attributesOf(t, "gopher://h/00/doc%09%09+", docBlocks)
	if err != nil || s.requests()[0] != "0/doc\t!\r\n" {
		t.Fatalf("%v, sent %q", err, s.requests())
	}
	want := ` type=text/plain modified=2026-11-20T07:43:39Z [+INFO "0doc\t0/doc\tlocalhost\t7072\t+"] [+ADMIN Admin "Test <gopher@localhost>"]` +
		` [+ADMIN Mod-Date "Fri Nov 20 07:43:39 2026 <20261120074339>"] [+VIEWS Text/plain Fr_FR ".1k"] [+VIEWS application/postscript En_US "512b"]` +
		` [+VIEWS Text/plain En_US ".1k"] [+ABSTRACT "One.\n Two."]`
	if got := attrText(a); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if a.Admin != "Test <gopher@localhost>" || a.Abstract != "One.\n Two." {
		t.Errorf("admin %q, abstract %q", a.Admin, a.Abstract)
	}
	a, _, err = attributesOf(t, "gopher://h/00/doc%09%09+", docBlocks+"+ADMIN:\r\n Admin: other\r\n+ABSTRACT:\r\n other\r\n")
	if err != nil || a.Admin != "Test <gopher@localhost>" || a.Abstract != "One.\n Two." {
		t.Errorf("the first of two: admin %q, abstract %q, %v", a.Admin, a.Abstract, err)
	}
	a, _, err = attributesOf(t, "gopher://h/00/doc%09%09+application/postscript%20En_US", docBlocks)
	if n, known := a.Size.Get(); err != nil || a.Type != "application/postscript" || !known || n != 512 {
		t.Errorf("of a view: %s, %v", attrText(a), err)
	}
	// Without Gopher+ only the type is known, and whether the item exists.
	for url, want := range map[string]string{
		"gopher://h/0/x.txt": "text/plain", "gopher://h/9/x.zip": "application/zip", "gopher://h/1": "application/gopher-menu", "gopher://h/I/x": "image/gif",
	} {
		s := say("GIF89a..\t\t\t")
		a, err := New().Attributes(t.Context(), s.env(t), request1(t, url), scheme.AttributesOptions{})
		if err != nil || a.Attr.Type != want || a.Attr.More != nil || s.closed != 1 {
			t.Errorf("%s: %+v, %v, %d closed; want %q", url, a, err, s.closed, want)
		}
		if _, err := New().Attributes(t.Context(), say("3no\t\terror.host\t1\r\n").env(t), request1(t, url), scheme.AttributesOptions{}); codeOf(err) != scheme.CodeNotFound {
			t.Errorf("%s, missing: %v", url, err)
		}
	}
	none := say()
	if a, err := New().Attributes(t.Context(), none.env(t), request1(t, "gopher://h/7/s"), scheme.AttributesOptions{}); err != nil || a.Attr.Type != mediaMenu {
		t.Errorf("a search: %+v, %v", a, err)
	}
	// A server that ignores the request has no attributes; an error of the server is returned.
	plain := say("Hello\r\n")
	if a, err := New().Attributes(t.Context(), plain.env(t), request1(t, "gopher://h/0/x.txt%09%09+"), scheme.AttributesOptions{}); err != nil || a.Attr.Type != "text/plain" {
		t.Errorf("headerless: %+v, %v", a, err)
	}
	for _, url := range []string{"gopher://h:23/8x", "gopher://h/ix"} {
		if _, err := New().Attributes(t.Context(), none.env(t), request1(t, url), scheme.AttributesOptions{}); codeOf(err) != scheme.CodeUnsupported {
			t.Errorf("%s: %v", url, err)
		}
	}
	if len(none.requests()) != 0 {
		t.Errorf("asked %q", none.requests())
	}
}

// TestBlockTolerance reads blocks as servers send them.
//
// Covers: A7
func TestBlockTolerance(t *testing.T) {
	t.Parallel()
	const want = `[+INFO "0x\t/x\th\t70"] [+ADMIN Admin "a"] [+ABSTRACT "l1\nl2"]`
	tests := []struct{ name, in, want string }{
		{"as written", "+INFO: 0x\t/x\th\t70\r\n+ADMIN:\r\n Admin: a\r\n+ABSTRACT:\r\n l1\r\n l2\r\n", want},
		{"no colons (umn-2.3.0, 06)", "+INFO 0x\t/x\th\t70\r\n+ADMIN\r\n Admin: a\r\n+ABSTRACT\r\n l1\r\n l2\r\n", want},
		{"LF", "+INFO: 0x\t/x\th\t70\n+ADMIN:\n Admin: a\n+ABSTRACT:\n l1\n l2\n", want},
		{"CR", "+INFO: 0x\t/x\th\t70\r+ADMIN:\r Admin: a\r+ABSTRACT:\r l1\r l2\r", want},
		{"no blank before a line", "+INFO: 0x\t/x\th\t70\r\n+ADMIN:\r\nAdmin: a\r\n+ABSTRACT:\r\nl1\r\nl2\r\n", want},
		{"no blank behind the colon", "+INFO:0x\t/x\th\t70\r\n+ADMIN:\r\n Admin:a\r\n+ABSTRACT:\r\n l1\r\n l2\r\n", want},
		{"only the first item", "+INFO: 0x\t/x\th\t70\r\n+ADMIN:\r\n Admin: a\r\n+ABSTRACT:\r\n l1\r\n l2\r\n+INFO: 0y\t/y\th\t70\r\n+ADMIN:\r\n Admin: b\r\n", want},
		{"value on the line, and below", "+INFO: 0x\t/x\th\t70\r\n+URL: http://a/\r\n+URL:\r\n http://b/\r\n", `[+INFO "0x\t/x\th\t70"] [+URL "http://a/"] [+URL "http://b/"]`},
		{"a line that begins with a plus and a blank", "+INFO: 0x\t/x\th\t70\r\n+ABSTRACT:\r\n + one\r\n+ two\r\n", `[+INFO "0x\t/x\th\t70"] [+ABSTRACT "+ one\n+ two"]`},
		{"names repeat, unknown ones stay", "+INFO: 0x\t/x\th\t70\r\n+3D:\r\n a\r\n+3D:\r\n b\r\n", `[+INFO "0x\t/x\th\t70"] [+3D "a"] [+3D "b"]`},
		{"no item", "+ADMIN:\r\n Admin: a\r\n", `[+ADMIN Admin "a"]`},
		{"Latin-1 and controls", "+INFO: 0\xe9\t/\xe9\th\t70\r\n+ABSTRACT:\r\n caf\xe9\x1b[1m\x07\r\n", `[+INFO "0é\t/é\th\t70"] [+ABSTRACT "café�"]`},
		{"lines before any block", "what\r\n+INFO: 0x\t/x\th\t70\r\n", `[+INFO "0x\t/x\th\t70"]`},
		{"empty lines", "+INFO: 0x\t/x\th\t70\r\n+ABSTRACT:\r\n a\r\n \r\n\r\n b\r\n", `[+INFO "0x\t/x\th\t70"] [+ABSTRACT "a\n\n\nb"]`},
	}
	for _, tt := range tests {
		a, _, err := attributesOf(t, "gopher://h/0/x%09%09+", tt.in)
		got := attrText(scheme.Attr{More: a.More})
		if strings.TrimSpace(got) != tt.want || err != nil {
			t.Errorf("%s:\ngot  %s, %v\nwant %s", tt.name, got, err, tt.want)
		}
	}
	for _, in := range []string{"", "no block\r\n", "++\r\n"} {
		if _, _, err := attributesOf(t, "gopher://h/0/x%09%09+", in); codeOf(err) != scheme.CodeProtocol {
			t.Errorf("%q: %v", in, err)
		}
	}
	for in, want := range map[string]time.Time{
		"x <20261120074339>": time.Date(2026, 11, 20, 7, 43, 39, 0, time.UTC), "<2026>": {}, "20261120074339": {}, "<20261399000000>": {}, "": {},
	} {
		if got := modified(in); !got.Equal(want) {
			t.Errorf("modified(%q) = %v", in, got)
		}
	}
}

// Covers: P6
func TestAttributeLimits(t *testing.T) {
	t.Parallel()
	long := "+INFO: 0x\t/x\th\t70\r\n+ABSTRACT:\r\n" + strings.Repeat(" line\r\n", 1000)
	for _, url := range []string{"gopher://h/0/x%09%09!", "gopher://h/1/x%09%09$"} {
		for _, reply := range []string{"+-1\r\n" + long, "+-2\r\n" + long, "+10000000\r\n" + long} {
			s := say(reply)
			env := s.env(t)
			env.Limits.Header = 1000
			res, err := New().Access(t.Context(), env, request1(t, url), scheme.AccessOptions{})
			if err == nil {
				for _, err = range res.Entries {
				}
				res.Close()
			}
			if codeOf(err) != scheme.CodeBroken {
				t.Errorf("%s, %.10q: %v", url, reply, err)
			}
		}
	}
}

// TestAttributesIgnored asks pygopherd for one attribute, which it ignores, and then for all: on a
// second connection.
//
// Covers: A7
func TestAttributesIgnored(t *testing.T) {
	t.Parallel()
	s := say("text\r\n", "+-1\r\n"+docBlocks+".\r\n")
	if _, err := s.access(t, request1(t, "gopher://localhost:7072/00/doc%09%09!+ABSTRACT")); err != nil {
		t.Fatal(err)
	}
	if got := s.requests(); len(got) != 2 || got[0] != "0/doc\t!+ABSTRACT\r\n" || got[1] != "0/doc\t!\r\n" {
		t.Errorf("sent %q", got)
	}
}

// TestSendingFails closes a connection on which the request cannot be sent.
//
// Covers: A7, P6
func TestSendingFails(t *testing.T) {
	t.Parallel()
	s := say("text")
	env := s.env(t)
	dial, broken := env.Dial, errors.New("broken pipe")
	env.Dial = func(ctx context.Context, d scheme.Dial) (net.Conn, error) {
		c, err := dial(ctx, d)
		return deaf{c, broken}, err
	}
	if _, err := New().Access(t.Context(), env, request1(t, "gopher://h/0/x"), scheme.AccessOptions{}); !errors.Is(err, broken) {
		t.Errorf("%v, want %v", err, broken)
	}
}

// deaf is a connection to which nothing can be written.
type deaf struct {
	net.Conn
	err error
}

func (c deaf) Write([]byte) (int, error) { return 0, c.err }

// TestDetails lists a menu with the attributes of its items.
//
// Covers: A7
func TestDetails(t *testing.T) {
	t.Parallel()
	const menu = "0doc\t0/doc\tlocalhost\t7072\t+\r\n1Other\t/other\tlocalhost\t7072\r\n.\r\n"
	r := request1(t, "gopher://localhost:7072/1")
	s := say("+-1\r\n"+docBlocks+".\r\n", menu)
	res, err := New().List(t.Context(), s.env(t), r, scheme.ListOptions{Detail: true})
	if err != nil {
		t.Fatal(err)
	}
	defer res.Close()
	all := entriesOf(t, res)
	if got := s.requests(); got[0] != "\t$\r\n" || got[1] != "\r\n" {
		t.Errorf("sent %q", got)
	}
	if len(all) != 2 || len(all[0].Alternates) != 3 || all[0].Attr.Modified.IsZero() || all[0].Name != "doc" || len(all[1].Alternates) != 0 || s.closed != 2 {
		t.Errorf("entries %+v, %d closed", all, s.closed)
	}
	if got, want := line(all[0].Alternates[1]), "object|application/postscript En_US|gopher://localhost:7072/00/doc%09%09+application/postscript%20En_US\n"; got != want {
		t.Errorf("view %q, want %q", got, want)
	}
	// A server without attributes, or with an error in its reply, is listed too.
	for _, reply := range []string{menu, "--1\r\n1 x\r\nno\r\n.\r\n", "", "+-1\r\n.\r\n"} {
		s := say(reply, menu)
		res, err := New().List(t.Context(), s.env(t), r, scheme.ListOptions{Detail: true})
		if err != nil {
			t.Errorf("%q: %v", reply, err)
			continue
		}
		defer res.Close()
		if all := entriesOf(t, res); len(all) != 2 {
			t.Errorf("%q: %d entries", reply, len(all))
		}
		if asked := strings.HasPrefix(reply, "+"); asked == (len(res.Notes) > 0) {
			t.Errorf("%q: notes %q", reply, res.Notes)
		}
	}
	// Access requests only the menu, even with Detail, which --continue sets for files.
	s = say(menu)
	if res, err = s.access(t, r, scheme.AccessOptions{Detail: true}); err != nil || len(entriesOf(t, res)) != 2 || len(s.requests()) != 1 {
		t.Errorf("access with details: sent %q, %v", s.requests(), err)
	}
}

// FuzzAttributes reads any bytes as blocks. Each result is a valid entry or an error.
//
// Covers: A7, T151
func FuzzAttributes(f *testing.F) {
	for _, s := range []string{docBlocks, "+INFO 1x\t\th\t70\r+ADMIN\r a", "+INFO:\r\n+INFO:\r\n.\r\n", "+A: b\r\n c\r\n", "+VIEWS:\r\n <>\r\n : <\r\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, blocks []byte) {
		s := say("+-2\r\n"+string(blocks), "+-1\r\n"+string(blocks))
		for _, url := range []string{"gopher://h/1%09%09$", "gopher://h/0x%09%09!"} {
			res, err := New().Access(t.Context(), s.env(t), scheme.Request{URL: locator.MustParse(url)}, scheme.AccessOptions{})
			if err != nil {
				if _, ok := errors.AsType[*scheme.Error](err); !ok {
					t.Fatal(err)
				}
				continue
			}
			if res.Kind == scheme.KindObject {
				if _, err := io.ReadAll(res.Body); err != nil {
					t.Fatal(err)
				}
			} else {
				for e, err := range res.Entries {
					if err != nil {
						t.Fatal(err)
					}
					checkEntry(t, e)
				}
			}
			res.Close()
		}
	})
}
