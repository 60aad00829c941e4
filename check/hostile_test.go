package check_test

import (
	"fmt"
	"io"
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

// drip sends a text byte by byte, until the client leaves.
func drip(w io.Writer, flush func() error, text string, each time.Duration) {
	for i := range len(text) {
		if _, err := io.WriteString(w, text[i:i+1]); err != nil || flush() != nil {
			return
		}
		time.Sleep(each)
	}
}

// A host that sends a byte now and then, in its fields or in a body, holds nobody up, and is not
// called broken.
func TestTarpit(t *testing.T) {
	t.Parallel()
	_, tar := serve(t, func(_ *site, w http.ResponseWriter, r *http.Request) {
		out := http.NewResponseController(w)
		switch {
		case r.URL.Path == "/fields":
			c, _, err := out.Hijack()
			if err != nil {
				return
			}
			defer c.Close()
			drip(c, func() error { return nil }, "HTTP/1.1 200 OK\r\n"+strings.Repeat("X-Tar: pit\r\n", 100), 100*time.Millisecond)
		case r.URL.Path == "/body" && r.Method == http.MethodGet:
			w.Header().Set("Content-Type", "text/plain")
			drip(w, out.Flush, strings.Repeat("x", 100), 100*time.Millisecond)
		default:
			w.WriteHeader(405)
		}
	})
	_, good := serve(t, func(*site, http.ResponseWriter, *http.Request) {})
	urls := []string{tar + "/fields", tar + "/body"}
	for i := range 20 {
		urls = append(urls, fmt.Sprintf("%s/%d", good, i))
	}
	c := client.New(client.Options{
		Registry: scheme.NewRegistry(httpscheme.New("http")), Limits: scheme.Limits{Idle: 300 * time.Millisecond, LineTime: 300 * time.Millisecond, ReplyTime: 600 * time.Millisecond},
	})
	defer c.Close()
	w := &check.Worker{Checker: &check.Checker{Client: c, RetryAfter: -1, Manners: func(string) check.Manners { return check.Manners{PerHost: 8, Interval: -1} }}}
	begun := time.Now()
	results := run(t, w, check.NewMemory(nil), urls...)
	want(t, results, tar+"/fields", check.Unsure, check.WhyTime)
	want(t, results, tar+"/body", check.OK, "")
	for _, u := range urls[2:] {
		want(t, results, u, check.OK, "")
	}
	if d := time.Since(begun); d > 8*time.Second {
		t.Errorf("it took %v", d)
	}
}

// Of a body of 10 GB only the first bytes are read; where the content is asked for, or the links in
// it, MaxContent each time.
func TestLargeBody(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct {
		c    *check.Checker
		most int64
	}{
		"first bytes": {&check.Checker{}, 16 << 20},
		"content":     {&check.Checker{Content: true}, 16<<20 + 8*check.MaxContent},
		"links":       {&check.Checker{Scope: check.Scope{"http://"}}, 16<<20 + 8*check.MaxContent},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var sent atomic.Int64
			_, at := serve(t, func(_ *site, w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodHead {
					w.WriteHeader(405)
					return
				}
				w.Header().Set("Content-Type", "text/html")
				w.Header().Set("Content-Length", "10737418240")
				if r.URL.Path == "/404" {
					w.WriteHeader(404)
				}
				for {
					n, err := io.WriteString(w, strings.Repeat("<p>a line\n", 1000))
					if sent.Add(int64(n)); err != nil {
						return
					}
				}
			})
			x.c.RetryAfter = -1
			results := run(t, &check.Worker{Checker: x.c}, check.NewMemory(nil), at+"/200", at+"/404")
			want(t, results, at+"/200", check.OK, "")
			want(t, results, at+"/404", check.Broken, check.WhyNotFound)
			if n := sent.Load(); n > x.most {
				t.Errorf("the server could send %d bytes", n)
			}
		})
	}
}

// Redirects without end are a loop after as many as the limits allow; a calendar without end is
// followed as deep as the user wants, whatever its pages link to.
func TestEndless(t *testing.T) {
	t.Parallel()
	s, at := serve(t, func(_ *site, w http.ResponseWriter, r *http.Request) {
		var n int
		w.Header().Set("Content-Type", "text/html")
		if _, err := fmt.Sscanf(r.URL.Path, "/redirect/%d", &n); err == nil {
			w.Header().Set("Location", fmt.Sprintf("/redirect/%d", n+1))
			w.WriteHeader(302)
			return
		}
		if _, err := fmt.Sscanf(r.URL.Path, "/calendar/%d", &n); err == nil { // a month, the one before, and both in another form
			fmt.Fprintf(w, `<a href="%d">next</a> <a href="%d">before</a> <a href="%d?view=week">week</a> <a href="/redirect/%d000">event</a> <a href="/outside/%d">x</a>`, n+1, n-1, n+1, n+1000, n)
			return
		}
		fmt.Fprint(w, `<a href="/outside/deeper">x</a>`)
	})
	w := &check.Worker{Checker: &check.Checker{RetryAfter: -1, Scope: check.Scope{at + "/calendar/"}}}
	results := run(t, w, check.NewMemory(nil), at+"/calendar/0") // to depth 3
	want(t, results, at+"/calendar/3", check.OK, "")
	want(t, results, at+"/calendar/-3", check.OK, "")
	want(t, results, at+"/calendar/3?view=week", check.OK, "")
	want(t, results, at+"/redirect/1000000", check.Broken, check.WhyLoop)
	want(t, results, at+"/outside/2", check.OK, "")
	if s.seen["/calendar/4"] > 0 || s.seen["/outside/deeper"] > 0 || len(results) > 30 {
		t.Errorf("%d results: %v", len(results), s.seen)
	}
	if s.seen["/redirect/1000011"] > 0 {
		t.Error("more than 10 redirects")
	}
}
