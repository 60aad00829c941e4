package gateway

import (
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"locator"
	"locator/scheme"
)

// Cache configures what a gateway remembers of the responses of servers. Requests for the same at the same time are one in any case.
// What somebody gets with a login is neither kept nor shared.
type Cache struct {
	// Folder is the directory in which responses are kept. Another gateway must not use it at the same time. "" keeps none.
	Folder string
	// Size is how many bytes all responses have together; those that were not used for the longest time go. 0 means 1 GiB.
	Size int64
	// Object is how many bytes a response that is kept has at most; 0 means 64 MiB.
	Object int64
	// Age is how long a response is sent without asking the server, unless the server says less; 0 means 10 minutes.
	Age time.Duration
}

// The defaults of a Cache.
const (
	cacheSize   = 1 << 30
	cacheObject = 64 << 20
	cacheAge    = 10 * time.Minute
)

// minAge is how old a resource must be for its date to tell it from another one. It may be written at this moment.
const minAge = time.Minute

// cache shares responses between clients.
type cache struct {
	of     Cache
	g      *Gateway
	store  *store // nil if nothing is kept
	memory atomic.Int64
	late   time.Duration // how long a client may hold up others

	mu      sync.Mutex
	flights map[string]*flight
}

func newCache(g *Gateway, of Cache) (*cache, error) {
	of.Size, of.Object, of.Age = cmp.Or(of.Size, cacheSize), cmp.Or(of.Object, cacheObject), cmp.Or(of.Age, cacheAge)
	c := &cache{of: of, g: g, late: lateTime, flights: make(map[string]*flight)}
	if of.Folder == "" {
		return c, nil
	}
	var err error
	c.store, err = openStore(of.Folder, of.Size, g.opt.Log)
	return c, err
}

// spool returns what keeps the beginning of a response, and whether it may be kept for later.
func (c *cache) spool(m *meta, status int) (spool, bool) {
	if asks := m.Fresh == 0 && m.ETag == "" && m.Modified.IsZero(); c.store != nil && status == http.StatusOK && m.Fresh >= 0 && !asks {
		if p, err := c.store.create(m); err == nil {
			return p, true
		}
	}
	return &memory{used: &c.memory}, false
}

// fly returns the flight of a response, and a client of it, which must leave. It is nil if the client must ask for itself.
func (c *cache) fly(name string) (*flight, *follower) {
	for {
		c.mu.Lock()
		f := c.flights[name]
		if f == nil {
			f = newFlight(c, name)
			c.flights[name] = f
		}
		c.mu.Unlock() // a flight that lands locks this, too
		if x, over := f.join(); !over {
			return f, x
		}
		c.land(f)
	}
}

// land forgets a flight.
func (c *cache) land(f *flight) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.flights[f.name] == f {
		delete(c.flights, f.name)
	}
}

// purge forgets all responses about u, which has changed, and about the folder that lists it, also those that are being made.
func (c *cache) purge(u locator.URL) {
	if c == nil {
		return
	}
	c.purgeName(urlName(u))
	ref := "."
	if path, _ := u.Path(); strings.HasSuffix(path, "/") {
		ref = ".."
	}
	folder, err := u.Resolve(ref)
	if err != nil || !u.Hierarchical() {
		return
	}
	c.purgeName(urlName(folder))
	path, _ := folder.Path()
	if bare, err := folder.WithPath(locator.Some(strings.TrimSuffix(path, "/"))); err == nil { // as some link to it
		c.purgeName(urlName(bare))
	}
}

// purgeName forgets all responses whose names begin so.
func (c *cache) purgeName(prefix string) {
	var old []*flight
	c.mu.Lock()
	for name, f := range c.flights {
		if strings.HasPrefix(name, prefix) {
			delete(c.flights, name)
			old = append(old, f)
		}
	}
	c.mu.Unlock()
	for _, f := range old {
		f.spoil()
	}
	if c.store != nil {
		c.store.purge(prefix)
	}
}

// urlName is the beginning of the names of responses about a URL. URLs of the same resource have the same one.
func urlName(u locator.URL) string {
	sum := sha256.Sum256([]byte(u.Canonical().Text()))
	return hex.EncodeToString(sum[:16]) + "-"
}

// cacheName names the response to a request: the URL, and all else on which the response depends.
func (x *exchange) cacheName() string {
	a := x.accept()
	parts := []string{
		strconv.Itoa(int(x.place.view)), strings.Join(a.Languages, ","), x.settings.encode(), strconv.FormatBool(x.g.isContent(x.r)), strconv.FormatBool(wantsJSON(x.r)),
	}
	if x.place.view == viewPage || goes(x.r) {
		parts = append(parts, x.r.RequestURI) // which is on the page, and has options
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return urlName(x.u) + hex.EncodeToString(sum[:12])
}

// cached serves a resource with what the gateway keeps, and for several clients at once. It reports whether it has; else the request
// must be served for itself.
func (x *exchange) cached(serve func(*exchange)) bool {
	c, r := x.g.cache, x.r
	if c == nil || isLocal(x.u) || r.Method != http.MethodGet && r.Method != http.MethodHead || r.Header.Get("Authorization") != "" || r.Header.Get("Proxy-Authorization") != "" {
		return false
	}
	if _, ok := x.u.Password(); ok {
		return false // it is a login
	}
	name := x.cacheName()
	var old *kept
	if c.store != nil {
		if old = c.store.use(name); old != nil {
			list := x.g.policy.blocked
			if m, _, _ := c.store.fresh(old); list.Addr(m.Addr.Addr()) != nil || m.List != "" && m.List != list.version() {
				old = nil
			}
		}
	}
	if old != nil && !asksAgain(r) && c.send(x.w, r, old, cacheHit) {
		return true
	}
	if r.Method == http.MethodHead || !rangeOf(r).IsZero() || conditionsOf(r) != (scheme.Conditions{}) {
		return false
	}
	f, client := c.fly(name)
	if client == nil {
		return false
	}
	defer f.leave(client)
	status := cacheJoined
	if client.first {
		status = cacheFetched
		f.start(x, old, serve)
	}
	return f.serve(x, client, status)
}

// serve serves a resource, by the cache if it may.
func (x *exchange) serve(how func(*exchange)) {
	if !x.cached(how) {
		how(x)
	}
}

// asksAgain reports whether a client wants an answer of the server, as browsers do when a page is reloaded.
func asksAgain(r *http.Request) bool {
	field := strings.ToLower(r.Header.Get("Cache-Control"))
	return strings.Contains(field, "no-cache") || strings.Contains(field, "max-age=0") || field == "" && r.Header.Get("Pragma") == "no-cache"
}

// The words of Cache-Status for where a response comes from (RFC 9211 2).
const (
	cacheHit     = "hit"
	cacheFetched = "fwd=miss"
	cacheJoined  = "fwd=miss; collapsed"
	cacheRenewed = "fwd=stale; fwd-status=304"
)

// note says where a response comes from.
func (c *cache) note(w http.ResponseWriter, status string) {
	w.Header().Set("Cache-Status", "locator; "+status)
	c.g.metrics.cached(status)
}

// send sends a response that was kept. It returns false if that is not so, or the server must be asked first.
func (c *cache) send(w http.ResponseWriter, r *http.Request, k *kept, status string) bool {
	m, age, fresh := c.store.fresh(k)
	if !fresh && status == cacheHit {
		return false
	}
	body, err := c.store.open(k)
	if err != nil {
		c.store.drop(k)
		return false
	}
	defer body.Close()
	h := w.Header()
	for name, values := range m.Header {
		h[name] = slices.Clip(values) // others append to it
	}
	h.Set("Age", strconv.Itoa(int(age.Seconds())))
	c.note(w, status)
	if h.Get("Content-Encoding") == "" && h.Get("Content-Type") != "" {
		http.ServeContent(w, r, "", m.Modified, body) // with parts and conditions
		return true
	}
	c.g.pools.copyEncoded(w, r, http.StatusOK, body, body.Size()) // a client that has gone reads nothing
	return true
}

// copyEncoded sends a body that is compressed if the header says so. Those who do not accept that get it uncompressed. A size below 0 is
// unknown. The error is that of the body.
func (p *pools) copyEncoded(w http.ResponseWriter, r *http.Request, status int, body io.Reader, size int64) error {
	h := w.Header()
	if h.Get("Content-Encoding") == "gzip" && !acceptsGzip(r) {
		h.Del("Content-Encoding")
		h.Del("Content-Length")
		w.WriteHeader(status)
		if r.Method == http.MethodHead {
			return nil
		}
		in, err := gzip.NewReader(body)
		if err != nil {
			return err
		}
		_, err = p.copy(w, in)
		return err
	}
	if size >= 0 {
		h.Set("Content-Length", strconv.FormatInt(size, 10))
	}
	w.WriteHeader(status)
	if r.Method == http.MethodHead {
		return nil
	}
	_, err := p.copy(w, body)
	return err
}

func (p *pools) copy(w io.Writer, r io.Reader) (int64, error) {
	b := p.buffers.Get().(*[pieceSize]byte)
	defer p.buffers.Put(b)
	return io.CopyBuffer(struct{ io.Writer }{w}, struct{ io.Reader }{r}, b[:])
}

// share lets others have the response whose header is sent next. res is nil if it is an error.
func (x *exchange) share(res *scheme.Resource) {
	if x.flight == nil || res != nil && res.NoStore {
		return
	}
	m := &meta{Fresh: -1}
	if res != nil {
		m.Fresh = x.g.cache.freshness(res)
		m.Addr = res.Addr
		if res.Kind == scheme.KindObject && len(res.Via) == 0 { // else another server may be asked
			m.ETag = res.Attr.ETag
			if time.Since(res.Attr.Modified) > minAge {
				m.Modified = res.Attr.Modified
			}
		}
		if len(res.Via) > 0 {
			m.List = x.list
		}
	}
	x.flight.share(m)
}

// spoil says that the response is not what the server would send at another time.
func (x *exchange) spoil() {
	if x.flight != nil {
		x.flight.spoil()
	}
}

// unchanged reports whether the server says that a response that was kept is still so. Then that is sent.
func (x *exchange) unchanged(res *scheme.Resource) bool {
	if !res.NotModified || x.flight == nil || x.old == nil {
		return false
	}
	x.g.cache.store.renew(x.old, x.g.cache.freshness(res))
	x.flight.repeat(x.old)
	return true
}

// confirms reports whether a server that has nothing newer means the response that was kept, and lets it be kept. It may have put an
// older resource in its place.
func (c *cache) confirms(k *kept, res *scheme.Resource) bool {
	m, _, _ := c.store.fresh(k)
	return !res.NoStore && (m.ETag != "" || res.Attr.Modified.IsZero() || res.Attr.Modified.Equal(m.Modified))
}

// conditions are those on which the server must send a response that was kept.
func (x *exchange) conditions() (c scheme.Conditions) {
	if x.old == nil {
		return c
	}
	m, _, _ := x.g.cache.store.fresh(x.old)
	if m.ETag != "" {
		c.NoneMatch = m.ETag
	} else {
		c.ModifiedSince = m.Modified
	}
	return c
}

// freshness returns how long a response is sent without asking the server; below 0 it must not be kept.
func (c *cache) freshness(res *scheme.Resource) time.Duration {
	if res.NoStore {
		return -1
	}
	return min(time.Duration(min(res.Fresh.Or(math.MaxInt32), math.MaxInt32))*time.Second, c.of.Age)
}

// bytes returns how much is kept.
func (c *cache) bytes() int64 {
	if c == nil || c.store == nil {
		return 0
	}
	c.store.mu.Lock()
	defer c.store.mu.Unlock()
	return c.store.sum
}
