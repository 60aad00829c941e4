package gateway

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"locator"
	"locator/scheme"
	"locator/scheme/ftp/ftptest"
	"locator/schemetest/peer"
)

// origin is a server of http that counts its requests.
type origin struct {
	*httptest.Server
	asked atomic.Int64
}

// newOrigin starts a server of http for a test.
func newOrigin(t *testing.T, h http.HandlerFunc) *origin {
	t.Helper()
	o := &origin{}
	o.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		o.asked.Add(1)
		h(w, r)
	}))
	t.Cleanup(o.Close)
	return o
}

func (o *origin) at(path string) locator.URL { return locator.MustParse(o.URL + path) }

// caching serves a gateway with a cache in a folder of the test.
func caching(t *testing.T, of Cache, servers ...locator.URL) *site {
	t.Helper()
	if of.Folder == "" {
		of.Folder = t.TempDir()
	}
	return serve(t, Options{Service: Service{Cache: &of}}, servers...)
}

// want checks where a response comes from, and what it is.
func (s *site) want(res reply, status, body string) {
	s.t.Helper()
	if res.status != http.StatusOK || res.err != nil || !strings.Contains(res.body, body) || res.header.Get("Cache-Status") != "locator; "+status {
		s.t.Errorf("%d, %q, %v, want %q: %s", res.status, res.header.Get("Cache-Status"), res.err, status, res.body)
	}
}

// landed waits until no response is being made: it is kept when the last client has it.
func (s *site) landed() {
	s.t.Helper()
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		s.g.cache.mu.Lock()
		n := len(s.g.cache.flights)
		s.g.cache.mu.Unlock()
		if n == 0 {
			return
		}
		if time.Now().After(end) {
			s.t.Fatalf("%d responses are still being made", n)
		}
	}
}

// A response is sent again without asking the server, in every view, to those who accept compressed pages and to others.
//
// Covers: G1
func TestCache(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprintf(w, "the text of %s", r.URL)
	})
	u := o.at("/a")
	s := caching(t, Cache{}, u)
	for i, path := range []string{string(pathOf(viewPage, u)), string(pathOf(viewRaw, u)), u.Text()} {
		s.want(s.get(path), cacheFetched, "the text of /a")
		s.landed()
		s.want(s.get(path), cacheHit, "the text of /a")
		if res := s.send(http.MethodHead, path, ""); res.status != http.StatusOK || res.body != "" || res.header.Get("Cache-Status") != "locator; hit" {
			t.Errorf("HEAD %s: %d %v %q", path, res.status, res.header, res.body)
		}
		if n := o.asked.Load(); n != int64(i+1) {
			t.Errorf("%s: the server was asked %d times", path, n)
		}
	}
	res := s.get(string(pathOf(viewPage, u)), "Accept-Encoding: gzip")
	in, err := gzip.NewReader(strings.NewReader(res.body))
	if err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(in); err != nil || !strings.Contains(string(b), "the text of /a") || o.asked.Load() != 3 {
		t.Errorf("%v: %s", err, b)
	}
	// The same resource by another spelling, and for another client.
	same := locator.MustParse(strings.Replace(u.Text(), "/a", "/%61", 1))
	s.want(s.get(string(pathOf(viewRaw, same))), cacheHit, "the text of /a")
	s.cookies = map[string]string{}
	s.want(s.get(string(pathOf(viewPage, u))), cacheHit, "the text of /a")
	if len(s.cookies) > 0 {
		t.Errorf("cookies: %v", s.cookies)
	}
	// What else the page depends on is another response.
	s.want(s.get(string(pathOf(viewPage, u)), "Accept-Language: de"), cacheFetched, "the text of /a")
	s.cookies[settingsCookie] = settings{Width: "72"}.encode()
	s.want(s.get(string(pathOf(viewPage, u))), cacheFetched, "the text of /a")
	// A client may ask for an answer of the server.
	s.cookies = map[string]string{}
	s.want(s.get(string(pathOf(viewPage, u)), "Cache-Control: no-cache"), cacheFetched, "the text of /a")
	// A part is of what is kept.
	if res := s.get(u.Text(), "Range: bytes=4-7"); res.status != http.StatusPartialContent || res.body != "text" || res.header.Get("Cache-Status") != "locator; hit" {
		t.Errorf("%d %q %v", res.status, res.body, res.header)
	}
}

// The server says how long a response may be kept, and whether it is still so.
//
// Covers: G1
func TestCacheFreshness(t *testing.T) {
	t.Parallel()
	var tag atomic.Value
	tag.Store(`"1"`)
	o := newOrigin(t, func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Type", "text/plain")
		switch r.URL.Path {
		case "/never":
			h.Set("Cache-Control", "no-store")
		case "/private":
			h.Set("Cache-Control", "private, max-age=60")
		case "/asks":
			h.Set("Cache-Control", "max-age=0")
			h.Set("ETag", tag.Load().(string))
			if r.Header.Get("If-None-Match") == tag.Load() {
				w.WriteHeader(http.StatusNotModified)
				return
			}
		case "/lost":
			http.NotFound(w, r)
			return
		}
		fmt.Fprintf(w, "%s is %s", r.URL.Path, tag.Load())
	})
	s := caching(t, Cache{}, o.at("/"))
	for _, path := range []string{"/never", "/private"} {
		for range 2 {
			s.want(s.page(o.at(path)), cacheFetched, path)
			s.landed()
		}
	}
	for _, path := range []string{string(pathOf(viewPage, o.at("/asks"))), o.at("/asks").Text()} {
		tag.Store(`"1"`)
		s.want(s.get(path), cacheFetched, "/asks is")
		s.landed()
		for range 2 {
			s.want(s.get(path), cacheRenewed, "/asks is")
			s.landed()
		}
		tag.Store(`"2"`)
		s.want(s.get(path), cacheFetched, "/asks is")
		s.landed()
	}
	before := o.asked.Load()
	for range 2 {
		if res := s.page(o.at("/lost")); res.status != http.StatusNotFound {
			t.Errorf("%d", res.status)
		}
		s.landed()
	}
	if n := o.asked.Load() - before; n != 2 {
		t.Errorf("an error was kept: %d requests", n)
	}
}

// The age of the policy ends what is kept, and a file that says so in the store is asked about after a restart, too.
func TestCacheAge(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Cache-Control", "max-age=86400")
		io.WriteString(w, "text")
	})
	dir := t.TempDir()
	s := caching(t, Cache{Folder: dir, Age: time.Minute}, o.at("/"))
	s.want(s.get(o.at("/").Text()), cacheFetched, "text")
	s.landed()
	s.want(s.get(o.at("/").Text()), cacheHit, "text")
	names, err := filepath.Glob(dir + "/*")
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	old := time.Now().Add(-2 * time.Minute)
	if err := os.Chtimes(names[0], old, old); err != nil {
		t.Fatal(err)
	}
	s = caching(t, Cache{Folder: dir, Age: time.Minute}, o.at("/"))
	s.want(s.get(o.at("/").Text()), cacheFetched, "text")
	s.landed()
	s = caching(t, Cache{Folder: dir, Age: time.Minute}, o.at("/"))
	s.want(s.get(o.at("/").Text()), cacheHit, "text")
}

// Requests for the same at the same time are one, with a folder and without.
//
// Covers: P5
func TestCacheInFlight(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{"", t.TempDir()} {
		begun, more := make(chan bool), make(chan bool)
		text := strings.Repeat("a line of the text\n", 10_000)
		o := newOrigin(t, func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, text[:1000])
			w.(http.Flusher).Flush()
			close(begun)
			<-more
			io.WriteString(w, text[1000:])
		})
		s := serve(t, Options{Service: Service{Cache: &Cache{Folder: folder}}}, o.at("/"))
		var wg sync.WaitGroup
		get := func(want string) {
			wg.Go(func() {
				if res := s.get(o.at("/").Text()); res.body != text || res.err != nil || res.header.Get("Cache-Status") != "locator; "+want {
					t.Errorf("%d bytes, %v, %v", len(res.body), res.err, res.header)
				}
			})
		}
		get(cacheFetched)
		<-begun
		for range 20 {
			get(cacheJoined)
		}
		for len(s.g.clients.all) > 0 && s.g.running.Load() < 21 {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(50 * time.Millisecond)
		close(more)
		wg.Wait()
		if n := o.asked.Load(); n != 1 {
			t.Errorf("the server was asked %d times", n)
		}
	}
}

// What is got with a login is neither kept nor shared, and the question for one is for who asked.
//
// Covers: P4, GW69
func TestCacheLogins(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, func(w http.ResponseWriter, r *http.Request) {
		user, _, ok := r.BasicAuth()
		if !ok {
			w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		fmt.Fprintf(w, "the secret of %s", user)
	})
	u := o.at("/")
	s := caching(t, Cache{}, u)
	for range 2 {
		if res := s.get(u.Text(), basic("ann", "word")); res.body != "the secret of ann" || res.header.Get("Cache-Status") != "" {
			t.Errorf("%q %v", res.body, res.header)
		}
		if res := s.get(u.Text()); res.status != http.StatusUnauthorized || strings.Contains(res.body, "secret of") {
			t.Errorf("%d %s", res.status, res.body)
		}
		if res := s.page(u); res.status != http.StatusUnauthorized || res.header.Get("WWW-Authenticate") == "" {
			t.Errorf("%d %v", res.status, res.header)
		}
		if res := s.page(u, basic("bob", "word")); !strings.Contains(res.body, "the secret of bob") || res.header.Get("Cache-Status") != "" {
			t.Errorf("%v %s", res.header, res.body)
		}
	}
	if kept, err := filepath.Glob(s.g.opt.Service.Cache.Folder + "/*"); err != nil || len(kept) > 0 {
		t.Errorf("%v %v", kept, err)
	}
}

// A password in a URL is a login.
//
// Covers: P4, GW69
func TestCachePasswords(t *testing.T) {
	t.Parallel()
	files, err := ftptest.Start(peer.Tree())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(files.Close)
	u := files.URL("etc", "motd")
	s := caching(t, Cache{}, u)
	for range 2 {
		if res := s.get(strings.Replace(u.Text(), "//", "//anonymous:word@", 1)); res.status != http.StatusOK || res.header.Get("Cache-Status") != "" {
			t.Errorf("%d %v", res.status, res.header)
		}
	}
	s.want(s.get(u.Text()), cacheFetched, "RFC 1738")
}

// Forms, drafts and sessions are for one browser, each with a token of its own.
//
// Covers: GW69
func TestCacheForms(t *testing.T) {
	t.Parallel()
	s := caching(t, Cache{})
	tokens := make(map[string]bool)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			one := &site{t: t, addr: s.addr, g: s.g, cookies: map[string]string{}}
			res := one.page(locator.MustParse("mailto:ann@example.org"))
			_, token, _ := strings.Cut(res.body, `name="token" value="`)
			token, _, ok := strings.Cut(token, `"`)
			if res.status != http.StatusOK || !ok || len(one.cookies) != 1 {
				t.Errorf("%d %v", res.status, one.cookies)
			}
			mu.Lock()
			defer mu.Unlock()
			tokens[token] = true
		})
	}
	wg.Wait()
	if len(tokens) != 20 {
		t.Errorf("20 browsers have %d tokens", len(tokens))
	}
}

// A response that breaks off is neither kept nor complete for anybody, whether its length is known or not.
//
// Covers: P5
func TestCacheBrokenOff(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		if r.URL.Path == "/known" {
			w.Header().Set("Content-Length", "100000")
		}
		io.WriteString(w, strings.Repeat("x", 50_000))
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	s := caching(t, Cache{}, o.at("/"))
	for _, path := range []string{"/known", "/unknown"} {
		for range 2 {
			if res := s.get(o.at(path).Text()); res.err == nil {
				t.Errorf("%s: %d, %d bytes, and no error", path, res.status, len(res.body))
			}
			if res := s.page(o.at(path)); res.header.Get("Cache-Status") != "locator; fwd=miss" {
				t.Errorf("%v", res.header)
			}
			s.landed()
		}
	}
	if kept, err := filepath.Glob(s.g.opt.Service.Cache.Folder + "/*"); err != nil || len(kept) > 0 {
		t.Errorf("%v %v", kept, err)
	}
}

// A response that is too large to be kept, and one of which the disk takes no more, still comes whole and to all who ask for it.
//
// Covers: P5, GW70
func TestCacheFull(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("0123456789abcdef", 100_000)
	o := newOrigin(t, func(w http.ResponseWriter, _ *http.Request) {
		for b := []byte(text); len(b) > 0; b = b[min(len(b), 10_000):] {
			w.Write(b[:min(len(b), 10_000)])
			w.(http.Flusher).Flush()
			time.Sleep(time.Millisecond)
		}
	})
	for name, of := range map[string]Cache{"no room": {Size: 100_000}, "too large": {Object: 1_000_000}, "full disk": {}} {
		t.Run(name, func(t *testing.T) {
			s := caching(t, of, o.at("/"))
			if name == "full disk" {
				s.g.cache.store.temp = func() (*os.File, error) { return os.OpenFile("/dev/full", os.O_RDWR, 0) }
			}
			before := o.asked.Load()
			var wg sync.WaitGroup
			for range 4 {
				wg.Go(func() {
					if res := s.get(o.at("/" + url.PathEscape(name)).Text()); res.body != text || res.err != nil {
						t.Errorf("%d bytes of %d, %v", len(res.body), len(text), res.err)
					}
				})
			}
			wg.Wait()
			s.landed()
			if kept, err := filepath.Glob(s.g.opt.Service.Cache.Folder + "/*"); err != nil || len(kept) > 0 {
				t.Errorf("%v %v", kept, err)
			}
			if n := o.asked.Load() - before; n > 4 {
				t.Errorf("the server was asked %d times", n)
			}
			if n := s.g.cache.store.writing; n != 0 {
				t.Errorf("%d bytes are still reserved", n)
			}
		})
	}
}

// A client that does not read does not hold up others who read the same, and one that leaves ends the access.
//
// Covers: P5, GW71
func TestCacheSlowClient(t *testing.T) {
	t.Parallel()
	more, ended := make(chan bool), make(chan bool)
	block := make([]byte, 64<<10)
	o := newOrigin(t, func(w http.ResponseWriter, r *http.Request) {
		defer close(ended)
		w.Write(block)
		w.(http.Flusher).Flush()
		<-more
		for r.Context().Err() == nil {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	})
	s := caching(t, Cache{Object: 1 << 20}, o.at("/"))
	s.g.cache.late = 6 * time.Second // less would cut the other client on a busy machine
	open := func() net.Conn {
		c, err := net.Dial("tcp", s.addr)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		c.SetDeadline(time.Now().Add(30 * time.Second))
		fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", o.at("/").Text())
		if _, err := c.Read(make([]byte, 10)); err != nil { // it has begun
			t.Fatal(err)
		}
		return c
	}
	slow, fast := open(), open()
	close(more)
	if n, err := io.CopyN(io.Discard, fast, 100<<20); err != nil {
		t.Errorf("after %d bytes: %v", n, err)
	}
	fast.Close()
	if n, err := io.Copy(io.Discard, slow); errors.Is(err, os.ErrDeadlineExceeded) || n > 50<<20 {
		t.Errorf("the client that did not read was not cut: %d bytes, %v", n, err)
	}
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		t.Fatal("the server still sends to nobody")
	}
	if n := o.asked.Load(); n != 1 {
		t.Errorf("the server was asked %d times", n)
	}
	s.landed()
}

// What is stored through the gateway is not what was kept.
func TestCachePurge(t *testing.T) {
	t.Parallel()
	var text atomic.Value
	text.Store("before")
	o := newOrigin(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut {
			b, _ := io.ReadAll(r.Body)
			text.Store(string(b))
			w.WriteHeader(http.StatusNoContent)
			return
		}
		io.WriteString(w, text.Load().(string))
	})
	s := caching(t, Cache{}, o.at("/a"))
	s.g.opt.Permit = func(string, scheme.Op, locator.URL) bool { return true }
	s.want(s.get(o.at("/a").Text()), cacheFetched, "before")
	s.want(s.page(o.at("/a")), cacheFetched, "before")
	s.landed()
	if res := s.send(http.MethodPut, o.at("/%61").Text(), "after"); res.status != http.StatusNoContent {
		t.Fatalf("%d %s", res.status, res.body)
	}
	s.want(s.get(o.at("/a").Text()), cacheFetched, "after")
	s.want(s.page(o.at("/a")), cacheFetched, "after")
}

// A folder in which something was stored is listed anew, however its URL is written, and others are not.
func TestCachePurgeFolder(t *testing.T) {
	t.Parallel()
	files, err := ftptest.Start(peer.Tree())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(files.Close)
	s := caching(t, Cache{}, files.URL())
	s.g.opt.Permit = func(string, scheme.Op, locator.URL) bool { return true }
	root := files.URL("").Text()
	listings := []string{root + "etc/", root + "etc", root}
	for _, text := range listings {
		s.want(s.get(text), cacheFetched, "")
		s.landed()
		s.want(s.get(text), cacheHit, "")
	}
	if res := s.send(http.MethodPut, root+"etc/new.txt", "text"); res.status != http.StatusNoContent {
		t.Fatalf("%d %s", res.status, res.body)
	}
	s.want(s.get(listings[0]), cacheFetched, "new.txt")
	s.want(s.get(listings[1]), cacheFetched, "new.txt")
	s.want(s.get(listings[2]), cacheHit, "")
}

// The response with another status than 200 is not kept as one with 200.
func TestCacheStatus(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, func(w http.ResponseWriter, r *http.Request) {
		status, _ := strconv.Atoi(strings.Trim(r.URL.Path, "/"))
		w.WriteHeader(status)
		io.WriteString(w, "text")
	})
	s := caching(t, Cache{}, o.at("/"))
	for _, status := range []string{"/201", "/202", "/203", "/300"} {
		for range 2 {
			s.want(s.get(o.at(status).Text()), cacheFetched, "text")
			s.landed()
		}
	}
}

// Clients who come while a response ends, again and again, all get it.
func TestCacheCrowd(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "max-age=0")
		io.WriteString(w, "text")
	})
	s := caching(t, Cache{}, o.at("/"))
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for range 50 {
				if res := s.get(o.at("/").Text()); res.status != http.StatusOK || res.body != "text" || res.err != nil {
					t.Errorf("%d %q %v", res.status, res.body, res.err)
				}
			}
		})
	}
	wg.Wait()
}

// A response that a hop led to is asked for anew: the entity tag is of the resource there, and the next hop may lead elsewhere.
func TestCacheHops(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/from" {
			http.Redirect(w, r, "/to", http.StatusFound)
			return
		}
		w.Header().Set("ETag", `"1"`)
		w.Header().Set("Cache-Control", "max-age=0")
		if tag := r.Header.Get("If-None-Match"); tag != "" {
			t.Errorf("the server was asked about %s", tag)
		}
		io.WriteString(w, "text")
	})
	s := caching(t, Cache{}, o.at("/"))
	for range 2 {
		s.want(s.get(o.at("/from").Text()), cacheFetched, "text")
		s.landed()
	}
}
