//go:build !race

package gateway

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"locator/policy"
)

// No byte of the request of one client, or of what a server sent for it, is in a page for another one: pages, the proxy and errors, of
// 10,000 listings that are cut and damaged anywhere (the class of CVE-2026-47729 and CVE-2025-62168).
//
// Covers: GWS13
func TestNoLeaks(t *testing.T) {
	urls, servers := leakServers(t)
	log.SetOutput(io.Discard) // net/http logs what comes on an idle connection
	t.Cleanup(func() { log.SetOutput(os.Stderr) })
	o := Policy().Options()
	o.Limits.Idle = 300 * time.Millisecond
	s := serve(t, Options{Policy: policy.New(o), Service: Service{Upstream: Share{Wait: time.Minute}}}, servers...)
	s.g.opt.Log = noLog()
	const all = 10_000
	known := make(map[string]bool)
	for i := range int64(all) {
		known[secretOf(i+1)] = true
	}
	var next, whole, whether atomic.Int64
	var workers sync.WaitGroup
	for range 8 {
		workers.Go(func() {
			for i := next.Add(1); i <= all; i = next.Add(1) {
				secret := secretOf(i)
				u := urls[i%int64(len(urls))](secret)
				target := "/" + u
				switch i / 4 % 5 {
				case 1:
					target = "/-/raw/" + u
				case 2:
					target = u
				case 3:
					target = "/-/view/sort=name/" + u
				case 4:
					target = "/-/view/list=1/" + u
				}
				r := httptest.NewRequest("GET", "http://localhost/", nil)
				r.RequestURI, r.Host = target, "localhost"
				r.RemoteAddr = "127.0.0.1:1"
				r.Header.Set("User-Agent", secret)
				r.Header.Set("X-Forwarded-For", secret)
				r.Header.Set("Cookie", secret+"="+secret)
				r.Header.Set("Referer", "http://"+secret+"/")
				if i%3 == 0 {
					r.SetBasicAuth(secret, secret)
				}
				w := httptest.NewRecorder()
				func() {
					defer func() {
						if bad := recover(); bad != nil && bad != http.ErrAbortHandler {
							t.Errorf("%s: %v", target, bad)
						}
					}()
					s.g.ServeHTTP(w, r)
				}()
				text := w.Body.String() + fmt.Sprint(w.Header())
				for _, found := range plantedPattern.FindAllString(text, -1) {
					if found != secret && known[found] {
						t.Errorf("%s shows %s", target, found)
						break
					}
				}
				if w.Code == http.StatusOK {
					whole.Add(1)
				}
				if strings.Contains(text, secret) {
					whether.Add(1)
				}
			}
		})
	}
	workers.Wait()
	if whole.Load() < all/4 || whether.Load() < all/4 {
		t.Errorf("%d of %d pages are whole, %d have their own secret: the servers are not asked", whole.Load(), all, whether.Load())
	}
}
