package check

import (
	"net/netip"
	"testing"

	"locator"
	"locator/scheme"
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
