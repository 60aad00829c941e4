package gopher

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"locator/scheme"
	"locator/scheme/gopher/gophertest"
)

// TestNoCapsUnasked sends one request for an access that does not ask for caps.txt.
//
// Covers: A7
func TestNoCapsUnasked(t *testing.T) {
	t.Parallel()
	for _, o := range []scheme.AccessOptions{
		{}, {Raw: scheme.RawAll}, {Accept: scheme.Accept{Charset: "utf-8", Types: []string{"text/plain"}}}, {Detail: true}, {Decode: true},
	} {
		s := say("text\r\n")
		_, err := s.access(t, request1(t, "gopher://h/0/a/b"), o)
		if err != nil || len(s.requests()) != 1 || s.requests()[0] != "/a/b\r\n" {
			t.Errorf("%+v: %q, %v", o, s.requests(), err)
		}
	}
}

// TestCaps requests caps.txt by both selectors. No reply to it makes the access fail.
//
// Covers: A7, P6
func TestCaps(t *testing.T) {
	t.Parallel()
	long := "CAPS\nServerAdmin=x\n" + strings.Repeat("#", maxCaps) + "\nServerSoftware=late\n"
	many := "CAPS\n" + strings.Repeat("a=b\n", 2*maxCapsKeys)
	const missing = "3no\t\terror.host\t1\r\n.\r\n"
	both := []string{"caps.txt\r\n", "/caps.txt\r\n", "/x\r\n"}
	for name, tt := range map[string]struct {
		replies []string
		asked   []string
		more    int // attributes
		typ     string
	}{
		"there":     {[]string{"CAPS\r\nServerAdmin=a@b\r\nDefaultEncoding=ISO-8859-2\r\n.\r\n", "text"}, []string{both[0], both[2]}, 2, "text/plain; charset=iso-8859-2"},
		"second":    {[]string{missing, "CAPS\nServerAdmin=a@b\n", "text"}, both, 1, "text/plain"},
		"none":      {[]string{missing, missing, "text"}, both, 0, "text/plain"},
		"a text":    {[]string{"hello\r\n", "hello\r\n", "text"}, both, 0, "text/plain"},
		"silence":   {[]string{"", "", "text"}, both, 0, "text/plain"},
		"HTTP":      {[]string{"HTTP/1.0 400 Bad\r\n\r\n", "text"}, []string{both[0], both[2]}, 0, "text/plain"},
		"long":      {[]string{long, "text"}, []string{both[0], both[2]}, 1, "text/plain"},
		"many keys": {[]string{many, "text"}, []string{both[0], both[2]}, maxCapsKeys, "text/plain"},
		"odd":       {[]string{"CAPS=1\n=\n a = b \nExpireCapsAfter=-1\nDefaultEncoding=no such\n\x1b[31mx=\x00\n", "text"}, []string{both[0], both[2]}, 5, "text/plain"},
	} {
		s := say(tt.replies...)
		res, err := s.access(t, request1(t, "gopher://h/0/x"), scheme.AccessOptions{ServerInfo: true})
		if err != nil || !slices.Equal(s.requests(), tt.asked) || len(res.Attr.More) != tt.more || res.Attr.Type != tt.typ || bodyOf(t, res) != "text" {
			t.Errorf("%s: asked %q, %+v, %v", name, s.requests(), res, err)
			continue
		}
		for _, m := range res.Attr.More {
			if m.Block != capsBlock || strings.ContainsAny(m.Name+m.Value, "\x00\x1b") {
				t.Errorf("%s: %+v", name, m)
			}
		}
	}
}

// TestCapsCharset decodes text that is not UTF-8 with the charset of caps.txt, unless the caller
// names one.
//
// Covers: A7
func TestCapsCharset(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ caps, wish, line, want string }{
		{"CAPS\nServerDefaultEncoding=ISO-8859-2\n", "", "iza\xbf\xf3\xb3\xe6\t\t\t\r\n0A\t/a\th\t70\r\n.\r\n", "zażółć"},
		{"CAPS\nServerDefaultEncoding=ISO-8859-2\n", "", "iza\xc5\xbc\t\t\t\r\n0A\t/a\th\t70\r\n.\r\n", "zaż"},
		{"CAPS\nServerDefaultEncoding=UTF-8\n", "", "icaf\xe9\t\t\t\r\n0A\t/a\th\t70\r\n.\r\n", "café"},
		{"CAPS\nServerDefaultEncoding=US-ASCII\n", "", "icaf\xe9\t\t\t\r\n0A\t/a\th\t70\r\n.\r\n", "café"},
		{"CAPS\nServerDefaultEncoding=ISO-8859-2\n", "IBM437", "icaf\x82\t\t\t\r\n0A\t/a\th\t70\r\n.\r\n", "café"},
	} {
		s := say(tt.caps, tt.line)
		res, err := s.access(t, request1(t, "gopher://h/1/x"), scheme.AccessOptions{ServerInfo: true, Accept: scheme.Accept{Charset: tt.wish}})
		if err != nil {
			t.Fatal(err)
		}
		if got := entriesOf(t, res)[0].Name; got != tt.want {
			t.Errorf("%q, %q: %q, want %q", tt.caps, tt.wish, got, tt.want)
		}
	}
}

// TestCapsAttributes gets the keys of caps.txt as attributes.
//
// Covers: A7
func TestCapsAttributes(t *testing.T) {
	t.Parallel()
	s := say("CAPS\nPathDelimeter=/\nServerAdmin=a@b\n", "text")
	r := request1(t, "gopher://h/0/a/b")
	res, err := New().Attributes(t.Context(), s.env(t), r, scheme.AttributesOptions{ServerInfo: true})
	if err != nil {
		t.Fatal(err)
	}
	if want := `[caps.txt PathDelimeter "/"] [caps.txt ServerAdmin "a@b"]`; attrList(res.Attr) != want {
		t.Errorf("%s, want %s", attrList(res.Attr), want)
	}
}

// TestCapsInterrupted cancels the context while caps.txt is received: the attributes are unknown,
// not empty.
//
// Covers: A7, P6
func TestCapsInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	s := say("", "text")
	begun, more := io.Pipe()
	s.replies[0] = begun
	go func() {
		io.WriteString(more, "CAPS\n")
		cancel()
	}()
	res, err := New().Attributes(ctx, s.env(t), request1(t, "gopher://h/0/x"), scheme.AttributesOptions{ServerInfo: true})
	if res != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, %v", res, err)
	}
}

func attrList(a scheme.Attr) string {
	var list []string
	for _, m := range a.More {
		list = append(list, fmt.Sprintf("[%s %s %q]", m.Block, m.Name, m.Value))
	}
	return strings.Join(list, " ")
}

// TestCapsKept requests caps.txt once per server, and again when it has expired.
//
// Covers: A7
func TestCapsKept(t *testing.T) {
	t.Parallel()
	for expire, want := range map[string]int{"3600": 1, "0": 3} {
		w := start(t, gophertest.Caps("CAPS\nServerAdmin=a@b\nExpireCapsAfter="+expire+"\n"))
		for range 3 {
			res, err := w.c.Access(t.Context(), scheme.Request{URL: w.Item('9', "/etc/motd", "")}, &scheme.AccessOptions{ServerInfo: true})
			if err != nil {
				t.Fatal(err)
			}
			res.Close()
			if len(res.Attr.More) != 2 || res.Attr.More[0].Value != "a@b" {
				t.Errorf("attributes %+v", res.Attr.More)
			}
		}
		asked := 0
		for _, line := range w.Lines() {
			if line == capsSelector {
				asked++
			}
		}
		if asked != want {
			t.Errorf("ExpireCapsAfter=%s: asked %d times, want %d", expire, asked, want)
		}
	}
}

// TestCapsStalls waits a few seconds for a server that does not answer the request for caps.txt,
// then goes on.
//
// Covers: A7, P6
func TestCapsStalls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := say("", "text")
		s.replies[0], _ = io.Pipe()
		begin := time.Now()
		res, err := s.access(t, request1(t, "gopher://h/0/x"), scheme.AccessOptions{ServerInfo: true})
		if err != nil || bodyOf(t, res) != "text" || time.Since(begin) != capsTimeout {
			t.Errorf("after %v: %+v, %v", time.Since(begin), res, err)
		}
	})
}

// Covers: P6, T151
func FuzzCaps(f *testing.F) {
	f.Add("CAPS\nPathDelimeter=/\nServerDefaultEncoding=UTF-8\nExpireCapsAfter=1\n")
	f.Add("CAPS\r\nServerSoftware=x\r\n=\r\nDefaultEncoding=\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		var c caps
		c.parse(text)
		if len(c.keys) > maxCapsKeys || c.lifetime < 0 {
			t.Errorf("%d keys, lifetime %v", len(c.keys), c.lifetime)
		}
		for _, k := range c.keys {
			if strings.ContainsAny(k.Name+k.Value, "\r\n\x00\x1b") {
				t.Errorf("%+v", k)
			}
		}
	})
}
