package browser

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// submitOf returns the step that submits the form that a selector selects, as its button does.
func submitOf(selector string) Step {
	return Script("document.querySelector(%q).requestSubmit(), 0", selector)
}

// submit submits the form of a page.
func (t *Tab) submit() {
	t.t.Helper()
	t.After(submitOf("main form.fields"))
}

// tabTo presses Tab until the element with the focus has a text, and fails after so many.
func (t *Tab) tabTo(text string, most int) {
	t.t.Helper()
	for range most {
		t.do(Press(kb.Tab))
		if strings.Contains(t.Name(), text) {
			if t.Eval(`getComputedStyle(document.activeElement).outlineStyle`) == "none" {
				t.t.Errorf("the focus on %s is not seen", text)
			}
			return
		}
	}
	t.t.Fatalf("Tab does not reach %q; the focus is on %s", text, t.Name())
}

// The gateway is used by keyboard alone: from the front page to a listing, into its third entry, and back.
func TestKeyboard(t *testing.T) {
	t.Parallel()
	for _, noScript := range []bool{false, true} {
		t.Run(fmt.Sprintf("noscript=%v", noScript), func(t *testing.T) {
			s, chromium := serve(t), Start(t)
			tab := chromium.Tab(t, Look{NoScript: noScript})
			tab.Open(s.at + "/")
			tab.Eval("document.activeElement.blur()")
			tab.tabTo("Skip to the content", 1)
			tab.tabTo("Address", 3)
			tab.do(Press(s.files.URL("").Text()))
			tab.After(Press(kb.Enter))
			if got := tab.Eval("location.href"); got != s.of(s.files.URL("")) {
				t.Fatalf("Enter led to %s", got)
			}
			tab.tabTo("Skip to the content", 1)
			tab.do(Press(kb.Enter))
			tab.tabTo("Filter", 3) // past the address box and the links of the resource
			third := tab.Eval(`document.querySelectorAll("main tbody a")[2].textContent`)
			tab.tabTo(third, 12)
			tab.After(Press(kb.Enter))
			if got := tab.Text("h1"); !strings.Contains(got, strings.TrimSuffix(third, "/")) {
				t.Errorf("%s has the heading %q", third, got)
			}
			tab.do(Script("history.back()")) // the page may be kept, so that nothing is loaded
			tab.wait(fmt.Sprintf("location.href.startsWith(%q) && document.querySelector('#filter') !== null", s.of(s.files.URL(""))))
		})
	}
}

// The focus comes to each control of a page in the order in which they are seen, and is not caught.
func TestFocusOrder(t *testing.T) {
	t.Parallel()
	s, chromium := serve(t), Start(t)
	tab := chromium.Tab(t, Look{})
	for _, at := range []string{s.at + "/", s.of(s.files.URL("")), s.of(s.menus.Item('0', "/order", "?")), s.of(s.files.URL("prose.txt"))} {
		tab.Open(at)
		tab.Eval("document.activeElement.blur()")
		last, n := -1.0, 0
		for ; n < 120; n++ {
			tab.do(Press(kb.Tab))
			var y float64
			place := tab.Eval(`document.activeElement === document.body ? "-1" : (document.activeElement.getBoundingClientRect().top + scrollY)`)
			if place == "-1" {
				break
			}
			if fmt.Sscan(place, &y); y < last-40 { // controls of one line may have different heights
				t.Errorf("%s: the focus goes up to %s", at, tab.Name())
			}
			last = y
		}
		if n < 6 || n == 120 {
			t.Errorf("%s: %d controls get the focus", at, n)
		}
	}
}

// A person opens a URL of each of the ten schemes from the front page, without a script.
func TestSchemes(t *testing.T) {
	t.Parallel()
	s := serve(t)
	tab := Start(t).Tab(t, Look{NoScript: true})
	tab.Open(s.at + "/")
	links := strings.Fields(tab.Eval(`[...document.querySelectorAll("main table a")].map(a => a.href).join(" ")`))
	seen := make(map[string]bool)
	for i, x := range s.tour.URLs() {
		if i >= len(links) {
			t.Fatalf("%d links on the front page", len(links))
		}
		at := s.of(x.URL)
		if !slices.Contains(links, at) {
			t.Errorf("the front page has no link to %s", x.URL)
		}
		tab.Open(at)
		seen[x.URL.Scheme()] = true
		if tab.Status() != 200 || tab.Text("main h1") == "" {
			t.Errorf("%s: status %d: %s", x.URL, tab.Status(), tab.Text("main"))
		}
	}
	if len(seen) != 10 {
		t.Errorf("%d schemes are on the front page", len(seen))
	}
}

// A person fills a form of Gopher+, searches an index and a menu, and reads a newsgroup, with and without a script.
func TestForms(t *testing.T) {
	t.Parallel()
	for _, noScript := range []bool{false, true} {
		s, chromium := serve(t), Start(t)
		tab := chromium.Tab(t, Look{NoScript: noScript})
		tab.Open(s.of(s.first(t, "gopher", "a form")))
		tab.do(Script(`document.querySelector("#f0").focus()`), Press("Ann <b>"), Script(`document.querySelector("#f1").value = "green"`))
		tab.submit()
		if got := tab.Text("main"); !strings.Contains(got, "Ann <b>") || !strings.Contains(got, "green") {
			t.Errorf("the form was answered with %s", got)
		}
		for _, from := range []struct{ scheme, did, words string }{{"gopher", "a search", "motd"}, {"wais", "a search", "names"}} {
			u := s.first(t, from.scheme, from.did)
			if path, ok := u.Path(); ok && from.scheme == "gopher" {
				before, _, _ := strings.Cut(path, "%09")
				tab.Open(s.at + "/" + strings.TrimSuffix(u.Text(), path) + before)
			} else {
				before, _, _ := strings.Cut(u.Text(), "?")
				tab.Open(s.at + "/" + before)
			}
			tab.do(Script(`document.querySelector("main form.fields input[type=text]").focus()`), Press(from.words))
			tab.After(Press(kb.Enter))
			if got := tab.Text("main"); !strings.Contains(got, "a blank") && !strings.Contains(got, "motd") {
				t.Errorf("a search for %s at %s: %s", from.words, u, got)
			}
		}
		tab.Open(s.of(s.menu)) // a search is a box where it stands in the menu
		tab.do(Script(`document.querySelector(".search input[type=text]").focus()`), Press("white stork"))
		tab.After(Press(kb.Enter))
		if got := tab.Eval("location.href"); !strings.HasSuffix(got, "/7/search%09white%20stork") {
			t.Errorf("the search of a menu leads to %s", got)
		}
		tab.Open(s.of(s.first(t, "nntp", "articles of a newsgroup")))
		tab.After(Script(`document.querySelector("a.message").click(), 0`))
		if got := tab.Text("main"); !strings.Contains(got, "Message-ID") && !strings.Contains(got, "Subject") {
			t.Errorf("the article: %s", got)
		}
	}
}
