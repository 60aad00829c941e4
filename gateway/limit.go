package gateway

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"locator"
	"locator/internal/units"
	"locator/scheme"
)

// Share limits the requests of one party, or those for one server. A zero field does not limit.
type Share struct {
	AtOnce    int           // requests that run
	PerSecond float64       // requests in the long run
	Burst     int           // requests that may come at once after a pause; at least 1 if PerSecond is set
	Wait      time.Duration // how long a request may wait for its turn
}

// shares has the share of each party by its name. It forgets those of which nothing is known that matters.
type shares struct {
	of Share

	mu    sync.Mutex
	all   map[string]*share
	swept time.Time
}

// share is what one party uses of its Share.
type share struct {
	name  string
	users int           // requests that run or wait; shares.mu guards it
	slots chan struct{} // nil is no limit
	rate  *rate.Limiter // nil is no limit
}

const (
	maxShares = 20_000      // parties that are known at once
	sweepTime = time.Minute // between two looks for parties to forget
)

func newShares(of Share) *shares { return &shares{of: of, all: make(map[string]*share)} }

// busyError is the error of a request that did not get its turn.
type busyError struct{ retry time.Duration }

func (e *busyError) Error() string {
	return "too many requests; try again in " + units.Round(e.retry).String()
}

// take waits for the turn of a request. The error is a busyError, or that of ctx. The caller must call release.
func (s *shares) take(ctx context.Context, name string) (release func(), err error) {
	x := s.enter(name)
	if x == nil {
		return nil, &busyError{time.Second}
	}
	slot := false
	end := func() {
		if slot {
			<-x.slots
		}
		s.leave(x)
	}
	defer func() {
		if err != nil {
			end()
		}
	}()
	began := time.Now()
	if x.slots != nil {
		if err := s.wait(ctx, x.slots); err != nil {
			return nil, err
		}
		slot = true
	}
	if x.rate == nil {
		return end, nil
	}
	turn := x.rate.Reserve()
	delay := turn.Delay()
	if delay > s.of.Wait-time.Since(began) && delay > 0 {
		turn.Cancel()
		return nil, &busyError{delay}
	}
	if err := sleep(ctx, delay); err != nil {
		turn.Cancel()
		return nil, err
	}
	return end, nil
}

// wait takes a slot as soon as one is free.
func (s *shares) wait(ctx context.Context, slots chan struct{}) error {
	select {
	case slots <- struct{}{}:
		return nil
	default:
	}
	if s.of.Wait <= 0 {
		return &busyError{time.Second}
	}
	t := time.NewTimer(s.of.Wait)
	defer t.Stop()
	select {
	case slots <- struct{}{}:
		return nil
	case <-t.C:
		return &busyError{s.of.Wait}
	case <-ctx.Done():
		return ctx.Err()
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// enter returns the share of a party; nil if too many are known of which each has a request.
func (s *shares) enter(name string) *share {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.all[name]
	if x == nil {
		s.sweep()
		if len(s.all) >= maxShares {
			return nil
		}
		x = &share{name: name}
		if s.of.AtOnce > 0 {
			x.slots = make(chan struct{}, s.of.AtOnce)
		}
		if s.of.PerSecond > 0 {
			x.rate = rate.NewLimiter(rate.Limit(s.of.PerSecond), max(s.of.Burst, 1))
		}
		s.all[name] = x
	}
	x.users++
	return x
}

func (s *shares) leave(x *share) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x.users--; x.users == 0 && x.rate == nil {
		delete(s.all, x.name)
	}
}

// sweep forgets the parties that have used nothing for a while and, if there are too many, all that have no request.
func (s *shares) sweep() {
	full := len(s.all) >= maxShares
	if !full && time.Since(s.swept) < sweepTime {
		return
	}
	s.swept = time.Now()
	for name, x := range s.all {
		if x.users == 0 && (full || x.rate == nil || x.rate.Tokens() >= float64(x.rate.Burst())) {
			delete(s.all, name)
		}
	}
}

// count returns how many parties are known.
func (s *shares) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.all)
}

// turn waits for the turn of an access to the server of u. It is the Turn of the client, so hops have turns, too.
func (g *Gateway) turn(ctx context.Context, u locator.URL) (release func(), err error) {
	if isLocal(u) {
		return func() {}, nil
	}
	name := u.Scheme() + ":" // of the configured servers
	if u.HasHost() {
		c := u.Canonical()
		port, _ := c.PortNumber()
		name = strings.TrimSuffix(strings.ToLower(c.ASCIIHost()), ".") + ":" + strconv.Itoa(int(port))
	}
	release, err = g.upstreams.take(ctx, name)
	if busy, ok := err.(*busyError); ok {
		g.metrics.refused("upstream")
		text := fmt.Sprintf("the gateway spares %s, which others read now, too; try again in %s", strings.TrimSuffix(name, ":"), units.Round(busy.retry))
		return nil, &scheme.Error{Code: scheme.CodeUnavailable, RetryAfter: busy.retry, Err: &statusError{http.StatusServiceUnavailable, text}}
	}
	return release, err
}

// client returns the address of the client of a request: that of the connection or, if it is one of the trusted proxies, that of which the
// last of them says that it sent the request.
func (g *Gateway) clientAddr(r *http.Request) netip.Addr {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	addr := at.Addr().Unmap().WithZone("")
	if !g.trusts(addr) {
		return addr
	}
	list := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, text := range slices.Backward(list) {
		next, err := netip.ParseAddr(strings.TrimSpace(text))
		if err != nil {
			break
		}
		if addr = next.Unmap().WithZone(""); !g.trusts(addr) {
			break
		}
	}
	return addr
}

// trusts reports whether an address is that of a trusted proxy.
func (g *Gateway) trusts(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	return slices.ContainsFunc(g.opt.Service.Proxies, func(p netip.Prefix) bool { return p.Contains(a) })
}

// clientName returns the name of the share of a client. A client of IPv6 has a network of 64 bits for itself.
func (g *Gateway) clientName(r *http.Request) string {
	return addrName(g.clientAddr(r))
}

// addrName returns the name of the client at an address.
func addrName(a netip.Addr) string {
	if a.Is6() {
		if p, err := a.Prefix(64); err == nil {
			return p.String()
		}
	}
	return a.String()
}

// count counts a change that a client makes, or a login that it tries, and refuses too many.
func (g *Gateway) count(r *http.Request, _ scheme.Op) error {
	release, err := g.changes.take(r.Context(), g.clientName(r))
	if busy, ok := err.(*busyError); ok {
		g.metrics.refused("changes")
		return &scheme.Error{Code: scheme.CodeUnavailable, RetryAfter: busy.retry, Err: &statusError{http.StatusTooManyRequests, busy.Error()}}
	}
	if err != nil {
		return err
	}
	release()
	return nil
}

// tooMany answers a request of a client that sends too many. It does as little as it can.
func tooMany(w http.ResponseWriter, err error) {
	retry := time.Second
	if busy, ok := err.(*busyError); ok {
		retry = busy.retry
	}
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	h.Set("Retry-After", retryAfter(retry))
	w.WriteHeader(http.StatusTooManyRequests)
	fmt.Fprintln(w, err)
}

// retryAfter returns a duration as whole seconds, at least one.
func retryAfter(d time.Duration) string {
	return strconv.Itoa(max(1, int((d+time.Second-1)/time.Second)))
}
