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

// TestPhonebook queries a CSO name server. The answer is a text for Access and entries for List.
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

	res, err := c.Access(t.Context(), scheme.Request{URL: b.URL()}, nil)
	if err != nil || res.Kind != scheme.KindQuery {
		t.Fatalf("%+v, %v", res, err)
	}
	u, ok := c.Fill(scheme.Request{URL: b.URL()}, res.Form, []scheme.Answer{{Value: "alan"}})
	if !ok || u != b.URL("alan") {
		t.Errorf("filled in: %s, %v", u, ok)
	}
	if len(b.Lines()) != 0 {
		t.Errorf("got %q before a query", b.Lines())
	}

	const alan = "alias: a-turing\nname: Turing Alan\nemail: alan@host.invalid\nphone: +44 1\naddress: Bletchley Park\n  Hut 8\n"
	for words, want := range map[string]string{
		"alan":                             alan,
		"hopper return name department":    "name: Hopper Grace\ndepartment: Computation Laboratory\n\nname: Hopper Gr\u00e9goire\n",
		"alias=g-hopper2 return email":     "email: gregoire@host.invalid\n",
		"nobody":                           "",
		"name=hopper email=grace return x": "wrong usage",
	} {
		res, err := c.Access(t.Context(), scheme.Request{URL: b.URL()}, &scheme.AccessOptions{Query: locator.Some(words)})
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
	for e, err := range c.List(t.Context(), scheme.Request{URL: b.URL("hopper")}, nil) {
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
	for _, err := range c.List(t.Context(), scheme.Request{URL: b.URL("hopper")}, &scheme.ListOptions{Max: 1}) {
		if err != nil {
			t.Error(err)
		}
	}
	for _, err := range c.List(t.Context(), scheme.Request{URL: b.URL()}, nil) {
		if client.CodeOf(err) != scheme.CodeUsage {
			t.Errorf("listed without a query: %v", err)
		}
	}

	a, err := c.Attributes(t.Context(), scheme.Request{URL: b.URL()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if text := attrText(a.Attr); !strings.Contains(text, `[siteinfo administrator "keeper@host.invalid"]`) ||
		!strings.Contains(text, `[fields department "The department of a person."]`) {
		t.Errorf("attributes %s", text)
	}
	if got := b.Lines(); !slices.Contains(got, "query alan") || !slices.Contains(got, "quit") {
		t.Errorf("the server received %q", got)
	}
	if _, err := c.Access(t.Context(), scheme.Request{URL: b.URL()}, &scheme.AccessOptions{Query: locator.Some("a\r\nadd x=y")}); client.CodeOf(err) != scheme.CodeRefused {
		t.Errorf("a query of two lines: %v", err)
	}
}

// TestPhonebookLimits checks the limit of entries, the charset, and a server that supports no command.
//
// Covers: A7, P6
func TestPhonebookLimits(t *testing.T) {
	t.Parallel()
	s := say(strings.Repeat("-200:1:name: A\r\n-200:2:name: B\r\n", 10) + "200:Ok\r\n")
	env := s.env(t)
	env.Limits.Entries = 3
	n := 0
	var last error
	for _, err := range listed(New().List(t.Context(), env, request1(t, "gopher://h:105/2%09x"), scheme.ListOptions{})) {
		if last = err; err == nil {
			n++
		}
	}
	if n != 3 || codeOf(last) != scheme.CodeBroken {
		t.Errorf("%d entries, %v", n, last)
	}
	for e, err := range listed(New().List(t.Context(), say("-200:1:name: caf\xe9\r\n200:Ok\r\n").env(t), request1(t, "gopher://h:105/2%09x"), scheme.ListOptions{})) {
		if err != nil || e.Name != "caf\u00e9" { // ISO 8859-1
			t.Errorf("%+v, %v", e, err)
		}
	}
	a, err := New().Attributes(t.Context(), say("598:no\r\n598:no\r\n").env(t), request1(t, "gopher://h:105/2"), scheme.AttributesOptions{})
	if err != nil || a.Attr.More != nil {
		t.Errorf("%+v, %v", a, err)
	}
}
