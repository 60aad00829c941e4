package linkfarm

import (
	"fmt"
	"io"
	"net/http"
	"strings"
)

// redirects plants redirects of every status, and odd ones.
func (f *Farm) redirects(h *host) error {
	other, err := f.listen()
	if err != nil {
		return err
	}
	f.serve(other, "http", "other", []page{{"/ok", found, ""}, {"/404", status(404), ""}, {"/back", to(302, "http://"+h.Addr().String()+"/three"), ""}})
	refused, err := f.refused()
	if err != nil {
		return err
	}
	there, here := "http://"+other.Addr().String(), "http://"+h.Addr().String()
	pages := []page{
		{"/ok", found, ok}, {"/dir/page", found, ok}, {"/ok%20blank", found, ok}, {"/%C3%A9", found, ok}, {"/500", status(500), failed},
		{"/relative", to(302, "ok"), ok}, {"/dir/up", to(302, "../ok"), ok}, {"/dir/down", to(302, "page"), ok}, {"/dots", to(302, "/dir/../dir/./page"), ok},
		{"/too-many-dots", to(302, "/../../../ok"), ok}, {"/network", to(302, "//"+other.Addr().String()+"/ok"), ok}, {"/absolute", to(302, there+"/ok"), ok},
		{"/no-path", to(302, "http://"+h.Addr().String()), notFound}, {"/query", to(302, "?x=1"), loop}, {"/fragment", to(302, "/ok#part"), ok},
		{"/blank", to(302, "/ok blank"), ok}, {"/accent", to(302, "/é"), ok}, {"/padded", to(302, "  /ok  "), ok}, {"/user", to(302, "http://user:secret@"+h.Addr().String()+"/ok"), ok},
		{"/upper", to(302, "HTTP://"+h.Addr().String()+"/ok"), ok}, {"/backslash", to(302, `\ok`), ok},
		{"/empty", to(302, ""), failed}, {"/none", status(302), failed}, {"/none-301", status(301), failed}, {"/malformed", to(302, "http://["), failed},
		{"/app", to(302, "myapp://open/1"), "skipped unsupported"}, {"/script", to(302, "javascript:void(0)"), failed}, {"/data", to(302, "data:text/plain,x"), failed}, {"/mail", to(302, "mailto:ann@example.org"), "skipped excluded"},
		{"/304", status(304, "Location", "/ok"), failed}, {"/305", to(305, "/ok"), failed}, {"/306", to(306, "/ok"), failed},
		{"/to-500", to(302, "/500"), failed}, {"/to-refused", to(302, "http://"+refused+"/"), "broken unreachable"}, {"/to-404-there", to(301, there+"/404"), notFound},
		{"/chain-5", chain(302, 5, found), ok}, {"/chain-9", chain(307, 9, found), ok}, {"/chain-9-404", chain(302, 9, status(404)), notFound},
		{"/chain-permanent", chain(301, 3, found), moved}, {"/chain-308", chain(308, 2, found), moved},
		{"/self", to(302, "/self"), loop}, {"/self-301", to(301, "/self-301"), loop}, {"/two", to(302, "/two-b"), loop}, {"/two-b", to(302, "/two"), ""},
		{"/three", to(302, there+"/back"), loop}, {"/endless", endless, loop}, {"/self-get", onHead(status(405), to(302, "/self-get")), loop},
		{"/case", to(301, "/CASE"), loop}, {"/CASE", to(301, "/case"), ""}, {"/slash", to(301, "/slash/"), loop}, {"/slash/", to(301, "/slash"), ""},
		{"/slash-ok", to(301, "/slash-ok/"), moved}, {"/slash-ok/", found, ""}, {"/here", to(308, here+"/ok"), moved},
	}
	for _, n := range []int{300, 301, 302, 303, 307, 308} {
		right := ok
		if n == 301 || n == 308 {
			right = moved
		}
		pages = append(pages, page{fmt.Sprintf("/%d-ok", n), to(n, "/ok"), right}, page{fmt.Sprintf("/%d-404", n), to(n, "/missing"), notFound},
			page{fmt.Sprintf("/%d-get", n), onHead(status(405), to(n, "/ok")), right})
	}
	f.serve(h, "http", "redirect", pages)
	return nil
}

// cookies plants pages that want a cookie first.
func (f *Farm) cookies(h *host) error {
	never := func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "try", Value: "again"})
		to(302, r.URL.Path)(w, r)
	}
	f.serve(h, "http", "cookie", []page{
		{"/page", cookie("/", found), ok}, {"/page-404", cookie("/page-404", status(404)), notFound}, {"/dir/page", cookie("/dir/", found), ok},
		{"/get", onHead(status(405), cookie("/get", found)), ok}, {"/never", never, loop}, {"/other-path", cookie("/elsewhere", found), loop},
		{"/set", func(w http.ResponseWriter, r *http.Request) {
			http.SetCookie(w, &http.Cookie{Name: "set", Value: "yes", Path: "/"})
			to(302, "/check?from=/set")(w, r)
		}, ok},
		{"/check", func(w http.ResponseWriter, r *http.Request) {
			if _, err := r.Cookie("set"); err != nil {
				status(403)(w, r)
				return
			}
			found(w, r)
		}, ""},
	})
	return nil
}

// dead plants pages that are gone, in many ways.
func (f *Farm) dead(h *host) error {
	f.serve(h, "http", "dead", []page{
		{"/404", status(404), notFound}, {"/410", status(410), gone}, {"/404-large", large(404), notFound}, {"/404-empty", body(404, ""), notFound},
		{"/404-plain", body(404, "no", "Content-Type", "text/plain"), notFound}, {"/404-cookie", status(404, "Set-Cookie", "a=b"), notFound},
		{"/404-login", body(404, "<form action=/login><input type=password></form>"), notFound}, {"/404-retry", status(404, "Retry-After", "0"), notFound},
		{"/404-cut", raw("HTTP/1.1 404 Not Found\r\nContent-Length: 1000\r\n\r\ncut"), notFound}, {"/404-http10", raw("HTTP/1.0 404 Not Found\r\n\r\n"), notFound},
		{"/404-words", raw("HTTP/1.1 404 Everything is fine\r\nContent-Length: 0\r\n\r\n"), notFound}, {"/404-no-words", raw("HTTP/1.1 404\r\nContent-Length: 0\r\n\r\n"), notFound},
		{"/404?page=1", status(404), notFound}, {"/head-200-cookie", onHead(fresh, status(404)), notFound}, {"/head-200-no-store", onHead(body(200, "", "Cache-Control", "no-store"), status(410)), gone},
		{"/404-chunks", raw("HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"), notFound}, {"/404.png", status(404, "Content-Type", "image/png"), notFound},
		{"/404-by-3", chain(302, 3, status(404)), notFound}, {"/410-by-3", chain(301, 3, status(410)), gone},
	})
	for _, path := range []string{"/", "/a", "/b?c"} {
		at, err := f.refused()
		if err != nil {
			return err
		}
		f.add("http://"+at+path, "refused"+path, "broken unreachable")
	}
	f.add("http://no-such-host.invalid/", "a name that does not exist", "broken name")
	f.add("https://no-such-host.invalid/page", "a name that does not exist", "broken name")
	for _, bad := range []string{"http://not a host/", "http://[::1/", "http://host:port/", "http:///path"} {
		f.add(bad, "malformed", "broken malformed")
	}
	return nil
}

// nonsense plants answers that violate the protocol. A response that says 200 is there, whatever
// follows.
func (f *Farm) nonsense(h *host) error {
	const fields = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
	pages := []page{
		{"/http10", raw("HTTP/1.0 200 OK\r\n\r\n" + pageText), ok}, {"/lf", raw("HTTP/1.1 200 OK\nContent-Type: text/html\n\n" + pageText), ok},
		{"/ssh", raw("SSH-2.0-OpenSSH_9.2\r\n"), failed}, {"/html-only", raw(pageText), failed}, {"/icy", raw("ICY 200 OK\r\n\r\n"), failed}, {"/closed", raw(""), failed},
		{"/bad-field", raw(fields + "no colon\r\n\r\n"), failed}, {"/two-lengths", raw(fields + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab"), failed},
		{"/bad-length", raw(fields + "Content-Length: many\r\n\r\n"), failed}, {"/100-only", raw("HTTP/1.1 100 Continue\r\n\r\n"), failed},
		{"/status-0", raw("HTTP/1.1 0 OK\r\n\r\n"), failed}, {"/status-2000", raw("HTTP/1.1 2000 OK\r\n\r\n"), failed}, {"/http9", raw("HTTP/9.9 200 OK\r\n\r\n"), ok},
		{"/bomb", raw("HTTP/1.1 200 OK\r\n" + strings.Repeat("X-Field: "+strings.Repeat("x", 4000)+"\r\n", 1000)), failed},
		{"/cut-fields", raw("HTTP/1.1 200 OK\r\nContent-Ty"), failed}, {"/gzip", onHead(status(405), body(200, "no gzip", "Content-Encoding", "gzip")), ok},
		{"/zeros", raw(strings.Repeat("\x00", 100)), failed}, {"/echo", func(w http.ResponseWriter, r *http.Request) { raw("GET "+r.URL.Path+" HTTP/1.1\r\n\r\n")(w, r) }, failed},
	}
	for name, tail := range map[string]string{
		"cut": "Content-Length: 1000\r\n\r\ncut", "chunk-size": "Transfer-Encoding: chunked\r\n\r\nzz\r\n", "chunk-cut": "Transfer-Encoding: chunked\r\n\r\n5\r\nhel",
		"chunk-huge": "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffffff\r\n", "no-bytes": "Content-Length: 10\r\n\r\n",
	} {
		pages = append(pages, page{"/get-" + name, onHead(raw("HTTP/1.1 405 No\r\nContent-Length: 0\r\n\r\n"), raw(fields+tail)), ok})
	}
	f.serve(h, "http", "nonsense", pages)
	return nil
}

// soft plants hosts that have a page for every name: only a check that reads the content finds out
// what is missing. A page that a script makes, or a login, may be there for every name.
func (f *Farm) soft(h *host) error {
	begin := len(f.links)
	missing := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>Our shop</title><p>We could not find %s. Try the search.", r.URL.Path)
	}
	real := func(title string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "<title>"+title+"</title>"+strings.Repeat("<p>A long and particular text about "+title+".", 20))
		}
	}
	front := real("our shop")
	const app = `<!doctype html><title>App</title><div id="root"></div><script src="/app.js"></script>`
	for i, x := range []struct {
		does  string
		pages []page
		other http.HandlerFunc // for all other names
	}{
		{"soft", []page{{"/articles/1", real("pots"), ok}, {"/articles/2", real("pans"), ok}, {"/articles/3", missing, notFound}, {"/articles/4.html", missing, notFound}, {"/old/shop", missing, notFound}}, missing},
		{"soft-front", []page{{"/", front, ok}, {"/pots", real("pots"), ok}, {"/old-pots", to(302, "/"), notFound}, {"/moved-pots", to(302, "/pots"), ok}, {"/gone/pots.html", to(301, "/"), notFound}}, to(302, "/")},
		{"soft-app", []page{{"/", body(200, app), ok}, {"/users/1", body(200, app), ok}, {"/about", body(200, app), ok}}, body(200, app)},
		{"soft-login", []page{{"/", front, ok}, {"/members/1", body(200, `<form>Our members log in here, please <input name="n"><input type="password">`), ok}}, body(200, `<form>Our members log in here, please <input name="n"><input type="password">`)},
		{"hard", []page{{"/pots", real("pots"), ok}, {"/about-404", body(200, "<title>404</title>The status 404 means that a page was not found"), ok}, {"/none", status(404), notFound}}, status(404)},
	} {
		if i > 0 {
			var err error
			if h, err = f.listen(); err != nil {
				return err
			}
		}
		f.serveAll(h, "http", x.does, x.pages, x.other)
	}
	for i := range f.links[begin:] {
		f.links[begin+i].Content = true
	}
	return nil
}
