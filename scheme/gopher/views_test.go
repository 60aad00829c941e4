package gopher

import (
	"strings"
	"testing"

	"locator/scheme"
)

// Covers: A7
func TestParseView(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in     string
		want   view
		octets int64 // -1: not known exactly
	}{
		{"Text/plain Fr_FR: <.1k>", view{"Text/plain", "Fr_FR", ".1k"}, -1},
		{"application/gopher+-menu:", view{"application/gopher+-menu", "", ""}, -1},
		{"application/gopher+-menu: <512b>", view{"application/gopher+-menu", "", "512b"}, 512},
		{"text/plain", view{"text/plain", "", ""}, -1},
		{"text/plain De_DE", view{"text/plain", "De_DE", ""}, -1},
		{"  text/plain  De_DE : <10k> ", view{"text/plain", "De_DE", "10k"}, -1},
		{"text/plain: <.77KB>", view{"text/plain", "", ".77KB"}, -1},
		{"text/plain: <1.5b>", view{"text/plain", "", "1.5b"}, -1},
		{"text/plain: <-5b>", view{"text/plain", "", "-5b"}, -1},
		{"", view{}, -1},
		{">", view{kind: ">"}, -1},
	}
	for _, tt := range tests {
		v := parseView(tt.in)
		if v != tt.want || v.octets().Or(-1) != tt.octets {
			t.Errorf("%q: %+v, %v; want %+v, %d", tt.in, v, v.octets(), tt.want, tt.octets)
		}
	}
}

// TestChooseView selects the view that matches the preferences of the caller best. Without
// preferences the views are not requested.
//
// Covers: A7
func TestChooseView(t *testing.T) {
	t.Parallel()
	const ps, fr, en = "+application/postscript En_US", "+Text/plain Fr_FR", "+Text/plain En_US"
	tests := []struct {
		types, languages []string
		want             string
	}{
		{nil, []string{"en"}, ps}, // the first in that language
		{nil, []string{"de", "fr-FR"}, fr},
		{nil, []string{"de"}, fr}, // no match: the server's first view
		{[]string{"text/plain"}, []string{"en-us"}, en},
		{[]string{"application/postscript", "text/plain"}, []string{"fr"}, ps},
		{[]string{"TEXT/*;q=0.5"}, nil, fr},
		{[]string{"*/*"}, []string{"en_US"}, ps},
		{[]string{"image/gif"}, nil, "+"},
	}
	for _, tt := range tests {
		s := say("+-1\r\n"+docBlocks+".\r\n", "+-1\r\nx\r\n.\r\n")
		r := request1(t, "gopher://h/00/doc%09%09+")
		res, err := s.access(t, r, scheme.AccessOptions{Accept: scheme.Accept{Types: tt.types, Languages: tt.languages}})
		if err != nil {
			t.Errorf("%q: %v", tt, err)
			continue
		}
		if got := s.requests(); len(got) != 2 || got[0] != "0/doc\t!\r\n" || got[1] != "0/doc\t"+tt.want+"\r\n" {
			t.Errorf("%q: sent %q, want %q", tt, got, tt.want)
		}
		if len(res.Notes) != 1 {
			t.Errorf("%q: notes %q", tt, res.Notes)
		}
		if view, _, _ := strings.Cut(strings.ToLower(tt.want[1:]), " "); view != "" && res.Attr.Type != view {
			t.Errorf("%q: type %q", tt, res.Attr.Type)
		}
	}
	english := scheme.AccessOptions{Accept: scheme.Accept{Languages: []string{"en"}}}
	for _, url := range []string{"gopher://h/00/doc", "gopher://h/00/doc%09%09+text/plain", "gopher://h/7/s%09x%09+"} {
		s := say("x\t\t\t")
		r := request1(t, url)
		if _, err := s.access(t, r, english); err != nil || len(s.requests()) != 1 {
			t.Errorf("%s: %v, sent %q", url, err, s.requests())
		}
	}
	// A server without Gopher+ sends the plain item. An error is returned.
	for reply, code := range map[string]scheme.Code{"Hello": scheme.CodeOK, "--1\r\n1 x\r\nno\r\n.\r\n": scheme.CodeNotFound} {
		s := say(reply, reply)
		r := request1(t, "gopher://h/00/doc%09%09+")
		if _, err := s.access(t, r, english); codeOf(err) != code {
			t.Errorf("%q: %v", reply, err)
		}
	}
}
