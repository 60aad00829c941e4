package http_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/scheme"
	httpscheme "locator/scheme/http"
)

// checkFarm answers as servers do that checkers misjudge. It records the requests.
type checkFarm struct {
	mu       sync.Mutex
	requests []string
}

// take returns the requests since the last call.
func (f *checkFarm) take() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := strings.Join(f.requests, " ")
	f.requests = nil
	return all
}

func (f *checkFarm) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.requests = append(f.requests, r.Method)
	f.mu.Unlock()
	head := r.Method == http.MethodHead
	page := func(status int, text string) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(status)
		io.WriteString(w, text)
	}
	switch r.URL.Path {
	case "/ok":
		w.Header().Set("ETag", `"1"`)
		page(200, "ok")
	case "/head404", "/head403", "/head405", "/head500", "/head400":
		var status int
		fmt.Sscanf(r.URL.Path, "/head%d", &status)
		if !head {
			status = 200
		}
		page(status, "ok")
	case "/head304": // nobody asked for that
		if head {
			w.WriteHeader(304)
			return
		}
		page(404, "not found")
	case "/304":
		w.WriteHeader(304)
	case "/headcut":
		if head {
			panic(http.ErrAbortHandler)
		}
		page(200, "ok")
	case "/cut":
		panic(http.ErrAbortHandler)
	case "/404":
		page(404, "not found")
	case "/410":
		page(410, "gone")
	case "/limit":
		w.Header().Set("Retry-After", "7")
		page(429, "")
	case "/503":
		page(503, "")
	case "/403":
		page(403, "")
	case "/451":
		page(451, "")
	case "/999":
		page(999, "")
	case "/401":
		w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
		page(401, "")
	case "/405":
		page(405, "")
	case "/mitigated":
		w.Header().Set("Cf-Mitigated", "challenge")
		page(403, "Just a moment")
	case "/anubis":
		w.Header().Set("Set-Cookie", "techaro=1")
		page(200, `<html><script id="anubis_challenge" type="application/json">`)
	case "/waf":
		w.Header().Set("X-Amzn-Waf-Action", "challenge")
		w.WriteHeader(202)
	case "/about":
		w.Header().Set("Set-Cookie", "a=1")
		page(200, "a page about challenges")
	case "/cookie": // leads back to itself until the cookie is sent
		if c, err := r.Cookie("seen"); err == nil && c.Value == "1" {
			page(200, "ok")
			return
		}
		http.SetCookie(w, &http.Cookie{Name: "seen", Value: "1"})
		http.Redirect(w, r, "/cookie", http.StatusFound)
	case "/loop":
		http.Redirect(w, r, "/loop", http.StatusFound)
	case "/moved":
		http.Redirect(w, r, "/ok", http.StatusMovedPermanently)
	case "/headmoved":
		if head {
			http.Redirect(w, r, "/404", http.StatusFound)
		}
	case "/movedgone":
		http.Redirect(w, r, "/404", http.StatusMovedPermanently)
	case "/empty":
		if head {
			page(405, "")
			return
		}
		w.Header().Set("Content-Range", "bytes */0")
		w.WriteHeader(416)
	case "/large":
		if head {
			w.WriteHeader(501)
			return
		}
		http.ServeContent(w, r, "x.bin", testTime, strings.NewReader(strings.Repeat("x", 1<<20)))
	}
}

var testTime = time.Date(1994, 11, 15, 8, 12, 31, 0, time.UTC)

// A link is judged by what a browser would get, whatever the server says to HEAD.
func TestCheck(t *testing.T) {
	t.Parallel()
	farm := &checkFarm{}
	srv := httptest.NewServer(farm)
	defer srv.Close()
	c := client.New(client.Options{Registry: scheme.NewRegistry(httpscheme.New("http"))})
	defer c.Close()
	for _, tt := range []struct {
		path, methods string
		code          scheme.Code
		status        string
	}{
		{"ok", "HEAD", scheme.CodeOK, "200"},
		{"head404", "HEAD GET", scheme.CodeOK, "200"},
		{"head403", "HEAD GET", scheme.CodeOK, "200"},
		{"head405", "HEAD GET", scheme.CodeOK, "200"},
		{"head400", "HEAD GET", scheme.CodeOK, "200"},
		{"head500", "HEAD GET", scheme.CodeOK, "200"},
		{"head304", "HEAD GET", scheme.CodeNotFound, "404"},
		{"304", "HEAD GET", scheme.CodeProtocol, "304"},
		{"headcut", "HEAD HEAD GET", scheme.CodeOK, "200"}, // the first was sent on a connection that the server may have closed
		{"cut", "HEAD HEAD GET", scheme.CodeBroken, ""},
		{"404", "HEAD GET", scheme.CodeNotFound, "404"},
		{"410", "HEAD GET", scheme.CodeGone, "410"},
		{"limit", "HEAD", scheme.CodeLimited, "429"},
		{"503", "HEAD GET", scheme.CodeUnavailable, "503"},
		{"403", "HEAD GET", scheme.CodeWall, "403"},
		{"451", "HEAD GET", scheme.CodeWall, "451"},
		{"999", "HEAD GET", scheme.CodeWall, "999"},
		{"401", "HEAD", scheme.CodeLoginNeeded, ""},
		{"405", "HEAD GET", scheme.CodeProtocol, "405"},
		{"mitigated", "HEAD GET", scheme.CodeChallenge, "403"},
		{"anubis", "HEAD GET", scheme.CodeChallenge, "200"},
		{"waf", "HEAD GET", scheme.CodeChallenge, "202"},
		{"about", "HEAD GET", scheme.CodeOK, "200"},
		{"cookie", "HEAD HEAD", scheme.CodeOK, "200"},
		{"loop", strings.TrimSpace(strings.Repeat("HEAD ", 11) + strings.Repeat("GET ", 11)), scheme.CodeLoop, ""},
		{"headmoved", "HEAD HEAD GET GET", scheme.CodeOK, "200"},
		{"moved", "HEAD HEAD", scheme.CodeOK, "200"},
		{"movedgone", "HEAD HEAD GET GET GET", scheme.CodeNotFound, "404"},
		{"empty", "HEAD GET", scheme.CodeOK, "416"},
		{"large", "HEAD GET", scheme.CodeOK, "206"},
	} {
		u, err := locator.Current.Parse(srv.URL + "/" + tt.path)
		if err != nil {
			t.Fatal(err)
		}
		res, err := c.Check(t.Context(), scheme.Request{URL: u}, nil)
		status := ""
		if e, ok := err.(*scheme.Error); ok && e.Partial != nil {
			status = e.Partial.Status
		} else if err == nil {
			status = res.Status
		}
		if got := client.CodeOf(err); got != tt.code || status != tt.status {
			t.Errorf("%s: %v, code %v, status %q; want code %v, status %q", tt.path, err, got, status, tt.code, tt.status)
		}
		if got := farm.take(); got != tt.methods {
			t.Errorf("%s: requests %s, want %s", tt.path, got, tt.methods)
		}
		if e, ok := err.(*scheme.Error); tt.path == "limit" && (!ok || e.RetryAfter.Seconds() != 7) {
			t.Errorf("%s: %+v, want Retry-After 7", tt.path, err)
		}
		if err == nil && res.Body != nil {
			t.Errorf("%s: has a body", tt.path)
		}
	}
}

// With Body, the page is read whole by one request, its beginning included.
func TestCheckBody(t *testing.T) {
	t.Parallel()
	farm := &checkFarm{}
	srv := httptest.NewServer(farm)
	defer srv.Close()
	c := client.New(client.Options{Registry: scheme.NewRegistry(httpscheme.New("http"))})
	defer c.Close()
	for path, want := range map[string]int{"about": len("a page about challenges"), "large": 1 << 20} {
		u, _ := locator.Current.Parse(srv.URL + "/" + path)
		res, err := c.Check(t.Context(), scheme.Request{URL: u}, &scheme.CheckOptions{Body: true})
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(res.Body)
		if err != nil || len(text) != want {
			t.Errorf("%s: %d bytes, %v; want %d", path, len(text), err, want)
		}
		res.Close()
	}
	if got := farm.take(); got != "GET GET" {
		t.Errorf("requests %s, want GET GET", got)
	}
}

// A check whose context ends between HEAD and GET fails.
func TestCheckCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))
	defer srv.Close()
	heard := &scheme.Trace{Received: func(line string) {
		if strings.Contains(line, "403") {
			cancel()
		}
	}}
	c := client.New(client.Options{Registry: scheme.NewRegistry(httpscheme.New("http")), Trace: heard})
	defer c.Close()
	u, err := locator.Current.Parse(srv.URL + "/")
	if err != nil {
		t.Fatal(err)
	}
	if res, err := c.Check(ctx, scheme.Request{URL: u}, nil); client.CodeOf(err) != scheme.CodeInterrupted {
		t.Errorf("%v, %v", res, err)
	}
}

// A check keeps the cookies of the user, and writes nothing behind the header of the caller.
func TestCheckCookies(t *testing.T) {
	t.Parallel()
	var sent []string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent = append(sent, r.Method+" "+strings.Join(r.Header["Cookie"], ", "))
		http.SetCookie(w, &http.Cookie{Name: "seen", Value: "1"})
		w.Header().Set("Content-Type", "text/html")
	}))
	defer srv.Close()
	for _, tt := range []struct{ line, want string }{{"X-A: b", "HEAD |GET seen=1"}, {"cookie: mine=2", "HEAD mine=2|GET mine=2"}} {
		header := append(make([]string, 0, 4), tt.line)
		r := scheme.Request{URL: locator.MustParse(srv.URL + "/"), Header: header}
		if _, err := httpscheme.New("http").Check(t.Context(), testEnv(t), r, scheme.CheckOptions{}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(sent, "|"); got != tt.want {
			t.Errorf("%s: the requests were %q, want %q", tt.line, got, tt.want)
		}
		if more := header[:2][1]; more != "" {
			t.Errorf("%s: %q was written behind the header", tt.line, more)
		}
		sent = nil
	}
}
