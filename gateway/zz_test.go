package gateway

import (
	"net"
	"net/http"
	"os"
	"testing"
	"net/netip"

	"locator/client"
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
	g, err := New(Options{Client: client.Options{Registry: all.Registry()}, Policy: policy.New(o), Own: []netip.AddrPort{netip.MustParseAddrPort(l.Addr().String())}})
	if err != nil {
		t.Fatal(err)
	}
	http.Serve(l, g)
}
