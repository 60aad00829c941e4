package browser

import (
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
)

// Messages that were not opened are marked. The browser keeps which were: a reload and another visit show the same.
func TestUnread(t *testing.T) {
	t.Parallel()
	s := serve(t)
	tab, group := Start(t).Tab(t, Look{}), s.of(s.news.GroupURL("birds.herons", 0))
	unread := func() string {
		return tab.Eval(`[...document.querySelectorAll("li.unread > a.message")].map(a => a.dataset.id.slice(0, 1)).sort().join("")`)
	}
	tab.Open(group)
	if got := unread(); got != "1234" {
		t.Errorf("at first %s are unread", got)
	}
	for _, x := range []struct{ id, unread, threads string }{{"2", "134", "2"}, {"1", "34", "2"}, {"3", "4", "1"}} {
		tab.After(Script(`[...document.querySelectorAll("a.message")].find(a => a.dataset.id.startsWith(%q)).click(), 0`, x.id+"@"))
		tab.Open(group)
		for _, when := range []string{"then", "after a reload"} {
			if got := unread(); got != x.unread {
				t.Errorf("%s was read; %s %s are unread, want %s", x.id, when, got, x.unread)
			}
			if got := tab.Eval(`document.querySelectorAll(".threads > li.unread").length`); got != x.threads {
				t.Errorf("%s was read; %s %s threads have something unread, want %s", x.id, when, got, x.threads)
			}
			tab.After(Script("location.reload(), 0"))
		}
	}
	other := Start(t).Tab(t, Look{}) // another person
	other.Open(group)
	if got := other.Eval(`document.querySelectorAll("li.unread > a.message").length`); got != "4" {
		t.Errorf("another person has %s unread messages", got)
	}
}

// The button copies the exact URL, with what a browser would change in an address.
func TestCopy(t *testing.T) {
	t.Parallel()
	s := serve(t)
	tab := Start(t).Tab(t, Look{})
	tab.do(call(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
		Source: `navigator.clipboard.writeText = async (text) => { window.copied = text; };`}))
	for _, u := range []string{"ftp://user@host.dom/%2Fetc//a;type=a", "gopher://host.dom/0/a'b&c%23d%22%3C", "news:a+b%23c@host.dom", "http://host.dom:080/a/../b?c=%2f'"} {
		tab.Open(s.at + "/-/go?" + url.Values{"as": {"explain"}, "url": {u}}.Encode())
		tab.do(Script(`document.querySelector("button.copy").click(), 0`))
		tab.wait("window.copied !== undefined")
		if got := tab.Eval("window.copied"); got != u {
			t.Errorf("%s is copied as %s", u, got)
		}
		tab.wait(`document.querySelector("button.copy").textContent === "Copied"`)
	}
}

// Width and character set stay chosen on the pages that follow, and a raw view leads to raw views.
func TestChosenViews(t *testing.T) {
	t.Parallel()
	s := serve(t)
	tab := Start(t).Tab(t, Look{NoScript: true})
	tab.Open(s.of(s.files.URL("prose.txt")))
	tab.Eval(`document.querySelector("#width").value = "60", document.querySelector("#charset").value = "koi8-r"`)
	tab.After(submitOf("details.settings form"))
	click := func(text string) {
		tab.After(Script(`[...document.querySelectorAll("a")].find(a => a.textContent === %q).click(), 0`, text))
	}
	chosen := func(name string) {
		if got := tab.Eval(`[document.querySelector("pre.text").className, document.querySelector("#width").value, document.querySelector("#charset").value].join()`); got != "text w60,60,koi8-r" {
			t.Errorf("%s is shown as %s", name, got)
		}
	}
	chosen("the text")
	tab.Open(s.of(s.files.URL("")))
	click("1994/")
	click("january.txt")
	chosen("a text of another folder")
	click("Raw")
	if got := tab.Eval("document.characterSet + document.contentType"); got != "KOI8-Rtext/plain" {
		t.Errorf("the raw view is %s", got)
	}
	for _, x := range []struct{ at, folder, file string }{{s.files.URL("").Text(), "1994", "january.txt"}, {s.menus.Item('1', "", "").Text(), "1994", "january.txt"}} {
		tab.Open(s.at + "/" + x.at)
		click("Raw")
		for _, name := range []string{x.folder, x.file} {
			click(name)
			if got := tab.Eval("location.pathname"); !strings.HasPrefix(got, "/-/raw/") || !strings.Contains(got, name) || tab.Status() != 200 {
				t.Errorf("%s leads to %s, status %d", name, got, tab.Status())
			}
		}
		if got := strings.TrimSpace(tab.Eval("document.body.textContent")); got != "1" {
			t.Errorf("%s: the text is %q", x.at, got)
		}
	}
}
