package gateway

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"log/slog"
	"math"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"locator"
	"locator/client"
	"locator/explain"
	"locator/policy"
	"locator/scheme"
)

// Options configure a Gateway. Only Client.Registry is required.
type Options struct {
	// Client are the options of the client that accesses the resources. Its Policy is not used.
	Client client.Options
	// Policy decides which resources may be accessed. Nil means [Policy].
	Policy *policy.Standard
	// Folders are the directories of the gateway's machine that it may serve, as file URLs. Without them it serves none.
	Folders []locator.URL
	// Hosts are the names and addresses by which clients may call the gateway, without a port, besides localhost and the
	// addresses that it listens on. Requests for another Host are refused, so that no web page can reach the gateway under a
	// name of its own. A "*" allows all.
	Hosts []string
	// Own are the addresses that the gateway listens on. URLs that lead to them are refused.
	Own []netip.AddrPort
	// Also are addresses that every scheme may connect to besides, whatever the policy, such as those of a demonstration.
	Also []netip.AddrPort
	// Examples are URLs for the front page, in place of those of RFC 1738.
	Examples []Example
	// Permit reports whether a user of the gateway may change what others see at u: send mail, articles or forms ([scheme.OpUpdate]) or store
	// files ([scheme.OpReplace]). user is "" for somebody who is not known. Nil permits everything, which is for a gateway that only its
	// owner reaches.
	Permit func(user string, op scheme.Op, u locator.URL) bool
	// Logins are the logins for the configured servers (Client.Servers) through which messages are sent. They are used for nothing else.
	Logins []scheme.LoginFunc
	// Service are limits, users and the rest of what a gateway needs that others reach.
	Service Service
	// Log gets a record of each request; nil logs nothing. Records have no passwords.
	Log *slog.Logger
	// Version is that of the program, for the header of pages; it may be "".
	Version string
}

// Example is a URL on the front page.
type Example struct {
	URL locator.URL
	Did string // what its page shows
}

// Gateway is an http.Handler that serves the resources of URLs. The caller must Close it.
type Gateway struct {
	client  *client.Client
	policy  *guard
	explain explain.Explainer
	opt     Options
	hosts   map[string]bool
	csrf    *http.CrossOriginProtection
	key     []byte // signs cookies and tokens
	assets  *assets
	secrets secrets
	sockets sockets

	upstreams, clients, changes *shares
	accounts                    *accounts
	metrics                     *meters
	running                     atomic.Int64 // requests
	stopping                    atomic.Bool  // Serve waits for the requests that run
	sent                        sentForms
	pools                       *pools
	cache                       *cache                                        // nil if each request is served for itself
	user                        func(r *http.Request) string                  // the user of the gateway who sent a request; "" if nobody is known
	allow                       func(r *http.Request, action scheme.Op) error // counts what a client does, and refuses too much of it
}

// New returns a Gateway. The error is that of the options.
func New(opt Options) (*Gateway, error) {
	if opt.Client.Registry == nil {
		return nil, errors.New("gateway: Options.Client.Registry is nil")
	}
	if opt.Policy == nil {
		opt.Policy = Policy()
	}
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	a, err := loadAssets()
	if err != nil {
		return nil, err
	}
	g := &Gateway{opt: opt, hosts: hostNames(opt), assets: a, pools: newPools(), sockets: newSockets(), csrf: http.NewCrossOriginProtection()}
	if g.key, err = newKey(opt.Service.KeyFile); err != nil {
		return nil, fmt.Errorf("the key: %w", err)
	}
	if g.policy, err = newGuard(opt); err != nil {
		return nil, err
	}
	g.limit(opt.Service)
	if of := opt.Service.Cache; of != nil {
		if g.cache, err = newCache(g, *of); err != nil {
			return nil, fmt.Errorf("the cache: %w", err)
		}
	}
	opt.Client.Policy, opt.Client.Turn = g.policy, g.turn
	if pool := &opt.Client.Pool; *pool == (client.PoolOptions{}) {
		pool.PerKey, pool.Total = min(max(g.upstreams.of.AtOnce, 4), 64), maxIdle
	}
	g.client = client.New(opt.Client)
	g.explain = explain.Explainer{Registry: opt.Client.Registry, Via: opt.Client.Via, Servers: opt.Client.Servers}
	return g, nil
}

// Close ends the sessions and closes the connections of the gateway. Other requests that are being served go on to their end.
func (g *Gateway) Close() error {
	g.sockets.close()
	return g.client.Close()
}

// Policy returns the policy of a gateway for strangers: [policy.Strangers] with every registered scheme but file, filled forms, logins
// that the client of the gateway sends, and bodies and listings of any length.
func Policy() *policy.Standard {
	o := policy.Strangers().Options()
	o.Schemes = nil
	o.NoForms, o.NoLogins = false, false // a form is sent, and a login used, only if the client of the gateway asks for it
	o.Limits.Entries, o.Limits.Listing, o.Limits.Body, o.Limits.Time = maxEntries, maxListing, 1<<62, maxTime
	return policy.New(o)
}

// The limits of one resource for strangers, where policy.Strangers has other ones.
const (
	maxEntries = math.MaxInt
	maxListing = 256 << 20 // bytes
	maxTime    = time.Hour
	maxIdle    = 512 // connections to servers that are kept
)

// ServeHTTP implements http.Handler.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	rec := g.record(w, r)
	p := placeOf(r)
	if p.view == viewOwn && g.health(rec, p.text) {
		return
	}
	g.running.Add(1)
	defer func() {
		rec.extend() // net/http sends the rest
		g.running.Add(-1)
		g.metrics.request(p.view, g.schemeOf(p), rec.status, rec.bytes, time.Since(start))
		g.opt.Log.LogAttrs(context.WithoutCancel(r.Context()), slog.LevelInfo, "request", slog.String("method", r.Method), slog.String("remote", g.clientAddr(r).String()),
			slog.String("target", locator.Redact(p.text)), slog.Int("status", rec.status), slog.Int64("bytes", rec.bytes), slog.Duration("took", time.Since(start)))
	}()
	if p.view != viewOwn || !strings.HasPrefix(p.text, assetPath) { // assets are in memory, and browsers keep them
		release, err := g.clients.take(r.Context(), g.clientName(r))
		if err != nil {
			g.metrics.refused("client")
			tooMany(rec, err)
			return
		}
		defer release()
	}
	if err := g.admit(r, p); err != nil {
		g.problem(rec, r, p, err)
		return
	}
	switch p.view {
	case viewOwn:
		g.own(rec, r, p)
	case viewProxy:
		g.proxy(rec, r, p)
	default:
		g.resource(rec, r, p)
	}
}

// resource serves a view of a resource.
func (g *Gateway) resource(w http.ResponseWriter, r *http.Request, p place) {
	if p.view == viewExplain {
		g.explainPage(w, r, p)
		return
	}
	if goes(r) { // what a person typed may be wrapped
		if x := explain.Read(locator.Current, p.text); x.Err == nil {
			p.text = x.URL.Text()
		}
	}
	u, err := g.client.Parse(p.text)
	if err != nil {
		if goes(r) && g.redirectFound(w, r, p) {
			return
		}
		g.problem(w, r, p, err)
		return
	}
	if _, ok := g.opt.Client.Registry.Lookup(u.Scheme()); !ok { // it has no page, and may be a URL with a password behind another word
		err := g.policy.Check(u)
		if err == nil {
			err = scheme.Fail(scheme.CodeUnsupported, "the gateway has no scheme %s", u.Scheme())
		}
		g.problem(w, r, p, err)
		return
	}
	if _, ok := u.Password(); ok {
		(&exchange{g: g, w: w, r: r, place: p, u: u}).keepSecret()
		g.redirect(w, r, string(pathOf(p.view, u)))
		return
	}
	if goes(r) && survives(u.Text()) && r.Method == http.MethodGet {
		g.redirect(w, r, string(pathWithView(p.view, u, p.opts)))
		return
	}
	x := &exchange{g: g, w: w, r: r, place: p, u: u, settings: settingsOf(r)}
	if err := g.policy.Check(u); err != nil { // also for what is only shown, and not accessed
		x.problem(err)
		return
	}
	switch {
	case p.view == viewSession:
		x.socket()
	case r.Method == http.MethodPost:
		x.post()
	case p.view == viewRaw || p.view == viewFile:
		x.serve((*exchange).raw)
	default:
		x.serve((*exchange).page)
	}
}

func pathWithView(v view, u locator.URL, opts url.Values) template.URL {
	if v != viewPage {
		return pathOf(v, u)
	}
	return pathWith(u, opts)
}

// schemeOf returns the scheme of what a request is for, "" if the gateway has no such scheme.
func (g *Gateway) schemeOf(p place) string {
	name, _, _ := strings.Cut(p.text, ":")
	if _, ok := g.opt.Client.Registry.Lookup(strings.ToLower(name)); ok && p.view != viewOwn {
		return strings.ToLower(name)
	}
	return ""
}

func (g *Gateway) redirect(w http.ResponseWriter, r *http.Request, to string) {
	w.Header().Set("Location", to)
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusSeeOther)
}

// hostNames returns the hosts of Options.Hosts, localhost, and the addresses that the gateway listens on.
func hostNames(opt Options) map[string]bool {
	names := map[string]bool{"localhost": true}
	for _, h := range opt.Hosts {
		names[strings.ToLower(h)] = true
	}
	if _, host, ok := strings.Cut(opt.Service.ContentOrigin, "://"); ok {
		names[hostOf(host)] = true
	}
	for _, a := range opt.Own {
		names[a.Addr().String()] = true
		if a.Addr().IsLoopback() {
			names["127.0.0.1"], names["::1"] = true, true
		}
	}
	return names
}

// request returns the parameters of an access to u for the client of the gateway.
func (x *exchange) request() scheme.Request {
	return scheme.Request{URL: x.u, Principal: x.principal(), Trace: x.dialogue.trace(), Note: func(_ locator.URL, text string) { x.note(text) }, Within: x.g.policy.within(x.u)}
}
