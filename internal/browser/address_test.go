package browser

import (
	"fmt"
	"strings"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"

	"locator"
)

// hostile are URLs of which a browser, or code that decodes them too early, makes others.
var hostile = []string{
	"ftp://127.0.0.1:PORT//a//b//", "ftp://127.0.0.1:PORT/%2Fetc/motd", "ftp://127.0.0.1:PORT/%2fetc/motd", "ftp://127.0.0.1:PORT/a;type=i", "ftp://127.0.0.1:PORT/../../a", "ftp://127.0.0.1:PORT/a/./b/..",
	"ftp://127.0.0.1:PORT/%2e%2E/a", "ftp://127.0.0.1:PORT/.%2e/a", "ftp://127.0.0.1:PORT/a%5Cb", "ftp://127.0.0.1:PORT/a%25b", "ftp://127.0.0.1:PORT/%FF%fe", "ftp://127.0.0.1:PORT/a%00b", "ftp://127.0.0.1:PORT/a%0Ab",
	"ftp://127.0.0.1:PORT/a'b(c)!*$,&=:@", "ftp://127.0.0.1:PORT/...", "ftp://127.0.0.1:PORT/%3Fa%23b", "ftp://127.0.0.1:PORT/a?b", "ftp://127.0.0.1:PORT", "ftp://ANN@127.0.0.1:PORT/", "ftp://%61nn@127.0.0.1:PORT/",
	"ftp://[::1]:PORT/a", "ftp://host.dom:/a", "ftp://HOST.Dom/a", "ftp://host.dom:021/a", "ftp://host.dom./a",
	"gopher://127.0.0.1:PORT/0a%23b", "gopher://127.0.0.1:PORT/7/s%09a+b%20c", "gopher://127.0.0.1:PORT/1/a//b/", "gopher://127.0.0.1:PORT/0/x%09%09+", "gopher://127.0.0.1:PORT/0/x%09%09%3F", "gopher://127.0.0.1:PORT/0/x%09%09?",
	"gopher://127.0.0.1:PORT/1/../x", "gopher://127.0.0.1:PORT/1|", "gopher://127.0.0.1:PORT/0/%7C%5E%60%22%3C%3E%7B%7D", "gopher://127.0.0.1:PORT/0/a?b&c=d", "gopher://127.0.0.1:PORT/h/URL:http://host.dom/%3Fa=1",
	"gopher://127.0.0.1:PORT/0a;b=c", "gopher://127.0.0.1:PORT/0/~x",
	"http://127.0.0.1:PORT/a?b?c=/d/../e", "http://127.0.0.1:PORT/?a+b%20c", "http://127.0.0.1:PORT/?'a'", "http://127.0.0.1:PORT/a?", "http://127.0.0.1:PORT?a", "http://127.0.0.1:PORT/a?//b", "http://127.0.0.1:PORT/a//?b",
	"http://127.0.0.1:PORT/http://127.0.0.1/", "http://127.0.0.1:PORT/-/raw/x", "http://127.0.0.1:PORT/a?%zz", "http://127.0.0.1:PORT/a%u1234",
	"news:a+b%23c@host.dom", "news:*", "news:comp.infosystems", "nntp://127.0.0.1:PORT/a.b/1", "mailto:a%2Fb@host.dom?subject=a%26b%20%22c%22&body=x%0D%0Ay", "mailto:a@host.dom?subject=..", "mailto:..",
	"telnet://ANN@127.0.0.1:PORT/", "telnet://127.0.0.1:PORT", "wais://127.0.0.1:PORT/db?a+b", "wais://127.0.0.1:PORT/db?", "wais://127.0.0.1:PORT/db/TEXT/%01%FF%03=;x/..", "file:///tmp/../etc", "file://localhost/a", "file:///%2e%2e/a",
	"prospero://127.0.0.1:PORT/a//b;version=1", "HTTP://127.0.0.1:PORT/", "Gopher://127.0.0.1:PORT/1",
}

// A link that a page makes of a URL leads to that URL at the gateway. A short run clicks one of ten links and requests the others as
// the browser writes their addresses.
func TestAddresses(t *testing.T) {
	t.Parallel()
	server := answer(t, func(line string) string { return "the text of " + line + "\r\n" })
	addr, _ := server.Addr()
	_, port, _ := strings.Cut(addr, ":")
	var want []string
	text := ""
	for _, h := range hostile {
		u, err := locator.Current.Parse(strings.ReplaceAll(h, "PORT", port))
		if err != nil {
			continue // not a URL, so no page has a link to it
		}
		want = append(want, u.Text())
		text += "<" + u.Text() + ">\n"
	}
	if len(want) < len(hostile)-4 {
		t.Errorf("only %d of %d are URLs", len(want), len(hostile))
	}
	texts := answer(t, func(string) string { return text })
	addr, _ = texts.Addr()
	at := run(t, optionsFor(texts, server))
	tab := Start(t).Tab(t, Look{})
	page := at + "/gopher://" + addr + "/0"
	tab.Open(page)
	// The policy of a page lets it request nothing, so that a tab without policies does it.
	tab.do(call(cdppage.SetBypassCSP, cdppage.SetBypassCSPParams{Enabled: true}))
	tab.Open(page)
	links := make(map[string]bool)
	for u := range strings.Lines(tab.Eval(`[...document.querySelectorAll("pre.text a")].map(a => a.textContent.replace(/[<>]/g, "")).join("\n")`)) {
		links[strings.TrimSuffix(u, "\n")] = true
	}
	if len(links) < len(want)-2 { // such as news:*, which running text does not have
		t.Fatalf("%d links for %d URLs: %s", len(links), len(want), tab.Text("pre.text"))
	}
	const (
		explain = `document.querySelector("nav a[href^='/-/explain'], nav a[href*='as=explain']")`
		box     = `document.querySelector("#url").value`
		request = `fetch(%s.href).then(r => r.text()).then(x => new DOMParser().parseFromString(x, "text/html").querySelector("#url").getAttribute("value"))`
	)
	for i, u := range want {
		if !links[u] {
			continue
		}
		link := fmt.Sprintf(`[...document.querySelectorAll("pre.text a")].find(a => a.textContent.replace(/[<>]/g, "") === %q)`, u)
		// The address box has the URL that arrived, whether its server answers or not.
		if !long && i%10 != 0 {
			if got := tab.Eval(fmt.Sprintf(request, link)); got != u {
				t.Errorf("%s arrives as %s", u, got)
			}
			continue
		}
		tab.After(Script("%s.click(), 0", link))
		if got := tab.Eval(box); got != u {
			t.Errorf("%s arrives as %s at %s", u, got, tab.Eval("location.href"))
		}
		if tab.Eval(explain+" !== null") == "true" {
			tab.After(Script("%s.click(), 0", explain))
			if got := tab.Eval(box); got != u {
				t.Errorf("the explanation of %s is of %s", u, got)
			}
		}
		tab.Open(page)
	}
}

// A fragment stays in the browser. The page says so, and leads to the URL with it.
func TestFragment(t *testing.T) {
	t.Parallel()
	s := serve(t)
	tab := Start(t).Tab(t, Look{})
	tab.Open(s.of(s.menus.Item('0', "/etc/a", "")) + "#b")
	if got := tab.Eval(`document.querySelector("#fragment").hidden`); got != "false" {
		t.Fatalf("the notice is hidden: %s", got)
	}
	tab.After(Script(`document.querySelector("#fragment a").click(), 0`))
	if got := tab.Eval(`document.querySelector("#url").value`); !strings.HasSuffix(got, "/etc/a#b") && !strings.HasSuffix(got, "/etc/a%23b") {
		t.Errorf("it leads to %s", got)
	}
}
