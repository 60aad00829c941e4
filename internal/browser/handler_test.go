package browser

import (
	"fmt"
	"strings"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
)

// The page of handlers has a button for each scheme that browsers let a page register, which registers the address of the gateway for
// it, and says what the browser cannot do.
func TestHandler(t *testing.T) {
	t.Parallel()
	s := serve(t)
	const (
		allowed = "ftp ftps mailto news nntp"
		record  = `window.calls = [];
			navigator.registerProtocolHandler = (...args) => { calls.push("+", ...args); };
			navigator.unregisterProtocolHandler = (...args) => { calls.push("-", ...args); };`
		buttons = `[...document.querySelectorAll("#handlers [data-scheme]")].filter(row => !row.querySelector("button").hidden).map(row => row.dataset.scheme).sort().join(" ")`
		state   = `document.querySelector("#state").textContent`
	)
	note := func(tab *Tab, scheme string) string {
		return tab.Text(fmt.Sprintf("#handlers [data-scheme=%q] span", scheme))
	}
	for _, tt := range []struct{ name, script, buttons, state string }{
		{"recorded", record, allowed, ""},
		{"this browser", "", allowed, ""},
		{"no way", "Navigator.prototype.registerProtocolHandler = undefined", "", "This browser has no way to do that."},
		{"insecure", "Object.defineProperty(window, 'isSecureContext', {value: false})", allowed, "only at addresses with https"},
		{"refused", "navigator.registerProtocolHandler = (scheme) => { throw new DOMException('not ' + scheme) }", allowed, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tab := Start(t).Tab(t, Look{})
			if tt.script != "" {
				tab.do(call(cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: tt.script}))
			}
			tab.Open(s.at + "/-/handler")
			if got := tab.Eval(buttons); got != tt.buttons {
				t.Errorf("buttons for %q", got)
			}
			if got := tab.Eval(state); !strings.Contains(got, tt.state) {
				t.Errorf("the page says %q", got)
			}
			if tt.state == "" || tt.buttons != "" { // what this browser has is no matter of its kind
				if got := note(tab, "http"); got != "The browser opens them itself." {
					t.Errorf("of http: %q", got)
				}
			}
			if got := note(tab, "gopher"); !strings.Contains(got, "Browsers allow no page to do that.") {
				t.Errorf("of gopher: %q", got)
			}
			for _, scheme := range strings.Fields(tt.buttons) {
				button := fmt.Sprintf("#handlers [data-scheme=%q] button", scheme)
				tab.do(Script("document.querySelector(%q).click(), 0", button))
				want := "If the browser asks, allow it to open " + scheme + " links here."
				if tt.name == "refused" {
					want = "The browser refuses " + scheme + ": not " + scheme
				}
				if got := tab.Eval(state); !strings.HasPrefix(got, want) {
					t.Errorf("%s: the page says %q", scheme, got)
				}
				if tt.name != "recorded" {
					continue
				}
				tab.do(Script("document.querySelector(%q).click(), 0", button+".undo"))
				address := s.at + "/-/go?url=%s"
				if got, want := tab.Eval("calls.splice(0).join(' ')"), fmt.Sprintf("+ %s %s - %s %s", scheme, address, scheme, address); got != want {
					t.Errorf("the page calls %s, want %s", got, want)
				}
				if got := tab.Eval(state); got != scheme+" links no longer open here." {
					t.Errorf("%s: the page says %q", scheme, got)
				}
			}
		})
	}
}
