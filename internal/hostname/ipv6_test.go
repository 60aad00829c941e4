package hostname

import (
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"
)

// ipv6Viable reports, by trying, whether s can be continued to an address with its closing bracket.
// Some sequence of groups is always short enough.
func ipv6Viable(s string) bool {
	tails := []string{
		"]", ":]", "::]", "1]", "1::]", "0.0.0.0]", ".0.0.0]", "0.0.0]", ".0.0]", "0.0]", ".0]", "0]",
		":1]", ":1:1]", ":1:1:1]", ":1:1:1:1]", ":1:1:1:1:1]", ":1:1:1:1:1:1]", ":1:1:1:1:1:1:1]",
		"1:1]", "1:1:1]", "1:1:1:1]", "1:1:1:1:1]", "1:1:1:1:1:1]", "1:1:1:1:1:1:1]", "1:1:1:1:1:1:1:1]",
	}
	for _, tail := range tails {
		if isIPv6(s + tail) {
			return true
		}
	}
	return false
}

// isIPv6 reports whether package netip accepts an address with its closing bracket. RFC 3986 has no
// zones.
func isIPv6(s string) bool {
	s, ok := strings.CutSuffix(s, "]")
	a, err := netip.ParseAddr(s)
	return ok && err == nil && a.Is6() && a.Zone() == ""
}

// The parser agrees with package netip on IPv6 literals, and finds the first wrong byte.
func TestIPv6(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1738, 0))
	good := 0
	for range 60_000 {
		var b strings.Builder
		for range 1 + r.IntN(10) {
			b.WriteString([]string{":", ":", ":", "1:", "1:", "0", "fF:", "12345", "256", "1.2.3.4", "01", ".", "g", "]", "1:2:3:4:5:6:", "255"}[r.IntN(16)])
		}
		s := b.String() + "]"
		end, ok := ScanIPv6(s, 0)
		if ok {
			good++
			if !isIPv6(s[:end]) {
				t.Fatalf("%q is not an address", s[:end])
			}
			continue
		}
		if !ipv6Viable(s[:end]) {
			t.Fatalf("%q goes wrong before %d", s, end)
		}
		if end < len(s) && ipv6Viable(s[:end+1]) {
			t.Fatalf("%q goes wrong after %d", s, end)
		}
	}
	if good < 1000 {
		t.Errorf("only %d valid addresses", good)
	}
}
