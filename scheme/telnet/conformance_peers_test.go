package telnet_test

import (
	"net"
	"testing"

	"locator"
	"locator/internal/peers"
	"locator/scheme/telnet"
	"locator/schemetest"
	"locator/schemetest/peer"
)

// TestConformancePeers runs the suite against telnetd. It has logins of its own, so the duties of
// sessions are those of cmd/locator's tests.
//
// Covers: S13, A10, A15, P5
func TestConformancePeers(t *testing.T) {
	e := peers.Start(t, "telnetd")
	schemetest.Run(t, schemetest.Harness{
		Scheme: telnet.New(),
		Start: func(t *testing.T) schemetest.Server {
			r, err := peers.NewRelay(e.Addr(t, "telnetd"), "telnet")
			if err != nil {
				t.Fatal(err)
			}
			return daemon{r}
		},
		Alone:   func(s schemetest.Server) locator.URL { return s.URL("") },
		Faults:  []schemetest.Fault{schemetest.StallBody}, // it waits for a name
		Hostile: []string{"telnet://a%0D%0Ab@HOST/"},
	})
}

// daemon is telnetd behind a relay.
type daemon struct{ *peers.Relay }

// URL implements peer.Server.
func (d daemon) URL(...string) locator.URL {
	host, port, _ := net.SplitHostPort(d.Addr())
	u, _ := locator.Build(&locator.Telnet{Login: locator.Login{Hostport: locator.Hostport{Host: host, Port: port}}})
	return u
}

// Misbehave implements peer.Server. telnetd does not.
func (daemon) Misbehave(peer.Fault) {}

// File implements peer.Server.
func (daemon) File(...string) ([]byte, bool) { return nil, false }
