package gopher

import (
	"crypto/tls"
	"time"

	"locator/client"
	"locator/scheme/gopher/gophertest"
	tree "locator/schemetest/peer"

	"errors"
	"strings"
	"testing"

	"locator"
	"locator/scheme"
	"locator/wire"
)

// TestRequestOctets checks the requests of RFC 1738 3.4.1 to 3.4.9.
//
// Covers: S9, A7
func TestRequestOctets(t *testing.T) {
	t.Parallel()
	tests := []struct{ url, want string }{
		{"gopher://h", "\r\n"},
		{"gopher://h/", "\r\n"},
		{"gopher://h/1", "\r\n"},
		{"gopher://h/11/sub", "1/sub\r\n"},
		{"gopher://h/0/a%20b", "/a b\r\n"},
		{"gopher://h/00/hello", "0/hello\r\n"},
		{"gopher://h/0//a//b/", "//a//b/\r\n"},
		{"gopher://h/0/a/../b/.", "/a/../b/.\r\n"},
		{"gopher://h/0/caf%e9%FF", "/caf\xe9\xff\r\n"},
		{"gopher://h/0%25%2509%2f", "%%09/\r\n"},
		{"gopher://h/%30/x", "/x\r\n"},
		{"gopher://h/7/s%09foo%20bar", "/s\tfoo bar\r\n"},
		{"gopher://h/7/s%09", "/s\t\r\n"},
		{"gopher://h/7/s?foo%09x", "/s?foo\tx\r\n"},
		{"gopher://h/0/s?foo", "/s?foo\r\n"},
		{"gopher://h/0/s%09words", "/s\twords\r\n"},

		// One TAB or two.
		{"gopher://h/0sel%09%09+", "sel\t+\r\n"},
		{"gopher://h/0sel%09%09", "sel\t\r\n"},
		{"gopher://h/0sel%09%09+application/postscript%20Es_ES", "sel\t+application/postscript Es_ES\r\n"},
		{"gopher://h/7sel%09words%09+", "sel\twords\t+\r\n"},
		{"gopher://h/7sel%09%09!", "sel\t\t!\r\n"},
		{"gopher://h/1waissrc:/x%09%09!", "waissrc:/x\t\t!\r\n"},
		{"gopher://h/1mindex:/x%09%09!", "mindex:/x\t\t!\r\n"},
		{"gopher://h/0sel%09words%09+", "sel\twords\t+\r\n"},
		{"gopher://h/0sel%09%09!", "sel\t!\r\n"},
		{"gopher://h/1sel%09%09$", "sel\t$\r\n"},

		// Attributes.
		{"gopher://h/0sel%09%09!+ABSTRACT", "sel\t!+ABSTRACT\r\n"},
		{"gopher://h/0sel%09%09!+ABSTRACT%20+SMELL", "sel\t!+ABSTRACT+SMELL\r\n"},
		{"gopher://h/1%09%09$+VIEWS%20%20+ABSTRACT+ADMIN", "\t$+VIEWS+ABSTRACT+ADMIN\r\n"},
		{"gopher://h/0sel%09%09!ABSTRACT", "sel\t!ABSTRACT\r\n"},
		{"gopher://h/0/doc%09%09%25", "/doc\t%\r\n"}, // a command of tomorrow
	}
	for _, tt := range tests {
		s := say("x")
		res, err := s.access(t, request1(t, tt.url))
		if err != nil && codeOf(err) == scheme.CodeRefused {
			t.Errorf("%s: %v", tt.url, err)
			continue
		}
		if got := strings.Join(s.requests(), ""); got != tt.want {
			t.Errorf("%s: sent %q, want %q", tt.url, got, tt.want)
		}
		_ = res
	}
}

// TestFilledFormOctets checks that a filled form is parsed completely and encoded again.
//
// Covers: S9, A7, P2, T143
func TestFilledFormOctets(t *testing.T) {
	t.Parallel()
	tests := []struct{ plus, want string }{
		{"+%091%0D%0A+-1%0D%0Av1%0D%0Av2%0D%0A.%0D%0A", "+\t1\r\n+-1\r\nv1\r\nv2\r\n.\r\n"}, // RFC 1738 3.4.9
		{"+%091%0D%0A+-1%0D%0A.%0D%0A", "+\t1\r\n+-1\r\n.\r\n"},
		{"+%091%0D%0A+-1%0D%0A%0D%0A%0D%0A.%0D%0A", "+\t1\r\n+-1\r\n\r\n\r\n.\r\n"},
		{"+%091%0D%0A+-1%0D%0A..%0D%0A.x%0D%0A.%0D%0A", "+\t1\r\n+-1\r\n..\r\n.x\r\n.\r\n"},
		{"+%091%0D%0A+-1%0D%0Aa%09b%0D%0A.%0D%0A", "+\t1\r\n+-1\r\na\tb\r\n.\r\n"},
		{"+text/plain%20En_US%091%0D%0A+-1%0D%0Ax%0D%0A.%0D%0A", "+text/plain En_US\t1\r\n+-1\r\nx\r\n.\r\n"},
		{"+%091%0D%0A+6%0D%0A.%0D%0Ax%0D%0A", "+\t1\r\n+6\r\n.\r\nx\r\n"},
		{"+%091%0D%0A+0%0D%0A", "+\t1\r\n+0\r\n"},
	}
	for _, tt := range tests {
		s := say("+0\r\n")
		r := request1(t, "gopher://h/0/f%09%09"+tt.plus)
		if _, err := s.access(t, r); err != nil {
			t.Errorf("%s: %v", tt.plus, err)
			continue
		}
		if got, want := strings.Join(s.requests(), ""), "/f\t"+tt.want; got != want {
			t.Errorf("%s: sent %q, want %q", tt.plus, got, want)
		}
	}
}

// TestHostileURLs rejects URLs such as the one of RFC 1738 section 6 that is an SMTP dialogue.
//
// Covers: P2, T142, T143
func TestHostileURLs(t *testing.T) {
	t.Parallel()
	for _, path := range []string{
		"0a%0D%0Ab", "0a%0Ab", "0a%0Db", "0a%00b",
		"7/s%09a%0D%0Ab", "7/s%09a%00", "0/s%09a%0A",
		"0/f%09%09+%0D%0AHELO%20x", "0/f%09%09!%0A", "0/f%09%09$%00", "0/f%09%09?%09x", "0/f%09%09x%091",
		"0/f%09%09+%091", "0/f%09%09+%092%0D%0A+-1%0D%0A.%0D%0A", "0/f%09%09!%091%0D%0A+-1%0D%0A.%0D%0A",
		"0/f%09%09+%091%0D%0A", "0/f%09%09+%091%0D%0A+-1%0D%0A", "0/f%09%09+%091%0D%0A+-1%0D%0Ax%0D%0A",
		"0/f%09%09+%091%0D%0A+-1%0D%0Ax%0D%0A.%0D%0AHELO%20x%0D%0A", "0/f%09%09+%091%0D%0A+-1%0D%0Ax%0D%0A.%0D%0A.%0D%0A",
		"0/f%09%09+%091%0D%0A+-1%0D%0A.%0D%0Ax%0D%0A.%0D%0A", "0/f%09%09+%091%0D%0A+-1%0D%0Aa%0Ab%0D%0A.%0D%0A",
		"0/f%09%09+%091%0D%0A+-1%0D%0Aa%0Db%0D%0A.%0D%0A", "0/f%09%09+%091%0D%0A+-1%0D%0Aa%00b%0D%0A.%0D%0A",
		"0/f%09%09+%091%0D%0A+5%0D%0Ax%0D%0A", "0/f%09%09+%091%0D%0A+2%0D%0Ax%0D%0A", "0/f%09%09+%091%0D%0A+-3%0D%0Ax%0D%0A",
		"0/f%09%09+%091%0D%0A++3%0D%0Ax%0D%0A", "0/f%09%09+%091%0D%0A+99999999999999999999%0D%0Ax%0D%0A", "0/f%09%09+%091%0D%0A%0D%0A",
		"0/f%09%09+%091%0D%0A+1%0D%0Ax", "0/f%09%09+a%0Db%091%0D%0A+-1%0D%0A.%0D%0A", "0/f%09%09+%090%0D%0Ax",
		"0/f%09%09+%090", "0/f%09%09+%091%0D%0A+-1%0D%0Ax%0D%0A.", "0/f%09%09+%091%0D%0A+-2%0D%0Ax%0D%0A",
	} {
		s := say("x")
		r := request1(t, "gopher://h/"+path)
		_, err := s.access(t, r)
		if codeOf(err) != scheme.CodeRefused {
			t.Errorf("%s: %v, want a refusal", path, err)
		}
		for _, err := range listed(New().List(t.Context(), s.env(t), r, scheme.ListOptions{})) {
			if codeOf(err) != scheme.CodeRefused {
				t.Errorf("%s: list returned %v", path, err)
			}
		}
		if _, err := New().Attributes(t.Context(), s.env(t), r, scheme.AttributesOptions{}); codeOf(err) != scheme.CodeRefused {
			t.Errorf("%s: Attributes returned %v, want a refusal", path, err)
		}
		if _, err := New().Steps(r.URL); codeOf(err) != scheme.CodeRefused {
			t.Errorf("%s: Steps returned %v, want a refusal", path, err)
		}
		if len(s.requests()) != 0 {
			t.Errorf("%s: connected, and sent %q", path, s.requests())
		}
	}
	_, err := say().access(t, request1(t, "gopher://h/0a%0Ab"))
	if unsafe, ok := errors.AsType[*wire.UnsafeError](err); !ok || unsafe.What != "selector" || unsafe.Octet != '\n' {
		t.Errorf("%v does not name the part and the byte", err)
	}
	if _, err := say().access(t, request1(t, "gopher://h:0/1")); codeOf(err) != scheme.CodeRefused {
		t.Errorf("port 0: %v", err)
	}
	if _, err := say().access(t, request1(t, "gopher://h:70000/1")); codeOf(err) != scheme.CodeRefused {
		t.Errorf("port 70000: %v", err)
	}
}

// Covers: A7
func TestSteps(t *testing.T) {
	t.Parallel()
	tests := []struct {
		url  string
		want string // joined by " | "
		code scheme.Code
	}{
		{"gopher://h.dom", `CONNECT h.dom:70 | `, scheme.CodeOK},
		{"gopher://h.dom:7070/00/a%20b", `CONNECT h.dom:7070 | 0/a b`, scheme.CodeOK},
		{"gopher://h.dom/7/s", `CONNECT h.dom:70 | /s\x09?`, scheme.CodeOK},
		{"gopher://h.dom/7/s%09caf%C3%A9", `CONNECT h.dom:70 | /s\x09caf\xc3\xa9`, scheme.CodeOK},
		{"gopher://h.dom/0/f%09%09?", `CONNECT h.dom:70 | /f\x09!`, scheme.CodeOK},
		{"gopher://h.dom/0/f%09%09+%091%0D%0A+-1%0D%0Ax%0D%0A.%0D%0A", `CONNECT h.dom:70 | /f\x09+\x091 | +-1 | x | .`, scheme.CodeOK},
		{"gopher://h.dom:23/8guest", `CONNECT h.dom:23`, scheme.CodeOK},
		{"gopher://h.dom:105/2%09name=x%20return%20all", ``, scheme.CodeUnsupported},
		{"gopher://h.dom/i", ``, scheme.CodeUnsupported},
		{"gopher://h.dom/0%0A", ``, scheme.CodeRefused},
	}
	for _, tt := range tests {
		steps, err := New().Steps(request1(t, tt.url).URL)
		if got := strings.Join(steps, " | "); got != tt.want || codeOf(err) != tt.code {
			t.Errorf("%s: %s, %v; want %s, %v", tt.url, got, err, tt.want, tt.code)
		}
		if tt.code != scheme.CodeOK || strings.Contains(tt.url, "/8") ||
			strings.Contains(tt.url, "/7/s") && !strings.Contains(tt.url, "%09") {
			continue
		}
		// Steps must be what is sent.
		s := say("+INFO: 0x\t\t\t\r\n.\r\n")
		s.access(t, request1(t, tt.url))
		var sent []string
		for _, line := range strings.Split(strings.TrimSuffix(strings.Join(s.requests(), ""), "\r\n"), "\r\n") {
			sent = append(sent, wire.Escape(line))
		}
		if got, want := strings.Join(sent, " | "), strings.Join(steps[1:], " | "); got != want {
			t.Errorf("%s: sent %s, told %s", tt.url, got, want)
		}
	}
	u, err := locator.Current.Parse("gopher://[::1]/1")
	if err != nil {
		t.Fatal(err)
	}
	if steps, _ := New().Steps(u); steps[0] != "CONNECT [::1]:70" {
		t.Errorf("steps %q", steps)
	}
}

// TestRequestURL checks that the URL of a request makes the same request.
//
// Covers: S17, A7
func TestRequestURL(t *testing.T) {
	t.Parallel()
	for _, url := range []string{
		"gopher://h/1", "gopher://h:7070/0/a%20b", "gopher://h/7/s%09w%09+", "gopher://h/0/x%09%09!+A+B",
		"gopher://h/0/f%09%09+v%20l%091%0D%0A+-1%0D%0Aa%09b%0D%0A.%0D%0A", "gopher://h/0/f%09%09+%091%0D%0A+3%0D%0A.%0D%0A",
	} {
		q, err := newPlace(request1(t, url).URL)
		if err != nil {
			t.Errorf("%s: %v", url, err)
			continue
		}
		u, err := q.url()
		if err != nil {
			t.Errorf("%s: %v", url, err)
			continue
		}
		again, err := newPlace(u)
		if err != nil {
			t.Errorf("%s: %s: %v", url, u, err)
			continue
		}
		a, _ := q.lines()
		b, _ := again.lines()
		if wire.Lines(a...).String() != wire.Lines(b...).String() || q.addr != again.addr {
			t.Errorf("%s became %s", url, u)
		}
	}
}

// FuzzCommand checks that no Gopher+ string sends a line end, TAB or NUL beyond those of a form.
//
// Covers: P2, T142
func FuzzCommand(f *testing.F) {
	for _, s := range []string{"", "+", "?", "!+A +B", "$", "+v l", "+\t1\r\n+-1\r\na\r\n.\r\n", "+\t1\r\n+3\r\n.\r\n", "%", "+\t1\r\n+-1\r\n.\r\nX\r\n.\r\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, err := parseCommand(&locator.Gopher{Plus: locator.Some(s)})
		if err != nil || !c.set() {
			return
		}
		q := place{server: server{host: "h", port: 70}, typ: '0', selector: "x", search: locator.Some(""), plus: c}
		lines, err := q.lines()
		if err != nil {
			t.Fatalf("%q parses, but makes no lines: %v", s, err)
		}
		if c.block == nil && len(lines) != 1 {
			t.Fatalf("%q makes %d lines", s, len(lines))
		}
		if c.block != nil && !c.block.counted {
			for _, l := range lines[2 : len(lines)-1] {
				if l.String() == endMark {
					t.Fatalf("%q ends before its end", s)
				}
			}
		}
		again, err := parseCommand(&locator.Gopher{Plus: locator.Some(c.text())})
		if err != nil || again.text() != c.text() {
			t.Fatalf("%q parses as %q, which parses as %q, %v", s, c.text(), again.text(), err)
		}
	})
}

// Covers: A7
func TestGophersRequest(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"gophers://h.dom":                     `CONNECT h.dom:70 | `,
		"gophers://h.dom:7070/0/a%20b%09%09+": `CONNECT h.dom:7070 | /a b\x09+`,
		"gophers://[::1]/7/s%09x":             `CONNECT [::1]:70 | /s\x09x`,
	} {
		u, err := locator.Current.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		steps, err := NewTLS().Steps(u)
		if got := strings.Join(steps, " | "); got != want || err != nil {
			t.Errorf("%s: %s, %v; want %s", text, got, err, want)
		}
		q, err := newPlace(u)
		if err != nil || !q.secure {
			t.Errorf("%s: %+v, %v", text, q, err)
			continue
		}
		again, err := q.url()
		if err != nil || text != "gophers://h.dom" && again.Text() != text {
			t.Errorf("%s became %s, %v", text, again, err)
		}
	}
	for text, code := range map[string]scheme.Code{
		"gophers:": scheme.CodeMalformed, "gophers://h dom": scheme.CodeMalformed, "gophers://u@h/1": scheme.CodeMalformed, "gophers://h:0/1": scheme.CodeRefused,
		"gophers://h/0a%0D%0Ab": scheme.CodeRefused, "gophers://h/3": scheme.CodeUnsupported,
	} {
		u, err := locator.Current.Parse(text)
		if err != nil {
			continue // not a URL
		}
		if _, err := NewTLS().Steps(u); codeOf(err) != code {
			t.Errorf("%s: %v, want %v", text, err, code)
		}
	}
}

// TestGophersLinks checks that items of the same server are gophers URLs, and those of other
// servers are not.
//
// Covers: A7
func TestGophersLinks(t *testing.T) {
	t.Parallel()
	r := reader{here: server{host: "h.dom", port: 70, secure: true}}
	for in, want := range map[string]string{
		"0A\t/a\th.dom\t70":                "object|A|gophers://h.dom/0/a\n",
		"0A\t/a\tH.DOM\t70\t+":             "object|A|gophers://H.DOM/0/a%09%09+\n",
		"0A\t/a":                           "object|A|gophers://h.dom/0/a\n",
		"0A\t/a\th.dom\t7070":              "object|A|gopher://h.dom:7070/0/a\n",
		"0A\t/a\tother.dom\t70":            "object|A|gopher://other.dom/0/a\n",
		"hA\tURL:gophers://o.dom/7x\tx\t1": "query|A|gophers://o.dom/7x\n",
	} {
		if got := line(r.entry(parseItem(in))); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestGophersDoesNotFallBack fails for a server without TLS and for an unknown certificate.
//
// Covers: A7, T19, T20
func TestGophersDoesNotFallBack(t *testing.T) {
	t.Parallel()
	open := start(t)
	u, err := locator.Current.Parse("gophers:" + open.URL("text.txt").SchemePart())
	if err != nil {
		t.Fatal(err)
	}
	secure, err := gophertest.Start(tree.Tree(), gophertest.TLS())
	if err != nil {
		t.Fatal(err)
	}
	defer secure.Close()
	// A server without TLS may wait for the end of a line.
	c := client.New(client.Options{Registry: scheme.NewRegistry(New(), NewTLS()), Limits: scheme.Limits{Idle: 2 * time.Second}})
	defer c.Close()
	if _, err := c.Access(t.Context(), scheme.Request{URL: u}, nil); client.CodeOf(err) == scheme.CodeOK || client.CodeOf(err) == scheme.CodeInterrupted {
		t.Errorf("a server without TLS: %v", err)
	}
	for _, l := range open.Lines() {
		if strings.Contains(l, "text.txt") {
			t.Errorf("sent without TLS: %q", l)
		}
	}
	if _, err := c.Access(t.Context(), scheme.Request{URL: secure.URL("text.txt")}, nil); client.CodeOf(err) != scheme.CodeUntrusted {
		t.Errorf("an unknown certificate: %v", err)
	}
	if lines := secure.Lines(); len(lines) > 0 {
		t.Errorf("sent %q", lines)
	}
	knows := client.New(client.Options{Registry: scheme.NewRegistry(New(), NewTLS()), TLS: &tls.Config{RootCAs: secure.Roots()}})
	defer knows.Close()
	for e, err := range client.Entries(knows.List(t.Context(), scheme.Request{URL: secure.URL("")}, nil)) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind != scheme.KindNote && e.URL.Scheme() != "gophers" {
			t.Errorf("the entry %q has the URL %s", e.Name, e.URL)
		}
	}
}
