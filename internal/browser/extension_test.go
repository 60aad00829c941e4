package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"locator/internal/peers"
)

// links is a page with links of schemes that browsers do not have, as their authors wrote them, and one of the web. Other pages of it are "other".
func links(t testing.TB) *httptest.Server {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path != "/" {
			io.WriteString(w, "other")
			return
		}
		io.WriteString(w, `<!DOCTYPE html><title>links</title><base href="http://other.invalid/"><ul>`)
		for i, u := range linked {
			fmt.Fprintf(w, `<li><a id="l%d" href="%s">a <b>link</b></a></li>`, i, strings.ReplaceAll(u, "&", "&amp;"))
		}
		fmt.Fprintf(w, `<li><a id="web" href="http://%s/other">web</a></li></ul>`, r.Host)
	}))
	t.Cleanup(srv.Close)
	return srv
}

var linked = []string{
	"gopher://host.dom/0/a//b%2Fc", "WAIS://host.dom/db?a+b&c", "prospero://host.dom/a;version=1", "telnet://ann@host.dom:23/", "news:comp.infosystems", "nntp://host.dom/a.b/1",
	"ftp://host.dom/%2Fetc/../motd;type=a", "gophers://host.dom/1",
}

// The script of the extension opens a clicked link in the gateway, as its author wrote it, and leaves others alone.
func TestExtensionClicks(t *testing.T) {
	t.Parallel()
	s, web := serve(t), links(t)
	script, err := os.ReadFile(filepath.Join(extension(t, s.at), "links.js"))
	if err != nil {
		t.Fatal(err)
	}
	tab := Start(t).Tab(t, Look{})
	// A page has no storage of an extension. What would be another tab is noted.
	tab.do(call(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `if (location.origin === "` + web.URL + `") {
		globalThis.browser = { storage: { local: { get: async (kept) => kept }, onChanged: { addListener() {} } } };
		window.open = (at) => { window.opened = at; };
		` + string(script) + `}`}))
	for i, u := range linked {
		tab.Open(web.URL + "/")
		tab.After(tab.click(fmt.Sprintf("#l%d b", i)))
		want := strings.Replace(u, "WAIS:", "wais:", 1)
		if got := tab.Eval(`document.querySelector("#url").value`); !strings.HasPrefix(tab.Eval("location.href"), s.at) || got != u && got != want {
			t.Errorf("a click on %s leads to %s, which has %s", u, tab.Eval("location.href"), got)
		}
	}
	for _, option := range []chromedp.MouseOption{chromedp.ButtonMiddle, chromedp.ButtonModifiers(chromedp.ModifierCtrl), chromedp.ButtonModifiers(chromedp.ModifierShift)} {
		tab.Open(web.URL + "/")
		tab.do(tab.click("#l1", option))
		tab.wait("window.opened !== undefined")
		if got, want := tab.Eval("window.opened"), s.at+"/-/go?url=WAIS%3A%2F%2Fhost.dom%2Fdb%3Fa%2Bb%26c"; got != want || tab.Eval("location.href") != web.URL+"/" {
			t.Errorf("a click for another tab opens %s, want %s", got, want)
		}
	}
	tab.Open(web.URL + "/")
	tab.do(Script(`document.querySelector("#l0").addEventListener("click", (event) => event.preventDefault()), document.querySelector("#l0").click(), 0`)) // the page handles it
	tab.After(tab.click("#web"))
	if got := tab.Eval("location.href"); got != web.URL+"/other" {
		t.Errorf("a link of the web leads to %s", got)
	}
}

// web-ext, with which extensions are checked before Firefox takes them, finds nothing in the extension.
func TestExtensionLint(t *testing.T) {
	if !long {
		return
	}
	t.Parallel()
	program := os.Getenv("LOCATOR_WEB_EXT")
	if program == "" {
		peers.Skip(t, "web-ext lint: npm cannot install web-ext")
	}
	ctx, cancel := context.WithTimeout(t.Context(), stepTime)
	defer cancel()
	out, err := exec.CommandContext(ctx, program, "lint", "--output", "json", "--no-config-discovery", "--source-dir", "../../contrib/webextension").Output()
	var found struct{ Summary map[string]int }
	if bad := json.Unmarshal(out, &found); bad != nil || len(found.Summary) == 0 {
		t.Fatalf("web-ext fails: %v: %s", err, out)
	}
	for kind, n := range found.Summary {
		if n > 0 {
			t.Errorf("%d %s: %s", n, kind, out)
		}
	}
}

// click returns the step of clicking an element with the mouse, as a person does.
func (t *Tab) click(selector string, options ...chromedp.MouseOption) Step {
	t.t.Helper()
	var x, y float64
	at := t.Eval(fmt.Sprintf(`(r => (r.left + r.width / 2) + " " + (r.top + r.height / 2))(document.querySelector(%q).getBoundingClientRect())`, selector))
	if _, err := fmt.Sscan(at, &x, &y); err != nil {
		t.t.Fatal(err)
	}
	return chromedp.MouseClickXY(x, y, options...)
}
