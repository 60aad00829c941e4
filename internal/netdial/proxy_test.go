package netdial

import (
	"net/netip"
	"strings"
	"testing"

	"locator"
	"locator/internal/hostaddr"
	"locator/scheme"
)

// namesToo is anyAddress for names, too. It records the name.
type namesToo struct {
	anyAddress
	asked *string
}

func (n *namesToo) Proxied(d scheme.Dial) error { *n.asked = d.Addr; return nil }

// FuzzCheckProxied looks for hosts that are allowed as names, and that a proxy could read as an
// address or as another host.
//
// Covers: T182
func FuzzCheckProxied(f *testing.F) {
	for _, host := range []string{"127.0.0.1", "0x7f.1", "h.example", "127.0.0.1%00", "[::1]", "a..b", "017700000001.", "１.2.3.4", "localhost.", "1.2.3.4.5", "0x", "0x.", "X:1"} {
		f.Add(host)
	}
	f.Fuzz(func(t *testing.T, host string) {
		u, err := locator.Current.Parse("http://" + host + "/")
		if err != nil || u.HasHost() && hostaddr.Read(u.ASCIIHost()).Kind > hostaddr.Address { // policy refuses the URL
			return
		}
		addr, ok := u.Addr()
		if !ok {
			return
		}
		asked := ""
		_, err = (&Dialer{Policy: &namesToo{asked: &asked}}).CheckProxied(scheme.Dial{Addr: addr})
		if err != nil || asked == "" {
			return
		}
		name := asked[:strings.LastIndexByte(asked, ':')]
		if a, ok := hostaddr.Loose(name); ok {
			t.Errorf("%q is allowed as a name, and others read it as %s", name, a)
		}
		if a, err := netip.ParseAddr(name); err == nil {
			t.Errorf("%q is allowed as a name, and it is the address %s", name, a)
		}
		if strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") != "" || strings.Contains(name, "..") || name[0] == '.' {
			t.Errorf("%q is allowed as a name", name)
		}
	})
}
