package gopher

import (
	"strings"
	"testing"

	"locator/client"
	"locator/policy"
	"locator/scheme"
	"locator/scheme/form"
	"locator/scheme/gopher/gophertest"
)

// TestPlusEndToEnd reads attributes, views and a form, and follows an item that has moved, as far
// as policy allows.
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

	// The item that has moved is at the other server, which the policy of w knows; the one outside
	// is refused.
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
	if _, err := other.Access(t.Context(), scheme.Request{URL: w2.Item('0', "/loop", "+")}, nil); client.CodeOf(err) != scheme.CodeLoop {
		t.Errorf("a loop: %v", err)
	}
	if _, _, err := w.read(t, w.Item('0', "/outside", "+")); client.CodeOf(err) != scheme.CodeRefused {
		t.Errorf("an address that policy refuses: %v", err)
	}
}
