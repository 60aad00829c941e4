package gateway

import (
	"html/template"
	"net/http"
	"regexp"
	"strings"

	"locator"
)

var originPattern = regexp.MustCompile(`^https?://[A-Za-z0-9.\-\[\]:]+$`)

// isOrigin reports whether a text is an origin of the web: a scheme, a host and perhaps a port.
func isOrigin(s string) bool { return originPattern.MatchString(s) }

// contentHost returns the host of the second origin; "" if there is none.
func (g *Gateway) contentHost() string {
	_, host, _ := strings.Cut(g.opt.Service.ContentOrigin, "://")
	return hostOf(host)
}

// isContent reports whether a request is for the second origin, which has nothing but the bytes of resources, and knows no user.
func (g *Gateway) isContent(r *http.Request) bool {
	host := g.contentHost()
	return host != "" && strings.HasPrefix(r.RequestURI, "/") && hostOf(r.Host) == host
}

// contentPath returns where the bytes of u are shown: on the second origin if there is one, and the browser sends no login.
func (x *exchange) contentPath(v view, u locator.URL) template.URL {
	path := pathOf(v, u)
	if origin := x.g.opt.Service.ContentOrigin; origin != "" && x.r.Header.Get("Authorization") == "" {
		return template.URL(origin + string(path))
	}
	return path
}

// allowContent lets a page show images, sounds and films of the second origin.
func (g *Gateway) allowContent(h http.Header) {
	if origin := g.opt.Service.ContentOrigin; origin != "" {
		h.Set(policyField, strings.NewReplacer("img-src 'self'", "img-src 'self' "+origin, "media-src 'self'", "media-src 'self' "+origin).Replace(h.Get(policyField)))
	}
}

// isPDF reports whether a document is one that browsers show, but not in a sandbox.
func isPDF(mediaType string) bool {
	t, _, _ := strings.Cut(mediaType, ";")
	return strings.EqualFold(strings.TrimSpace(t), "application/pdf")
}
