package gateway

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
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

// busy counts the connections of a server that are open at once.
type busy struct{ now, most, all atomic.Int64 }

func (b *busy) begin() {
	b.all.Add(1)
	n := b.now.Add(1)
	for m := b.most.Load(); n > m && !b.most.CompareAndSwap(m, n); m = b.most.Load() {
	}
}

// All clients together have two connections to a server, and a request that does not get its turn is told when to come again.
//
// Covers: GWS1
func TestUpstreamLimit(t *testing.T) {
	var load busy
	u := menu(t, func(_ string, w io.Writer) {
		load.begin()
		defer load.now.Add(-1)
		time.Sleep(5 * time.Millisecond)
		io.WriteString(w, item('0', "one", "/1")+".\r\n")
	})
	s := serve(t, Options{Service: Service{Upstream: Share{AtOnce: 2, PerSecond: 10, Burst: 5, Wait: 500 * time.Millisecond}}}, u)
	var mu sync.Mutex
	count := make(map[int]int)
	var all sync.WaitGroup
	for i := range 64 {
		all.Go(func() {
			target := []string{string(pathOf(viewPage, u)), string(pathOf(viewRaw, u)), u.Text()}[i%3]
			status, header := simple(t, s.addr, target)
			mu.Lock()
			defer mu.Unlock()
			count[status]++
			if retry, err := strconv.Atoi(header.Get("Retry-After")); status == 503 && (err != nil || retry < 1) {
				t.Errorf("Retry-After: %q", header.Get("Retry-After"))
			}
		})
	}
	all.Wait()
	if load.most.Load() > 2 {
		t.Errorf("%d connections at once", load.most.Load())
	}
	if count[200] < 5 || count[503] < 20 || count[200]+count[503] != 64 || int(load.all.Load()) != count[200] {
		t.Errorf("%v; the server had %d", count, load.all.Load())
	}
	other := menu(t, func(_ string, w io.Writer) { io.WriteString(w, ".\r\n") })
	s.g.policy.also = append(s.g.policy.also, netip.MustParseAddrPort(other.Host()+":"+other.Port()))
	if res := s.page(other); res.status != http.StatusOK {
		t.Errorf("another server: %d", res.status)
	}
}

// simple sends a request and returns the status and header of the response. It may be called by other goroutines than that of the test.
func simple(t *testing.T, addr, target string) (int, http.Header) {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Error(err)
		return 0, nil
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(20 * time.Second))
	fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", target, addr)
	b, err := io.ReadAll(conn)
	if err != nil {
		t.Error(err)
	}
	var status int
	head, _, _ := strings.Cut(string(b), "\r\n\r\n")
	fmt.Sscanf(head, "HTTP/1.1 %d", &status)
	h := http.Header{}
	for line := range strings.SplitSeq(head, "\r\n") {
		if name, value, ok := strings.Cut(line, ": "); ok {
			h.Add(name, value)
		}
	}
	return status, h
}

// A redirect leads to another server, which has a share, too.
//
// Covers: GWS1
func TestUpstreamLimitOfHops(t *testing.T) {
	var load busy
	small := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		load.begin()
		defer load.now.Add(-1)
		time.Sleep(20 * time.Millisecond)
		io.WriteString(w, "x")
	}))
	t.Cleanup(small.Close)
	var servers []locator.URL
	for range 6 {
		x := httptest.NewServer(http.RedirectHandler(small.URL+"/a.txt", http.StatusFound))
		t.Cleanup(x.Close)
		servers = append(servers, locator.MustParse(x.URL+"/"))
	}
	s := serve(t, Options{Service: Service{Upstream: Share{AtOnce: 1, Wait: 5 * time.Second}}}, append(servers, locator.MustParse(small.URL+"/"))...)
	var all sync.WaitGroup
	for _, u := range servers {
		all.Go(func() {
			if status, _ := simple(t, s.addr, string(pathOf(viewPage, u))); status != http.StatusOK {
				t.Errorf("%s: %d", u.Text(), status)
			}
		})
	}
	all.Wait()
	if load.most.Load() != 1 || load.all.Load() != 6 {
		t.Errorf("%d requests, %d at once", load.all.Load(), load.most.Load())
	}
}

// A page that reads two resources of a server needs one turn after the other.
func TestUpstreamLimitOfReadme(t *testing.T) {
	files, err := ftptest.Start([]peer.File{{Path: []string{"README"}, Content: "read this"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(files.Close)
	s := serve(t, Options{Service: Service{Upstream: Share{AtOnce: 1, Wait: time.Second}}}, files.URL())
	if res := s.page(files.URL("")); !strings.Contains(res.body, "read this") {
		t.Errorf("%d: %s", res.status, res.body)
	}
}

// A client that goes leaves its turn to others.
//
// Covers: GWS5
func TestGoneClientEndsTurn(t *testing.T) {
	began, ended := make(chan bool, 2), make(chan bool, 2)
	u := menu(t, func(_ string, w io.Writer) {
		began <- true
		for {
			if _, err := io.WriteString(w, item('0', "more", "/1")); err != nil {
				ended <- true
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	})
	s := serve(t, Options{Service: Service{Upstream: Share{AtOnce: 1, Wait: 10 * time.Second}}}, u)
	for range 2 {
		conn, err := net.Dial("tcp", s.addr)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", pathOf(viewPage, u), s.addr)
		<-began
		conn.Close()
		select {
		case <-ended:
		case <-time.After(5 * time.Second):
			t.Fatal("the access goes on after its client has gone")
		}
	}
}

// One client has a share of the gateway.
//
// Covers: GWS2
func TestClientLimit(t *testing.T) {
	more := make(chan struct{})
	began := make(chan bool, 1)
	u := menu(t, func(_ string, w io.Writer) {
		began <- true
		<-more
		io.WriteString(w, ".\r\n")
	})
	s := serve(t, Options{Service: Service{Clients: Share{AtOnce: 1}}}, u)
	done := make(chan int)
	go func() { status, _ := simple(t, s.addr, string(pathOf(viewPage, u))); done <- status }()
	<-began
	for _, target := range []string{"/", u.Text(), string(pathOf(viewRaw, u)), "/-/none"} {
		res := s.get(target)
		if res.status != http.StatusTooManyRequests || res.header.Get("Retry-After") == "" {
			t.Errorf("%s: %d %v", target, res.status, res.header)
		}
	}
	for _, target := range []string{s.g.assets.names["style.css"], "/-/health", "/-/ready"} {
		if res := s.get(target); res.status != http.StatusOK {
			t.Errorf("%s: %d", target, res.status)
		}
	}
	close(more)
	if status := <-done; status != http.StatusOK {
		t.Errorf("the first request: %d", status)
	}
	rates := serve(t, Options{Service: Service{Clients: Share{PerSecond: 0.01, Burst: 3}}})
	for i := range 5 {
		if res := rates.get("/"); (res.status == http.StatusOK) != (i < 3) {
			t.Errorf("request %d: %d", i, res.status)
		}
	}
}

// The address of a client comes from a proxy only if that is trusted; a client of IPv6 is a network.
//
// Covers: GWS12
func TestClientName(t *testing.T) {
	g := &Gateway{}
	g.opt.Service.Proxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("127.0.0.1/32")}
	for _, x := range []struct {
		remote, want string
		forwarded    []string
	}{
		{"192.0.2.1:5", "192.0.2.1", nil},
		{"192.0.2.1:5", "192.0.2.1", []string{"198.51.100.7"}}, // not a proxy
		{"127.0.0.1:5", "127.0.0.1", nil},
		{"127.0.0.1:5", "198.51.100.7", []string{"198.51.100.7"}},
		{"127.0.0.1:5", "198.51.100.7", []string{"203.0.113.9, 198.51.100.7, 10.1.1.1"}},
		{"127.0.0.1:5", "198.51.100.7", []string{"203.0.113.9", "198.51.100.7", "10.1.1.1"}},
		{"127.0.0.1:5", "10.1.1.1", []string{"198.51.100.7, x, 10.1.1.1"}},
		{"127.0.0.1:5", "127.0.0.1", []string{"unknown"}},
		{"[2001:db8:1:2:3:4:5:6]:5", "2001:db8:1:2::/64", nil},
		{"[::ffff:192.0.2.1]:5", "192.0.2.1", nil},
		{"[fe80::1%eth0]:5", "fe80::/64", nil},
		{"127.0.0.1:5", "2001:db8::/64", []string{"2001:db8::7"}},
		{"127.0.0.1:5", "198.51.100.7", []string{"::ffff:198.51.100.7"}},
		{"pipe", "invalid IP", nil},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr, r.Header["X-Forwarded-For"] = x.remote, x.forwarded
		if got := g.clientName(r); got != x.want {
			t.Errorf("%s %q: %s, want %s", x.remote, x.forwarded, got, x.want)
		}
	}
}

// What is known of parties is bounded, and forgotten.
//
// Covers: GWS3
func TestSharesForget(t *testing.T) {
	s := newShares(Share{AtOnce: 1, PerSecond: 1000, Burst: 1})
	for i := range maxShares + 100 {
		release, err := s.take(t.Context(), strconv.Itoa(i))
		if err != nil {
			t.Fatal(err)
		}
		release()
	}
	if n := s.count(); n > maxShares {
		t.Errorf("%d are known", n)
	}
	time.Sleep(5 * time.Millisecond)
	s.swept = time.Time{}
	release, err := s.take(t.Context(), "last")
	if err != nil {
		t.Fatal(err)
	}
	if n := s.count(); n != 1 {
		t.Errorf("%d are known", n)
	}
	if _, err := s.take(t.Context(), "last"); err == nil {
		t.Error("two at once")
	}
	release()
	full := newShares(Share{AtOnce: 1})
	for i := range maxShares {
		if _, err := full.take(t.Context(), strconv.Itoa(i)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := full.take(t.Context(), "one more"); err == nil {
		t.Error("more than are allowed, each with a request")
	}
}

// A request that waits gives up with its client.
func TestShareContext(t *testing.T) {
	s := newShares(Share{AtOnce: 1, Wait: time.Minute})
	release, err := s.take(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.take(ctx, "a"); err != context.Canceled {
		t.Error(err)
	}
	release()
	if release, err = s.take(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	release()
	if n := s.count(); n != 0 {
		t.Errorf("%d are known", n)
	}
}

// Changes and logins have a share of their own.
//
// Covers: GWS2
func TestCount(t *testing.T) {
	g := &Gateway{changes: newShares(Share{PerSecond: 0.01, Burst: 2})}
	g.metrics = newMeters(g)
	r := httptest.NewRequest("POST", "/", nil)
	for i := range 4 {
		if err := g.count(r, scheme.OpUpdate); (err == nil) != (i < 2) || err != nil && statusOf(err) != http.StatusTooManyRequests {
			t.Errorf("%d: %v", i, err)
		}
	}
}

// A request that is refused, or whose client has gone, uses nothing, and is told when to come again.
//
// Covers: GWS2
func TestShareRefused(t *testing.T) {
	s := newShares(Share{PerSecond: 1}) // with a burst of 1
	for i := range 10 {
		release, err := s.take(t.Context(), "a")
		busy, isBusy := err.(*busyError)
		switch {
		case i == 0 && err == nil:
			release()
		case i == 0 || !isBusy || busy.retry > time.Second:
			t.Errorf("%d: %v", i, err)
		}
	}
	if n := s.all["a"].users; n != 0 {
		t.Errorf("%d requests run", n)
	}
	s.of.Wait = time.Hour
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for range 10 {
		if _, err := s.take(gone, "a"); err != context.Canceled {
			t.Errorf("%v", err)
		}
	}
	if d := s.all["a"].rate.Reserve().Delay(); d > 2*time.Second {
		t.Errorf("the next turn is in %v", d)
	}
	full := newShares(Share{AtOnce: 1})
	if _, err := full.take(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	for _, wait := range []time.Duration{0, time.Millisecond} {
		full.of.Wait = wait
		if busy, ok := errorOf(full.take(t.Context(), "a")).(*busyError); !ok || wait == 0 && busy.retry != time.Second {
			t.Errorf("%v: %v", wait, busy)
		}
	}
}

func errorOf(_ func(), err error) error { return err }

// A party that has used its share a short time ago is not forgotten, unless there are too many.
//
// Covers: GWS3
func TestSharesRemember(t *testing.T) {
	s := newShares(Share{PerSecond: 0.001, Burst: 2})
	for i := range maxShares + 1 {
		if i == 2 && s.count() != 2 {
			t.Errorf("%d are known", s.count())
		}
		s.swept = time.Time{}
		if i >= 2 {
			s.swept = time.Now()
		}
		release, err := s.take(t.Context(), strconv.Itoa(i))
		if err != nil {
			t.Fatal(err)
		}
		release()
	}
	if n := s.count(); n != 1 {
		t.Errorf("%d are known", n)
	}
}

// The share of a server is that of its host and port, however the URL is written.
//
// Covers: GWS1
func TestTurnNames(t *testing.T) {
	g := &Gateway{upstreams: newShares(Share{AtOnce: 1})}
	g.metrics = newMeters(g)
	for _, x := range []struct {
		url  string
		busy bool
	}{
		{"http://host.dom/", false}, {"http://HOST.dom:80/a", true}, {"http://host.dom:81/", false}, {"file:///a", false}, {"file:///a", false},
		{"mailto:ann@host.dom", false}, {"news:comp.lang", false}, {"news:comp.infosystems", true},
	} {
		_, err := g.turn(t.Context(), locator.MustParse(x.url))
		of, _ := err.(*scheme.Error)
		if (err != nil) != x.busy || x.busy && (statusOf(err) != http.StatusServiceUnavailable || of.RetryAfter != time.Second) {
			t.Errorf("%s: %v", x.url, err)
		}
	}
	wantRefused(t, g, "upstream", 2)
}

// wantRefused compares how many requests the metrics count as refused.
func wantRefused(t *testing.T, g *Gateway, by string, want uint64) {
	t.Helper()
	if got := g.metrics.set.GetOrCreateCounter(`locator_refused_total{by="` + by + `"}`).Get(); got != want {
		t.Errorf("%d are refused by %s, want %d", got, by, want)
	}
}

// Covers: GWS2
func TestTooMany(t *testing.T) {
	w := httptest.NewRecorder()
	tooMany(w, &busyError{1001 * time.Millisecond})
	for name, want := range map[string]string{"Content-Type": "text/plain; charset=utf-8", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Retry-After": "2"} {
		if got := w.Header().Get(name); got != want || w.Code != http.StatusTooManyRequests {
			t.Errorf("%d, %s: %q", w.Code, name, got)
		}
	}
	for d, want := range map[time.Duration]string{0: "1", time.Millisecond: "1", time.Second: "1", 2 * time.Second: "2"} {
		if got := retryAfter(d); got != want {
			t.Errorf("%v: %s", d, got)
		}
	}
	g := &Gateway{changes: newShares(Share{AtOnce: 1, PerSecond: 0.01, Burst: 2})}
	g.metrics = newMeters(g)
	for i := range 3 {
		of, _ := g.count(httptest.NewRequest("POST", "/", nil), scheme.OpUpdate).(*scheme.Error)
		if (of != nil) != (i == 2) || of != nil && of.RetryAfter == 0 {
			t.Errorf("%d: %+v", i, of)
		}
	}
	wantRefused(t, g, "changes", 1)
}
