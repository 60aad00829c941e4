package gateway

import (
	"bufio"
	"html/template"
	"net/http"

	"locator/client"
	"locator/internal/present"
	"locator/scheme"
)

// proxy serves a resource itself, to the client of an HTTP proxy (RFC 9112 3.2.2).
func (g *Gateway) proxy(w http.ResponseWriter, r *http.Request, p place) {
	u, err := g.client.Parse(p.text)
	if err != nil {
		g.problem(w, r, p, err)
		return
	}
	x := &exchange{g: g, w: w, r: r, place: p, u: u}
	if r.Method == http.MethodPut || r.Method == http.MethodPost {
		x.write()
		return
	}
	if err := g.policy.Check(u); err != nil { // also of what is kept
		x.problem(err)
		return
	}
	x.serve((*exchange).forward)
}

// forward sends the bytes of a resource to the client of a proxy.
func (x *exchange) forward() {
	res, err := x.open()
	if err != nil {
		x.problem(err)
		return
	}
	defer res.Close()
	if x.unchanged(res) {
		return
	}
	switch res.Kind {
	case scheme.KindListing:
		x.rawListing(res)
	case scheme.KindObject:
		if res.Range.IsZero() && (res.Attr.Type != "" || x.r.Method == http.MethodGet) { // a HEAD knows no bytes
			res.Attr.Type = typeOf(res, peek(res))
		}
		x.w.Header().Set("Cache-Control", "no-cache")
		x.send(res)
	case scheme.KindQuery, scheme.KindForm:
		if x.r.Method == http.MethodHead { // attributes have no form
			ownHeader(x.w.Header())
			return
		}
		x.formPage(res, http.StatusOK, nil)
	default:
		x.problem(scheme.Fail(scheme.CodeUnsupported, "a %s is not sent through a proxy", res.Kind))
	}
}

// write stores the body of a PUT.
func (x *exchange) write() {
	if x.r.Method != http.MethodPut {
		x.problem(&statusError{http.StatusMethodNotAllowed, "as a proxy the gateway has GET, HEAD and PUT"})
		return
	}
	if err := x.g.permit(x.r, scheme.OpReplace, x.u); err != nil {
		x.problem(err)
		return
	}
	if err := x.g.allow(x.r, scheme.OpReplace); err != nil {
		x.problem(err)
		return
	}
	body := scheme.Body{Reader: x.r.Body, Type: x.r.Header.Get("Content-Type")}
	if n := x.r.ContentLength; n >= 0 {
		body.Size = scheme.Known(n)
	}
	res, err := x.g.client.Replace(x.r.Context(), x.request(), body, &scheme.WriteOptions{})
	x.g.cache.purge(x.u) // also after an error, which may have come too late
	if err != nil {
		x.problem(err)
		return
	}
	defer res.Close()
	if !res.URL.IsZero() {
		x.w.Header().Set("Content-Location", shown(res.URL).Text())
	}
	x.w.WriteHeader(http.StatusNoContent)
}

// rawListing sends a listing to a program: objects if it asks for JSON, and a plain page of links otherwise.
func (x *exchange) rawListing(res *scheme.Resource) {
	h := x.w.Header()
	asJSON := wantsJSON(x.r)
	if asJSON {
		h.Set("Content-Type", "application/x-ndjson")
	} else {
		h.Set("Content-Type", "text/html; charset=utf-8")
	}
	sandbox(h)
	x.share(res)
	o := x.g.pools.newOutput(x.w, x.r, http.StatusOK)
	defer o.Close()
	if x.r.Method == http.MethodHead {
		return
	}
	out := bufio.NewWriter(o)
	defer out.Flush()
	if !asJSON {
		x.g.render(out, "plain-head", titleOf(res.URL))
	}
	form := present.JSON(0)
	for e, err := range client.Entries(res, nil) {
		if err != nil {
			x.spoil()
		}
		switch {
		case err != nil && asJSON:
			f := present.Failure{URL: present.Octets(shown(x.u).Text()), Status: client.CodeOf(err).Exit(), Error: present.Octets(present.Bare(err).Error())}
			b, _ := present.Marshal(f) // strings and numbers only
			out.Write(append(b, '\n'))
		case err != nil:
			x.g.render(out, "plain-error", present.Bare(err).Error())
		case asJSON:
			form.Print(out, e)
		default:
			x.g.render(out, "plain-row", plainRow{line(e.Name), x.plainLink(e)})
		}
		if out.Available() < 1<<10 && out.Flush() != nil {
			return
		}
	}
	if form.End != nil && asJSON {
		form.End(out)
	}
	if !asJSON {
		x.g.render(out, "plain-end", nil)
	}
}

type plainRow struct {
	Name string
	URL  template.URL // "" for a note
}

// plainLink returns the link to an entry: its own URL for the client of a proxy, which asks the proxy for it, and its raw view in a raw
// view, unless it has only a page.
func (x *exchange) plainLink(e scheme.Entry) template.URL {
	if e.URL.IsZero() {
		return ""
	}
	if x.place.view == viewProxy {
		if _, ok := x.g.opt.Client.Registry.Lookup(e.URL.Scheme()); !ok {
			return "" // such as javascript
		}
		return template.URL(shown(e.PlainURL()).Text())
	}
	switch e.Kind {
	case scheme.KindListing, scheme.KindObject:
		return pathOf(viewRaw, e.PlainURL())
	}
	return pathOf(viewPage, e.PlainURL())
}
