package check_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"locator"
	"locator/check"
	"locator/client"
	"locator/scheme"
	"locator/scheme/all"
	httpscheme "locator/scheme/http"
)

// site counts what a server sees.
type site struct {
	mu       sync.Mutex
	active   int
	most     int
	seen     map[string]int
	early    int       // requests before the time that it asked for
	until    time.Time // it asked to be left alone until then
	answer   func(s *site, w http.ResponseWriter, r *http.Request)
	requests []time.Time
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.active++
	s.most = max(s.most, s.active)
	s.seen[r.URL.Path]++
	s.requests = append(s.requests, time.Now())
	if time.Now().Before(s.until) {
		s.early++
	}
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.active--
		s.mu.Unlock()
	}()
	s.answer(s, w, r)
}

func serve(t *testing.T, answer func(s *site, w http.ResponseWriter, r *http.Request)) (*site, string) {
	s := &site{seen: make(map[string]int), answer: answer}
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	return s, srv.URL
}

// run checks URLs and returns the results by path.
func run(t *testing.T, w *check.Worker, store check.Store, urls ...string) map[string]*check.Result {
	t.Helper()
	c := client.New(client.Options{Registry: scheme.NewRegistry(httpscheme.New("http"), httpscheme.New("https"))})
	defer c.Close()
	if w.Checker == nil {
		w.Checker = &check.Checker{}
	}
	if w.Checker.Client != nil {
		c = w.Checker.Client
	}
	w.Checker.Client = c
	r, err := store.Begin(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var links []check.Link
	for i, u := range urls {
		links = append(links, check.NewLink(c, locator.Current.Parse, u, check.Place{File: "f", Line: i + 1}, false))
	}
	if w.Checker.Scope != nil {
		links[0].Depth = 3
	}
	if _, err := r.Add(t.Context(), links); err != nil {
		t.Fatal(err)
	}
	if err := r.Seal(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	if err := w.Run(ctx, r); err != nil || ctx.Err() != nil {
		t.Fatal(err, ctx.Err())
	}
	results := make(map[string]*check.Result)
	for res, err := range r.Results(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		results[res.URL] = res
	}
	return results
}

func want(t *testing.T, results map[string]*check.Result, url string, v check.Verdict, why check.Why) *check.Result {
	t.Helper()
	r := results[url]
	if r == nil {
		t.Fatalf("%s: no result", url)
	}
	if r.Verdict != v || r.Why != why {
		t.Errorf("%s: %s %s (%s %s), want %s %s", url, r.Verdict, r.Why, r.Status, r.Note, v, why)
	}
	return r
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	once := make(map[string]bool)
	_, at := serve(t, func(s *site, w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/once503":
			s.mu.Lock()
			first := !once["503"]
			if r.Method == http.MethodGet {
				once["503"] = true
			}
			s.mu.Unlock()
			if first {
				w.WriteHeader(503)
			}
		case "/404":
			w.WriteHeader(404)
		case "/410":
			w.WriteHeader(410)
		case "/403":
			w.WriteHeader(403)
		case "/500":
			w.WriteHeader(500)
		case "/moved":
			http.Redirect(w, r, "/ok", http.StatusMovedPermanently)
		case "/moved302":
			http.Redirect(w, r, "/moved2", http.StatusMovedPermanently)
		case "/moved2", "/found":
			http.Redirect(w, r, "/ok", http.StatusFound)
		case "/movedgone":
			http.Redirect(w, r, "/404", http.StatusMovedPermanently)
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		}
	})
	w := &check.Worker{Checker: &check.Checker{RetryAfter: 50 * time.Millisecond}}
	dead := "http://127.0.0.1:1/"
	results := run(t, w, check.NewMemory(nil), at+"/ok", at+"/ok#x", at+"/once503", at+"/404", at+"/410", at+"/403", at+"/500", at+"/moved", at+"/moved302",
		at+"/found", at+"/movedgone", at+"/loop", dead, "http://no such/", "xmpp:a@b", "nosuchscheme:x", "http://name.invalid/")
	want(t, results, at+"/ok", check.OK, "")
	want(t, results, at+"/once503", check.OK, "")
	if r := want(t, results, at+"/404", check.Broken, check.WhyNotFound); r.Status != "404" || r.Attempts != 2 || r.Addr == "" {
		t.Errorf("404: %+v", r)
	}
	want(t, results, at+"/410", check.Broken, check.WhyGone)
	want(t, results, at+"/403", check.Blocked, check.WhyWall)
	want(t, results, at+"/500", check.Unsure, check.WhyServer)
	if r := want(t, results, at+"/moved", check.Moved, ""); r.To != at+"/ok" || r.Final != at+"/ok" {
		t.Errorf("moved: %+v", r)
	}
	if r := want(t, results, at+"/moved302", check.Moved, ""); r.To != at+"/moved2" || r.Final != at+"/ok" {
		t.Errorf("moved302: %+v", r)
	}
	if r := want(t, results, at+"/found", check.OK, ""); r.To != "" || r.Final != at+"/ok" {
		t.Errorf("found: %+v", r)
	}
	want(t, results, at+"/movedgone", check.Broken, check.WhyNotFound)
	want(t, results, at+"/loop", check.Broken, check.WhyLoop)
	want(t, results, dead, check.Skipped, check.WhyExcluded) // port 1 is refused by the policy
	want(t, results, "http://no such/", check.Broken, check.WhyMalformed)
	want(t, results, "xmpp:a@b", check.Skipped, check.WhyUnsupported)
	want(t, results, "nosuchscheme:x", check.Skipped, check.WhyUnsupported)
	if len(results) != 16 {
		t.Errorf("%d results, want 16, since a fragment makes no other request", len(results))
	}
	if r := results[at+"/ok"]; len(r.Sources) != 2 {
		t.Errorf("places: %+v", r.Sources)
	}
}

// A redirect to a host that a rule skips is not followed.
func TestSkippedRedirect(t *testing.T) {
	t.Parallel()
	other, elsewhere := serve(t, func(*site, http.ResponseWriter, *http.Request) {})
	elsewhere = strings.Replace(elsewhere, "127.0.0.1", "localhost", 1)
	_, at := serve(t, func(_ *site, w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere+"/", http.StatusMovedPermanently)
	})
	checker, err := (&check.Settings{Again: -1, NoRobots: true, Hosts: []check.HostRule{{Host: "localhost", Skip: true}}}).Checker()
	if err != nil {
		t.Fatal(err)
	}
	r := want(t, run(t, &check.Worker{Checker: checker}, check.NewMemory(nil), at+"/a"), at+"/a", check.Skipped, check.WhyExcluded)
	if r.Note != "it leads to localhost, which a rule skips" || len(other.requests) > 0 {
		t.Errorf("note %q; the other host got %d requests", r.Note, len(other.requests))
	}
}

// A host gets no more requests at once than it may, if its answers take time.
func TestPerHost(t *testing.T) {
	t.Parallel()
	s, at := serve(t, func(*site, http.ResponseWriter, *http.Request) { time.Sleep(10 * time.Millisecond) })
	var urls []string
	for i := range 20 {
		urls = append(urls, fmt.Sprintf("%s/%d", at, i))
	}
	w := &check.Worker{Checker: &check.Checker{Manners: func(string) check.Manners { return check.Manners{PerHost: 2, Interval: -1} }}}
	for _, r := range run(t, w, check.NewMemory(nil), urls...) {
		if r.Verdict != check.OK {
			t.Errorf("%+v", r)
		}
	}
	if s.most != 2 {
		t.Errorf("%d requests at once, want 2", s.most)
	}
}

// A host gets an interval between requests, and none before the time that it asks for; its answer
// 429 makes no URL broken.
func TestManners(t *testing.T) {
	t.Parallel()
	s, at := serve(t, func(s *site, w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if len(s.requests) == 6 {
			s.until = time.Now().Add(900 * time.Millisecond)
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(429)
		}
	})
	var urls []string
	for i := range 20 {
		urls = append(urls, fmt.Sprintf("%s/%d", at, i))
	}
	w := &check.Worker{Checker: &check.Checker{Manners: func(string) check.Manners { return check.Manners{PerHost: 1, Interval: 20 * time.Millisecond} }}}
	begun := time.Now()
	results := run(t, w, check.NewMemory(nil), urls...)
	for _, u := range urls {
		want(t, results, u, check.OK, "")
	}
	if s.most > 1 || s.early > 0 {
		t.Errorf("%d connections at once, %d requests too early", s.most, s.early)
	}
	if d := time.Since(begun); d < 20*20*time.Millisecond+900*time.Millisecond {
		t.Errorf("took %v, less than the intervals and the time that the server asked for", d)
	}
	if len(s.requests) != 21 {
		t.Errorf("%d requests, want 21", len(s.requests))
	}
}

// URLs that failed are tried again when they are due, each, although another host keeps the worker
// busy.
func TestRetryInTime(t *testing.T) {
	t.Parallel()
	_, at := serve(t, func(_ *site, w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/robots.txt" {
			time.Sleep(time.Duration(40*len(r.URL.Path)) * time.Millisecond)
		}
		w.WriteHeader(404)
	})
	release := make(chan struct{})
	_, busy := serve(t, func(_ *site, w http.ResponseWriter, r *http.Request) { <-release })
	busy = strings.Replace(busy, "127.0.0.1", "localhost", 1)
	var urls []string
	for i := range 8 {
		urls = append(urls, at+"/"+strings.Repeat("x", i+1))
	}
	left := len(urls)
	var mu sync.Mutex
	w := &check.Worker{Checker: &check.Checker{RetryAfter: 250 * time.Millisecond, Manners: func(string) check.Manners { return check.Manners{PerHost: 16} }}}
	w.Decided = func(r *check.Result) {
		mu.Lock()
		defer mu.Unlock()
		if r.Verdict == check.Broken {
			if left--; left == 0 {
				close(release)
			}
		}
	}
	begun := time.Now()
	run(t, w, check.NewMemory(nil), append(urls, busy+"/")...)
	if d := time.Since(begun); d > 10*time.Second {
		t.Errorf("it took %v", d)
	}
}

// A host that asks to wait for an hour is not waited for, and not asked again.
func TestLongWait(t *testing.T) {
	t.Parallel()
	s, at := serve(t, func(_ *site, w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(429)
	})
	w := &check.Worker{Checker: &check.Checker{Manners: func(string) check.Manners { return check.Manners{PerHost: 1, Interval: -1} }}}
	results := run(t, w, check.NewMemory(nil), at+"/1", at+"/2", at+"/3")
	for _, path := range []string{"/1", "/2", "/3"} {
		want(t, results, at+path, check.Blocked, check.WhyLimit)
	}
	if len(s.requests) != 1 {
		t.Errorf("%d requests, want 1", len(s.requests))
	}
}

// URLs without a host have nothing in common: names of mail domains that do not exist say nothing
// about others.
func TestWithoutHost(t *testing.T) {
	t.Parallel()
	c := client.New(client.Options{Registry: all.Registry()})
	defer c.Close()
	r, err := check.NewMemory(nil).Begin(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var links []check.Link
	for i := range 8 {
		links = append(links, check.NewLink(c, locator.Current.Parse, fmt.Sprintf("mailto:a@no%d.invalid", i), check.Place{}, false))
	}
	links = append(links, check.NewLink(c, locator.Current.Parse, "mailto:a@%5B127.0.0.1%5D", check.Place{}, false))
	if _, err := r.Add(t.Context(), links); err != nil {
		t.Fatal(err)
	}
	if err := r.Seal(t.Context()); err != nil {
		t.Fatal(err)
	}
	w := &check.Worker{Checker: &check.Checker{Client: c, Mail: true, RetryAfter: time.Millisecond}, Parallel: 1}
	if err := w.Run(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	for res, err := range r.Results(t.Context()) {
		if err != nil || strings.Contains(res.URL, "127.0.0.1") && res.Verdict != check.OK {
			t.Errorf("%+v, %v", res, err)
		}
	}
}

// A recursive check follows the links in its scope only, and no endless chain.
func TestRecursive(t *testing.T) {
	t.Parallel()
	other, elsewhere := serve(t, func(_ *site, w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<a href="/deeper">x</a>`)
	})
	s, at := serve(t, func(_ *site, w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("ETag", `"1"`)
		switch r.URL.Path {
		case "/docs/":
			fmt.Fprintf(w, `<a href="a.html">a</a> <a href="missing.html">m</a> <a href="/up">up</a> <a href="%s/x">other</a> <a href="calendar/1">c</a> <a href="logout">bye</a>`, elsewhere)
		case "/docs/a.html":
			fmt.Fprint(w, `<a href="./">back</a> <a href="deep.html">d</a>`)
		case "/docs/missing.html":
			w.WriteHeader(404)
		case "/up":
			fmt.Fprint(w, `<a href="/above">a</a>`)
		default:
			var n int
			if _, err := fmt.Sscanf(r.URL.Path, "/docs/calendar/%d", &n); err == nil {
				fmt.Fprintf(w, `<a href="%d">next</a>`, n+1)
			}
		}
	})
	w := &check.Worker{Checker: &check.Checker{RetryAfter: -1, Excluded: func(text string) bool { return strings.Contains(text, "logout") }, Scope: check.Scope{check.ScopeOf(locator.MustParse(at + "/docs/"))}}}
	results := run(t, w, check.NewMemory(nil), at+"/docs/")
	want(t, results, at+"/docs/a.html", check.OK, "")
	want(t, results, at+"/docs/deep.html", check.OK, "")
	if r := want(t, results, at+"/docs/missing.html", check.Broken, check.WhyNotFound); len(r.Sources) != 1 || r.Sources[0].File != at+"/docs/" {
		t.Errorf("places %+v", r.Sources)
	}
	want(t, results, at+"/up", check.OK, "")
	want(t, results, elsewhere+"/x", check.OK, "")
	want(t, results, at+"/docs/calendar/3", check.OK, "")
	want(t, results, at+"/docs/logout", check.Skipped, check.WhyExcluded)
	if s.seen["/docs/logout"] > 0 || results[at+"/docs/calendar/4"] != nil || results[at+"/above"] != nil || other.seen["/deeper"] > 0 || s.seen["/docs/calendar/9"] > 0 {
		t.Errorf("too far: %v", s.seen)
	}
}

// That nothing answers at one port of a host says nothing about the others.
func TestDeadPort(t *testing.T) {
	t.Parallel()
	_, at := serve(t, func(*site, http.ResponseWriter, *http.Request) {})
	dead := httptest.NewServer(http.NotFoundHandler()) // refused by the dial: another test may get the port of a server that is closed
	defer dead.Close()
	c := client.New(client.Options{Registry: scheme.NewRegistry(httpscheme.New("http")), Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
		if addr == dead.Listener.Addr().String() {
			return nil, &net.OpError{Op: "dial", Net: network, Err: syscall.ECONNREFUSED}
		}
		return new(net.Dialer).DialContext(ctx, network, addr)
	}})
	defer c.Close()
	var urls []string
	for i := range 8 {
		urls = append(urls, fmt.Sprintf("%s/%d", dead.URL, i))
	}
	urls = append(urls, at+"/a", at+"/b")
	w := &check.Worker{Checker: &check.Checker{Client: c, RetryAfter: 50 * time.Millisecond}, Parallel: 1}
	results := run(t, w, check.NewMemory(nil), urls...)
	want(t, results, urls[7], check.Broken, check.WhyUnreachable)
	for _, u := range urls[8:] {
		if r := want(t, results, u, check.OK, ""); r.Attempts != 1 {
			t.Errorf("%s: %d attempts, want 1", u, r.Attempts)
		}
	}
}

// A URL that worked before is failing first, and broken when that is confirmed.
func TestHistory(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	status := 200
	set := func(n int) { mu.Lock(); status = n; mu.Unlock() }
	_, at := serve(t, func(_ *site, w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		w.WriteHeader(status)
	})
	store := check.NewMemory(nil)
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var verdicts []check.Verdict
	for _, step := range []struct {
		status int
		after  time.Duration
	}{{200, 0}, {404, time.Hour}, {404, 24 * time.Hour}, {404, 24 * time.Hour}, {404, 48 * time.Hour}, {200, time.Hour}, {404, time.Hour}, {403, time.Hour}} {
		set(step.status)
		now = now.Add(step.after)
		w := &check.Worker{Checker: &check.Checker{RetryAfter: -1, Clock: fixed{now}}}
		verdicts = append(verdicts, run(t, w, store, at+"/")[at+"/"].Verdict)
	}
	if want := []check.Verdict{check.OK, check.Failing, check.Failing, check.Failing, check.Broken, check.OK, check.Failing, check.Blocked}; !slices.Equal(verdicts, want) {
		t.Errorf("%v, want %v", verdicts, want)
	}
}

// fixed is a clock that stands, with timers of the system.
type fixed struct{ now time.Time }

func (f fixed) Now() time.Time { return f.now }
func (f fixed) NewTimer(d time.Duration) (<-chan time.Time, func() bool) {
	t := time.NewTimer(d)
	return t.C, t.Stop
}

// A host that asks to wait for an hour while another of its URLs waits for its second attempt does
// not hold the run up.
func TestLongWaitPutOff(t *testing.T) {
	t.Parallel()
	s, at := serve(t, func(_ *site, w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/missing" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	w := &check.Worker{Checker: &check.Checker{RetryAfter: 2500 * time.Millisecond, Manners: func(string) check.Manners { return check.Manners{PerHost: 1, Interval: -1} }}}
	results := run(t, w, check.NewMemory(nil), at+"/missing", at+"/busy")
	want(t, results, at+"/missing", check.Blocked, check.WhyLimit)
	want(t, results, at+"/busy", check.Blocked, check.WhyLimit)
	if s.early > 0 || len(s.requests) != 3 {
		t.Errorf("%d requests, want HEAD and GET of one URL and HEAD of the other", len(s.requests))
	}
}

// That robots.txt could not be read says nothing about a URL, which gets its second attempt.
func TestRobotsUnread(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		unread int // how often robots.txt cannot be read
		why    check.Why
		asked  int // how often it is asked for
	}{{0, "", 1}, {1, "", 2}, {2, check.WhyServer, 3}} {
		s, at := serve(t, func(s *site, w http.ResponseWriter, r *http.Request) {
			s.mu.Lock()
			defer s.mu.Unlock()
			if r.URL.Path == "/robots.txt" && s.seen[r.URL.Path] <= tt.unread || r.URL.Path == "/x" && s.seen[r.URL.Path] <= 2 { // HEAD and GET
				w.WriteHeader(http.StatusServiceUnavailable)
			}
		})
		w := &check.Worker{Checker: &check.Checker{Agent: "locator", RetryAfter: 50 * time.Millisecond}}
		verdict := check.OK
		if tt.why != "" {
			verdict = check.Unsure
		}
		want(t, run(t, w, check.NewMemory(nil), at+"/x"), at+"/x", verdict, tt.why)
		if n := s.seen["/robots.txt"]; n != tt.asked {
			t.Errorf("%d times unread: robots.txt was asked for %d times, want %d", tt.unread, n, tt.asked)
		}
	}
}
