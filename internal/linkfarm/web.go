package linkfarm

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// page is a link of a web server.
type page struct {
	path   string // with its "?query" if it has one
	answer http.HandlerFunc
	right  string
}

// Verdicts that are right for many links.
const (
	ok        = "ok"
	moved     = "moved"
	notFound  = "broken not found"
	gone      = "broken gone"
	loop      = "broken loop"
	wall      = "blocked wall"
	challenge = "blocked challenge"
	login     = "blocked login"
	limited   = "blocked limit"
	failed    = "unsure server"
	late      = "unsure time"
)

// serve lets a host answer with pages, and adds their links. robots.txt is missing unless it is one
// of the pages; a page whose right is "" is no link.
func (f *Farm) serve(h *host, scheme, does string, pages []page) {
	f.serveAll(h, scheme, does, pages, status(404))
}

// serveAll is serve for a host that has an answer of its own for other names.
func (f *Farm) serveAll(h *host, scheme, does string, pages []page, other http.HandlerFunc) {
	byPath := make(map[string]http.HandlerFunc)
	for _, p := range pages {
		path, _, _ := strings.Cut(p.path, "?")
		byPath[path] = p.answer
		if p.right != "" {
			f.add(scheme+"://"+h.Addr().String()+p.path, does+p.path, p.right)
		}
	}
	s := &http.Server{
		ErrorLog:          log.New(io.Discard, "", 0),
		ReadHeaderTimeout: 10 * time.Second,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			end := sync.OnceFunc(h.request())
			defer end()
			r = r.WithContext(context.WithValue(r.Context(), endKey{}, end))
			answer, ok := byPath[r.URL.EscapedPath()]
			if !ok {
				answer = other
			}
			answer(w, r)
		}),
	}
	f.close = append(f.close, func() { s.Close() })
	go s.Serve(h)
}

// apart plants a link at a host of its own.
func (f *Farm) apart(scheme, does string, p page) error {
	h, err := f.listen()
	if err == nil {
		f.serve(h, scheme, does, []page{p})
	}
	return err
}

// web plants the links of http.
func (f *Farm) web() error {
	for _, plant := range []func(h *host) error{f.good, f.statuses, f.heads, f.walls, f.redirects, f.cookies, f.dead, f.nonsense, f.soft} {
		h, err := f.listen()
		if err != nil {
			return err
		}
		if err := plant(h); err != nil {
			return err
		}
	}
	if err := f.minutes(); err != nil {
		return err
	}
	return f.limits()
}

// good plants pages that are simply there.
func (f *Farm) good(h *host) error {
	pages := []page{
		{"/", found, ok}, {"/fresh", fresh, ok}, {"/no-store", body(200, pageText, "Cache-Control", "no-store"), ok},
		{"/a.txt", body(200, "text", "Content-Type", "text/plain"), ok}, {"/a.png", body(200, "\x89PNG", "Content-Type", "image/png"), ok},
		{"/a.pdf", body(200, "%PDF-1.7", "Content-Type", "application/pdf", "Content-Disposition", "attachment"), ok},
		{"/empty", body(200, ""), ok}, {"/no-type", body(200, pageText, "Content-Type", ""), ok}, {"/204", status(204), ok}, {"/203", status(203), ok},
		{"/206", status(206), ok}, {"/202", status(202), ok}, {"/300", status(300), ok}, {"/304", onHead(status(304), found), ok}, {"/207", status(207), ok},
		{"/10GB", large(200), ok}, {"/query?a=b&c=%20d;e", found, ok}, {"/%E2%82%AC", found, ok}, {"/a%2Fb", found, ok}, {"/semi;type=a", found, ok},
		{"/~user/(x)!*'", found, ok}, {"/" + strings.Repeat("long/", 400), found, ok}, {"/page-about-404", body(200, "<title>What is 404 Not Found?</title>"), ok},
		{"/slow", after(200*time.Millisecond, found), ok}, {"/gzip", body(200, "no gzip", "Content-Encoding", "gzip"), ok},
		{"/early", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(103); found(w, r) }, ok},
		{"/refresh", body(200, pageText, "Refresh", "0; url=/404"), ok}, {"/upper.HTML", found, ok},
		{"/many-fields", body(200, pageText, "X-Long", strings.Repeat("x", 60_000)), ok}, {"/type-of-its-own", body(200, "x", "Content-Type", "a thing; ;"), ok},
	}
	f.serve(h, "http", "good", pages)
	h, err := f.listen()
	if err != nil {
		return err
	}
	f.serve(h, "http", "robots", []page{
		{"/robots.txt", body(200, "User-agent: *\nDisallow: /private/\nAllow: /private/open\n", "Content-Type", "text/plain"), ""},
		{"/public", found, ok}, {"/private/page", found, "skipped robots"}, {"/private/open", found, ok}, {"/private/404", status(404), "skipped robots"},
	})
	return nil
}

// statuses plants answers of every status that is no success and no redirect.
func (f *Farm) statuses(h *host) error {
	right := map[int]string{401: login, 403: wall, 404: notFound, 407: login, 410: gone, 429: "", 451: wall, 999: wall}
	var pages []page
	for n := 400; n < 432; n++ {
		if n != 416 { // the answer to the range of an empty page
			pages = append(pages, page{fmt.Sprintf("/%d", n), status(n), failed})
		}
	}
	for _, n := range []int{444, 451, 498, 499, 600, 700, 999} {
		pages = append(pages, page{fmt.Sprintf("/%d", n), status(n), failed})
	}
	for _, n := range []int{500, 501, 502, 503, 504, 505, 507, 508, 510, 511, 520, 521, 522, 523, 524, 525, 526, 530, 598} { // each slows its host down
		if err := f.apart("http", "status", page{fmt.Sprintf("/%d", n), status(n), failed}); err != nil {
			return err
		}
	}
	for i := range pages {
		n, _ := strconv.Atoi(pages[i].path[1:])
		if r, ok := right[n]; ok {
			pages[i].right = r
		}
	}
	pages = append(pages, page{"/login", status(401, "WWW-Authenticate", `Basic realm="members"`), login},
		page{"/login-bearer", status(401, "WWW-Authenticate", "Bearer"), login}, page{"/login-nonsense", status(401, "WWW-Authenticate", ",,="), login})
	f.serve(h, "http", "status", pages)
	return nil
}

// heads plants pages of servers that refuse HEAD.
func (f *Farm) heads(h *host) error {
	const cut = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
	var pages []page
	for _, n := range []int{400, 403, 404, 405, 406, 410, 415, 500, 501, 502, 503, 520, 999} {
		pages = append(pages, page{fmt.Sprintf("/head-%d", n), onHead(status(n), found), ok},
			page{fmt.Sprintf("/head-%d-get-404", n), onHead(status(n), status(404)), notFound})
	}
	pages = append(pages,
		page{"/head-closed", onHead(raw(""), found), ok}, page{"/head-closed-get-404", onHead(raw(""), status(404)), notFound},
		page{"/head-nonsense", onHead(raw("220 ready\r\n"), found), ok},
		page{"/head-with-body", onHead(raw(cut+"Content-Length: 5\r\n\r\nhello"), found), ok},
		page{"/head-chunked", onHead(raw(cut+"Transfer-Encoding: chunked\r\n\r\n"), found), ok},
		page{"/head-302-to-404", onHead(to(302, "/missing"), found), ok},
		page{"/head-302-to-403", onHead(to(302, "/forbidden"), found), ok},
		page{"/head-302-to-itself", onHead(to(302, "/head-302-to-itself"), found), ok},
		page{"/head-301-to-410", onHead(to(301, "/gone"), found), ok},
		page{"/forbidden", status(403), ""}, page{"/gone", status(410), ""},
		page{"/get-405", onHead(found, status(405)), ok},
		page{"/both-405", status(405, "Allow", "POST"), failed},
	)
	f.serve(h, "http", "head", pages)
	h, err := f.listen()
	if err != nil {
		return err
	}
	begin := len(f.links)
	f.serve(h, "http", "head-hangs", []page{{"/found", onHead(hang(10*time.Second), found), ok}, {"/404", onHead(hang(10*time.Second), status(404)), notFound}})
	for i := range f.links[begin:] {
		f.links[begin+i].HangsHead = true
	}
	return nil
}

// walls plants pages behind walls.
func (f *Farm) walls(h *host) error {
	const anubis = `<!doctype html><html><head><title>Making sure you're not a bot!</title></head><body><script id="anubis_challenge" type="application/json">{}</script></body></html>`
	const cloudflare = `<!DOCTYPE html><title>Just a moment...</title><script>window._cf_chl_opt={cvId:'3'}</script>`
	f.serve(h, "http", "wall", []page{
		{"/403", status(403), wall}, {"/999", status(999), wall}, {"/451", status(451), wall}, {"/403-large", large(403), wall},
		{"/403-get-only", onHead(status(405), status(403)), wall}, {"/akamai", body(403, "<h1>Access Denied</h1>", "Server", "AkamaiGHost"), wall},
		{"/cloudflare-403", body(403, cloudflare, "Cf-Mitigated", "challenge"), challenge}, {"/cloudflare-503", body(503, cloudflare), challenge},
		{"/cloudflare-429", body(429, cloudflare, "Cf-Mitigated", "challenge"), challenge}, {"/cloudflare-200", body(200, cloudflare, "Cf-Mitigated", "challenge"), challenge},
		{"/anubis", body(200, anubis, "Set-Cookie", "techaro.lol-anubis=1; Path=/"), challenge}, {"/anubis-no-store", body(200, anubis, "Cache-Control", "no-store"), challenge},
		{"/anubis-get-only", onHead(status(405), body(200, anubis)), challenge}, {"/anubis-403", body(403, anubis), challenge},
		{"/aws-202", body(202, "", "X-Amzn-Waf-Action", "challenge"), challenge}, {"/aws-405", body(405, "<title>Human Verification</title>", "X-Amzn-Waf-Action", "captcha"), challenge},
		{"/ddos-guard", body(403, `<script src="/.well-known/ddos-guard/js-challenge/index.js">`), challenge},
		{"/moved-to-wall", to(301, "/403"), wall}, {"/moved-to-challenge", to(302, "/anubis"), challenge}, {"/moved-to-login", to(302, "/members"), login},
		{"/members", status(401), login}, {"/signin", to(302, "/signin-form?next=/signin"), ok}, {"/signin-form", found, ""},
	})
	return nil
}

// minutes plants pages that fail for a moment.
func (f *Farm) minutes() error {
	pages := []page{
		{"/closed-once", first(2, raw(""), found), ok}, {"/404-once", tries(1, status(404), found), ok}, {"/403-once-head", onHead(first(1, status(403), found), found), ok},
		{"/503-then-404", tries(1, status(503), status(404)), notFound}, {"/404-then-503", tries(1, status(404), status(503)), failed},
		{"/reset-then-410", first(2, raw(""), status(410)), gone}, {"/loop-once", first(11, to(302, "/loop-once"), found), ok},
		{"/hangs", hang(10 * time.Second), late}, {"/hangs-in-fields", func(w http.ResponseWriter, r *http.Request) {
			if c, closes, ok := hijack(w, r); ok {
				defer closes()
				io.WriteString(c, "HTTP/1.1 200 OK\r\nServer: ")
				c.SetReadDeadline(time.Now().Add(10 * time.Second))
				io.Copy(io.Discard, c)
			}
		}, late},
	}
	for _, n := range []int{500, 502, 503, 504, 520} {
		pages = append(pages, page{fmt.Sprintf("/%d-once", n), first(1, status(n), found), ok}, page{fmt.Sprintf("/%d-twice", n), first(2, status(n), found), ok})
	}
	for _, p := range pages {
		if err := f.apart("http", "minute", p); err != nil {
			return err
		}
	}
	return nil
}

// limits plants hosts that ask for fewer requests, each for itself.
func (f *Farm) limits() error {
	for _, c := range []struct {
		does string
		say  bool
		wait time.Duration
		then http.HandlerFunc
		want string
	}{
		{"burst", true, 900 * time.Millisecond, found, ok},
		{"burst-silent", false, 500 * time.Millisecond, found, ok},
		{"burst-404", true, 900 * time.Millisecond, status(404), notFound},
		{"burst-silent-410", false, 500 * time.Millisecond, status(410), gone},
	} {
		h, err := f.listen()
		if err != nil {
			return err
		}
		answer := limit(h, 4, c.wait, c.say, c.then)
		var pages []page
		for i := range 6 {
			pages = append(pages, page{fmt.Sprintf("/%d", i), answer, c.want})
		}
		f.serve(h, "http", c.does, pages)
	}
	for does, answer := range map[string]http.HandlerFunc{
		"closed-for-an-hour": status(429, "Retry-After", "3600"), "closed-until": func(w http.ResponseWriter, r *http.Request) {
			status(429, "Retry-After", time.Now().Add(time.Hour).UTC().Format(http.TimeFormat))(w, r)
		},
	} {
		h, err := f.listen()
		if err != nil {
			return err
		}
		f.serve(h, "http", does, []page{{"/1", answer, limited}, {"/2", answer, limited}})
	}
	h, err := f.listen()
	if err != nil {
		return err
	}
	f.serve(h, "http", "busy", []page{{"/503-says-when", first(1, status(503, "Retry-After", "1"), found), ok}})
	return nil
}
