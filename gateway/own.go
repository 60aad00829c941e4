package gateway

import (
	"html/template"
	"net/http"
	"strings"

	"locator"
	"locator/explain"
	"locator/find"
	"locator/internal/present"
)

// own serves the gateway's own pages.
func (g *Gateway) own(w http.ResponseWriter, r *http.Request, p place) {
	if r.Method == http.MethodPost {
		if p.text == ownPrefix+"settings" {
			g.keepSettings(w, r)
			return
		}
		if p.text == accountPath && len(g.opt.Service.Users) > 0 {
			g.logIn(w, r, p)
			return
		}
		g.problem(w, r, p, &statusError{http.StatusMethodNotAllowed, "nothing can be sent there"})
		return
	}
	switch name, isAsset := strings.CutPrefix(p.text, assetPath); {
	case isAsset && g.assets.serve(w, name):
	case p.text == "/favicon.ico" && g.assets.serve(w, strings.TrimPrefix(g.assets.names["icon.svg"], assetPath)):
	case p.text == "/robots.txt":
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Write([]byte("User-agent: *\nDisallow: /\n"))
	case p.text == accountPath && len(g.opt.Service.Users) > 0:
		g.accountPage(w, r, http.StatusOK, "")
	case p.text == "/":
		g.front(w, r)
	case p.text == handlerPath:
		g.handler(w, r)
	default:
		g.problem(w, r, p, &statusError{http.StatusNotFound, "the gateway has no page " + p.text})
	}
}

// maxForm is the size of a form that a browser may send, in bytes.
const maxForm = 8 << 20

// keepSettings keeps the settings of texts in a cookie, and goes back to the page where they were chosen.
func (g *Gateway) keepSettings(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 16<<10)
	back := r.PostFormValue("back")
	if !strings.HasPrefix(back, "/") || strings.HasPrefix(back, "//") || strings.ContainsFunc(back, changesPath) {
		back = "/"
	}
	s := readSettings(r.PostForm)
	g.setCookie(w, r, &http.Cookie{Name: settingsCookie, Value: s.encode(), MaxAge: 365 * 24 * 3600, SameSite: http.SameSiteLaxMode})
	g.redirect(w, r, back)
}

// changesPath reports whether a browser takes a character for another one, or leaves it out of an address.
func changesPath(c rune) bool { return c <= ' ' || c == 0x7f || c == '\\' }

// schemeRow is a scheme on the front page.
type schemeRow struct {
	Name     string
	Examples []exampleRow
}

// exampleRow is an example of a scheme.
type exampleRow struct {
	Text string
	Path template.URL // "" if it only shows the form of the URL
	Did  string
}

// patterns are the examples of a gateway that has none: the form of a URL of each scheme, and what its page is for.
var patterns = []struct{ url, did string }{
	{"ftp://host.dom/pub/", "walk through directories, read and download files"},
	{"http://host.dom/", "read the text of a web page, list the links in it, download files"},
	{"gopher://host.dom/", "walk through menus, read texts, search, fill in forms"},
	{"mailto:ann@host.dom?subject=Hello", "write a mail, and download or send it"},
	{"news:comp.infosystems", "read a newsgroup or an article on the configured server"},
	{"nntp://host.dom/comp.infosystems/1234", "read a newsgroup or an article on any server"},
	{"telnet://host.dom/", "log in to a host, in a terminal"},
	{"wais://host.dom/database?words", "search an index, and read the documents that it finds"},
	{"file:///pub/", "read the folders of this computer that the gateway may serve"},
	{"prospero://host.dom/papers", "walk through links to files on many servers"},
}

// front serves the front page.
func (g *Gateway) front(w http.ResponseWriter, r *http.Request) {
	var rows []schemeRow
	for _, s := range explain.Schemes(g.opt.Client.Registry) {
		if s.Productions == "" || s.Extension || s.Abilities == nil {
			continue
		}
		rows = append(rows, schemeRow{s.Name, g.examples(s.Name)})
	}
	page := g.newPage(r, "Locator", rows)
	page.User = g.user(r)
	g.whole(w, r, http.StatusOK, "front", page)
}

// examples returns the examples of a scheme.
func (g *Gateway) examples(name string) (rows []exampleRow) {
	for _, e := range g.opt.Examples {
		if e.URL.Scheme() == name {
			rows = append(rows, exampleRow{shown(e.URL).Text(), pathOf(viewPage, e.URL), e.Did})
		}
	}
	for _, p := range patterns {
		if rows == nil && strings.HasPrefix(p.url, name+":") {
			return []exampleRow{{Text: p.url, Did: p.did}}
		}
	}
	return rows
}

// found returns the URLs in a text, without those that cannot be parsed.
func (g *Gateway) found(text string) (list []locator.URL) {
	f := find.Finder{Web: true, NoLines: true}
	for x := range f.All(text) {
		if u, err := g.client.Parse(x.Text()); err == nil && len(list) < 5 {
			list = append(list, u)
		}
	}
	return list
}

// redirectFound sends the browser to the only URL that is in the text of the address box. It reports whether there was one.
func (g *Gateway) redirectFound(w http.ResponseWriter, r *http.Request, p place) bool {
	text := strings.TrimSpace(p.text)
	list := g.found(text)
	if len(list) != 1 {
		return false
	}
	bare := strings.Join(strings.Fields(text), "")
	if x := list[0].Text(); !strings.Contains(bare, x) && !strings.HasSuffix(x, "://"+bare) {
		return false // it was changed: the page of the error says how
	}
	g.redirect(w, r, string(pathOf(viewPage, list[0])))
	return true
}

// explainData is what the page about a URL shows.
type explainData struct {
	Means string
	JSON  string
}

// explainPage serves what a URL means, without an access.
func (g *Gateway) explainPage(w http.ResponseWriter, r *http.Request, p place) {
	found := g.explained(p.text)
	o := present.Options{Limited: true}
	if wantsJSON(r) {
		h := w.Header()
		h.Set("Content-Type", "application/json")
		h.Set("X-Content-Type-Options", "nosniff")
		w.Write(present.AppendExplanation(nil, &found, o))
		return
	}
	status := http.StatusOK
	data := &explainData{Means: g.means(p.text), JSON: string(present.AppendExplanation(nil, &found, o))}
	if found.Malformed() {
		status = http.StatusBadRequest
		if found.Err != nil {
			data.Means = found.Suggested().Error() + "\n" + data.Means
		}
	}
	page := g.newPage(r, "What this URL means", data)
	page.Box = locator.Redact(p.text)
	if _, ok := g.opt.Client.Registry.Lookup(found.URL.Scheme()); ok {
		page.Address = addressOf(found.URL, found.URL)
	}
	g.whole(w, r, status, "explain", page)
}

// wantsJSON reports whether a program asks for objects.
func wantsJSON(r *http.Request) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept"), ",") {
		name, _, _ := strings.Cut(part, ";")
		switch strings.TrimSpace(name) {
		case "application/json", "application/x-ndjson":
			return true
		case "text/html", "*/*":
			return false
		}
	}
	return false
}
