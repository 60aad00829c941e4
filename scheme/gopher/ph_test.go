package gopher

import (
	"io"
	"slices"
	"strings"
	"testing"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/gopher/gophertest"
)

// A CSO name server end to end: the query is asked for, its answer is a text, and a listing of entries.
//
// Covers: A7, P2
func TestPhonebook(t *testing.T) {
	t.Parallel()
	b, err := gophertest.StartPhonebook(gophertest.People())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	c := client.New(client.Options{Registry: scheme.NewRegistry(New()), Syntax: locator.RFC1738})
	t.Cleanup(func() { c.Close() })

	res, err := c.Access(t.Context(), scheme.Request{URL: b.URL()})
	if err != nil || res.Kind != scheme.KindQuery {
		t.Fatalf("%+v, %v", res, err)
	}
	u, ok := res.Form.Fill([]scheme.Answer{{Value: "alan"}})
	if !ok || u != b.URL("alan") {
		t.Errorf("filled in: %s, %v", u, ok)
	}
	if len(b.Lines()) != 0 {
		t.Errorf("it was sent %q before there was a query", b.Lines())
	}

	const alan = "alias: a-turing\nname: Turing Alan\nemail: alan@host.invalid\nphone: +44 1\naddress: Bletchley Park\n  Hut 8\n"
	for words, want := range map[string]string{
		"alan":                             alan,
		"hopper return name department":    "name: Hopper Grace\ndepartment: Computation Laboratory\n\nname: Hopper Gr\u00e9goire\n",
		"alias=g-hopper2 return email":     "email: gregoire@host.invalid\n",
		"nobody":                           "",
		"name=hopper email=grace return x": "wrong usage",
	} {
		res, err := c.Access(t.Context(), scheme.Request{URL: b.URL(), Query: words, HasQuery: true})
		if err != nil {
			if client.CodeOf(err).String() != want {
				t.Errorf("%q: %v", words, err)
			}
			continue
		}
		got, err := io.ReadAll(res.Body)
		if string(got) != want || err != nil || res.Attr.Type != "text/plain; charset=utf-8" || (want == "") != (len(res.Notes) == 1) {
			t.Errorf("%q: %q, %v, notes %q, type %s; want %q", words, got, err, res.Notes, res.Attr.Type, want)
		}
		res.Close()
	}

	var names []string
	for e, err := range c.List(t.Context(), scheme.Request{URL: b.URL("hopper")}) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, e.Name)
		if e.Kind != scheme.KindNote || e.Attr.More[0] != (scheme.Attribute{Name: "alias", Value: "g-hopper" + strings.Repeat("2", len(names)-1)}) {
			t.Errorf("entry %+v", e)
		}
	}
	if !slices.Equal(names, []string{"Hopper Grace", "Hopper Gr\u00e9goire"}) {
		t.Errorf("entries %q", names)
	}
	for _, err := range c.List(t.Context(), scheme.Request{URL: b.URL("hopper"), Max: 1}) {
		if err != nil {
			t.Error(err)
		}
	}
	for _, err := range c.List(t.Context(), scheme.Request{URL: b.URL()}) {
		if client.CodeOf(err) != scheme.CodeUsage {
			t.Errorf("listed without a query: %v", err)
		}
	}

	a, err := c.Attributes(t.Context(), scheme.Request{URL: b.URL()})
	if text := attrText(a); err != nil || !strings.Contains(text, `[siteinfo administrator "keeper@host.invalid"]`) ||
		!strings.Contains(text, `[fields department "The department of a person."]`) {
		t.Errorf("attributes %s, %v", text, err)
	}
	if got := b.Lines(); !slices.Contains(got, "query alan") || !slices.Contains(got, "quit") {
		t.Errorf("it was sent %q", got)
	}
	if _, err := c.Access(t.Context(), scheme.Request{URL: b.URL(), Query: "a\r\nadd x=y", HasQuery: true}); client.CodeOf(err) != scheme.CodeRefused {
		t.Errorf("a query of two lines: %v", err)
	}
}

// Replies that name servers give, or should not.
//
// Covers: A7, P6
func TestPhonebookReplies(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, reply string
		want        string
		code        scheme.Code
	}{
		{"LF, blanks, progress", "100:wait\n-200 :1: name : A \n-200:1: : B\n-508:1: x: Not present in entry.\n-503:1: y: You may not view this field.\n200:Ok\n", "name: A\n  B\n", scheme.CodeOK},
		{"Latin-1", "-200:1:name: caf\xe9\r\n200:Ok\r\n", "name: caf\u00e9\n", scheme.CodeOK},
		{"a colon in a value", "-200:1:url: http://h/:x\r\n200:Ok\r\n", "url: http://h/:x\n", scheme.CodeOK},
		{"controls", "-200:1:name: a\x1b[2Jb\r\n200:Ok\r\n", "name: a\uFFFD[2Jb\n", scheme.CodeOK},
		{"nothing", "501:No matches to your query.\r\n", "", scheme.CodeOK},
		{"too many", "502:Too many matches.\r\n", "", scheme.CodeUsage},
		{"not indexed", "515:No indexed field in query.\r\n", "", scheme.CodeUsage},
		{"a login", "506:You must be logged in.\r\n", "", scheme.CodeLoginNeeded},
		{"busy", "475:Database unavailable; try later.\r\n", "", scheme.CodeUnavailable},
		{"an unknown command", "598:Command unknown.\r\n", "", scheme.CodeUnsupported},
		{"an unknown code", "599:x\r\n", "", scheme.CodeUsage},
		{"another unknown code", "777:\x1b[2J\r\n", "", scheme.CodeProtocol},
		{"an error behind an entry", "-200:1:name: A\r\n520:CPU usage exceeded.\r\n", "name: A\n", scheme.CodeUnavailable},
		{"closed", "", "", scheme.CodeBroken},
		{"torn", "-200:1:name: A\r\n-200:2:na", "name: A\n", scheme.CodeBroken},
		{"a gopher server", "3 no such thing\t\terror.host\t1\r\n", "", scheme.CodeProtocol},
		{"HTTP", "HTTP/1.0 400 Bad Request\r\n", "", scheme.CodeProtocol},
		{"a line too long", "-200:1:name: " + strings.Repeat("x", 9000) + "\r\n", "", scheme.CodeBroken},
		{"an entry too long", strings.Repeat("-200:1:name: "+strings.Repeat("x", 4000)+"\r\n", 100), "", scheme.CodeBroken},
		{"an entry of lines with nothing in them", strings.Repeat("-200:1:\r\n", 60_000) + "200:Ok\r\n", "", scheme.CodeBroken},
		{"an entry of names without values", strings.Repeat("-200:1:a:\r\n", 60_000) + "200:Ok\r\n", "", scheme.CodeBroken},
		{"without an end", strings.Repeat("100:wait\r\n", 200_000), "", scheme.CodeBroken},
	}
	for _, tt := range tests {
		s := say(tt.reply)
		env := s.env()
		env.Limits.Listing = 1 << 20
		res, err := New().Access(t.Context(), env, request1(t, "gopher://h:105/2%09x"))
		var got []byte
		if err == nil {
			got, err = io.ReadAll(res.Body)
			res.Close()
		}
		code := codeOf(err)
		if err != nil && strings.Contains(err.Error(), "limit") {
			code = scheme.CodeBroken
		}
		if string(got) != tt.want || code != tt.code || err != nil && strings.ContainsAny(err.Error(), "\x1b\r\n") {
			t.Errorf("%s: %q, %v; want %q, %v", tt.name, got, err, tt.want, tt.code)
		}
		if s.closed != 1 {
			t.Errorf("%s: %d connections closed", tt.name, s.closed)
		}
	}
	// A listing is bounded, and ends where nobody wants more of it.
	s := say(strings.Repeat("-200:1:name: A\r\n-200:2:name: B\r\n", 10) + "200:Ok\r\n")
	env := s.env()
	env.Limits.Entries = 3
	n := 0
	var last error
	for _, err := range New().List(t.Context(), env, request1(t, "gopher://h:105/2%09x")) {
		if last = err; err == nil {
			n++
		}
	}
	if n != 3 || codeOf(last) != scheme.CodeBroken {
		t.Errorf("%d entries, %v", n, last)
	}
	// A server that knows neither question has no attributes, and that is no error.
	a, err := New().Attributes(t.Context(), say("598:no\r\n598:no\r\n").env(), request1(t, "gopher://h:105/2"))
	if err != nil || a.More != nil {
		t.Errorf("%+v, %v", a, err)
	}
}

// Covers: P6
func FuzzPhonebook(f *testing.F) {
	f.Add("-200:1:         alias: s-dorner\r\n-200:1:              : more\r\n200:Ok.\r\n")
	f.Add("102:There was 1 match\n-508:2:x:\n501:\n")
	f.Add("-200:99999999999:\r\n200:")
	u := locator.MustParse("gopher://h:105/2%09x")
	f.Fuzz(func(t *testing.T, reply string) {
		env := say(reply).env()
		env.Limits.Entries = 10
		for e, err := range New().List(t.Context(), env, scheme.Request{URL: u}) {
			if err != nil {
				break
			}
			for _, m := range append(e.Attr.More, scheme.Attribute{Name: e.Name}) {
				if strings.ContainsAny(m.Name, "\r\n\x1b\x00") || strings.ContainsAny(m.Value, "\r\x1b\x00") {
					t.Errorf("%+v", m)
				}
			}
		}
		res, err := New().Access(t.Context(), say(reply).env(), scheme.Request{URL: u})
		if err != nil {
			return
		}
		io.Copy(io.Discard, res.Body)
		res.Close()
	})
}
