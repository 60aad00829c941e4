package gopher

import (
	"fmt"
	"io"
	"net/netip"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/internal/leaks"
	"locator/policy"
	"locator/scheme"
	"locator/scheme/form"
	"locator/scheme/gopher/gophertest"
	tree "locator/schemetest/peer"
)

// world is a server and its client.
type world struct {
	*gophertest.Server
	c *client.Client
}

func start(t *testing.T, opts ...gophertest.Option) world {
	t.Helper()
	s, err := gophertest.Start(tree.Tree(), opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	l := leaks.Watch(t)
	c := client.New(client.Options{
		Dial: l.Dial(nil), Registry: scheme.NewRegistry(Scheme{grace: 50 * time.Millisecond}), Syntax: locator.RFC1738,
		Policy: policy.New(policy.Options{Addresses: policy.PublicOnly, AllowAddrs: []netip.AddrPort{netip.MustParseAddrPort(s.Addr())}}),
	})
	l.Ends(c)
	return world{s, c}
}

// read accesses a URL and reads the body, or the lines of the listing.
func (w world) read(t *testing.T, u locator.URL) (string, *scheme.Resource, error) {
	t.Helper()
	res, err := w.c.Access(t.Context(), scheme.Request{URL: u}, nil)
	if err != nil {
		return "", nil, err
	}
	defer res.Close()
	var b strings.Builder
	switch res.Kind {
	case scheme.KindObject:
		_, err = io.Copy(&b, res.Body)
	case scheme.KindListing:
		for e, err := range res.Entries {
			if err != nil {
				return b.String(), res, err
			}
			b.WriteString(line(e))
		}
	}
	return b.String(), res, err
}

// TestFaults sends good replies with faults. The result is the same or an error.
//
// Covers: A7, P6
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, m := range gophertest.AllBehaviors() {
		w := start(t, gophertest.Behave(m))
		type want struct{ text, menu string }
		var good want
		var err error
		if good.text, _, err = w.read(t, w.URL("text.txt")); err != nil {
			t.Fatalf("%s: %v", m, err)
		}
		if good.menu, _, err = w.read(t, w.URL("etc", "")); err != nil || !strings.HasPrefix(good.menu, "object|motd|") {
			t.Fatalf("%s: %q, %v", m, good.menu, err)
		}
		for fault, codes := range map[tree.Fault][2]scheme.Code{
			gophertest.StayOpen:    {scheme.CodeOK, scheme.CodeOK},
			gophertest.SplitHeader: {scheme.CodeOK, scheme.CodeOK},
			gophertest.NoMark:      {scheme.CodeOK, scheme.CodeOK},
			gophertest.LFOnly:      {scheme.CodeOK, scheme.CodeOK},
			gophertest.CROnly:      {scheme.CodeOK, scheme.CodeOK},
			gophertest.Silent:      {scheme.CodeOK, scheme.CodeProtocol}, // an empty text is a text
		} {
			if fault == gophertest.StayOpen && !strings.Contains("strict, plain, UMN gopherd 2.3.0, UMN gopherd 3.0.5", m.String()) {
				continue // without an end mark or a length the end cannot be recognized
			}
			w.Misbehave(fault)
			text, _, err := w.read(t, w.URL("text.txt"))
			same := good.text
			if fault == gophertest.Silent {
				same = ""
			}
			if fault == gophertest.CROnly {
				text = strings.TrimSuffix(text, ".\r") // an end mark is a line, and a text without LF has one line only
			}
			if linesOf(text) != linesOf(same) || client.CodeOf(err) != codes[0] {
				t.Errorf("%s, %s: %q, %v; want %q, %v", m, fault, text, err, same, codes[0])
			}
			menu, _, err := w.read(t, w.URL("etc", ""))
			if client.CodeOf(err) != codes[1] || err == nil && menu != good.menu {
				t.Errorf("%s, %s: menu: %q, %v; want %q, %v", m, fault, menu, err, good.menu, codes[1])
			}
		}
	}
}

// linesOf returns a text with LF as line end.
func linesOf(text string) string {
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
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

// TestSearch fills in a search and reads the items that it finds.
//
// Covers: A7
func TestSearch(t *testing.T) {
	t.Parallel()
	for _, m := range gophertest.AllBehaviors() {
		w := start(t, gophertest.Behave(m))
		res, err := w.c.Access(t.Context(), scheme.Request{URL: w.SearchURL()}, nil)
		if err != nil || res.Kind != scheme.KindQuery {
			t.Fatalf("%s: %+v, %v", m, res, err)
		}
		u, ok := w.c.Fill(scheme.Request{URL: w.SearchURL()}, res.Form, []form.Answer{{Name: "Search", Value: "caf"}})
		if !ok || u != w.SearchURL("caf") {
			t.Errorf("%s: %s", m, u)
		}
		found, _, err := w.read(t, u)
		if strings.Count(found, "object|caf") != 2 || err != nil {
			t.Errorf("%s: found %q, %v", m, found, err)
		}
		if _, _, err := w.read(t, w.SearchURL("no such")); err != nil && m.String() != "pygopherd 3.0" {
			t.Errorf("%s: nothing found: %v", m, err) // pygopherd sends an empty reply
		}
	}
}

// TestPlusEndToEnd reads attributes, views and a form, and follows an item that has moved, as far as policy allows.
//
// Covers: A7, P5
func TestPlusEndToEnd(t *testing.T) {
	t.Parallel()
	var got string
	w := start(t,
		gophertest.Document("doc", "About doc.", gophertest.View{Type: "text/plain", Language: "De_DE", Content: "Hallo\n"}, gophertest.View{Type: "text/plain", Language: "En_US", Content: "Hello\n"}),
		gophertest.Ask("form", gophertest.Form{
			Ask:    []string{"Note: Hello", "Ask: Name\tnobody", "AskL: Text", "ChooseF: File"},
			Handle: func(data string) string { got = data; return "Thanks\r\n" },
		}),
		gophertest.Reply("/outside\t+", "--1\r\n3 0There\t/x\t192.0.2.1\t70\t+\r\n.\r\n"),
	)
	host, port, _ := strings.Cut(w.Addr(), ":")
	w2 := start(t, gophertest.Reply("/old\t+", "--1\r\n3 0There\t/doc\t"+host+"\t"+port+"\t+\r\n.\r\n"), gophertest.Reply("/loop\t+", "--2\r\n3 0There\t/loop\t\t\t+\r\n"))
	w2.c = w.c

	a, err := w.c.Attributes(t.Context(), scheme.Request{URL: w.Item('0', "/doc", "+")}, nil)
	if err != nil || a.Attr.Type != "text/plain" || a.Attr.Size.Or(0) != 6 || !strings.Contains(attrText(a.Attr), `[+ABSTRACT "About doc."]`) {
		t.Errorf("attributes %+v, %v", a, err)
	}
	res, err := w.c.Access(t.Context(), scheme.Request{URL: w.Item('0', "/doc", "+")}, &scheme.AccessOptions{Accept: scheme.Accept{Languages: []string{"en"}}})
	if err != nil {
		t.Fatal(err)
	}
	if text := bodyOf(t, res); text != "Hello\n" {
		t.Errorf("the English view is %q", text)
	}
	res.Close()

	res, err = w.c.Access(t.Context(), scheme.Request{URL: w.Item('0', "/form", "?")}, nil)
	if err != nil || res.Kind != scheme.KindForm {
		t.Fatalf("%+v, %v", res, err)
	}
	ask := scheme.Request{URL: w.Item('0', "/form", "?")}
	done, err := w.c.Submit(t.Context(), ask, scheme.SubmitOptions{Form: res.Form,
		Answers: []form.Answer{{Name: "Text", Value: "a\n."}, {Name: "File", File: strings.NewReader("octets")}}})
	if err != nil {
		t.Fatal(err)
	}
	if text := bodyOf(t, done); text != "Thanks\r\n" || got != "nobody\r\n2\r\na\r\n.\r\noctets" {
		t.Errorf("reply %q, sent %q", text, got)
	}
	done.Close()
	if u, ok := w.c.Fill(ask, res.Form, []form.Answer{{Name: "Name", Value: "x"}}); ok {
		t.Errorf("a URL for a form with a file: %s", u)
	}
	if done, err = w.c.Update(t.Context(), scheme.Request{URL: w.Item('0', "/form", "?")}, scheme.Body{Reader: strings.NewReader("file"), Size: scheme.Known(4)}, nil); err != nil {
		t.Fatal(err)
	}
	done.Close()
	if got != "nobody\r\n0\r\nfile" {
		t.Errorf("update sent %q", got)
	}

	// The item that has moved is at the other server, which the policy of w knows; the one outside is refused.
	u := w2.Item('0', "/old", "+")
	other := client.New(client.Options{Registry: scheme.NewRegistry(New()), Policy: policy.New(policy.Options{})})
	defer other.Close()
	res, err = other.Access(t.Context(), scheme.Request{URL: u}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if text := bodyOf(t, res); text != "Hallo\n" || res.URL != w.Item('0', "/doc", "+") {
		t.Errorf("moved to %s: %q", res.URL, text)
	}
	res.Close()
	if _, err := other.Access(t.Context(), scheme.Request{URL: w2.Item('0', "/loop", "+")}, nil); client.CodeOf(err) != scheme.CodeProtocol {
		t.Errorf("a loop: %v", err)
	}
	if _, _, err := w.read(t, w.Item('0', "/outside", "+")); client.CodeOf(err) != scheme.CodeRefused {
		t.Errorf("an address that policy refuses: %v", err)
	}
}
