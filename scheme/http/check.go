package http

import (
	"bytes"
	"context"
	"errors"
	"io"
	nethttp "net/http"
	"net/http/cookiejar"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/publicsuffix"

	"locator"
	"locator/scheme"
)

// Check asks with HEAD whether the resource is there. Where the response may be wrong, since many
// servers refuse HEAD, or treat it in a way of its own, it asks with GET for the first bytes;
// nothing is missing by the response to HEAD alone. The cookies of a chain of redirects are kept.
func (s Scheme) Check(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.CheckOptions) (*scheme.Resource, error) {
	c := &check{s: s, env: env, r: r, o: o, jar: jarOf(o.Chain)}
	if !o.Body && !o.Thorough {
		res, err, sure := c.head(ctx)
		if sure || err != nil && ctx.Err() != nil {
			return res, err
		}
	}
	return c.get(ctx)
}

// check is one check.
type check struct {
	s   Scheme
	env *scheme.Env
	r   scheme.Request
	o   scheme.CheckOptions
	jar nethttp.CookieJar
}

// jarKey is the key of the cookies in a chain.
type jarKey struct{}

// jarOf returns the cookies of a chain, which http and https share.
func jarOf(chain map[any]any) nethttp.CookieJar {
	if jar, ok := chain[jarKey{}].(nethttp.CookieJar); ok {
		return jar
	}
	jar, _ := cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List}) // never fails
	if chain != nil {
		chain[jarKey{}] = jar
	}
	return jar
}

// do sends a request with the cookies of the chain, and keeps those of the response.
func (c *check) do(ctx context.Context, method string, part scheme.Range) (*response, error) {
	r := c.r
	if at, err := nethttp.NewRequest(method, cookieURL(r.URL), nil); err == nil && !slices.ContainsFunc(r.Header, isCookie) {
		var pairs []string
		for _, x := range c.jar.Cookies(at.URL) {
			pairs = append(pairs, x.Name+"="+x.Value)
		}
		if len(pairs) > 0 {
			r.Header = append(slices.Clip(r.Header), "Cookie: "+strings.Join(pairs, "; "))
		}
	}
	a, err := c.s.do(ctx, c.env, r, scheme.AccessOptions{Accept: c.o.Accept, If: c.o.If, Range: part}, method, nil)
	if err == nil {
		if at, err := nethttp.NewRequest(method, cookieURL(r.URL), nil); err == nil {
			c.jar.SetCookies(at.URL, a.Cookies())
		}
	}
	return a, err
}

func isCookie(line string) bool {
	return len(line) > len("cookie:") && strings.EqualFold(line[:len("cookie:")], "cookie:")
}

// cookieURL returns what decides which cookies belong to a request, as package net/http reads it.
func cookieURL(u locator.URL) string {
	path, _ := u.Path()
	return u.Scheme() + "://" + u.Host() + "/" + path
}

// head sends a HEAD. sure is false if its answer is to be verified by a GET.
func (c *check) head(ctx context.Context) (res *scheme.Resource, err error, sure bool) {
	a, err := c.do(ctx, nethttp.MethodHead, scheme.Range{})
	if err != nil {
		// A server may close the connection, or never answer, where it should refuse HEAD.
		code := scheme.CodeProtocol
		if e, ok := errors.AsType[*scheme.Error](err); ok {
			code = e.Code
		}
		return nil, err, code != scheme.CodeBroken && code != scheme.CodeProtocol
	}
	defer a.discard()
	switch {
	case a.redirects(): // some servers send every HEAD to a page for errors or logins
		c.o.Doubt()
		res, err = a.referral()
		return res, err, err == nil
	case c.unchanged(a):
		return c.notModified(a), nil, true
	case a.StatusCode == nethttp.StatusTooManyRequests, a.StatusCode == nethttp.StatusServiceUnavailable && a.Header.Get("Retry-After") != "",
		a.StatusCode == nethttp.StatusUnauthorized, a.StatusCode == nethttp.StatusProxyAuthRequired:
		return nil, a.checkError(nil), true
	case !a.success() || a.doubtful():
		return nil, nil, false
	}
	return &scheme.Resource{URL: c.r.URL, Kind: scheme.KindObject, Attr: a.attr(), Status: a.code()}, nil, true
}

// unchanged reports whether the response is the 304 that the conditions of the request allow. One
// that nobody asked for says nothing.
func (c *check) unchanged(a *response) bool {
	return a.StatusCode == nethttp.StatusNotModified && (c.o.If.NoneMatch != "" || !c.o.If.ModifiedSince.IsZero())
}

func (c *check) notModified(a *response) *scheme.Resource {
	return &scheme.Resource{URL: c.r.URL, Kind: scheme.KindObject, Attr: a.attr(), Status: a.code(), NotModified: true}
}

// Bounds of what a GET reads to recognize a challenge.
const (
	maxPeek  = 16 << 10
	peekTime = 10 * time.Second
)

// get sends a GET and reads the first bytes of the body.
func (c *check) get(ctx context.Context) (*scheme.Resource, error) {
	part := scheme.Range{Length: maxPeek}
	if c.o.Body {
		part = scheme.Range{}
	}
	ctx, cancel := context.WithCancel(ctx)
	a, err := c.do(ctx, nethttp.MethodGet, part)
	if err != nil {
		cancel()
		return nil, err
	}
	res, err := c.answer(a, part, cancel)
	if err != nil || res.Body == nil {
		cancel()
	}
	return res, err
}

// answer returns the result for the response to a GET of part. cancel ends the request; the Body of
// the result calls it.
func (c *check) answer(a *response, part scheme.Range, cancel context.CancelFunc) (*scheme.Resource, error) {
	switch {
	case a.redirects():
		defer a.discard()
		return a.referral()
	case c.unchanged(a):
		defer a.discard()
		return c.notModified(a), nil
	case a.StatusCode == nethttp.StatusRequestedRangeNotSatisfiable && !part.IsZero(): // it is empty
		defer a.discard()
		return &scheme.Resource{URL: c.r.URL, Kind: scheme.KindObject, Attr: scheme.Attr{More: a.fields}, Status: a.code()}, nil
	case !a.success():
		start, _ := peek(a.Body, cancel)
		return nil, a.checkError(start)
	}
	res, err := a.object()
	if err != nil {
		return nil, err
	}
	var start []byte
	if a.isHTML() {
		start, err = peek(res.Body, cancel)
	}
	if a.challenge(start) {
		return nil, a.checkError(start) // it discards the body
	}
	if !c.o.Body {
		res.Body.Close()
		res.Body = nil
		return res, nil
	}
	whole := []io.Reader{bytes.NewReader(start), res.Body}
	if err != nil {
		whole[1] = failed{err}
	}
	res.Body = &peeked{io.MultiReader(whole...), res.Body, cancel}
	return res, nil
}

// peek returns the first bytes of a body. It does not wait long for them: the response has come.
func peek(body io.Reader, cancel context.CancelFunc) ([]byte, error) {
	stop := time.AfterFunc(peekTime, cancel)
	defer stop.Stop()
	return io.ReadAll(io.LimitReader(body, maxPeek))
}

// peeked is a body whose beginning was read.
type peeked struct {
	io.Reader
	io.Closer
	cancel context.CancelFunc
}

func (p *peeked) Close() error {
	defer p.cancel()
	return p.Closer.Close()
}

// failed is a reader that has failed.
type failed struct{ err error }

func (f failed) Read([]byte) (int, error) { return 0, f.err }

func (a *response) isHTML() bool {
	t := a.Header.Get("Content-Type")
	return t == "" || strings.HasPrefix(strings.ToLower(strings.TrimSpace(t)), "text/html")
}

// doubtful reports whether a successful response to HEAD may be a challenge: a page that is made
// anew for each request.
func (a *response) doubtful() bool {
	return a.challenge(nil) || a.StatusCode == nethttp.StatusAccepted || a.isHTML() && a.Header.Get("ETag") == "" && a.Header.Get("Last-Modified") == "" &&
		(a.Header.Get("Set-Cookie") != "" || strings.Contains(strings.ToLower(a.Header.Get("Cache-Control")), "no-store"))
}

// challengePages are texts in the beginning of pages that stand in the way of a resource.
//
// QUIRK: Anubis answers 200 unless its operator chooses another status, with its data in a script
// of that id (TecharoHQ/anubis, issue 473). The pages of Cloudflare set _cf_chl_opt; those of
// DDoS-Guard load a script from its host.
var challengePages = []string{`id="anubis_challenge"`, "/.within.website/x/cmd/anubis/", "_cf_chl_opt", "/.well-known/ddos-guard/"}

// challenge reports whether the response is a challenge, by its fields or the beginning of its page.
//
// QUIRK: Cloudflare documents cf-mitigated as the sign of its challenges, and AWS WAF
// x-amzn-waf-action, with the status 202 or 405.
func (a *response) challenge(start []byte) bool {
	return strings.EqualFold(a.Header.Get("Cf-Mitigated"), "challenge") || a.Header.Get("X-Amzn-Waf-Action") != "" ||
		slices.ContainsFunc(challengePages, func(text string) bool { return bytes.Contains(start, []byte(text)) })
}

// statusRefused is what some sites answer to programs.
//
// QUIRK: LinkedIn answers 999 to every request of a program.
const statusRefused = 999

// checkError returns the error of a response that is no success, or a challenge, whose page begins
// with start.
func (a *response) checkError(start []byte) error {
	err := a.statusError()
	e, ok := errors.AsType[*scheme.Error](err)
	if !ok {
		return err
	}
	gone := e.Code == scheme.CodeNotFound || e.Code == scheme.CodeGone
	switch {
	case !gone && a.challenge(start):
		e.Code = scheme.CodeChallenge
	case a.StatusCode == nethttp.StatusTooManyRequests:
		e.Code = scheme.CodeLimited
	case a.StatusCode == nethttp.StatusForbidden, a.StatusCode == nethttp.StatusUnavailableForLegalReasons, a.StatusCode == statusRefused:
		e.Code = scheme.CodeWall
	case e.Code == scheme.CodeUnsupported, e.Code == scheme.CodeUsage: // of this request, which says nothing about the resource
		e.Code = scheme.CodeProtocol
	}
	return e
}
