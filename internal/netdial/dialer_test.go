package netdial

import (
	"errors"
	"net"
	"net/netip"
	"testing"

	"locator"
	"locator/policy"
	"locator/scheme"
)

// anyAddress is a policy that allows everything.
type anyAddress struct{ policy.Standard }

func (*anyAddress) URL(locator.URL, scheme.Hop) error      { return nil }
func (*anyAddress) Addr(scheme.Dial, netip.AddrPort) error { return nil }

// A pooled connection without an address is refused, since the policy cannot check it.
//
// Covers: P5
func TestPooledWithoutAddress(t *testing.T) {
	t.Parallel()
	for name, addr := range map[string]net.Addr{"none": nil, "a pipe": &net.UnixAddr{Name: "/x", Net: "unix"}} {
		_, err := (&Dialer{Policy: &anyAddress{}}).CheckPooled(scheme.Dial{}, addr, nil)
		if e, ok := errors.AsType[*scheme.Error](err); !ok || e.Code != scheme.CodeRefused {
			t.Errorf("%s: %v", name, err)
		}
	}
}
