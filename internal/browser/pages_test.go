package browser

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp/kb"
)

// kind is a kind of page.
type kind struct {
	name   string
	open   func(tab *Tab) // nil: address
	at     string
	status int64 // 0: 200
	has    string
}

// kinds returns a page of each kind.
func (s *site) kinds(t testing.TB) []kind {
	view := func(opts, u string) string { return s.at + "/-/view/" + opts + "/" + u }
	dir, wrong := s.files.URL(""), func(text string) string { return s.at + "/-/go?" + url.Values{"url": {text}}.Encode() }
	order := s.menus.Item('0', "/order", "?")
	return []kind{
		{name: "front", at: s.at + "/", has: "prospero"},
		{name: "listing", at: s.of(dir), has: "prose.txt"},
		{name: "long", at: s.of(s.files.URL("1995", "")), has: "450 entries"},
		{name: "sorted", at: view("sort=size", dir.Text()), has: "prose.txt"},
		{name: "filtered", at: view("filter=count&sort=name", dir.Text()), has: "12 entries"},
		{name: "menu", at: s.of(s.menu), has: "The Heron's Nest"},
		{name: "search", at: s.of(s.menus.SearchURL()), has: "Search"},
		{name: "form", at: s.of(order), has: "Colour"},
		{name: "form-error", open: func(tab *Tab) { tab.Open(s.of(order)); tab.submit() }, status: 400, has: "choose a file"},
		{name: "text", at: s.of(s.files.URL("prose.txt")), has: "shallow water"},
		{name: "text-width", open: func(tab *Tab) {
			tab.Open(s.of(s.files.URL("prose.txt")))
			tab.Eval(`document.querySelector("details.settings").open = true, document.querySelector("#width").value = "60"`)
			tab.After(submitOf("details.settings form"))
		}, has: "shallow water"},
		{name: "image", at: s.of(s.files.URL("heron.png")), has: "image/png"},
		{name: "audio", at: s.of(s.files.URL("call.wav")), has: "Download"},
		{name: "video", at: s.of(s.files.URL("flight.mp4")), has: "Download"},
		{name: "binary", at: s.of(s.files.URL("all.zip")), has: "application/zip"},
		{name: "article", at: s.of(s.first(t, "nntp", "ARTICLE")), has: "Subject"},
		{name: "group", at: s.of(s.first(t, "nntp", "articles of a newsgroup")), has: "motd"},
		{name: "thread", open: func(tab *Tab) {
			tab.Open(s.of(s.news.GroupURL("birds.herons", 0)))
			tab.Eval(`document.querySelector("details.thread").open = true`)
		}, has: "3 messages"},
		{name: "message", at: s.of(s.news.GroupURL("birds.herons", 2)), has: "Two, at dawn."},
		{name: "hits", at: s.of(s.first(t, "wais", "a search")), has: "a blank"},
		{name: "links", at: s.of(s.first(t, "prospero", "links of a directory")), has: "text.txt"},
		{name: "draft", at: s.of(s.first(t, "mailto", "")), has: "Download as .eml"},
		{name: "session", at: s.of(s.first(t, "telnet", "")), status: -1},
		{name: "terminal", open: func(tab *Tab) {
			tab.connect(s.of(s.first(t, "telnet", "")), "", "Connected")
			tab.do(Press("heron" + kb.Enter))
			tab.shows("you said: heron")
		}, has: "Disconnect"},
		{name: "malformed", at: wrong("ftp://host.dom:x/"), status: 400, has: "What the URL means"},
		{name: "offers", at: wrong("see htp://host.dom/a b <ftp://host.dom/c> and gopher://host.dom/1"), status: 400, has: "Did you mean"},
		{name: "refused", at: s.at + "/http://10.0.0.1/", status: 403, has: "Refused"},
		{name: "missing", at: s.of(s.files.URL("none.txt")), status: 404, has: "Not found"},
		{name: "mistake", at: s.of(s.bad), status: 502, has: "mistake"},
		{name: "explain", at: s.at + "/-/explain/ftp://user@host.dom/%2Fetc/motd;type=a", has: "CWD"},
		{name: "handler", at: s.at + "/-/handler", status: -1},
	}
}

// see opens a page and checks that it is the one.
func (k kind) see(t testing.TB, tab *Tab) {
	t.Helper()
	if k.open != nil {
		k.open(tab)
	} else {
		tab.Open(k.at)
	}
	want := k.status
	if want == 0 {
		want = 200
	}
	if got := tab.Status(); want > 0 && got != want {
		t.Errorf("%s: status %d, want %d: %s", k.name, got, want, tab.Text("main"))
	}
	if text := tab.Text("main"); !strings.Contains(text, k.has) {
		t.Errorf("%s: the page lacks %q: %s", k.name, k.has, text)
	}
}

// axeRules are the rules that pages keep, and axeColours those of them of which the result depends on colours.
const (
	axeRules   = `{type: "tag", values: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]}`
	axeColours = `{type: "rule", values: ["color-contrast", "link-in-text-block"]}`
)

// violation is what axe-core finds.
type violation struct {
	ID    string `json:"id"`
	Help  string `json:"help"`
	Nodes []struct {
		HTML    string `json:"html"`
		Summary string `json:"failureSummary"`
	} `json:"nodes"`
}

// axe returns what axe-core, which the page has, finds in it.
func (t *Tab) axe(rules string) (list []violation) {
	t.t.Helper()
	result := t.Eval(`axe.run(document, {runOnly: ` + rules + `, resultTypes: ["violations"], preload: false}).then(r => JSON.stringify(r.violations))`)
	if err := json.Unmarshal([]byte(result), &list); err != nil {
		t.t.Fatalf("%v: %s", err, result)
	}
	return list
}

// axe-core finds nothing on each kind of page, in both colours; in a narrow window and with the text twice as large no page is wider
// than the window; and pages do nothing that their policy forbids.
func TestKinds(t *testing.T) {
	t.Parallel()
	s, tab := serve(t), axeTab(t)
	for _, k := range s.kinds(t) {
		t.Run(k.name, func(t *testing.T) {
			tab := tab.of(t)
			k.see(t, tab)
			tab.keepsRules(k.name)
		})
	}
}

// axeTab returns a tab whose pages have axe-core from their start: their policy is about their own scripts. Sent to each page it would
// take twice as long.
func axeTab(t testing.TB) *Tab {
	t.Helper()
	file := os.Getenv("LOCATOR_AXE")
	if file == "" {
		t.Fatal("LOCATOR_AXE names no axe.min.js; internal/browser/run installs it")
	}
	script, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	tab := Start(t).Tab(t, Look{})
	tab.do(call(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: string(script)}))
	return tab
}

// keepsRules checks that a page keeps the rules in all looks.
func (t *Tab) keepsRules(name string) {
	t.t.Helper()
	for _, look := range []struct {
		name string
		Look
	}{
		{"light", Look{}}, {"dark", Look{Dark: true}}, {"narrow", Look{Width: 320, Height: 640}}, {"zoom", Look{Width: 640, Height: 450, Zoom: 2, Dark: true}},
	} {
		t.See(look.Look)
		rules := axeRules
		if look.Dark && !long {
			rules = axeColours
		}
		if look.Width == 0 {
			for _, v := range t.axe(rules) {
				for _, n := range v.Nodes {
					t.t.Errorf("%s: %s: %s\n%s\n%s", look.name, v.ID, v.Help, n.HTML, n.Summary)
				}
			}
		}
		if over := t.Eval("document.documentElement.scrollWidth - document.documentElement.clientWidth"); over != "0" {
			t.t.Errorf("%s: the page is %s px wider than the window: %s", look.name, over, t.wide())
		}
		if look.Zoom == 0 {
			t.Screenshot(name + "-" + look.name)
		}
	}
}

// wide names the elements that are wider than the window.
func (t *Tab) wide() string {
	return t.Eval(`[...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > innerWidth).slice(0, 4).map(e => e.tagName + "." + e.className).join(", ")`)
}

// Pages are complete on paper: what is chosen on a screen is not there, and no text is cut.
func TestPrint(t *testing.T) {
	t.Parallel()
	s, chromium := serve(t), Start(t)
	tab := chromium.Tab(t, Look{Dark: true})
	for _, at := range []string{s.of(s.files.URL("prose.txt")), s.of(s.files.URL("")), s.of(s.menu)} {
		tab.Open(at)
		pdf := tab.Print()
		if !strings.HasPrefix(string(pdf), "%PDF-") || len(pdf) < 2000 {
			t.Errorf("%s: %d bytes", at, len(pdf))
		}
		tab.See(Look{Dark: true, Media: "print"})
		for selector, want := range map[string]string{"header": "none", "main h1": "block"} {
			if got := tab.Eval(fmt.Sprintf("getComputedStyle(document.querySelector(%q)).display", selector)); got != want {
				t.Errorf("%s: %s is %s", at, selector, got)
			}
		}
		if got := tab.Eval("getComputedStyle(document.body).color"); got != "rgb(0, 0, 0)" {
			t.Errorf("%s: the text is printed in %s", at, got)
		}
		tab.See(Look{Dark: true})
	}
}
