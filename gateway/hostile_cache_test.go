package gateway

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"locator"
	"locator/policy"
	"locator/scheme"
)

// The options of an address that is a query are not those of others who ask for the same resource.
//
// Covers: GW69
func TestCacheOptions(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Header.Get("Accept")) })
	s := caching(t, Cache{}, o.at("/"))
	s.get(ownPrefix + "go?" + url.Values{"url": {o.at("/").Text() + "#x"}, "as": {"raw"}, "type": {"text/evil"}}.Encode())
	s.landed()
	if res := s.get(string(pathOf(viewRaw, o.at("/")))); res.header.Get("Cache-Status") != "locator; "+cacheFetched || res.status != http.StatusOK {
		t.Errorf("%d %v %s", res.status, res.header, res.body)
	}
}

// A client that reads slowly neither keeps an old response for those who come later, nor makes it younger.
//
// Covers: P5, GW71
func TestCacheHeldOpen(t *testing.T) {
	t.Parallel()
	var n atomic.Int64
	block := make([]byte, 30<<20)
	o := newOrigin(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Set("Content-Length", fmt.Sprint(len(block)+1))
		fmt.Fprint(w, n.Add(1))
		w.Write(block)
	})
	s := caching(t, Cache{}, o.at("/"))
	s.g.cache.late = 100 * time.Millisecond
	c, err := net.Dial("tcp", s.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", o.at("/").Text())
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		var f *flight
		s.g.cache.mu.Lock()
		for _, f = range s.g.cache.flights {
		}
		s.g.cache.mu.Unlock()
		if f != nil {
			f.mu.Lock()
			ended := f.ended
			f.mu.Unlock()
			if ended {
				break
			}
		}
		if time.Now().After(end) {
			t.Fatal("the response does not end")
		}
	}
	time.Sleep(300 * time.Millisecond)
	if res := s.get(o.at("/").Text(), "Cache-Control: no-cache"); res.body[:1] != "2" {
		t.Errorf("response %q, %v", res.body[:1], res.header)
	}
	c.Close()
	s.landed()
	time.Sleep(100 * time.Millisecond)
	if res := s.get(o.at("/").Text()); res.body[:1] != "2" || res.header.Get("Cache-Status") != "locator; "+cacheHit {
		t.Errorf("response %q, %v", res.body[:1], res.header)
	}
}

// The age of a response counts from its beginning, and an old one does not replace a newer one.
func TestStoreLate(t *testing.T) {
	s := testStore(t, t.TempDir(), 1<<20)
	late, err := s.create(&meta{Fresh: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	late.began = time.Now().Add(-time.Minute)
	late.close(keptFor(1))
	if _, age, _ := s.fresh(s.use(keptFor(1))); age < time.Minute {
		t.Errorf("the age is %s", age)
	}
	if info, err := os.Stat(s.path(keptFor(1))); err != nil || time.Since(info.ModTime()) < time.Minute {
		t.Errorf("after a start the age would be less: %v", err)
	}
	if late, err = s.create(&meta{Fresh: time.Hour}); err != nil {
		t.Fatal(err)
	}
	if err := s.put(keptFor(2)); err != nil {
		t.Fatal(err)
	}
	late.close(keptFor(2))
	if names, _ := filepath.Glob(s.dir + "/*"); !s.holds(t, keptFor(2)) || len(names) != 2 || s.writing != 0 {
		t.Errorf("%q, %d bytes are still reserved", names, s.writing)
	}
}

// What began before a resource was stored is neither kept nor shared after that.
func TestCachePurgeInFlight(t *testing.T) {
	t.Parallel()
	begun, more := make(chan bool), make(chan bool)
	var stored atomic.Bool
	o := newOrigin(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodPut:
			stored.Store(true)
			w.WriteHeader(http.StatusNoContent)
		case stored.Load():
			io.WriteString(w, "after")
		default:
			io.WriteString(w, "before")
			w.(http.Flusher).Flush()
			close(begun)
			<-more
		}
	})
	u := o.at("/")
	s := caching(t, Cache{}, u)
	s.g.opt.Permit = func(string, scheme.Op, locator.URL) bool { return true }
	done := make(chan reply)
	go func() { done <- s.get(u.Text()) }()
	<-begun
	if res := s.send(http.MethodPut, u.Text(), "after"); res.status != http.StatusNoContent {
		t.Errorf("%d %s", res.status, res.body)
	}
	s.want(s.page(u), cacheFetched, "after")
	s.want(s.get(u.Text(), "Cache-Control: no-cache"), cacheFetched, "after")
	close(more)
	s.want(<-done, cacheFetched, "before")
	s.landed()
	if res := s.get(u.Text()); res.body != "after" {
		t.Errorf("%v %s", res.header, res.body)
	}
}

// A client that sends nothing more gets no response that looks complete but is empty.
func TestCacheHalfClosed(t *testing.T) {
	t.Parallel()
	ended := make(chan bool)
	o := newOrigin(t, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-ended:
		case <-r.Context().Done():
		}
	})
	defer close(ended)
	s := caching(t, Cache{}, o.at("/"))
	c, err := net.Dial("tcp", s.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(10 * time.Second))
	fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", o.at("/").Text())
	c.(*net.TCPConn).CloseWrite()
	if b, err := io.ReadAll(c); err != nil || len(b) > 0 {
		t.Errorf("%v %q", err, b)
	}
}

// A folder is not kept without its README when that could not be read, or with one that must not be kept.
func TestCacheReadme(t *testing.T) {
	t.Parallel()
	var n atomic.Int64
	o := newOrigin(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, `<a href="README.txt">README.txt</a>`)
			return
		}
		w.Header().Set("Content-Type", "text/plain")
		switch n.Add(1) {
		case 1:
			w.WriteHeader(http.StatusServiceUnavailable)
		case 2:
			w.Header().Set("Cache-Control", "no-store")
			io.WriteString(w, "the second text")
		case 3:
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, "the third text")
		default:
			io.WriteString(w, "the fourth text")
		}
	})
	s := caching(t, Cache{}, o.at("/"))
	path := string(pathWith(o.at("/"), url.Values{"list": {"1"}}))
	for _, want := range []string{"README.txt", "the second text", "the third text", "the fourth text"} {
		s.want(s.get(path), cacheFetched, want)
		s.landed()
	}
	s.want(s.get(path), cacheHit, "the fourth text")
}

// A file that an older one replaced, or that was written a moment ago, is not what was kept, although it is no newer.
func TestCacheOlderFile(t *testing.T) {
	t.Parallel()
	var modified atomic.Pointer[time.Time]
	set := func(d time.Duration) {
		at := time.Now().Add(d)
		modified.Store(&at)
	}
	o := newOrigin(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "max-age=0")
		http.ServeContent(w, r, "a.txt", *modified.Load(), strings.NewReader(fmt.Sprint("from ", modified.Load().Unix())))
	})
	s := caching(t, Cache{}, o.at("/"))
	get := func(status string) {
		t.Helper()
		s.want(s.get(o.at("/").Text()), status, fmt.Sprint("from ", modified.Load().Unix()))
		s.landed()
	}
	set(-time.Hour)
	get(cacheFetched)
	get(cacheRenewed)
	set(-2 * time.Hour)
	get(cacheFetched)
	get(cacheRenewed)
	set(-time.Second)
	get(cacheFetched)
	get(cacheFetched)
}

// A server that no longer lets a response be kept is obeyed, also when it says that it has not changed.
func TestCacheNoLonger(t *testing.T) {
	t.Parallel()
	var never atomic.Bool
	o := newOrigin(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "max-age=0")
		if never.Load() {
			w.Header().Set("Cache-Control", "no-store")
		}
		w.Header().Set("ETag", `"1"`)
		http.ServeContent(w, r, "a.txt", time.Time{}, strings.NewReader("text"))
	})
	s := caching(t, Cache{}, o.at("/"))
	for _, status := range []string{cacheFetched, cacheRenewed} {
		s.want(s.get(o.at("/").Text()), status, "text")
		s.landed()
	}
	never.Store(true)
	s.want(s.get(o.at("/").Text()), cacheFetched, "text")
	s.landed()
	if names, err := filepath.Glob(s.g.opt.Service.Cache.Folder + "/*"); err != nil || len(names) > 0 {
		t.Errorf("%q %v", names, err)
	}
}

// A listing that ends with an error is kept by no view.
func TestCacheListingError(t *testing.T) {
	t.Parallel()
	u := menu(t, func(_ string, w io.Writer) {
		io.WriteString(w, item('0', "the first", "/1")+strings.Repeat("x", 4<<20))
	})
	s := caching(t, Cache{}, u)
	for _, path := range []string{string(pathOf(viewPage, u)), string(pathWith(u, url.Values{"sort": {"name"}})), string(pathOf(viewRaw, u)), u.Text()} {
		for range 2 {
			s.want(s.get(path), cacheFetched, "the first")
			s.want(s.get(path, "Accept: application/json"), cacheFetched, "the first")
			s.landed()
		}
	}
}

// An error repeats the URL as its own client has written it, and not as another one has who asked for the same before.
//
// Covers: P5
func TestCacheSpelling(t *testing.T) {
	t.Parallel()
	for _, prefix := range []string{"", "/-/raw/"} {
		begun, more := make(chan bool, 2), make(chan bool)
		o := newOrigin(t, func(w http.ResponseWriter, _ *http.Request) {
			begun <- true
			<-more
			w.WriteHeader(http.StatusNotFound)
		})
		s := caching(t, Cache{}, o.at("/"))
		texts := []string{prefix + o.at("/%73ecret").Text(), prefix + o.at("/s%65cret").Text()}
		var wg sync.WaitGroup
		get := func(text, other string) {
			if res := s.get(text); res.status != http.StatusNotFound || !strings.Contains(res.body, path.Base(text)) || strings.Contains(res.body, path.Base(other)) {
				t.Errorf("%s: %d %s", text, res.status, res.body)
			}
		}
		wg.Go(func() { get(texts[0], texts[1]) })
		<-begun
		wg.Go(func() { get(texts[1], texts[0]) })
		for joined, end := 0, time.Now().Add(10*time.Second); joined < 2 && time.Now().Before(end); time.Sleep(time.Millisecond) {
			s.g.cache.mu.Lock()
			for _, f := range s.g.cache.flights {
				f.mu.Lock()
				joined = len(f.clients)
				f.mu.Unlock()
			}
			s.g.cache.mu.Unlock()
		}
		close(more)
		wg.Wait()
	}
}

// The policy decides about what is kept, too: a list of blocked hosts and addresses that changed.
//
// Covers: GW69
func TestCacheBlocked(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "text") })
	list := filepath.Join(t.TempDir(), "list")
	writeList(t, list, "")
	u := locator.MustParse(strings.Replace(o.URL, "127.0.0.1", "localhost", 1) + "/")
	p := Policy().Options()
	p.Addresses, p.OwnPorts = policy.Any, false
	s := serve(t, Options{Service: Service{Cache: &Cache{Folder: t.TempDir()}, BlockList: list}, Policy: policy.New(p)})
	s.want(s.get(u.Text()), cacheFetched, "text")
	s.landed()
	s.want(s.get(u.Text()), cacheHit, "text")
	for _, text := range []string{"127.0.0.1\n::1\n", "localhost\n", o.URL + "/\nhttp://localhost:" + o.at("/").Port() + "/\n"} {
		writeList(t, list, text)
		s.g.policy.blocked.looked, s.g.policy.blocked.changed = time.Time{}, time.Time{}
		if res := s.get(u.Text()); res.status != http.StatusForbidden {
			t.Errorf("%q: %d %v %s", text, res.status, res.header, res.body)
		}
	}
}

// A response that hops led to is not sent any more when the block list has changed: it may have one of the hops, or its address.
//
// Covers: GW69
func TestCacheBlockedHop(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "text") })
	hop := httptest.NewServer(http.RedirectHandler(o.URL+"/to", http.StatusFound))
	t.Cleanup(hop.Close)
	from := httptest.NewServer(http.RedirectHandler(hop.URL+"/hop", http.StatusFound))
	t.Cleanup(from.Close)
	list, folder, u := filepath.Join(t.TempDir(), "list"), t.TempDir(), locator.MustParse(from.URL+"/")
	writeList(t, list, "")
	p := Policy().Options()
	p.Addresses, p.OwnPorts = policy.Any, false
	start := func() *site {
		return serve(t, Options{Service: Service{Cache: &Cache{Folder: folder}, BlockList: list}, Policy: policy.New(p)})
	}
	s := start()
	for _, at := range []string{u.Text(), o.at("/").Text()} {
		s.want(s.get(at), cacheFetched, "text")
		s.landed()
		s.want(s.get(at), cacheHit, "text")
	}
	s = start()
	s.want(s.get(u.Text()), cacheHit, "text")
	writeList(t, list, hop.URL+"/\n")
	s.g.policy.blocked.looked = time.Time{}
	if res := s.get(u.Text()); res.status != http.StatusForbidden {
		t.Errorf("%d %v %s", res.status, res.header, res.body)
	}
	s.want(s.get(o.at("/").Text()), cacheHit, "text")
}
