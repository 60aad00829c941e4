package gopher

import (
	"crypto/tls"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/gopher/gophertest"
	tree "locator/schemetest/peer"
)

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
		q, err := newRequest(u)
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

// TestGophersLinks checks that items of the same server are gophers URLs, and those of other servers are not.
//
// Covers: A7
func TestGophersLinks(t *testing.T) {
	t.Parallel()
	r := reader{here: place{host: "h.dom", port: 70, secure: true}}
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
	for e, err := range knows.List(t.Context(), scheme.Request{URL: secure.URL("")}, nil) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind != scheme.KindNote && e.URL.Scheme() != "gophers" {
			t.Errorf("the entry %q has the URL %s", e.Name, e.URL)
		}
	}
}
