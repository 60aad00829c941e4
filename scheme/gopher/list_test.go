package gopher

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/gopher/gophertest"
)

// menuText returns the entries of a menu that a server at menu.test:7070 sends, one per line: kind,
// name, URL.
func menuText(t *testing.T, menu string, limits scheme.Limits) (text string, err error) {
	t.Helper()
	s := say(menu)
	env := s.env(t)
	env.Limits = limits.WithDefaults()
	var b strings.Builder
	for e, err := range listed(New().List(t.Context(), env, request1(t, "gopher://menu.test:7070/1/x"), scheme.ListOptions{})) {
		if err != nil {
			return b.String(), err
		}
		b.WriteString(line(e))
	}
	return b.String(), nil
}

func line(e scheme.Entry) string {
	s := fmt.Sprintf("%s|%s|%s\n", e.Kind, e.Name, e.URL)
	for _, m := range e.Mirrors {
		s += "  " + line(m)
	}
	return s
}

// TestMenuTolerance reads menus that deviate from RFC 1436 in the ways that servers do.
//
// Covers: A7, T42
func TestMenuTolerance(t *testing.T) {
	t.Parallel()
	const (
		good  = "0A\t/a\th.dom\t70\r\n"
		goodE = "object|A|gopher://h.dom/0/a\n"
	)
	tests := []struct{ name, menu, want string }{
		{"as RFC 1436 has it", good + "1B\t1/b\th.dom\t7071\r\n.\r\n", goodE + "listing|B|gopher://h.dom:7071/11/b\n"},
		{"1: LF alone", "0A\t/a\th.dom\t70\n0A\t/a\th.dom\t70\n.\n", goodE + goodE},
		{"1: CR alone", "0A\t/a\th.dom\t70\r0A\t/a\th.dom\t70\r.\r", goodE + goodE},
		{"1: CR in a line of a body with LF", "0A\rB\t/a\th.dom\t70\r\n", "object|A\uFFFDB|gopher://h.dom/0/a\n"},
		{"1: no end of the last line", strings.TrimSuffix(good, "\r\n"), goodE},
		{"2: dot in the middle", good + ".\r\n" + good + ".\r\n", goodE + goodE},
		{"2: blank lines behind the mark", good + ".\r\n\r\n\r\n", goodE},
		{"2: blank lines and more behind it", good + ".\r\n\r\n" + good, goodE + "note||\n" + goodE},
		{"3: no end mark", good + good, goodE + goodE},
		{"4: empty line", good + "\r\n" + good, goodE + "note||\n" + goodE},
		{"4: no TAB", good + "Hello\r\n", goodE + "note|Hello|\n"},
		{"4: no TAB, i, beside good lines", good + "iHello\r\n", goodE + "note|Hello|\n"},
		{"4: no TAB, i, before a good line", "iHello\r\n" + good, "note|Hello|\n" + goodE},
		{"4: no TAB, i, beside poor lines", "iHello\r\n0A\t/a\th.dom\r\n", "note|iHello|\n" + goodE},
		{"5: only a display", "iText\t\r\n3Sorry\t\r\n" + good, "note|Text|\nnote|Sorry|\n" + goodE},
		{"5: no host", "0A\t/a\r\n0B\t/b\t\r\n0C\t/c\t\t\r\n0D\t/d\t\t71\r\n" + good,
			"object|A|gopher://menu.test:7070/0/a\nobject|B|gopher://menu.test:7070/0/b\nobject|C|gopher://menu.test:7070/0/c\nobject|D|gopher://menu.test:71/0/d\n" + goodE},
		{"5: no port, or none that is one", "0A\t/a\th.dom\r\n0A\t/a\th.dom\t\r\n0A\t/a\th.dom\tgopher\r\n", goodE + goodE + goodE},
		{"5: port 0", "0A\t/a\th.dom\t0\r\nhW\tURL:http://w.dom/\th.dom\t0\r\n", "note|A|\nunknown|W|http://w.dom/\n"},
		{"5: port too large", "0A\t/a\th.dom\t65536\r\n" + good, "note|A|\n" + goodE},
		{"6: blanks", "0A\t/a\t h.dom \t 70 \r\n0A\t/a \th.dom\t70\r\n0A\t /a\th.dom\t70\r\n",
			goodE + "object|A|gopher://h.dom/0/a%20\nobject|A|gopher://h.dom/0%20/a\n"},
		{"6: port with junk", "0A\t/a\th.dom\t70+\r\n0A\t/a\th.dom\t70 x\r\n0A\t/a\th.dom\t0070\r\n", goodE + goodE + goodE},
		{"7: more fields", "0A\t/a\th.dom\t70\t+\tmore\tand more\r\n0A\t/a\th.dom\t70\tx\t+\r\n0A\t/a\th.dom\t70\t?\r\n0A\t/a\th.dom\t70\t+x\r\n",
			"object|A|gopher://h.dom/0/a%09%09+\n" + goodE + "form|A|gopher://h.dom/0/a%09%09?\nobject|A|gopher://h.dom/0/a%09%09+\n"},
		{"8: dummy hosts", "iA\tfake\t(NULL)\t0\r\ni\t\tnull.host\t1\r\n0A\tx\tFAKE\t70\r\n1A\tx\tinvalid\t70\r\n9A\tx\t.\t70\r\n1A\tx\tNull.Host\t1\r\n",
			"note|A|\nnote||\nnote|A|\nnote|A|\nnote|A|\nnote|A|\n"},
		{"8: only those", "1A\tx\texample.invalid\t70\r\n", "listing|A|gopher://example.invalid/1x\n"},
		{"9: UMN's error among items", good + "0No such\t\terror.host\t1\r\n", goodE + "note|No such|\n"},
		{"10: nameless text", "0   \t/a\th.dom\t70\r\n1 \t/a\th.dom\t70\r\n", "note|   |\nlisting| |gopher://h.dom/1/a\n"},
		{"11: mirrors", good + "+B\t/b\tm1.dom\t70\r\n+C\t/c\tm2.dom\t71\r\n" + good,
			goodE[:len(goodE)-1] + "\n  object|B|gopher://m1.dom/0/b\n  object|C|gopher://m2.dom:71/0/c\n" + goodE},
		{"11: mirror behind a text", good + "iText\t\t\t\r\n+B\t/b\tm1.dom\t70\r\n", goodE + "note|Text|\nobject|B|gopher://m1.dom/0/b\n"},
		{"11: mirror of nothing", "+B\t/b\tm1.dom\t70\r\n", "object|B|gopher://m1.dom/+/b\n"},
		{"11: mirror that leads nowhere", good + "+B\t/b\tnull.host\t70\r\n", goodE + "note|B|\n"},
		{"12: UTF-8", "0caf\u00e9\t/a\th.dom\t70\r\n", "object|caf\u00e9|gopher://h.dom/0/a\n"},
		{"12: Latin-1", "0caf\xe9 \x80\t/\xe9\th.dom\t70\r\n", "object|caf\u00e9 \u20ac|gopher://h.dom/0/%E9\n"},
		{"12: controls, colours, blanks", "0a\x07b\x1b[1;31mred\x1b[0m  c\x1b]0;x\x7f\t/a\th.dom\t70\r\n", "object|a\uFFFDbred  c\uFFFD]0;x\uFFFD|gopher://h.dom/0/a\n"},
		{"12: C1", "0a\u009b31m\t/a\th.dom\t70\r\n", "object|a\uFFFD31m|gopher://h.dom/0/a\n"},
	}
	for _, tt := range tests {
		got, err := menuText(t, tt.menu, scheme.Limits{})
		if got != tt.want || err != nil {
			t.Errorf("%s:\ngot  %q, %v\nwant %q", tt.name, got, err, tt.want)
		}
	}
}

// TestMenuCharset decodes a menu with the charset of the caller.
//
// Covers: A7
func TestMenuCharset(t *testing.T) {
	t.Parallel()
	for charset, want := range map[string]string{"": "\u201a", "ISO-8859-1": "\uFFFD", "IBM437": "\u00e9", "cp437": "\u00e9"} {
		res, err := say("0\x82\t/a\th.dom\t70\r\n").access(t, request1(t, "gopher://h/1"), scheme.AccessOptions{Accept: scheme.Accept{Charset: charset}})
		if err != nil {
			t.Fatal(err)
		}
		if got := entriesOf(t, res)[0].Name; got != want {
			t.Errorf("%q: %q, want %q", charset, got, want)
		}
	}
	s := say("x")
	if _, err := s.access(t, request1(t, "gopher://h/1"), scheme.AccessOptions{Accept: scheme.Accept{Charset: "no such"}}); codeOf(err) != scheme.CodeUsage || len(s.requests()) > 0 {
		t.Errorf("%v, sent %q; want wrong usage, and nothing sent", err, s.requests())
	}
}

// TestMenuLimits reads menus that are too large.
//
// Covers: P6, T87, T146
func TestMenuLimits(t *testing.T) {
	t.Parallel()
	const good, goodE = "0A\t/a\th.dom\t70\r\n", "object|A|gopher://h.dom/0/a\n"
	limits := scheme.Limits{Line: 100, Entries: 5, Listing: 5000}
	long := strings.Repeat("x", 300)
	tests := []struct {
		name, menu, want string
		code             scheme.Code
	}{
		{"a long line is cut and shown", good + "i" + long + "\t\t\t\r\n" + good, goodE + "note|" + "i" + long[:99] + "|\n" + goodE, scheme.CodeOK},
		{"a line at the limit", "0" + long[:84] + "\t/a\th.dom\t70\r\n", "object|" + long[:84] + "|gopher://h.dom/0/a\n", scheme.CodeOK},
		{"a line without end", good + strings.Repeat("x", 4000) + "\r\n", goodE, scheme.CodeBroken},
		{"entries at the limit", strings.Repeat(good, 5) + ".\r\n", strings.Repeat(goodE, 5), scheme.CodeOK},
		{"too many entries", strings.Repeat(good, 6), strings.Repeat(goodE, 5), scheme.CodeBroken},
		{"too many mirrors", good + strings.Repeat("+"+good[1:], 5), goodE + strings.Repeat("  "+goodE, 4), scheme.CodeBroken},
	}
	for _, tt := range tests {
		got, err := menuText(t, tt.menu, limits)
		if tt.name == "a long line is cut and shown" {
			tt.want = strings.Replace(tt.want, "|ix", "|x", 1) // next to valid lines the "i" is removed
		}
		if got != tt.want || codeOf(err) != tt.code {
			t.Errorf("%s:\ngot  %q, %v\nwant %q, %v", tt.name, got, err, tt.want, tt.code)
		}
	}
	limits.Entries = 100000
	if got, err := menuText(t, strings.Repeat(good, 1000), limits); codeOf(err) != scheme.CodeBroken || !strings.HasPrefix(got, goodE) {
		t.Errorf("a menu over the limit of its length: %d bytes of entries, %v", len(got), err)
	}
	// The client stops reading from a server that never stops, and its memory does not grow.
	endless := &script{replies: []io.Reader{endlessly("0A\t/a\th.dom\t70\r\n")}}
	env := endless.env(t)
	env.Limits.Entries = 1000
	n := 0
	for _, err := range listed(New().List(t.Context(), env, request1(t, "gopher://h/1"), scheme.ListOptions{})) {
		if err != nil {
			if codeOf(err) != scheme.CodeBroken {
				t.Errorf("an endless menu: %v", err)
			}
			break
		}
		n++
	}
	if n != 1000 || endless.closed != 1 {
		t.Errorf("%d entries of an endless menu, %d connections closed", n, endless.closed)
	}
}

type endlessly string

func (e endlessly) Read(b []byte) (int, error) {
	n := 0
	for n+len(e) <= len(b) {
		n += copy(b[n:], e)
	}
	return n, nil
}

// TestNoMenu reads replies to a request for a menu that are not menus.
//
// Covers: A7, T146
func TestNoMenu(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, reply string
		code        scheme.Code
		words       string
		kind        scheme.Kind
	}{
		{"a text", "Hello\r\nthis is a text\r\n.\r\n", scheme.CodeOK, "", scheme.KindObject},
		{"a text of one line", "Hello", scheme.CodeOK, "", scheme.KindObject},
		{"an empty menu", ".\r\n", scheme.CodeOK, "", scheme.KindListing},
		{"only texts to read", "iHello\t\t\t\r\n", scheme.CodeOK, "", scheme.KindListing},
		{"nothing", "", scheme.CodeProtocol, "", 0},
		{"pygopherd's error", "3'/nope' does not exist (no handler found)\t\terror.host\t1\r\n", scheme.CodeNotFound, "'/nope' does not exist (no handler found)", 0},
		{"UMN's error", "0'/nope' does not exist!!\t\terror.host\t1\r\n.\r\n", scheme.CodeNotFound, "'/nope' does not exist!!", 0},
		{"gophernicus' error", "3Error: x\tTITLE\tnull.host\t1\r\ni____\t\tnull.host\t1\r\niGophered\t\tnull.host\t1\r\n.\r\n", scheme.CodeNotFound, "Error: x", 0},
		{"an error with its own host", "3Sorry\t\tmenu.test\t70\r\n.\r\n", scheme.CodeNotFound, "Sorry", 0},
		{"an error and nothing else", "3Sorry, not here", scheme.CodeNotFound, "Sorry, not here", 0},
		{"an error with colours", "3\x1b[31mno\x07\t\t\t\r\n", scheme.CodeNotFound, `\x1b[31mno\x07`, 0},
		{"an error among items", "3Sorry\t\terror.host\t1\r\n0A\t/a\th.dom\t70\r\n", scheme.CodeOK, "", scheme.KindListing},
		{"an error among notes", "iSorry\tfake\t(NULL)\t0\r\n3Not found\tfake\t(NULL)\t0\r\n.\r\n", scheme.CodeNotFound, "Not found", 0},
		{"a text that begins as an error", "3 apples\r\nand 4 pears\r\n", scheme.CodeOK, "", scheme.KindObject},
		{"HTTP", "HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\n\r\n<html>\t\t\t</html>", scheme.CodeProtocol, "", 0},
		{"a line of HTTP", "HTTP/1.0 200\r\n", scheme.CodeProtocol, "", 0},
	}
	for _, tt := range tests {
		s := say(tt.reply)
		res, err := s.access(t, request1(t, "gopher://menu.test/1/x"))
		if codeOf(err) != tt.code {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.code)
			continue
		}
		if err != nil {
			if e, _ := errors.AsType[*scheme.Error](err); e.Reply != tt.words {
				t.Errorf("%s: the server's text is %q, want %q", tt.name, e.Reply, tt.words)
			}
			if s.closed != 1 {
				t.Errorf("%s: the connection stays open", tt.name)
			}
			continue
		}
		if res.Kind != tt.kind {
			t.Errorf("%s: a %s, want a %s", tt.name, res.Kind, tt.kind)
			continue
		}
		if tt.kind == scheme.KindObject {
			want := strings.TrimSuffix(tt.reply, ".\r\n")
			if got := bodyOf(t, res); got != want || res.Attr.Type != "text/plain" || len(res.Notes) != 1 {
				t.Errorf("%s: %q, %q, notes %q", tt.name, got, res.Attr.Type, res.Notes)
			}
		}
	}
	_, err := menuText(t, "Hello\r\n", scheme.Limits{})
	if codeOf(err) != scheme.CodeProtocol {
		t.Errorf("listing a text: %v", err)
	}
}

// TestListingIsLazy reads no more of a listing than needed, and closes the connection however the
// listing ends.
//
// Covers: T87
func TestListingIsLazy(t *testing.T) {
	t.Parallel()
	const menu = "0A\t/a\th.dom\t70\r\n0B\t/b\th.dom\t70\r\n0C\t/c\th.dom\t70\r\n.\r\n"
	s := say(menu, menu, menu)
	res, err := New().List(t.Context(), s.env(t), request1(t, "gopher://h/1"), scheme.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for range res.Entries {
		break
	}
	if s.closed != 1 {
		t.Errorf("%d connections closed after a break, want 1", s.closed)
	}
	if res, err = New().List(t.Context(), s.env(t), request1(t, "gopher://h/1"), scheme.ListOptions{Max: 2}); err != nil {
		t.Fatal(err)
	}
	if got := len(entriesOf(t, res)); got != 2 || s.closed != 2 {
		t.Errorf("%d entries of at most 2, %d connections closed", got, s.closed)
	}
	if res, err = s.access(t, request1(t, "gopher://h/1")); err != nil {
		t.Fatal(err)
	}
	res.Close()
	if s.closed != 3 {
		t.Errorf("%d connections closed after Close, want 3", s.closed)
	}
}

// TestMenuTorn reads a menu that breaks off: its entries, then the error.
func TestMenuTorn(t *testing.T) {
	t.Parallel()
	torn := errors.New("torn")
	s := &script{replies: []io.Reader{io.MultiReader(strings.NewReader("0A\t/a\th.dom\t70\r\n0B\t/b"), iotest.ErrReader(torn))}}
	n := 0
	for e, err := range listed(New().List(t.Context(), s.env(t), request1(t, "gopher://h/1"), scheme.ListOptions{})) {
		if err != nil {
			if !errors.Is(err, torn) {
				t.Errorf("got %v", err)
			}
			break
		}
		if n++; e.Name != "A" {
			t.Errorf("entry %q", e.Name)
		}
	}
	if n != 1 {
		t.Errorf("%d entries before the error, want 1", n)
	}
}

// TestMenuStaysOpen reads from servers that keep the connection open after the end mark, and from
// one that continues in time.
//
// Covers: A7
func TestMenuStaysOpen(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		url, reply, want string
		kind             scheme.Kind
	}{
		{"gopher://h/1", "0A\t/a\th.dom\t70\r\n.\r\n", "object|A|gopher://h.dom/0/a\n", scheme.KindListing},
		{"gopher://h/0", "text\r\n.\r\n", "text\r\n", scheme.KindObject},
		{"gopher://h/1", ".\r\n", "", scheme.KindListing},
		{"gopher://h/1", "just a text\r\n.\r\n", "just a text\r\n", scheme.KindObject},
		{"gopher://h/0%09%09+", "+-1\r\ntext\r\n.\r\n", "text\r\n", scheme.KindObject},
		{"gopher://h/0%09%09+", "+4\r\ntext", "text", scheme.KindObject},
		{"gopher://h/0%09%09!", "+-1\r\n+INFO: 0x\t\th\t70\r\n.\r\n", "+INFO: 0x\t\th\t70\r\n", scheme.KindObject},
		{"gopher://h/1%09%09$", "+-1\r\n+INFO: 0A\t/a\th.dom\t70\r\n.\r\n", "object|A|gopher://h.dom/0/a\n", scheme.KindListing},
		{"gopher://h/9", "ab\r\n.\r\n", "ab\r\n.\r\n", scheme.KindObject},
		{"gopher://h/h", "ab\r\n.\r\n", "ab\r\n.\r\n", scheme.KindObject},
		{"gopher://h/I", "ab\r\n.\r\n", "ab\r\n.\r\n", scheme.KindObject},
	} {
		in, out := io.Pipe()
		go out.Write([]byte(tt.reply))
		if tt.kind == scheme.KindObject {
			in2, out2 := io.Pipe()
			go out2.Write([]byte(tt.reply))
			res, err := Scheme{grace: 10 * time.Millisecond}.Access(t.Context(), (&script{replies: []io.Reader{in2}}).env(t), request1(t, tt.url), scheme.AccessOptions{})
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			if _, err := io.Copy(&got, res.Body); err != nil || got.String() != tt.want {
				t.Errorf("%s, %q: WriteTo gives %q, %v", tt.url, tt.reply, got.String(), err)
			}
			res.Close()
		}
		s := &script{replies: []io.Reader{in}}
		res, err := Scheme{grace: 10 * time.Millisecond}.Access(t.Context(), s.env(t), request1(t, tt.url), scheme.AccessOptions{})
		if err != nil {
			t.Errorf("%s, %q: %v", tt.url, tt.reply, err)
			continue
		}
		got := ""
		if res.Kind == scheme.KindListing {
			for _, e := range entriesOf(t, res) {
				got += line(e)
			}
		} else {
			got = bodyOf(t, res)
		}
		if got != tt.want || res.Kind != tt.kind {
			t.Errorf("%s, %q: %s %q, want %s %q", tt.url, tt.reply, res.Kind, got, tt.kind, tt.want)
		}
		res.Close()
	}
	for _, reply := range []string{"3Sorry\t\terror.host\t1\r\n.\r\n", "0Sorry\t\terror.host\t1\r\n.\r\n"} {
		for _, url := range []string{"gopher://h/1", "gopher://h/0"} {
			in, out := io.Pipe()
			go out.Write([]byte(reply))
			s := &script{replies: []io.Reader{in}}
			if _, err := (Scheme{grace: 10 * time.Millisecond}).Access(t.Context(), s.env(t), request1(t, url), scheme.AccessOptions{}); codeOf(err) != scheme.CodeNotFound {
				t.Errorf("%s, %q: %v", url, reply, err)
			}
		}
	}
}

// FuzzMenu reads any bytes as a menu. No URL of an entry makes a request that contains a delimiter.
//
// Covers: A7, P2, T151
func FuzzMenu(f *testing.F) {
	for _, s := range []string{
		"0A\t/a\th.dom\t70\t+\r\n.\r\n", "+x\t\t\t\r\n", "hW\tURL:http://w/\th\t1\r\n", "8T\tguest\th\t23\n", "iX\tfake\t(NULL)\t0\r\n", "hA\tGET /\th\t80\r\n",
		"3E\t\terror.host\t1\r\n.\r\n", "\r\n\r\n.\r\n.\r\nx", "0\t\t\t\r0\t\t\t", "HTTP/1.0 200 OK\r\n\r\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, menu []byte) {
		s := say(string(menu))
		env := s.env(t)
		env.Limits.Entries, env.Limits.Line = 100, 64
		res, err := Scheme{}.Access(t.Context(), env, scheme.Request{URL: locator.MustParse("gopher://h/1")}, scheme.AccessOptions{})
		if err != nil {
			if _, ok := errors.AsType[*scheme.Error](err); !ok {
				t.Fatal(err)
			}
			return
		}
		defer res.Close()
		if res.Kind == scheme.KindObject {
			if _, err := io.ReadAll(res.Body); err != nil {
				t.Fatal(err)
			}
			return
		}
		n := 0
		for e, err := range res.Entries {
			if err != nil {
				break
			}
			checkEntry(t, e)
			n++
		}
		if n > 100 {
			t.Fatalf("%d entries", n)
		}
	})
}

// checkEntry checks what must be true of every entry.
func checkEntry(t *testing.T, e scheme.Entry) {
	t.Helper()
	if strings.ContainsAny(e.Name, "\x1b\r\n\t\x00\x07") {
		t.Fatalf("name %q", e.Name)
	}
	if (e.Kind == scheme.KindNote) != e.URL.IsZero() {
		t.Fatalf("a %s with the URL %q", e.Kind, e.URL)
	}
	if e.URL.Scheme() == "gopher" {
		q, err := newPlace(e.URL)
		if err != nil {
			if codeOf(err) != scheme.CodeRefused {
				t.Fatalf("%s: %v", e.URL, err)
			}
			return
		}
		if lines, err := q.lines(); err == nil && len(lines) != 1 {
			t.Fatalf("%s makes %d lines", e.URL, len(lines))
		}
	}
	for _, x := range append(e.Mirrors, e.Alternates...) {
		checkEntry(t, x)
	}
}

// ListOptions.Copy receives the menu, the attributes of its items, or the entries of a name server
// as the server sent them.
//
// Covers: A7
func TestListCopy(t *testing.T) {
	t.Parallel()
	const menu = "0A\t/a\th.dom\t70\r\niB\r\n.\r\n"
	const blocks = "+INFO: 0A\t/a\th.dom\t70\r\n+ADMIN:\r\n Admin: x\r\n+INFO: 0B\t/b\th.dom\t70\r\n.\r\n"
	for _, tt := range []struct{ url, header, listing string }{
		{"gopher://h/1", "", menu},
		{"gopher://h/1%09%09+", "+-1\r\n", menu},
		{"gopher://h/1%09%09$", "+-1\r\n", blocks},
	} {
		var copied strings.Builder
		s := say(tt.header + tt.listing)
		res, err := New().List(t.Context(), s.env(t), request1(t, tt.url), scheme.ListOptions{Copy: &copied})
		if err != nil {
			t.Fatal(err)
		}
		if all := entriesOf(t, res); len(all) != 2 || copied.String() != tt.listing {
			t.Errorf("%s: %d entries, copied %q", tt.url, len(all), copied.String())
		}
		res.Close()
	}
}

// Covers: A7, P6
func TestLargeMenus(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 10000 {
		fmt.Fprintf(&b, "0item %d\t/file/%d\th.dom\t70\r\n", i, i)
	}
	w := start(t, gophertest.Reply("/big", b.String()+".\r\n"))
	n := 0
	for e, err := range client.Entries(w.c.List(t.Context(), scheme.Request{URL: w.Item('1', "/big", "")}, nil)) {
		if err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("item %d", n); e.Name != want || e.URL.Text() != fmt.Sprintf("gopher://h.dom/0/file/%d", n) {
			t.Fatalf("entry %d is %q, %s", n, e.Name, e.URL)
		}
		n++
	}
	if n != 10000 {
		t.Errorf("%d entries", n)
	}
}
