package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
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
			tab.do(chromedp.NavigateBack())
			if got := tab.Eval("location.href"); got != s.of(s.files.URL("")) {
				t.Errorf("back led to %s", got)
			}
		})
	}
}

// The focus comes to each control of a page in the order in which they are seen, and is not caught.
func TestFocusOrder(t *testing.T) {
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

// A person opens a URL of each of the ten schemes from the front page.
func TestSchemes(t *testing.T) {
	for _, noScript := range []bool{false, true} {
		s, chromium := serve(t), Start(t)
		tab := chromium.Tab(t, Look{NoScript: noScript})
		tab.Open(s.at + "/")
		seen := make(map[string]bool)
		for i, x := range s.tour.URLs() {
			tab.Open(s.at + "/")
			tab.After(Script(`[...document.querySelectorAll("main table a")].find(a => a.textContent === %q).click(), 0`, x.URL.Text()))
			seen[x.URL.Scheme()] = true
			if got := tab.Eval("location.href"); got != s.of(x.URL) {
				t.Errorf("%d: the link of %s leads to %s", i, x.URL, got)
			}
			if want := int64(200); tab.Status() != want {
				t.Errorf("%s: status %d: %s", x.URL, tab.Status(), tab.Text("main"))
			}
		}
		if len(seen) != 10 {
			t.Errorf("%d schemes are on the front page", len(seen))
		}
	}
}

// A person fills a form of Gopher+, searches an index and a menu, and reads a newsgroup, with and without a script.
func TestForms(t *testing.T) {
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
		tab.Open(s.of(s.first(t, "nntp", "articles of a newsgroup")))
		tab.After(Script(`document.querySelector("a.message").click(), 0`))
		if got := tab.Text("main"); !strings.Contains(got, "Message-ID") && !strings.Contains(got, "Subject") {
			t.Errorf("the article: %s", got)
		}
	}
}
