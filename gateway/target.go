package gateway

import (
	"html/template"
	"net/http"
	"net/url"
	"strings"

	"locator"
)

// place says what a request is for.
type place struct {
	view view
	text string // the URL of a resource as it came, or the path of a page of the gateway's own
	opts url.Values
}

// view is how a resource is shown, or that a page is the gateway's own.
type view uint8

const (
	viewPage    view = iota // a page about the resource
	viewRaw                 // its bytes
	viewFile                // its bytes, to be kept as a file
	viewExplain             // what its URL means
	viewSession             // a socket to a session, for the page of it
	viewOwn                 // a page of the gateway's own
	viewProxy               // its bytes, for the client of a proxy
)

// ownPrefix begins the paths of the gateway's own pages. No URL begins with it.
const ownPrefix = "/-/"

// prefixes are the paths before URLs.
var prefixes = []struct {
	path string
	view view
}{
	{ownPrefix + "raw/", viewRaw},
	{ownPrefix + "file/", viewFile},
	{ownPrefix + "explain/", viewExplain},
	{ownPrefix + "session/", viewSession},
}

// viewPrefix is followed by the options of a view, as in a query, and then "/" and the URL.
const viewPrefix = ownPrefix + "view/"

// placeOf reads the target of a request. It uses RequestURI, since URL.Path is decoded and loses what
// distinguishes URLs: "%2F", "//", a second "?".
func placeOf(r *http.Request) place {
	target := r.RequestURI
	if !strings.HasPrefix(target, "/") {
		return place{view: viewProxy, text: target}
	}
	for _, p := range prefixes {
		if text, ok := strings.CutPrefix(target, p.path); ok && text != "" {
			return place{view: p.view, text: text}
		}
	}
	if rest, ok := strings.CutPrefix(target, viewPrefix); ok {
		if query, text, ok := strings.Cut(rest, "/"); ok {
			if opts, err := url.ParseQuery(query); err == nil {
				return place{view: viewPage, text: text, opts: opts}
			}
		}
	}
	path, query, _ := strings.Cut(target, "?")
	q, err := url.ParseQuery(query)
	switch {
	case path == ownPrefix+"go" && err == nil && strings.TrimSpace(q.Get("url")) != "":
		text := q.Get("url")
		q.Del("url")
		p := place{view: viewPage, text: text, opts: q}
		for _, x := range prefixes {
			if x.path == ownPrefix+q.Get("as")+"/" {
				p.view = x.view
			}
		}
		return p
	case path == "/gw" && err == nil && q.Get("a") != "": // as other gateways of gopher have it
		return place{view: viewPage, text: q.Get("a"), opts: url.Values{}}
	case path == "/" || strings.HasPrefix(path, ownPrefix) || ownFile(path):
		return place{view: viewOwn, text: path}
	}
	return place{view: viewPage, text: target[1:]}
}

// ownFile reports whether a path is one that browsers and robots ask every web server for.
func ownFile(path string) bool { return path == "/robots.txt" || path == "/favicon.ico" }

// goes reports whether the address of the request is a query. Then the resource has an address of its own, unless a browser would
// rewrite it.
func goes(r *http.Request) bool {
	return strings.HasPrefix(r.RequestURI, ownPrefix+"go?") || strings.HasPrefix(r.RequestURI, "/gw?")
}

// pathOf returns the path of the page of u, or of another view of it. Its type says that html/template must not change it: escapes
// and quotes in it are those of the URL.
func pathOf(v view, u locator.URL) template.URL {
	text := shown(u).Text()
	if !survives(text) {
		q := url.Values{"url": {text}}
		for _, x := range prefixes {
			if x.view == v {
				q.Set("as", strings.Trim(strings.TrimPrefix(x.path, ownPrefix), "/"))
			}
		}
		return template.URL(ownPrefix + "go?" + q.Encode())
	}
	for _, p := range prefixes {
		if p.view == v {
			return template.URL(p.path + text)
		}
	}
	return template.URL("/" + text)
}

// pathWith returns the path of the page of u with options of the view.
func pathWith(u locator.URL, opts url.Values) template.URL {
	text := shown(u).Text()
	switch {
	case len(opts) == 0:
		return pathOf(viewPage, u)
	case survives(text):
		return template.URL(viewPrefix + opts.Encode() + "/" + text)
	}
	q := url.Values{"url": {text}}
	for name, values := range opts {
		q[name] = values
	}
	return template.URL(ownPrefix + "go?" + q.Encode())
}

// shown returns u without its password.
func shown(u locator.URL) locator.URL {
	if _, ok := u.Password(); !ok {
		return u
	}
	var name locator.Optional
	if user, ok := u.User(); ok {
		name = locator.Some(user)
	}
	v, err := u.WithUser(name, locator.Optional{})
	if err != nil {
		return u
	}
	return v
}

// survives reports whether a web browser leaves a URL as it is when it is the path of an address. By the WHATWG URL standard it
// removes segments such as "." and "%2e%2e", takes "\" for "/", escapes some characters, and keeps a fragment to itself.
func survives(text string) bool {
	path, search, isSearch := strings.Cut(text, "?")
	for i := range len(text) {
		switch c := text[i]; {
		case c <= ' ', c >= 0x7f, strings.IndexByte("\"#<>\\^`{}", c) >= 0:
			return false
		case c == '\'' && isSearch && i > len(path):
			return false
		}
	}
	if !validEscapes(path) || !validEscapes(search) {
		return false // net/http refuses it
	}
	for segment := range strings.SplitSeq(path, "/") {
		switch strings.ReplaceAll(strings.ToLower(segment), "%2e", ".") {
		case ".", "..":
			return false
		}
	}
	return true
}

// validEscapes reports whether each "%" is followed by two hexadecimal digits.
func validEscapes(text string) bool {
	_, err := url.PathUnescape(text)
	return err == nil
}
