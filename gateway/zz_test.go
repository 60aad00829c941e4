package gateway

import (
	"net"
	"net/http"
	"net/netip"
	"os"
	"testing"

	"locator/client"
	"locator/internal/tour"
	"locator/policy"
	"locator/scheme/all"
)

func TestManual(t *testing.T) {
	if os.Getenv("MANUAL") == "" {
		t.Skip()
	}
	l, err := net.Listen("tcp", "127.0.0.1:1738")
	if err != nil {
		t.Fatal(err)
	}
	o := Policy().Options()
	o.Addresses = policy.Any
	o.OwnPorts = false
	demo, err := tour.Start()
	if err != nil {
		t.Fatal(err)
	}
	var ex []Example
	for _, u := range demo.URLs() {
		ex = append(ex, Example{u.URL, u.Did})
	}
	g, err := New(Options{Examples: ex, Client: client.Options{Registry: all.Registry()}, Policy: policy.New(o), Own: []netip.AddrPort{netip.MustParseAddrPort(l.Addr().String())}})
	if err != nil {
		t.Fatal(err)
	}
	http.Serve(l, g)
}
