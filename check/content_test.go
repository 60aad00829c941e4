package check_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"locator/check"
	"locator/client"
	"locator/scheme"
	httpscheme "locator/scheme/http"
)

// checked checks a URL with a Checker.
func checked(t *testing.T, c *check.Checker, url string, before *check.Memory) *check.Result {
	t.Helper()
	if c.Client == nil {
		c.Client = client.New(client.Options{Registry: scheme.NewRegistry(httpscheme.New("http"), httpscheme.New("https"))})
		t.Cleanup(func() { c.Client.Close() })
	}
	return c.Check(t.Context(), check.Task{URL: url, Before: before})
}

func TestFragments(t *testing.T) {
	t.Parallel()
	prose := strings.Repeat("<p>Words of a page that has content of its own.", 10)
	s, at := serve(t, func(_ *site, w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/page":
			fmt.Fprint(w, "<html><h1 id=here>x</h1>", prose)
		case "/app":
			fmt.Fprint(w, "<html><div id=app></div><script src=x.js></script>")
		case "/to":
			http.Redirect(w, r, "/page", http.StatusFound)
		case "/toplace":
			http.Redirect(w, r, "/page#there", http.StatusFound)
		case "/long":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, prose, strings.Repeat(" ", check.MaxContent))
		case "/cut":
			w.Header().Set("Content-Length", "100000")
			fmt.Fprint(w, "<html>", prose)
		case "/doc.pdf":
			w.Header().Set("Content-Type", "application/pdf")
			fmt.Fprint(w, "%PDF-1.4")
		case "/README.md":
			w.Header().Set("Content-Type", "text/plain")
			fmt.Fprint(w, "# Some Title\n")
		case "/moved":
			http.Redirect(w, r, "/page", http.StatusMovedPermanently)
		}
	})
	for _, x := range []struct {
		url     string
		verdict check.Verdict
		why     check.Why
		note    string
	}{
		{"/page#here", check.OK, "", ""},
		{"/page#none", check.Unsure, check.WhyFragment, "no such fragment"},
		{"/page#!/x", check.OK, "", ""},
		{"/page", check.OK, "", ""},
		{"/app#none", check.Unsure, check.WhyFragment, "script"},
		{"/to#none", check.Unsure, check.WhyFragment, ""},
		{"/to#here", check.OK, "", ""},
		{"/moved#here", check.Moved, "", ""},
		{"/toplace#none", check.OK, "", ""},
		{"/long#none", check.OK, "", ""},
		{"/cut#none", check.OK, "", ""},
		{"/doc.pdf#page=9", check.OK, "", ""},
		{"/README.md#some-title", check.OK, "", ""},
		{"/README.md#other", check.Unsure, check.WhyFragment, ""},
	} {
		r := checked(t, &check.Checker{Fragments: true}, at+x.url, nil)
		if r.Verdict != x.verdict || r.Why != x.why || !strings.Contains(r.Note, x.note) {
			t.Errorf("%s: %s %s (%s), want %s %s", x.url, r.Verdict, r.Why, r.Note, x.verdict, x.why)
		}
	}
	s.mu.Lock()
	seen := s.seen["/page"]
	s.mu.Unlock()
	if seen == 0 {
		t.Error("nothing was asked for")
	}
}

// The content is compared by its digest; one that is too long by its size, date and entity tag.
func TestChanged(t *testing.T) {
	t.Parallel()
	var text, tag atomic.Value
	text.Store("one")
	tag.Store(`"a"`)
	_, at := serve(t, func(_ *site, w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/page":
			fmt.Fprint(w, text.Load())
		case "/big":
			w.Header().Set("ETag", tag.Load().(string))
			w.Header().Set("Content-Length", fmt.Sprint(check.MaxContent+1))
			for range check.MaxContent/64 + 1 {
				if _, err := w.Write([]byte(strings.Repeat("x", 64))); err != nil {
					return
				}
			}
		default:
			http.NotFound(w, r)
		}
	})
	c := &check.Checker{Content: true}
	page, big := checked(t, c, at+"/page", nil), checked(t, c, at+"/big", nil)
	if page.Verdict != check.OK || page.Why != "" || len(page.Digest) != 64 || page.Bytes != 3 {
		t.Errorf("%+v", page)
	}
	if big.Verdict != check.OK || big.Why != "" || big.Digest != "" {
		t.Errorf("%+v", big)
	}
	for _, r := range []*check.Result{checked(t, c, at+"/page", page.Memory), checked(t, c, at+"/big", big.Memory)} {
		if r.Verdict != check.OK || r.Why != "" {
			t.Errorf("the same: %+v", r)
		}
	}
	text.Store("two")
	tag.Store(`"b"`)
	for _, r := range []*check.Result{checked(t, c, at+"/page", page.Memory), checked(t, c, at+"/big", big.Memory)} {
		if r.Verdict != check.OK || r.Why != check.WhyChanged {
			t.Errorf("changed: %+v", r)
		}
	}
}

// template is a page of a site whose pages have much in common.
func template(title, content string) string {
	return "<html><title>" + title + "</title><nav>" + strings.Repeat("<a href=/x>Home</a> <a>Products and services</a> <a>About the company</a> News Contact ", 3) +
		"</nav><main>" + content + "</main><footer>Copyright by the company, all rights reserved. Imprint, privacy, terms of service and the rest.</footer>"
}

func TestSoftMissing(t *testing.T) {
	t.Parallel()
	var count atomic.Int64
	sorry := func(r *http.Request) string {
		return template("Not found", fmt.Sprintf("<h1>Sorry</h1><p>The page %s does not exist. <!-- %d --> It is %s, you are visitor %d, your token is %032x.",
			r.URL.Path, count.Add(1), time.Now().Format(time.RFC3339Nano), count.Load(), count.Load()*7919))
	}
	adverts := []string{"Buy shoes today", "Fly to Rome", "Drink more tea"}
	for name, x := range map[string]struct {
		answer http.HandlerFunc
		want   map[string]check.Why // "" is OK; all others are Broken
	}{
		"honest": {func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/real" {
				http.NotFound(w, r)
			}
			fmt.Fprint(w, template("x", "real"))
		}, map[string]check.Why{"/real": "", "/": check.WhyNotFound}},
		"soft": {func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/":
				fmt.Fprint(w, template("Welcome", "The front page has news: one, two and three."))
			case "/real":
				fmt.Fprint(w, template("Real", "Yes"))
			case "/dir/":
				fmt.Fprint(w, template("Folder", "Some files are in this folder."))
			default:
				fmt.Fprint(w, sorry(r))
			}
		}, map[string]check.Why{"/": "", "/real": "", "/dir/": "", "/gone": check.WhyNotFound, "/dir/gone.html": check.WhyNotFound, "/gone/": check.WhyNotFound, "/gone-with-words.php?id=5": check.WhyNotFound}},
		"front page gone": {func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/", "/dir/":
				http.NotFound(w, r)
			default:
				fmt.Fprint(w, sorry(r))
			}
		}, map[string]check.Why{"/gone": check.WhyNotFound}},
		"not even a front page": {func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/articles/1" {
				fmt.Fprint(w, template("Pots", "All about pots."))
				return
			}
			fmt.Fprint(w, "<title>Our shop</title><p>We could not find ", r.URL.Path, ". Try the search.")
		}, map[string]check.Why{"/": "", "/articles/1": "", "/articles/3": check.WhyNotFound, "/articles/4.html": check.WhyNotFound, "/old/shop": check.WhyNotFound}},
		"thin pages of one template": {func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/":
				fmt.Fprint(w, template("Shop", "Welcome to the shop and its many things."))
			case "/a", "/b":
				fmt.Fprint(w, template("Product", "Lamp"+r.URL.Path))
			default:
				fmt.Fprint(w, template("Product", "None"))
			}
		}, map[string]check.Why{"/a": "", "/b": "", "/c": check.WhyNotFound}},
		"adverts": {func(w http.ResponseWriter, r *http.Request) {
			advert := adverts[count.Add(1)%3]
			switch r.URL.Path {
			case "/":
				fmt.Fprint(w, template("Welcome", "The front page has news: one, two and three."+advert))
			case "/real":
				fmt.Fprint(w, template("Recipe", "Take a pound of flour and two eggs, and stir well."+advert))
			default:
				fmt.Fprint(w, template("Sorry", "This page is gone for good."+advert))
			}
		}, map[string]check.Why{"/real": ""}},
		"one page for all names": {func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, template("App", "The application is loading."))
		}, map[string]check.Why{"/": "", "/about": "", "/deep/link": ""}},
		"an application in a folder": {func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, "/app/") {
				fmt.Fprint(w, template("App", "The application is loading."))
				return
			}
			fmt.Fprint(w, template("Welcome", "The front page has news: one, two and three."))
		}, map[string]check.Why{"/app/about": "", "/app/": ""}},
		"an empty page with a script": {func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/" {
				fmt.Fprint(w, template("Welcome", "The front page has news: one, two and three."))
				return
			}
			fmt.Fprint(w, "<html><title>One more app</title><div id=root></div><script src=/app.js></script>")
		}, map[string]check.Why{"/about": ""}},
		"login": {func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/" {
				fmt.Fprint(w, template("Welcome", "The front page has news: one, two and three."))
				return
			}
			fmt.Fprint(w, template("Login", `Please log in. <input type="password">`))
		}, map[string]check.Why{"/private": ""}},
		"to the login": {func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/login" && r.URL.Path != "/" {
				http.Redirect(w, r, "/login", http.StatusFound)
				return
			}
			fmt.Fprint(w, template("Login", "Please say who you are."))
		}, map[string]check.Why{"/private": ""}},
		"to the front page": {func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/":
				fmt.Fprint(w, template("Welcome", "News"))
			case "/real":
				fmt.Fprint(w, template("Real", "Text"))
			case "/moved":
				http.Redirect(w, r, "/real", http.StatusMovedPermanently)
			default:
				http.Redirect(w, r, "/", http.StatusMovedPermanently)
			}
		}, map[string]check.Why{"/": "", "/real": "", "/moved": "", "/gone": check.WhyNotFound}},
		"home": {func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/":
				fmt.Fprint(w, template("Welcome", "News"))
			case "/home":
				http.Redirect(w, r, "/", http.StatusFound)
			default:
				http.NotFound(w, r)
			}
		}, map[string]check.Why{"/home": ""}},
		"empty": {func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/" {
				fmt.Fprint(w, "x")
			}
		}, map[string]check.Why{"/pixel": ""}},
		"placeholder": {func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/", "/dir/":
				fmt.Fprint(w, template("Welcome", "News"))
			case "/real.png":
				w.Header().Set("Content-Type", "image/png")
				fmt.Fprint(w, "\x89PNG real")
			default:
				w.Header().Set("Content-Type", "image/png")
				fmt.Fprint(w, "\x89PNG placeholder")
			}
		}, map[string]check.Why{"/real.png": "", "/gone.png": check.WhyNotFound}},
		"a front page that fails": {func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/" {
				w.WriteHeader(403)
				return
			}
			fmt.Fprint(w, template("Hello", "Please wait until you are let in."))
		}, map[string]check.Why{"/x": ""}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, at := serve(t, func(_ *site, w http.ResponseWriter, r *http.Request) { x.answer(w, r) })
			c := &check.Checker{Content: true, Confirm: check.Confirm{Runs: 1}}
			for path, why := range x.want {
				r := checked(t, c, at+path, nil)
				verdict := check.Broken
				if why == "" {
					verdict = check.OK
					if path == "/moved" {
						verdict = check.Moved
					}
				}
				if r.Verdict != verdict || r.Why != why {
					t.Errorf("%s: %s %s (%s), want %s %s", path, r.Verdict, r.Why, r.Note, verdict, why)
				}
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			if len(s.requests) > 6*len(x.want)+4 {
				t.Errorf("%d requests for %d URLs", len(s.requests), len(x.want))
			}
		})
	}
}

// A name that cannot exist is asked for once per host, whatever the answer.
func TestSoftMissingOnce(t *testing.T) {
	t.Parallel()
	for _, status := range []int{403, 404, 500} {
		s, at := serve(t, func(_ *site, w http.ResponseWriter, r *http.Request) {
			if !strings.HasPrefix(r.URL.Path, "/real") {
				w.WriteHeader(status)
			}
			fmt.Fprint(w, r.URL.Path)
		})
		c := &check.Checker{Content: true}
		for i := range 5 {
			if r := checked(t, c, fmt.Sprint(at, "/real", i), nil); r.Verdict != check.OK {
				t.Errorf("%+v", r)
			}
		}
		if len(s.requests) != 6 {
			t.Errorf("%d: %d requests, want 6", status, len(s.requests))
		}
	}
}
