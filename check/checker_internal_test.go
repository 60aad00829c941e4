package check

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"locator"
	"locator/client"
	"locator/scheme"
	httpscheme "locator/scheme/http"
)

// The address of a server is that of the host of the URL only if no redirect led to another host.
func TestAddress(t *testing.T) {
	t.Parallel()
	via := []scheme.Hop{{From: locator.MustParse("http://a.example/"), Permanent: true}}
	at := netip.MustParseAddrPort("192.0.2.1:80")
	for _, tt := range []struct {
		name   string
		final  string
		via    []scheme.Hop
		addr   netip.AddrPort
		found  string // the address if the resource is there
		failed string // if it is not
	}{
		{"direct", "http://a.example/", nil, at, "192.0.2.1", "192.0.2.1"},
		{"unknown", "http://a.example/", nil, netip.AddrPort{}, "", ""},
		{"another page", "http://A.example/x", via, at, "192.0.2.1", ""},
		{"another host", "http://b.example/", via, at, "", ""},
	} {
		found := &scheme.Resource{URL: locator.MustParse(tt.final), Via: tt.via, Addr: tt.addr}
		if got := addrOf(locator.MustParse("http://a.example/"), found); got != tt.found {
			t.Errorf("%s: the address of what was found is %q, want %q", tt.name, got, tt.found)
		}
		a := &attempt{result: &Result{URL: "http://a.example/"}}
		new(Checker).fail(a, &scheme.Error{Code: scheme.CodeUnreachable, Partial: found})
		if a.addr != tt.failed || a.noHost != (tt.via == nil) || a.result.To != "" {
			t.Errorf("%s: the address of what failed is %q, want %q; noHost %t, to %q", tt.name, a.addr, tt.failed, a.noHost, a.result.To)
		}
	}
}

// The address of a server that answered is known.
func TestAttemptAddress(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.NotFoundHandler())
	defer srv.Close()
	c := client.New(client.Options{Registry: scheme.NewRegistry(httpscheme.New("http"))})
	defer c.Close()
	ok := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer ok.Close()
	checker := &Checker{Client: c}
	for _, at := range []string{srv.URL, ok.URL} {
		if a := checker.attempt(t.Context(), Task{URL: at + "/"}, &machine{rules: checker.newRules()}, nil); a.addr != "127.0.0.1" {
			t.Errorf("%s: %s at %q, want 127.0.0.1", at, a.result.Verdict, a.addr)
		}
	}
}

// Neither fields of a server nor an error are shown to a terminal as they are. A URL has moved for
// good as far as all redirects before say so.
func TestDescribe(t *testing.T) {
	t.Parallel()
	hop := func(name string, permanent bool) scheme.Hop {
		return scheme.Hop{From: locator.MustParse("http://" + name + ".example/"), Permanent: permanent}
	}
	for _, tt := range []struct {
		via []scheme.Hop
		to  string
	}{
		{nil, ""}, {[]scheme.Hop{hop("a", true)}, "http://z.example/"}, {[]scheme.Hop{hop("a", false)}, ""},
		{[]scheme.Hop{hop("a", true), hop("b", false), hop("c", true)}, "http://b.example/"}, {[]scheme.Hop{hop("a", false), hop("b", true)}, ""},
	} {
		r := new(Result)
		found := &scheme.Resource{URL: locator.MustParse("http://z.example/"), Via: tt.via, Attr: scheme.Attr{ETag: "\x1b[2J", Type: "\x1b]0;x"}}
		r.describe(found.URL, found)
		if r.To != tt.to || len(r.Hops) != len(tt.via) || (r.Final != "") != (len(tt.via) > 0) {
			t.Errorf("%v: to %q, hops %q, final %q; want %q", tt.via, r.To, r.Hops, r.Final, tt.to)
		}
		a := &attempt{result: r}
		new(Checker).fail(a, errors.New("\x1b[31m"))
		if text := r.ETag + r.Type + r.Note; strings.Contains(text, "\x1b") {
			t.Errorf("not escaped: %q", text)
		}
	}
}

// Nothing is looked for beside a local file, and no folder is listed for it.
func TestBesideFile(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"file://localhost/etc/x": false, "file:///etc/x": false, "http://localhost/etc/x": true} {
		if _, _, ok := around(locator.MustParse(text)); ok != want {
			t.Errorf("%s: %t", text, ok)
		}
	}
}
