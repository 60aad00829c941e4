package locator

import (
	"slices"
	"testing"
)

// Covers: P1
func TestIsForeignPort(t *testing.T) {
	t.Parallel()
	if !slices.IsSorted(badPorts) {
		t.Error("the bad ports are not sorted")
	}
	for _, s := range Schemes() {
		if s.Port != 0 && !slices.Contains(s.Ports, s.Port) {
			t.Errorf("%s: the default port is not among its ports", s.Name)
		}
		for port := range uint16(2000) {
			_, bad := slices.BinarySearch(badPorts, port)
			want := !slices.Contains(s.Ports, port) && (bad || port < 1024 && s.Name != "http" && s.Name != "https")
			if got := IsForeignPort(s.Name, port); got != want {
				t.Errorf("%s, port %d: %v, want %v", s.Name, port, got, want)
			}
		}
	}
	if !IsForeignPort("x-new", 1023) || IsForeignPort("x-new", 1024) || !IsForeignPort("HTTP", 6000) || IsForeignPort("FTP", 21) {
		t.Error("an unknown scheme, or one in upper case, has a different result")
	}
}
