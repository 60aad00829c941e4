package gateway

import (
	"bytes"
	"html/template"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"locator"
	"locator/explain"
	"locator/find"
	"locator/internal/present"
	"locator/internal/units"
	"locator/scheme"
	"locator/wire"
)

// pageData is what every page shows.
type pageData struct {
	Title    string
	Version  string
	Address  *address // nil on the gateway's own pages
	Box      string   // the text in the address box
	Notes    []string
	Settings settings
	Widths   []string
	Charsets []string
	Back     string // the path of this page, for forms that lead back to it
	Token    string // of forms that are sent; only pages with one have it
	IsText   bool   // offer the settings of texts
	Users    bool   // somebody can log in to the gateway
	User     string // who has logged in, on the front page
	LogIn    bool   // something is refused only for want of a login
	Body     any
	Nonce    string // of <style> elements that a script makes; "" forbids them
}

// Fill returns the form of the page, or nil.
func (p *pageData) Fill() *formData {
	switch body := p.Body.(type) {
	case *formData:
		return body
	case *objectData:
		return body.Search
	}
	return nil
}

// address is the URL of a page, and its neighbours.
type address struct {
	Text    string       // exact, without a password
	From    string       // the URL that was asked for, if hops led elsewhere
	Up      template.URL // paths of the gateway; "" if there is none
	Root    template.URL
	Raw     template.URL
	Explain template.URL
	Detail  template.URL // of the page with all attributes
	Scheme  string
}

// addressOf returns the address of u.
func addressOf(u, asked locator.URL) *address {
	u = shown(u)
	a := &address{Text: u.Text(), Raw: pathOf(viewRaw, u), Explain: pathOf(viewExplain, u), Scheme: u.Scheme()}
	if asked = shown(asked); !locator.Equal(asked, u) {
		a.From = asked.Text()
	}
	up := func(ref string) template.URL {
		if to, err := u.Resolve(ref); err == nil && to.Text() != u.Text() {
			return pathOf(viewPage, to)
		}
		return ""
	}
	if u.Hierarchical() {
		a.Root = up("/")
		if path, ok := u.Path(); ok && strings.HasSuffix(path, "/") {
			a.Up = up("..")
		} else {
			a.Up = up(".")
		}
		if a.Up == a.Root {
			a.Up = ""
		}
	} else if to, err := u.WithPath(locator.Optional{}); err == nil && to.Text() != u.Text() {
		a.Root = pathOf(viewPage, to)
	}
	return a
}

// newPage returns the data of the page of a resource.
func (x *exchange) newPage(title string, u locator.URL, body any) *pageData {
	if u.IsZero() {
		u = x.u
	}
	p := x.g.newPage(x.r, title, body)
	p.Address, p.Box, p.Notes = addressOf(u, x.u), shown(u).Text(), x.takeNotes()
	p.Settings = x.settings
	if !x.place.opts.Has("detail") && x.r.Method != http.MethodPost {
		p.Address.Detail = x.optionsPath("detail", "1")
	}
	return p
}

// newPage returns the data of a page of the gateway's own.
func (g *Gateway) newPage(r *http.Request, title string, body any) *pageData {
	return &pageData{
		Title: title, Version: g.opt.Version, Body: body, Settings: settingsOf(r), Widths: widths, Charsets: charsets, Back: r.RequestURI, Users: len(g.opt.Service.Users) > 0,
	}
}

// policyField has the content security policy of a page.
const policyField = "Content-Security-Policy"

// contentPolicy returns the policy of the gateway's own pages. A nonce allows the <style> elements that have it.
func contentPolicy(nonce string) string {
	styles := "'self'"
	if nonce != "" {
		styles += " 'nonce-" + nonce + "'"
	}
	return "default-src 'none'; style-src " + styles + "; script-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; " +
		"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
}

// ownHeader sets the header fields of a page.
func ownHeader(h http.Header) {
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set(policyField, contentPolicy(""))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "same-origin") // with no-referrer, browsers send no Origin with a form
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("X-Robots-Tag", "noindex, nofollow")
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-store")
	}
}

// begin sends the header of a page and its first part, and returns its body. The caller must close that.
func (g *Gateway) begin(w http.ResponseWriter, r *http.Request, status int, p *pageData) *output {
	ownHeader(w.Header())
	w.Header().Set(policyField, contentPolicy(p.Nonce))
	g.allowContent(w.Header())
	o := g.pools.newOutput(w, r, status)
	g.render(o, "head", p)
	return o
}

// render writes a part of a page. An error of writing is one of the connection, which nobody is left to be told about: output keeps it.
func (g *Gateway) render(w io.Writer, name string, data any) error {
	return g.assets.pages.ExecuteTemplate(w, name, data)
}

// whole sends a page that is made at once.
func (g *Gateway) whole(w http.ResponseWriter, r *http.Request, status int, name string, p *pageData) {
	var body bytes.Buffer
	for _, part := range []string{"head", name, "foot"} {
		if err := g.render(&body, part, p); err != nil {
			g.opt.Log.Error("a page cannot be made", "page", name, "error", err)
			http.Error(w, "the page cannot be made", http.StatusInternalServerError)
			return
		}
	}
	ownHeader(w.Header())
	w.Header().Set(policyField, contentPolicy(p.Nonce))
	o := g.pools.newOutput(w, r, status)
	o.Write(body.Bytes())
	o.Close()
}

// panel is the explain panel at the end of a page.
type panel struct {
	Wrapped  string // the URL as <URL:...>
	Means    string // the parts, the rule and the hazards of the URL
	Dialogue []string
	More     int
	Took     time.Duration
	Bytes    string
	Addr     string
	Hops     []string
	Notes    []string
	Explain  template.URL
	Late     []string // notes that came after the page began, which stand before the panel
}

// end writes the explain panel and the end of a page.
func (x *exchange) end(o *output, res *scheme.Resource, n int64) {
	p := panel{Wrapped: find.Wrap(shown(x.u), 0), Means: x.means(), Explain: pathOf(viewExplain, x.u), Late: x.takeNotes()}
	p.Dialogue, p.More, p.Took = x.dialogue.text()
	p.Took = p.Took.Round(time.Millisecond)
	if n >= 0 {
		p.Bytes = units.Size(n)
	}
	if res != nil {
		if res.Addr.IsValid() {
			p.Addr = res.Addr.String()
		}
		for _, h := range res.Via {
			p.Hops = append(p.Hops, shown(h.From).Text())
		}
	}
	x.g.render(o, "panel", p)
	x.g.render(o, "foot", nil)
}

// means returns the lines of explain about the URL.
func (x *exchange) means() string {
	return x.g.means(shown(x.u).Text())
}

// means returns the lines of explain about a text.
func (g *Gateway) means(text string) string {
	found := g.explained(text)
	b := present.AppendExplanationText(nil, &found, present.Options{Limited: true})
	return string(present.AppendFindings(b, found.Findings))
}

// explained explains a text by the policy of the gateway.
func (g *Gateway) explained(text string) explain.Explanation {
	x := g.explain.Explain(text)
	if x.Err == nil {
		x.Refused = g.policy.Check(x.URL.WithoutFragment())
	}
	return x
}

// optionsPath returns the path of this page with one more option of the view, or without it if the value is "".
func (x *exchange) optionsPath(name, value string) template.URL {
	q := url.Values{}
	for n, v := range x.place.opts {
		q[n] = v
	}
	if q.Set(name, value); value == "" {
		q.Del(name)
	}
	return pathWith(x.u, q)
}

// line returns a text from a server as one line of a page.
func line(s string) string { return wire.TextLine(s) }

// lines returns a text from a server as lines of a page.
func lines(s string) string {
	b, err := io.ReadAll(wire.Text(strings.NewReader(s)))
	if err != nil {
		return line(s)
	}
	return string(b)
}
